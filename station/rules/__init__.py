"""What all games share: the contract of rules, the one door through which they are played, what is
seen of them, and prizes, patterns and seats."""
