"""The card that is flashed, started in an emulated machine: `python -m tests.card`."""
