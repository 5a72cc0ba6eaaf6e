"""The table: rules, cards, journal, session, and the thin shell around them."""

__version__ = "0.3.0"
# The day of this version: a machine whose clock is before it does not know what day it is.
BUILT = "2026-11-30"
