"""Keep a Raspberry Pi's display when the TV is off, by one more word on the kernel's command line.

A TV that is off, or on another input, does not say that it is there; the kernel then makes no
connector that could be drawn on. The word tells it to take the first HDMI output for connected
(`D`), with this picture. Without it the screen's process tries again until the TV is on, so the
word only spares the wait.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path

from station.base.disk import keep_file
from station.base.errors import Unreadable
from station.base.system import System, writing
from station.base.tongue import tr

WORD = "video=HDMI-A-1:1920x1080@60D"
OUTPUT = WORD.partition(":")[0]
BESIDE = ".before"
# Raspberry Pi OS since Debian 12, and before.
PLACES = ("/boot/firmware/cmdline.txt", "/boot/cmdline.txt")


def command_line(system: System) -> Path:
    """Return the file with the kernel's command line: one line of words.

    Raises:
        Unreadable: this machine has none.
    """
    for place in PLACES:
        if (path := system.at(place)).is_file():
            return path
    what = tr("there is no such file: --tv-off is for Raspberry Pi OS")
    raise Unreadable(f"{system.at(PLACES[0])}: {what}")


def add_word(system: System, remember: Callable[[str], None] | None) -> list[str]:
    """Add the word if none names that output yet; return it. It is in force from the next start on.

    Args:
        remember: called before the file is changed; with None nothing is changed.

    Raises:
        Unreadable: there is no command line.
        StoreError: it cannot be written.
    """
    path = command_line(system)
    text = path.read_text(encoding="utf-8")
    if any(word.partition(":")[0] == OUTPUT for word in text.split()):
        return []
    if remember is not None:
        remember(WORD)
        line, end, rest = text.partition("\n")
        _write(system, path, f"{line} {WORD}{end}{rest}")
    return [WORD]


def remove_word(system: System, words: Collection[str]) -> None:
    """Remove the words that were added; everything else on the line stays.

    Raises:
        StoreError: it cannot be written.
    """
    if not words:
        return
    path = command_line(system)
    text = new = path.read_text(encoding="utf-8")
    for word in words:
        new = re.sub(rf" {re.escape(word)}(?=\s|$)", "", new, count=1)
    if new != text:
        _write(system, path, new)


def _write(system: System, path: Path, text: str) -> None:
    # Without this line the machine does not start, and FAT does not make a rename safe: keep the
    # old file beside it until then.
    copy = path.with_name(f"{path.name}{BESIDE}")
    with writing(path):
        mode = path.stat().st_mode
        keep_file(copy, path.read_bytes(), system.disk)
        keep_file(path, text.encode(), system.disk)
        path.chmod(mode)
        system.disk.remove(copy)
