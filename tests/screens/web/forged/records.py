"""Forge records: lines, signatures, kept heads and copies, with and without the station's key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.night.sealed import by_digest, read_sealed
from station.proof.leaves import Way
from station.record import hidden
from station.record.chain import START, Head, canonical, leaf_in, seal
from station.record.copies import COPY
from station.record.heads import LONGEST_ENTRY, Signer
from station.record.journal import FILE
from station.record.requests import Command, SeeNext
from station.record.session import Session
from station.record.station_key import Key, make_key, public_key
from station.record.traces import HEADS, heads_up_to, sizes_in
from tests.drill.sender import certain
from tests.sealed_halls import Organiser
from tests.support import ADMIN, CLOCK, Told, night_in, run

NIGHTS = ("0001", "0002")
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\1")
SIGNATURE = "signature"
Line = dict[str, Any]
Files = dict[str, list[bytes]]  # a night's journal, kept heads and copies, by its folder and file
Forge = Callable[[list[Line], Random], None]
# What is done in two nights; a number is keyed, "look" opens a leaf before its call, "cut" is a
# power cut, "take" and "keys" are a sealed game and its first keys; what the hall says is refused
# where its bag is not shared.
SCRIPTS = (
    (
        "open draw mix draw draw undo draw look draw 90 draw undo draw cut draw waive draw mix draw"
        f" close open mix {'draw ' * 12}close close-night"
    ),
    (
        f"take open keys {'draw ' * 3}undo look draw cut draw close"
        f" open mix {'draw ' * 6}undo draw look cut draw draw mix draw draw 89 draw"
    ),
)

SAID: dict[str, Line] = {
    "mix": {"words": "grüner Zaun 17"},
    "waive": {"about": "words", "who": "Anna", "why": "nobody says anything"},
}


def play(state: Path, seed: int, way: Way = Way.COMMITTED) -> None:
    """Play the two nights in a state folder: the first is closed, the second is open; signed."""
    key, chance = make_key(state), Random(seed)
    organiser = Organiser(state / "organiser", seed)
    for script in SCRIPTS:
        play_script(state, script, chance, key, organiser, way)


def play_script(
    state: Path,
    script: str,
    chance: Random,
    key: Key,
    organiser: Organiser,
    way: Way = Way.COMMITTED,
) -> None:
    """Play one of the scripts in a new night."""
    for place, life in enumerate(script.split(" cut ")):
        with night_in(state, key=key, new=not place) as night:
            session = Session(night, Told(), CLOCK, chance, way=way)
            for step, word in enumerate(life.split()):
                run(session.submit(_command(session, f"{place}-{step}", word, organiser)))
            night.hall = session.hall


def _command(session: Session, name: str, word: str, organiser: Organiser) -> Command:
    if word == "look":
        return Command(name, SeeNext(), ADMIN, "wire")
    do: Line = {"act": word, **SAID.get(word, {})}
    if word == "take":
        do = {"act": "take-sealed", "game": organiser.game.model_dump()}
    if word == "keys":
        do = {"act": "take-keys", "first": 1, "keys": "".join(organiser.keys[:6])}
    if word.isdecimal():
        out = session.hall.called
        number = int(word)
        while number in out:
            number -= 1
        do = {"act": "draw", "number": number}
    via = "keyed" if word.isdecimal() else "button:draw" if word == "draw" else "wire"
    return certain(session, Command.read(name, do, ADMIN, via))


def files_of(state: Path) -> Files:
    """The files of a record that are forged: journals, kept heads and copies."""
    return {
        f"{path.parent.name}/{path.name}": path.read_bytes().splitlines(keepends=True)
        for path in sorted((state / "nights").glob("*/*"))
        if path.name in (FILE, HEADS) or COPY.fullmatch(path.name)
    }


def until(files: Files, night: str, size: int) -> Files:
    """A night's files as they stood after so many lines."""
    raw, kept = files[f"{night}/{FILE}"], b"".join(files.get(f"{night}/{HEADS}", []))
    out = {name: lines for name, lines in files.items() if name.startswith(night)}
    out[f"{night}/{FILE}"] = raw[:size]
    out.pop(f"{night}/{HEADS}", None)
    if heads := heads_up_to(kept, size):
        out[f"{night}/{HEADS}"] = heads.splitlines(keepends=True)
    if sealed := [*_sealed(lines_in(raw), size)]:
        out[f"{night}/{hidden.FILE}"] = sealed
    return out


