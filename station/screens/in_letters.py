"""Zones and the things in them in letters, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from station.wire.zones import (
    CaptionThing,
    CheckCardThing,
    CubeThing,
    DieThing,
    KnobThing,
    NumberCardThing,
    PictureCardThing,
    PileThing,
    PlayingCardThing,
    ScoreThing,
    Thing,
    ZoneView,
)

COUNTER = "•"
DICE = "⚀⚁⚂⚃⚄⚅"
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

Words = Mapping[str, str]


def zone_text(zone: ZoneView, words: Words) -> str:
    """Return a zone as one line, its label and its things in order; empty where nothing lies."""
    told = things_text(zone.things, words)
    return f"{zone.label}: {told}" if zone.label and told else told


def things_text(things: Iterable[Thing], words: Words) -> str:
    """Return things in their order; of several that are told alike how many they are."""
    told = (
        (text, len(list(alike))) for text, alike in groupby(_text(one, words) for one in things)
    )
    return "  ".join(f"{count} × {text}" if count > 1 else text for text, count in told if text)


def _text(thing: Thing, words: Words) -> str:
    match thing:
        case NumberCardThing():
            return f"{thing.serial} {COUNTER * len(thing.covered)}".strip()
        case PlayingCardThing():
            face = thing.face
            return face[:-1] + SUITS.get(face[-1], face[-1]) if face else words["card-down"]
        case PictureCardThing():
            return thing.name
        case CheckCardThing():
            return _checks(thing)
        case DieThing():
            return f"{DICE[thing.spots - 1]} {thing.spots}"
        case CubeThing():
            return f"[{words.get(f'emblem-{thing.mark}', thing.mark) or ' '}]"
        case KnobThing():
            return str(thing.number)
    return line_text(thing, words)


def line_text(thing: PileThing | ScoreThing | CaptionThing, words: Words) -> str:
    """Return a sum, points or a caption; a debt with a minus and the word for it."""
    match thing:
        case PileThing():
            return f"{words['owed']} –{thing.text}" if thing.units < 0 else thing.text
        case ScoreThing():
            return f"{thing.label} {points_text(thing)}".strip()
    return thing.text


def points_text(score: ScoreThing) -> str:
    """Return points; those below zero with a dash that is as wide as a digit."""
    return f"–{-score.points}" if score.points < 0 else str(score.points)


def _checks(card: CheckCardThing) -> str:
    """Go through the squares row by row, each with its check; where one is to be chosen, with its
    place."""
    place, rows = 0, []
    for faces in card.faces:
        squares = enumerate(faces, place)
        signs = (
            f"{face}{COUNTER * (at in card.checked)}{f'({at})' if at in card.choice else ''}"
            for at, face in squares
        )
        rows.append(" ".join(signs))
        place += len(faces)
    return " / ".join(rows)
