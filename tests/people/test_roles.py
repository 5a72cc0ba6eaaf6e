"""Who may do what, act by act, and who is at the other end of the wire."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from station.base.errors import NotAllowed
from station.people.roles import (
    DEVICE,
    MAY,
    SELLER,
    STATION,
    AccessReason,
    Person,
    Right,
    Role,
    person_for,
)

ACTS = [
    "sell",
    "open",
    "draw",
    "stop",
    "claim",
    "play-on",
    "undo",
    "pay",
    "close",
    "close-night",
    "next-night",
    "auto",
    "repeat",
    "mute",
    "off",
    "note",
    "ask",
    "report",
    "receipt",
    "census-begin",
    "census-end",
    "self-test-begin",
    "self-test-end",
    "waive",
    "census",
    "self-test",
    "return",
    "count-cash",
    "claim-ticket",
    "lots",
    "approve",
    "redeem",
    "recover",
    "bank",
    "break",
    "skip",
    "sit",
    "join",
    "shake",
    "move",
    "pair",
    "unpair",
    "rename",
    "hold",
    "release",
    "renew",
    "commit",
    "mix",
    "take-sealed",
    "take-keys",
]
CALLER = "open draw stop claim play-on undo close close-night next-night auto repeat mute off"
SEES = "hold release mix"
SEALS = "take-sealed take-keys"
HOSTS = "sit join shake move"
BEFORE = "census-begin census-end self-test-begin self-test-end waive"
CHECKS = "stop claim claim-ticket lots approve"
SALES = "sell return count-cash pay approve redeem recover"
# Written out, so that a change of a right is a change here too.
RIGHTS = {
    Role.CALLER: f"{CALLER} {SEES} {SEALS} {HOSTS} {BEFORE} {CHECKS} break skip ask",
    Role.CHECKER: f"{CHECKS} ask",
    Role.CASHIER: f"{SALES} receipt ask",
    Role.HOST: f"{HOSTS} {SEES} open draw undo close break skip repeat census-begin census-end ask",
    Role.AUDITOR: "report receipt ask",
    Role.TREASURER: "count-cash bank approve report receipt ask",
    Role.ADMIN: (
        f"{CALLER} {SEES} {SEALS} {HOSTS} {BEFORE} {CHECKS} {SALES} bank break skip pair unpair"
        " rename report receipt ask"
    ),
    Role.SEAT: "move",  # of its own seat: the session asks the play
    Role.WATCHER: "",
    Role.STATION: f"{CALLER} {HOSTS} note census self-test renew commit pair unpair rename",
}
OWN, ROOT, CALLING, STRANGER = 900, 0, 901, 902


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("act", [*ACTS, "", "fly"])
def test_a_role_may_do_its_acts_and_no_other(role, act):
    """Role by act; an act that nobody knows is nobody's."""
    person = Person("somebody", role)
    if act in RIGHTS[role].split():
        person.require(act)
    else:
        with pytest.raises(NotAllowed) as caught:
            person.require(act)
        assert caught.value.reason is AccessReason.NOT_YOURS
        assert f"you are here as {role.value}" in str(caught.value)


def test_the_paper_says_what_each_role_may():
    """The table in docs/people.md is the one that the core keeps; the station itself is no
    person."""
    paper = Path(__file__).parents[2] / "docs" / "people.md"
    told = dict(
        re.findall(r"^\| ([a-z]+) \| (`.*`|nothing:.*) \|$", paper.read_text("utf-8"), re.M)
    )
    assert {role: set(re.findall("`([a-z-]+)`", acts)) for role, acts in told.items()} == {
        role.value: set(MAY[role]) for role in Role if role is not Role.STATION
    }


def test_all_rights_are_about_acts_there_are():
    """No right is misspelt."""
    assert set(MAY) == set(Role)
    assert frozenset().union(*MAY.values()) == set(ACTS)


def test_a_refusal_says_who_may():
    """The sentence sends the person to somebody who may; what only the station does, nobody may."""
    with pytest.raises(
        NotAllowed, match="pay: you are here as caller; it takes a cashier or admin"
    ):
        Person("uid:5", Role.CALLER).require("pay")
    with pytest.raises(NotAllowed, match="nobody may, over the wire"):
        Person("uid:0", Role.ADMIN).require("note")


@pytest.mark.parametrize(
    ("uid", "wanted", "role"),
    [
        (ROOT, None, Role.ADMIN),
        (OWN, None, Role.ADMIN),
        (CALLING, None, Role.CALLER),
        (STRANGER, None, Role.WATCHER),
        # Less is given to whoever asks for less.
        *((OWN, role.value, role) for role in Role if role is not Role.STATION),
        (CALLING, "checker", Role.CHECKER),
        (CALLING, "watcher", Role.WATCHER),
        (STRANGER, "watcher", Role.WATCHER),
        # More is given to nobody.
        (CALLING, "cashier", Role.CALLER),
        (CALLING, "auditor", Role.CALLER),
        (CALLING, "admin", Role.CALLER),
        (STRANGER, "auditor", Role.WATCHER),
        (STRANGER, "checker", Role.WATCHER),
        (STRANGER, "admin", Role.WATCHER),
        *(
            (uid, "station", role)
            for uid, role in ((OWN, Role.ADMIN), (CALLING, Role.CALLER), (STRANGER, Role.WATCHER))
        ),
        # What is not a role changes nothing.
        *(
            (OWN, wanted, Role.ADMIN)
            for wanted in ("", "king", 5, ["watcher"], {"as": "watcher"}, True)
        ),
    ],
)
def test_the_person_behind_a_connection(uid, wanted, role):
    """The kernel's uid gives the role; the hello can only lessen it."""
    person = person_for(uid, wanted, OWN, [CALLING])
    assert (person.name, person.role) == (f"uid:{uid}", role)


@pytest.mark.parametrize("uid", [ROOT, OWN, CALLING, STRANGER])
@pytest.mark.parametrize("wanted", Role)
def test_no_hello_gives_a_right_that_the_uid_has_not(uid, wanted):
    """For every uid and every role asked for: what may be done afterwards may be done without
    asking, too."""
    given = person_for(uid, None, OWN, [CALLING])
    assert MAY[person_for(uid, wanted.value, OWN, [CALLING]).role] <= MAY[given.role]


def test_who_stands_at_the_table():
    """Buttons and reader call, the program itself calls and notes, simulated sellers sell; none of
    them may ask for names."""
    assert (DEVICE.role, STATION.role, SELLER.role) == (Role.CALLER, Role.STATION, Role.CASHIER)
    assert Right.ASK not in MAY[Role.WATCHER] | MAY[Role.SEAT]
