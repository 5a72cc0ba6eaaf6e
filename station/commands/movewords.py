"""Read what somebody types for a move at the table, guided by what the station says that the move
needs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from station.base.tongue import tr
from station.cards.finding import one_of

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
