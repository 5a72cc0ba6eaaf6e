"""Show people the game. Screens know the wire and nothing behind it."""
