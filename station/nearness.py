"""How near the hall is: marks on all cards in play, kept beside the night and following its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from station.acts import Draw, Open, Undo
from station.hall import Hall
from station.marks import NEAREST, Marks
from station.rules.loto_first_claims import check
from station.rules.loto_first_state import Stage, State, Verdict
from station.session import Change
from station.views import stage_name
from station.wording import Wording

NEAREST_CARDS = "nearest"


class Nearness:
    """The marks of the game on the table, made when they are wanted and kept until the next game.

    Args:
        hall: gives the state now.
        always: they are wanted from the opening on; else from the first question.
    """

    def __init__(self, hall: Callable[[], Hall], *, always: bool) -> None:
        self._hall = hall
        self._always = always
        self._marks: Marks | None = None
        self._begin()

    def follow(self, change: Change) -> None:
        """Covers what was called, uncovers what was taken back."""
        if isinstance(change.act, Open):
            self._begin()
        elif self._marks is not None and isinstance(change.act, Draw):
            self._marks.call(change.act.number)
        elif self._marks is not None and isinstance(change.act, Undo) and change.before.game is not None:
            self._marks.take_back(change.before.game.called[-1])

    def near(self) -> tuple[int, int] | None:
        """How many cards want one number for a prize that can be won, and how many two; None where nobody keeps count."""
        game = self._hall().playing
        if self._marks is None or game is None or not game.open:
            return None
        return self._marks.near([stage.pattern for stage in game.open])

    def completed(self) -> bool:
        """Whether the last number called wins a prize on some card in play, if its player claims."""
        game = self._hall().playing
        if game is None or not game.called:
            return False
        # A card that has won with this pattern before is complete, and wins nothing.
        return any(check(game, serial) is Verdict.VALID for stage in game.open for serial in self._fresh(game, stage))

    def nearest(self, wording: Wording, most: int = NEAREST) -> dict[str, Any]:
        """For each prize that can be won the cards that want the fewest numbers for it, whose they are, and what they want."""
        hall = self._hall()
        game = hall.playing
        if game is None:
            return {"stages": []}
        return {"stages": [self._nearest(hall, game, stage, wording, most) for stage in game.open]}

    def _nearest(self, hall: Hall, game: State, stage: Stage, wording: Wording, most: int) -> dict[str, Any]:
        found = []
        for serial, _ in self._kept(game).nearest(stage.pattern, most):
            wants = stage.pattern.wants(game.setup.cards[serial], game.called)
            holder = (game.setup.holders or {}).get(serial)
            found.append({"serial": serial, "holder": holder, "many": wants.many, "numbers": list(wants.numbers)})
        none, one, two = self._kept(game).wanting(stage.pattern)
        counts: Mapping[str, int] = {"have": none, "want_one": one, "want_two": two}
        return {"stage": stage.key, "name": stage_name(hall.plan, stage.key, wording), **counts, "cards": found}

    def _fresh(self, game: State, stage: Stage) -> Iterator[str]:
        return self._kept(game).fresh(stage.pattern, game.called[-1])

    def _begin(self) -> None:
        game = self._hall().playing
        self._marks = None
        if game is not None and self._always:
            self._kept(game)

    def _kept(self, game: State) -> Marks:
        if self._marks is None:
            self._marks = Marks(game.setup.cards, [stage.pattern for stage in game.stages])
            for number in game.called:
                self._marks.call(number)
        return self._marks


class WithNearest(Mapping[str, dict[str, Any]]):
    """Answers by what is asked about, the nearest cards among them: looked for only when that is asked."""

    def __init__(self, answers: Mapping[str, dict[str, Any]], nearest: Callable[[], dict[str, Any]]) -> None:
        self._answers = answers
        self._nearest = nearest

    def __getitem__(self, about: str) -> dict[str, Any]:
        """Raises `KeyError` for what the desk does not answer."""
        return self._nearest() if about == NEAREST_CARDS else self._answers[about]

    def __iter__(self) -> Iterator[str]:
        yield from self._answers
        yield NEAREST_CARDS

    def __len__(self) -> int:
        return len(self._answers) + 1
