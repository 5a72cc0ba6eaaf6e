"""Fault drills: what a power cut, a failing disk, a damaged file, a noisy reader may do, done to
the station many times over."""
