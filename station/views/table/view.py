"""Show any game at the table: zones with all that lies in them, in the hall's words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from station.night.table.game import GameInPlay, next_step
from station.rules import seen
from station.rules.abilities import DrawsKnobs
from station.rules.box import Pieces, in_pieces
from station.rules.seen import (
    ALL,
    Amount,
    CardName,
    Die,
    KnobName,
    Phrase,
    SeatName,
    Seen,
    Viewer,
    Watching,
)
from station.wire import zones
from station.wire.board_view import SeatView, TableView
from station.wire.wording import Wording


@dataclass(frozen=True, slots=True)
class CountedSum:
    """A sum of counters in their pieces, or of money.

    Attributes:
        text: in the hall's language: "1 contract, 1 fish, 2 counters".
    """

    counters: int
    contracts: int
    fish: int
    singles: int
    text: str


@dataclass(frozen=True)
class Telling:
    """How a table is told in the hall's words.

    Attributes:
        money: returns a sum in minor units as the hall writes it.
        row: which step of a settlement is being told; None if none is.
        pictured: what replaces the numbers 1 to 90 in Picture Loto.
        names: who sits where, from seat 1.
        value: what one of the game's units is worth, in minor units.
    """

    wording: Wording
    money: Callable[[int], str]
    row: int | None = None
    pictured: tuple[str, ...] = ()
    names: Sequence[str] = ()
    value: int = 1

    @property
    def words(self) -> Mapping[str, str]:
        """Return the words that screens show."""
        return self.wording.screen

    def name(self, number: int) -> str:
        """Return what a number is called in this game."""
        return self.pictured[number - 1] if self.pictured else str(number)

    def text(self, said: Phrase) -> str:
        """Return a phrase in the hall's words."""
        words = self.words.get(said.key) or self.wording.phrases[said.key]
        return words.format(**{name: self.plain(value) for name, value in said.slots})

    def verb(self, do: str, fields: Mapping[str, Any] | None = None) -> str:
        """Return what a move is called: by the game's words, else by its verb."""
        values = fields or {}
        words = self.words.get(f"move-{do}-{values.get('kind')}", self.words.get(f"move-{do}"))
        return do if words is None else words.format(**values)

    def asked(self, do: str, what: str, values: Mapping[str, Any]) -> dict[str, str]:
        """Return the question of a move, under its name; empty where the game has none."""
        words = self.words.get(f"move-{do}-{what}")
        return {} if words is None else {what: words.format(**values)}

    def plain(self, value: Any) -> Any:
        """Return a value of the rules for JSON: phrases and names as text, sums piece by piece; any
        other value as it is."""
        match value:
            case Phrase():
                return self.text(value)
            case SeatName(seat):
                return self.names[seat - 1]
            case KnobName(number):
                return self.name(number)
            case CardName(face):
                return self.wording.card(face)
            case Pieces():
                return pieces_text(value, self.words)
            case Amount():
                return self.sum(value).text
        return value

    def sum(self, amount: Amount) -> CountedSum:
        """Return a sum with its pieces; for money, which has no pieces, the text alone."""
        if amount.in_money:
            text = self.money(amount.units * self.value) if amount.units else self.words["nothing"]
            return CountedSum(0, 0, 0, 0, text)
        pieces = in_pieces(abs(amount.units))
        owed = "–" if amount.units < 0 else ""
        return CountedSum(
            counters=amount.units,
            contracts=pieces.contracts,
            fish=pieces.fish,
            singles=pieces.counters,
            text=owed + pieces_text(pieces, self.words),
        )

    def zone(self, zone: seen.Zone) -> zones.ZoneView:
        """Return a zone with all that lies in it, as it goes over the wire."""
        return zones.ZoneView(
            key=zone.key,
            seat=zone.seat,
            label="" if zone.label is None else self.text(zone.label),
            things=tuple(map(self.thing, zone.things)),
        )

    def thing(self, thing: seen.Thing) -> zones.Thing:
        """Return a thing as it goes over the wire."""
        if isinstance(thing, seen.Pile):
            units = thing.amount.units
            shown = asdict(self.sum(replace(thing.amount, units=abs(units))))
            counters = shown.pop("counters")
            return zones.PileThing(units=units if units < 0 else counters, **shown)
        told = {one.name: self.plain(getattr(thing, one.name)) for one in fields(thing)}
        return _THINGS[type(thing)](**{name: "" if v is None else v for name, v in told.items()})


# Over the wire a thing has the same fields, but its texts are in the hall's words; a pile has its
# pieces besides.
_THINGS: Mapping[type, Callable[..., zones.Thing]] = {
    seen.Knob: zones.KnobThing,
    seen.NumberCard: zones.NumberCardThing,
    seen.PlayingCard: zones.PlayingCardThing,
    seen.PictureCard: zones.PictureCardThing,
    seen.Die: zones.DieThing,
    seen.Cube: zones.CubeThing,
    seen.CheckCard: zones.CheckCardThing,
    seen.Score: zones.ScoreThing,
    seen.Caption: zones.CaptionThing,
}


def pieces_text(pieces: Pieces, words: Mapping[str, str]) -> str:
    """Return contracts, fish and counters in the hall's language.

    >>> from station.wire.wording import load_wording
    >>> pieces_text(Pieces(1, 1, 2), load_wording().screen)
    '1 contract, 1 fish, 2 counters'
    """
    kinds = (("contract", pieces.contracts), ("fish", pieces.fish), ("counter", pieces.counters))
    return (
        ", ".join(
            words[f"{kind}-{'one' if n == 1 else 'many'}"].format(count=n) for kind, n in kinds if n
        )
        or words["nothing"]
    )


# -- the view of a table ---------------------------------------------------------------------------


def table_view(
    parlour: GameInPlay, telling: Telling, viewer: Viewer = Watching.EVERYBODY
) -> TableView:
    """Return what a viewer may see of a game at the table."""
    told = telling_of(parlour, telling)
    seen = parlour.rules.view(parlour.state, viewer, telling.row)
    return TableView(
        step=next_step(parlour),
        text=what_is_next(parlour, seen, told),
        seats=tuple(
            SeatView(seat=place, name=one.name, simulated=one.simulated)
            for place, one in enumerate(parlour.seats, 1)
        ),
        zones=tuple(map(told.zone, seen.zones)),
        turn=tuple(sorted(seen.turn)),
        leads=seen.leads,
        won=parlour.won,
        wins=parlour.wins,
    )


def telling_of(parlour: GameInPlay, telling: Telling) -> Telling:
    """Return how this game is told: with the names at its table, and what its units are worth."""
    names = tuple(seat.name for seat in parlour.seats)
    return replace(telling, names=names, value=parlour.value)


def what_is_next(parlour: GameInPlay, seen: Seen, told: Telling) -> str:
    """Return what comes next, in the hall's words; the night adds the counting of the bag."""
    counts = next_step(parlour) == "shake"
    return told.text(
        parlour.rules.needed(DrawsKnobs).counting(parlour.state) if counts else seen.text
    )


def turn(parlour: GameInPlay, wording: Wording) -> str:
    """Return what comes next at the table, in the hall's language: "Carla counts the balls: 90".
    Before it go the dice that lie there: "6 3 · Carla throws"."""
    told = telling_of(parlour, Telling(wording, str))
    seen = parlour.rules.view(parlour.state, Watching.EVERYBODY, None)
    lie = (thing for zone in seen.of(ALL) for thing in zone.things)
    dice = " ".join(str(thing.spots) for thing in lie if isinstance(thing, Die))
    return " · ".join(filter(None, (dice, what_is_next(parlour, seen, told))))
