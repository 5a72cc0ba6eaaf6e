"""What the contract gives to every game: who may begin, who has won, what was agreed on."""

from __future__ import annotations

import pytest

from station.base.errors import Unreadable
from station.games import GAMES
from station.rules.abilities import CanBeBrokenOff, HasRace, SellsCards
from station.rules.play import Dealing, Played
from tests.altered import altered

TONTINE = GAMES["tontine"]


@pytest.mark.parametrize(("players", "begins"), [(2, False), (3, True), (5, True), (6, False)])
def test_a_game_begins_with_as_many_players_as_it_is_for(players: int, begins: bool) -> None:
    """A Tontine for three to five."""
    rules = altered(TONTINE, seats=(3, 5))
    agreed, dealing = rules.agreed({"stake": 12}), Dealing({}, (0,) * players, (99,) * players)
    if begins:
        assert rules.begin(agreed, dealing).setup.seats == players
        return
    with pytest.raises(Unreadable, match="Tontine is for 3 to 5"):
        rules.begin(agreed, dealing)


def test_a_prize_is_won_before_the_game_is_over() -> None:
    """Who wins a pool has won, and so has who wins the game."""
    start = TONTINE.begin(TONTINE.agreed({"stake": 12}), Dealing({}, (0, 0), (99, 99)))
    done = Played(start, None, start)
    assert TONTINE.winners(done) == ()
    assert altered(TONTINE, prize_winners=lambda _: (2,)).winners(done) == (2,)


def test_what_was_not_agreed_on_is_as_usual() -> None:
    """A setting that nobody named has its default."""
    agreed = TONTINE.agreed({"stake": 30})
    assert (agreed.count("stake"), agreed.count("each")) == (30, 12)
    assert agreed.word("playing_cards") == "station"
    assert not GAMES["spoil-five"].agreed({"stake": 20}).flag("fiving")


def test_an_ability_is_had_or_not() -> None:
    """The house gets the game itself, or nothing, or a refusal in a sentence."""
    assert TONTINE.ability(CanBeBrokenOff) is TONTINE
    assert TONTINE.ability(SellsCards) is None
    assert GAMES["keno"].ability(SellsCards) is GAMES["keno"]
    with pytest.raises(Unreadable, match="this game does not do that"):
        TONTINE.needed(HasRace)
