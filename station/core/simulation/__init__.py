"""Simulate people and devices that are not there."""
