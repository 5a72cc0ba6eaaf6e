"""One game drawn once for many halls: made, opened, given out call by call, played, and checked."""

from __future__ import annotations

from pathlib import Path

from station.record import sealed_games
from station.record.session import Refused
from tests.sealed_halls import Hall, Organiser, keys_from
from tests.support import verify


def test_three_halls_play_one_game(tmp_path: Path) -> None:
    """Each opens with its own cards; all call the same numbers in the same order: one takes calls
    back and looks ahead, the power of one is cut in mid-game."""
    organiser = Organiser(tmp_path / "organiser")
    game = organiser.game
    halls = [Hall(tmp_path / f"hall-{place}", [place, place + 3], place) for place in range(3)]
    openings = [hall.open(game) for hall in halls]
    assert len({opening.register for opening in openings}) == len(halls)
    first = keys_from(organiser.release(openings, 20), 1, 20)
    rest = keys_from(organiser.release((), 90), 21)
    whole, back, cut = halls
    whole.play([first, *["draw"] * 20, rest, *["draw"] * 70])
    back.play([first, *["draw", "undo", "draw"] * 10, "undo", "undo", "draw", "draw"])
    cut.play([first, *["draw"] * 7])
    [waits] = cut.play(["draw"] * 13 + ["draw"])[13:]
    assert isinstance(waits, Refused)
    assert (waits.reason, "key of call 21" in waits.say) == ("key-missing", True)
    cut.play([rest, *["draw"] * 30])
    order = tuple(sealed_games.numbers(game, organiser.release().each))
    assert sorted(order) == list(range(1, 91))
    assert [hall.called for hall in halls] == [order, order[:10], order[:50]]
    for hall in halls:
        verify(hall.folder)
    found = sealed_games.check(game, organiser.release(), [hall.folder for hall in halls])
    assert [(one.calls, one.faults, one.station) for one in found] == [
        (calls, [], hall.station) for calls, hall in zip((90, 10, 50), halls, strict=True)
    ]
