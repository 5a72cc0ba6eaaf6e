"""Define the commands that lead a game: what the buttons do, and what has no button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

import typer

from station.base.catalogues import tr_in
from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.base.terminal import out
from station.base.tongue import key, tr
from station.commands.claim import claim
from station.commands.options import HERE, JSON, STATE, YES, Commands, argument, option
from station.commands.sale import pay
from station.commands.tools import StationRefused, Where, answered, ask, make_sure, print_json

ACT: TypeAlias = Literal[
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
    "repeat",
    "auto",
]
commands = Commands()
LINE = key("{say} (line {seq} of the journal)")  # beside what the hall says, in its language
NOT_RECORDED = frozenset({"repeat", "auto"})


# What the buttons do, and needs no word more; what would be lost is asked about first.
PLAIN = {
    "open": key("Open the next game of the programme."),
    "play-on": key("Play on after a check; winners get their shares."),
    "close": key("End the game; what would be lost is asked about first."),
    "close-night": key("End the night; what would be lost is asked about first."),
}
WHY: TypeAlias = Annotated[str, argument("The reason, which is recorded.")]


@commands.command()
def draw(
    number: Annotated[str | None, argument("A knob whose tag cannot be read: its number.")] = None,
    yes: YES = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Draw the next number from the virtual bag, or call one that is keyed by hand.

    Example: loto draw
    Example: loto draw 42
    """
    _drawn(where, number, yes=yes, as_json=as_json)


