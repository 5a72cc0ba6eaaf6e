"""What every room may use: errors, the nouns of the game, clock, disk, text and files that nobody
trusts."""
