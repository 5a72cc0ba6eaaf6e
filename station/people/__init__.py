"""Persons and what they may do."""