def lines_in(raw: Sequence[bytes]) -> list[Line]:
    """The lines of a journal, parsed."""
    return [json.loads(line) for line in raw]


def _sealed(lines: Sequence[dict[str, Any]], size: int) -> Iterator[bytes]:
    """What was sealed then of the hand that was on: the line that ends it has it."""
    dealt = {line["do"].get("move", {}).get("sealed") for line in lines[:size]}
    for line in lines[size:]:
        if parts := line["then"].get(hidden.UNSEALED):
            found = by_digest(read_sealed(part, "the end") for part in parts)
            yield from (hidden.line_of(part) for digest, part in found.items() if digest in dealt)
            return


# -- forgeries -------------------------------------------------------------------------------------


def linked(lines: Sequence[Line], previous: str) -> list[bytes]:
    """The lines, numbered and linked again, each with the signature that it has: as somebody
    without the key can."""
    out = []
    for number, line in enumerate(lines, 1):
        out.append(canonical({**line, "seq": number, "prev": previous}) + b"\n")
        previous = line[SIGNATURE]
    return out


def signed(files: Files, night: str, lines: Sequence[Line], key: Key) -> Files:
    """A record in which a night has these lines, all linked and signed by whoever has a key; and
    so are the heads that are kept of it."""
    path, kept = f"{night}/{FILE}", f"{night}/{HEADS}"
    signer, head = Signer.of(key, int(night)), Head(signature=previous_of(files, night))
    out, notes = list[bytes](), list[bytes]()
    for line in lines:
        own = {name: said for name, said in line.items() if name not in ("seq", "prev", SIGNATURE)}
        raw, head, _ = seal(own, head, signer)
        out.append(raw)
        notes.append(head.note(signer.public, signer.night).encode())
    if kept not in files:
        return {**files, path: out}
    sizes = sizes_in(b"".join(files[kept]))
    heads = b"".join(notes[size - 1] for size in sizes if size <= len(notes))
    return {**files, path: out, kept: heads.splitlines(keepends=True)}


def previous_of(files: Files, night: str) -> str:
    """The signature that a night's first line follows."""
    if night == NIGHTS[0]:
        return ""
    before = files[f"{NIGHTS[NIGHTS.index(night) - 1]}/{FILE}"]
    return str(json.loads(before[-1])[SIGNATURE])


def signed_again(files: Files, night: str, lines: Sequence[Line], key: Key) -> Files:
    """The same, and the nights after it follow."""
    out = signed(files, night, lines, key)
    for name in NIGHTS[NIGHTS.index(night) + 1 :]:
        out = signed(out, name, lines_in(files[f"{name}/{FILE}"]), key)
    return out


def shown_in(files: Files, night: str) -> list[str]:
    """The heads that screens have shown in a night, one for each line."""
    head, shown, raw = START, list[str](), files[f"{night}/{FILE}"]
    key = json.loads(raw[0])["do"]["key"]
    for line in raw:
        head = Head(head.edge.grown(leaf_in(line[:-1])), json.loads(line)[SIGNATURE])
        shown.append(head.note(key, int(night)))
    return shown


def _drawing(lines: list[Line]) -> list[int]:
    return [at for at, line in enumerate(lines) if "leaf" in line["do"]]


def other_digit(text: str, chance: Random) -> str:
    """Hex digits, one of which is another."""
    at = chance.randrange(len(text))
    return text[:at] + chance.choice("0123456789abcdef".replace(text[at], "")) + text[at + 1 :]


