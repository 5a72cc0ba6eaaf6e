"""Look for a bias in what is drawn: in bags of knobs by the million, in a hall's own knobs over
months."""
