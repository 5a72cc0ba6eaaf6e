"""Bad input over the real command line and wire, beside a game in play: refused with place and
reason, nothing changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import EXIT_NO, EXIT_USAGE
from station.base.nouns import Card
from station.cards.pack import Pack, make_pack
from station.cards.pack_layouts import PackLayout
from station.commands.tools import Where, ask, tell
from station.programme.programme import GamePlan, Programme, StagePlan
from station.wire.wire import SOCKET, Client, Message, decode, short_path
from tests.cards.test_pack_files import FIG, LINE, OTHER, WRITTEN, csv
from tests.commands.test_app import Loto, core_in_a_thread, loto

__all__ = ["loto"]

PACK = Pack([Card("0001", FIG.rows), *make_pack(2).cards()[1:]])
STAGES = (StagePlan(pattern="row", share=40), StagePlan(pattern="full"))
PROGRAMME = Programme(
    name="t",
    games=(GamePlan(name="one", price=150, stages=STAGES, tickets=True),) * 2,
    approve_above=100,
)
CALLED = (5, 11, 33, 50)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The state folder of a station in mid-game: 0001 wants one number for a row."""
    folder = tmp_path_factory.mktemp("station")
    with core_in_a_thread(folder, PROGRAMME, PACK):
        tell(Where(folder), "sell", serials=["0001", "0002"], to="Anna", by="Ben")
        tell(Where(folder), "open")
        for number in CALLED:
            tell(Where(folder), "draw", number=number)
        yield folder


@pytest.fixture
def nothing_changes(state: Path) -> Iterator[None]:
    """Every file is afterwards as it was before, byte for byte; so are game, money and claims."""

    def seen() -> tuple[Any, ...]:
        files = {path: path.read_bytes() for path in sorted(state.rglob("*")) if path.is_file()}
        return files, ask(Where(state), "night"), ask(Where(state), "claims")

    before = seen()
    yield
    assert seen() == before


# -- card files ------------------------------------------------------------------------------------

