"""Check one machine up: what it has, how each part is, and what to do next about a fault."""