@commands.command()
def mix(
    words: Annotated[
        str | None, argument("What people call out, or the numbers of knobs or dice.")
    ] = None,
    waive: Annotated[
        str | None,
        option("Draw without words this once: the reason, with --who.", "--waive", metavar="WHY"),
    ] = None,
    who: Annotated[str | None, option("Who waives them: a name for the record.", "--who")] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Add the hall's words to the draw, where the settings say luck = "shared": what nobody could
    know before the game was opened. Once for each game, and again after a power cut.

    Example: loto mix "green horse 17"
    Example: loto mix --waive "nobody calls out anything" --who Anna
    """
    if waive is not None and who is None:
        raise Unreadable(tr("a waiver needs a name: add --who and your name"))
    if (words is None) == (waive is None):
        raise Unreadable(tr("say the hall's words, or --waive and why there are none"))
    if waive is not None:
        _done(where, "waive", about="words", who=who, why=waive, as_json=as_json)
    else:
        _done(where, "mix", words=words, as_json=as_json)


@commands.command()
def undo(why: WHY, where: STATE = HERE, as_json: JSON = False) -> None:
    """Take back the last call.

    Example: loto undo "the knob was 9, not 6"
    """
    _done(where, "undo", why=why, as_json=as_json)


@commands.command()
def repeat(
    count: Annotated[
        int, argument("How many of the last numbers, backwards.", min=1, max=KNOBS)
    ] = 1,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Say the last numbers again, the newest first.

    Example: loto repeat
    Example: loto repeat 5
    """
    _done(where, "repeat", count=count, as_json=as_json)


@commands.command()
def auto(
    pace: Annotated[float | None, option("Seconds from call to call.", show_default=False)] = None,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Let the station call by itself, one number after the other; loto pause ends it.

    Example: loto auto --pace 6
    """
    _done(where, "auto", on=True, pace=pace, as_json=as_json)


@commands.command()
def pause(where: STATE = HERE, as_json: JSON = False) -> None:
    """End automatic calling; loto auto goes on.

    Example: loto pause
    """
    _done(where, "auto", on=False, as_json=as_json)


@commands.command()
def stop(where: STATE = HERE, as_json: JSON = False) -> None:
    """Stop the game for a claim: no number is drawn until loto play-on.

    Example: loto stop
    """
    _done(where, "stop", as_json=as_json)


@commands.command("next")
def next_(yes: YES = False, where: STATE = HERE, as_json: JSON = False) -> None:
    """Do what is due, as the button called "next": play on after a check, close the game that is
    done, open the next one, begin the next night. It draws no number: loto draw does.

    Example: loto next
    """
    press = ask(where, "press")
    if due := press["next"]:
        _done(where, **due, yes=yes, as_json=as_json)
    elif press["do"].get("act") == "draw":
        raise StationRefused(tr("a number is due, and next draws none: type ./loto draw"), "draw")
    elif why := ask(where, "table")["acts"].get("open"):
        raise StationRefused(tr("The next game does not open like this: {why}", why=why), "none")
    else:
        raise StationRefused(tr("nothing is due that next could do: see ./loto watch"), "none")


@commands.command()
def do(
    act: Annotated[ACT, typer.Argument(show_default=False)],
    what: Annotated[
        str | None,
        argument(
            "A serial for claim and pay, a number for draw, how many for repeat, on or off for"
            " auto, the reason for undo."
        ),
    ] = None,
    why: Annotated[str | None, option("The same reason, for undo.")] = None,
    pace: Annotated[float | None, option("Seconds from call to call, for auto.")] = None,
    yes: Annotated[
        bool,
        option(
            "Do not ask before a number is called by hand, or what cannot be undone is done.",
            "--yes",
        ),
    ] = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """Do what a button would do, and what has no button yet.

    Example: loto do claim 0007
    Example: loto do draw 42          (a knob whose tag cannot be read)
    Example: loto do repeat 5         (the last five numbers, backwards)
    Example: loto do undo "the knob was 9, not 6"
    Example: loto do close-night --yes    (what cannot be undone is asked first)
    Example: loto do next-night       (after close-night)
    """
    if act == "undo" and why is None:
        what, why = None, what
    fields = _arguments(act, what, why, pace)
    match act:
        case "claim":
            claim(what, where=where, as_json=as_json)
        case "pay" if what is not None:
            pay(what, where=where, as_json=as_json)
        case "draw":
            _drawn(where, what, yes=yes, as_json=as_json)
        case _:
            _done(where, act, yes=yes, as_json=as_json, **fields)


def _plain(act: str, about: str) -> Callable[..., None]:
    """Return the command of an act that needs no word more."""

    def command(yes: YES = False, where: STATE = HERE, as_json: JSON = False) -> None:
        _done(where, act, yes=yes, as_json=as_json)

    command.__doc__ = f"{about}\n\nExample: loto {act}"
    return command


for plain_act, about_it in PLAIN.items():
    commands.command(plain_act)(_plain(plain_act, about_it))


def _drawn(where: Where, number: str | None, *, yes: bool = False, as_json: bool = False) -> None:
    fields = _arguments("draw", number, None, None)
    # What was called already is refused: that is said, and nothing asked.
    if number is not None and not yes and fields["number"] not in ask(where, "press")["out"]:
        keyed = tr("the record will say that {number} was keyed by hand", number=number)
        make_sure(keyed, tr("Call {number}?", number=number))
    _done(where, "draw", yes=yes, as_json=as_json, **fields)


def _done(
    where: Where, act: str, *, yes: bool = False, as_json: bool = False, **fields: Any
) -> None:
    """Have an act done, and print where the evening stands now."""
    answer = answered(where, act, yes=yes, **fields)
    if as_json:
        print_json({key: answer[key] for key in ("seq", "say")})
        return
    say, seq = answer["say"], answer["seq"]
    line = "{say}" if act in NOT_RECORDED else LINE
    out.print(tr_in(answer["lang"], line, say=say, seq=seq))


def _arguments(act: str, what: str | None, why: str | None, pace: float | None) -> dict[str, Any]:
    """Return an act's arguments as the wire takes them.

    Raises:
        Unreadable: an argument is missing, or there is one too many; the message names it.
    """
    arguments: dict[str, Any] = {"why": why, "pace": pace}
    match act:
        case "claim" | "pay" if not what:
            raise Unreadable(tr("{act} needs the card's serial: ./loto {act} 0007", act=act))
        case "claim" | "pay":
            pass
        case "draw" if what is not None:
            why = tr("draw {what}: not a number from 1 to {knobs}", what=what, knobs=KNOBS)
            arguments["number"] = _number(what, why)
        case "auto" if what not in ("on", "off") and (what or pace is None):
            raise Unreadable(tr("auto needs on or off: ./loto auto --pace 6, ./loto pause"))
        case "auto":
            arguments["on"] = what == "on" if what else None
        case "undo" if not why:
            raise Unreadable(
                tr('undo needs the reason, which is recorded: ./loto undo "the knob was 9, not 6"')
            )
        case "repeat" if what is not None:
            why = tr("repeat {what}: how many numbers, from 1 to {knobs}", what=what, knobs=KNOBS)
            arguments["count"] = _number(what, why)
        case _ if what is not None:
            raise Unreadable(
                tr("{act} takes nothing more: {what!r} is too much", act=act, what=what)
            )
    return arguments


def _number(word: str, why: str) -> int:
    if not (word.isdecimal() and 1 <= int(word) <= KNOBS):
        raise Unreadable(why)
    return int(word)
