"""The settings file that `loto setup` writes: from answers to TOML, over what a file of before had.

What is not asked for is kept; the old file stays beside the new one as `.old`.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from station.base.disk import keep_file, keep_folder
from station.base.errors import SettingsError
from station.settings.buzzing import is_buzzers
from station.settings.config import Settings, load_settings, merged
from station.settings.readers import is_reader

HEAD = (
    "# The settings of this hall, written by: loto setup\n"
    "# Whatever is not here is as in the profile; ./loto config show lists all that is in force.\n"
)
NOTES = {
    "hall": "the hall: its name, its language, how its money is written",
    "game": "the house's rules",
    "calling": "how numbers are called",
    "screen": "the public screen",
    "web": "the pages; host 0.0.0.0 lets the phones of this network look",
    "devices": "what differs from the profile",
}
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


@dataclass(frozen=True)
class Answers:
    """What was answered.

    Attributes:
        reader: a family of serial readers, "pn532", "wedge", or nothing for the profile's own.
        port: of the reader: a serial port, or a keyboard's name.
        sound: the output that speaks, or nothing for the system's own.
        size: of the public screen.
        lan: whether the pages are served to the network.
        buzzers: their table, or nothing to leave them as they are.
    """

    name: str
    language: str
    currency: str
    profile: str
    reader: str
    port: str
    sound: str
    style: str
    size: tuple[int, int]
    lan: bool
    buzzers: Mapping[str, Any] = field(default_factory=dict)

    def to_settings(self) -> dict[str, Any]:
        """As the tables of a settings file."""
        devices: dict[str, Any] = {}
        if self.reader == "wedge":
            devices["reader"] = {"driver": "wedge", "device": self.port}
        elif self.reader:
            devices["reader"] = {"driver": "rfid", "family": self.reader, "port": self.port}
        if self.buzzers:
            devices["buzzers"] = dict(self.buzzers)
        if self.sound:
            devices["speech"] = {"device": self.sound}
        return {
            "profile": self.profile,
            "hall": {"name": self.name, "language": self.language, "currency": self.currency},
            "calling": {"style": self.style},
            "screen": {"width": self.size[0], "height": self.size[1]},
            "web": {"host": "0.0.0.0" if self.lan else "127.0.0.1"},  # noqa: S104 - asked for
            **({"devices": devices} if devices else {}),
        }


def over_file(old: Mapping[str, Any], answers: Answers) -> dict[str, Any]:
    """The answers over what a file has; a reader or buzzers that were chosen replace those there, options and all."""
    new = answers.to_settings()

    def replaced(device: str) -> bool:
        return bool((answers.reader and is_reader(device)) or (answers.buzzers and is_buzzers(device)))

    # The profile's own options of another kind of reader would be wrong for this one.
    kept = {device: table for device, table in dict(old.get("devices", {})).items() if not replaced(device)}
    return merged({**old, **({"devices": kept} if "devices" in old else {})}, new)


def to_toml(tables: Mapping[str, Any]) -> str:
    """Settings as TOML, a note before each table.

    >>> print(to_toml({"profile": "rfid", "web": {"port": 80}}).split(chr(10) * 2, 1)[1].strip())
    profile = "rfid"
    <BLANKLINE>
    # the pages; host 0.0.0.0 lets the phones of this network look
    [web]
    port = 80
    """
    lines = [HEAD, *_table((), tables)]
    return "\n".join(lines).rstrip() + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any]) -> list[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    if path and (lines or not table):
        lines.insert(0, f"[{'.'.join(map(_key, path))}]")
    if lines:
        lines.append("")
    if len(path) == 1 and path[0] in NOTES:
        lines.insert(0, f"# {NOTES[path[0]]}")
    for key, value in table.items():
        if isinstance(value, Mapping):
            lines += _table((*path, key), value)
    return lines


def _key(key: str) -> str:
    return key if _BARE.match(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_value(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return _text(str(value))


def _text(text: str) -> str:
    """A basic string of TOML: as JSON's, but for the one control that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def checked(text: str, file: Path) -> Settings:
    """The settings that this text comes to.

    Raises:
        SettingsError: all its faults; nothing is written.
    """
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        draft = Path(folder) / file.name
        draft.write_text(text, encoding="utf-8")
        return load_settings(file=draft)


def save(text: str, file: Path) -> Path | None:
    """Writes the file durably; gives where the one of before was put, if there was one.

    Raises:
        SettingsError: it cannot be written.
    """
    old = file.with_name(f"{file.name}.old")
    try:
        keep_folder(file.parent)
        before = file.read_bytes() if file.exists() else None
        if before is not None:
            keep_file(old, before)
        keep_file(file, text.encode())
    except OSError as error:
        advice = "put sudo before the command, or give --config a file that you may write"
        raise SettingsError(str(file), [f"cannot be written ({error.strerror}): {advice}"]) from error
    return old if before is not None else None
