"""A station without cards: it starts, says so, plays with tickets from elsewhere; whatever takes a
pack takes an empty one."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.making import make_driver
from station.base.errors import NotAllowed, Unreadable
from station.base.said import PROGRAM
from station.calling.button_meaning import useful
from station.calling.counter import read_numbering
from station.calling.questions import ABOUT, answer_question
from station.calling.turn import BUSY
from station.cards.marking import Marks
from station.cards.pack import NO_CARDS, Pack
from station.cards.pack_layouts import PackLayout
from station.cards.serials import Numbering
from station.core.daemon import PACK_FILE, Core
from station.core.environment import Machine
from station.core.simulation.server import Simulation
from station.night.acts import Open, Return, Sell, Sit
from station.night.hall import Hall, apply
from station.night.hall_state import HallReason
from station.night.register import Register, Sales
from station.paper import export
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.people.roles import Person, Role
from station.programme.check import load_programme
from station.programme.programme import GamePlan, Programme
from station.record import audit
from station.record.requests import Refused
from station.record.session import Session
from station.rules.patterns import PATTERNS
from station.settings.config import load_settings
from station.settings.scan import cards_chosen
from station.views.cards_seen import CardsSeen
from station.views.table.host import told_of_table
from station.views.views import BoardContext, board
from station.wire.board_view import BoardView
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import languages, load_wording
from tests.support import CLOCK, PROGRAMME, Told, night_in, play, run, small_pack

NONE = Pack.none()
ADMIN = Person("Ann", Role.ADMIN)
NUMBERING = Numbering(b"k" * 32, "A")
TEXTS = st.text(max_size=20) | st.sampled_from(
    ["0001", "A000001-V7GT", "", "-", "0001-0024", "0001..0024", "A000001"]
)


# -- the value -------------------------------------------------------------------------------------


def test_it_is_a_pack_like_any_other() -> None:
    """It has a digest, a text that is read back, and looks up nothing; only as a file of cards it
    is faulty."""
    NONE.prepare()
    assert (len(NONE), NONE.serials, NONE.numbers.shape, NONE.cards(), NONE.series) == (
        0,
        (),
        (0, 3, 5),
        [],
        {},
    )
    again = Pack.from_copy(NONE.to_csv())
    assert (len(again), again.digest) == (0, NONE.digest)
    with pytest.raises(Unreadable, match="no cards"):
        Pack.from_csv(NONE.to_csv())
    with pytest.raises(Unreadable, match="at least one card"):
        Pack.of([], NONE.numbers)
    assert Pack.from_copy(small_pack().to_csv()).digest == small_pack().digest


@pytest.mark.parametrize("layout", PackLayout)
def test_it_is_written_in_every_layout(layout: PackLayout) -> None:
    """A header, and nothing under it."""
    assert NONE.to_bytes(layout).decode().splitlines() == [",".join(layout.header)]


@given(text=TEXTS, other=TEXTS)
def test_no_card_is_ever_found_in_it(text: str, other: str) -> None:
    """Whatever a person types or a scanner reads: nothing is meant, and nothing fails but with a
    sentence that says why."""
    assert text not in NONE
    assert NONE.find(text) is None
    assert NONE.find(text, NUMBERING) is None
    assert NONE.find_counted(text, NUMBERING) is None
    with pytest.raises(KeyError):
        NONE.card(text)
    with pytest.raises(KeyError):
        NONE.place(text)
    for ask in (
        lambda: answer("card", serial=text),
        lambda: cards_chosen(NONE, ["0001"]),
    ):
        with pytest.raises(Unreadable) as refused:
            ask()
        assert "this station has no cards of its own" in str(refused.value)
    with pytest.raises(Unreadable):
        cards_chosen(NONE, [text, other])


def answer(about: str, hall: Hall | None = None, **more: Any) -> dict[str, Any]:
    return answer_question(hall or Hall(NONE, PROGRAMME), {"about": about, **more}, ADMIN)


def test_all_that_counts_its_cards_counts_none() -> None:
    """Decks, marks, the register, the bench's cards, the key of the short codes: each takes it as
    it takes any pack."""
    deck = NONE.deck(np.zeros(0, np.int64))
    assert (len(deck), list(deck), deck.serials, deck.highest(), deck.numbers.shape) == (
        0,
        [],
        (),
        0,
        (0, 3, 5),
    )
    with pytest.raises(Unreadable):
        NONE.deck(np.array([0]))
    assert NONE.ranges(()) == []
    marks = Marks(deck, PATTERNS.values())
    marks.call(5)
    for pattern in PATTERNS.values():
        assert (marks.wanting(pattern), (*marks.having(pattern),), marks.nearest(pattern)) == (
            (0, 0, 0),
            (),
            [],
        )
        assert (
            marks.wanting_just(pattern, 1, 9),
            list(marks.fresh(pattern, 5)),
        ) == ((), [])
    register = Register(NONE, Sales())
    assert (
        len(register.cards(1)[0]),
        register.ranges(1),
        register.sold(1),
        register.players(1),
    ) == (0, [], 0, 0)
    assert register.sale("0001", 1) is None
    hall = Hall(NONE, PROGRAMME)
    look = CardsSeen(lambda: hall).look()
    assert (look["cards"], look["winners"]) == ([], [])
    assert read_numbering(NONE, Path("nowhere")) == (None, "")


@pytest.mark.parametrize("about", ABOUT)
def test_every_question_has_an_answer_or_a_reason(about: str) -> None:
    """Who asks about a card is told that there are none; all the rest is answered."""
    asked = {"serial": "0001", "words": ["0001"], "numbers": [5]}
    if about in ("card", "owed", "cards", "ticket"):
        with pytest.raises(
            Unreadable, match="no game is open" if about == "ticket" else "no cards"
        ):
            answer(about, **asked)
    else:
        assert isinstance(answer(about, **asked), dict)


@pytest.mark.parametrize(
    "name",
    [
        "evening",
        "tombola",
        "parlour",
        "old-books",
        "quine",
        "own-patterns",
        "bingo",
        "hall-bingo",
        "tambola",
    ],
)
def test_every_programme_can_be_looked_at(name: str) -> None:
    """Its board, what buttons would do, what a table is told: of each programme that ships, before
    the first game and in it."""
    programme = load_programme(
        Path(__file__).parents[2] / "station/programme/programmes" / f"{name}.toml"
    )
    hall = Hall(NONE, programme)
    wording = load_wording()
    at_table = programme.games[0].at_table
    for moment in (hall,) if at_table else (hall, apply(hall, Open())):
        assert board(moment, BoardContext(wording)).cards == 0
        assert useful(moment)
        assert told_of_table(moment, str)
        assert moment.notation()
    if at_table:
        with pytest.raises(NotAllowed) as refused:
            apply(apply(hall, Sit(players=({"name": "Anna"}, {"name": "Ben"}))), Open())
        assert refused.value.reason is HallReason.TOO_FEW_CARDS
        assert str(NO_CARDS) in str(refused.value)


@pytest.mark.parametrize(
    "act", [Sell(serials=("0001",)), Sell(ranges=(("0001", "0024"),)), Return(serials=("0001",))]
)
def test_a_sale_says_that_there_are_no_cards(act: Sell | Return) -> None:
    """And what to do: make some, or sell tickets."""
    with pytest.raises(NotAllowed) as refused:
        apply(Hall(NONE, PROGRAMME), act)
    assert refused.value.reason is HallReason.NOT_IN_PACK
    assert "nothing was" in str(refused.value)
    assert str(NO_CARDS) in str(refused.value)


# -- on the screens --------------------------------------------------------------------------------


def signs(hall: Hall, language: str = "en") -> list[str]:
    return [
        sign.text
        for sign in board(hall, BoardContext(load_wording(language))).signs
        if sign.device == "cards"
    ]


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_screens_say_so_in_every_language(language: str) -> None:
    """What there is not, what may be sold all the same, and the command as it is typed, in letters
    of no other language."""
    [text] = signs(Hall(NONE, PROGRAMME), language)
    assert "./loto pack make" in text


def test_the_sign_goes_when_it_is_plain_what_the_hall_plays_with() -> None:
    """Not over a whole evening: it is gone with the first ticket, with the first game, and never
    there where the programme says that tickets come from elsewhere."""
    hall = Hall(NONE, PROGRAMME)
    assert signs(hall)
    assert not signs(apply(hall, Sell(tickets=1)))
    assert not signs(apply(hall, Open()))
    elsewhere = Programme(name="Night", games=(GamePlan(name="One", tickets=True),))
    assert not signs(Hall(NONE, elsewhere))


# -- a night ---------------------------------------------------------------------------------------

TICKET = [5, 11, 33, 50, 76]
EVENING: list[str | dict[str, Any]] = [
    {"act": "sell", "tickets": 30},
    "open",
    *({"act": "draw", "number": number} for number in TICKET),
    {"act": "claim-ticket", "numbers": TICKET, "name": "Mary"},
    "play-on",
    {"act": "pay", "serial": "ticket-1-1"},
    "close",
    "close-night",
]


def test_a_night_without_cards_is_recorded_replayed_reported_and_exported(tmp_path: Path) -> None:
    """Its copy of no cards is a copy like any; what is verified, told and exported of it is
    whole."""
    with night_in(tmp_path, pack=NONE) as night:
        answers = run(play(Session(night, Told(), CLOCK), EVENING))
        assert [answer.to_json() for answer in answers if "ok" not in answer.to_json()] == []
    assert len(audit.verify(tmp_path)) == 1
    assert len(list(audit.replay_all(tmp_path))) == 1
    source = read_source(tmp_path, None, lambda _done, _of: None)
    assert [win.serial for win in source.record.games[0].won] == ["ticket-1-1"]
    report = make_report(source, load_wording())
    assert "0 cards" in report.proofs["pack"]
    assert (
        export.to_sqlite(tmp_path, tmp_path / "season.sqlite", lambda _done, _of: None)["wins"] == 1
    )


def test_a_night_without_cards_goes_on_after_a_start(tmp_path: Path) -> None:
    """Killed after any line: what was done is there again, and the rest of the evening is
    played."""
    for stop in range(1, len(EVENING)):
        state = tmp_path / str(stop)
        with night_in(state, pack=NONE) as night:
            run(play(Session(night, Told(), CLOCK), EVENING[:stop]))
        with night_in(state) as night:
            assert (night.resumed, len(night.hall.pack)) == (True, 0)
            answers = run(play(Session(night, Told(), CLOCK), EVENING[stop:]))
            assert all("ok" in answer.to_json() for answer in answers)


def test_a_claim_by_serial_says_that_there_are_no_cards(tmp_path: Path) -> None:
    """And stops nothing."""
    with night_in(tmp_path, pack=NONE) as night:
        session = Session(night, Told(), CLOCK)
        [_, refused] = run(play(session, ["open", {"act": "claim", "serial": "0007"}]))
        assert isinstance(refused, Refused)
        assert str(NO_CARDS) in refused.say
        assert session.hall.sold is not None
        assert not session.hall.sold.stopped


# -- the core, as it is after an installation ------------------------------------------------------


class Installed:
    """A machine with the devices of a profile, behind whose drivers stand simulated buses."""

    def __init__(self, state: Path, profile: str) -> None:
        self.state = state
        self.settings = load_settings(profile, over={"game": {"census": "off"}})
        self.simulation = Simulation(state / "run", self.settings.devices)

    def make(self, name: str, /, **options: Any) -> Any:
        simulation = self.simulation
        halves = {
            "pin_factory": simulation.pins,
            "bus": simulation.bus,
            "port": simulation.reader.port,
        }
        options |= {key: half for key, half in halves.items() if key in options}
        return make_driver(
            name, **options, **({"audio": {"SDL_AUDIODRIVER": "dummy"}} if name == "speech" else {})
        )

    @contextlib.asynccontextmanager
    async def core(self) -> AsyncIterator[Client]:
        machine = Machine(make_driver=self.make, check_ground=lambda _folder, *, test: None)
        core = Core(self.settings, self.state, self.state / "run", machine=machine)
        await core.open()
        try:
            async with await Client.open(self.state / "run" / SOCKET, "admin") as client:
                yield client
        finally:
            await core.close()


async def view_of(client: Client) -> BoardView:
    """What the screens show after all that was asked for."""
    async for message in client:
        if "view" in message:
            return BoardView.model_validate(message["view"])
    raise AssertionError("the station went away")


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Installed]:
    """A clean state folder, the profile of a whole hall."""
    (tmp_path / "run").mkdir()
    station = Installed(tmp_path, "hall")
    yield station
    station.simulation.close()


@pytest.mark.long
def test_an_installed_station_without_cards_plays_an_evening(installed: Installed) -> None:
    """It starts on a clean state folder, with all its devices; says that there are no cards; sells
    tickets from elsewhere, calls, checks one of them, pays and closes. Cards that are made
    meanwhile are those of the next night.
    """

    async def do(client: Client, act: str | dict[str, Any]) -> Message:
        whole = {"act": act} if isinstance(act, str) else dict(act)
        answer: Message = {}
        for _ in range(100):  # a number is heard before the next is called
            answer = await client.do(
                whole["act"],
                sure=True,
                **{key: value for key, value in whole.items() if key != "act"},
            )
            if answer.get("refused", {}).get("reason") != BUSY.reason:
                break
            async for message in client:
                if "view" in message and not message["view"]["calling"]:
                    break
        return answer

    async def work() -> None:
        async with installed.core() as client:
            view = await view_of(client)
            assert [(sign.device, sign.colour) for sign in view.signs] == [("cards", "amber")]
            assert (view.test, view.phase) == (False, "between")
            refused = (await do(client, {"act": "sell", "serials": ["0001"]}))["refused"]
            assert NO_CARDS.told(program=PROGRAM) in refused["say"]
            for act in EVENING[:-2]:
                assert (await do(client, act)).get("ok"), act
            (installed.state / "packs" / PACK_FILE).write_text(small_pack().to_csv())
            assert (await client.request({"ask": {"about": "night"}}))["answer"][
                "pack"
            ] == NONE.digest
        async with installed.core() as client:  # the same night goes on without them
            assert (await client.request({"ask": {"about": "night"}}))["answer"][
                "pack"
            ] == NONE.digest
            for act in EVENING[-2:]:
                assert (await do(client, act)).get("ok"), act
        async with installed.core() as client:
            assert (await client.request({"ask": {"about": "night"}}))["answer"][
                "pack"
            ] == small_pack().digest
            assert (await view_of(client)).signs == ()
            assert (await do(client, {"act": "sell", "serials": ["0001"]})).get("ok")

    run(work())
    assert len(audit.verify(installed.state)) == 2


@pytest.mark.parametrize("put", ["folder", "link", "nothing in it", "header alone", "rubbish"])
def test_a_file_of_cards_that_cannot_be_read_is_no_station_without_cards(
    installed: Installed, put: str
) -> None:
    """Only where there is no such file there are no cards: one that is damaged, or a link to what
    is gone, keeps the core from starting, and says which file it is."""
    path = installed.state / "packs" / PACK_FILE
    path.parent.mkdir()
    match put:
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to("gone.csv")
        case _:
            path.write_text(
                {"nothing in it": "", "header alone": NONE.to_csv()}.get(put, "0001,hello\n")
            )

    async def work() -> None:
        with pytest.raises(Unreadable, match=r"pack\.csv"):
            async with installed.core():
                pass

    run(work())
