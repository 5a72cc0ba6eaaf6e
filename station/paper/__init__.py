"""Tell a night on paper and in files, from its journal; print what a hall needs on paper."""
