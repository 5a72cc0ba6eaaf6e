"""Lay out a programme as the evening that it makes: games, stages, pictures and prizes. Pure.

With a number of cards sold for each game it gives the sums of the prizes, too, as if none had been
carried over and the jackpot had not fallen before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from station.base.catalogues import speaking
from station.base.tongue import key, tr
from station.night.register import DividedStakes, lay_out
from station.paper.reports.sheets import GAME, STAGE, Kind, SheetColumn, Table, table
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.rules.patterns import Pattern
from station.rules.play import Need
from station.views.money_text import Currency
from station.wire.wording import Wording

COVERS: Mapping[str, str] = {
    "row": key("all five numbers of any row"),
    "two-rows": key("any two rows of one card"),
    "full": key("all fifteen numbers"),
    "top-row": key("the five numbers of the top row"),
    "middle-row": key("the five numbers of the middle row"),
    "bottom-row": key("the five numbers of the bottom row"),
    "corners": key("the first and the last number of the top and the bottom row"),
    "early-five": key("any five numbers of one card"),
    "ambo": key("any two numbers of one row"),
    "terno": key("any three numbers of one row"),
    "quaterna": key("any four numbers of one row"),
}
Layouts: TypeAlias = Sequence[DividedStakes]  # of each game

TAKERS = {
    "house": key("for the house"),
    "charity": key("for charity"),
    "jackpot": key("into the jackpot"),
}
ODD = {
    "lowest": key("the winner with the lowest serial"),
    "house": key("the house"),
    "charity": key("charity"),
}
UNWON = {
    "carry": key("A prize that nobody wins goes into the next game."),
    "house": key("A prize that nobody wins stays with the house."),
    "charity": key("A prize that nobody wins goes to charity."),
}


@dataclass(frozen=True, slots=True)
class StageSheet:
    """The announcement of a stage.

    Attributes:
        covers: what must be covered, in words.
        pictures: the pictures of a drawn pattern, each three rows of five signs.
        prize: the prize in words, as the programme gives it.
    """

    key: str
    name: str
    covers: str
    pictures: tuple[tuple[str, ...], ...]
    prize: str


@dataclass(frozen=True, slots=True)
class GameSheet:
    """The announcement of a game: its stages in order, and what else the caller says of it."""

    number: int
    name: str
    price: int
    stages: tuple[StageSheet, ...]
    notes: tuple[str, ...]


def stage_names(game: GamePlan, wording: Wording) -> dict[str, str]:
    """Return what the hall calls each stage, by its key: its own name, else the pattern's."""
    names = {}
    for name, stage in zip(game.keys, game.plans, strict=True):
        pattern = stage.wanted()
        again = name.removeprefix(pattern.key).replace("-", " ") if name != pattern.key else ""
        kind = wording.screen[pattern.key] if pattern.known else pattern.title
        names[name] = stage.name or kind + again
    return names


def games_of(programme: Programme, currency: Currency, wording: Wording) -> tuple[GameSheet, ...]:
    """Return the games of the evening, in order."""
    sheets = []
    for number, game in enumerate(programme.games, 1):
        names = stage_names(game, wording).items()
        stages = tuple(
            _stage(key, name, stage, currency)
            for (key, name), stage in zip(names, game.plans, strict=True)
        )
        notes = tuple(_notes(programme, game, currency))
        sheets.append(GameSheet(number, game.name, game.price, stages, notes))
    return tuple(sheets)


def _stage(key: str, name: str, stage: StagePlan, currency: Currency) -> StageSheet:
    pictures = () if isinstance(stage.pattern, str) else stage.pattern.pictures
    return StageSheet(key, name, covers(stage.wanted()), pictures, prize_text(stage, currency))


def covers(pattern: Pattern) -> str:
    """Return what must be covered, in words."""
    if pattern.known:
        return tr(COVERS[pattern.key])
    numbers, shapes = pattern.length, len(pattern.parts)
    if shapes == 1:
        return tr("a shape of {numbers} numbers", numbers=numbers)
    return tr(
        "any of {shapes} shapes, of {numbers} numbers at least", shapes=shapes, numbers=numbers
    )


def prize_text(stage: StagePlan, currency: Currency) -> str:
    """Return a stage's prize as the programme gives it."""
    money = ""
    if stage.prize is not None:
        money = currency.text(stage.prize)
    elif stage.share is not None:
        money = tr("{share:g} % of the fund", share=stage.share)
    elif stage.rest:
        money = tr("the rest of the fund")
    if stage.least:
        money = tr("{prize}, {least} at least", prize=money, least=currency.text(stage.least))
    if money and stage.thing:
        return tr("{first} and {last}", first=money, last=stage.thing)
    return money or stage.thing or tr("nothing")


def _agreed(game: GamePlan, currency: Currency) -> Iterator[str]:
    """Yield what the company of a game at the table has agreed on."""
    rules = game.rules
    agreed = game.agreed.of(rules)
    dealt = tr("{game}, with {cards} cards.", game=tr(rules.title), cards=agreed.get("cards"))
    yield dealt if Need.CARDS in rules.needs else f"{tr(rules.title)}."
    yield from rules.terms(agreed, currency.text(game.agreed.stake))