def _altered(lines: list[Line], chance: Random) -> None:
    """One field of a leaf, or the number that it gives."""
    do = lines[chance.choice(_drawing(lines))]["do"]
    field = chance.choice(["secret", "path", "at", "number", "gone", "again"])
    match field:
        case "secret" | "path":
            do["leaf"][field] = other_digit(do["leaf"][field] or "0", chance)
        case "at":
            do["leaf"]["at"] += chance.choice([-1, 1])
        case "number":
            do["number"] = do["number"] % 90 + 1
        case "gone":
            del do["leaf"]
        case "again":
            do["again"] = True
            del do["leaf"]


def _swapped(lines: list[Line], chance: Random) -> None:
    """Two leaves with their numbers."""
    one, two = chance.sample(_drawing(lines), 2)
    first, second = lines[one]["do"], lines[two]["do"]
    for field in ("leaf", "number"):
        first[field], second[field] = second[field], first[field]


def _copied(lines: list[Line], chance: Random) -> None:
    """A leaf and its number in another line's place."""
    one, two = chance.sample(_drawing(lines), 2)
    for field in ("leaf", "number"):
        lines[one]["do"][field] = lines[two]["do"][field]


def _deleted(lines: list[Line], chance: Random) -> None:
    del lines[chance.randrange(1, len(lines))]


def _doubled(lines: list[Line], chance: Random) -> None:
    at = chance.choice(_drawing(lines))
    lines.insert(at, lines[at])


def _moved(lines: list[Line], chance: Random) -> None:
    at = chance.randrange(1, len(lines) - 1)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def _another_root(lines: list[Line], chance: Random) -> None:
    """A root, a way, a number of leaves, or the station that it is committed to for."""
    made = [line["do"] for line in lines if line["do"]["act"] in ("open", "renew")]
    do = chance.choice(made)
    field = chance.choice(["bag", "station", "leaves"]) if "luck" in do else "bag"
    if field == "bag":
        do["bag"] = other_digit(do["bag"], chance)
    elif field == "station":
        do["luck"]["station"] = other_digit(do["luck"]["station"], chance)
    else:
        do["luck"]["leaves"] = chance.choice([0, 45, 128])


def _another_epoch(lines: list[Line], chance: Random) -> None:
    for line in lines:
        if line["do"]["act"] == "renew":
            line["do"]["epoch"] += chance.choice([-1, 1])


def _another_seal(lines: list[Line], chance: Random) -> None:
    """A field of a sealed game's file, its digest in the line that opens it, or one of its keys."""
    made = [line["do"] for line in lines if {"game", "keys", "sealed"} & line["do"].keys()]
    if not made:
        return
    do = chance.choice(made)
    match do["act"]:
        case "take-sealed":
            field = chance.choice(["leaves", "sealed", "organiser", "signature", "name", "until"])
            text = do["game"][field]
            other = {"name": "Easter", "until": text.replace("2023", "2033")}.get(field)
            do["game"][field] = other or other_digit(text, chance)
        case "take-keys" if chance.random() < 0.5:
            do["first"] += 1
        case "take-keys":
            do["keys"] = other_digit(do["keys"], chance)
        case _ if chance.random() < 0.5:
            del do["sealed"]
        case _:
            do["sealed"] = other_digit(do["sealed"], chance)


def _saying(lines: list[Line]) -> list[int]:
    return [
        at
        for at, line in enumerate(lines)
        if line["do"]["act"] == "mix" or line["do"].get("about") == "words"
    ]


def _other_words(lines: list[Line], chance: Random) -> None:
    """The hall's words are others, or none, or such as no station writes; or they are gone, stand
    there twice, before their root, after a number, or beside a waiver."""
    if not (places := _saying(lines)):
        return
    at = chance.choice(places)
    mixed, waived = ({"act": word, **SAID[word]} for word in ("mix", "waive"))
    match chance.choice(["other", "none", "gone", "twice", "early", "late", "also", "instead"]):
        case "other":
            lines[at]["do"] = {**mixed, "words": chance.choice(["grüner Zaun 1", "x" * 201, " "])}
        case "none":
            lines[at]["do"] = {"act": "mix", "words": chance.choice(["", 17, None, ["a"]])}
        case "gone":
            del lines[at]
        case "twice":
            lines.insert(at, lines[at])
        case "early":
            lines.insert(max(1, at - chance.randrange(1, 3)), lines.pop(at))
        case "late":
            lines.insert(at + chance.randrange(1, 3), lines.pop(at))
        case "also":
            other = waived if lines[at]["do"]["act"] == "mix" else mixed
            lines.insert(at + chance.randrange(2), {**lines[at], "do": other})
        case "instead":
            lines[at]["do"] = waived if lines[at]["do"]["act"] == "mix" else mixed


