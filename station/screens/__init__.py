"""What people look at. It knows the wire and nothing behind it."""
