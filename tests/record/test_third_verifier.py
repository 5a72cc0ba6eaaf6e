"""The third verifier, written from docs/record.md alone, agrees with `station.record.audit`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.errors import Damaged
from station.proof.leaves import Binding, Secrets, Way
from station.record import audit
from station.record.chain import Head, seal
from station.record.heads import Signer
from station.record.journal import FILE
from station.record.requests import Command, SeeNext
from station.record.session import Session
from station.record.station_key import Key, key_of, make_key, public_key
from station.record.traces import HEADS, sizes_in
from tests import report_night
from tests.drill.sender import certain
from tests.evenings import play_evenings
from tests.record.third_luck import Luck
from tests.record.third_verifier import main, verify
from tests.sealed_halls import Organiser
from tests.support import ADMIN, CLOCK, Told, night_in, run
from tests.table_nights import play_tables

Line = dict[str, Any]
Night = dict[str, bytes]
Found = tuple[int, str, int] | None
SOURCES = sorted(Path(__file__).parent.glob("third_*.py"))
LONGEST_FILE = 200  # lines
SIGNED = {"seq", "prev", "signature"}  # the fields that sealing a line sets
FAULT = re.compile(r".*/nights/(\d{4})/([^:/]+)(?::(\d+))?: ", re.DOTALL)
SAID: dict[str, Line] = {
    "mix": {"words": "grüner Zaun 17"},
    "waive": {"about": "words", "who": "Anna", "why": "nobody says anything"},
}
# A number is keyed, "look" opens a leaf before its call, "cut" is a power cut. The session refuses
# words where the bag is not shared.
SCRIPTS = (
    (
        "open mix draw draw undo draw look draw 90 undo draw undo draw cut mix draw waive draw"
        " close open draw waive draw draw close close-night"
    ),
    (
        "take open keys draw draw undo look draw cut draw close"
        " open mix draw undo look cut mix draw 89"
    ),
)


def play_bags(state: Path, seed: int, way: Way) -> None:
    """Play two nights with bags of this way, and one sealed game in the second."""
    key, chance, organiser = make_key(state), Random(seed), Organiser(state / "organiser", seed)
    keys = {"act": "take-keys", "first": 1, "keys": "".join(organiser.keys[:4])}
    take = {"act": "take-sealed", "game": organiser.game.model_dump()}
    for night, script in enumerate(SCRIPTS):
        for life, words in enumerate(script.split(" cut ")):
            with night_in(state, key=key, new=bool(night and not life)) as opened:
                session = Session(opened, Told(), CLOCK, chance, way=way)
                for step, word in enumerate(words.split()):
                    do = {"take": take, "keys": keys}.get(word, {"act": word, **SAID.get(word, {})})
                    if word.isdecimal():
                        do = {"act": "draw", "number": int(word)}
                    via = {"draw": "button:draw"}.get(word, "keyed" if word.isdecimal() else "wire")
                    name = f"{night}-{life}-{step}"
                    look = Command(name, SeeNext(), ADMIN, "wire")
                    sent = look if word == "look" else Command.read(name, do, ADMIN, via)
                    run(session.submit(certain(session, sent)))


def play_evening(state: Path) -> None:
    play_evenings(state, make_key(state))


HONEST: dict[str, Callable[[Path], object]] = {
    "evenings": play_evening,
    "report": report_night.play,
    "tables": lambda state: play_tables(state, 1, moves=2),
    "fresh tables": lambda state: play_tables(state, 2, Way.FRESH, moves=4),
    "committed": lambda state: play_bags(state, 1, Way.COMMITTED),
    "shared": lambda state: play_bags(state, 2, Way.SHARED),
    "fresh": lambda state: play_bags(state, 3, Way.FRESH),
}


class Record:
    """An honest record, a key to forge it, and a folder for forged ones."""

    def __init__(self, folder: Path, kind: str) -> None:
        folder.mkdir()
        HONEST[kind](folder)
        self.folder, self.key, self.kind = folder, key_of(folder), kind
        self.public = public_key(self.key)
        shutil.rmtree(folder / "organiser", ignore_errors=True)
        self.nights = nights_in(folder)

    def found(self, nights: list[Night]) -> tuple[Found, Found]:
        """Return the fault that each judge finds in these nights."""
        shutil.rmtree(self.folder / "nights")
        for number, files in enumerate(nights, 1):
            night = self.folder / f"nights/{number:04d}"
            night.mkdir(parents=True)
            for name, data in files.items():
                (night / name).write_bytes(data)
        return audited(self.folder, self.public), verify(nights, self.public)


def nights_in(state: Path) -> list[Night]:
    """Return the files of each night."""
    return [
        {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        for folder in sorted((state / "nights").iterdir())
    ]


def audited(state: Path, public: str) -> Found:
    """Return night, file and line of the first fault that the audit finds, but for the money."""
    try:
        audit.verify(state, (public,))
    except Damaged as error:
        if "accounts" in str(error):
            return None
        night, name, line = FAULT.match(str(error)).groups()
        return int(night), name, int(line or 0)
    return None


# -- forgeries without the key ---------------------------------------------------------------------


def split(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def other_bytes(data: bytes, chance: Random) -> bytes:
    """Return data in which some bytes are others, more or fewer."""
    at = chance.randrange(len(data) + 1)
    end = at + chance.choice([0, 1, 1, 1, 2, 40])
    kept = chance.choice(
        [b"", b"x", b"0", b"9", b'"', b"\n", b"\\", b" ", bytes([255]), b"\xc3\xa9"]
    )
    return data[:at] + kept + data[end:]


def other_lines(data: bytes, chance: Random) -> bytes:
    """Return lines that are cut, doubled, exchanged, inserted or taken away."""
    lines = split(data)
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.choice(["cut", "double", "exchange", "insert", "remove", "end", "signature"]):
        case "cut":
            lines[at] = lines[at][: chance.randrange(len(lines[at]))]
        case "double":
            lines.insert(at, lines[at])
        case "exchange":
            lines[at], lines[other] = lines[other], lines[at]
        case "insert":
            lines.insert(at, lines[other])
        case "remove":
            del lines[at]
        case "end":
            whole = b"".join(lines)
            return whole[: chance.randrange(len(whole))]
        case "signature":
            lines[at] = (
                lines[at].replace(b'"signature":"', b'"signature":"A', 1).replace(b'=="', b'="')
            )
    return b"".join(lines)


def unsigned(record: Record, chance: Random) -> list[Night]:
    """Return nights in which a file was altered by somebody without the key."""
    nights = [dict(night) for night in record.nights]
    files = chance.choice(nights)
    name = chance.choice([FILE] * 6 + sorted(files))
    match chance.choice(["bytes", "bytes", "lines", "lines", "content", "gone"]):
        case "bytes":
            files[name] = other_bytes(files[name], chance)
        case "lines":
            files[name] = other_lines(files[name], chance)
        case "content":
            lines = split(files[FILE])
            at = chance.choice([len(lines) - 1, chance.randrange(len(lines))])
            line = json.loads(lines[at])
            alter(line, chance)
            lines[at] = canonical(line) + b"\n"
            files[FILE] = b"".join(lines)
        case "gone" if chance.random() < 0.2:
            del files[name]
        case _:
            files[name] = files[name][: chance.randrange(len(files[name]) + 1)]
    return nights


def canonical(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


# -- forgeries with the station's key --------------------------------------------------------------

DRAWN = ("number", "leaf", "again", "luck", "bag", "away", "epoch", "words", "about", "chance",
         "later", "move", "deal", "sealed", "game", "first", "keys", "key", "night", "version",
         "test", "last_number", "copies", "strict")  # fmt: skip
ODD: list[Any] = [None, True, False, 0, 1, -1, 2, 89, 90, 91, 2**31, 2**32, 2**40, "", "a", "é",
                  "0" * 64, "f" * 32, [], {}, [1], ["a"], "committed", "fresh", "shared", "sealed",
                  "dice", "cubes", "shuffle"]  # fmt: skip
ACTS = ("draw", "undo", "see", "renew", "waive", "mix", "open", "shake", "skip", "commit", "sit",
        "move", "take-keys", "note", "close-night", "open-night")  # fmt: skip
# Any field may be added to these: the audit knows the form of all fields of the other acts.
OF_BAGS = ("draw", "undo", "see", "renew", "waive", "mix", "shake", "skip", "note")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each value inside an object or a list, as its holder and its key there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in [*inner]:
        yield value, name
        if isinstance(each, dict | list):
            yield from places(each)


def spots(line: Line) -> list[tuple[Any, Any]]:
    """Return the values of a line that every verifier checks."""
    do, then = line["do"], line["then"]
    out = [(do, name) for name in DRAWN if name in do]
    out += [
        spot for name in DRAWN if isinstance(do.get(name), dict | list) for spot in places(do[name])
    ]
    out += [(then, name) for name in ("unsealed", "calls") if name in then]
    out += places(then["unsealed"]) if isinstance(then.get("unsealed"), dict | list) else []
    return out


def nudged(value: Any, chance: Random) -> Any:
    """Return a value much like another."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1])
    if isinstance(value, str) and value:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice("0123456789abcdef") + value[at + 1 :]
    if isinstance(value, list) and value:
        return chance.choice([value[1:], value[::-1], [*value, value[0]]])
    if isinstance(value, dict) and value:
        return {**value, "more": 1} if chance.random() < 0.5 else dict([*value.items()][1:])
    return chance.choice(ODD)


