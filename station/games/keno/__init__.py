"""Keno: the calling game for a single row."""
