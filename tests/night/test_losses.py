"""Nothing ends by accident: which acts are asked about in which state, what would be lost, and that
nobody gets round it."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from station.base.errors import SURE_FIRST, LotoError
from station.night.acts import (
    Act,
    Approve,
    Bank,
    Break,
    ClaimCard,
    ClaimTicket,
    CloseGame,
    CloseNight,
    DrawKnob,
    Open,
    Pay,
    PlayOn,
    Recover,
    Sell,
    StopGame,
    Undo,
    parse_act,
)
from station.night.hall import Hall, apply
from station.night.losses import ASKED, Loss, loss_of, mark_of
from station.night.table.game import next_step
from station.people.roles import STATION
from station.programme.programme import GamePlan, JackpotPlan, Programme, StagePlan
from station.record.requests import Command, Done, Refused, SessionReason
from station.record.session import TAKES_SEEN, Session
from station.views.money_text import Currency
from tests.company import QUARTERS, SECOND, at_table, rows_first, settled, shake, sitting
from tests.examples import examples
from tests.support import ADMIN, CLOCK, Told, night_in, run, small_pack, submit

PACK = small_pack()
ROW = tuple(DrawKnob(number=number) for number in PACK.card("0001").rows[0])
REST = tuple(
    DrawKnob(number=number)
    for number in sorted(PACK.card("0001").numbers - set(PACK.card("0001").rows[0]))
)
WON = (ClaimCard(serial="0001"), PlayOn())
ALL_WON = (*ROW, *WON, *REST, *WON, *WON)
BREAK, CLOSE, NIGHT, OPEN = Break(why="late"), CloseGame(), CloseNight(), Open()
PAID = Pay(serial="0001")
ANNA = Sell(serials=("0001", "0002"), to="Anna")
BOTH = Sell(serials=("0001", "0002"), games=2)
TICKETS = Sell(tickets=3)
BRUNO = Sell(serials=("0001",), to="Bruno")
ZOE = ClaimTicket(numbers=PACK.card("0001").rows[0], name="Zoe", stage="row")
ALL = Sell(serials=PACK.serials)
ALL_CLAIM = tuple(ClaimCard(serial=serial) for serial in PACK.serials)
FIRST_ROWS = tuple(
    DrawKnob(number=number)
    for number in sorted({number for card in PACK.cards() for number in card.rows[0]})
)

PLAIN = GamePlan(name="First", price=100)
LAST = GamePlan(name="Second", price=50)
ELSEWHERE = GamePlan(name="Elsewhere", price=100, tickets=True)
FIXED = GamePlan(name="Fixed", price=100, stages=(StagePlan(pattern="full", prize=150),))
HAM = GamePlan(name="Ham", stages=(StagePlan(pattern="row", thing="a ham"),))
SHARED = GamePlan(
    name="Shared", last_number=False, stages=(StagePlan(pattern="row", prize=len(PACK.serials)),)
)
JACKPOT = GamePlan(name="Jackpot", price=100, jackpot=JackpotPlan(within=40, least=700))


def programme(*games: GamePlan, unwon: Any = "carry") -> Programme:
    return Programme(name="t", games=games, unwon=unwon)


def night(acts: tuple[Act, ...], of: Programme) -> Hall:
    return reduce(apply, acts, Hall(PACK, of))


TWO, TO_HOUSE, TO_CHARITY = (
    programme(PLAIN, LAST),
    programme(PLAIN, LAST, unwon="house"),
    programme(PLAIN, unwon="charity"),
)
NO_CARD = (
    "no card is sold for game {}: once it is open nothing more can be sold for it, and nobody can"
    " win it"
)
BACK = parse_act({"act": "return", "serials": ["0001", "0002"]})
ONE_GAME, LEFT = (
    "1 game that was sold is not played",
    " goes to the next night, and is not given back",
)
UNPAID = " in prizes is still to be paid"
THREE = "3 prizes are not won"
NO_MORE = " and cannot be won any more: "

# The night's programme, what was done in it, the act, and what would be lost by it; nothing where
# it is not asked.
STATES: list[tuple[str, Programme, tuple[Act, ...], Act, str]] = [
    ("nothing sold", TWO, (), OPEN, NO_CARD.format("1, First")),
    ("a card sold", TWO, (ANNA,), OPEN, ""),
    ("a ticket sold", TWO, (TICKETS,), OPEN, ""),
    ("sold, and brought back", TWO, (ANNA, BACK), OPEN, NO_CARD.format("1, First")),
    ("sold for this game alone", TWO, (ANNA, OPEN, *ALL_WON, CLOSE), OPEN,
     NO_CARD.format("2, Second")),
    ("sold for both", TWO, (BOTH, OPEN, *ALL_WON, CLOSE), OPEN, ""),
    ("tickets come from elsewhere", programme(ELSEWHERE), (), OPEN, ""),
    ("a company sits", programme(SECOND), (), OPEN, ""),
    ("three to be won", TWO, (ANNA, OPEN), CLOSE, f"{THREE}: 2.00 goes to the next game"),
    ("three, and calls", TWO, (ANNA, OPEN, *ROW), CLOSE, f"{THREE}: 2.00 goes to the next game"),
    ("one is won", TWO, (ANNA, OPEN, *ROW, *WON), CLOSE,
     "2 prizes are not won: 1.50 goes to the next game"),
    ("one is left", TWO, (ANNA, OPEN, *ROW, *WON, *REST, *WON), CLOSE,
     "1 prize is not won: 1.00 goes to the next game"),
    ("all is won", TWO, (ANNA, OPEN, *ALL_WON), CLOSE, ""),
    ("the last game", programme(PLAIN), (ANNA, OPEN), CLOSE,
     f"{THREE}: 2.00 goes to the next night"),
    ("a table's is next", programme(PLAIN, SECOND, LAST), (ANNA, OPEN), CLOSE,
     f"{THREE}: 2.00 goes to a later game"),
    ("only a table's follows", programme(PLAIN, SECOND), (ANNA, OPEN), CLOSE,
     f"{THREE}: 2.00 goes to the next night"),
    ("fixed prizes follow", programme(PLAIN, FIXED), (ANNA, OPEN), CLOSE,
     f"{THREE}: 2.00 goes to the next night"),
    ("it is the house's", TO_HOUSE, (ANNA, OPEN), CLOSE, f"{THREE}: 2.00 goes to the house"),
    ("it is charity's", TO_CHARITY, (ANNA, OPEN), CLOSE, f"{THREE}: 2.00 goes to charity"),
    ("a thing", programme(HAM), (ANNA, OPEN), CLOSE, "1 prize is not won"),
    ("the jackpot stays", programme(JACKPOT), (ANNA, OPEN), CLOSE,
     f"{THREE}: 2.00 goes to the next night"),
    ("tickets play", TWO, (TICKETS, OPEN), CLOSE, f"{THREE}: 3.00 goes to the next game"),
    ("tickets from elsewhere play", programme(ELSEWHERE), (OPEN,), CLOSE, THREE),
    ("nobody plays", TWO, (OPEN,), CLOSE, ""),
    ("nobody plays, and it was called", TWO, (OPEN, *ROW), CLOSE, ""),
    ("broken off, nothing won", TWO, (ANNA, OPEN), BREAK,
     f"{THREE}{NO_MORE}1.00 is given back for each card"),
    ("off, one won", TWO, (ANNA, OPEN, *ROW, *WON), BREAK,
     f"2 prizes are not won{NO_MORE}0.75 is given back for each card"),
    ("broken off, all won", TWO, (ANNA, OPEN, *ALL_WON), BREAK, ""),
    ("broken off, nobody plays", TWO, (OPEN,), BREAK, ""),
    ("broken off, nothing paid", programme(HAM), (ANNA, OPEN), BREAK,
     f"1 prize is not won{NO_MORE}nothing is given back"),
    ("before the first game", TWO, (), NIGHT, ""),
    ("one game sold", TWO, (ANNA,), NIGHT, f"{ONE_GAME}: 2.00{LEFT}"),
    ("two games sold", TWO, (BOTH,), NIGHT, f"2 games that were sold are not played: 3.00{LEFT}"),
    ("one of two played", TWO, (BOTH, OPEN, *ALL_WON, PAID, CLOSE), NIGHT,
     f"{ONE_GAME}: 1.00{LEFT}"),
    ("one of two played, and not paid", TWO, (BOTH, OPEN, *ALL_WON, CLOSE), NIGHT,
     f"{ONE_GAME}: 1.00{LEFT}; 2.00{UNPAID} (card 0001: 2.00)"),
    ("tickets sold", TWO, (TICKETS,), NIGHT, f"{ONE_GAME}: 3.00{LEFT}"),
    ("sold for nothing", programme(HAM), (ANNA,), NIGHT, ONE_GAME),
    ("the second is not sold", TWO, (ANNA, OPEN, *ALL_WON, PAID, CLOSE), NIGHT, ""),
    ("all are played", TWO, (BOTH, OPEN, *ALL_WON, PAID, CLOSE, OPEN, CLOSE), NIGHT, ""),
    ("a winner waits", TWO, (ANNA, OPEN, *ALL_WON, CLOSE), NIGHT,
     f"2.00{UNPAID} (card 0001, Anna: 2.00)"),
    ("a winner of the game before waits", TWO, (ANNA, OPEN, *ALL_WON, CLOSE, OPEN, CLOSE), NIGHT,
     f"2.00{UNPAID} (card 0001, Anna: 2.00)"),
    ("paid in the game after", TWO, (ANNA, OPEN, *ALL_WON, CLOSE, OPEN, PAID, CLOSE), NIGHT, ""),
    ("the card is another's by then", TWO, (ANNA, OPEN, *ALL_WON, CLOSE, BRUNO, OPEN, CLOSE), NIGHT,
     f"2.00{UNPAID} (card 0001, Anna: 2.00)"),
    ("and wins for him, too", TWO, (ANNA, OPEN, *ALL_WON, CLOSE, BRUNO, OPEN, *ALL_WON, CLOSE),
     NIGHT, f"2.50{UNPAID} (card 0001, Anna and Bruno: 2.50)"),
    ("a thing waits", programme(HAM), (ANNA, OPEN, *ROW, *WON, CLOSE), NIGHT,
     "prizes are still to be handed out (card 0001, Anna: a ham)"),
    ("a thing of the game before", programme(HAM, LAST), (ANNA, OPEN, *ROW, *WON, CLOSE, OPEN,
     CLOSE), NIGHT, "prizes are still to be handed out (card 0001, Anna: a ham)"),
    ("a ticket waits", programme(PLAIN, LAST), (TICKETS, OPEN, *ROW, ZOE, PlayOn(), CLOSE, OPEN,
     CLOSE), NIGHT, f"0.75{UNPAID} (card ticket-1-1, Zoe: 0.75)"),
    ("many wait", programme(SHARED), (ALL, OPEN, *FIRST_ROWS, *ALL_CLAIM, PlayOn(), CLOSE), NIGHT,
     f"0.12{UNPAID} ({', '.join(f'card {one}: 0.01' for one in PACK.serials[:10])}, 2 more)"),
    ("what can be taken back", TWO, (ANNA, OPEN, *ROW), Undo(), ""),
    ("what can be gone on from", TWO, (ANNA, OPEN, *ROW), StopGame(), ""),
    ("a card on sale", TWO, (), ANNA, ""),
]  # fmt: skip


def text(loss: Loss | None) -> str:
    """As the hall would be told."""
    return loss.said.told(sums=Currency(decimals=2).text) if loss is not None else ""


@pytest.mark.parametrize(
    ("what", "of", "acts", "act", "lost"),
    STATES,
    ids=[f"{act.act}: {what}" for what, _, _, act, _ in STATES],
)
def test_what_is_asked_and_what_would_be_lost(
    what: str, of: Programme, acts: tuple[Act, ...], act: Act, lost: str
) -> None:
    """Each act that cannot be taken back, in each kind of state: asked with just what is lost by
    it, or not asked."""
    assert text(loss_of(night(acts, of), act)) == lost


@pytest.mark.parametrize(
    ("what", "of", "acts", "act", "lost"),
    STATES,
    ids=[f"{act.act}: {what}" for what, _, _, act, _ in STATES],
)
def test_in_a_test_night_only_an_empty_game_is_not_asked_about(
    what: str, of: Programme, acts: tuple[Act, ...], act: Act, lost: str
) -> None:
    """Where no money is taken a game without cards opens at once; all else is asked as ever, for
    players play there too."""
    assert text(loss_of(night(acts, of), act, test=True)) == ("" if act is OPEN else lost)


def test_what_would_be_lost_at_a_table() -> None:
    """A game that is not at its end is lost by breaking it off, with what is in it; one that is won
    is only closed."""
    hall = at_table(SECOND, sit=sitting(2))
    ends = "Second Method is not played to its end, and cannot be any more: "
    for state in (hall, apply(hall, shake(hall)), settled(hall, rows_first(hall))):
        assert state.table is not None
        money = Currency(decimals=2).text(state.table.at_stake)
        assert (
            text(loss_of(state, BREAK))
            == f"{ends}{money} that is in the game goes back to the players as its rules say"
        )
        assert loss_of(state, CLOSE) is None
        with pytest.raises(LotoError, match="goes on"):
            apply(state, CLOSE)
    hall = at_table(QUARTERS, sit=sitting(2))
    hall = apply(hall, shake(hall))
    while hall.at_table is not None and next_step(hall.at_table) == "draw":
        hall = apply(hall, DrawKnob(number=min(hall.at_table.state.bag)))
    assert hall.at_table is not None
    assert next_step(hall.at_table) == "close"
    assert [loss_of(hall, act) for act in (BREAK, CLOSE)] == [None, None]


def test_the_count_that_a_button_says() -> None:
    """How many prizes, or games; nothing is counted where a game has no cards."""
    counts = [
        (BOTH, (OPEN,), CLOSE, 3),
        (BOTH, (OPEN, *ROW, *WON), BREAK, 2),
        (BOTH, (), NIGHT, 2),
        (TICKETS, (), NIGHT, 1),
    ]
    for sold, acts, act, count in counts:
        loss = loss_of(night((sold, *acts), TWO), act)
        assert loss is not None
        assert loss.count == count
    lost = loss_of(night((), TWO), OPEN)
    assert (lost and lost.count, text(lost)) == (0, NO_CARD.format("1, First"))


def test_whoever_is_asked_has_seen_something() -> None:
    """Each act that is asked about goes by what was seen, or it would be done in another state than
    the one that was told."""
    assert {"open", "close", "break", "skip", "close-night"} == ASKED
    assert ASKED < TAKES_SEEN


def test_what_was_seen() -> None:
    """The table's mark at a table and before its game opens, else the journal's line; the night's
    end is the hall's."""
    hall = night((ANNA,), TWO)
    assert {act: mark_of(hall, act, 7) for act in ("open", "close", "draw")} == dict.fromkeys(
        ("open", "close", "draw"), "7"
    )
    assert mark_of(hall, "sit", 7) == hall.table_mark
    table = at_table(SECOND, SECOND)
    assert {mark_of(table, act, 7) for act in ("open", "close", "break", "move")} == {
        table.table_mark
    }
    assert mark_of(table, "close-night", 7) == "7"
    between = apply(table, BREAK)
    assert mark_of(between, "open", 7) == between.table_mark


