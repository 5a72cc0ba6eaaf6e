"""Files and messages that do harm: each is refused with a sentence, in bounded time and memory, and
none ends in a traceback."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path, PosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.voice.pack import MANIFEST, VoicePack
from station.base.errors import EXIT_USAGE, Unreadable
from station.base.untrusted import (
    MOST_DEEP,
    MOST_PARTS,
    MOST_TOML,
    file_bytes,
    json_from,
    read_json,
    toml_from,
)
from station.paper.prints.cardprint import load_colours
from station.programme.themes import read_theme
from station.settings.tags import table_from
from station.wire.wire import decode

DEEP, LONG, PARTS = 20_000, 5_000, 20_000
PROJECT = Path(__file__).resolve().parent.parent.parent
# Of a child that reads one file: what a station may need for it, and no more.
CPU_S, MEMORY = 20, 1 << 30

TOML: dict[str, tuple[bytes, str]] = {
    "brackets in brackets": (
        b"a = " + b"[" * DEEP,
        "line 1: brackets stand in brackets more than 32 deep",
    ),
    "tables in tables": (
        b"\n\na = " + b"{a=" * DEEP,
        "line 3: brackets stand in brackets more than 32 deep",
    ),
    "whole brackets": (b"a = " + b"[" * DEEP + b"]" * DEEP, "line 1: brackets stand in brackets"),
    "a key of many parts": (
        b".".join([b"a"] * PARTS) + b" = 1",
        "line 1: a key of more than 8 parts between dots",
    ),
    "quoted parts": (
        b'x = 1\n"a" . ' * 1 + b" . ".join([b'"a"'] * PARTS) + b" = 1",
        "line 2: a key of more than 8 parts",
    ),
    "a heading of many parts": (
        b"[" + b".".join([b"a"] * PARTS) + b"]",
        "line 1: a key of more than 8 parts",
    ),
    "a long number": (
        b"a = " + b"1" * LONG,
        "line 1: a number of 5,000 characters; 64 is the most",
    ),
    "a number of sixty digits": (b"a = " + b"1" * 60, "a: a number of more than 40 digits"),
    "a long number of base 16": (b"a = 0x" + b"f" * LONG, "line 1: a number of 5,002 characters"),
    "a long word": (b"a" * LONG + b" = 1", "line 1: a word without quotes of 5,000 characters"),
    "a long key in quotes": (
        b'"' + b"a" * LONG + b'" = 1',
        "a key of 5,000 characters; 200 is the most",
    ),
    "too long": (b"#" * (MOST_TOML + 1), "longer than 524,288 bytes"),
    "Latin letters": ("a = 'ä'".encode("latin-1"), "not TOML: line 1: not UTF-8: save it as UTF-8"),
    "UTF-16": ("a = 'ä'".encode("utf-16"), "not TOML: not UTF-8 but UTF-16: save it as UTF-8"),
    "a zero": (b"a = '\0'", "not TOML: "),
    "a zero that is spelled": (b'a = "\\u0000"', "a: a zero character"),
    "half a character": (b'a = "\\ud800"', "not TOML: "),
    "infinity": (b"a = inf", "a: inf is not a finite number"),
    "no number": (b"a = nan", "a: nan is not a finite number"),
    "a day that is none": (b"a = 2026-02-31T00:00:00", "not TOML: "),
    "a key twice": (b"a = 1\na = 2", "not TOML: Cannot overwrite a value"),
    "half a file": (b'a = "', "not TOML: Unterminated string"),
    "text turned round": ("a = 'x\u202e'".encode(), "a holds U+202E (right-to-left override)"),
    "terminal codes": (b'a = "\\u001b[2J"', "a holds U+001B (a control)"),
    "a key turned round": ('"x\u202e" = 1'.encode(), "holds U+202E"),
}
JSON: dict[str, tuple[bytes, str]] = {
    "brackets in brackets": (
        b"[" * 200_000,
        "line 1: brackets stand in brackets more than 32 deep",
    ),
    "objects in objects": (
        b'{"a":' * 200_000,
        "line 1: brackets stand in brackets more than 32 deep",
    ),
    "whole brackets": (b"[" * 100_000 + b"]" * 100_000, "brackets stand in brackets"),
    "a long number": (b"1" * LONG, "not JSON: a number of 5,000 digits; 40 is the most"),
    "a negative one": (b"-" + b"1" * LONG, "not JSON: a number of 5,000 digits"),
    "infinity by size": (b"1e999", "not JSON: a number is larger"),
    "infinity": (b"[Infinity]", "not JSON: Infinity is no number"),
    "no number": (b"[NaN]", "not JSON: NaN is no number"),
    "a key twice": (b'{"a": 1, "b": {"a": 1, "a": 2}}', "not JSON: the key 'a' is given twice"),
    "Latin letters": ('"ä"'.encode("latin-1"), "not JSON: line 1: not UTF-8"),
    "half a character": (b'["\\uD83D"]', "0: a zero character, or half of one"),
    "a half as a key": (b'{"\\udc00": 1}', "half of one"),
    "a control": (b'"\x1b"', "not JSON: "),
    "half a text": (b'{"a": ', "not JSON: "),
    "nothing": (b"", "not JSON: "),
    "too long": (b" " * ((1 << 22) + 1), "longer than 4,194,304 bytes"),
    "a key without end": (b'{"' + b"\\u0061" * LONG + b'": 1}', "a key of 5,000 characters"),
}
# The fastest ways to make a parser slow that stay within every limit.
SLOW = {
    "long keys": "".join(f"a.a.a.a.a.a.a.k{number} = 1\n" for number in range(22_000)),
    "keys that share nothing": "".join(
        f"a{number}.a.a.a.a.a.a.a = 1\n" for number in range(22_000)
    ),
    "headings": "".join(f"[a.a.a.a.a.a.a.k{number}]\n" for number in range(22_000)),
    "arrays": "a = [" + f"{'[' * 30}{']' * 30}," * 8000 + "]",
    "quotes": "a = '''" + "'' " * 150_000 + "'''",
    "escapes": 'a = "' + "\\u0041" * 80_000 + '"',
    "a string without end": 'a = """' + '"" ' * 150_000,
    "one line of quotes": '"' * 500_000,
    "backslashes": 'a = "' + "\\" * 500_000,
}


