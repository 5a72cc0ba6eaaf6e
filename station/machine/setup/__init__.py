"""Ask the questions of `loto setup`, and write its file."""
