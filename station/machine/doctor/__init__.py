"""Find what is wrong with this machine, and say what to do."""
