"""The company at a table: seats, counters, drawings, settlements."""
