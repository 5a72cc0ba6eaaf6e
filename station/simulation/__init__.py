"""People and devices that are not there."""