# -- through the session's door --------------------------------------------------------------------


def test_asked_once_and_done_for_whoever_is_sure(tmp_path: Path) -> None:
    """Refused with what is lost and what was seen; the same id hears the same again; with a new
    one, sure, it is done."""
    with night_in(tmp_path) as opened:
        session = Session(opened, Told(), CLOCK)
        run(submit(session, "sell", serials=["0001"], games=2))
        run(submit(session, "open"))
        before = session.hall, session.seq
        command = Command.read("one", {"act": "close"}, ADMIN, "wire")
        asked = run(session.submit(command))
        assert isinstance(asked, Refused)
        assert (
            asked.said.told(sums=Currency(decimals=2).text)
            == f"{THREE}: 1.00 goes to the next game"
        )
        assert asked.to_json()["refused"]["seen"] == "3"
        assert (session.hall, session.seq) == before
        assert session.known(command) == asked
        sure = Command.read("one", {"act": "close"}, ADMIN, "wire", None, "3", sure=True)
        assert run(session.submit(sure)) == asked, "an id is answered once"
        done = Command.read("two", {"act": "close"}, ADMIN, "wire", None, "3", sure=True)
        assert (run(session.submit(done)), run(session.submit(done))) == (Done(4), Done(4))
    with night_in(tmp_path) as opened:
        assert run(Session(opened, Told(), CLOCK).submit(done)) == Done(4)


