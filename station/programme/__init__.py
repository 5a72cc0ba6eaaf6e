"""What a night is meant to be: files that people write."""