def _another_line(lines: list[Line], chance: Random) -> None:
    """A line that says something else."""
    line = lines[chance.randrange(len(lines) - 1)]
    line[chance.choice(["by", "id", "mono"])] = chance.choice(["Eve", "c-0", "x"])
    if isinstance(line["mono"], str):
        line["mono"] = 1.5


def _inserted(lines: list[Line], chance: Random) -> None:
    """A line of the night in another place, too."""
    lines.insert(chance.randrange(1, len(lines)), chance.choice(lines))


# -- of what the station throws, shuffles and deals at a table ------------------------------------


def _chances(line: Line) -> list[Line]:
    """What has decided a line: of a move, and of the hidden ones of a hand that is over."""
    parts = [part for part in line["then"].get("unsealed", ()) if "chance" in part]
    return [holder["chance"] for holder in (line["do"], *parts) if "chance" in holder]


def _opening(lines: list[Line]) -> list[tuple[Line, Line]]:
    """Each leaf that is opened at a table, and its line."""
    found = [(chance["leaf"], line) for line in lines for chance in _chances(line)]
    return found + [(line["do"]["leaf"], line) for line in lines if "deal" in line["do"]]


def _thrown(lines: list[Line]) -> list[Line]:
    return [line["do"] for line in lines if "chance" in line["do"]]


def _another_leaf(lines: list[Line], chance: Random) -> None:
    """A field of a leaf that is opened, now or at the end of a hand."""
    leaf, _ = chance.choice(_opening(lines))
    field = chance.choice(["secret", "path", "at"])
    leaf[field] = leaf["at"] + 1 if field == "at" else other_digit(leaf[field] or "0", chance)


def _another_result(lines: list[Line], chance: Random) -> None:
    """Another throw, other cubes, another order; or a hidden card that is another."""
    do = chance.choice(_thrown(lines))
    law = do["chance"]["law"]
    came = do["move"][law["field"]]
    match law["kind"]:
        case "dice":
            place = chance.randrange(len(came))
            came[place] = came[place] % law["faces"] + 1
        case "cubes":
            do["move"][law["field"]] = law["things"] if came != law["things"] else came[1:]
        case _:
            one = chance.randrange(len(came) - 1) if len(came) > 1 else 0
            other = [thing for thing in law["things"] if thing != came[one]]
            came[one] = chance.choice(other)


def _another_deal(lines: list[Line], chance: Random) -> None:
    """Two cards of a deal of Loto's in each other's place, or a hidden hand that is another."""
    made = [line["do"]["deal"] for line in lines if "deal" in line["do"]]
    parts = [part for line in lines for part in line["then"].get("unsealed", ())]
    cards = [part["fields"]["cards"] for part in parts if "cards" in part["fields"]]
    deal = chance.choice(made + cards)
    one, other = chance.sample(range(len(deal)), 2)
    deal[one], deal[other] = deal[other], deal[one]


def _other_order(lines: list[Line], chance: Random) -> None:
    """Two throws in each other's place, or one of them twice."""
    one, two = chance.sample(_thrown(lines), 2)
    fields = ("chance", "move")
    second = {field: two[field] for field in fields}
    two |= {field: one[field] for field in fields}
    one |= second if chance.random() < 0.5 else {}


def _another_binding(lines: list[Line], chance: Random) -> None:
    """What a table is committed to with. Not in the last line, which may be a torn one."""
    bound = [line["do"] for line in lines[:-1] if line["do"]["act"] in ("sit", "commit")]
    luck = chance.choice(bound)["luck"]
    names = ["station", "leaves", "epoch", "way"]
    names += ["root"] if luck["way"] != "fresh" else []  # a fresh leaf has none
    match chance.choice(names):
        case "root":
            luck["root"] = other_digit(luck["root"], chance)
        case "station":
            luck["station"] = other_digit(luck["station"] or "0" * 64, chance)
        case "leaves":
            luck["leaves"] = chance.choice([0, 45, 128])
        case "epoch":
            luck["epoch"] += chance.choice([-1, 1])
        case "way":
            luck["way"] = chance.choice(["shared", "sealed", "open"])


