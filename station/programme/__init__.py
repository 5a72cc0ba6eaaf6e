"""Read the files in which people write what a night is to be."""
