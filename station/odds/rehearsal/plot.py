"""Draw the picture of a rehearsal: length, money, calls to each stage, when a jackpot falls."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.odds.rehearsal.cores import Load, library
from station.odds.rehearsal.night import Nights, Rehearsal
from station.odds.rehearsal.outlook import Outlook, Spread, lengths

INCHES, DPI = (12, 9), 110
BARS = 15  # more would show that calls come in whole ones
MOST_STAGES = 40  # more have no room: the first ones are drawn
INK, BAND, SECOND = "#1f4e79", "#9dc3e6", "#c55a11"


def check_plot(path: Path, load: Load = import_module) -> None:
    """Check that a picture can be drawn, before an hour is spent on its figures.

    Raises:
        SettingsError: matplotlib is not installed.
        Unreadable: the file's folder does not exist.
    """
    library("matplotlib.figure", "--plot", load)
    if not path.absolute().parent.is_dir():
        raise Unreadable(f"{path}: there is no folder {path.parent}: make it first")


def plot(
    path: Path,
    rehearsal: Rehearsal,
    nights: Nights,
    found: Outlook,
    written: Callable[[int], str] = str,
) -> None:
    """Write the picture as a PNG file.

    Args:
        path: the file's path.
        rehearsal: what was rehearsed.
        nights: its nights.
        found: their summary.
        written: returns a sum of whole units as text.

    Raises:
        SettingsError: matplotlib is not installed.
        Unreadable: the file cannot be written.
    """
    # A figure by itself draws with Agg: no display, no state shared with others.
    matplotlib = library("matplotlib.figure", "--plot")
    figure = matplotlib.Figure(figsize=INCHES, dpi=DPI, layout="constrained")
    nights_of = f"{found.sold:,} cards, {found.nights:,} nights, seed {found.seed}"
    figure.suptitle(_plain(f"{rehearsal.programme.name}: {nights_of}"))
    (length, money), (calls, jackpot) = figure.subplots(2, 2)
    _length(length, lengths(rehearsal, nights, found.pace) / 60, found)
    _money(money, nights, found, written)
    _calls(calls, found)
    _jackpot(jackpot, found)
    try:
        # No date and no version: the same rehearsal is the same file.
        figure.savefig(path, format="png", metadata={"Software": None})
    except OSError as error:
        raise Unreadable(f"{path}: the picture cannot be written: {error.strerror}") from error


def _plain(text: str) -> str:
    """Return the text with dollar signs escaped, which would begin a formula."""
    return text.replace("$", r"\$")


def _length(axes: Any, minutes: Any, found: Outlook) -> None:
    axes.hist(minutes, BARS, color=BAND)
    axes.axvline(found.minutes.mean, color=INK, label=f"mean {found.minutes.mean:.0f} min")
    for bound in (found.minutes.low, found.minutes.high):
        part = "5 %" if bound == found.minutes.low else "95 %"
        axes.axvline(bound, color=INK, linestyle=":", label=f"{part}: {bound:.0f} min")
    axes.set(title="Length of the night", xlabel="minutes", ylabel="nights")
    axes.legend()


def _money(axes: Any, nights: Nights, found: Outlook, written: Callable[[int], str]) -> None:
    rows = {
        "prizes": found.prizes,
        "of them jackpots": Spread.of(nights.jackpots.sum(axis=1)),
        "the house's result": found.house,
    }
    for row, spread in enumerate(rows.values()):
        _range(axes, row, spread)
        axes.plot((spread.least, spread.most), (row, row), "|", color=SECOND, markersize=14)
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()
    axes.axvline(0, color=INK, linewidth=0.5)
    axes.locator_params(axis="x", nbins=6)
    axes.xaxis.set_major_formatter(lambda units, _: _plain(written(round(units))))
    axes.set(title="Money a night: mean, 5 to 95 %, least and most", ylim=(len(rows) - 0.5, -0.5))


def _range(axes: Any, row: int, spread: Spread) -> None:
    ends = (spread.low, spread.high)
    axes.plot(ends, (row, row), color=BAND, linewidth=5, solid_capstyle="round")
    axes.plot(spread.mean, row, "o", color=INK)


def _calls(axes: Any, found: Outlook) -> None:
    stages = [stage for stage in found.stages if stage.calls is not None][:MOST_STAGES]
    for row, stage in enumerate(stages):
        if stage.calls is not None:
            _range(axes, row, stage.calls)
    names = [_plain(f"{stage.game}: {stage.name}") for stage in stages]
    axes.set_yticks(range(len(stages)), names, fontsize=7 if len(stages) > 12 else 9)
    axes.invert_yaxis()
    axes.set(title="Calls to each stage: mean, 5 to 95 %", xlabel="calls", xlim=(0, KNOBS))


def _jackpot(axes: Any, found: Outlook) -> None:
    jackpots = found.jackpots
    # Half a night of those rehearsed up to all of them: where it never falls there is nothing to
    # find limits by.
    axes.set(yscale="log", xlim=(1, KNOBS), ylim=(50 / found.nights, 150))
    axes.plot(range(1, KNOBS + 1), [100 * chance for chance in jackpots.by_calls], color=INK)
    for game in jackpots.games:
        label = _plain(f"{game.game}: within {game.within}")
        axes.axvline(game.within, color=SECOND, linestyle=":", label=label)
    label = f"within {jackpots.advice}: at most 1 in {jackpots.one_in} nights"
    axes.axvline(jackpots.advice, color=INK, linestyle=":", label=label)
    what = "of a game with a jackpot" if jackpots.games else "of the last game"
    axes.set(title=f"Last stage {what} won")
    axes.set(xlabel="within so many calls", ylabel="% of the nights")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(axis="y", alpha=0.4)
    axes.legend(loc="lower right")
