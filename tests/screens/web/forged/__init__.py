"""Forgeries of all that can be checked of a draw, honest records, and both judges of them."""
