"""What is seen and heard of a table."""
