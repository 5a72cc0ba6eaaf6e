"""The journal: lines in a chain, signed and durable before they count; damage found and named; a
failed write is the end."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from station.base.disk import Disk, keep_file
from station.base.errors import Damaged, Halted, StoreError, Unreadable
from station.proof.merkle import Edge, Tree
from station.record import chain
from station.record.chain import FIELDS, START, Head, canonical, entry_of, unseal
from station.record.heads import Signer, leaf_of, parse_head
from station.record.journal import FILE, LONGEST_LINE, Journal, JournalContent, read
from tests.support import BROKEN, CLOCK, NO_ROOM, STATION_KEY, MemoryDisk, run

SIGNER = Signer.of(STATION_KEY, 1)
OTHER = Signer.of(Ed25519PrivateKey.from_private_bytes(bytes(32)), 1)
OPENING = {"act": "open-night", "key": SIGNER.public, "night": SIGNER.night}
BEFORE = Head(signature="A" * 85 + "Q==")  # the end of a night before


def entry(number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": f"c{number}",
        **CLOCK.stamp(),
        "by": "Zoë",
        "via": "wire",
        "do": {"act": "draw", "number": number} if number > 1 else OPENING,
        "then": more,
    }


def seal(fields: dict[str, Any], head: Head, signer: Signer = SIGNER) -> tuple[bytes, Head]:
    return chain.seal(fields, head, signer)[:2]


def again(path: Path, found: JournalContent, disk: Disk | None = None) -> Journal:
    """The writer that goes on behind what was read."""
    return Journal(path, SIGNER, found.head, found.length, disk, leaves=found.leaves)


def write(path: Path, lines: int) -> list[bytes]:
    """A journal of so many lines; gives them with their newlines."""
    journal = Journal(path, SIGNER)
    journal.open()
    for number in range(1, lines + 1):
        journal.append_now(entry(number))
    journal.close()
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE


# -- the form --------------------------------------------------------------------------------------


def test_a_line_is_canonical_chained_and_signed(path: Path) -> None:
    """Each line has the ten fields, in canonical form, in UTF-8, follows the one before, and its
    signature is that of the tree that ends with it."""
    lines = write(path, 3)
    previous, edge = "", Edge()
    for number, raw in enumerate(lines, 1):
        line = json.loads(raw)
        assert set(line) == FIELDS
        assert raw == canonical(line) + b"\n"
        assert (line["seq"], line["prev"]) == (number, previous)
        previous, edge = line["signature"], edge.grown(leaf_of(entry_of(line)))
        assert Head(edge, previous).signed_by(SIGNER.public, 1)
    assert "Zoë".encode() in lines[0]
    assert read(path) == JournalContent(
        tuple(json.loads(raw) for raw in lines),
        Head(edge, previous),
        len(b"".join(lines)),
        b"",
        tuple(leaf_of(entry_of(json.loads(raw))) for raw in lines),
    )


def test_the_writer_tells_the_signed_head(path: Path) -> None:
    """Of the tree over all its durable lines, also after a start; and has the tree."""
    write(path, 3)
    journal = again(path, found := read(path))
    journal.open()
    for number in (3, 4):
        head = parse_head(journal.signed_head)
        assert head.signed_by(SIGNER.public)
        assert (head.size, head.root) == (number, journal.head.edge.root)
        assert journal.tree.path(0) == Tree(read(path).leaves).path(0)
        journal.append_now(entry(number + 1))
    journal.close()
    assert found.head.note(SIGNER.public, 1) != journal.signed_head


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    do=st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), json_values, max_size=3),
    seq=st.integers(0, 1000),
)
def test_what_was_sealed_is_unsealed(do: dict[str, Any], seq: int) -> None:
    """Whatever an act holds, its line reads back as it was written, and only after the head it was
    sealed to."""
    head = Head(Edge.over([leaf_of(b"x")] * seq), BEFORE.signature)
    raw, after = seal({**entry(), "do": do}, head)
    line, found, leaf = unseal(raw[:-1], head)
    assert (line["do"], found, leaf) == (do, after, leaf_of(entry_of(line)))
    with pytest.raises(ValueError, match="does not follow"):
        unseal(raw[:-1], Head(head.edge, after.signature))


def test_a_night_follows_the_night_before(path: Path) -> None:
    """The first line's `prev` is the last signature of the night before; read with another, the
    file is not this night's."""
    journal = Journal(path, SIGNER, BEFORE)
    journal.open()
    journal.append_now(entry(1))
    journal.append_now(entry(2))
    journal.close()
    assert read(path, BEFORE.signature).head.seq == 2
    for other in ("", BEFORE.signature.replace("AQ", "Bg")):
        with pytest.raises(Damaged, match=f"{FILE}:1: .*prev"):
            read(path, other)


