"""Loto, Second Method: the seven fields, at a table."""
