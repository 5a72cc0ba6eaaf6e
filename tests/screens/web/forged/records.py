"""Forge the lines of records: of the draw, of throws at a table, of heads and signatures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from station.night.sealed import by_digest, read_sealed
from station.proof.leaves import Way
from station.proof.merkle import Edge
from station.record import checkpoint, hidden
from station.record.chain import Head, seal
from station.record.heads import leaf_of, sign_head
from station.record.journal import FILE
from station.record.requests import Command, SeeNext
from station.record.session import Session
from station.record.station_key import Key, make_key
from tests.drill.sender import certain
from tests.sealed_halls import Organiser
from tests.support import ADMIN, CLOCK, Told, night_in, run

NIGHTS = ("0001", "0002")
Line = dict[str, Any]
Files = dict[str, list[bytes]]  # a night's journal, checkpoints and bags, by its folder and file
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
    for new, script in zip((False, True), SCRIPTS, strict=True):
        lives = script.split(" cut ")
        for place, life in enumerate(lives):
            with night_in(state, key=key, new=new and not place) as night:
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
    """The files of a record that are forged: journals and checkpoints."""
    return {
        f"{path.parent.name}/{path.name}": path.read_bytes().splitlines(keepends=True)
        for path in sorted((state / "nights").glob("*/*"))
        if path.name in (FILE, checkpoint.FILE)
    }


def until(files: Files, night: str, size: int) -> Files:
    """A night's files as they stood after so many lines."""
    raw = files[f"{night}/{FILE}"]
    lines = [json.loads(line) for line in raw]
    points = files.get(f"{night}/{checkpoint.FILE}", [])
    out = {f"{night}/{FILE}": raw[:size]}
    if signed := [point for point in points if json.loads(point)["seq"] <= size]:
        out[f"{night}/{checkpoint.FILE}"] = signed
    if sealed := [*_sealed(lines, size)]:
        out[f"{night}/{hidden.FILE}"] = sealed
    return out


def _sealed(lines: Sequence[dict[str, Any]], size: int) -> Iterator[bytes]:
    """What was sealed then of the hand that was on: the line that ends it has it."""
    dealt = {line["do"].get("move", {}).get("sealed") for line in lines[:size]}
    for line in lines[size:]:
        if parts := line["then"].get(hidden.UNSEALED):
            found = by_digest(read_sealed(part, "the end") for part in parts)
            yield from (hidden.line_of(part) for digest, part in found.items() if digest in dealt)
            return


# -- forgeries -------------------------------------------------------------------------------------


def resealed(lines: list[Line], previous: str) -> list[bytes]:
    """The lines with every sum made right again, as somebody without the key can."""
    head, out = Head(0, previous), []
    for line in lines:
        body = {name: said for name, said in line.items() if name not in ("seq", "prev", "sum")}
        raw, head = seal(body, head)
        out.append(raw)
    return out


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
    """A line rewritten after the head over it was signed."""
    line = lines[chance.randrange(len(lines) - 1)]
    line[chance.choice(["by", "id", "mono"])] = chance.choice(["Eve", "c-0", "x"])
    if isinstance(line["mono"], str):
        line["mono"] = 1.5


def _another_head(lines: list[Line], chance: Random) -> None:
    """A head altered, gone, of another line or night, or of a longer tree."""
    at = chance.randrange(1, len(lines))
    head, other = lines[at]["head"], chance.choice(lines[at + 1 :] or lines[:at])["head"]
    match chance.choice(["altered", "gone", "other", "night", "size", "root", "signature"]):
        case "altered":
            place = chance.randrange(len(head))
            lines[at]["head"] = head[:place] + chance.choice("0aZ/\n") + head[place + 1 :]
        case "gone":
            del lines[at]["head"]
        case "other":
            lines[at]["head"] = other
        case "night":
            lines[at]["head"] = head.replace("/night-000", "/night-001")
        case "size":
            lines[at]["head"] = head.replace(f"\n{at}\n", f"\n{at + 1}\n")
        case "root":
            lines[at]["head"] = head.replace(head.split("\n")[2], other.split("\n")[2])
        case "signature":
            lines[at]["head"] = head.replace(head.split(" ")[-1], other.split(" ")[-1])


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
    """What a table is committed to with. Not in the last line, which no line's head holds yet."""
    bound = [line["do"] for line in lines[:-1] if line["do"]["act"] in ("sit", "commit")]
    luck = chance.choice(bound)["luck"]
    match chance.choice(["root", "station", "leaves", "epoch", "way"]):
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
OF_THE_RECORD = (_another_line, _another_head, _another_head)
OF_THE_DRAW: tuple[Forge, ...] = (
    *(_altered, _altered, _altered, _swapped, _copied, _doubled, _another_root, _another_epoch),
    *(_other_words, _other_words, _another_seal, _another_seal),
)
# What has another order or is gone is found by the signatures; where none stands yet, and the draw
# allows it, by the rules, which the page does not play.
SIGNED_ALONE = (_deleted, _moved)