CUT = WRITTEN[PackLayout.GRID].encode()
FAULTY_CARDS: dict[str, tuple[bytes, list[str]]] = {
    "a serial twice": (
        csv(LINE, OTHER.replace("8,", "7,", 1)).encode(),
        ["3: card 7: this serial stands on line 2 already"],
    ),
    "a card twice": (
        csv(LINE, LINE.replace("7,", "8,", 1)).encode(),
        ["3: card 8: the same numbers stand on line 2 already"],
    ),
    "fourteen numbers": (
        csv(LINE, OTHER.removesuffix(",47")).encode(),
        ["3: card 8: 14 numbers instead of 15"],
    ),
    "a wrong column": (
        WRITTEN[PackLayout.CELLS].replace("5,11,,33", "5,,11,33").encode(),
        ["1: card 7: row 1, column 3: 11 belongs in column 2"],
    ),
    "0": (
        csv(LINE, OTHER.replace(",1,", ",0,")).encode(),
        ["3: card 8: row 1: 0 is not between 1 and 90"],
    ),
    "91": (
        csv(LINE, OTHER.replace(",47", ",91")).encode(),
        ["3: card 8: row 3: 91 is not between 1 and 90"],
    ),
    "several": (
        csv(LINE.removesuffix(",74"), OTHER.replace(",47", ",91")).encode(),
        ["2: card 7: 14 numbers instead of 15", "3: card 8: row 3: 91 is not between 1 and 90"],
    ),
    "a wrong encoding": (
        csv(LINE, OTHER).encode() + "Sälé".encode() + b"\xe4",
        ["4: not UTF-8 at byte"],
    ),
    "zero bytes": (
        csv(LINE).encode() + bytes(20),
        ["3: zero bytes: the file is damaged"],
    ),
    "half a file": (
        CUT[: len(CUT) * 2 // 3],
        ["4: card 8 has only 1 of 3 rows: the file is cut off here"],
    ),
    "half a line": (
        csv(LINE, OTHER[: len(OTHER) // 2]).encode(),
        ["3: card 8: 8 numbers instead of 15"],
    ),
    "nothing": (b"", ["1: "]),
}


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    "words",
    [("pack", "check"), ("pack", "import", "--replace"), ("rehearse", "tambola", "--pack")],
    ids=" ".join,
)
@pytest.mark.parametrize("fault", FAULTY_CARDS)
def test_faulty_cards(
    loto: Loto, state: Path, tmp_path: Path, fault: str, words: tuple[str, ...]
) -> None:
    """Checked, imported over the pack in use, rehearsed with: each fault with file, line and
    reason; the pack stays."""
    data, says = FAULTY_CARDS[fault]
    file = tmp_path / "series.csv"
    file.write_bytes(data)
    refused = loto(*words, file, *(("--state", state) if "import" in words else ()))
    assert (refused.code, refused.out) == (EXIT_USAGE, "")
    told = refused.err.splitlines()
    assert len(told) == len(says)
    for line, place_and_reason in zip(told, says, strict=True):
        assert line.startswith(f"series.csv:{place_and_reason}")


# -- programmes ------------------------------------------------------------------------------------

GAMES = 'name = "x"\n[[games]]\nname = "a"\n[[games]]\nname = "b"\n'
FAULTY_PROGRAMMES: dict[str, tuple[bytes, list[str]]] = {
    "a price of -1": (
        f"{GAMES}price = -1\n".encode(),
        ["game 2 (b), price: it is -1; 0 is the least"],
    ),
    "prizes of 110 %": (
        (
            f'{GAMES}stages = [{{ pattern = "row", share = 60 }},'
            ' { pattern = "full", share = 50 }]\n'
        ).encode(),
        ["game 2 (b): the stages take 110 %"],
    ),
    "a prize of 110 %": (
        f'{GAMES}stages = [{{ pattern = "row", share = 110 }}]\n'.encode(),
        ["game 2 (b), stage 1, share: it is 110; 100 is the most"],
    ),
    "shares of 110 %": (
        f"shares = {{ house = 60, charity = 50 }}\n{GAMES}".encode(),
        ["shares: house, charity and jackpot take 110 %"],
    ),
    "two faults": (
        f"{GAMES}price = -1\njackpot = {{ within = 91 }}\n".encode(),
        ["game 2 (b), price: it is -1", "game 2 (b), jackpot, within: it is 91; 90 is the most"],
    ),
    "a wrong encoding": (f"{GAMES}# Säle".encode("latin-1"), ["not TOML: "]),
    "half a file": (f"{GAMES}price = 1".encode()[:-4], ["not TOML: "]),
    "half of its tables": (GAMES[: GAMES.index("[[")].encode(), ["games: is missing"]),
}
WITH_PROGRAMME = [
    ("programme", "check"),
    ("programme", "show"),
    ("rehearse",),
    ("config", "check"),
    ("core",),
]


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("words", WITH_PROGRAMME, ids=" ".join)
@pytest.mark.parametrize("fault", FAULTY_PROGRAMMES)
def test_faulty_programmes(loto: Loto, tmp_path: Path, fault: str, words: tuple[str, ...]) -> None:
    """Checked, shown, rehearsed, or a station started with it: each fault by file and place, and no
    night begins."""
    data, says = FAULTY_PROGRAMMES[fault]
    file, settings, fresh = tmp_path / "night.toml", tmp_path / "station.toml", tmp_path / "fresh"
    file.write_bytes(data)
    settings.write_text('[game]\nprogramme = "night.toml"\n')
    given = {"config": ("--config", settings), "core": ("--config", settings, "--state", fresh)}
    refused = loto(*words, *given.get(words[0], (file,)))
    assert (refused.code, refused.out) == (EXIT_USAGE, "")
    title, *told = refused.err.splitlines()
    assert str(file) in title
    assert len(told) == len(says)
    for line, place_and_reason in zip(told, says, strict=True):
        assert line.startswith(f"  - {place_and_reason}")
    assert not [*fresh.glob("nights/*")]


# -- at the desk -----------------------------------------------------------------------------------

FOURTEEN = ",".join(map(str, sorted(FIG.numbers)[:14]))
NO_CARD = "'9999' is no card of this pack"
AT_THE_DESK: list[tuple[tuple[object, ...], int, str]] = [
    (("claim", "9999"), EXIT_NO, NO_CARD),
    (("check", "9999"), EXIT_NO, NO_CARD),
    (("sell", "9999"), EXIT_NO, NO_CARD),
    (("sell", "0003-9999"), EXIT_NO, NO_CARD),
    (("sell", "0003", "0003"), EXIT_NO, "card 0003 is named twice"),
    (("return", "9999"), EXIT_NO, NO_CARD),
    (("pay", "9999"), EXIT_NO, NO_CARD),
    (("approve", "9999", "--who", "Carla"), EXIT_NO, NO_CARD),
    (("claim", "--numbers", FOURTEEN), EXIT_NO, "14 numbers"),
    (("claim", "--numbers", "0,5,11,33,50"), EXIT_USAGE, "'0' is no number from 1 to 90"),
    (("claim", "--numbers", "5,11,33,50,91"), EXIT_USAGE, "'91' is no number from 1 to 90"),
    (("claim", "--numbers", "5,5,11,33,50"), EXIT_USAGE, "5 is given twice"),
    (("do", "draw", 0, "--yes"), EXIT_USAGE, "draw 0: not a number from 1 to 90"),
    (("do", "draw", 91, "--yes"), EXIT_USAGE, "draw 91: not a number from 1 to 90"),
    (("do", "draw", 5, "--yes"), EXIT_NO, "5 was called already: it was call 1"),
    (
        ("sell", "--tickets", "-1"),
        EXIT_USAGE,
        "'--tickets': it must be at least 0",
    ),
    (("count", "Ben", "-1.00"), EXIT_USAGE, "No such option: -1"),
    (("redeem", "-1.00"), EXIT_USAGE, "No such option: -1"),
    (("bank", "house", "-1.00"), EXIT_USAGE, "No such option: -1"),
]


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("words", "code", "says"),
    AT_THE_DESK,
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_faulty_orders(
    loto: Loto, state: Path, words: tuple[object, ...], code: int, says: str
) -> None:
    """Claims, sale and money with what cannot be: what is wrong with which word."""
    refused = loto(*words, "--state", state)
    assert (refused.code, refused.out) == (code, "")
    assert says in refused.err


# -- on the wire -----------------------------------------------------------------------------------

NUMBERS = sorted(FIG.numbers)
ON_THE_WIRE: list[tuple[Message, str, str]] = [
    ({"act": "claim", "serial": "9999"}, "not-in-pack", "card 9999 is not in the pack"),
    ({"act": "claim"}, "unreadable", "claim.serial: "),
    ({"act": "claim-ticket", "numbers": NUMBERS[:14]}, "ticket-length", "14 numbers were keyed"),
    (
        {"act": "claim-ticket", "numbers": [0, 5, 11, 33, 50]},
        "unreadable",
        "claim-ticket.numbers.0: ",
    ),
    (
        {"act": "claim-ticket", "numbers": [5, 11, 33, 50, 91]},
        "unreadable",
        "claim-ticket.numbers.4: ",
    ),
    (
        {"act": "claim-ticket", "numbers": [5, 5, 11, 33, 50]},
        "unreadable",
        "claim-ticket.numbers: 5 stands there twice",
    ),
    ({"act": "draw", "number": 0}, "unreadable", "draw.number: "),
    ({"act": "draw", "number": 91}, "unreadable", "draw.number: "),
    ({"act": "draw", "number": 5}, "already-drawn", "5 was called already"),
    (
        {"act": "sell", "serials": ["9999"]},
        "not-in-pack",
        "card 9999 is not in the pack: nothing was sold",
    ),
    (
        {"act": "sell", "serials": ["0003", "9999"]},
        "not-in-pack",
        "card 9999 is not in the pack: nothing was sold",
    ),
    (
        {"act": "sell", "serials": ["0003", "0003"]},
        "sold-already",
        "card 0003 stands there twice: nothing was sold",
    ),
    ({"act": "sell", "tickets": -1}, "unreadable", "sell.tickets: "),
    (
        {"act": "sell", "serials": ["0003"], "price": -1},
        "unreadable",
        "sell.price: there is no such setting",
    ),
    ({"act": "count-cash", "by": "Ben", "amount": -1}, "unreadable", "count-cash.amount: "),
    ({"act": "redeem", "amount": -1}, "unreadable", "redeem.amount: "),
    ({"act": "bank", "account": "house", "amount": 1.5}, "unreadable", "bank.amount: "),
    ({"act": "pay", "serial": "9999"}, "nothing-owed", "card 9999 is owed nothing"),
    ({"act": "win", "serial": "0001"}, "not-your-role", "win: "),
]


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("act", "reason", "says"),
    ON_THE_WIRE,
    ids=lambda given: json.dumps(given) if isinstance(given, dict) else "",
)
def test_faulty_acts(state: Path, act: Message, reason: str, says: str) -> None:
    """Whatever another program sends as an act: the answer names what is wrong, with its reason."""

    async def sent() -> Message:
        async with await Client.open(state / "run" / SOCKET, "admin") as client:
            return await client.request({"do": act})

    answer = asyncio.run(sent())
    assert answer.keys() == {"id", "lang", "refused"}
    assert answer["refused"]["reason"] == reason
    assert says in answer["refused"]["say"]


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"id": "1", "do": {"act": "claim", "ser', "not JSON"),
        (
            '{"id": "1", "do": {"act": "sell", "serials": ["0003"], "to": "Zoë"}}'.encode(
                "latin-1"
            ),
            "not JSON",
        ),
        (b'["do"]', "object"),
    ],
    ids=["half a line", "a wrong encoding", "a list"],
)
def test_faulty_lines(state: Path, line: bytes, says: str) -> None:
    """Half a line, Latin letters, no object: refused as what they are."""

    async def sent() -> bytes:
        with short_path(state / "run" / SOCKET) as short:
            reader, writer = await asyncio.open_unix_connection(short)
        writer.write(b'{"hello": {"as": "admin"}}\n' + line + b"\n")
        async with asyncio.timeout(10):
            while b"refused" not in (answer := await reader.readline()):
                assert answer
        writer.close()
        return answer

    refused = decode(asyncio.run(sent()))["refused"]
    assert says in refused["say"]
