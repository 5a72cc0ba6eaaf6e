"""The ten-cavity board: digits on a matrix or a chain of pixels."""
