"""Every signature that stands in a record or is published: who makes it and who checks it is one
table of the docs, which this file compares with the code, and each is forged for each verifier."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from station.base.errors import LotoError
from station.machine import signing
from station.record import heads, sealed_games
from station.record.chain import START, follow, seal
from station.record.sealed_games import SignedOpening
from station.record.station_key import make_key, public_key
from tests.sealed_halls import Hall, Organiser
from tests.support import CLOCK

PROJECT = Path(__file__).resolve().parents[2]
PAGES = PROJECT / "station/screens/web/pages"
COLUMNS = ("made by", "the program", "the page", "the second judge")

# The tools of the trade: they sign and check what others hand them, and stand in no row themselves.
TOOLS = {
    "station/record/station_key.py sign": "signs for the sealed games",
    "station/record/station_key.py signed_by": "checks for them",
    "station/machine/bundle.py signer": "hands `signing.sign` its key",
    "station/machine/bundle.py write": "writes what `signer` made",
    "setup/debian.py make": "writes what `signer` made",
    "station/machine/delivery.py _looked_into": "asks `signing.signed_by`",
    "station/machine/delivery.py builder_in": "asks `signing.signed_by`",
    "station/record/chain.py seal": "asks `Signer.sign`",
    "station/record/chain.py first_unsigned.good": "asks `has_signed`, as the next one",
    "station/record/audit.py _walk": "",
    "station/record/audit.py is_signed": "asks `TreeHead.signed_by`, as the next three",
    "station/record/heads.py TreeHead.signed_by_any": "",
    "station/record/traces.py kept_heads": "",
    "station/commands/journal.py _read_heads": "",
}
JS_TOOLS = {"proving.js signedBy"}
# Calls with one of these names that sign nothing.
OTHERS = ("audit.verify", "verify(", "self._sender.sign", "self.sign(", "sign(letter)", "np.sign")
OTHERS += ("self.ink.sign", "pen.sign", "self._desk.sign")


def rows() -> list[dict[str, str]]:
    """The table of the docs."""
    text = (PROJECT / "docs/inspector.md").read_text(encoding="utf-8")
    table = text.partition("## Every signature\n")[2].partition("\n## ")[0]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|")
    ]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def named(columns: tuple[str, ...]) -> set[str]:
    """The functions that these columns name."""
    return {name for row in rows() for column in columns for name in of_cell(row[column])}


def of_cell(cell: str) -> list[str]:
    return re.findall(r"`([\w/.]+\.(?:py|js) [\w.]+)`", cell)


def calls(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """Each function that signs or checks, and the call."""
    for node in ast.iter_child_nodes(tree):
        name = inside
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{node.name}".lstrip(".")
        func = node.func if isinstance(node, ast.Call) else node
        if isinstance(func, ast.Attribute | ast.Name):
            called = getattr(func, "attr", getattr(func, "id", ""))
            if called in ("signed_by", "signed_by_any") or (
                called in ("sign", "verify") and func is not node
            ):
                yield inside, ast.unparse(node)
        yield from calls(node, name)


def in_python() -> set[str]:
    """Every function of the program that signs or checks a signature."""
    return {
        f"{file.relative_to(PROJECT)} {function}"
        for folder in ("station", "drivers", "setup")
        for file in (PROJECT / folder).rglob("*.py")
        for function, text in calls(ast.parse(file.read_text(encoding="utf-8")))
        if not text.startswith(OTHERS)
    }


def in_pages() -> set[str]:
    """Every function of the pages that checks one."""
    found = set()
    for file in PAGES.glob("*.js"):
        owner = function = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if begun := re.match(r"(?:export )?(?:async )?(?:function|class) (\w+)", line):
                owner = function = begun[1]
                if "function" not in line.split("(")[0]:
                    continue
            elif begun := re.match(r"  (?:static |async )?#?(\w+)\(.*\{$", line):
                function = f"{owner}.{begun[1]}"
            if re.search(r"(?<!function )\bsignedBy\(", line) and "import" not in line:
                found.add(f"{file.name} {function}")
    return found


def test_the_table_names_everybody_who_signs_or_checks() -> None:
    """A function that signs or checks and stands in no row has been forgotten; so has one that is
    gone."""
    table = named(COLUMNS)
    python = {name for name in table if ".py " in name}
    assert in_python() - TOOLS.keys() == python
    assert TOOLS.keys() <= in_python()
    pages = {name for name in table if ".js " in name}
    assert in_pages() - JS_TOOLS == pages


def test_each_row_says_what_nobody_checks() -> None:
    """And who makes it, where it stands, and who checks it: a cell, or a dash."""
    assert len(rows()) >= 6
    for row in rows():
        assert all(row.values()), row
        assert of_cell(row["made by"]), row
        assert row["nobody checks"] != "–", row
        for column in COLUMNS[1:]:
            assert of_cell(row[column]) or row[column].startswith("–"), row


def flipped(text: str, where: str) -> Iterator[str]:
    """The text with each of a few signs of a signature changed."""
    begin, end = re.search(where, text).span(1)  # type: ignore[union-attr]
    for place in (begin, (begin + end) // 2, end - 3):
        other = "0" if text[place] != "0" else "1"
        yield text[:place] + other + text[place + 1 :]


def refused(read: object, *given: object) -> bool:
    try:
        return read(*given) is False  # type: ignore[operator]
    except LotoError:
        return True


def test_each_altered_signature_is_refused(tmp_path: Path) -> None:
    """By the function that the table names for the program."""
    key = make_key(tmp_path)
    public, signer = public_key(key), heads.Signer.of(key, 1)
    entry = {"id": "1", **CLOCK.stamp(), "by": "x", "via": "x", "do": {}, "then": {}}
    line, end, _ = seal(entry, START, signer)
    assert follow([line], START).signed_by(public, 1)
    assert not follow([line], START).signed_by(public, 2)
    for forged in flipped(line.decode(), '"signature":"([A-Za-z0-9+/]{86})=="'):
        assert not follow([forged.encode()], START).signed_by(public, 1)
    note = signer.note(end.edge)
    assert heads.parse_head(note).signed_by(public)
    for forged in flipped(note, r"night-0001 ([A-Za-z0-9+/]+)=*\n$"):
        assert not heads.parse_head(forged).signed_by(public)
    signed = signing.sign(b"sums", "1.0.0", key).decode()
    assert signing.signed_by(signed.encode(), b"sums", "x").key == public
    for forged in flipped(signed, '"signature": "([0-9a-f]{128})"'):
        assert refused(signing.signed_by, forged.encode(), b"sums", "x")
    organiser = Organiser(tmp_path / "o")
    sealed = organiser.path.read_text()
    game = sealed_games.read_game(organiser.path)
    for forged in flipped(sealed, '"signature":"([0-9a-f]{128})"'):
        organiser.path.write_text(forged)
        assert refused(sealed_games.read_game, organiser.path)
    organiser.path.write_text(sealed)
    hall = Hall(tmp_path / "hall", [0])
    hall.open(game)
    [(_, opened)] = sealed_games.openings_of(hall.folder)
    assert sealed_games.read_opening(opened, game, "x").station == hall.station
    for forged in flipped(opened.decode(), r"night-0001 ([A-Za-z0-9+/]+)=*\\n"):
        assert refused(sealed_games.read_opening, forged.encode(), game, "x")
    opening = SignedOpening(public, 1, 1, "0" * 64, "0" * 64)
    keys = tmp_path / "x.released"
    keys.write_bytes(organiser.release([opening]).to_bytes())
    assert sealed_games.read_release(keys, game)
    for forged in [*flipped(keys.read_text(), '"signature":"([0-9a-f]{128})"')]:
        keys.write_text(forged)
        assert refused(sealed_games.read_release, keys, game)


@pytest.mark.parametrize("folder", ["station", "station/screens/web/pages"])
def test_no_signature_can_be_taken_for_another(folder: str) -> None:
    """Every signed text starts with its purpose, each purpose differs, and the pages know the same
    purposes as the program."""
    purposes: list[str] = []
    for file in (PROJECT / folder).rglob("*.js" if "pages" in folder else "*.py"):
        found = re.findall(r"[`\"](loto-station [a-z ]+ \d+)\\n", file.read_text(encoding="utf-8"))
        purposes += found
    known = {
        "loto-station sealed game 1",
        "loto-station sealed keys 1",
        "loto-station release 1",
        "loto-station seal 1",  # of a secret, by HMAC
        "loto-station leaf 1",  # of a draw, by HMAC
    }
    assert {*purposes} <= known
    assert len(purposes) == len({*purposes}) or "pages" in folder
    assert "pages" in folder or len({*purposes}) >= 4
    assert not [one for one in known for other in known - {one} if other.startswith(one)]