# -- damage ----------------------------------------------------------------------------------------


def changed(path: Path, data: bytes) -> JournalContent | Damaged:
    """What reading these bytes comes to."""
    path.write_bytes(data)
    try:
        return read(path)
    except Damaged as error:
        return error


def test_every_changed_byte_is_found_and_its_line_named(path: Path) -> None:
    """Any byte changed, newlines too: damage in the last line is set aside with all before it kept;
    other names its line."""
    lines = write(path, 3)
    data = b"".join(lines)
    ends = [len(lines[0]), len(lines[0] + lines[1]), len(data)]
    for place in range(len(data)):
        news = [data[place] ^ 1, data[place] ^ 0x20, 0x0A]
        for new in news[:2] if place + 1 in ends else news[place % 3 :][:1]:
            found = changed(path, data[:place] + bytes([new]) + data[place + 1 :])
            if isinstance(found, JournalContent):
                assert place >= ends[1], (
                    f"byte {place} to {new:#x}: a line was set aside that was not the last"
                )
                assert (len(found.lines), found.length, len(found.torn)) == (
                    2,
                    ends[1],
                    len(lines[2]),
                )
            else:
                number = 1 + sum(place >= end for end in ends)
                assert f"{FILE}:{number}: " in str(found), f"byte {place} to {new:#x}: {found}"


def dropped(lines: list[bytes]) -> list[bytes]:
    return [lines[0], *lines[2:]]


def swapped(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[2], lines[1], *lines[3:]]


def doubled(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1], *lines[1:]]


def doubled_at_the_end(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[-1]]


def two_altered(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], *(line.replace(b"Zo", b"Jo") for line in lines[-2:])]


def altered_and_torn(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[-2].replace(b"Zo", b"Jo"), lines[-1], b"\n\0half a line\n"]


def beheaded(lines: list[bytes]) -> list[bytes]:
    return lines[1:]


def joined(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[-2][:-1], lines[-1]]


