"""Every JSON or TOML file that the program reads, and every such text from the network, comes in
through one place; each reader is given every hostile file, and answers with a sentence."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.attack.readers import (
    BY_ITSELF,
    FILES,
    PROJECT,
    READERS,
    Reader,
    Text,
    found_in,
    readers,
)
from tests.attack.test_inputs import JSON
from tests.screens.web.test_pairing import Door, door, told

__all__ = ["door"]

LONGEST = 700  # characters of a sentence

# Who parses without the one place, and why.
WITHOUT = {
    "station/machine/setup/file.py _joined": "keeps comments; `to_toml` reads the text first",
    "station/night/table/game.py parse_move": "a text that was made a line before",
    "station/record/chain.py": "a faster parser for lines that are written again and compared",
    "station/record/chain.py _parsed": "knows a fraction by its digits; lines are bounded",
    "station/record/chain.py unseal": "the line was read by the faster parser before",
    "drivers/board/picture.py _drawings": "a file of the program itself",
    "drivers/given.py message_from": "the drivers' own place",
    "drivers/voice/pack.py VoicePack.load": "pydantic's parser has bounds; the file is measured",
    "setup/check_wheels.py faults": "the workshop's",
    "setup/prepare.py profile_in": "before there is an environment, on any Python",
    "setup/prepare.py read_stamp": "before there is an environment, on any Python",
    "hw/dice-tower/main.py Pockets.__init__": "another computer",
}
# Who opens a file for reading without `file_bytes` or `open_regular`, and what it is.
KERNEL, SHIPPED, ROOTS = "the kernel's", "the program's own", "root's alone"
OPENED = {
    KERNEL: """
        drivers/board/spi.py WholeFrames.__init__
        drivers/pins/expander.py I2cChip.__init__
        drivers/voice/speech.py work_of
        station/base/addresses.py own_addresses
        station/checkup/health.py _text
        station/checkup/inventory.py Inventory.read
        station/core/addresses.py own_addresses
        station/core/launch.py has_display
        station/machine/sticks.py _can_be_taken_out
        station/machine/sticks.py sticks
        station/record/state_check.py _check_mount
        station/record/state_check.py _mount_number
        station/screens/screen/television.py _order
        station/screens/screen/television.py _status
    """,
    SHIPPED: """
        drivers/board/picture.py _drawings
        drivers/making.py modules_of
        drivers/voice/pack.py VoicePack._as_checked
        station/machine/bundle.py check_sums
        station/machine/bundle.py digest_of
        station/machine/bundle.py read_lock
        station/machine/bundle.py version_in
        station/machine/install.py links
        station/people/alike.py _lookalikes
        station/screens/screen/ink.py _read
        station/settings/config.py profile_title
        station/screens/web/first.py
        station/screens/web/older.py containers
        station/screens/web/older.py lowered_page
        station/screens/web/checking.py check_file
        station/screens/web/worded.py worded
        station/machine/wiring/cutting.py _facts
        station/machine/wiring/board.py facts
        station/machine/wiring/shopping.py shopping
        setup/card_image.py
    """,
    ROOTS: """
        station/machine/delivery.py builder_in
        station/machine/hotspot.py Hotspot.on
        station/machine/hotspot.py Hotspot.wifi
        station/machine/install.py Installation._names
        station/machine/install.py Installation._remember_users
        station/machine/install.py Installation._write
        station/machine/install.py _stands
        station/machine/backup.py _refuse_loss
        station/machine/backup.py _settings
        station/machine/tv_off.py _write
        station/machine/tv_off.py add_word
        station/machine/tv_off.py remove_word
    """,
    "opened by number, and not for reading, or a folder": """
        station/base/disk.py Disk.create
        station/base/disk.py Disk.lock
        station/base/disk.py Disk.sync_folder
        station/base/disk.py Disk.write_again
        station/base/addresses.py hold_environment
        station/machine/bundle.py write
        station/paper/export.py to_csv
        station/record/state_check.py _probe
        station/wire/wire.py short_path
    """,
    "the places themselves": """
        drivers/given.py _at_once
        drivers/given.py file_bytes
        station/base/disk.py open_regular
        station/base/untrusted.py file_bytes
    """,
    "opened without waiting, and looked at, before it is read": """
        station/machine/archives.py opened
        station/machine/backup.py _write
    """,
    "the line before has read the same file": """
        station/commands/setup.py setup
        station/machine/setup/file.py save
        station/machine/update.py _last_of
    """,
    "a key or database of the person who types the command": """
        station/machine/signing.py load_key
        station/paper/export.py _is_our_database
    """,
}


def openers(tree: ast.AST, inside: str = "") -> Iterator[str]:
    """Each function of a module that opens a file, or reads one whole."""
    for node in ast.iter_child_nodes(tree):
        name = inside
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{node.name}".lstrip(".")
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            library = ast.unparse(getattr(node.func, "value", ast.Constant("")))
            mode = [one.value for one in node.args if isinstance(one, ast.Constant)]
            opens = called == "open" and (isinstance(node.func, ast.Name) or library == "os")
            with_mode = called == "open" and any(
                isinstance(one, str) and set(one) <= set("rwxab+t") and one for one in mode
            )
            texted = called == "open" and any(one.arg == "encoding" for one in node.keywords)
            known = library in ("wave", "tarfile", "Image")
            if called in ("read_text", "read_bytes") or (
                (opens or with_mode or texted) and not known
            ):
                yield inside
        yield from openers(node, name)


def test_every_reader_is_in_the_table() -> None:
    """One that is not there has been forgotten; one that is gone, too."""
    assert sorted(readers()) == sorted(READERS)


def test_every_reader_goes_through_the_one_place() -> None:
    """Who parses by itself has a reason."""
    assert {key for key, places in readers().items() if BY_ITSELF in places} == {*WITHOUT}


def test_every_file_is_opened_in_the_one_place() -> None:
    """Each exception has a reason: a plain open of a pipe waits without end."""
    found = {
        f"{file.relative_to(PROJECT)} {function}".rstrip()
        for folder in ("station", "drivers")
        for file in (PROJECT / folder).rglob("*.py")
        for function in openers(ast.parse(file.read_text(encoding="utf-8")))
    }
    known = [line.strip() for names in OPENED.values() for line in names.strip().splitlines()]
    assert sorted(found) == sorted(one for one in known if not one.startswith("setup/"))


@pytest.mark.parametrize(
    "code",
    [
        "import json\njson.loads(text)",
        "import json as j\nj.loads(text)",
        "from json import loads\nloads(text)",
        "import tomllib\ntomllib.load(file)",
        "Model.model_validate_json(text)",
        "TypeAdapter(int).validate_json(text)",
        "import msgspec\nmsgspec.json.decode(text)",
        "from station.base.untrusted import read_toml as look\nlook(path)",
        "from station.base import untrusted\nuntrusted.read_toml(path)",
        "read = json.loads",
    ],
)
def test_a_reader_would_be_found(code: str) -> None:
    """By whatever name it knows the parser, or the place."""
    assert [*found_in(ast.parse(code))]
    assert not [*found_in(ast.parse("import json\njson.dumps({})\nre.loads = 1"))]


@cache
def answers(*keys: str) -> dict[str, dict[str, tuple[str, str]]]:
    """What each reader answered, in a process of its own with little memory."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack.readers", *keys],
        cwd=PROJECT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    found: dict[str, dict[str, tuple[str, str]]] = json.loads(done.stdout)
    return found


