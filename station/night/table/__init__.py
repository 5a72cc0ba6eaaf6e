"""Seat a company at a table, and play its games: seats, counters, drawings, settlements."""
