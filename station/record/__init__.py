"""Durable truth, and the only writer of it: chain, journal, checkpoints, nights, session, audit."""
