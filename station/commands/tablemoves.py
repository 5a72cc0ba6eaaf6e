"""Define the commands for moves at the table, by the list of moves that the station gives.

What somebody types for a move is read by what the station says that the move needs; this part is
pure.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any, TypeAlias

from station.base.errors import Unreadable
from station.base.terminal import out
from station.base.tongue import key, tr
from station.cards.finding import one_of
from station.commands.options import HERE, JSON, STATE, argument, option
from station.commands.table import captions, commands, follows, name_of, worth
from station.commands.tools import (
    StationRefused,
    Where,
    answered,
    ask,
    make_sure,
    print_json,
    recorded,
    the_hall_s_money,
)
from station.games import GAMES
from station.views.money_text import Currency

Told: TypeAlias = Mapping[str, Any]
Move: TypeAlias = Mapping[str, Any]
Chosen: TypeAlias = dict[str, Any]

YES_NO = {"yes": True, "no": False}


class MoveReading:
    """A reading of typed words as one move.

    Args:
        told: the answer about the table, with the company's names.
        given: what was said by name, as `--field serial=0007`.
        settled: whether what is settled of the move must be typed too; a seat never must.

    Attributes:
        reached: the most words that could be read.
        wanted: what could have been typed next.
    """

    def __init__(
        self, told: Told, move: Move, given: Mapping[str, str], *, settled: bool = True
    ) -> None:
        self.reached = 0
        self.wanted: set[str] = set()
        self._names = {int(seat["seat"]): str(seat["name"]) for seat in told["seats"]}
        self._given = given
        self._fields: list[tuple[str, Any]] = [*move["fields"].items()] if settled else []
        self._slots: list[Told] = list(move["slots"])
        self._known = {*move["fields"], *(name for slot in self._slots for name in slot["names"])}

    def ways(self, words: Sequence[str]) -> Iterator[Chosen]:
        """Yield what these words may choose for the slots of the move; nothing if not meant."""
        for at in self._settled(words, 0, self._fields):
            yield from self._open(words, at, self._slots)

    def means(self, words: Sequence[str]) -> bool:
        """Return whether the words mean the move, whatever they choose for its slots."""
        ends = self._settled(words, 0, self._fields)
        return any(at == len(words) or self._slots for at in ends)

    def _settled(
        self, words: Sequence[str], at: int, items: Sequence[tuple[str, Any]]
    ) -> Iterator[int]:
        """Yield how many words say what is settled of the move, for each way to read them."""
        if not self._known >= set(self._given):
            self.wanted = self._known
            return
        if not items:
            yield at
            return
        (name, value), *rest = items
        seat = name == "seat"
        if name in self._given:
            if self._is(self._given[name], value, seat=seat):
                yield from self._settled(words, at, rest)
            return
        self._expect(at, self._text(value, seat=seat))
        if at < len(words) and self._is(words[at], value, seat=seat):
            yield from self._settled(words, at + 1, rest)
        if seat:
            yield from self._settled(words, at, rest)

    def _open(self, words: Sequence[str], at: int, slots: Sequence[Told]) -> Iterator[Chosen]:
        if not slots:
            if at == len(words):
                yield {}
            else:
                self._expect(at)
            return
        slot, *rest = slots
        for values, many in self._slot(words[at:], at, slot):
            for more in self._open(words, at + many, rest):
                yield {**dict(zip(slot["names"], values, strict=False)), **more}

    def _slot(
        self, words: Sequence[str], at: int, slot: Told
    ) -> Iterator[tuple[Sequence[Any], int]]:
        """Yield what the next words may choose in a slot, and how many of them do."""
        kind, names = slot["kind"], slot["names"]
        by_name = [name for name in names if name in self._given]
        if kind in ("race", "hand", "cubes"):
            yield from self._several(words, at, slot)
        elif len(names) > 1:
            yield from self._together(words, at, slot)
        else:
            text = self._given[by_name[0]] if by_name else words[0] if words else None
            for value in self._single(text, at, slot):
                yield [value], 0 if by_name else 1

    def _single(self, text: str | None, at: int, slot: Told) -> Iterator[Any]:
        kind = slot["kind"]
        if kind == "number" and not slot["values"]:
            self._expect(at, tr("{first} to {last}", first=slot["least"], last=slot["most"]))
            if text is not None and text.isdecimal():
                yield int(text)
            return
        values = [*YES_NO] if kind == "yes-no" else self._values(slot)
        if kind == "serial" and text is not None:
            text = one_of([*map(str, values)], text) or text
        for value in values:
            self._expect(at, self._text(value, seat=kind == "seat"))
            if text is not None and self._is(text, value, seat=kind == "seat"):
                yield YES_NO[value] if kind == "yes-no" else value

    def _together(
        self, words: Sequence[str], at: int, slot: Told
    ) -> Iterator[tuple[Sequence[Any], int]]:
        """Yield values that are chosen together: the last is typed, the rest follows from it."""
        last = slot["names"][-1]
        typed = words[0] if words else ""
        if slot["kind"] == "serial":
            typed = one_of([*dict.fromkeys(str(way[-1]) for way in slot["values"])], typed) or typed
        for way in slot["values"]:
            pairs = zip(slot["names"], way, strict=True)
            if any(n in self._given and not self._is(self._given[n], v) for n, v in pairs):
                continue
            self._expect(at, str(way[-1]))
            if last in self._given:
                yield way, 0
            elif words and self._is(typed, way[-1]):
                yield way, 1

    def _several(
        self, words: Sequence[str], at: int, slot: Told
    ) -> Iterator[tuple[Sequence[Any], int]]:
        """Yield seats that answer, cards of a hand, or marks of cubes, as many as are typed."""
        race, values = slot["kind"] == "race", self._values(slot)
        typed = self._given.get(slot["names"][0])
        chosen: list[Any] = []
        for word in words if typed is None else typed.split(","):
            self._expect(at + len(chosen), *(self._text(value, seat=race) for value in values))
            found = [value for value in values if self._is(word, value, seat=race)]
            if not found:
                break
            chosen.append(found[0])
        least, most = (1, len(values)) if race else (slot["least"], slot["most"])
        if not chosen:
            self._expect(at, *(self._text(value, seat=race) for value in values))
        if least <= len(chosen) <= most:
            times = [[0] * len(chosen)] if race else []
            yield [chosen, *times], len(chosen) if typed is None else 0

    def _values(self, slot: Told) -> list[Any]:
        if slot["kind"] in ("race", "seat"):
            return [*self._names]  # who may not now is refused by the rules, which say why
        return [value[0] if isinstance(value, list) else value for value in slot["values"]]

    def _is(self, text: str, value: Any, *, seat: bool = False) -> bool:
        return text == str(value) or (seat and text == self._names.get(value))

    def _text(self, value: Any, *, seat: bool) -> str:
        return self._names.get(value, str(value)) if seat else str(value)

    def _expect(self, at: int, *texts: str) -> None:
        if at > self.reached:
            self.reached, self.wanted = at, set()
        if at == self.reached:
            self.wanted.update(texts)


def asked_for(slot: Mapping[str, Any]) -> str:
    """Return what is still to be chosen of a move: "DRAWINGS (1 to 9)"."""
    name = slot["names"][0 if slot["kind"] == "race" else -1].upper()
    return (
        f"{name} ({tr('{first} to {last}', first=slot['least'], last=slot['most'])})"
        if slot["kind"] == "number"
        else name
    )


def example_of(told: Told, move: Move) -> str:
    """Return words that may be typed for all that is still to be chosen of a move: "10S"."""
    names = {int(seat["seat"]): str(seat["name"]) for seat in told["seats"]}
    words: list[object] = []
    for slot in move["slots"]:
        kind, values = slot["kind"], slot["values"]
        if kind == "yes-no":
            words.append("yes")
        elif not values:
            words.append(slot["least"])
        elif kind in ("race", "seat"):
            words.append(names.get(values[0], values[0]))
        elif kind in ("hand", "cubes"):
            words += values[: max(1, slot["least"])]
        else:
            words.append(values[0][-1] if isinstance(values[0], list) else values[0])
    return " ".join(map(str, words))


# -- the commands ----------------------------------------------------------------------------------

Words: TypeAlias = Sequence[str]
Given: TypeAlias = Mapping[str, str]  # what was said by name
WORDS: TypeAlias = Annotated[
    list[str] | None,
    argument(
        "What it asks for: a player by name or seat, a card by its serial, a number.",
        show_default=False,
    ),
]
SEAT: TypeAlias = Annotated[
    str | None, option("For whom it is done: the player's name, or the seat's number.")
]
FIELDS: TypeAlias = Annotated[
    list[str] | None, option("A part of it by its name: serial=0007.", "--field")
]
YES: TypeAlias = Annotated[
    bool, option("Do not ask before anybody pays, or the game ends.", "--yes")
]

NO_GAME = key("no game is on the table: ./loto table show says what comes next")
LIST = key("./loto table move says what may be asked for")
NAMED = 12  # of more ways than these the first are named
# Of a field of an action by its type, what stands for it in an example.
SAMPLES = {"str": "0007", "bool": "yes", "tuple[str, ...]": "KS"}


@commands.command("move")
def move(
    do: Annotated[
        str | None, argument("Which move, by its name or its number in the list.", metavar="MOVE")
    ] = None,
    words: WORDS = None,
    seat: SEAT = None,
    field: FIELDS = None,
    yes: YES = False,
    where: STATE = HERE,
    as_json: JSON = False,
) -> None:
    """List the moves that may be made now, or make one.

    Example: loto table move
    Example: loto table move throw-up 2 0007
    Example: loto table move throw-up --seat Bruno --field serial=0007
    """
    if do is not None:
        _make(where, do, words or (), _given(seat, field), yes=yes, as_json=as_json)
        return
    told = ask(where, "table")
    if as_json:
        print_json({"now": told["text"], "moves": _open(told)})
        return
    for line in _listed(told, the_hall_s_money(where)):
        out.print(line)


def _command(do: str, action: type) -> Callable[..., None]:
    """Return the command of one move."""

    def command(
        words: WORDS = None,
        seat: SEAT = None,
        field: FIELDS = None,
        yes: YES = False,
        where: STATE = HERE,
        as_json: JSON = False,
    ) -> None:
        _make(where, do, words or (), _given(seat, field), yes=yes, as_json=as_json)

    about = " ".join((inspect.getdoc(action) or do).split("\n\n")[0].split())
    command.__doc__ = f"{about}\n\nExample: loto table {' '.join((do, *_sample(action)))}"
    return command


def _sample(action: type) -> Iterator[str]:
    """Yield what may follow a move's name; a serial stands for its seat, times are filled in."""
    kinds = {field.name: str(field.type) for field in fields(action)}
    serials = [name for name, kind in kinds.items() if kind == "str"]
    for name in serials or list(kinds)[:1]:
        yield "Bruno" if name.startswith("seat") else SAMPLES.get(kinds[name], "3")


