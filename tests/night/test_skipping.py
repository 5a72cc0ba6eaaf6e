"""A game that is skipped: it is passed over for good, the money of its cards goes back, and the
games after it are played as before."""

from __future__ import annotations

from typing import Any

import pytest

from station.base.errors import NotAllowed
from station.night.acts import parse_act
from station.night.hall import Hall, apply, followed
from station.night.hall_state import HallReason
from station.night.losses import loss_of
from station.programme.programme import GamePlan, Programme, TablePlan
from tests.support import small_pack

PLAYERS = [{"name": name, "purse": 1000} for name in ("Anna", "Bruno", "Carla")]
FIVING = GamePlan(name="Five", method="spoil-five", table=TablePlan(stake=60, fiving=True))
LOTO = GamePlan(name="Loto", price=100)
KENO = GamePlan(name="Dice", method="dice-keno", table=TablePlan(stake=60))


def hall(*games: GamePlan) -> Hall:
    return Hall(small_pack(), Programme(name="p", games=games))


def after(now: Hall, *acts: dict[str, Any] | str) -> Hall:
    for act in acts:
        now = apply(now, parse_act({"act": act} if isinstance(act, str) else act))
    return now


def skip(why: str = "too few") -> dict[str, Any]:
    return {"act": "skip", "why": why}


def opened(now: Hall) -> Hall:
    plan = now.next_plan
    assert plan is not None
    return after(now, {"act": "open", "deal": now.pack.serials[: plan.dealt]})


def refused(now: Hall, act: dict[str, Any]) -> str:
    with pytest.raises(NotAllowed) as caught:
        after(now, act)
    return str(caught.value.reason)


def test_a_game_that_cannot_open_is_passed_over() -> None:
    """Three sit down for a game for two: it is refused, skipped, and the next one opens for them;
    purses are as before."""
    now = after(hall(FIVING, KENO), {"act": "sit", "players": PLAYERS})
    assert refused(now, {"act": "open"}) == HallReason.CANNOT_PLAY
    skipped = after(now, skip())
    assert followed(now, skipped)["skipped"] == {"game": 1}
    assert (skipped.opened, skipped.game_open, skipped.skipped) == (1, False, True)
    playing = opened(skipped)
    assert (playing.opened, playing.skipped) == (2, False)
    assert playing.at_table is not None
    assert [seat.purse for seat in skipped.company] == [1000] * 3


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_any_game_of_an_evening_can_be_skipped(place: int) -> None:
    """First, between others, last; with cards or at the table: all the others are played."""
    games = [LOTO, KENO, LOTO, FIVING]
    now = after(hall(*games), {"act": "sit", "players": PLAYERS[:2]})
    played = []
    for number, plan in enumerate(games):
        if number == place:
            now = after(now, skip())
        else:
            now = opened(now)
            played.append(now.opened)
            now = after(now, {"act": "break", "why": "a test"})
        assert now.opened == number + 1
        assert plan.name == (now.plan.name if now.plan is not None else "")
    assert played == [number + 1 for number in range(4) if number != place]
    assert refused(now, skip()) == HallReason.NO_MORE_GAMES
    assert after(now, "close-night").closed


@pytest.mark.parametrize(
    ("price", "cards", "tickets"),
    [(100, 3, 0), (100, 0, 4), (250, 7, 3), (0, 5, 2), (1, 12, 11), (333, 1, 0), (100, 0, 0)],
)
def test_what_was_paid_for_its_cards_goes_back(price: int, cards: int, tickets: int) -> None:
    """To the penny, for each card and ticket, as from a broken game; what was paid for the game
    after it stays with that game."""
    loto = LOTO.model_copy(update={"price": price})
    now = hall(loto, loto)
    serials = list(now.pack.serials[:cards])
    if cards or tickets:
        now = after(now, {"act": "sell", "serials": serials, "tickets": tickets, "games": 2})
    paid = price * (cards + tickets)
    assert now.ledger.of("game:1") == now.ledger.of("game:2") == paid
    skipped = after(now, skip())
    assert skipped.ledger.of("game:1") == 0
    assert skipped.ledger.of("game:2") == paid
    assert skipped.ledger.of("refund:1") == price * cards
    assert skipped.ledger.of("owed:tickets-1") == price * tickets
    assert skipped.ledger.of("carried") == 0
    for serial in serials:
        assert skipped.owed(serial) == price
        if price:
            skipped = after(skipped, {"act": "pay", "serial": serial})
    if tickets and price:
        skipped = after(skipped, {"act": "pay", "serial": "tickets-1"})
    assert skipped.ledger.of("purses") == -paid
    assert opened(skipped).last_sold is not None


def test_prizes_of_the_game_before_are_still_paid() -> None:
    """A card that won waits for its money although the next game is skipped."""
    now = after(hall(LOTO, LOTO), {"act": "sell", "serials": ["0001", "0002"]}, "open")
    card = now.pack.card("0001")
    for number in card.rows[0]:
        now = after(now, {"act": "draw", "number": number})
    now = after(now, {"act": "claim", "serial": "0001"}, "play-on", "close")
    owed = now.owed("0001")
    assert owed > 0
    skipped = after(now, skip())
    assert (skipped.owed("0001"), skipped.unpaid_players) == (owed, now.unpaid_players)
    assert after(skipped, {"act": "pay", "serial": "0001"}).owed("0001") == 0


def test_an_open_game_is_not_skipped() -> None:
    """It is broken off instead; a closed night has nothing to skip."""
    now = after(hall(LOTO), "open")
    assert refused(now, skip()) == HallReason.GAME_OPEN
    closed = after(hall(LOTO), "close-night")
    assert refused(closed, skip()) == HallReason.NIGHT_CLOSED


def test_what_would_be_lost_is_asked_first() -> None:
    """The game by its name, and what goes back for each card."""
    now = after(hall(LOTO), {"act": "sell", "serials": ["0001"]})
    lost = loss_of(now, parse_act(skip()))
    assert lost is not None
    assert "game 1, Loto, is not played tonight" in str(lost.said)
    assert "is given back for each card" in str(lost.said)
    lost = loss_of(hall(KENO), parse_act(skip()))
    assert lost is not None
    assert "given back" not in str(lost.said)


def test_nothing_is_lost_by_a_skip_that_cannot_be() -> None:
    """A game is open."""
    now = after(hall(LOTO), {"act": "sell", "serials": ["0001"]}, {"act": "open", "bag": "0" * 64})
    assert loss_of(now, parse_act(skip())) is None