def _another_hand(lines: list[Line], chance: Random) -> None:
    """A hidden leaf in another place, or one that is not opened when its hand is over."""
    dealt = [line["do"] for line in lines if "later" in line["do"]]
    ended = [line["then"] for line in lines if "unsealed" in line["then"]]
    match chance.choice(["later", "unsealed", "part", "chance", "salt"]):
        case "later":
            chance.choice(dealt)["later"] += 1
        case "unsealed":
            del chance.choice(ended)["unsealed"]
        case "part":
            ended = [then for then in ended if "chance" in then["unsealed"][0]]
            del chance.choice(ended)["unsealed"][0]
        case "chance":
            for then in ended:
                for part in then["unsealed"]:
                    part.pop("chance", None)
        case "salt":
            part = chance.choice(ended)["unsealed"][0]
            part["salt"] = other_digit(part["salt"], chance)


def another_law(lines: list[Line], chance: Random) -> None:
    """Another die, other cubes or another pack than those of the game; or a throw that is said to
    be nobody's."""
    do = chance.choice(_thrown(lines))
    law = do["chance"]["law"]
    match chance.choice(["gone", "law"]):
        case "gone":
            del do["chance"]
        case _ if law["kind"] == "dice":
            law["faces"] += 1
        case _:
            law["things"] = law["things"][1:] + law["things"][:1]


OF_THE_TABLE: tuple[Forge, ...] = (
    *(_another_leaf, _another_leaf, _another_result, _another_deal, _other_order),
    *(_another_binding, _another_hand, _another_hand),
)
OF_THE_RECORD = (_another_line, _deleted, _moved, _inserted)
OF_THE_DRAW: tuple[Forge, ...] = (
    *(_altered, _altered, _altered, _swapped, _copied, _doubled, _another_root, _another_epoch),
    *(_other_words, _other_words, _another_seal, _another_seal),
)


# -- of signatures, kept heads and copies ----------------------------------------------------------

OfFiles: TypeAlias = Callable[[Files, Random, str, Key], Files]


def forged_line(
    files: Files,
    chance: Random,
    forge: Forge,
    night: str = NIGHTS[0],
    key: Key | None = None,
) -> tuple[str, Files]:
    """A record whose lines are forged in this way; its name.

    Args:
        key: signs all lines again; None leaves the signatures as they are.
    """
    path = f"{night}/{FILE}"
    lines = lines_in(files[path])
    forge(lines, chance)
    if key is not None:
        return f"signed{forge.__name__} {night}", signed_again(files, night, lines, key)
    return f"{forge.__name__} {night}", {**files, path: linked(lines, previous_of(files, night))}


def _byte(files: Files, chance: Random, night: str, _: Key) -> Files:
    """A bit of the journal."""
    return _flipped(files, f"{night}/{FILE}", chance)


def _flipped(files: Files, name: str, chance: Random) -> Files:
    lines = [*files[name]]
    at = chance.randrange(len(lines))
    place = chance.randrange(len(lines[at]))
    wrong = lines[at][place] ^ (1 << chance.randrange(8))
    wrong = wrong if wrong != 10 else 11
    lines[at] = lines[at][:place] + bytes([wrong]) + lines[at][place + 1 :]
    return {**files, name: lines}


def _order(files: Files, chance: Random, night: str, _: Key) -> Files:
    """Lines gone, doubled, exchanged or inserted, each to the last sign as it was."""
    path = f"{night}/{FILE}"
    lines = [*files[path]]
    one, two = sorted(chance.sample(range(len(lines)), 2))
    match chance.choice(["gone", "doubled", "exchanged", "inserted"]):
        case "gone":
            del lines[one:two]
        case "doubled":
            lines.insert(one, lines[one])
        case "exchanged":
            lines[one], lines[two] = lines[two], lines[one]
        case "inserted":
            lines.insert(one, lines[two])
    return {**files, path: lines}


