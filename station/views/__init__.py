"""From the state of a night to words and pictures. Pure."""
