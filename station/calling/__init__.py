"""Turn what devices and people do into effects in the hall: the caller at work."""
