"""Tell what a night came to, from its journal alone: games, money, sleepers, receipts."""