@pytest.mark.parametrize(
    ("harm", "line"),
    [
        (dropped, 2),
        (swapped, 2),
        (doubled, 3),
        (doubled_at_the_end, 5),
        (beheaded, 1),
        (joined, 3),
        (two_altered, 3),
        (altered_and_torn, 3),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_lines_dropped_swapped_doubled_joined_are_found(path: Path, harm: Any, line: int) -> None:
    """A file whose lines are each whole but not in their order stops, and the first wrong line is
    named."""
    lines = write(path, 4)
    found = changed(path, b"".join(harm(lines)))
    assert isinstance(found, Damaged)
    assert f"{FILE}:{line}: " in str(found)


@pytest.mark.parametrize("forged", ["seq", "prev", "by", "extra", "spaces"])
def test_a_line_made_anew_is_found(path: Path, forged: str) -> None:
    """A line altered by whoever has another key, or written in another form: no line behind it
    makes it good."""
    lines = write(path, 4)
    line = json.loads(lines[1])
    if forged == "spaces":
        lines[1] = json.dumps(line, ensure_ascii=False).encode() + b"\n"
    else:
        first = read(path).leaves[0]
        old = Head(
            Edge.over([first] * (9 if forged == "seq" else 1)),
            BEFORE.signature if forged == "prev" else line["prev"],
        )
        more = {"extra": 1} if forged == "extra" else {"by": "Eve"} if forged == "by" else {}
        body = {key: value for key, value in line.items() if key not in ("seq", "prev")}
        del body["signature"]
        lines[1] = seal({**body, **more}, old, OTHER)[0]
    assert isinstance(found := changed(path, b"".join(lines)), Damaged)
    assert f"{FILE}:2: " in str(found)


@pytest.mark.parametrize("last", [False, True], ids=["in the middle", "the last"])
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_lines_signed_again_by_another_key_are_found(path: Path, at: int, last: bool) -> None:
    """From one line on, each follows the one before it; the first that the night's key has not
    signed is named. One that is the last is as a line that was being written."""
    lines = [json.loads(raw) for raw in write(path, 4 if not last else at)]
    out, head = b"", START
    for number, line in enumerate(lines, 1):
        own = {key: value for key, value in line.items() if key not in ("seq", "prev", "signature")}
        raw, head = seal(own, head, OTHER if number >= at else SIGNER)
        out += raw
    found = changed(path, out)
    if last or at == 4:
        assert isinstance(found, JournalContent)
        assert (len(found.lines), len(found.torn)) == (at - 1, len(raw))
    else:
        assert isinstance(found, Damaged)
        assert f"{FILE}:{at}: the station's key has not signed this line" in str(found)


@pytest.mark.parametrize("opening", [{}, {"key": 5}, {"key": "x"}, {"night": True}, {"night": "1"}])
def test_a_first_line_without_a_key_vouches_for_nothing(
    path: Path, opening: dict[str, object]
) -> None:
    """Whatever it names as key or night; alone it is as a line that was being written."""
    do = {**OPENING, **opening} if opening else {"act": "open-night"}
    first, head = seal({**entry(), "do": do}, START)
    found = changed(path, first)
    assert isinstance(found, JournalContent)
    assert (found.lines, found.torn, found.head) == ((), first, START)
    found = changed(path, first + seal(entry(2), head)[0])
    assert isinstance(found, Damaged)
    assert f"{FILE}:1: " in str(found)


@pytest.mark.parametrize("more", [0, 1])
def test_the_longest_line_is_read_and_no_longer_one(path: Path, more: int) -> None:
    """The bound holds with its newline, also for whoever has the key."""
    first, head = seal(entry(), START)
    short = len(seal(entry(2, x=""), head)[0])
    raw, head = seal(entry(2, x="y" * (LONGEST_LINE - short + more)), head)
    assert len(raw) == LONGEST_LINE + more
    found = changed(path, first + raw + seal(entry(3), head)[0])
    if more:
        assert isinstance(found, Damaged)
        assert f"{FILE}:2: it has more than {LONGEST_LINE} bytes" in str(found)
    else:
        assert isinstance(found, JournalContent)
        assert found.head.seq == 3


# -- whatever is done to the bytes -----------------------------------------------------------------

LINE_START = b'{"at":{"trust":"'
LINK = re.compile(rb'"prev":"([A-Za-z0-9+/=]{88}|)","seq":')


def harmed(random: Random, data: bytes) -> bytes:
    """One stretch of bytes changed, put in, taken out, doubled, moved, or zeroed."""
    start = random.randrange(len(data))
    end = min(len(data), start + random.choice([1, 1, 1, 2, 9, 100, 700]))
    some, place = data[start:end], random.randrange(len(data))
    with_bit = bytes([some[0] ^ 1 << random.randrange(8)])
    return {
        "bit": data[:start] + with_bit + data[start + 1 :],
        "byte": data[:start] + random.randbytes(1) + data[start + 1 :],
        "digit": data[:start] + random.choice(b'0123456789Aa+/="\n').to_bytes() + data[start + 1 :],
        "put in": data[:start] + random.randbytes(end - start) + data[start:],
        "newline": data[:start] + b"\n" + data[start:],
        "cut out": data[:start] + data[end:],
        "doubled": data[:end] + data[start:],
        "copied": data[:place] + some + data[place:],
        "over": data[:place] + some + data[place + len(some) :],
        "zeros": data[:start] + bytes(end - start) + data[end:],
        "tail": data[:start],
    }[
        random.choice(
            ["bit", "byte", "digit", "newline", "put in", "cut out"]
            if random.random() < 0.6
            else ["doubled", "copied", "over", "zeros", "tail"]
        )
    ]


def torn_by_the_page(rest: bytes, last: str) -> bool:
    """Whether the rest can be one line that was being written, as docs/record.md says it."""
    links = [link[1].decode() for link in LINK.finditer(rest)]
    return LINE_START not in rest[1:] and all(link == last for link in links)


@pytest.mark.parametrize("seed", range(8))
def test_no_harm_at_random_passes(path: Path, seed: int) -> None:
    """Without the key: the lines before the first that differs are good, and what follows is a torn
    tail or damage of that line; 2,400 harms in all."""
    lines, random = write(path, 2 + seed), Random(seed)
    data = b"".join(lines)
    judged = set[bool]()
    for _ in range(300):
        new = harmed(random, data)
        intact = next(
            (at for at in range(len(lines)) if not new.startswith(b"".join(lines[: at + 1]))),
            len(lines),
        )
        rest = new[len(b"".join(lines[:intact])) :]
        last = json.loads(lines[intact - 1])["signature"] if intact else ""
        torn = torn_by_the_page(rest, last)
        judged.add(torn)
        found = changed(path, new)
        if torn:
            assert isinstance(found, JournalContent), (found, new)
            assert (len(found.lines), found.torn) == (intact, rest)
            assert found.head.signature == last
        else:
            assert isinstance(found, Damaged), new
            assert f"{FILE}:{intact + 1}: " in str(found), new
    assert judged == {False, True}


def torn_tails(lines: list[bytes]) -> list[tuple[str, bytes]]:
    """What a power cut can leave of the last line."""
    whole, last = b"".join(lines[:-1]), lines[-1]
    cuts = [(f"cut to {length}", whole + last[:length]) for length in range(1, len(last))]
    zeros = [
        (f"cut to {n}, zeros", whole + last[:n] + bytes(len(last) - n))
        for n in range(0, len(last), 7)
    ]
    pages = [
        ("a page of zeros", whole + bytes(4096)),
        ("zeros and newlines", whole + b"\0\n\0\0\n"),
    ]
    garbage = [
        ("garbage with newlines", whole + b"\n\n{\n" + last[5:25] + b"\n\xff\n"),
        ("its end without its beginning", whole + bytes(20) + last[20:]),
        ("a hole in it", whole + last[:9] + b"\n" * 30 + last[39:]),
        ("longer than it was", whole + b'{"at":' * 1000),
        ("its newline only", whole + b"\n"),
    ]
    return cuts + zeros + pages + garbage


def test_a_torn_tail_is_set_aside_and_never_more(path: Path) -> None:
    """Cut anywhere, or left as zeros: only the last line goes aside, byte for byte; the chain goes
    on after the line before."""
    lines = write(path, 3)
    good = b"".join(lines[:-1])
    for name, data in torn_tails(lines):
        found = changed(path, data)
        assert isinstance(found, JournalContent), f"{name}: {found}"
        assert (len(found.lines), found.torn) == (2, data[len(good) :]), name
    journal = again(path, found)
    aside = journal.open(found.torn)
    assert aside is not None
    journal.append_now(entry(3))
    journal.close()
    assert aside.read_bytes() == found.torn
    assert path.read_bytes().startswith(good)
    assert read(path).head.seq == 3
    assert read(path).torn == b""


def both_broken(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], *(line.replace(b'"by":"', b'"by":') for line in lines[-2:])]


def hole_over_the_end_of_a_line(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[-2][:-20], bytes(40), lines[-1][20:]]


def hole_up_to_the_middle(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[-2][:9], bytes(len(lines[-2]) + 11), lines[-1][20:]]


def broken_and_torn(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[-2].replace(b'"by":"', b'"by":'), lines[-1][:30]]


def not_text(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], b"\xff" + lines[-2][1:], lines[-1]]


