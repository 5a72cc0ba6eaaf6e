"""Simulate the devices without hardware: real decoders on simulated lines."""
