"""Whole nights on an installed station: a container with systemd, Chromium in it, each person on a
device of their own. `python -m tests.installed` plays them; `./loto test` does not."""
