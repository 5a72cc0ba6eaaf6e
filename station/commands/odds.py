"""Define `loto odds`: what to expect of Loto."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from rich.table import Table

from station.base.errors import SettingsError, Unreadable
from station.base.nouns import KNOBS
from station.base.terminal import mixed, out
from station.base.tongue import key, number_of, tr
from station.commands.options import HERE, JSON, SETTINGS, Commands, argument, option
from station.commands.programme import FILE, programme_file
from station.commands.tools import counting_bar, keep_output, language, print_json
from station.games import GAMES, AnyRules
from station.night.table.practice import alone
from station.odds.answers_second import POOLS, second_odds
from station.odds.first import first_odds, race, race_odds, real_crowd
from station.odds.programmes import TableOdds, programme_odds, table_odds
from station.odds.telling import (
    NAMES,
    figure,
    one_in,
    percent,
    plain,
    right,
    seen_figure,
    show_first,
    show_race,
    show_second,
)
from station.programme.check import load_programme
from station.rules.patterns import EARLY, PATTERNS, WHOLE_CARD, Pattern, drawn
from station.rules.seating import THRONG
from station.wire.wording import load_wording, shipped_for

commands = Commands(
    "odds",
    "Tell what may be expected: exact chances, as fractions and in words, beside trials of a seed.",
)

MOST_TRIALS, MOST_CARDS, MOST_AT_TABLE, MOST_HOLDERS = 1_000_000, 1_000_000, 144, 24

TRIALS: TypeAlias = Annotated[
    int, option("Try it so often, beside the exact figures.", "--simulate", min=0, max=MOST_TRIALS)
]
SEED: TypeAlias = Annotated[
    str, option("Where cards and luck come from: the same seed, the same figures.")
]
PICTURE: TypeAlias = Annotated[
    Path | None, option("Draw a picture there (PNG).", "--png", metavar="FILE")
]
WITHIN: TypeAlias = Annotated[
    int | None, option("How likely within this number of calls?", min=1, max=KNOBS)
]
KEYS: TypeAlias = Annotated[
    list[str] | None, argument("Patterns by name; else all.", show_default=False)
]


def _check(target: Path | None) -> None:
    """Check that a picture can be written, before anything is computed."""
    if target is not None and not target.absolute().parent.is_dir():
        raise Unreadable(
            tr(
                "{target}: there is no folder {parent}: make it first",
                target=target,
                parent=target.parent,
            )
        )


def _tell(told: Any, show: Callable[[Any], None], *, as_json: bool) -> None:
    if as_json:
        print_json(plain(told))
    else:
        show(told)


def _keep(target: Path, png: bytes, *, silent: bool) -> None:
    keep_output(target, png)
    if not silent:
        out.print(tr("{target} is written.", target=target))


def _draw(
    target: Path, title: str, below: str, grown: Mapping[str, Sequence[float]], *, silent: bool
) -> None:
    """Keep a picture of chances that grow from call to call."""
    from station.odds.telling import Curve, curves  # Pillow only where a picture is drawn

    shown = [Curve(*named) for named in grown.items()]
    _keep(target, curves(title, below, shown, tr("calls")), silent=silent)


@commands.command("second")
def odds_second(
    cards: Annotated[int, option("Cards that are taken.", min=1, max=MOST_AT_TABLE)] = 24,
    away: Annotated[int, option("Knobs that are put away.", min=0, max=KNOBS)] = 0,
    trials: TRIALS = 0,
    seed: SEED = "1",
    picture: PICTURE = None,
    as_json: JSON = False,
) -> None:
    """Tell a drawing of the Second Method: abstract to quinterne, what a card keeps and wins, how
    long the pool lasts.

    Example: loto odds second
    Example: loto odds second --cards 6 --simulate 1000000
    Example: loto odds second --cards 2 --away 20 --png drawing.png
    """
    _check(picture)
    with counting_bar("trials", trials + (trials or POOLS)) as more:
        told = second_odds(cards, away, trials, seed, more)
    _tell(told, show_second, as_json=as_json)
    if picture is not None:
        from station.odds.telling import Bar, bars

        shown = [Bar(tr(NAMES[row.laid]), float(row.chance)) for row in told.rows]
        shown += [
            Bar(tr("a card wins {won}", won=won), float(chance))
            for won, chance in told.winnings.items()
        ]
        below = tr("a row, and what a card wins; {knobs} knobs in the bag", knobs=KNOBS - away)
        _keep(picture, bars(tr("One drawing of the Second Method"), below, shown), silent=as_json)


@commands.command("first")
def odds_first(
    keys: KEYS = None,
    cards: Annotated[int, option("Cards in play.", min=1, max=MOST_CARDS)] = 24,
    within: WITHIN = None,
    trials: TRIALS = 0,
    seed: SEED = "1",
    picture: PICTURE = None,
    as_json: JSON = False,
) -> None:
    """Tell the First Method: how many calls to each pattern, for one card, the six of a strip, and
    all cards in play.

    Example: loto odds first
    Example: loto odds first row two-rows full --cards 600 --within 45
    Example: loto odds first ambo --simulate 100000 --json
    """
    _check(picture)
    chosen = _patterns(keys)
    with counting_bar("trials", trials) as more:
        told = first_odds(chosen, cards, within, trials, seed, more)
    _tell(told, show_first, as_json=as_json)
    if picture is not None:
        title = tr("The first of {cards}", cards=number_of(cards, "card"))
        waits = {key: real_crowd(pattern, cards).beyond for key, pattern in chosen.items()}
        grown = {key: [1 - chance for chance in beyond] for key, beyond in waits.items()}
        _draw(picture, title, tr("chance that some card has it"), grown, silent=as_json)


def _patterns(keys: list[str] | None) -> Mapping[str, Pattern]:
    known = PATTERNS | {key: drawn(key, [WHOLE_CARD], need) for key, need in EARLY.items()}
    unknown = [key for key in keys or () if key not in known]
    if unknown:
        raise SettingsError(
            unknown[0],
            [tr("there is no such pattern; there are {patterns}", patterns=", ".join(known))],
        )
    return {key: known[key] for key in dict.fromkeys(keys or PATTERNS)}


@commands.command("race")
def odds_race(
    keys: KEYS = None,
    holders: Annotated[int, option("Players who hold each number.", min=1, max=MOST_HOLDERS)] = 4,
    within: WITHIN = None,
    trials: TRIALS = 0,
    seed: SEED = "1",
    picture: PICTURE = None,
    as_json: JSON = False,
) -> None:
    """Tell the race, in which only the first to answer covers: how far a card gets among players
    who are equally quick.

    Example: loto odds race
    Example: loto odds race row full --holders 2 --within 60
    Example: loto odds race --simulate 20000
    """
    _check(picture)
    chosen = _patterns(keys)
    with counting_bar("trials", trials) as more:
        told = race_odds(chosen, holders, within, trials, seed, more)
    _tell(told, show_race, as_json=as_json)
    if picture is not None:
        title = tr("The race, each number with {players}", players=number_of(holders, "player"))
        grown = {key: [*map(float, race(pattern, holders))] for key, pattern in chosen.items()}
        _draw(picture, title, tr("chance that one card has it"), grown, silent=as_json)


@commands.command("programme")
def odds_programme(
    path: FILE = None,
    sold: Annotated[int, option("Cards sold for each game.", min=1, max=MOST_CARDS)] = 120,
    where: SETTINGS = HERE,
    as_json: JSON = False,
) -> None:
    """Tell each game of a programme: calls to all that it is played for, jackpots, drawings.

    Each pattern is taken as if it alone were played for, from the first call. `loto rehearse` plays
    whole nights.

    Example: loto odds programme hall-bingo --sold 600
    Example: loto odds programme my-night.toml --json
    """
    programme = load_programme(programme_file(path, where))
    games = programme_odds(programme, sold)
    if as_json:
        print_json({"programme": programme.name, "sold": sold, "games": plain(games)})
        return
    for number, game in enumerate(games, 1):
        out.print(mixed((f"{number} {game.name}", "bold"), f" ({GAMES[game.method].title})"))
        if game.first is not None:
            show_first(game.first)
        if game.race is not None:
            show_race(game.race)
        if game.second is not None:
            show_second(game.second)
        out.print()


# -- games at the table -------------------------------------------------------------


OF_TABLE = key(
    "Tell a game at the table: how long it lasts, and what each seat has of it, by games of"
    " simulated players; exact beside it where that is worked out."
)


def _of_table(rules: AnyRules) -> Callable[..., None]:
    """Return the command of a game that is played without knobs and cards of Loto."""

    def command(
        seats: Annotated[int, option("How many players.", min=2, max=THRONG)] = 4,
        trials: Annotated[
            int, option("Play it so often.", "--simulate", min=2, max=MOST_TRIALS)
        ] = 1000,
        seed: SEED = "1",
        agreed: Annotated[
            list[str] | None,
            option("What is agreed on, as a programme has it: counters=15.", "--setting"),
        ] = None,
        as_json: JSON = False,
    ) -> None:
        with counting_bar("games", trials) as more:
            told = table_odds(rules, seats, trials, seed, _agreed(rules, agreed or ()), more)
        _tell(told, _show_table, as_json=as_json)

    command.__doc__ = f"{OF_TABLE}\n\nExample: loto odds {rules.name} --seats 6"
    return command


def _agreed(rules: AnyRules, named: Sequence[str]) -> dict[str, bool | int | str]:
    """Return settings by name.

    Raises:
        Unreadable: a text is no `name=value`, or the game has no such setting.
    """
    known = {one.name: one for one in rules.settings}
    found: dict[str, bool | int | str] = {}
    for text in named:
        name, _, value = text.partition("=")
        if name not in known:
            some = ", ".join(known) or "-"
            raise Unreadable(tr("{name}: one of {names}", name=name, names=some))
        default = known[name].default
        plain_number = value.isdecimal() and not isinstance(default, str | bool)
        found[name] = int(value) if plain_number else value
        if isinstance(default, bool):
            found[name] = value in ("yes", "true")
    return found


def _show_table(told: TableOdds) -> None:
    players = number_of(len(told.seats), "player")
    out.print(f"{GAMES[told.game].title}: {players}, {number_of(told.games, 'game')}\n")
    exact = told.exact
    off = [] if exact is None else ["exact", "off by"]
    table = Table(tr("seat"), *right("wins", *off, "takes home more"))
    for seat in told.seats:
        figures = () if exact is None else (f"{exact.wins[seat.seat - 1]:.4f}",)
        wins = seen_figure(seat.wins, 4)
        beside = () if exact is None else (*figures, wins[1])
        table.add_row(str(seat.seat), wins[0], *beside, figure(seat.gain, 2))
    out.print(table)
    length = tr(
        "Chance decides {seen} times in a game: half of them end by {median}, the longest by"
        " {longest}.",
        seen=figure(told.length, 2),
        median=told.median,
        longest=told.longest,
    )
    out.print(length)
    if exact is not None:
        out.print(tr("Worked out, it is {length:.4f}.", length=exact.length))
    words = load_wording(shipped_for(language())).screen
    if told.worths:
        out.print(tr("What its holder has more by each, worked out with all counters in the pool:"))
        bought = Table(tr("card"), *right("counters"))
        for thing in told.worths:
            bought.add_row(words[thing.key], f"{thing.units:.2f}")
        out.print(bought)
    if told.likely:
        likely = Table(tr("what may happen"), *right("chance", "that is"))
        for event in told.likely:
            happens = words[event.key].format(count=event.count)
            likely.add_row(happens, percent(event.chance), one_in(event.chance))
        out.print(likely)
    for tried in told.happens:
        out.print(f"{words[tried.key]}: {figure(tried.often, 4)}")


for one in filter(alone, GAMES.values()):
    commands.command(one.name)(_of_table(one))
