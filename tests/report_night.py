"""A night with something of everything for the treasurer, played through the real session: the
tests of the reports read it."""

from __future__ import annotations

import json
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from station.cards.pack import Pack, make_pack
from station.night.acts import Act, act_to_json
from station.night.hall import Hall, apply, followed
from station.night.opening import opened
from station.paper.reports.record import read_record
from station.paper.reports.report import ReportSource
from station.paper.reports.report_source import in_play
from station.people.roles import STATION
from station.programme.programme import Programme
from station.record.chain import START, seal
from station.record.heads import Signer
from station.record.nights import StateFolder, begin
from station.record.requests import Command
from station.record.session import Session
from station.record.station_key import make_key
from tests.drill.sender import certain
from tests.support import ADMIN, CLOCK, OPENING, STATION_KEY, Told, run, small_pack

SIGNER = Signer.of(STATION_KEY, 1)

PROGRAMME = Programme.model_validate(
    {
        "name": "Night of everything",
        "shares": {"house": 10, "charity": 10, "jackpot": 5},
        "approve_above": 300,
        "games": [
            {"name": "Lines", "price": 100},
            {
                "name": "The hamper",
                "price": 100,
                "at_once": True,
                "jackpot": {"within": 90, "least": 500},
                "stages": [
                    {"pattern": "row", "name": "Line"},
                    {"pattern": "full", "name": "House", "thing": "a hamper"},
                ],
            },
            {
                "name": "Tickets",
                "price": 50,
                "tickets": True,
                "stages": [{"pattern": "row", "share": 40}, {"pattern": "full"}],
            },
            {"name": "Never opened", "price": 100},
        ],
    }
)
# Of the pack: card 0001 is 12 43 52 65 80 / 18 23 46 73 81 / 3 24 36 55 77; card 0010, which
# sleeps, 4 17 33 55 65 / 7 18 42 58 68 / …; card 0008 bears 3 too.
TIED = ("0001", "0008")
WRONG, SLEEPER, SLEPT_AT = 90, "0010", 14
FIRST = (12, 43, 52, 65, 80, 4, 17, 33, 55, 7, 18, 42, 58, 68, 23, 46, 73, 81, 3, 24, 36, 77)
LINE = (12, 43, 52, 65, 80)


@cache
def pack() -> Pack:
    """Twenty-four cards, always the same."""
    return make_pack(4, Random(3))


def hamper_calls() -> list[int]:
    """The numbers after the line until both tied cards are complete, on 3."""
    both = pack().card(TIED[0]).numbers | pack().card(TIED[1]).numbers
    return [*sorted(both - {*LINE, 3}), 3]


def acts() -> list[Any]:
    """The night, act by act; a number is a draw."""
    return [
        {"act": "census", "found": list(range(1, 90)), "who": "Cat"},
        {"act": "waive", "about": "census", "who": "Cat", "why": "90 is in the post"},
        {
            "act": "self-test",
            "parts": [
                {"what": "voice", "result": "good"},
                {"what": "lamp", "result": "fault", "say": "dark"},
            ],
        },
        {"act": "note", "about": "reader", "what": "unplugged"},
        {"act": "sell", "ranges": [["0001", "0006"]], "to": "Anna", "by": "Ben", "games": 3},
        {"act": "sell", "ranges": [["0007", "0012"]], "by": "Ben", "games": 2},
        {"act": "sell", "serials": ["0013"], "to": "=Zoë 木", "by": "Cat"},
        {"act": "return", "serials": ["0012"], "by": "Ben"},
        {"act": "count-cash", "by": "Ben", "amount": 2495},
        "open",  # 12 cards at 1.00
        WRONG,
        WRONG - 1,
        {"act": "undo", "why": "nor this one"},
        {"act": "undo", "why": "the knob was\nnot this one"},
        *FIRST[:5],
        {"act": "claim", "serial": "0013"},
        {"act": "claim", "serial": "0001"},
        "play-on",
        {"act": "pay", "serial": "0001", "means": "voucher"},
        *FIRST[5:18],
        {"act": "claim", "serial": "0001"},
        "play-on",
        *FIRST[18:],
        {"act": "claim", "serial": "0001"},
        "play-on",
        {"act": "approve", "serial": "0001", "who": "Dora"},
        {"act": "pay", "serial": "0001", "who": "Ben"},
        "close",
        "open",  # 11 cards at 1.00
        *LINE,
        {"act": "claim", "serial": "0001"},
        "play-on",
        *hamper_calls(),
        {"act": "claim", "serial": "0008"},
        {"act": "claim", "serial": "0001"},
        "play-on",
        {"act": "lots", "stage": "full", "knobs": [["0001", 17], ["0008", 80]]},
        {"act": "pay", "serial": "0008"},
        "close",
        {"act": "sell", "tickets": 4, "by": "Cat"},
        {"act": "sell", "serials": ["0020"], "by": "Cat", "vouchers": 50},
        "open",  # 7 cards and 4 tickets at 0.50
        *range(1, 6),
        {"act": "claim-ticket", "numbers": [5, 4, 3, 2, 1], "name": "Lea"},
        "play-on",
        {"act": "pay", "serial": "ticket-3-1"},
        6,
        7,
        {"act": "break", "why": "the lights went out"},
        {"act": "pay", "serial": "0002"},
        {"act": "redeem", "amount": 100},
        {"act": "bank", "account": "charity", "amount": 150},
        "close-night",
    ]


def play(state: Path) -> Path:
    """Plays it into this state folder; every end is signed."""
    folder = StateFolder(state, least_room=0)
    with closing(folder):
        key = make_key(state)
        night = begin(folder, pack(), PROGRAMME, OPENING, key=key)
        with closing(night.journal):
            session = Session(night, Told(), CLOCK)
            for number, act in enumerate(acts()):
                do = (
                    {"act": act}
                    if isinstance(act, str)
                    else {"act": "draw", "number": act}
                    if isinstance(act, int)
                    else act
                )
                who = STATION if do["act"] in ("note", "census", "self-test") else ADMIN
                answer = run(
                    session.submit(certain(session, Command.read(f"c{number}", do, who, "wire")))
                )
                assert "ok" in answer.to_json(), (do, answer)
    return state


class Remembered:
    """A night played in memory, with its lines as the journal would hold them."""

    def __init__(self, programme: Programme, pack: Pack | None = None) -> None:
        self.hall = Hall(pack or small_pack(), programme)
        self.lines: list[dict[str, Any]] = []
        self._head = START
        self._line({"act": "open-night", "version": "1"}, opened(self.hall))

    def do(self, act: Act) -> None:
        after = apply(self.hall, act)
        self._line(act_to_json(act), followed(self.hall, after))
        self.hall = after

    def _line(self, do: dict[str, Any], then: dict[str, Any]) -> None:
        at = {"wall": "2023-11-14T22:13:20.000Z", "trust": "network"}
        who = {"id": str(len(self.lines)), "mono": 0.0, "by": "Ann", "via": "wire"}
        line, self._head, _ = seal({**who, "at": at, "do": do, "then": then}, self._head, SIGNER)
        self.lines.append(json.loads(line))

    def source(self) -> ReportSource:
        record = read_record(self.lines)
        pack = self.hall.pack
        return ReportSource(
            1,
            False,
            record,
            pack,
            self.hall.programme,
            self._head,
            0,
            SIGNER.public,
            tuple(in_play(pack, record)),
        )
