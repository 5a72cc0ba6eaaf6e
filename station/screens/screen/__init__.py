"""Show the public display in a hall: a pygame board fed over the wire."""
