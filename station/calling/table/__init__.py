"""Do the caller's work at a table."""
