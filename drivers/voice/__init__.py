"""The voice: made, kept, queued, spoken."""
