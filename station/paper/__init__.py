"""Tell a night on paper and in files, from its journal."""
