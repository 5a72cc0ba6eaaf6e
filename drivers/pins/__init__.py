"""What sits on pins: buttons, knob, lamps, buzzers."""
