"""Bell and Hammer: five cards sold by auction, eight marked cubes, and a pool to be cleared."""
