"""Convert card files in other forms to tables: JSON, and cards under titles.

Some programs write JSON: a list of cards, or an object with a card under each serial. Others print
a title such as `Ticket 1001` and the three rows of the card below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from station.base.nouns import ROWS
from station.base.untrusted import json_from
from station.cards.pack_cells import number_in
from station.cards.pack_text import separators_of

MOST_BYTES = 1 << 26  # of JSON: about 200,000 cards
LEAST_NUMBERS = 4  # of a row under a title; a wrong one has its own fault
LONGEST_TITLE = 80  # characters; the pattern takes the square of their number
_TITLE = re.compile(r"[^\W\d][^\d,;|\t]*?([^\W\d]?[\w./-]*\d)[\s,;|\t]*")


def as_table(text: str) -> str:
    """Return the text of a card file as a table. A table is returned unchanged.

    >>> as_table('[{"id": 7, "numbers": [5, 11, 33, 50, 76]}]').splitlines()
    ['sep=\\t', 'id\\tnumbers', '7\\t5 11 33 50 76']

    Raises:
        Unreadable: the text starts like JSON but cannot be parsed.
    """
    if re.match(r'\s*(?:\[\s*[\[{]|\{\s*")', text):
        return _table_of(json_from(text, MOST_BYTES))
    return _without_titles(text)


def _table_of(told: Any) -> str:
    """Return a JSON value as lines, one for each card."""
    while isinstance(told, dict) and len(told) == 1 and _is_nest(*told.values()):
        (told,) = told.values()
    if isinstance(told, dict):
        lists = [value for value in told.values() if isinstance(value, list) and _is_nest(value)]
        cards = lists[0] if len(lists) == 1 else [[name, value] for name, value in told.items()]
    else:
        cards = told
    names = [*dict.fromkeys(name for card in cards if isinstance(card, dict) for name in card)]
    lines = ["sep=\t", *(["\t".join(map(_cell, names))] if names else [])]
    for card in cards:
        cells = [card.get(name) for name in names] if isinstance(card, dict) else card
        lines.append("\t".join(map(_cell, cells if isinstance(cells, list) else [cells])))
    return "".join(f"{line}\n" for line in lines)


def _is_nest(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(one, dict | list) for one in value)
    )


def _cell(value: Any) -> str:
    """Return a value as the text of one cell. Nested lists become one list of numbers."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        return " ".join(str(one) if one not in (None, "") else "0" for one in _flat(value))
    return "" if value is None else " ".join(str(value).split())


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def _without_titles(text: str) -> str:
    """Return the text with each card's serial before its rows, in place of the title above them.
    Line numbers stay the same."""
    lines = text.splitlines()
    full = [place for place, line in enumerate(lines) if line.strip()]
    titles = full[:: 1 + ROWS]
    serials = [_serial_in(lines[title].strip()) for title in titles]
    if not full or len(full) % (1 + ROWS) or "" in serials:
        return text
    below = [place for at, place in enumerate(full) if at % (1 + ROWS)]
    separator = separators_of("".join(f"{lines[place]}\n" for place in below))[0]
    if any(_numbers(lines[row], separator) < LEAST_NUMBERS for row in below):
        return text
    for title in titles:
        lines[title] = ""
    for at, row in enumerate(below):
        lines[row] = f"{serials[at // ROWS]}{separator}{lines[row]}"
    return "".join(f"{line}\n" for line in lines)


def _serial_in(title: str) -> str:
    """Return the serial in a title; empty if the line is no title."""
    found = _TITLE.fullmatch(title) if len(title) <= LONGEST_TITLE else None
    return found[1] if found else ""


def _numbers(line: str, separator: str) -> int:
    return sum(number_in(cell) > 0 for cell in line.split(separator))