def an_older_line_behind(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[0]]


def an_older_line_in_the_torn_one(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], lines[-2][:40], bytes(8), lines[0], bytes(8)]


def more_zeros_than_a_line_has(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-2], bytes(LONGEST_LINE + 1)]


@pytest.mark.parametrize(
    "harm",
    [
        both_broken,
        hole_over_the_end_of_a_line,
        hole_up_to_the_middle,
        broken_and_torn,
        not_text,
        an_older_line_behind,
        an_older_line_in_the_torn_one,
        more_zeros_than_a_line_has,
    ],
)
def test_damage_of_more_than_the_line_being_written_is_no_torn_tail(
    path: Path, harm: Callable[[list[bytes]], list[bytes]]
) -> None:
    """What took a line that was answered for, or is none of this line's remains, stops; nothing is
    put aside."""
    lines = write(path, 4)
    found = changed(path, b"".join(harm(lines)))
    assert isinstance(found, Damaged)
    assert f"{FILE}:3: " in str(found)


@pytest.mark.parametrize(
    "left",
    [
        b"\xff\xfe\n",
        b"\xff" * 300,
        bytes(LONGEST_LINE),
        b"{" * 5000,
        b'{"at":' * 9,
        b"[]\n",
        b"\n" * 9,
    ],
)
def test_anything_at_all_in_the_place_of_one_line_is_torn(path: Path, left: bytes) -> None:
    """Not text, zeros to the longest line there may be, brackets without end: put aside whole, and
    the chain goes on."""
    good = b"".join(write(path, 2))
    path.with_name(f".{FILE}.torn-1.new").write_bytes(b"a draft that a power cut left")
    found = changed(path, good + left)
    assert isinstance(found, JournalContent)
    journal = again(path, found)
    aside = journal.open(found.torn)
    journal.append_now(entry(3))
    journal.close()
    assert aside is not None
    assert (aside.name, aside.read_bytes()) == (f"{FILE}.torn-1", left)
    assert read(path).head.seq == 3
    assert sorted(file.name for file in path.parent.iterdir()) == [FILE, aside.name]


