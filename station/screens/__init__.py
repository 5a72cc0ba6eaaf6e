"""Show people the game: the big screen, the terminal, and the pages of the web. Screens know the
wire and nothing behind it."""