def alter(line: Line, chance: Random) -> None:
    """Alter one value of a line."""
    do, found = line["do"], spots(line)
    match chance.choice(["value"] * 6 + ["act", "new", "via", "wall", "at", "then"]):
        case "value" if found:
            holder, name = chance.choice(found)
            how = chance.random()
            if how < 0.15:
                del holder[name]
            else:
                holder[name] = chance.choice(ODD) if how < 0.5 else nudged(holder[name], chance)
        case "act":
            do["act"] = chance.choice(ACTS)
        case "via":
            line["via"] = chance.choice(["auto", "button:1", "keyed", "auto:x", ""])
        case "wall":
            line["at"]["wall"] = nudged(line["at"]["wall"], chance)
        case "at":
            line["at"][chance.choice(["wall", "trust", "more"])] = chance.choice(ODD)
        case "then":
            line["then"][chance.choice(["unsealed", "calls", "opening"])] = chance.choice(ODD)
        case _ if do["act"] in OF_BAGS:
            do[chance.choice(DRAWN[:17])] = chance.choice(ODD)


def lines_altered(nights: list[list[Line]], chance: Random) -> None:
    """Alter lines of these nights as somebody with the key would."""
    lines = chance.choice(nights)
    drawn = [at for at, line in enumerate(lines) if {"leaf", "chance", "later"} & line["do"].keys()]
    one, two = (chance.choice(drawn or range(len(lines))) for _ in range(2))
    first, second = lines[one]["do"], lines[two]["do"]
    match chance.choice(["alter"] * 8 + ["exchange", "copy", "remove", "double", "two", "number"]):
        case "exchange":
            for name in {"leaf", "number", "chance"} & first.keys() & second.keys():
                first[name], second[name] = second[name], first[name]
        case "copy":
            for name in {"leaf", "number", "chance"} & first.keys() & second.keys():
                first[name] = second[name]
        case "remove":
            del lines[one]
        case "double":
            lines.insert(two, lines[one])
        case "number" if "number" in first:
            first["number"] = first["number"] % 90 + 1
        case "two":
            for _ in range(2):
                alter(chance.choice(lines), chance)
        case _:
            alter(lines[chance.choice([one, chance.randrange(len(lines))])], chance)


