"""Devices that are paired: from the six digits to the act in the journal, and what ends it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from station.base.clock import Clock
from station.base.disk import Disk
from station.base.errors import NotAllowed, StoreError, Unreadable
from station.core.doorkeeper import TRIES_FILE, USED_FILE, WRITTEN_S, Doorkeeper
from station.night.acts import Act, parse_act
from station.people.pairings import TRIES, TRIES_A_NIGHT, UNUSED_S, key_of
from station.people.roles import Person, Role
from station.record.requests import Answer, Command, Refused
from station.record.session import Session
from tests.support import ADMIN, CLOCK, Told, night_in, run, verify

SECRET = "a secret of the tablet's own"  # noqa: S105 - this one is
NOBODY = Person("web", Role.WATCHER)


class Station:
    """A session and its doorkeeper, with a clock that is set by hand."""

    def __init__(self, state: Path, session: Session) -> None:
        self.state, self.session = state, session
        self.now, self.ids = 5.0, 0
        self.begin()

    def begin(self) -> None:
        """The station starts (again)."""
        self.door = Doorkeeper(
            lambda: self.session.hall,
            self.submit,
            lambda below: 123456 % below,
            Clock(lambda: 1_700_000_000.0 + self.now, lambda: self.now, lambda: False),
            self.state,
            Disk(),
        )

    async def submit(self, act: Act, by: Person) -> Answer:
        self.ids += 1
        return await self.session.submit(Command(f"door-{self.ids}", act, by, "wire"))

    def say(self, person: Person = ADMIN, **message: Any) -> dict[str, Any]:
        return run(self.door.answer(message, person))

    def pair(self, role: str = "checker", **more: Any) -> dict[str, Any]:
        self.say(NOBODY, do="ask", name="the tablet", key=key_of(SECRET))
        return self.say(do="confirm", digits="123456", role=role, **more)

    def miss(self, times: int = 1) -> None:
        """Digits are typed that no device shows."""
        for _ in range(times):
            self.now += 1
            self.say(NOBODY, do="ask", name="the tablet", key=key_of(f"device {self.now}"))
            with pytest.raises(NotAllowed, match="does not show 654321"):
                self.say(do="confirm", digits="654321", role="checker")
            self.say(do="refuse")

    @property
    def tries(self) -> Any:
        return json.loads((self.state / TRIES_FILE).read_text())


@pytest.fixture
def station(tmp_path):
    with night_in(tmp_path) as night:
        yield Station(tmp_path, Session(night, Told(), CLOCK))
    verify(tmp_path)


def test_a_tablet_is_let_in(station):
    """It shows digits, an admin types them and says who it is; the record keeps a digest alone."""
    asked = station.say(NOBODY, do="ask", name="the tablet", key=key_of(SECRET))
    assert asked == {"answer": {"digits": "123456", "seconds": 120}}
    assert station.say(do="show")["answer"]["asks"]["name"] == "the tablet"
    with pytest.raises(NotAllowed, match="not paired"):
        station.door.person(SECRET)
    done = station.say(do="confirm", digits="123456", role="checker", name="Anna")
    assert done["say"] == "Anna is let in as checker"
    assert station.door.person(SECRET) == Person("Anna", Role.CHECKER)
    kept = (station.state / "nights/0001/journal.jsonl").read_text()
    assert SECRET not in kept
    assert key_of(SECRET) in kept


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.ADMIN])
def test_nobody_but_an_admin_lets_anybody_in(station, role):
    """Nor sees who asks."""
    station.say(NOBODY, do="ask", name="the tablet", key=key_of(SECRET))
    for do in ("show", "refuse", "open", "confirm"):
        more = {"digits": "123456", "role": "admin"} if do == "confirm" else {}
        if role is Role.STATION and do == "confirm":
            continue
        if role is not Role.STATION:
            with pytest.raises(NotAllowed, match="it takes a admin"):
                station.say(Person("x", role), do=do, **more)
    assert station.session.hall.people == ()


def test_wrong_digits_are_counted(station):
    """And who asks is turned away when an admin says so."""
    station.say(NOBODY, do="ask", name="the tablet", key=key_of(SECRET))
    with pytest.raises(NotAllowed, match="does not show 654321"):
        station.say(do="confirm", digits="654321", role="checker")
    asks = station.say(do="show")["answer"]["asks"]
    assert (asks["wrong"], asks["tries"]) == (1, TRIES - 1)
    station.say(do="refuse")
    with pytest.raises(NotAllowed, match="no device asks"):
        station.say(do="confirm", digits="123456", role="checker")


def test_a_seat_says_where_it_is(station):
    """And nobody else does; what the record refuses lets nobody in, and may be tried again."""
    for role, seat in (("seat", 0), ("caller", 3)):
        with pytest.raises(Unreadable, match="says where it is"):
            station.pair(role, seat=seat)
    done = station.say(do="confirm", digits="123456", role="seat", seat=3)
    assert done["say"] == "the tablet is let in as seat, seat 3"
    assert station.door.person(SECRET).seat == 3


def test_a_pairing_is_renamed_and_ends(station):
    """By acts, as anything of the night."""
    station.pair()
    for act in ({"act": "rename", "name": "Bruno"}, {"act": "unpair", "why": "lost"}):
        run(station.submit(parse_act({"key": key_of(SECRET), **act}), ADMIN))
        if act["act"] == "rename":
            assert station.door.person(SECRET).name == "Bruno"
    with pytest.raises(NotAllowed, match="not paired"):
        station.door.person(SECRET)
    again = run(station.submit(parse_act({"key": key_of(SECRET), "act": "unpair"}), ADMIN))
    assert isinstance(again, Refused)
    assert again.reason == "no-such-pairing"  # not that whoever sends it is nobody


def test_a_device_knows_its_own_pairing(station):
    """Among all; so an admin who ends one is told that it is the one before him."""
    station.pair("admin", name="Ada")
    for secret, own in ((SECRET, True), ("another", False), (None, False)):
        told = run(station.door.answer({"do": "show"}, ADMIN, secret))["answer"]
        assert [one["own"] for one in told["people"]] == [own]


@pytest.mark.parametrize("role", [Role.CASHIER, Role.ADMIN])
def test_a_device_ends_its_own_pairing(station, role):
    """Whatever it may do else; nobody's secret ends nothing, and no digest does."""
    station.pair(role.value)
    for other in (None, 5, "another", key_of(SECRET)):
        with pytest.raises(NotAllowed, match="not paired"):
            run(station.door.answer({"do": "forget"}, NOBODY, other))
    assert run(station.door.answer({"do": "forget"}, Person("x", role), SECRET))["ok"]
    assert station.session.hall.people == ()
    assert "forgotten on the device" in (station.state / "nights/0001/journal.jsonl").read_text()


