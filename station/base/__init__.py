"""Share what every room may use: errors, the nouns of the game, clock, disk, text, untrusted
files."""
