"""Define `loto odds`: what to expect of Loto."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from rich.table import Column, Table

from station.base.errors import SettingsError, Unreadable
from station.base.nouns import KNOBS
from station.base.terminal import mixed, out
from station.commands.programme import FILE, programme_file
from station.games import PLAYS
from station.odds.answers_first import CallOdds, FirstOdds, RaceOdds, first_odds, race_odds
from station.odds.answers_second import POOLS, SecondOdds, second_odds
from station.odds.first import crowd, race
from station.odds.programmes import programme_odds
from station.odds.second import STRIP_CARDS
from station.odds.trials import TrialFigure
from station.odds.words import fraction, one_in, percent, plain
from station.orders.options import HERE, JSON, SETTINGS, Commands, argument, option
from station.orders.tools import counting_bar, keep_output, many, print_json
from station.programme.check import load_programme
from station.rules.patterns import PATTERNS, Pattern

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
        raise Unreadable(f"{target}: there is no folder {target.parent}: make it first")


def _tell(told: Any, show: Callable[[Any], None], *, as_json: bool) -> None:
    if as_json:
        print_json(plain(told))
    else:
        show(told)


def _keep(target: Path, png: bytes, *, silent: bool) -> None:
    keep_output(target, png)
    if not silent:
        out.print(f"{target} is written.")


def _draw(
    target: Path, title: str, below: str, grown: Mapping[str, Sequence[float]], *, silent: bool
) -> None:
    """Keep a picture of chances that grow from call to call."""
    from station.odds.picture import Curve, curves  # Pillow only where a picture is drawn

    shown = [Curve(*named) for named in grown.items()]
    _keep(target, curves(title, below, shown, "calls"), silent=silent)


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
    _tell(told, _show_second, as_json=as_json)
    if picture is not None:
        from station.odds.picture import Bar, bars

        shown = [Bar(row.name if row.laid else "nothing", float(row.chance)) for row in told.rows]
        shown += [Bar(f"a card wins {won}", float(chance)) for won, chance in told.winnings.items()]
        below = f"a row, and what a card wins; {KNOBS - away} knobs in the bag"
        _keep(picture, bars("One drawing of the Second Method", below, shown), silent=as_json)


def _show_second(told: SecondOdds) -> None:
    out.print(f"One drawing: 10 of {KNOBS - told.away} knobs.\n")
    # In a narrow terminal only the last heading is shortened.
    on_all = Column(f"rows on {many(told.cards, 'card')}", justify="right")
    rows = Table(Column("row", no_wrap=True), *right("chance", "that is", "on a card"), on_all)
    for row in told.rows:
        among = f"{float(row.among):.4g}"
        rows.add_row(
            row.name, fraction(row.chance), one_in(row.chance), one_in(row.on_a_card), among
        )
    out.print(rows)
    laid = told.keeps - told.wins
    out.print(
        f"A card keeps {fraction(told.keeps)} ≈ {float(told.keeps):.4f} counters a drawing on"
        f" average: {fraction(laid)} laid on it, and {float(told.wins):.4f} from the pool.\n"
    )
    wins = Table(*right("a card wins", "chance", "that is"))
    for counters, chance in told.winnings.items():
        wins.add_row(str(counters), fraction(chance), one_in(chance))
    out.print(wins)
    if told.drawings:
        tried = Table(f"{told.drawings:,} drawings", *right("exact", "seen", "off by"))
        for row in told.rows:
            if row.seen is not None:
                tried.add_row(row.name, f"{float(row.chance):.7f}", *_seen(row.seen, 7))
        if told.seen is not None:
            tried.add_row("a card wins", f"{float(told.wins):.4f}", *_seen(told.seen, 4))
        out.print(tried)
        out.print(
            f"Rows of cards that share no number, seed {told.seed}; - where too few came to tell.\n"
        )
    _show_pool(told)


def _show_pool(told: SecondOdds) -> None:
    pool = told.pool
    out.print(
        f"{many(told.cards, 'card')}: {pool.table:,} counters on the table, {pool.pool:,} in the"
        f" pool. A drawing lays {float(pool.laid):.2f} on average, and wins {float(pool.won):.2f}"
        " from the pool."
    )
    times = f"in {pool.games:,} games of the seed's cards"
    seen = f"{_figure(pool.seen, 2)} {times}"
    if pool.exact is not None and pool.deviation is not None:
        exact = f"{float(pool.exact):.4f} on average, ± {pool.deviation:.2f} a game"
        out.print(f"They run short in drawing {exact}: worked out. Seen: {seen}.")
    else:
        out.print(
            f"They run short in drawing {seen}; not worked out, since it depends on how these cards"
            " share numbers."
        )
    out.print(
        f"One game in twenty is short by drawing {pool.soonest}, one in twenty after drawing"
        f" {pool.latest}."
    )


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
    _tell(told, _show_first, as_json=as_json)
    if picture is not None:
        title, below = f"The first of {many(cards, 'card')}", "chance that some card has it"
        waits = {key: crowd(pattern, cards).beyond for key, pattern in chosen.items()}
        grown = {key: [1 - chance for chance in beyond] for key, beyond in waits.items()}
        _draw(picture, title, below, grown, silent=as_json)


def _patterns(keys: list[str] | None) -> Mapping[str, Pattern]:
    unknown = [key for key in keys or () if key not in PATTERNS]
    if unknown:
        raise SettingsError(
            unknown[0], [f"there is no such pattern; there are {', '.join(PATTERNS)}"]
        )
    return {key: PATTERNS[key] for key in dict.fromkeys(keys or PATTERNS)}


def _show_first(told: FirstOdds) -> None:
    counts = [calls.cards for calls in told.patterns[0].calls]
    table = Table(
        "calls to", *right(*(_cards(count) for count in counts)), *right("half by", "shared")
    )
    for pattern in told.patterns:
        most = pattern.calls[-1]
        table.add_row(
            pattern.key,
            *(f"{calls.mean:.2f} ± {calls.deviation:.2f}" for calls in pattern.calls),
            str(most.median),
            percent(most.shared),
        )
    out.print(table)
    if told.cards > STRIP_CARDS:
        out.print(
            f"One card and a strip are exact; {told.cards:,} cards share numbers, and are taken as"
            " strips laid out at random."
        )
    if told.within is not None:
        chances = Table(
            f"within {many(told.within, 'call')}", *right(*(_cards(count) for count in counts))
        )
        for pattern in told.patterns:
            chances.add_row(pattern.key, *(_chance(calls) for calls in pattern.calls))
        out.print(chances)
    if told.games:
        _show_tried(told)


def _chance(calls: CallOdds) -> str:
    return "-" if calls.within is None else f"{percent(calls.within)}, {one_in(calls.within)}"


def _show_tried(told: FirstOdds) -> None:
    tried = Table(
        f"{told.games:,} games", *right("cards", "calls", "seen", "off by", "shared", "seen")
    )
    for pattern in told.patterns:
        for calls in pattern.calls:
            if calls.seen is not None and calls.seen_shared is not None:
                figures = (f"{calls.cards:,}", f"{calls.mean:.3f}", *_seen(calls.seen, 3))
                shared = (percent(calls.shared), percent(calls.seen_shared))
                tried.add_row(pattern.key, *figures, *shared)
    out.print(tried)
    out.print(
        f"Real cards of seed {told.seed}; how far they are off is told where the figure is exact."
    )


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
    _tell(told, _show_race, as_json=as_json)
    if picture is not None:
        title = f"The race, each number with {many(holders, 'player')}"
        grown = {key: [*map(float, race(pattern, holders))] for key, pattern in chosen.items()}
        _draw(picture, title, "chance that one card has it", grown, silent=as_json)


def _show_race(told: RaceOdds) -> None:
    out.print(
        f"Each number is held by {many(told.holders, 'player')}; the first to answer covers it, all"
        " equally often.\n"
    )
    heads = [] if told.within is None else [f"within {told.within}"]
    table = Table("one card", *right("before the bag is empty", "that is", *heads))
    for pattern in told.patterns:
        cells = [pattern.key, fraction(pattern.ever), one_in(pattern.ever)]
        table.add_row(*cells, *([] if pattern.within is None else [percent(pattern.within)]))
    out.print(table)
    if told.races:
        tried = Table(f"{told.races:,} races", *right("exact", "seen", "off by", "any card, seen"))
        for pattern in told.patterns:
            if pattern.seen is not None and pattern.anybody is not None:
                figures = (f"{float(pattern.ever):.5f}", *_seen(pattern.seen, 5))
                tried.add_row(pattern.key, *figures, percent(pattern.anybody))
        out.print(tried)
        strips = f"The cards of {many(told.holders, 'strip')} are out, a player to each"
        out.print(f"{strips}; seed {told.seed}; - where too few came to tell.\n")
    best = f"; the best of all {_figure(told.best, 2)}, seen" if told.best else ""
    out.print(
        f"When the bag is empty a card has {fraction(told.covered)} of its fifteen numbers covered"
        f" on average{best}."
    )


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
        out.print(mixed((f"{number} {game.name}", "bold"), f" ({PLAYS[game.method].title})"))
        if game.first is not None:
            _show_first(game.first)
        if game.race is not None:
            _show_race(game.race)
        if game.second is not None:
            _show_second(game.second)
        out.print()


def right(*names: str) -> Iterator[Column]:
    """Return columns of figures."""
    return (Column(name, justify="right", no_wrap=True) for name in names)


def _cards(count: int) -> str:
    return f"a strip of {count}" if count == STRIP_CARDS else many(count, "card")


def _seen(seen: TrialFigure, decimals: int) -> tuple[str, str]:
    off = "-" if seen.off is None else f"{seen.off:+.1f} s.e."
    return _figure(seen, decimals), off


def _figure(seen: TrialFigure, decimals: int) -> str:
    return f"{seen.mean:.{decimals}f} ± {seen.error:.{decimals}f}"
