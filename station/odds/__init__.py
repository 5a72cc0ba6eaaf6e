"""What may be expected of Loto: exact chances as fractions, and trials to hold beside them."""