def _notes(programme: Programme, game: GamePlan, currency: Currency) -> Iterator[str]:
    if not game.plans:
        yield from _agreed(game, currency)
    if game.theme is not None:
        told = tr(
            "Pictures and words in place of the numbers: the theme {theme}.", theme=game.theme
        )
        yield told
    if game.letters:
        yield tr("The caller says the letters alone; the word is seen when the next knob is drawn.")
    if game.at_once:
        yield tr("All prizes can be won from the first call.")
    if game.jackpot is not None:
        least, within = currency.text(game.jackpot.least), game.jackpot.within
        yield (
            tr(
                "Jackpot, {least} at least: for the last prize within {within} calls.",
                least=least,
                within=within,
            )
            if game.jackpot.least
            else tr("Jackpot: for the last prize within {within} calls.", within=within)
        )
    if game.last_number is not None:
        yield (
            tr("A claim must be made on the last number called.")
            if game.last_number
            else tr("A claim may be made at any later call.")
        )
    if game.tickets:
        yield tr("Tickets from elsewhere are played: they are checked by their numbers.")
    if game.shares is not None and game.price:
        yield tr("Of what its cards cost: {taken}.", taken=_taken(game.shares))
    if game.pause is not None:
        minutes = game.pause.minutes
        told = tr("Afterwards a pause of {minutes} minutes", minutes=minutes)
        told = told if minutes else tr("Afterwards a pause")
        yield f"{told}: {game.pause.text}" if game.pause.text else f"{told}."


def _taken(shares: Shares) -> str:
    taken = [f"{share:g} % {tr(TAKERS[name])}" for name, share in shares if share]
    return ", ".join(taken) or tr("nothing is taken")


def rules_of(programme: Programme, currency: Currency) -> tuple[str, ...]:
    """Return the house's rules for money, to be read out; for prizes only if the hall plays."""
    rules = []
    if programme.shares != Shares():
        rules.append(tr("Of what the cards cost: {taken}.", taken=_taken(programme.shares)))
    if _in_the_hall(programme):
        odd = tr(
            "What cannot be split in a game's last prize goes to {whom}.",
            whom=tr(ODD[programme.odd]),
        )
        rules += [odd, tr(UNWON[programme.unwon])]
    if (limit := programme.approve_above) is not None:
        rules.append(tr("A payment of more than {sum} takes two people.", sum=currency.text(limit)))
    return tuple(rules)


def _in_the_hall(programme: Programme) -> bool:
    """Return whether cards are sold for any of its games."""
    return any(game.plans for game in programme.games)


def laid_out(programme: Programme, sold: int) -> tuple[DividedStakes, ...]:
    """Return the money of each game if `sold` cards are sold for it; empty if all are tables'."""
    if not _in_the_hall(programme):
        return ()
    layouts: list[DividedStakes] = []
    jackpot = 0
    for game in programme.games:
        layout = lay_out(game, programme.shares_of(game), sold * game.price, 0, jackpot)
        jackpot += layout.jackpot + layout.made_up
        layouts.append(layout)
    return tuple(layouts)


def evening(
    programme: Programme, currency: Currency, wording: Wording, layouts: Layouts = ()
) -> Table:
    """Return the evening as one table, a line for each stage; one for a game without stages.

    Args:
        layouts: each game's money, to show the prizes as sums too.
    """
    rows = [
        (
            f"{game.number} {game.name}" if not place else "",
            game.price if stage.name and not place else None,
            stage.name,
            stage.covers,
            stage.prize,
            *(((*layouts[game.number - 1].amounts, None)[place],) if layouts else ()),
        )
        for game in games_of(programme, currency, wording)
        for place, stage in enumerate(game.stages or (StageSheet("", "", game.notes[0], (), ""),))
    ]
    columns = (
        SheetColumn(key("game")),
        SheetColumn("price", key("a card"), Kind.MONEY),
        STAGE,
        SheetColumn("covers", key("wanted")),
        SheetColumn(key("prize")),
        *((SheetColumn("amount", key("comes to"), Kind.MONEY),) if layouts else ()),
    )
    return table("evening", programme.name, columns, rows)


def money(programme: Programme, sold: int, layouts: Layouts) -> Table:
    """Return where the stakes go of each game for which cards are sold."""
    columns = (
        GAME,
        SheetColumn(key("stakes"), kind=Kind.MONEY),
        SheetColumn(key("house"), kind=Kind.MONEY),
        SheetColumn(key("charity"), kind=Kind.MONEY),
        SheetColumn("jackpot", key("to the jackpot"), Kind.MONEY),
        SheetColumn("added", key("house adds"), Kind.MONEY),
        SheetColumn(key("prizes"), kind=Kind.MONEY),
        SheetColumn("played_for", key("jackpot played for"), Kind.MONEY),
    )
    rows = []
    for number, (game, each) in enumerate(zip(programme.games, layouts, strict=True), 1):
        if game.plans:
            shares = each.house, each.charity, each.jackpot, each.added + each.made_up
            rows.append((number, each.stakes, *shares, each.pool, each.played_for))
    note = tr("Nothing carried from before; the jackpot as it grows if nobody has it.")
    title = tr("With {count} cards sold for each game", count=sold)
    return table("money", title, columns, rows, note)


def to_json(
    programme: Programme, currency: Currency, wording: Wording, layouts: Layouts = ()
) -> dict[str, Any]:
    """Return the evening for programs: what each game is, and the file's own settings, complete."""
    with speaking("en"):
        sheets = [*map(asdict, games_of(programme, currency, wording))]
    games = [{key: sheet[key] for key in ("number", "stages", "notes")} for sheet in sheets]
    sums = {"money": [asdict(layout) for layout in layouts]} if layouts else {}
    whole = programme.model_dump(mode="json")
    return {"digest": programme.digest, "programme": whole, "games": games, **sums}
