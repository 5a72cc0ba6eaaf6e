"""Nights as they were before leaves were committed to: each bag has an order, in a file of its own;
and forgeries of those files and of what the lines say of them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from station.night.bag import Bag
from station.programme.programme import Programme
from station.record.checkpoint import make_key
from station.record.journal import FILE
from station.record.requests import Command
from station.record.session import Session
from tests.company import NAMES, PACK, SECOND
from tests.drill.sender import certain
from tests.screens.web.forged.records import NIGHTS, Files, resealed
from tests.support import ADMIN, CLOCK, Told, bag_of_before, night_in, run, shuffled_bag

TABLES = Programme(name="Tables", games=(SECOND,))
SIT = {"act": "sit", "players": [{"name": name} for name in NAMES[:3]]}


def play_before(state: Path, seed: int) -> None:
    """Play two nights of two games from bags of before: the first is closed, of the second the last
    game is open; or a night at a table, whose bag is shaken and in which a drawing is on."""
    key, chance = make_key(state), Random(seed)

    def go_on(acts: list[Any], what: str = "") -> None:
        """Do this after a start, from a new bag of before if it is said for what."""
        with night_in(state, key=key) as night:
            if what:
                bag_of_before(night, what, chance.randrange(1 << 30))
            session = Session(night, Told(), CLOCK, chance, key)
            for step, act in enumerate(acts):
                do = {"act": act} if isinstance(act, str) else act
                name = f"{night.hall.night}-{session.seq}-{step}"
                via = "button:draw" if act == "draw" else "wire"
                run(session.submit(certain(session, Command.read(name, do, ADMIN, via))))

    if seed % 3 == 2:
        with night_in(state, programme=TABLES, key=key, new=True, pack=PACK):
            pass
        go_on([SIT, "open"])
        go_on(["draw"] * chance.randrange(4, 9), "shake")
        return
    for last in (False, True):
        with night_in(state, key=key, new=True):
            pass
        for game in (1, 2):
            out = chance.randrange(1, 91)
            acts: list[Any] = [*["draw"] * chance.randrange(3, 6), "undo", "draw"]
            acts += [{"act": "draw", "number": out}, "draw", "undo", "draw", "draw"]
            go_on(acts if last and game == 2 else [*acts, "close"], "open")
        if not last:
            go_on(["close-night"])


def forged_bag(files: Files, chance: Random) -> tuple[str, Files]:
    """One forgery of a bag, and its name."""
    out = {name: list(lines) for name, lines in files.items()}
    bags = sorted(name for name in files if "/bag-" in name)
    name = chance.choice(bags)
    data = b"".join(files[name])
    match kind := chance.choice(["gone", "byte", "order", "foreign", "more", "digest", "anew"]):
        case "gone":
            del out[name]
        case "byte":
            place = chance.randrange(len(data) - 1)
            out[name] = [data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]]
        case "order":
            out[name] = [_another(data, chance).to_json().encode()]
        case "foreign":
            other = [files[bag] for bag in bags if bag != name]
            out[name] = chance.choice(other or [[shuffled_bag(chance).to_json().encode()]])
        case "more":
            night = name.split("/")[0]
            out[f"{night}/bag-{chance.choice(['7', '7-1', '12-3'])}.json"] = files[name]
        case "digest" | "anew":
            # In the line, too, with every sum made right again, as somebody without the key can.
            bag = _another(data, chance)
            path = f"{name.split('/')[0]}/{FILE}"
            was = {"digest": "", "anew": bag.to_json()}[kind]
            out[name] = [was.encode()] if was else out[name]
            lines = [json.loads(line) for line in files[path]]
            digest = _bag(data).commitment
            for line in lines:
                if line["do"].get("bag") == digest:
                    line["do"]["bag"] = bag.commitment
            out[path] = resealed(lines, lines[0]["prev"])
    return f"{kind} {name}", out


def forged_call(files: Files, chance: Random) -> tuple[str, Files]:
    """A number that the bag had not next, and its name; at a table the rules alone tell of it."""
    path = f"{chance.choice([night for night in NIGHTS if f'{night}/bag-1.json' in files])}/{FILE}"
    lines = [json.loads(line) for line in files[path]]
    calls = [line for line in lines if line["do"]["act"] == "draw"]
    line = chance.choice([line for line in calls if line["via"].startswith("button")])
    line["do"]["number"] = chance.choice([*{*range(1, 91)} - {line["do"]["number"]}])
    return f"number {path}:{line['seq']}", {**files, path: resealed(lines, lines[0]["prev"])}


def _bag(data: bytes) -> Bag:
    told = json.loads(data)
    return Bag(tuple(told["order"]), told["salt"])


def _another(data: bytes, chance: Random) -> Bag:
    """A bag that is reversed, shuffled, exchanged in two places, or has another salt."""
    bag = _bag(data)
    order = list(bag.order)
    match chance.choice(["reversed", "shuffled", "two", "salt"]):
        case "reversed":
            order.reverse()
        case "shuffled":
            chance.shuffle(order)
        case "two":
            one, two = chance.sample(range(len(order)), 2)
            order[one], order[two] = order[two], order[one]
        case "salt":
            return Bag(bag.order, f"{chance.getrandbits(128):032x}")
    return Bag(tuple(order), bag.salt)