def test_a_line_that_is_too_long_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than a start would take for one line, nothing of it is written; the journal goes
    on."""
    monkeypatch.setattr("station.record.journal.LONGEST_LINE", 900)
    journal = Journal(path, SIGNER)
    journal.open()
    with pytest.raises(Unreadable, match="900 are the most"):
        journal.append_now(entry(1, more="x" * 900))
    assert journal.append_now(entry(1)).seq == 1
    journal.close()
    assert read(path).head.seq == 1


def test_a_second_torn_tail_does_not_replace_the_first(path: Path) -> None:
    """Two power cuts leave two files beside the journal."""
    lines = write(path, 2)
    asides = []
    for half in (lines[1][:10], lines[1][:20]):
        path.write_bytes(lines[0] + half)
        found = read(path)
        journal = again(path, found)
        asides.append(journal.open(found.torn))
        journal.close()
    assert [aside.read_bytes() for aside in asides if aside] == [lines[1][:10], lines[1][:20]]


def test_the_torn_tail_is_kept_before_it_is_cut(path: Path) -> None:
    """When the tail cannot be kept aside, nothing is cut off and the journal does not open."""
    lines = write(path, 2)
    path.write_bytes(lines[0] + b"half")
    found = read(path)
    disk = MemoryDisk()
    disk.fail_next("write", NO_ROOM)
    journal = again(path, found, disk)
    with pytest.raises(Halted, match="No space left"):
        journal.open(found.torn)
    journal.close()
    assert disk.count("truncate") == 0
    assert path.read_bytes() == lines[0] + b"half"


def test_only_a_head_kept_elsewhere_shows_a_cut_tail(path: Path) -> None:
    """A file cut at a line's end is whole; the head that was kept is not in it any more."""
    lines = write(path, 3)
    kept = read(path).head
    path.write_bytes(b"".join(lines[:2]))
    cut = read(path)
    assert not cut.torn
    assert kept.seq > cut.head.seq
    assert kept.signature not in [line["signature"] for line in cut.lines]


