"""Choose the words that are said after an act, as clips of the voice. Pure."""

from __future__ import annotations

from collections.abc import Container

from station.base.nouns import KNOBS, Style
from station.night import acts
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS, CheckOutcome, census_faults
from station.views.table.announcing import said_in_game, told_again
from station.views.views import number_clips

MISSING_NAMED = 5  # more missing knobs than these are better read than heard
_LOST = {
    "open": ("no-card-sold",),
    "close": ("prizes-not-won",),
    "close-night": ("games-not-played",),
}
_COUNTED = frozenset({"close", "close-night"})  # the number follows


def announcement(
    act: acts.Act,
    before: Hall,
    after: Hall,
    style: Style = Style.PLAIN,
    sayings: Container[int] = (),
    *,
    by_itself: bool = False,
) -> tuple[str, ...]:
    """Return the clips to say after this act, in order; empty for what is not announced.

    Args:
        style: how a number is called, with `sayings` as for `number_clips`; at the table what was
            won on it follows.
        by_itself: whether the station did it unasked.
    """
    called = number_clips(act.number, style, sayings) if isinstance(act, acts.DrawKnob) else ()
    match act:
        case acts.Sit():
            return ("company-seated",)
        case acts.StopGame() if by_itself:
            return ("stop-won",)
        case acts.Pay():
            return ("money-paid",)
        case acts.CloseNight():
            return ("good-night",)
        case acts.Census():
            return census_told(act)
        case acts.SelfTest():
            good = after.ready.self_test is CheckOutcome.GOOD
            return ("self-test-good" if good else "self-test-fault",)
    said = () if after.playing is None else said_in_game(act, before, after.playing)
    sold = after.plan if isinstance(act, acts.CloseGame) and after.last_sold is not None else None
    pause = ("break",) if sold is not None and sold.pause is not None else ()
    return (*called, *said, *pause)


def census_told(act: acts.Census, bag: frozenset[int] = ALL_KNOBS) -> tuple[str, ...]:
    """Return the clips that announce a census: it is good, or its faults and what is missing."""
    if not census_faults(act, bag):
        return ("census-good",)
    missing = sorted(bag - {*act.found})
    named = (*(f"number.{number}" for number in missing),) if len(missing) <= MISSING_NAMED else ()
    lost = ("census-missing", *named) if missing else ()
    return (
        *lost,
        *(("census-two",) if act.twice else ()),
        *(("census-foreign",) if act.foreign else ()),
    )


def question(act: str, count: int) -> tuple[str, ...]:
    """Return the clips that ask whether an act that is final is meant, and say how to answer.

    Args:
        act: the act's name.
        count: how many prizes, or games, would be lost by it; 0 where they are not counted.
    """
    lost = _LOST.get(act, ())
    if act in _COUNTED:
        lost = (*lost, f"number.{count}") if 0 < count <= KNOBS else ()
    return (*lost, "press-again")


def last_number_again(hall: Hall, count: int = 1) -> tuple[str, ...]:
    """Return the clips that say the last numbers again, newest first; empty before the first.

    Args:
        count: how many are said, the last one included; fewer where fewer were called.
    """
    called = hall.out_of_bag
    if not called:
        return ()
    return ("last-number", *(f"number.{number}" for number in reversed(called[-count:])))


def where_we_are(hall: Hall) -> tuple[str, ...]:
    """Return the clips that say after a start how far it is: last number, or last drawing."""
    again = last_number_again(hall)
    return again or (told_again(hall.open_game) if hall.open_game is not None else ())
