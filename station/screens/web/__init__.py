"""Serve the board, the bench and the pages of whoever is paired."""