def forged(
    files: Files,
    chance: Random,
    draw: Sequence[Forge] = OF_THE_DRAW,
) -> tuple[str, Files]:
    """One forgery of a record, and its name.

    Args:
        draw: the forgeries that its lines allow.
    """
    out = {name: list(lines) for name, lines in files.items()}
    night = chance.choice(NIGHTS)
    kind = chance.choice(["line", "line", "line", "bytes", "signature"])
    if kind == "line":
        forge = chance.choice(
            (*draw, *OF_THE_RECORD, *(SIGNED_ALONE if night == NIGHTS[0] else ()))
        )
        return forged_line(files, chance, forge, night)
    name = f"{night}/{FILE if kind == 'bytes' else checkpoint.FILE}"
    lines = out[name]
    # the last line of the last night may be a torn one
    at = chance.randrange(len(lines) - (kind == "bytes"))
    if kind == "signature" and len(lines) > 1 and chance.random() < 0.3:
        del lines[at]
    else:
        place = chance.randrange(len(lines[at]) - 1)
        wrong = lines[at][place] ^ (1 << chance.randrange(7))
        wrong = wrong if wrong != 10 else 11
        lines[at] = lines[at][:place] + bytes([wrong]) + lines[at][place + 1 :]
    return f"{kind} {name}:{at + 1}", out


def forged_line(
    files: Files,
    chance: Random,
    forge: Forge,
    night: str = NIGHTS[0],
) -> tuple[str, Files]:
    """A record whose lines are forged in this way, with every sum made right again; its name."""
    path = f"{night}/{FILE}"
    lines = [json.loads(line) for line in files[path]]
    previous = lines[0]["prev"]
    forge(lines, chance)
    return f"{forge.__name__} {night}", {**files, path: resealed(lines, previous)}


def shown_in(files: Files, night: str) -> list[str]:
    """The heads that screens have shown in a night, all but the empty one's."""
    return [json.loads(line)["head"] for line in files[f"{night}/{FILE}"][1:]]


def signed_anew(files: Files, key: Key, chance: Random) -> tuple[str, Files, list[str]]:
    """A forgery of the last night by whoever has the key, or that cuts off the end with its
    signatures: no file shows it; heads that somebody kept do."""
    out, night = {name: list(lines) for name, lines in files.items()}, NIGHTS[-1]
    path, signatures = f"{night}/{FILE}", f"{night}/{checkpoint.FILE}"
    size = len(out[path])
    at = chance.randrange(1, size - 1)
    kept = [shown_in(files, night)[seen - 1] for seen in (chance.randrange(at + 1, size), at)]
    points = [checkpoint.parse(point, signatures) for point in out[signatures]]
    if chance.random() < 0.5:
        others = {name: lines for name, lines in out.items() if not name.startswith(night)}
        return f"cut {night}:{at}", {**others, **until(files, night, at)}, kept
    lines = [json.loads(line) for line in out[path]]
    head, edge, heads = Head(0, lines[0]["prev"]), Edge(), [Head()]
    out[path] = []
    for number, line in enumerate(lines):
        line |= {"by": "Eve"} if number == at else {}
        line["head"] = sign_head(key, int(night), edge)
        raw, head = seal({name: line[name] for name in line.keys() - {"seq", "prev", "sum"}}, head)
        edge = edge.grown(leaf_of(raw[:-1]))
        out[path].append(raw)
        heads.append(head)
    out[signatures] = [
        checkpoint.make(point.night, point.game, heads[point.seq], key) for point in points
    ]
    return f"split {night}:{at + 1}", out, kept