def _given(seat: str | None, named: Sequence[str] | None) -> dict[str, str]:
    """Return what was given by name.

    Raises:
        Unreadable: a text is no `name=value`.
    """
    given = {} if seat is None else {"seat": seat}
    for text in named or ():
        name, is_said, value = text.partition("=")
        if not (name and is_said):
            raise Unreadable(tr("--field {text}: write it as name=value, serial=0007", text=text))
        given[name] = value
    return given


def _listed(told: Told, currency: Currency) -> Iterator[str]:
    """Yield the moves that may be made now, a line each, and what comes next."""
    yield tr("next: {what}", what=follows(told))
    for number, one in enumerate(_open(told), 1):
        typed = " ".join((one["do"], *_typed(told, one), *map(asked_for, one["slots"])))
        costs = "; ".join(_sums(told, one, currency))
        label = f"{_whose(told, one)}{one['label']}" + (f" ({costs})" if costs else "")
        yield f"{number:3}  {typed:28} {label}"


def _open(told: Told) -> list[Move]:
    """Return what may be asked for now; a race once, and not for each who may answer."""
    races = {one["do"] for one in told["moves"] if _is_race(one)}
    may = (one for one in told["moves"] if one["may"])
    return [one for one in may if one["do"] not in races or _is_race(one)]