def test_a_file_that_is_not_there_is_a_store_error(path: Path) -> None:
    """A missing journal is named, with the system's reason."""
    with pytest.raises(StoreError, match=f"{FILE}.*No such file"):
        read(path)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=60))
def test_whatever_stands_in_the_file_is_judged_not_crashed_on(path: Path, data: bytes) -> None:
    """Any bytes behind a good line are a torn tail or damage, never another error, and the good
    line is never lost."""
    raw, _ = seal(entry(), START)
    found = changed(path, raw + data)
    assert isinstance(found, Damaged) or (len(found.lines), found.torn) == (1, data)


# -- writing ---------------------------------------------------------------------------------------


def test_what_a_start_read_is_made_durable_before_it_is_believed(path: Path) -> None:
    """The last line is written once more where it stands, and synced, the folder too, before `open`
    returns."""
    lines = write(path, 3)
    found = read(path)

    class Watching(MemoryDisk):
        def write_again(self, file: Path, start: int, data: bytes) -> None:
            self.calls.append(("write_again", data))
            assert (file, start) == (path, len(lines[0] + lines[1]))
            super().write_again(file, start, data)

    disk = Watching()
    journal = again(path, found, disk)
    journal.open()
    assert disk.calls == [
        ("create", b""),
        ("write_again", lines[2]),
        ("sync", b""),
        ("sync_folder", b""),
    ]
    journal.close()
    assert path.read_bytes() == b"".join(lines)


def test_a_start_that_cannot_make_it_durable_halts(path: Path) -> None:
    """Nothing is said that is not on disk: a journal whose last line cannot be synced does not
    open."""
    write(path, 2)
    found = read(path)
    disk = MemoryDisk()
    disk.fail_next("sync", BROKEN)
    journal = again(path, found, disk)
    with pytest.raises(Halted, match="cannot be opened: Input/output error"):
        journal.open()
    journal.close()


def test_a_line_is_on_disk_before_append_returns(path: Path) -> None:
    """One write and one fdatasync a line, in this order, both done when `append` returns."""
    disk = MemoryDisk()
    journal = Journal(path, SIGNER, disk=disk)
    journal.open()
    # A new file's name must be on the medium too.
    assert [name for name, _ in disk.calls] == ["create", "sync_folder"]

    async def work() -> None:
        for number in (1, 2):
            disk.calls.clear()
            await journal.append(entry(number))
            assert [name for name, _ in disk.calls] == ["write", "sync"]
            assert json.loads(disk.calls[0][1])["id"] == f"c{number}"

    run(work())
    journal.close()


FAULTS: list[tuple[str, OSError | int]] = [
    ("write", NO_ROOM),
    ("write", BROKEN),
    ("write", 0),
    ("write", 5),
    ("sync", BROKEN),
    ("sync", NO_ROOM),
]


@pytest.mark.parametrize(
    ("call", "fault"),
    FAULTS,
    ids=[f"{call}-{fault if isinstance(fault, int) else fault.strerror}" for call, fault in FAULTS],
)
def test_a_failed_write_halts_for_good(path: Path, call: str, fault: OSError | int) -> None:
    """The line that fails, and every later one, is refused; the head stays; the disk is never asked
    again, though it has room."""
    disk = MemoryDisk()
    journal = Journal(path, SIGNER, disk=disk)
    journal.open()

    async def work() -> None:
        first = await journal.append(entry(1))
        disk.fail_next(call, fault)
        with pytest.raises(Halted, match="halted: go on with paper"):
            await journal.append(entry(2))
        asked = len(disk.calls)
        for number in (2, 3):
            with pytest.raises(Halted, match="halted"):
                await journal.append(entry(number))
            with pytest.raises(Halted, match="halted"):
                await journal.keep_more("hidden.jsonl", b"{}")
        assert len(disk.calls) == asked
        assert journal.head == first
        assert FILE in journal.halted

    run(work())
    journal.close()
    # What a start after it finds is the first line, and at most a torn one.
    assert [line["id"] for line in read(path).lines][:1] == ["c1"]


