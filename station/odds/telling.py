"""Tell what may be expected of Loto: words, tables, data, and pictures of chances.

Chances are written in words and figures that people read, and as data for programs. Pictures are
PNG, drawn by Pillow: bars show how rare something is, curves how a chance grows from call to call.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, ImageDraw, ImageFont
from rich.table import Column, Table

from station.base.nouns import KNOBS
from station.base.terminal import out
from station.base.tongue import key, number_of, tr
from station.odds.answers_second import SecondOdds
from station.odds.first import CallOdds, FirstOdds, RaceOdds
from station.odds.second import STRIP_CARDS
from station.odds.trials import TrialFigure

LONGEST = 28  # signs of a fraction that is shown: longer ones tell nobody anything
ALMOST = 0.9
LEAST = 0.00001


def one_in(chance: Fraction | float) -> str:
    """Return a chance as "1 in N".

    >>> [one_in(Fraction(*chance)) for chance in ((0, 1), (1, 1), (2, 3), (1, 35), (269, 270))]
    ['never', 'always', '1 in 1.5', '1 in 35', 'all but 1 in 270']
    """
    if chance <= 0:
        return tr("never")
    if chance >= 1:
        return tr("always")
    if chance > ALMOST:
        return tr("all but {chance}", chance=one_in(1 - chance))
    times = 1 / chance
    figure = f"{float(times):.1f}".removesuffix(".0") if times < 10 else f"{round(times):,}"
    return tr("1 in {times}", times=figure)


def fraction(value: Fraction) -> str:
    """Return a fraction as text if it is short enough to be read, else an empty text.

    >>> fraction(Fraction(102700, 1220813)), fraction(Fraction(1, 3 ** 60))
    ('102700/1220813', '')
    """
    text = str(value)
    return text if len(text) <= LONGEST else ""


def percent(chance: Fraction | float) -> str:
    """Return a chance in per cent, with as many decimals as its size needs.

    >>> [percent(chance) for chance in (0, 1, 0.5, 0.0123, 0.99996, 0.000001)]
    ['0 %', '100 %', '50.0 %', '1.23 %', '99.996 %', 'under 0.001 %']
    """
    if chance in (0, 1):
        return f"{int(chance) * 100} %"
    near = min(float(chance), 1 - float(chance))
    if near < LEAST:
        return tr("under 0.001 %") if chance < ALMOST else tr("over 99.999 %")
    return f"{100 * float(chance):.{1 if near >= 0.1 else 2 if near >= 0.001 else 3}f} %"


def plain(value: Any) -> Any:
    """Return an answer as data for programs: fractions as text and as a number, records as tables.

    >>> plain(Fraction(1, 4))
    {'exact': '1/4', 'value': 0.25}
    """
    match value:
        case Fraction():
            return {"exact": str(value), "value": float(value)}
        case Mapping():
            return [{"of": key, **plain(chance)} for key, chance in value.items()]
        case list() | tuple():
            return [plain(one) for one in value]
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


# -- on a terminal ---------------------------------------------------------------------------------

KEY = 10  # letters of a pattern's name


# Rows by the counters that a drawing lays on them.
NAMES = (
    key("nothing"),
    key("abstract"),
    key("ambo"),
    key("terne"),
    key("quaterne"),
    key("quinterne"),
)


def show_second(told: SecondOdds) -> None:
    """Tell of a drawing of the Second Method, and of its pool."""
    out.print(f"{tr('One drawing: 10 of {knobs} knobs.', knobs=KNOBS - told.away)}\n")
    among = [f"{float(row.among):.4g}" for row in told.rows]
    # In a narrow terminal only what rows are called goes on below: a figure is whole or wrong.
    last = tr("rows on {cards}", cards=number_of(told.cards, "card"))
    on_all = Column(last, justify="right", min_width=_longest(*among, last))
    names = [tr(NAMES[row.laid]) for row in told.rows]
    first = Column(tr("row"), min_width=_longest(*names))
    rows = Table(first, *right("chance", "that is", "on a card"), on_all)
    for name, row, many in zip(names, told.rows, among, strict=True):
        rows.add_row(
            name,
            fraction(row.chance),
            one_in(row.chance),
            one_in(row.on_a_card),
            many,
        )
    out.print(rows)
    laid = told.keeps - told.wins
    out.print(
        tr(
            "A card keeps {fraction} ≈ {counters:.4f} counters a drawing on average:"
            " {laid} laid on it, and {won:.4f} from the pool.",
            fraction=fraction(told.keeps),
            counters=float(told.keeps),
            laid=fraction(laid),
            won=float(told.wins),
        )
        + "\n"
    )
    wins = Table(*right("a card wins", "chance", "that is"))
    for counters, chance in told.winnings.items():
        wins.add_row(str(counters), fraction(chance), one_in(chance))
    out.print(wins)
    if told.drawings:
        tried = Table(
            tr("{drawings:,} drawings", drawings=told.drawings),
            *right("exact", "seen", "off by"),
        )
        for row in told.rows:
            if row.seen is not None:
                tried.add_row(
                    tr(NAMES[row.laid]), f"{float(row.chance):.7f}", *seen_figure(row.seen, 7)
                )
        if told.seen is not None:
            tried.add_row(tr("a card wins"), f"{float(told.wins):.4f}", *seen_figure(told.seen, 4))
        out.print(tried)
        out.print(
            tr(
                "Rows of cards that share no number, seed {seed}; - where too few came to tell.",
                seed=told.seed,
            )
            + "\n"
        )
    _show_pool(told)


def _show_pool(told: SecondOdds) -> None:
    pool = told.pool
    out.print(
        tr(
            "{cards}: {table:,} counters on the table, {pool:,} in the pool. A drawing"
            " lays {laid:.2f} on average, and wins {won:.2f} from the pool.",
            cards=number_of(told.cards, "card"),
            table=pool.table,
            pool=pool.pool,
            laid=float(pool.laid),
            won=float(pool.won),
        )
    )
    times = tr("in {games:,} games of the seed's cards", games=pool.games)
    seen = f"{figure(pool.seen, 2)} {times}"
    if pool.exact is not None and pool.deviation is not None:
        exact = tr(
            "{mean:.4f} on average, ± {deviation:.2f} a game",
            mean=float(pool.exact),
            deviation=pool.deviation,
        )
        out.print(
            tr(
                "They run short in drawing {exact}: worked out. Seen: {seen}.",
                exact=exact,
                seen=seen,
            )
        )
    else:
        out.print(
            tr(
                "They run short in drawing {seen}; not worked out, since it depends on how"
                " these cards share numbers.",
                seen=seen,
            )
        )
    out.print(
        tr(
            "One game in twenty is short by drawing {soonest}, one in twenty after"
            " drawing {latest}.",
            soonest=pool.soonest,
            latest=pool.latest,
        )
    )


def show_first(told: FirstOdds) -> None:
    """Tell how many calls each pattern takes."""
    counts = [calls.cards for calls in told.patterns[0].calls]
    table = Table(
        folded(tr("calls to"), KEY),
        *right(*(_cards(count) for count in counts)),
        *right("half by", "shared"),
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
            tr(
                "One card and a strip are exact. {cards:,} cards share numbers: they are reckoned"
                " from many orders of the balls, with an error of {error:.2f} calls.",
                error=max(pattern.calls[-1].error for pattern in told.patterns),
                cards=told.cards,
            )
        )
    if told.within is not None:
        chances = Table(
            tr("within {calls}", calls=number_of(told.within, "call")),
            *right(*(_cards(count) for count in counts)),
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
        tr("{games:,} games", games=told.games),
        *right("cards", "calls", "seen", "off by", "shared", "seen"),
    )
    for pattern in told.patterns:
        for calls in pattern.calls:
            if calls.seen is not None and calls.seen_shared is not None:
                figures = (f"{calls.cards:,}", f"{calls.mean:.3f}", *seen_figure(calls.seen, 3))
                shared = (percent(calls.shared), percent(calls.seen_shared))
                tried.add_row(pattern.key, *figures, *shared)
    out.print(tried)
    out.print(
        tr(
            "Real cards of seed {seed}; “off by” is in standard errors.",
            seed=told.seed,
        )
    )


def show_race(told: RaceOdds) -> None:
    """Tell of a game in which the first to answer covers."""
    out.print(
        tr(
            "Each number is held by {players}; the first to answer covers it, all equally often.",
            players=number_of(told.holders, "player"),
        )
        + "\n"
    )
    within = [] if told.within is None else [tr("within {within}", within=told.within)]
    table = Table(tr("one card"), *right("before the bag is empty", "that is", *within))
    for pattern in told.patterns:
        cells = [pattern.key, fraction(pattern.ever), one_in(pattern.ever)]
        table.add_row(*cells, *([] if pattern.within is None else [percent(pattern.within)]))
    out.print(table)
    if told.races:
        tried = Table(
            tr("{races:,} races", races=told.races),
            *right("exact", "seen", "off by", "any card, seen"),
        )
        for pattern in told.patterns:
            if pattern.seen is not None and pattern.anybody is not None:
                figures = (f"{float(pattern.ever):.5f}", *seen_figure(pattern.seen, 5))
                tried.add_row(pattern.key, *figures, percent(pattern.anybody))
        out.print(tried)
        strips = tr(
            "The cards of {strips} are out, a player to each",
            strips=number_of(told.holders, "strip"),
        )
        out.print(
            tr(
                "{strips}; seed {seed}; - where too few came to tell.",
                strips=strips,
                seed=told.seed,
            )
            + "\n"
        )
    best = tr("; the best of all {figure}, seen", figure=figure(told.best, 2)) if told.best else ""
    out.print(
        tr(
            "When the bag is empty a card has {fraction} of its fifteen numbers covered"
            " on average{best}.",
            fraction=fraction(told.covered),
            best=best,
        )
    )


def folded(head: str, widest: int) -> str:
    """Return a head in lines of so many letters, where its words let it: a table is as wide in any
    language."""
    return "\n".join(textwrap.wrap(head, widest, break_long_words=False))


def _longest(*texts: str) -> int:
    """Return how many letters the longest word of these texts has."""
    return max(len(word) for text in texts for word in text.split())


def right(*names: str) -> Iterator[Column]:
    """Return columns of figures."""
    return (Column(folded(tr(name), len(name)), justify="right", no_wrap=True) for name in names)


def _cards(count: int) -> str:
    return (
        tr("a strip of {count}", count=count) if count == STRIP_CARDS else number_of(count, "card")
    )


def seen_figure(seen: TrialFigure, decimals: int) -> tuple[str, str]:
    """Return a figure of trials, and how far it is from the exact one, in standard errors."""
    off = "-" if seen.off is None else tr("{deviation:+.1f} s.e.", deviation=seen.off)
    return figure(seen, decimals), off


def figure(seen: TrialFigure, decimals: int) -> str:
    """Return a figure of trials with its error."""
    return f"{seen.mean:.{decimals}f} ± {seen.error:.{decimals}f}"


# -- pictures --------------------------------------------------------------------------------------

WIDTH, HEIGHT = 1100, 620
ROW = 34  # pixels of a bar
MARGIN, LEFT, TOP = 40, 190, 96
FINE = 2  # drawn so many times larger and shrunk: edges come out smooth
PAPER, INK, GREY, GRID = "#ffffff", "#1d2630", "#5d6875", "#dfe4ea"
# Okabe and Ito's colours, which people who see red and green alike tell apart; the yellow is too
# light for lines.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#4d4d4d")
DEVANAGARI = re.compile("[\u0900-\u097f]")
FONTS = Path(__file__).parents[1] / "base" / "fonts"


class Bar(NamedTuple):
    """The text of a bar, and the chance it shows."""

    name: str
    chance: float


class Curve(NamedTuple):
    """The text of a curve, and its chance within 0, 1, 2, … calls."""

    name: str
    chances: Sequence[float]


class _Canvas:
    """Paper with a title; lengths are in pixels of the finished picture."""

    def __init__(self, height: int, title: str, below: str) -> None:
        self.height = height
        self._image = Image.new("RGB", (WIDTH * FINE, height * FINE), PAPER)
        self._draw = ImageDraw.Draw(self._image)
        self.words((MARGIN, 44), title, 24, bold=True)
        self.words((MARGIN, 72), below, 15, colour=GREY)

    def words(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        *,
        bold: bool = False,
        colour: str = INK,
        by: str = "ls",
    ) -> None:
        name = (
            "devanagari.ttf" if DEVANAGARI.search(text) else "page-bold.ttf" if bold else "page.ttf"
        )
        font = ImageFont.truetype(FONTS / name, size * FINE)
        self._draw.text((at[0] * FINE, at[1] * FINE), text, colour, font, anchor=by)

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float = 1) -> None:
        fine = [(x * FINE, y * FINE) for x, y in points]
        self._draw.line(fine, colour, round(width * FINE), joint="curve")

    def box(self, left: float, top: float, right: float, bottom: float, colour: str) -> None:
        self._draw.rectangle((left * FINE, top * FINE, right * FINE, bottom * FINE), colour)

    def png(self) -> bytes:
        whole = io.BytesIO()
        small = self._image.resize((WIDTH, self.height), Image.Resampling.BOX)
        small.quantize(256, dither=Image.Dither.NONE).save(whole, "PNG", optimize=True)
        return whole.getvalue()


def bars(title: str, below: str, shown: Sequence[Bar]) -> bytes:
    """Return a picture of how rare things are, a step ten times rarer; without what never comes."""
    rows = [bar for bar in shown if bar.chance > 0]
    lowest = min([-1, *(floor(log10(bar.chance)) for bar in rows)])
    bottom = TOP + ROW * len(rows)
    canvas = _Canvas(bottom + MARGIN + 20, title, below)
    right = WIDTH - MARGIN - 130  # behind the longest bar stands its figure

    def across(chance: float) -> float:
        return LEFT + (right - LEFT) * (1 - log10(chance) / lowest)

    for power in range(lowest, 1):
        x = across(10.0**power)
        canvas.line([(x, TOP), (x, bottom)], GRID)
        if power % (1 if lowest >= -8 else 2) == 0:
            canvas.words((x, bottom + 22), _step(power), 12, by="ms")
    for place, bar in enumerate(rows):
        y = TOP + ROW * place
        end, line = max(LEFT + 2, across(bar.chance)), y + ROW / 2 + 5
        canvas.box(LEFT, y + 5, end, y + ROW - 5, COLOURS[0])
        canvas.words((LEFT - 10, line), bar.name, 15, by="rs")
        canvas.words((end + 8, line), one_in(bar.chance), 13, colour=GREY)
    return canvas.png()


def _step(power: int) -> str:
    times = f"{10**-power:,}" if power >= -6 else f"10^{-power}"
    return tr("1 in {times}", times=times) if power else tr("always")


def curves(title: str, below: str, shown: Sequence[Curve], across: str) -> bytes:
    """Return a picture of how chances grow.

    Args:
        title, below: what stands above.
        shown: the curves; if there are more of them than colours, the rest are thin.
        across: what the lower axis counts.
    """
    canvas = _Canvas(HEIGHT, title, below)
    left, right, bottom = MARGIN + 50, WIDTH - MARGIN - 150, HEIGHT - 70
    steps = max((len(curve.chances) for curve in shown), default=2) - 1

    def at(step: int, chance: float) -> tuple[float, float]:
        return left + (right - left) * step / steps, bottom - (bottom - TOP) * chance

    for percent in range(0, 101, 20):
        canvas.line([at(0, percent / 100), at(steps, percent / 100)], GRID)
        line = at(0, percent / 100)[1] + 5
        canvas.words((left - 10, line), f"{percent} %", 13, colour=GREY, by="rs")
    for step in range(0, steps + 1, 10 if steps > 40 else 5):
        canvas.line([at(step, 0), at(step, 1)], GRID)
        canvas.words((at(step, 0)[0], bottom + 20), str(step), 13, colour=GREY, by="ms")
    canvas.words(((left + right) / 2, bottom + 46), across, 14, colour=GREY, by="ms")
    for place, curve in enumerate(shown):
        colour = COLOURS[place % len(COLOURS)]
        points = [at(step, chance) for step, chance in enumerate(curve.chances)]
        width = 2.5 if place < len(COLOURS) else 1.2
        canvas.line(points, colour, width)
        y = TOP + 12 + 22 * place
        canvas.line([(right + 20, y - 5), (right + 44, y - 5)], colour, 2 * width)
        canvas.words((right + 52, y), curve.name, 14)
    return canvas.png()