@pytest.mark.parametrize("what", TOML)
def test_toml_is_refused_with_its_place(what: str) -> None:
    """Every fault of the table: one kind of error, one short sentence."""
    data, says = TOML[what]
    with pytest.raises(Unreadable) as refused:
        toml_from(data)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 500
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("what", JSON)
def test_json_is_refused_with_its_place(what: str) -> None:
    """As TOML; and the wire says the same, with what to send instead."""
    data, says = JSON[what]
    with pytest.raises(Unreadable) as refused:
        json_from(data)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 500
    with pytest.raises(Unreadable, match="send"):
        decode(data)


@given(
    st.recursive(
        st.integers(-(10**30), 10**30) | st.text(max_size=8) | st.booleans() | st.none(),
        lambda inner: st.lists(inner, max_size=4),
    )
)
def test_what_is_well_is_read_as_python_reads_it(value: object) -> None:
    """Nothing that a program sends is lost by looking at it first."""
    assert json_from(json.dumps(value)) == value
    assert json_from(json.dumps(value, ensure_ascii=False)) == value


def test_all_that_ships_is_read_as_python_reads_it() -> None:
    """The measure is wide enough for every file of the station."""
    files = [*(PROJECT / "station").rglob("*.toml"), *(PROJECT / "hw").rglob("*.toml")]
    assert len(files) > 30
    for path in files:
        assert toml_from(path.read_bytes()) == tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("mark", ["'''", '"""', "'", '"', "#"])
def test_what_stands_in_strings_and_comments_is_not_measured(mark: str) -> None:
    """Dots, brackets and digits of a text are text."""
    harmless = ". " * 50 + "[" * 50 + "1" * 200
    text = f"# {harmless}\na = 1" if mark == "#" else f"a = {mark}{harmless}{mark}"
    assert toml_from(text) == tomllib.loads(text)


def test_the_limits_themselves_are_let_in() -> None:
    """As deep and as many parts as is said; one more is refused."""
    toml_from("a = " + "[" * MOST_DEEP + "]" * MOST_DEEP)
    toml_from(".".join("a" * MOST_PARTS) + " = 1")
    json_from("[" * MOST_DEEP + "]" * MOST_DEEP)
    for read, text in (
        (toml_from, "a = " + "[" * 33 + "]" * 33),
        (toml_from, "a.b.c.d.e.f.g.h.i = 1"),
        (json_from, "[" * 33),
    ):
        with pytest.raises(Unreadable):
            read(text)


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/tty"])
def test_a_device_is_no_file(device: str) -> None:
    """It is not even opened: some devices do something then, and a pipe is waited for."""
    with pytest.raises(Unreadable, match="this is a device or a pipe"):
        file_bytes(Path(device))


