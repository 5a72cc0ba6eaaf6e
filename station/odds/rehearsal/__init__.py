"""Rehearse a programme a thousand times before the doors open, to tell what a night will be
like."""
