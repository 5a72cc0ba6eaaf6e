"""What chance guesses of codes and PINs have, by all ways at once, at a core and its web."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from station.people.pairings import TRIES_A_NIGHT, TRIES_ALL
from station.people.roles import Role
from tests.core.guessing import MOST, attacked, in_a_million, table

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_the_chance_of_entry_is_below_one_in_ten_thousand_a_night(tmp_path: Path) -> None:
    """Twenty codes and ten PINs are ever looked at, however often the core starts in between, and
    whoever types them; also where an admin opens pairing and frees the PINs twice in a night. What
    is right then comes through, so it was guesses that were refused."""
    with attacked(tmp_path) as attack:
        attack.night()
        guesses = attack.guesses
        assert (guesses.of("code"), guesses.of("PIN")) == (TRIES_A_NIGHT, TRIES_ALL)
        assert guesses.chance == Fraction(30, 10**6) < MOST
        measured = (DOCS / "measured.md").read_text("utf-8")
        assert table(guesses) in measured
        assert f"**{in_a_million(guesses.chance)}**" in measured
        for times in (2, 3):
            attack.forgiven()
            attack.night()
            assert guesses.chance == times * Fraction(30, 10**6) < MOST
            assert in_a_million(guesses.chance) in measured
        assert guesses.entries == []
        attack.forgiven()
        attack.let_in(Role.CHECKER, attack.asks("a device of the hall"))
        assert attack.approves("Ben", attack.pins["Ben"])
