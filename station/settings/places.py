"""Name the folders of an installed station."""

from __future__ import annotations

from pathlib import Path

SYSTEM_STATE = Path("/var/lib/loto-station")
INSTALLED = Path("/opt/loto-station")  # where its releases lie
SYSTEM_SETTINGS = Path("/etc/loto-station")
