"""Define `loto rehearse`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from rich.table import Table

from station.base.errors import SettingsError
from station.base.terminal import out
from station.base.tongue import heads, tr
from station.cards.pack import Pack, draw_numbers
from station.cards.strip_tables import CARDS
from station.commands.options import HERE, JSON, SETTINGS, Commands, option
from station.commands.programme import FILE, programme_file
from station.commands.tools import counting_bar, print_json
from station.odds.rehearsal.cores import on_cores, on_dask
from station.odds.rehearsal.night import MOST, Rehearsal
from station.odds.rehearsal.outlook import (
    CHECKED,
    JackpotOutlook,
    Outlook,
    Pace,
    Spread,
    StageOutlook,
    outlook,
)
from station.odds.rehearsal.plot import check_plot, plot
from station.odds.rehearsal.ranks import U8
from station.odds.rehearsal.stages import Cards
from station.odds.telling import right
from station.programme.check import load_programme
from station.programme.programme import Programme
from station.views.money_text import Currency

commands = Commands()
MOST_SOLD = 1_000_000


@commands.command()
def rehearse(
    path: FILE = None,
    sold: Annotated[int, option("Cards in play in every game.", min=1, max=MOST_SOLD)] = 600,
    nights: Annotated[int, option("How many nights.", min=1, max=MOST)] = 1000,
    per_player: Annotated[int, option("Cards that each player holds.", min=1)] = 1,
    pack: Annotated[
        Path | None,
        option("The hall's own pack; its first cards are sold. Else cards of the seed."),
    ] = None,
    pace: Annotated[float, option("Seconds from call to call.", min=0)] = Pace.call,
    claim: Annotated[
        float, option("Seconds that play stands at each call that wins something.", min=0)
    ] = Pace.claim,
    change: Annotated[
        float, option("Seconds between two games that have no pause.", min=0)
    ] = Pace.change,
    jackpot: Annotated[
        int, option("What the rolling jackpot holds when the night begins.", min=0)
    ] = 0,
    one_in: Annotated[
        int, option("Advise on a jackpot that falls in one of N nights.", "--one-in", min=1)
    ] = 20,
    seed: Annotated[
        str, option("Where all luck comes from: the same seed, the same nights.")
    ] = "1",
    cores: Annotated[int, option("Cores of this machine to use.", min=1, max=1024)] = 1,
    dask: Annotated[
        str | None, option("Use a Dask cluster: its scheduler's address.", metavar="ADDRESS")
    ] = None,
    picture: Annotated[
        Path | None, option("Draw a picture there (PNG).", "--plot", metavar="FILE")
    ] = None,
    where: SETTINGS = HERE,
    as_json: JSON = False,
) -> None:
    """Rehearse a night a thousand times: how long, how dear, how often shared, when the jackpot
    falls.

    Example: loto rehearse programme.toml --sold 600 --nights 1000
    Example: loto rehearse hall-bingo --sold 600 --per-player 3 --pace 5 --plot night.png
    Example: loto rehearse programme.toml --pack pack.csv --sold 180 --json
    Example: loto rehearse programme.toml --nights 100000 --dask tcp://192.168.1.5:8786
    """
    if dask is not None and cores > 1:
        raise SettingsError(
            "--cores", [tr("the cluster has cores of its own: say --cores or --dask")]
        )
    if picture is not None:
        check_plot(picture)
    settings = where.settings()
    programme = _of_the_hall(load_programme(programme_file(path, where)))
    cards = Cards(_numbers(sold, pack, seed), per_player)
    wanted = Rehearsal(programme, cards, nights, seed, settings.game.last_number, jackpot)
    assumed = Pace(pace, claim, change)
    with counting_bar("nights", nights) as more:
        found = on_cores(wanted, cores, more) if dask is None else on_dask(wanted, dask, more)
    told = outlook(wanted, found, assumed, one_in)
    if picture is not None:
        plot(picture, wanted, found, told, settings.hall.money.text)
    if as_json:
        print_json(asdict(told))
        return
    _print(programme.name, told, settings.hall.money)
    if picture is not None:
        out.print(tr("{picture} is written.", picture=picture))


def _of_the_hall(programme: Programme) -> Programme:
    """Return the games that cards are sold for; what a company at a table does is its own."""
    games = tuple(game for game in programme.games if game.plans)
    if not games:
        why = tr(
            "all its games are played at the table: no card is sold for them, and there is nothing"
            " to rehearse; see ./loto odds"
        )
        raise SettingsError(programme.name, [why])
    return programme.model_copy(update={"games": games})


def _numbers(sold: int, pack: Path | None, seed: str) -> U8:
    if pack is None:
        return draw_numbers(-(-sold // CARDS), seed)[:sold]
    whole = Pack.load(pack)
    if sold > len(whole):
        why = tr(
            "{sold} cards, and {pack} has {count}: no more can be in play",
            sold=sold,
            pack=pack,
            count=len(whole),
        )
        raise SettingsError("--sold", [why])
    return whole.numbers[:sold]


def _print(name: str, told: Outlook, money: Currency) -> None:
    pace = told.pace
    cards = tr(
        "{sold:,} cards in play, {per_player} each", sold=told.sold, per_player=told.per_player
    )
    out.print(
        tr(
            "{name}: {nights:,} nights, {cards}, seed {seed}",
            name=name,
            nights=told.nights,
            cards=cards,
            seed=told.seed,
        )
    )
    stops = tr(
        "{claim:g} s at each call that wins, {change:g} s between games",
        claim=pace.claim,
        change=pace.change,
    )
    out.print(tr("Assumed: {call:g} s a call, {stops}.", call=pace.call, stops=stops) + "\n")
    out.print(_night(told, money))
    out.print(_stages(told.stages, money))
    for stage in told.stages:
        if stage.won < 1:
            named = f"{stage.game}, {stage.name}"
            out.print(
                tr(
                    "{stage}: won in {percent} of the nights only.",
                    stage=named,
                    percent=_percent(stage.won),
                )
            )
    charity, left, over = (_sum(one, money) for one in (told.charity, told.jackpot, told.carried))
    out.print(
        tr(
            "On average: charity {charity}, left in the jackpot {left}, carried over {over}.",
            charity=charity,
            left=left,
            over=over,
        )
        + "\n"
    )
    for line in advice(told.jackpots):
        out.print(line)
    check = Table(tr("one strip"), *right("exact", "rehearsed", "off by", "one card, exact"))
    for one in told.check:
        exact, seen, card = (f"{mean:.3f}" for mean in (one.exact, one.rehearsed, one.card))
        check.add_row(one.stage, exact, seen, tr("{deviation:+.1f} s.e.", deviation=one.off), card)
    out.print(check)
    out.print(
        tr(
            "Calls on average for six cards that bear each number once: worked out, and"
            " in {games:,} games like those above.",
            games=CHECKED,
        )
    )


def _night(told: Outlook, money: Currency) -> Table:
    table = Table(tr("a night"), *right("mean", "5 %", "95 %", "least", "most"))
    for what, spread in ((tr("prizes paid"), told.prizes), (tr("the house's result"), told.house)):
        table.add_row(what, *(_sum(units, money) for units in _five(spread)))
    table.add_row(tr("length, minutes"), *(f"{minutes:.0f}" for minutes in _five(told.minutes)))
    return table


def _five(spread: Spread) -> tuple[float, ...]:
    return spread.mean, spread.low, spread.high, spread.least, spread.most


def _stages(stages: Sequence[StageOutlook], money: Currency) -> Table:
    table = Table(*heads("game", "stage"), *right("calls", "5-95 %", "shared", "winners", "prizes"))
    before = 0
    for stage in stages:
        calls = ("-", "-")
        if (spread := stage.calls) is not None:
            calls = (f"{spread.mean:.1f}", f"{spread.low:.0f}-{spread.high:.0f}")
        game = "" if stage.number == before else stage.game
        before = stage.number
        shared, players = _percent(stage.shared), f"{stage.players:.2f}"
        table.add_row(game, stage.name, *calls, shared, players, _sum(stage.prize, money))
    return table


def _sum(units: float, money: Currency) -> str:
    """Return a mean of sums, rounded to the nearest whole unit."""
    return money.text(round(units))


def advice(jackpots: JackpotOutlook) -> list[str]:
    """Return advice on the jackpot: how often it falls, and within how many calls to play for it.

    >>> [said] = advice(JackpotOutlook((), 0.0, 20, 44, 0.048, ()))
    >>> print(*said.split("; "), sep=";\\n")
    No game has a jackpot;
    on the last game, for 1 in 20 nights, play for it within 44 calls (4.8 % of the nights).
    """
    said = []
    for game in jackpots.games:
        chance = tr(
            "{chance} a game (standard error {error})",
            chance=_percent(game.chance),
            error=_percent(game.error),
        )
        said.append(
            tr(
                "Jackpot in {game}, within {within}: {chance}.",
                game=game.game,
                within=game.within,
                chance=chance,
            )
        )
    calls = tr(
        "within {calls} calls ({percent} of the nights)",
        calls=jackpots.advice,
        percent=_percent(jackpots.advised),
    )
    take = tr("for 1 in {one_in} nights, play for it {calls}.", one_in=jackpots.one_in, calls=calls)
    if not said:
        return [tr("No game has a jackpot; on the last game, {take}", take=take)]
    return [
        *said,
        tr(
            "It falls in {percent} of the nights; {take}",
            percent=_percent(jackpots.night),
            take=take,
        ),
    ]


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"
