"""Tontine: who outlives all the others takes the box."""
