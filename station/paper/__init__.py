"""What is told of a night on paper and in files, from its journal."""
