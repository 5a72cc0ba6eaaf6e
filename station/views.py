"""From the state to what is seen and heard: the board view, the lit cavities, the words to say. Pure."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from station.boardview import (
    AutoView,
    BoardView,
    ClaimView,
    GameView,
    Phase,
    PrizeView,
    SayView,
    SignView,
    StageView,
    Verdict,
    WinView,
)
from station.hall import Act, Census, Claim, Close, CloseNight, Draw, Hall, Open, Pay, PlayOn, SelfTest, Stop, Undo
from station.readiness import ALL_KNOBS, Outcome, census_faults
from station.rules import find_game, loto_first
from station.rules.loto_first import ROWS_WANTED, Stage
from station.table import CAVITIES
from station.wording import Wording


class Style(StrEnum):
    """How a number is called (H15)."""

    PLAIN = "plain"  # "forty-two"
    DIGITS = "digits"  # "forty-two, four, two"
    SAYINGS = "sayings"  # "two fat ladies, eighty-eight"; plain where the language has none
    DOUBLE = "double"  # "forty-two … forty-two"


@dataclass(frozen=True, slots=True)
class Currency:
    """How sums are written: the sign before, and how many digits behind the point.

    >>> Currency("£", 2).text(605), Currency("", 0).text(12)
    ('£6.05', '12')
    """

    sign: str = ""
    decimals: int = 0

    def text(self, minor: int) -> str:
        """A sum of whole minor units as the hall writes it."""
        whole, rest = divmod(abs(minor), 10**self.decimals)
        digits = f"{whole}.{rest:0{self.decimals}d}" if self.decimals else str(whole)
        return f"{'-' if minor < 0 else ''}{self.sign}{digits}"


MISSING_NAMED = 5  # more missing knobs than these are read, not listened to
HAND_CALLING = AutoView(on=False, pace=6.0)


@dataclass(frozen=True)
class Scene:
    """All that a board shows besides the state: names, words, signs, what was said."""

    wording: Wording
    hall_name: str = ""
    currency: Currency = Currency()
    test: bool = False
    seq: int = 0
    near: int | None = None
    calling: bool = False
    signs: tuple[SignView, ...] = ()
    auto: AutoView = HAND_CALLING
    say: SayView | None = None
    notice: str = ""
    halted: str = ""


def board(hall: Hall, scene: Scene) -> BoardView:
    """The one object that every public screen draws."""
    game = hall.game
    return BoardView(
        seq=scene.seq,
        test=scene.test,
        hall=scene.hall_name,
        language=scene.wording.code,
        night=hall.night,
        phase=Phase.HALTED if scene.halted else _phase(hall),
        game=_game(hall),
        stage=_stage(game, scene.wording),
        prize=_prize(game.share, scene.currency) if game is not None and game.stage is not None else None,
        called=game.called if game is not None else (),
        cards=len(game.setup.cards) if game is not None else len(hall.holders(hall.coming)),
        players=_players(hall),
        near=scene.near,
        calling=scene.calling,
        claim=_claim(hall, game.claims[-1], scene.wording) if game is not None and game.claims else None,
        claims=tuple(_claim(hall, claim, scene.wording) for claim in game.claims) if game is not None else (),
        wins=_wins(hall, scene),
        signs=scene.signs,
        auto=scene.auto,
        say=scene.say,
        # What a sign says already is not said twice on one screen.
        notice="" if scene.notice in {sign.text for sign in scene.signs} else scene.notice,
        procedure=scene.wording.procedure if scene.halted else (),
    )


def _phase(hall: Hall) -> Phase:
    if hall.closed:
        return Phase.CLOSED
    if hall.playing is None:
        return Phase.BETWEEN
    return Phase.STOPPED if hall.playing.stopped else Phase.PLAYING


def _game(hall: Hall) -> GameView | None:
    plan = hall.plan
    if plan is None:
        return None
    method = find_game(plan.method).title
    return GameView(number=hall.opened, of=len(hall.programme.games), name=plan.name, method=method, stakes=plan.stakes)


def _stage(game: loto_first.State | None, wording: Wording) -> StageView | None:
    if game is None or game.stage is None:
        return None
    key = game.stage
    return StageView(key=key.value, name=wording.screen[key], index=game.stages.index(key) + 1, of=len(game.stages))


def _prize(minor: int, currency: Currency) -> PrizeView:
    return PrizeView(minor=minor, text=currency.text(minor))


def _players(hall: Hall) -> int:
    if hall.game is not None:
        return len({hall.game.setup.player(serial) for serial in hall.game.setup.cards})
    return len({holder or f"#{serial}" for serial, holder in hall.holders(hall.coming).items()})


def _claim(hall: Hall, claim: loto_first.Claim, wording: Wording) -> ClaimView:
    game = hall.game
    card = game.setup.cards.get(claim.serial) if game is not None else None
    verdict = Verdict(claim.verdict.value)
    wanting: tuple[int, ...] = ()
    if card is not None and game is not None and game.stage is not None:
        wanting = loto_first.missing(card, game.called, ROWS_WANTED[game.stage])
    text = wording.screen["missing"].format(numbers=", ".join(map(str, wanting))) if wanting else wording.phrases[verdict]
    return ClaimView(
        serial=claim.serial,
        holder=(game.setup.holders or {}).get(claim.serial) if game is not None else None,
        rows=card.rows if card is not None else (),
        marked=tuple(sorted(card.numbers.intersection(game.called))) if card is not None and game is not None else (),
        missing=wanting,
        verdict=verdict,
        text=text,
    )


def _wins(hall: Hall, scene: Scene) -> tuple[WinView, ...]:
    game = hall.game
    if game is None:
        return ()
    holders = game.setup.holders or {}
    return tuple(
        WinView(
            stage=scene.wording.screen[win.stage],
            serial=win.serial,
            holder=holders.get(win.serial),
            prize=_prize(win.amount, scene.currency),
            paid=win in hall.paid,
        )
        for win in game.wins
    )


class Lit(NamedTuple):
    """A knob in one of the board's cavities."""

    number: int
    newest: bool = False
    called: bool = True  # False: drawn, and not called yet


