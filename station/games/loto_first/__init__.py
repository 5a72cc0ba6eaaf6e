"""Loto, First Method: the hall."""
