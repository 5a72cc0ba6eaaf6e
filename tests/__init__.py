"""The tests, and the fault drills: they come with the checkout and are no part of an installed
station."""
