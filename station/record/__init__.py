"""Keep the durable truth, as its only writer: lines, journal, heads, nights, session,
audit."""
