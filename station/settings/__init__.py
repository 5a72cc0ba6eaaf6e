"""The files that a hall writes about its machine."""