# -- by every door ---------------------------------------------------------------------------------


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def in_a_child(*words: object) -> subprocess.CompletedProcess[str]:
    """A command in a process that may use so much of the machine and no more."""
    done = subprocess.run(
        [sys.executable, "-m", "station", *map(str, words)],
        cwd=PROJECT,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=limited,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done


@pytest.mark.long
def test_slow_texts_are_read_within_a_limit(tmp_path: Path) -> None:
    """The worst within the limits of size takes seconds of a processor, not minutes: read, or
    refused."""
    for number, text in enumerate(SLOW.values()):
        (tmp_path / f"{number}.toml").write_text(text[: MOST_TOML - 1], encoding="utf-8")
    code = (
        "import sys; from pathlib import Path\nfrom station.base.untrusted import read_toml; from"
        " station.base.errors import Unreadable\nfor path in map(Path, sys.argv[1:]):\n    try:"
        " read_toml(path)\n    except Unreadable: pass\nprint('all')"
    )
    files = [str(path) for path in sorted(tmp_path.iterdir())]
    done = subprocess.run(
        [sys.executable, "-c", code, *files],
        cwd=PROJECT,
        preexec_fn=limited,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "all\n"), done.stderr[-1000:]


def as_fifo(path: Path) -> None:
    os.mkfifo(path)


def as_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def as_deep(path: Path) -> None:
    path.write_bytes(TOML["brackets in brackets"][0])


def as_dotted(path: Path) -> None:
    path.write_bytes(TOML["a key of many parts"][0])


def as_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)  # sparse: takes no room


PIPE, HUGE = "this is a device or a pipe; name a file", "longer than "
DOORS: list[tuple[str, Callable[[Path], None], tuple[str, ...], str]] = [
    ("settings", as_fifo, ("config", "check", "--config"), PIPE),
    ("settings", as_device, ("config", "check", "--config"), PIPE),
    ("settings", as_deep, ("config", "check", "--config"), "line 1: brackets"),
    ("settings", as_dotted, ("config", "check", "--config"), "line 1: a key of more than 8 parts"),
    ("settings", as_huge, ("config", "check", "--config"), HUGE),
    ("programme", as_fifo, ("programme", "check"), PIPE),
    ("programme", as_deep, ("programme", "show"), "line 1: brackets"),
    ("programme", as_huge, ("rehearse",), HUGE),
    ("pack", as_fifo, ("pack", "check"), PIPE),
    ("pack", as_device, ("pack", "check"), PIPE),
    ("pack", as_huge, ("pack", "check"), HUGE),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("what", "make", "words", "says"),
    DOORS,
    ids=lambda given: getattr(given, "__name__", None) or str(given)[:20],
)
def test_a_file_that_a_person_names(
    tmp_path: Path, what: str, make: Callable[[Path], None], words: tuple[str, ...], says: str
) -> None:
    """Devices, pipes, deep and huge files: exit code 2 and a sentence with the file's name, within
    the limits of a child."""
    file = tmp_path / f"{what}.toml"
    make(file)
    done = in_a_child(*words, file)
    assert (done.returncode, done.stdout) == (EXIT_USAGE, ""), done
    assert says in done.stderr
    assert f"{what}.toml" in done.stderr


READERS: dict[str, Callable[[Path], object]] = {
    "theme.toml": lambda path: read_theme(path.parent),
    "colours.toml": load_colours,
    "tags.toml": lambda path: table_from(path.read_text(encoding="utf-8"), str(path)),
    "mark.json": read_json,
    MANIFEST: lambda path: VoicePack.load(path.parent),
}


@pytest.mark.parametrize("name", READERS)
def test_other_files_are_read_in_the_same_way(tmp_path: Path, name: str) -> None:
    """Themes, colours, tags and voice packs: each names its file, and nothing else comes out of
    it."""
    table = TOML if name.endswith("toml") else JSON
    for what in (
        "brackets in brackets",
        "a long number",
        "half a file" if table is TOML else "half a text",
    ):
        (tmp_path / name).write_bytes(table[what][0])
        with pytest.raises(Exception, match=name) as refused:
            READERS[name](tmp_path / name)
        assert type(refused.value).__name__ in ("Unreadable", "BadPack")


def test_no_more_is_read_than_is_allowed(tmp_path: Path) -> None:
    """A file that is longer is refused by its first bytes; one that has just as many is read."""
    (tmp_path / "x").write_bytes(b"x" * 100)
    assert len(file_bytes(tmp_path / "x", 100)) == 100
    with pytest.raises(Unreadable, match="longer than 99 bytes"):
        file_bytes(tmp_path / "x", 99)


class Exchanged(PosixPath):
    """A file in whose place somebody puts something else after it was looked at."""

    def is_file(self) -> bool:
        return True


def test_what_takes_a_files_place_is_looked_at_again(tmp_path: Path) -> None:
    """A pipe is not waited for, nor taken for an empty file; a folder is one."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="this is a device or a pipe"):
        file_bytes(Exchanged(tmp_path / "pipe"))
    with pytest.raises(IsADirectoryError):
        file_bytes(Exchanged(tmp_path))