def test_who_is_not_here_for_a_day_is_forgotten(station):
    """Over a start, too; the record says so."""
    station.pair()
    station.now += WRITTEN_S
    station.door.person(SECRET)
    assert (station.state / USED_FILE).exists()
    station.now += UNUSED_S - 1
    station.begin()
    assert run(station.door.end_unused()) is None
    assert station.session.hall.people
    station.now += 1
    with pytest.raises(NotAllowed, match="not used for a day"):
        station.door.person(SECRET)
    run(station.door.end_unused())
    assert station.session.hall.people == ()


@pytest.mark.parametrize(
    "message",
    [{}, {"do": "ask"}, {"do": "ask", "name": "x", "key": "short"}, {"do": "fly"}, None, [1]],
)
def test_what_is_no_message_about_pairing_is_told(station, message):
    """With what is wrong."""
    with pytest.raises(Unreadable, match="not about pairing"):
        run(station.door.answer(message, ADMIN))


def test_the_next_night_knows_who_is_paired(tmp_path):
    """And the night after that does not."""
    for night, known in ((1, True), (2, True), (3, False)):
        with night_in(tmp_path, new=night > 1) as opened:
            station = Station(tmp_path, Session(opened, Told(), CLOCK))
            if night == 1:
                station.pair()
            assert bool(station.session.hall.people) is known
            run(station.submit(parse_act({"act": "close-night"}), ADMIN))
    verify(tmp_path)


