"""The questions of `loto setup`, and the file it writes."""
