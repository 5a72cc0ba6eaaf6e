"""Choose the words that are said after an act, as clips of the voice. Pure."""

from __future__ import annotations

from collections.abc import Container

from station.base.nouns import KNOBS, Style
from station.night import acts
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS, CheckOutcome, census_faults
from station.rules.patterns import JACKPOT
from station.rules.prizes import ClaimVerdict, PrizeState, Stage
from station.views.table.announcing import said_at_table, told_again
from station.views.views import number_clips

MISSING_NAMED = 5  # more missing knobs than these are better read than heard
PLAYING_OWN = "playing-prize"  # for a pattern without a clip of its own
_LOST = {
    "open": ("no-card-sold",),
    "close": ("prizes-not-won",),
    "close-night": ("games-not-played",),
}
_COUNTED = frozenset({"close", "close-night"})  # the number follows
_VERDICT = {
    ClaimVerdict.VALID: ("valid", "any-more"),
    ClaimVerdict.NOT_COMPLETE: ("not-valid",),
    ClaimVerdict.LATE: ("late",),
    ClaimVerdict.NOT_SOLD: ("not-sold",),
    ClaimVerdict.ALREADY_WON: ("already-won",),
}


def announcement(  # noqa: C901 - a case for each act
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
    game = after.last_sold
    called = number_clips(act.number, style, sayings) if isinstance(act, acts.DrawKnob) else ()
    match act:
        case acts.Sit() | acts.JoinTable() | acts.Shake() | acts.MakeMove():
            return said_at_table(act, before, after)
        case acts.DrawKnob() | acts.Open() | acts.Undo() | acts.CloseGame() | acts.Break() if (
            after.table is not None
        ):
            return (*called, *said_at_table(act, before, after))
        case acts.DrawKnob():
            return called
        case acts.Open() if game is not None and game.open:
            return ("eyes-down", _playing(game))
        case acts.StopGame():
            return ("stop-won" if by_itself else "stop",)
        case acts.ClaimCard() | acts.ClaimTicket() if game is not None:
            return _VERDICT[game.claims[-1].verdict]
        case acts.PlayOn() if game is not None and before.last_sold is not None:
            return _gone_on(before.last_sold, game)
        case acts.DrawLots(knobs=knobs):
            return ("highest-knob", f"number.{max(knob for _, knob in knobs)}")
        case acts.Undo() if before.last_sold is not None:
            return (f"number.{before.last_sold.called[-1]}", "not-called")
        case acts.Pay():
            return ("money-paid",)
        case acts.Break():
            return ("game-broken",)
        case acts.CloseGame():
            pause = after.plan.pause if after.plan is not None else None
            return ("game-closed",) if pause is None else ("game-closed", "break")
        case acts.CloseNight():
            return ("good-night",)
        case acts.Census():
            return census_told(act)
        case acts.SelfTest():
            good = after.ready.self_test is CheckOutcome.GOOD
            return ("self-test-good" if good else "self-test-fault",)
    return ()


def won_clip(state: PrizeState, stage: str) -> str:
    """Return the clip that says that a stage, by its key, is won."""
    if stage == JACKPOT:
        return "jackpot-won"
    pattern = next(one.pattern for one in state.stages if one.key == stage)
    return f"won-{pattern.key}" if pattern.known else "won-prize"


def _playing(state: PrizeState) -> str:
    """Return the clip that says what is played for."""
    several = state.setup.at_once and len(state.open) > 1
    return "playing-all" if several else playing_clip(state.open[0])


def playing_clip(stage: Stage) -> str:
    """Return the clip that says that a stage is played for."""
    return f"playing-{stage.pattern.key}" if stage.pattern.known else PLAYING_OWN


def _gone_on(before: PrizeState, after: PrizeState) -> tuple[str, ...]:
    won = dict.fromkeys(win.stage for win in after.wins[len(before.wins) :])
    if not won:
        return ("play-on",)
    clips = [won_clip(after, stage) for stage in won]
    clips += ["draw-lots"] if set(after.undecided) - set(before.undecided) else []
    if after.open:
        # Where several prizes stay open the hall knows them; only the last one is named.
        clips.append("play-on" if after.setup.at_once and len(after.open) > 1 else _playing(after))
    return tuple(clips)


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
