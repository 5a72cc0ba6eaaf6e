"""Prove that a draw was fair: Merkle trees, the secrets at their leaves, and sealed games. Pure."""
