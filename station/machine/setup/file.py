"""Write the settings file of `loto setup`: answers as TOML, over the file that was there.

What is not asked for is kept, and so are a person's comments and order; the old file stays beside
the new one as `.old`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable

from station.base.disk import keep_file, keep_folder
from station.base.errors import SettingsError, Unreadable
from station.base.tongue import key, tr
from station.base.untrusted import toml_from
from station.settings.buzzing import is_buzzers
from station.settings.config import Settings, load_settings, merged
from station.settings.readers import is_reader

HEAD = (
    key("The settings of this hall, written by: loto setup"),
    key(
        "Whatever is not here is as in the profile; ./loto config show lists all that is in force."
    ),
)
NOTES = {
    "hall": key("the hall: its name, its language, how its money is written"),
    "game": key("the house's rules"),
    "calling": key("how numbers are called"),
    "screen": key("the public screen"),
    "web": key("the pages; host 0.0.0.0 lets the phones of this network look"),
    "devices": key("what differs from the profile"),
}


@dataclass(frozen=True)
class SetupAnswers:
    """The answers of `loto setup`.

    Attributes:
        reader: a family of serial readers, "pn532", "wedge", or nothing for the profile's own.
        port: of the reader: a serial port, or a keyboard's name.
        sound: the output that speaks, or nothing for the system's own.
        size: of the public screen.
        lan: whether the pages are served to the network.
        buzzers: their table, or nothing to leave them as they are.
        own_reader: the reader in force with its new port, where only that changes.
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
    own_reader: Mapping[str, Any] = field(default_factory=dict)

    def to_settings(self) -> dict[str, Any]:
        """Return the answers as the tables of a settings file."""
        devices: dict[str, Any] = {}
        if self.reader == "wedge":
            devices["reader"] = {"driver": "wedge", "device": self.port}
        elif self.reader:
            devices["reader"] = {"driver": "rfid", "family": self.reader, "port": self.port}
        devices.update(self.own_reader)
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


def over_file(old: Mapping[str, Any], answers: SetupAnswers) -> dict[str, Any]:
    """Return a file's tables with the answers over them; chosen devices replace the old ones."""
    kept = dict(old)
    if "devices" in old:
        # The profile's own options of another kind of reader would be wrong for this one.
        kept["devices"] = {
            device: table
            for device, table in dict(old["devices"]).items()
            if not (answers.reader and is_reader(device))
            and not (answers.buzzers and is_buzzers(device))
        }
        if not answers.sound and "device" in (speech := kept["devices"].get("speech", {})):
            rest = {name: value for name, value in speech.items() if name != "device"}
            kept["devices"]["speech"] = rest
    return merged(kept, answers.to_settings())


def to_toml(tables: Mapping[str, Any], before: str = "") -> str:
    """Return settings as TOML, with a note before each new table.

    Args:
        before: the text that a person may have written; what need not change in it stays as it is,
            comments and order too.

    >>> print(to_toml({"profile": "rfid", "web": {"port": 80}}).split(chr(10) * 2, 1)[1].strip())
    profile = "rfid"
    <BLANKLINE>
    # the pages; host 0.0.0.0 lets the phones of this network look
    [web]
    port = 80
    """
    try:
        toml_from(before)
        text = _joined(before, tables)
        if toml_from(text) == tables:
            return text
    except (LookupError, ValueError, TOMLKitError, Unreadable):
        pass  # tomlkit cannot always change a table whose parts stand apart
    return _joined("", tables)


def _joined(before: str, tables: Mapping[str, Any]) -> str:
    document = tomlkit.parse(before)
    old = {name: value for name, value in tables.items() if name in document}
    _change(document, document.unwrap(), old)
    new = {name: value for name, value in tables.items() if name not in document}
    plain = _table({name: value for name, value in new.items() if not isinstance(value, Mapping)})
    # Beside the document: what a person wrote above a table stays there, and plain values stand
    # above all tables.
    head = "".join(f"# {tr(line)}\n" for line in HEAD)
    parts = [head * (not before), plain.as_string(), tomlkit.dumps(document)]
    for name, value in new.items():
        if isinstance(value, Mapping):
            note = f"# {tr(NOTES[name])}\n" if name in NOTES else ""
            parts.append(note + tomlkit.dumps(tomlkit.document().add(name, _table(value))))
    return "\n\n".join(part.strip("\n") for part in parts if part.strip("\n")) + "\n"


def _change(table: Any, now: Mapping[str, Any], wished: Mapping[str, Any]) -> None:
    """Change a table to what is wished, touching only what differs."""
    for name in now.keys() - wished.keys():
        del table[name]
    for name, value in wished.items():
        if isinstance(now.get(name), Mapping) and isinstance(value, Mapping):
            _change(table[name], now[name], value)
        # 1, 1.0 and true are equal in Python, but not in TOML
        elif name not in now or repr(now[name]) != repr(value):
            table[name] = _item(value) if isinstance(table, InlineTable) else _table(value)


def _table(value: Any) -> Any:
    """Return a value for TOML; a table gets a line for each of its own values."""
    if not isinstance(value, Mapping):
        return _item(value)
    inner = [inner for inner in value.values() if isinstance(inner, Mapping)]
    table = tomlkit.table(is_super_table=len(inner) == len(value) > 0)
    for name in sorted(value, key=lambda name: isinstance(value[name], Mapping)):
        table.add(name, _table(value[name]))
    return table.add(tomlkit.nl()) if len(inner) < len(value) or not value else table


def _item(value: Any) -> Any:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for name, inner in value.items():
            table.add(name, _item(inner))
        return table
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for inner in value:
            array.append(_item(inner))
        return array
    return tomlkit.item(value)


def checked(text: str, file: Path) -> Settings:
    """Return the settings that this text leads to.

    Raises:
        SettingsError: all its faults; nothing is written.
    """
    with tempfile.TemporaryDirectory(prefix="loto-") as folder:
        draft = Path(folder) / file.name
        draft.write_text(text, encoding="utf-8")
        return load_settings(file=draft)


def save(text: str, file: Path) -> Path | None:
    """Write the file durably; return where the old one was put, if there was one.

    Raises:
        SettingsError: it cannot be written.
    """
    old = file.with_name(f"{file.name}.old")
    try:
        keep_folder(file.parent)
        before = file.read_bytes() if file.exists() else None
        if before is not None:
            keep_file(old, before, public=True)
        # The station's own users read it, who are not those that write it.
        keep_file(file, text.encode(), public=True)
    except OSError as error:
        advice = tr("put sudo before the command, or give --config a file that you may write")
        what = tr("cannot be written ({why}): {advice}", why=error.strerror, advice=advice)
        raise SettingsError(str(file), [what]) from error
    return old if before is not None else None
