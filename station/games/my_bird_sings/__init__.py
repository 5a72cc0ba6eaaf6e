"""My Bird Sings: who has four cards of one suit, or of four suits, takes the pool."""
