"""Define what all games share: the contract of the rules, the door through which every game is
played, what is seen of a game, and prizes, patterns and seats."""