def resigned(record: Record, chance: Random) -> list[Night]:
    """Return nights with lines that were altered and signed again by the station's own key."""
    lines = [[json.loads(line) for line in split(night[FILE])] for night in record.nights]
    lines_altered(lines, chance)
    nights = signed_again(record.nights, lines, record.key)
    if chance.random() < 0.1:  # the heads of before
        nights = [{**new, HEADS: old[HEADS]} if HEADS in old else new
                  for new, old in zip(nights, record.nights, strict=True)]  # fmt: skip
    if chance.random() < 0.2:
        return unsigned_after(nights, chance)
    return nights


def unsigned_after(nights: list[Night], chance: Random) -> list[Night]:
    """Return nights of which one journal was altered once more, without the key."""
    at, how = chance.randrange(len(nights)), chance.choice([other_bytes, other_lines])
    return [{**night, FILE: how(night[FILE], chance)} if at == number else night
            for number, night in enumerate(nights)]  # fmt: skip


def signed_again(nights: list[Night], lines: list[list[Line]], key: Key) -> list[Night]:
    """Return the nights with these lines, each signed, and with heads of the same sizes."""
    out, previous = list[Night](), ""
    for number, (night, own) in enumerate(zip(nights, lines, strict=True), 1):
        signer, head = Signer.of(key, number), Head(signature=previous)
        journal, notes = b"", list[bytes]()
        for line in own:
            fields = {name: each for name, each in line.items() if name not in SIGNED}
            raw, head, _ = seal(fields, head, signer)
            journal += raw
            notes.append(head.note(signer.public, number).encode())
        sizes = [size for size in sizes_in(night.get(HEADS, b"")) if size <= len(notes)]
        heads = {HEADS: b"".join(notes[size - 1] for size in sizes)} if HEADS in night else {}
        out.append({**night, FILE: journal, **heads})
        previous = head.signature
    return out


