"""Share what every room may use: errors, the nouns of the game, clock, disk, text, untrusted
files, and the files and commands of a machine."""
