"""The web: the public board and the bench, fed over the wire."""