WAYS: list[tuple[str, dict[str, Any], str]] = [
    ("not sure", {}, "sure?"),
    ("what was seen, and not sure", {"seen": "3"}, "sure?"),
    ("sure of nothing that was seen", {"sure": True}, "sure?"),
    ("sure of another state", {"sure": True, "seen": "2"}, "changed-meanwhile"),
    ("sure of a table", {"sure": True, "seen": "0" * 16}, "changed-meanwhile"),
    ("sure of no words", {"sure": True, "seen": ""}, "changed-meanwhile"),
    ("sure", {"sure": True, "seen": "3"}, ""),
]


@pytest.mark.parametrize(("what", "belief", "reason"), WAYS, ids=[what for what, *_ in WAYS])
def test_who_is_sure(tmp_path: Path, what: str, belief: dict[str, Any], reason: str) -> None:
    """Only `sure` with the `seen` of that very state does it; all else changes nothing and is told
    why."""
    with night_in(tmp_path) as opened:
        session = Session(opened, Told(), CLOCK)
        run(submit(session, "sell", serials=["0001"]))
        run(submit(session, "open"))
        answer = run(
            session.submit(Command.read("mine", {"act": "close"}, ADMIN, "wire", **belief))
        )
        assert (answer.reason if isinstance(answer, Refused) else "") == reason
        assert session.hall.game_open is bool(reason)


