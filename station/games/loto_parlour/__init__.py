"""Loto, First Method, by a company at a table."""
