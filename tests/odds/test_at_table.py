"""Games at the table, tried by their own plays beside what is worked out."""

from __future__ import annotations

import pytest

from station.base.errors import Unreadable
from station.games import GAMES
from station.night.table.practice import alone
from station.odds.programmes import table_odds

TRIED = {"each": 4}  # short games


@pytest.mark.long
def test_what_is_tried_agrees_with_what_is_worked_out():
    """Tontine of two with four counters each: deals, and who wins, within four standard errors; the
    same seed gives the same figures."""
    told = table_odds(GAMES["tontine"], 2, 800, "1", TRIED)
    assert told.exact is not None
    assert told.exact.length == pytest.approx(1.33743, abs=1e-5)
    assert sum(told.exact.wins) == pytest.approx(1)
    for figure in (told.length, *(seat.wins for seat in told.seats)):
        assert figure.off is not None
        assert abs(figure.off) < 4
    assert told.length.mean <= told.longest
    assert told.median == 1
    assert table_odds(GAMES["tontine"], 2, 800, "1", TRIED) == told


def test_counters_only_change_hands():
    """What the seats take home more and less comes to nothing; of three players nothing is worked
    out."""
    more = []
    told = table_odds(GAMES["tontine"], 3, 20, "a", TRIED, more.append)
    assert sum(seat.gain.mean for seat in told.seats) == pytest.approx(0)
    assert sum(seat.wins.mean for seat in told.seats) == pytest.approx(1)
    assert (told.exact, told.length.off, sum(more)) == (None, None, 20)


def test_a_game_of_knobs_is_not_tried_so():
    """Its bag and its cards are the hall's; nor is a game for more players than there are."""
    assert not alone(GAMES["loto-second"])
    with pytest.raises(Unreadable, match="knobs and cards"):
        table_odds(GAMES["loto-second"], 3, 2, "1")
    with pytest.raises(Unreadable, match="1 player: Tontine is for 2 to"):
        table_odds(GAMES["tontine"], 1, 2, "1")
