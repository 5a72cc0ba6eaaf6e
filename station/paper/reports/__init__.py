"""What a night came to, told from its journal alone: games, money, sleepers, receipts."""
