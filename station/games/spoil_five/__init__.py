"""Play Spoil-Five: a pool for three tricks of five, cards that run in an order of their own."""