def test_a_button_lets_in_at_its_second_press(station):
    """The first shows the digits to compare; whoever presses twice at once, or much later, or for
    another device meanwhile, has compared nothing."""

    def press(role: str = "caller") -> str:
        return str(run(station.door.pressed(role)))

    assert press() == "no device asks to be paired: open /pair on it, then press again"
    station.say(NOBODY, do="ask", name="the tablet", key=key_of(SECRET))
    assert press("").startswith("this button lets nobody in")
    asks = "“the tablet” asks to be let in as caller: if 123456 stands on it, press again"
    assert press() == asks
    station.now += 0.5
    assert press() == asks
    station.now += 31
    assert press() == asks
    station.say(do="refuse")
    station.say(NOBODY, do="ask", name="the phone", key=key_of("other"))
    station.now += 5
    assert press().startswith("“the phone” asks")
    station.now += 5
    assert press() == "the phone is let in as caller"
    assert station.door.person("other") == Person("the phone", Role.CALLER)
    assert press().startswith("no device asks")


def test_wrong_tries_outlast_a_start(station):
    """However often the station starts in between; twenty close pairing, and that lasts, too, until
    an admin opens it; what was right counts for nothing."""
    for times in (3, TRIES, 9):
        station.miss(times)
        station.begin()
    station.pair()
    assert station.tries == {"night": 1, "wrong": 17}
    station.begin()
    station.miss(3)
    for _ in range(2):
        assert station.say(do="show")["answer"]["closed"]
        with pytest.raises(NotAllowed, match="20 times tonight"):
            station.say(NOBODY, do="ask", name="x", key=key_of("x"))
        station.begin()
    assert not station.say(do="open")["answer"]["closed"]
    station.begin()
    station.miss(TRIES_A_NIGHT)
    assert station.say(do="show")["answer"]["closed"]


@pytest.mark.parametrize("starts", [True, False])
def test_wrong_tries_end_with_their_night(tmp_path, starts):
    """Whether the station starts between the two nights or not."""
    with night_in(tmp_path) as night:
        station = Station(tmp_path, Session(night, Told(), CLOCK))
        station.miss(TRIES_A_NIGHT)
        run(station.submit(parse_act({"act": "close-night"}), ADMIN))
    with night_in(tmp_path, new=True) as night:
        station.session = Session(night, Told(), CLOCK)
        if starts:
            station.begin()
        assert not station.say(do="show")["answer"]["closed"]
        station.miss()
        assert station.tries == {"night": 2, "wrong": 1}


def test_a_power_cut_gives_no_digits_more(station, monkeypatch):
    """A try is on the disk before it is looked at; one that the disk does not keep is none."""
    station.say(NOBODY, do="ask", name="the tablet", key=key_of(SECRET))
    seen = []

    def pulled(*_: object) -> None:
        seen.append(station.tries)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("station.people.pairings.Doorstep.tried", pulled)
        with pytest.raises(KeyboardInterrupt):
            station.say(do="confirm", digits="654321", role="checker")
    assert seen == [{"night": 1, "wrong": 1}]
    (station.state / TRIES_FILE).unlink()
    (station.state / TRIES_FILE).mkdir()
    for digits in ("654321", "123456"):
        with pytest.raises(StoreError, match="cannot be written"):
            station.say(do="confirm", digits=digits, role="checker")
    assert station.session.hall.people == ()


@pytest.mark.parametrize("torn", ['{"night": 1', "[1]", '{"night": 1, "wrong": "many"}', "{}"])
def test_where_nobody_knows_how_often_it_was_tried_it_is_closed(station, torn):
    """Until an admin opens it."""
    (station.state / TRIES_FILE).write_text(torn)
    station.begin()
    assert station.say(do="show")["answer"]["closed"]
    station.say(do="open")
    assert station.tries == {"night": 1, "wrong": 0}
    station.begin()
    assert not station.say(do="show")["answer"]["closed"]
