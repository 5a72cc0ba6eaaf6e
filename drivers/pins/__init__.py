"""Drive what is wired to pins: buttons, knob, lamps, buzzers."""
