"""Look after the computer that the station runs on: install, update, back up, first start, and how
its parts are wired."""