def cavities(
    called: Sequence[int], waiting: int | None = None, placement: Mapping[int, int] | None = None
) -> tuple[Lit | None, ...]:
    """What stands in the board's ten cavities, None for an empty one.

    Knobs are placed from the first cavity to the tenth, then from the first again: a knob stays where it lies until
    its cavity is needed, so only one place of the board changes at a call.

    Args:
        waiting: the knob that is drawn and not called.
        placement: where readers know the knobs to lie, each number's cavity from 0 to 9: only these are lit then, and the newest
            in the first free cavity when no reader knows of it.

    >>> cavities([5, 90])[:3]
    (Lit(number=5, newest=False, called=True), Lit(number=90, newest=True, called=True), None)
    >>> [lit and lit.number for lit in cavities([5, 90], 7, {90: 1, 7: 3})]
    [None, 90, None, 7, None, None, None, None, None, None]
    """
    newest = called[-1] if called else None
    drawn = list(called) if waiting is None else [*called, waiting]
    if placement is None:
        lying = {number: place % CAVITIES for place, number in enumerate(drawn)}  # a later one lies before an earlier one
    else:
        lying = {number: placement[number] for number in drawn if number in placement}
        free = (place for place in range(CAVITIES) if place not in lying.values())
        if newest is not None and newest not in lying and (place := next(free, None)) is not None:
            lying[newest] = place
    lit: list[Lit | None] = [None] * CAVITIES
    for number, place in lying.items():
        lit[place] = Lit(number, newest=number == newest, called=number != waiting)
    return tuple(lit)


def number_clips(number: int, style: Style, sayings: Container[int] = ()) -> tuple[str, ...]:
    """The clips that call a number. Whatever the style, the last words are the number's, or its digits.

    Args:
        sayings: the numbers that the voice has a saying of.

    >>> number_clips(42, Style.DIGITS)
    ('number.42', 'number.4', 'number.2')
    >>> number_clips(88, Style.SAYINGS, {88}), number_clips(42, Style.DOUBLE)
    (('saying.88',), ('number.42', 'pause', 'number.42'))
    """
    if style is Style.SAYINGS and number in sayings:
        return (f"saying.{number}",)
    if style is Style.DOUBLE:
        return (f"number.{number}", "pause", f"number.{number}")
    if style is Style.DIGITS and number > 9:
        # A nought has no clip: "twenty, two" would mislead, so round tens are said once.
        digits = [digit for digit in divmod(number, 10) if digit]
        if len(digits) == len(str(number)):
            return (f"number.{number}", *(f"number.{digit}" for digit in digits))
    return (f"number.{number}",)


_PLAYING = {Stage.ROW: "playing-row", Stage.TWO_ROWS: "playing-two-rows", Stage.FULL: "playing-full"}
WON = {Stage.ROW: "won-row", Stage.TWO_ROWS: "won-two-rows", Stage.FULL: "won-full"}
_VERDICT = {
    loto_first.Verdict.VALID: ("valid", "any-more"),
    loto_first.Verdict.NOT_COMPLETE: ("not-valid",),
    loto_first.Verdict.LATE: ("late",),
    loto_first.Verdict.NOT_SOLD: ("not-sold",),
}


def announcement(
    act: Act, before: Hall, after: Hall, style: Style = Style.PLAIN, sayings: Container[int] = ()
) -> tuple[str, ...]:
    """The clips to say after this act, in order; empty for what is not announced. Style and sayings as for `number_clips`."""
    game = after.game
    match act:
        case Draw(number=number):
            return number_clips(number, style, sayings)
        case Open() if game is not None and game.stage is not None:
            return ("eyes-down", _PLAYING[game.stage])
        case Stop():
            return ("stop",)
        case Claim() if game is not None:
            return _VERDICT[game.claims[-1].verdict]
        case PlayOn() if game is not None and before.game is not None:
            if game.wins == before.game.wins:
                return ("play-on",)
            won = WON[game.wins[-1].stage]
            return (won, _PLAYING[game.stage]) if game.stage is not None else (won,)
        case Undo() if before.game is not None:
            return (f"number.{before.game.called[-1]}", "not-called")
        case Pay():
            return ("money-paid",)
        case Close():
            return ("game-closed",)
        case CloseNight():
            return ("good-night",)
        case Census():
            return _counted(act)
        case SelfTest():
            return ("self-test-good" if after.ready.self_test is Outcome.GOOD else "self-test-fault",)
    return ()


def _counted(act: Census) -> tuple[str, ...]:
    """What a census is announced as: ninety of ninety, or what is wrong and which knobs are missing."""
    if not census_faults(act):
        return ("census-good",)
    missing = sorted(ALL_KNOBS - {*act.found})
    named = (*(f"number.{number}" for number in missing),) if len(missing) <= MISSING_NAMED else ()
    lost = ("census-missing", *named) if missing else ()
    return (*lost, *(("census-two",) if act.twice else ()), *(("census-foreign",) if act.foreign else ()))


def last_number_again(hall: Hall, count: int = 1) -> tuple[str, ...]:
    """The clips that say the last number again, and those before it, backwards; none before the first.

    Args:
        count: how many are said, the last one included; fewer where fewer were called.
    """
    game = hall.playing
    if game is None or not game.called:
        return ()
    return ("last-number", *(f"number.{number}" for number in reversed(game.called[-count:])))
