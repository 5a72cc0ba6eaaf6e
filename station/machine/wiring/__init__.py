"""Draw the wiring of a station from its settings, so that the drawings name the pins that the
program uses."""
