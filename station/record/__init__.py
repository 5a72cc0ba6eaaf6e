"""Keep the durable truth, as its only writer: chain, journal, checkpoints, nights, session,
audit."""