def _signatures(files: Files, chance: Random, night: str, _: Key) -> Files:
    """A signature altered, swapped, copied or empty, or another `prev`; the lines after it may
    follow that."""
    path = f"{night}/{FILE}"
    lines = lines_in(files[path])
    one, two = (lines[at] for at in chance.sample(range(len(lines)), 2))
    match chance.choice(["altered", "swapped", "copied", "empty", "prev"]):
        case "altered":
            one[SIGNATURE] = _other_sign(one[SIGNATURE], chance)
        case "swapped":
            one[SIGNATURE], two[SIGNATURE] = two[SIGNATURE], one[SIGNATURE]
        case "copied":
            one[SIGNATURE] = two[SIGNATURE]
        case "empty":
            one[SIGNATURE] = ""
        case "prev":
            one["prev"] = chance.choice([two[SIGNATURE], "", _other_sign(two[SIGNATURE], chance)])
            return {**files, path: [canonical(line) + b"\n" for line in lines]}
    if chance.random() < 0.5:
        return {**files, path: linked(lines, previous_of(files, night))}
    return {**files, path: [canonical(line) + b"\n" for line in lines]}


def _other_sign(text: str, chance: Random) -> str:
    """A signature of the right form, one sign of which is another."""
    at = chance.randrange(85)
    return text[:at] + chance.choice("abcdefgh".replace(text[at], "")) + text[at + 1 :]


def _another_key(files: Files, chance: Random, night: str, _: Key) -> Files:
    """A night that a stranger signed: whole, with his key in its first line, or from a line on."""
    path = f"{night}/{FILE}"
    lines, first = lines_in(files[path]), chance.randrange(len(files[path]) - 1)
    if chance.random() < 0.5:
        lines[0]["do"]["key"] = public_key(STRANGER)
        return signed(files, night, lines, STRANGER)
    strange = signed(files, night, lines, STRANGER)[path]
    return {**files, path: [*files[path][:first], *strange[first:]]}


def _kept_heads(files: Files, chance: Random, night: str, _: Key) -> Files:
    """The kept heads altered, cut, doubled, in another order, of another night or key, or with
    something after them."""
    name = f"{night}/{HEADS}"
    heads = each_head(files, night)
    other = each_head(files, NIGHTS[1 - NIGHTS.index(night)])
    at = chance.randrange(len(heads))
    ways = ["bit", "cut", "doubled", "order", "night", "stranger", "size", "junk"]
    match chance.choice(ways):
        case "bit":
            return _flipped(files, name, chance)
        case "cut":
            heads[-1] = heads[-1][: chance.randrange(1, len(heads[-1]))]
        case "doubled":
            heads.insert(at, heads[at])
        case "order":
            heads.reverse()
        case "night":
            heads[at] = chance.choice(other)
        case "stranger":
            edge = Head().edge
            for raw in files[f"{night}/{FILE}"][: next(iter(sizes_in(heads[at])))]:
                edge = edge.grown(leaf_in(raw[:-1]))
            heads[at] = Signer.of(STRANGER, int(night)).note(edge).encode()
        case "size":
            size = next(iter(sizes_in(heads[at])))
            heads[at] = heads[at].replace(b"\n%d\n" % size, b"\n%d\n" % (size + 1))
        case "junk":
            heads.append(chance.choice([b"\n", b" ", b"x", b"\r\n"]))
    return {**files, name: b"".join(heads).splitlines(keepends=True)}


def each_head(files: Files, night: str) -> list[bytes]:
    """The heads that are kept of a night, one by one."""
    text = b"".join(files[f"{night}/{HEADS}"])
    sizes = [*sizes_in(text)]
    ends = [0, *(len(heads_up_to(text, size)) for size in sizes)]
    return [text[start:end] for start, end in pairwise(ends)]


