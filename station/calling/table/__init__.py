"""The caller at work at a table."""