def remove(folder: Path) -> None:
    shutil.rmtree(folder)


def move_away(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def put_another_in_its_place(folder: Path) -> None:
    (folder / "copy").write_bytes((folder / FILE).read_bytes())
    (folder / "copy").replace(folder / FILE)


@pytest.mark.parametrize("harm", [remove, move_away, put_another_in_its_place])
def test_a_file_that_is_no_longer_where_it_was_halts(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """An open file takes every line also when nobody will find it any more: none of them is
    answered for."""
    folder = tmp_path / "0001"
    folder.mkdir()
    journal = Journal(folder / FILE, SIGNER)
    journal.open()
    first = journal.append_now(entry(1))
    harm(folder)
    for number in (2, 3):
        with pytest.raises(Halted, match=r"removed, or its folder moved away.*go on with paper"):
            journal.append_now(entry(number))
    assert journal.head == first
    journal.close()


class Exhausted(Disk):
    """The memory ends when the line is on its way to the disk."""

    def sync(self, descriptor: int) -> None:
        raise MemoryError


def test_no_memory_in_the_middle_of_a_line_halts(path: Path) -> None:
    """Whether it stands there nobody knows: no line is put behind it, and the start after it reads
    a whole chain."""
    journal = Journal(path, SIGNER, disk=Exhausted())
    journal.open()
    for number in (1, 2):
        with pytest.raises(Halted, match="no memory left"):
            journal.append_now(entry(number))
    journal.close()
    assert [line["id"] for line in read(path).lines] == ["c1"]


def test_a_line_that_cannot_be_written_down_does_not_halt(path: Path) -> None:
    """Half of a surrogate pair is the sender's fault: the entry is refused, the journal goes on."""
    journal = Journal(path, SIGNER)
    journal.open()
    with pytest.raises(ValueError, match="surrogates"):
        journal.append_now({**entry(1), "by": "\ud800"})
    assert journal.append_now(entry(1)).seq == 1
    journal.close()
    assert read(path).head.seq == 1


def test_a_writer_that_is_left_alone_finishes_its_line(path: Path) -> None:
    """When whoever waits for a line goes away, the line after it still follows it."""

    async def work() -> None:
        waiting = asyncio.ensure_future(journal.append(entry(1)))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await journal.append(entry(2))

    journal = Journal(path, SIGNER)
    journal.open()
    run(work())
    journal.close()
    assert [line["seq"] for line in read(path).lines] == list(range(1, 1 + len(read(path).lines)))
    assert not read(path).torn


def test_appends_at_once_are_lines_one_after_the_other(path: Path) -> None:
    """However many wait at once, the lines stand in the order they came."""
    journal = Journal(path, SIGNER)
    journal.open()

    async def work() -> list[Head]:
        return await asyncio.gather(*(journal.append(entry(number)) for number in range(1, 11)))

    heads = run(work())
    journal.close()
    assert [line["id"] for line in read(path).lines] == [f"c{number}" for number in range(1, 11)]
    assert heads[-1] == read(path).head


def test_the_writer_answers_when_it_has_done_what_came_before(path: Path) -> None:
    """A ping is done behind the lines before it, and also when the journal has halted: the writer
    lives."""
    disk = MemoryDisk()
    journal = Journal(path, SIGNER, disk=disk)
    journal.open()

    async def work() -> None:
        line = asyncio.ensure_future(journal.append(entry(1)))
        await asyncio.sleep(0)
        await asyncio.wrap_future(journal.ping())
        assert read(path).head == await line
        disk.fail_next("sync", BROKEN)
        with pytest.raises(Halted):
            await journal.append(entry(2))
        await asyncio.wrap_future(journal.ping())

    run(work())
    journal.close()


def test_after_close_nothing_is_written(path: Path) -> None:
    """Closing ends it: what comes later is an error, not a line."""
    write(path, 1)
    journal = Journal(path, SIGNER, read(path).head)
    with pytest.raises(Halted, match="not open"):
        journal.append_now(entry(2))
    journal.close()
    assert read(path).head.seq == 1


# -- whole files -----------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["create", "write", "sync"])
def test_a_kept_file_is_replaced_whole_or_not_at_all(tmp_path: Path, call: str) -> None:
    """When anything fails before the new file is on disk, the old one stands as it was."""
    path = tmp_path / "tags.toml"
    keep_file(path, b"old")
    disk = MemoryDisk()
    disk.fail_next(call, NO_ROOM)
    with pytest.raises(OSError, match="No space"):
        keep_file(path, b"new", disk)
    assert path.read_bytes() == b"old"


def test_a_kept_file_is_on_disk_before_it_takes_its_name(tmp_path: Path) -> None:
    """Written, synced, renamed, and the folder synced; a draft that an earlier crash left is no
    hindrance; none is left over."""
    path = tmp_path / "tags.toml"
    (tmp_path / ".tags.toml.new").write_bytes(b"a longer draft of before")

    class Watching(MemoryDisk):
        def sync_folder(self, folder: Path) -> None:
            assert path.read_bytes() == b"new"
            super().sync_folder(folder)

        def sync(self, descriptor: int) -> None:
            assert not path.exists()
            super().sync(descriptor)

    disk = Watching()
    keep_file(path, b"new", disk)
    assert [name for name, _ in disk.calls] == ["create", "write", "sync", "sync_folder"]
    assert [file.name for file in tmp_path.iterdir()] == ["tags.toml"]


def test_a_short_write_of_a_kept_file_is_an_error(tmp_path: Path) -> None:
    """A disk that takes half of the bytes has not kept the file."""
    disk = MemoryDisk()
    disk.fail_next("write", 2)
    with pytest.raises(OSError, match="no room"):
        keep_file(tmp_path / "bag-1.json", b"whole", disk)
    assert not (tmp_path / "bag-1.json").exists()


def test_a_short_write_of_a_line_once_more_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that takes half of the last line again has not made it durable."""
    (tmp_path / FILE).write_bytes(b"a line\n")
    monkeypatch.setattr("os.pwrite", lambda descriptor, data, place: len(data) - 1)
    with pytest.raises(OSError, match="No space"):
        Disk().write_again(tmp_path / FILE, 0, b"a line\n")


def test_the_disk_takes_what_it_is_given(tmp_path: Path) -> None:
    """The real disk appends; it never begins a file anew."""
    disk = Disk()
    for text in (b"one\n", b"two\n"):
        descriptor = disk.create(tmp_path / "file")
        disk.write(descriptor, text)
        disk.sync(descriptor)
        disk.close(descriptor)
    disk.sync_folder(tmp_path)
    assert (tmp_path / "file").read_bytes() == b"one\ntwo\n"


def test_a_file_beside_the_journal_grows_durably_or_halts_it(path: Path) -> None:
    """By the only user, without a loop; a disk that fails halts the journal."""
    disk = MemoryDisk()
    journal = Journal(path, SIGNER, disk=disk)
    journal.open()
    journal.keep_more_now("heads.txt", b"one\n")
    journal.keep_more_now("heads.txt", b"two\n")
    assert disk.read(path.with_name("heads.txt")) == b"one\ntwo\n"
    disk.fail_next("sync", BROKEN)
    with pytest.raises(Halted, match=r"heads\.txt"):
        journal.keep_more_now("heads.txt", b"three\n")
    assert journal.halted
    journal.close()
