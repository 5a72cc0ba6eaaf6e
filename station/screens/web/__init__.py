"""Serve the public board, the bench and the other pages, fed over the wire."""