def test_what_is_refused_is_not_asked_about(tmp_path: Path) -> None:
    """The hall's own reason comes first: nobody is asked whether something shall be done that
    cannot be."""
    with night_in(tmp_path) as opened:
        session = Session(opened, Told(), CLOCK)
        run(submit(session, "sell", serials=["0001"], games=2))
        run(submit(session, "open"))
        refused = [run(submit(session, act, sure=False)) for act in ("close-night", "open")]
        assert {answer.reason for answer in refused if isinstance(answer, Refused)} == {"game-open"}
        run(submit(session, "stop"))
        (answer,) = [run(submit(session, "close", sure=False))]
        assert isinstance(answer, Refused)
        assert answer.reason == "claim-open"


def lost(before: Hall, after: Hall, act: str, *, test: bool) -> bool:
    """Whether an act has lost anything for good: told from what the states have, and not from what
    is asked."""
    opened = after.opened
    if act == "open":
        setup = after.last_sold.setup if after.last_sold is not None else None
        return setup is not None and not (
            len(setup.cards) or setup.tickets or setup.elsewhere or test
        )
    if act in ("close", "break") and before.at_table is not None:
        return act == "break" and next_step(before.at_table) != "close"
    if act in ("close", "break"):
        game = before.last_sold
        assert game is not None
        won = {win.stage for win in game.wins}
        plays = len(game.setup.cards) or game.setup.tickets or game.setup.elsewhere
        return bool(plays) and any(stage.key not in won for stage in game.stages)
    if act == "close-night":
        return any(lot.last > opened for lot in before.sales.coming) or any(
            some.last > opened for some in before.sales.tickets
        )
    return False


