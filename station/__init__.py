"""The table: rules, cards, journal, session, and the thin shell around them."""

__version__ = "0.2.0"