# -- tests -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    folder = tmp_path_factory.mktemp("records")
    return [Record(folder / kind.replace(" ", "-"), kind) for kind in HONEST]


def test_it_finds_every_honest_record_whole(records: list[Record]) -> None:
    """Evenings, tables, sealed games, each way of the draw."""
    for record in records:
        assert record.found(record.nights) == (None, None), record.kind
        assert verify(record.nights) is None


def test_it_finds_a_record_whole_after_each_line_and_inside_one(records: list[Record]) -> None:
    """At no moment of its life is a record accused, nor with a torn line behind it."""
    for record in records[2:]:
        night = {name: data for name, data in record.nights[0].items() if name != HEADS}
        lines = split(night[FILE])
        for size in range(0, len(lines), 7):
            torn = lines[size][: len(lines[size]) // 2]
            assert verify([{**night, FILE: b"".join(lines[:size])}], record.public) is None
            assert verify([{**night, FILE: b"".join([*lines[:size], torn])}], record.public) is None


def agree(records: list[Record], seed: int, count: int) -> None:
    """Forge records, and compare what both judges find. The report's night is long, and has only
    the acts of the evenings."""
    chance, faults = Random(seed), 0
    for number in range(count):
        record = chance.choice([record for record in records if record.kind != "report"])
        how = chance.choice([unsigned, resigned, resigned])
        forged = how(record, chance)
        audited_fault, own = record.found(forged)
        assert own == audited_fault, (number, record.kind, how.__name__)
        faults += own is not None
    assert faults > count / 2


def test_it_agrees_with_the_audit_on_forgeries(records: list[Record]) -> None:
    """It names the same night, file and line."""
    agree(records, 1, 300)


@pytest.mark.long
def test_it_agrees_with_the_audit_on_thousands_of_forgeries(records: list[Record]) -> None:
    """The same, with ten times as many."""
    agree(records, 2, 3000)


def set_in(night: int, line: int, *path: str, to: Any) -> Callable[[list[list[Line]]], None]:
    """Return a change of one value."""

    def change(lines: list[list[Line]]) -> None:
        holder: Any = lines[night][line]
        for name in path[:-1]:
            holder = holder[name]
        holder[path[-1]] = to

    return change


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def other_key(lines: list[list[Line]]) -> None:
    """Give a sealed game a last key that opens nothing."""
    do = next(line["do"] for line in lines[1] if line["do"]["act"] == "take-keys")
    do["keys"] = do["keys"][:-32] + "0" * 32


TIME = "xx-xx-xxxxTxx:xx:"  # the form of a time, to which 23 characters may be added
CHANGES: dict[str, Callable[[list[list[Line]]], None]] = {
    **{f"night {odd!r}": set_in(0, 0, "do", "night", to=odd) for odd in (0, 2, 2**32, True, "1")},
    **{f"place {odd}": set_in(0, 2, "do", "leaf", "at", to=odd) for odd in (-1, 90, 2**32, 2**64)},
    "no path": set_in(0, 2, "do", "leaf", "path", to=None),
    **{
        f"mono {odd!r}": set_in(0, 1, "mono", to=odd) for odd in (12.0, -0.0, 1e300, -5, True, None)
    },
    "fraction": set_in(0, 1, "then", "x", to=1.5),
    "not closed": lambda lines: lines[0].pop(),
    "nested": set_in(0, 1, "then", "x", to=nested(100)),
    "long entry": set_in(0, 1, "do", "x", to="é" * 40_000),
    "longer than any line": set_in(0, 1, "do", "x", to="x" * 2_100_000),
    "time": set_in(0, 1, "at", "wall", to=TIME + "y" * 23),
    "long time": set_in(0, 1, "at", "wall", to=TIME + "y" * 24),
    "time of no ASCII": set_in(0, 1, "at", "wall", to=TIME + "é"),
    "bag of no text": set_in(0, 1, "do", "bag", to=1),
    "away of no list": set_in(0, 1, "do", "away", to="12"),
    "much away": set_in(0, 1, "do", "away", to=[*range(1, 80)]),
    "wrong key": other_key,
    "nothing away": set_in(0, 1, "do", "away", to=[]),
}
WHOLE = {"mono 12.0", "mono -0.0", "mono 1e+300", "mono -5", "nested", "long entry", "time",
         "nothing away"}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_it_agrees_with_the_audit_on_odd_values(records: list[Record], name: str) -> None:
    """Values that only look like a station's, in lines that its key has signed."""
    record = next(record for record in records if record.kind == "fresh")
    lines = [[json.loads(line) for line in split(night[FILE])] for night in record.nights]
    CHANGES[name](lines)
    audited_fault, own = record.found(signed_again(record.nights, lines, record.key))
    assert own == audited_fault
    assert (own is None) == (name in WHOLE)


def test_a_night_without_a_line_is_whole_only_as_the_last(records: list[Record]) -> None:
    """It has not begun; before another night it is a fault."""
    record = records[0]
    first, second = record.nights
    assert record.found([{**first, FILE: b""}, second]) == ((1, FILE, 1),) * 2
    gone = {name: data for name, data in first.items() if name != FILE}
    assert record.found([gone, second]) == ((1, FILE, 0),) * 2
    assert record.found([first, {**second, FILE: b""}]) == (None, None)
    assert record.found([first, {HEADS: b""}]) == ((2, FILE, 1),) * 2


def test_two_heads_of_one_line_are_a_fault_and_so_are_two_torn_lines(records: list[Record]) -> None:
    """Kept heads rise, and a power cut tears one line."""
    record = records[0]
    first, second = record.nights
    assert record.found([{**first, HEADS: first[HEADS] * 2}, second]) == ((1, HEADS, 0),) * 2
    lines = split(second[FILE])
    torn = b"".join([*lines[:-1], lines[-1][:9], lines[-1][:20]])
    assert record.found([first, {**second, FILE: torn}]) == ((2, FILE, len(lines)),) * 2


@pytest.mark.parametrize("place", range(90))
def test_each_leaf_of_a_tree_holds_at_its_own_place_alone(place: int) -> None:
    """With its own path, and no other leaf there."""
    binding = Binding("ab" * 32, 3, 2)
    secrets = Secrets(binding, [bytes([number]) * 32 for number in range(90)])
    luck = Luck("committed", binding.station, 90, secrets.root, 1, 3, 2, 1)
    leaf = secrets.open(place).model_dump()
    assert luck.holds(leaf)
    assert not luck.holds({**leaf, "at": (place + 1) % 90})
    assert not luck.holds({**leaf, "path": leaf["path"][64:]})
    assert not luck.holds({**leaf, "path": leaf["path"] + "0" * 64})


def test_another_key_than_the_stations_is_a_fault(records: list[Record]) -> None:
    """Where the key is known, and where the nights name two."""
    nights = records[0].nights
    assert verify(nights, "0" * 64) == (1, FILE, 1)
    lines = [[json.loads(line) for line in split(night[FILE])] for night in nights]
    lines[1][0]["do"]["key"] = records[1].public
    other = signed_again(nights[1:], lines[1:], records[1].key)
    assert verify([nights[0], *other]) == (2, FILE, 1)


def test_the_command_names_the_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It prints night, file and line, and exits with 1."""
    play_evening(tmp_path)
    monkeypatch.setattr("sys.argv", ["third_verifier", str(tmp_path)])
    main()
    journal = tmp_path / "nights/0001" / FILE
    journal.write_bytes(journal.read_bytes().replace(b"Bruno", b"Bruna", 1))
    with pytest.raises(SystemExit, match=r"Night 1, journal\.jsonl, line"):
        main()


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_each_of_its_files_is_read_in_one_sitting(source: Path) -> None:
    """At most 200 lines each, and nothing of the program in them."""
    text = source.read_text()
    assert len(text.splitlines()) <= LONGEST_FILE
    assert not re.search(r"^\s*(?:from|import) (?:station|drivers|hw)\b", text, re.MULTILINE)