def _is_race(one: Move) -> bool:
    return any(slot["kind"] == "race" for slot in one["slots"])


def _typed(told: Told, one: Move) -> Iterator[str]:
    """Yield what of a move is settled, as it is typed; a card's serial stands for its seat."""
    settled = [(name, value) for name, value in one["fields"].items() if name != "seat"]
    if not settled and one["seat"]:
        yield name_of(told, one["seat"])
    yield from (str(value) for _, value in settled)


def _whose(told: Told, one: Move) -> str:
    return f"{name_of(told, one['seat'])}: " if one["seat"] else ""


def _sums(told: Told, one: Move, currency: Currency) -> list[str]:
    return [
        (tr("{name} pays {sum}") if units < 0 else tr("{name} gets {sum}")).format(
            name=name_of(told, seat), sum=worth(told, abs(units), currency)
        )
        for seat, units in one["sums"]
    ]


# -- one is made -----------------------------------------------------------------------------------


def _make(where: Where, do: str, words: Words, given: Given, *, yes: bool, as_json: bool) -> None:
    """Make a move; first say what it does to whom, and ask.

    Another host may make the same move meanwhile: then this one is refused, for it would be done
    twice.
    """
    told, currency = ask(where, "table"), the_hall_s_money(where)
    if not told["open"]:
        raise StationRefused(tr(NO_GAME))
    one, chosen = _chosen(told, do, words, given)
    sums = _sums(told, one, currency)
    numbered = do.isdecimal()
    if not yes and (numbered or one.get("sure") or any(units < 0 for _, units in one["sums"])):
        asked = "; ".join([(one.get("sure") or one["label"]).rstrip("."), *sums])
        make_sure(asked, tr("Shall it be so?"))
    made = {"do": one["do"], **one["fields"], **chosen}
    done = answered(where, "move", seen=None if _is_race(one) else told["seen"], move=made)
    parts = [value for name, value in (*one["fields"].items(), *chosen.items()) if name != "seat"]
    what = " ".join([one["label"], *(str(part) for part in parts if isinstance(part, str))])
    said = f": {'; '.join(sums)}" if sums and yes else ""
    recorded(f"{_whose(told, one)}{what}{said}", done["seq"], as_json, now=done["say"])
    if as_json:
        return
    after = ask(where, "table")
    for line in captions(told, after):
        out.print(line)
    if after["over"]:
        out.print(tr("the game is over: ./loto table show says who has won and lost"))


