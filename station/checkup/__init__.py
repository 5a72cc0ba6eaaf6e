"""Examine the computer that the station runs on: what is wrong with it, and what to do."""
