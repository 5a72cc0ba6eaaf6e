"""The files of a sealed game: its own, a hall's opening, the keys that are given out; forgeries of
them, and what both judges say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from station.base.errors import StoreError
from station.proof.sealed_game import SealedGame
from station.record import sealed_games
from station.record.chain import canonical
from station.record.heads import parse_head
from station.record.sealed_games import GivenKeys
from station.record.station_key import Key, public_key, sign
from tests.screens.web.forged.judges import PageJudge
from tests.screens.web.forged.records import other_digit
from tests.sealed_halls import Hall, Organiser

KINDS = ("game", "opening", "release")


@dataclass(frozen=True)
class SealedFiles:
    """The files of one sealed game, as bytes.

    Attributes:
        more: its openings and releases, with their kind.
    """

    game: bytes
    opening: bytes
    release: bytes
    more: tuple[tuple[str, bytes], ...] = ()

    def of(self, kind: str) -> bytes:
        data: bytes = getattr(self, kind)
        return data

    def each(self) -> Iterator[tuple[str, SealedFiles]]:
        """Each file that there is, in its place among the others, and its kind."""
        yield "game", self
        for kind, data in self.more:
            yield kind, self.having(kind, data)

    def having(self, kind: str, data: bytes) -> SealedFiles:
        """The same with another file of this kind."""
        files = {one: self.of(one) for one in KINDS} | {kind: data}
        return SealedFiles(files["game"], files["opening"], files["release"], self.more)


def make_sealed(folder: Path, seed: int) -> SealedFiles:
    """The files of a game of two halls, whose keys were given out in many parts."""
    folder.mkdir()
    organiser, chance = Organiser(folder / "organiser", seed), Random(seed)
    halls = [Hall(folder / f"hall-{place}", [place], seed) for place in range(2)]
    openings = [hall.open(organiser.game) for hall in halls]
    calls = [chance.randrange(2, 20), *chance.sample(range(1, 91), 30)]
    out = [("release", organiser.release(openings, many).to_bytes()) for many in calls]
    sent = [
        ("opening", data) for hall in halls for _, data in sealed_games.openings_of(hall.folder)
    ]
    return SealedFiles(organiser.path.read_bytes(), sent[0][1], out[0][1], (*sent, *out))


def sealed_judged(
    files: SealedFiles, kind: str, page: PageJudge, folder: Path
) -> tuple[bool, bool]:
    """Whether the station's program accuses one of the files, and whether the page's judge does."""
    page.ask(kind, game=files.game, **({} if kind == "game" else {"file": files.of(kind)}))
    accused = _accused(files, kind, folder)
    return accused, page.answer() is not None


def _accused(files: SealedFiles, kind: str, folder: Path) -> bool:
    path, released = folder / "game.sealed", folder / "game.keys"
    path.write_bytes(files.game)
    released.write_bytes(files.release)
    try:
        game = sealed_games.read_game(path)
        if kind == "opening":
            sealed_games.read_opening(files.opening, game, "opening")
        if kind == "release":
            sealed_games.read_release(released, game)
    except StoreError:
        return True
    return False


def forged_file(
    files: SealedFiles, other: SealedFiles, stranger: Key, chance: Random
) -> tuple[str, str, SealedFiles]:
    """One forgery of a file: what it is, which file, and all of them.

    Args:
        other: those of another game.
        stranger: a key that is not the organiser's.
    """
    kind = chance.choice(KINDS)
    data = files.of(kind)
    way = chance.choice(["bit", "bit", "field", "field", "foreign", "signed"])
    match way:
        case "bit":
            place = chance.randrange(len(data))
            wrong = bytes([data[place] ^ (1 << chance.randrange(7))])
            forged = data[:place] + wrong + data[place + 1 :]
        case "field":
            forged = _another(kind, data, chance)
        case "foreign":
            forged = other.of(kind)
            if kind == "game":
                mixed = {**json.loads(data), **_part(json.loads(forged), chance)}
                forged = canonical(mixed) + b"\n"
        case "signed":
            forged = _signed(kind, data, stranger, chance)
    return f"{kind}: {way}", kind, files.having(kind, forged)


def _part(told: dict[str, Any], chance: Random) -> dict[str, Any]:
    field = chance.choice(["organiser", "leaves", "sealed", "signature"])
    return {field: told[field]}


def _another(kind: str, data: bytes, chance: Random) -> bytes:
    """A field that is another, every sum made right again."""
    if kind == "opening":
        return _another_opening(data, chance)
    told = json.loads(data)
    field = chance.choice([*told, *(["fewer"] if kind == "release" else [])])
    match field:
        case "name":
            told["name"] = "Easter"
        case "until" | "begins":
            told[field] = told[field].replace("2023", {"until": "2033", "begins": "2013"}[field])
        case "halls":
            told["halls"] = chance.randbytes(32).hex()
        case "openings":
            station = chance.choice([*told["openings"]])
            told["openings"][station] = other_digit(told["openings"][station], chance)
        case "fewer":
            told["keys"] = told["keys"][:-32]
        case _:
            told[field] = other_digit(told[field], chance)
    return canonical(told) + b"\n"


def _another_opening(data: bytes, chance: Random) -> bytes:
    told = json.loads(data)
    entry = json.loads(told["entry"])
    match chance.choice(["by", "register", "seq", "entry", "path", "key", "head", "form", "gone"]):
        case "by":
            told["entry"] = canonical(entry | {"by": "Eve"}).decode()
        case "register":
            opening = entry["then"]["opening"]
            opening["register"] = other_digit(opening["register"], chance)
            told["entry"] = canonical(entry).decode()
        case "seq":
            told["entry"] = canonical(entry | {"seq": entry["seq"] + 1}).decode()
        case "entry":
            told["entry"] += " "
        case "path":
            told["path"] = chance.choice([other_digit(told["path"], chance), told["path"][64:]])
        case "key":
            told["key"] = other_digit(told["key"], chance)
        case "head":
            size = parse_head(told["head"]).size
            told["head"] = told["head"].replace(f"\n{size}\n", f"\n{size + 1}\n")
        case "form":
            told["form"] += "1"
        case "gone":
            del told[chance.choice(["entry", "head", "key", "path"])]
    return canonical(told) + b"\n"


def _signed(kind: str, data: bytes, stranger: Key, chance: Random) -> bytes:
    """The same, or nearly, signed by somebody else."""
    told = json.loads(data)
    match kind:
        case "game":
            game = SealedGame.model_validate(told | {"name": chance.choice(["Easter", "May"])})
            return game.model_copy(update={"signature": sign(stranger, game.signed)}).to_bytes()
        case "release":
            out = GivenKeys.model_validate(told)
            return out.model_copy(update={"signature": sign(stranger, out.signed)}).to_bytes()
    return canonical(told | {"key": public_key(stranger)}) + b"\n"
