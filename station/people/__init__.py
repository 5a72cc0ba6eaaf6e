"""Decide what a person may do and see."""
