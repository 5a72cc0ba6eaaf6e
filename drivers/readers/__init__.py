"""Readers of tags and codes, on a serial line or as a keyboard."""
