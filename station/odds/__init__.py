"""Work out what may be expected of Loto: exact chances as fractions, and trials to compare them
with."""
