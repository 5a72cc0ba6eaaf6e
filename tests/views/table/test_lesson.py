"""A lesson tells each step in the learner's language, with the rule and all hands open."""

from __future__ import annotations

import pytest

from station.views.table.lesson import learnable, lesson
from station.wire.wording import languages, load_wording
from station.wire.zones import PlayingCardThing


@pytest.mark.long
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", learnable())
def test_it_is_told_in_every_language(game, language):
    """Every step says something, and no two languages say it alike."""
    told, english = lesson(game, load_wording(language)), lesson(game, load_wording())
    assert all(step.told or step.table.text for step in told)
    assert all(step.told for step in told[1:])
    assert [bool(step.rule) for step in told] == [bool(step.rule) for step in english]
    if language != "en":
        assert not {step.rule for step in told if step.rule} & {step.rule for step in english}


def test_all_hands_lie_open():
    """Of three players with four cards each nobody's are backs."""
    dealt = lesson("my-bird-sings", load_wording())[1]
    cards = [
        thing
        for zone in dealt.table.zones
        for thing in zone.things
        if zone.seat and isinstance(thing, PlayingCardThing)
    ]
    assert len(cards) == 12
    assert all(card.face for card in cards)


def test_a_knob_is_told_by_its_number():
    """And what is won on it; where the voice says nothing the move itself is told."""
    steps = lesson("loto-parlour", load_wording())
    assert ("One. The line is won. Anna: has won.",) in [step.told for step in steps]
    assert ("Anna: No song",) in [step.told for step in lesson("my-bird-sings", load_wording())]