GAMES = programme(PLAIN, ELSEWHERE, QUARTERS, HAM, LAST)
WISHES: list[dict[str, Any]] = [
    {"act": "sell", "serials": ["0001"], "games": 1},
    {"act": "sell", "serials": ["0003"], "games": 4},
    {"act": "sell", "tickets": 2, "games": 2},
    {"act": "return", "serials": ["0001"]},
    *({"act": "open"},) * 3,
    {"act": "draw"},
    {"act": "claim", "serial": "0001"},
    {"act": "stop"},
    {"act": "play-on"},
    {"act": "undo", "why": "misread"},
    {"act": "note", "about": "reader", "what": "lost"},
    {"act": "sit", "players": [{"name": "Anna"}, {"name": "Ben"}]},
    {"act": "shake", "counted": 90},
    *({"act": "close"},) * 3,
    {"act": "break", "why": "late"},
    {"act": "close-night"},
]
BELIEFS = (
    "none",
    "sure",
    "stale",
    "sure of a stale one",
    "sure of it",
    "sure of it",
    "sure of the other mark",
)


@examples(
    40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    test=st.booleans(),
    steps=st.lists(
        st.tuples(st.sampled_from(WISHES), st.sampled_from(BELIEFS)), min_size=5, max_size=40
    ),
)
def test_nothing_is_ever_lost_by_accident(
    tmp_path_factory: pytest.TempPathFactory, *, test: bool, steps: list[tuple[dict[str, Any], str]]
) -> None:
    """In any night an act that loses anything is done by who is sure of that very state, and by
    nobody else; and he can do it."""
    with night_in(tmp_path_factory.mktemp("night"), programme=GAMES, test=test) as opened:
        session = Session(opened, Told(), CLOCK)
        stale = "0"
        for place, (do, belief) in enumerate(steps):
            before, act = session.hall, do["act"]
            command = Command.read(f"{place}", do, STATION if act == "note" else ADMIN, "wire")
            mark = session.mark(command)
            other = before.table_mark if mark.isdecimal() else str(session.seq)
            seen = {
                "none": None,
                "sure": None,
                "stale": stale,
                "sure of a stale one": stale,
                "sure of the other mark": other,
            }
            sure = belief.startswith("sure")
            sent = Command.read(
                command.id, do, command.by, "wire", None, seen.get(belief, mark), sure=sure
            )
            answer = run(session.submit(sent))
            if isinstance(answer, Done):
                careful = sent.sure and sent.seen == mark
                assert careful or not lost(before, session.hall, act, test=test), (do, belief)
            else:
                assert session.hall is before
            if isinstance(answer, Refused) and answer.asks:
                assert (answer.seen, belief != "sure of it") == (mark, True)
                assert loss_of(
                    before,
                    parse_act({"deal": [], **do}) if act == "open" else parse_act(do),
                    test=test,
                )
            if act != "note":
                stale = mark


def test_acts_that_are_not_in_the_table_lose_nothing() -> None:
    """Money that is paid, banked or brought back can be brought back again; a question about each
    press is one nobody reads."""
    hall = night((ANNA, OPEN, *ALL_WON), TWO)
    for act in (
        Pay(serial="0001"),
        Bank(account="house", amount=5),
        Recover(serial="0001", amount=5),
        Approve(who="Ben"),
    ):
        assert loss_of(hall, act) is None


def test_the_word_of_a_question_stands_in_one_place() -> None:
    """Who asks and who is asked mean the same: in the code the reason is written once."""
    places = [
        path
        for path in (Path(__file__).parents[2] / "station").rglob("*.py")
        if f'"{SURE_FIRST}"' in path.read_text("utf-8")
    ]
    assert [path.name for path in places] == ["errors.py"]
    assert SessionReason.SURE == SURE_FIRST
