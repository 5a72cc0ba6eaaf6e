"""Turn the state of a night into words and pictures. Pure."""