def _chosen(told: Told, do: str, words: Words, given: Given) -> tuple[Move, Chosen]:
    """Return the move that is meant, and what was chosen for its slots.

    Raises:
        Unreadable: none is meant by these words, or several are.
        StationRefused: it may not be made now.
    """
    if do.isdecimal():
        moves = _open(told)[int(do) - 1 : int(do)] if int(do) else []
        if not moves:
            raise Unreadable(tr("there is no move {do} in the list: {list}", do=do, list=tr(LIST)))
        reading = [(moves[0], MoveReading(told, moves[0], given, settled=False))]
        return _one(do, reading, words)
    moves = [one for one in told["moves"] if one["do"] == do]
    if not moves:
        return _unlisted(do, words, given), {}
    may = [(one, MoveReading(told, one, given)) for one in moves if one["may"]]
    if not any(True for _, read in may for _ in read.ways(words)):
        for one in moves:
            if not one["may"] and MoveReading(told, one, given).means(words):
                raise StationRefused(one["say"], one["reason"])
    readings = may or [(one, MoveReading(told, one, given)) for one in moves]
    return _one(do, readings, words)


def _one(
    do: str, readings: Sequence[tuple[Move, MoveReading]], words: Words
) -> tuple[Move, Chosen]:
    """Return the only way in which these words can be read.

    Raises:
        Unreadable: there is no way, or there are several; the message names what may follow.
    """
    ways = [(one, way) for one, read in readings for way in read.ways(words)]
    meant = [(one["fields"], way) for one, way in ways]
    if meant and meant.count(meant[0]) == len(meant):
        return ways[0]
    place = max(read.reached for _, read in readings)
    wanted = sorted({text for _, read in readings if read.reached == place for text in read.wanted})
    named = ", ".join(wanted[:NAMED]) + (", …" if len(wanted) > NAMED else "")
    named = named or tr("nothing more")
    if place < len(words):
        raise Unreadable(
            tr(
                "{do}: {word} cannot stand there; it may be {named}",
                do=do,
                word=words[place],
                named=named,
            )
        )
    raise Unreadable(tr("{do} wants more: {named}", do=do, named=named))


def _unlisted(do: str, words: Words, given: Given) -> Move:
    """Return a move that nobody may ask for now, as it was typed: the station says why not.

    Raises:
        Unreadable: there is no such move in any game.
    """
    if do not in ACTIONS:
        raise Unreadable(tr("there is no move {do}: {list}", do=do, list=tr(LIST)))
    kinds = {field.name: str(field.type) for field in fields(ACTIONS[do])}
    free = [name for name in kinds if name not in given]
    typed = {**dict(zip(free, words, strict=False)), **given}
    said = {
        name: int(text) if kinds.get(name) == "int" and text.isdecimal() else text
        for name, text in typed.items()
    }
    return {"seat": 0, "do": do, "label": do, "fields": said, "slots": [], "sums": [], "may": True}


# A command for each move of all games at a table, but where one of that name is there already.
KNOWN = {command.name for command in commands.registered_commands}
ACTIONS = {do: action for rules in GAMES.values() for do, action in rules.moves.items()}
for one in sorted(ACTIONS.keys() - KNOWN):
    commands.command(one)(_command(one, ACTIONS[one]))
