"""A night of all acts there are, at the one door: each is recorded, replayed, verified, and done
once by its id."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from station.night.acts import Act
from station.people.pairings import key_of
from station.people.roles import STATION, Person, Role
from station.programme.programme import GamePlan, Programme, Shares, StagePlan, TablePlan
from station.proof.leaves import Way
from station.record.requests import Command, Refused, RenewLuck, SeeNext
from station.record.session import Session
from tests.drill.sender import certain
from tests.sealed_halls import Organiser
from tests.support import ADMIN, CLOCK, Told, night_in, run, small_pack, verify

EVE = Person("eve", Role.ADMIN)


def test_every_act_is_remembered_by_its_id_over_a_restart(tmp_path: Path) -> None:
    """One night with all acts there are: after a start each comes again, is answered as before, and
    nothing is done twice."""
    pack = small_pack()
    cards = pack.serials
    row = pack.card(cards[0]).rows[0]
    plan = GamePlan(
        name="One",
        price=100,
        stages=(StagePlan(pattern="row", share=50, thing="a ham"), StagePlan(pattern="full")),
        shares=Shares(house=10),
        tickets=True,
    )
    table = GamePlan(name="Table", method="loto-second", table=TablePlan(cards=12))
    programme = Programme(name="All", games=(*(plan,) * 3, table, plan), approve_above=80)
    draws = [{"act": "draw", "number": number} for number in row]
    ticket = {"act": "claim-ticket", "numbers": list(row), "name": "Zoe"}
    organiser = Organiser(tmp_path / "organiser")
    approved = [{"act": "approve", "about": "undo", "who": who} for who in ("Ben", "Eva")]
    acts: list[dict[str, Any]] = [
        {"act": "census", "found": list(range(1, 91)), "who": "Eva"},
        {"act": "self-test", "parts": [{"what": "board", "result": "good"}]},
        {"act": "waive", "about": "faults", "who": "Eva", "why": "it is late"},
        {"act": "note", "about": "reader", "what": "lost"},
        {
            "act": "sell",
            "ranges": [[cards[0], cards[3]]],
            "tickets": 2,
            "to": "Anna",
            "by": "Ben",
            "games": 3,
        },
        {"act": "return", "serials": [cards[3]], "tickets": 1, "by": "Ben"},
        {"act": "count-cash", "by": "Ben", "amount": 1200},
        {"act": "open"},
        *draws,
        {"act": "claim", "serial": cards[0]},
        ticket,
        {"act": "play-on"},
        {"act": "lots", "stage": "row", "knobs": [[cards[0], 3], ["ticket-1-1", 80]]},
        {"act": "approve", "serial": "ticket-1-1", "who": "Ben"},
        {"act": "pay", "serial": "ticket-1-1", "who": "Eva", "means": "voucher"},
        *approved,
        {"act": "undo", "why": "misread"},
        {"act": "recover", "serial": "ticket-1-1", "amount": 90},
        {"act": "redeem", "amount": 40},
        {"act": "bank", "account": "house", "amount": -500},
        {"act": "close"},
        {"act": "open"},
        {"act": "break", "why": "no light"},
        {"act": "approve", "serial": cards[1], "who": "Ben"},
        {"act": "pay", "serial": cards[1], "who": "Eva"},
        {"act": "sell", "serials": [cards[4]], "vouchers": 10},
        {"act": "take-sealed", "game": organiser.game.model_dump()},
        {"act": "open"},
        {"act": "take-keys", "first": 1, "keys": "".join(organiser.keys[:2])},
        {"act": "see"},
        {"act": "draw"},
        {"act": "stop"},
        {"act": "play-on"},
        {"act": "close"},
        {
            "act": "sit",
            "players": [{"name": "Anna"}, {"name": "Ben", "takes": 4, "simulated": True}],
        },
        {"act": "open"},
        {"act": "join", "name": "Carla", "purse": 3000, "simulated": True},
        {"act": "shake", "counted": 90},
        {"act": "mix", "words": "green horse"},
        {"act": "renew"},
        {"act": "waive", "about": "words", "who": "Anna", "why": "alone"},
        {"act": "draw"},
        {"act": "undo"},
        {"act": "commit"},
        {"act": "move", "move": {"do": "take", "seat": 1}},
        {"act": "break", "why": "no light"},
        {"act": "skip", "why": "too late"},
        {"act": "pair", "key": key_of("tablet"), "name": "Anna", "role": "seat", "seat": 1},
        {"act": "rename", "key": key_of("tablet"), "name": "Ben"},
        {"act": "unpair", "key": key_of("tablet"), "why": "lost"},
        {"act": "close-night"},
    ]
    by = {
        "renew": STATION,
        "commit": STATION,
        "note": STATION,
        "census": STATION,
        "self-test": STATION,
    }
    commands = [
        Command(f"{place}", SeeNext(), ADMIN, "wire")
        if act["act"] == "see"
        else Command.read(f"{place}", act, by.get(act["act"], ADMIN), "wire")
        for place, act in enumerate(acts)
    ]
    assert {act["act"] for act in acts} == {
        get_args(model.model_fields["act"].annotation)[0] for model in get_args(Act)
    }
    answers = []
    with night_in(tmp_path, programme=programme) as night:
        session = Session(night, Told(), CLOCK, way=Way.SHARED)
        for command in commands:
            if isinstance(command.act, RenewLuck):
                night.hall = session.hall
                session = Session(night, Told(), CLOCK)  # whose memory is empty
            answers.append(run(session.submit(certain(session, command))))
        assert [answer.to_json().get("seq") for answer in answers] == [*range(2, len(acts) + 2)]
        ended = session.hall
    with night_in(tmp_path) as night:
        told = Told()
        again = Session(night, told, CLOCK)
        assert again.hall == replace(ended, pack=again.hall.pack)
        assert [run(again.submit(command)) for command in commands] == answers
        others = [run(again.submit(replace(command, by=EVE))) for command in commands]
        assert {answer.reason for answer in others if isinstance(answer, Refused)} == {"id-used"}
        assert (len(others), told.acts) == (len(acts), [])
    assert verify(tmp_path)[0].lines == len(acts) + 1
