"""Events in, effects out: the caller at work."""
