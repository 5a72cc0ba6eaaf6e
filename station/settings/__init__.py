"""Read and write the files in which a hall describes its machine."""
