"""Show and say what happens at a table."""