def _tail(files: Files, chance: Random, night: str, _: Key) -> Files:
    """A journal that ends before a head that was kept."""
    newest = max(sizes_in(b"".join(files[f"{night}/{HEADS}"])))
    path = f"{night}/{FILE}"
    return {**files, path: files[path][: chance.randrange(newest)]}


def _copy(files: Files, chance: Random, night: str, _: Key) -> Files:
    """A copy altered or gone."""
    copies = [name for name in files if name.startswith(night) and COPY.fullmatch(name[5:])]
    name = chance.choice(copies)
    if chance.random() < 0.5:
        return _flipped(files, name, chance)
    return {other: lines for other, lines in files.items() if other != name}


def _long(files: Files, chance: Random, night: str, key: Key) -> Files:
    """A sign in a line whose entry is too long for a tile."""
    path = f"{night}/{FILE}"
    lines = lines_in(files[path])
    at = chance.randrange(len(lines) - 1)
    lines[at]["by"] = "x" * (LONGEST_ENTRY + 1)
    out = signed_again(files, night, lines, key)
    raw = [*out[path]]
    raw[at] = raw[at].replace(b"xx", b"xy", 1)
    return {**out, path: raw}


# These may leave what a power cut leaves of the last line: then no file shows them.
OF_JOURNALS: tuple[OfFiles, ...] = (_byte, _byte, _order, _signatures, _signatures)
OF_FILES: tuple[OfFiles, ...] = (_another_key, _kept_heads, _kept_heads, _tail, _copy, _long)


def _is_torn(files: Files, forgery: Files) -> bool:
    """Whether a forgery is the record, all but what follows a last good line."""
    path = f"{NIGHTS[-1]}/{FILE}"
    same = all(forgery.get(name) == lines for name, lines in files.items() if name != path)
    return same and b"".join(files[path]).startswith(b"".join(forgery[path][:-1]))


def forged(
    files: Files,
    chance: Random,
    key: Key,
    draw: Sequence[Forge] = OF_THE_DRAW,
) -> tuple[str, Files]:
    """One forgery of a record that its files show, and its name.

    Args:
        key: the station's, which only some forgers have.
        draw: the forgeries that its lines allow.
    """
    while True:
        night = chance.choice(NIGHTS)
        kind = chance.choice(["line", "line", "signed", "journal", "journal", "files"])
        if kind == "files":
            of = chance.choice(OF_FILES)
            return f"{of.__name__} {night}", of(files, chance, night, key)
        if kind == "signed":
            if not _is_fresh(files):
                told = chance.choice([one for one in draw if one not in SIGNED_WELL])
                return forged_line(files, chance, told, night, key)
            continue
        if kind == "line":
            what, forgery = forged_line(
                files, chance, chance.choice((*draw, *OF_THE_RECORD)), night
            )
        else:
            of = chance.choice(OF_JOURNALS)
            what, forgery = f"{of.__name__} {night}", of(files, chance, night, key)
        if not _is_torn(files, forgery):
            return what, forgery


# What the rules of the draw alone do not show, when the station's own key has signed it.
SIGNED_WELL: tuple[Forge, ...] = (_another_binding, _another_hand, another_law)


def _is_fresh(files: Files) -> bool:
    """Whether the secrets were committed to by nothing: another one may give the same number."""
    return any(b'"way":"fresh"' in line for night in NIGHTS for line in files[f"{night}/{FILE}"])


def signed_anew(files: Files, key: Key, chance: Random) -> tuple[str, Files, list[str]]:
    """A forgery of the last night by whoever has the key, or that cuts off the end with its
    heads: no file shows it; heads that somebody kept do."""
    night = NIGHTS[-1]
    path, shown = f"{night}/{FILE}", shown_in(files, night)
    size = len(shown)
    at = chance.randrange(1, size - 1)
    kept = [shown[seen - 1] for seen in (chance.randrange(at + 1, size + 1), at)]
    if chance.random() < 0.5:
        others = {name: lines for name, lines in files.items() if not name.startswith(night)}
        return f"cut {night}:{at}", {**others, **until(files, night, at)}, kept
    lines = lines_in(files[path])
    lines[at]["by"] = "Eve"
    return f"split {night}:{at + 1}", signed_again(files, night, lines, key), kept
