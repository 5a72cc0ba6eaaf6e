"""Profiles and prose of the hardware; no logic."""