def wrong(key: str, answered: dict[str, tuple[str, str]]) -> list[tuple[str, str, str]]:
    """The answers of a reader that are no sentence, or name no file."""
    reader, found = READERS[key], []
    assert not isinstance(reader, str)
    for what, (kind, said) in answered.items():
        fine = {"sentence"} | ({"ValueError"} if isinstance(reader, Text) else set())
        if what == "good" or (what == "nothing" and reader.good == b"") or reader.quiet:
            fine |= {"returned"}
        named = not isinstance(reader, Reader) or not reader.named or reader.quiet
        named = named or Path(reader.name).name in said or kind == "returned"
        good = what != "good" or kind == "returned"
        if kind not in fine or len(said) > LONGEST or not named or not good:
            found.append((what, kind, said[:200]))
    return found


ATTACKED = [key for key, reader in READERS.items() if not isinstance(reader, str)]
SOME = ["station/programme/programme.py read_toml", "station/record/forgotten.py load_forgotten"]
SOME += ["station/record/station_key.py key_of", "drivers/voice/pack.py VoicePack.load"]


@pytest.mark.parametrize("key", SOME)
def test_some_readers_answer_with_a_sentence(key: str) -> None:
    """As the next test, for one of each kind."""
    assert wrong(key, answers(*SOME)[key]) == []


@pytest.mark.long
@pytest.mark.parametrize("key", ATTACKED)
def test_each_reader_answers_with_a_sentence(key: str) -> None:
    """Pipes, sockets, devices, loops, folders, huge and unreadable files, and every hostile text:
    a sentence that names the file, no traceback, no hang; what is well is read."""
    found = answers()[key]
    assert len(found) > 15
    assert not isinstance(READERS[key], Reader) or FILES.keys() <= found.keys()
    assert wrong(key, found) == []


# What a browser may post, whatever it stands for: every hostile JSON of the table.
POSTED = ["brackets in brackets", "a key twice", "no number", "infinity by size", "a long number"]
POSTED += ["Latin letters", "half a character", "half a text", "nothing"]
MOST_POSTED = 8_000  # bytes; the door refuses more
NAMED_TWICE = b'{"name": "Anna", "name": "Ben"}'


@pytest.mark.parametrize("data", [NAMED_TWICE, *(JSON[what][0][:MOST_POSTED] for what in POSTED)])
def test_each_body_is_read_by_the_one_place(door: Door, data: bytes) -> None:
    """It is 400, with a reason and a short sentence."""
    device = door.device(door.plain)
    headers = {"origin": device.url, "x-loto-pair": "1", "content-type": "application/json"}
    answer = device.browser.post("/pair/ask", content=data, headers=headers)
    assert answer.status_code == 400, answer.text
    assert told(answer)[1] == "unreadable"
    assert len(answer.text) < LONGEST


def test_no_route_reads_a_body_otherwise() -> None:
    """All routers are made in one place."""
    made = [
        file.name
        for file in (PROJECT / "station/screens/web").glob("*.py")
        if re.search(r"\bAPIRouter\(|\.json\(\)", file.read_text(encoding="utf-8"))
    ]
    assert made == ["passing.py"]
