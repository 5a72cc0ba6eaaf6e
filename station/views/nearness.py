"""Tell how near the hall is to a prize, from marks on all cards in play, which are kept beside the
night and follow its calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice, takewhile
from typing import Any, TypeAlias

from station.cards.marking import NEAREST, SMALL, Marks
from station.night.acts import Open
from station.night.hall import Hall
from station.record.requests import Change
from station.rules.abilities import SellsCards
from station.rules.prizes import ClaimVerdict, PrizeState, Stage
from station.views.views import stage_name
from station.wire.wording import Wording

NEAREST_CARDS = "nearest"


Making: TypeAlias = Callable[[Callable[[], Marks]], Future[Marks]]


def in_a_thread(make: Callable[[], Marks]) -> Future[Marks]:
    """Start to make marks in a thread: for a million cards it takes as long as a short word."""
    with_one = ThreadPoolExecutor(1, "marks")
    making = with_one.submit(make)
    with_one.shutdown(wait=False)  # the thread ends when its work is done
    return making


class Nearness:
    """The marks of the game in play, made when they are first needed and kept until the next game.

    Args:
        hall: returns the night as it is now.
        always: whether they are needed from the opening on; else from the first question.
        beside: makes the marks of a large pack meanwhile. A question whether a card has won waits
            for them; a question how near the hall is gets no answer until they are made.
        small: the largest number of cards that are marked without delay.
    """

    def __init__(
        self,
        hall: Callable[[], Hall],
        *,
        always: bool,
        beside: Making = in_a_thread,
        small: int = SMALL,
    ) -> None:
        self._hall = hall
        self._always = always
        self._beside = beside
        self._small = small
        self.begin()

    def follow(self, change: Change) -> None:
        """Follow a change of the night: start again with each game."""
        if isinstance(change.act, Open):
            self.begin()

    def near(self) -> tuple[int, int] | None:
        """Return how many cards need one number for an open prize, and two; None without marks."""
        game = self._hall().sold
        if not self._there or game is None or not game.open:
            return None
        return self._kept(game).near([stage.pattern for stage in game.open])

    def completed(self) -> bool:
        """Return whether the last number called wins a prize on some card, if its player claims."""
        hall = self._hall()
        game = hall.sold
        if game is None or not game.called:
            return False
        # A card that has won with this pattern before is complete, and wins nothing.
        return any(
            hall.prizes.judge(game, serial).verdict is ClaimVerdict.VALID
            for stage in game.open
            for serial in self._fresh(game, stage)
        )

    def winning(self, most: int) -> tuple[str, ...] | None:
        """Return the cards that would win if claimed now, and were not checked at this stop.

        Args:
            most: the most cards that are named.

        Returns:
            None while it is not known yet: the marks are being made.
        """
        hall = self._hall()
        game = hall.sold
        if game is None or not game.called or not game.open:
            return ()
        return tuple(islice(self._winning(hall.prizes, game), most)) if self._there else None

    def _winning(self, rules: SellsCards, game: PrizeState) -> Iterator[str]:
        known = {claim.serial for claim in game.claims}
        for stage in game.open:
            # Where a claim may come at any later call, a card that was complete before wins, too.
            cards = (
                self._fresh(game, stage)
                if game.setup.last_number
                else self._kept(game).having(stage.pattern)
            )
            for serial in cards:
                if serial not in known and rules.judge(game, serial).verdict is ClaimVerdict.VALID:
                    known.add(serial)
                    yield serial

    def near_cards(self, most: int) -> tuple[str, ...]:
        """Return the cards that need one number for an open prize; empty until marks are made."""
        game = self._hall().sold
        if not self._there or game is None:
            return ()
        found = (
            serial
            for stage in game.open
            for serial in self._kept(game).wanting_just(stage.pattern, 1, most)
        )
        return tuple(islice(dict.fromkeys(found), most))

    @property
    def _there(self) -> bool:
        return self._making is not None and self._making.done()

    def nearest(self, wording: Wording, most: int = NEAREST) -> dict[str, Any]:
        """Return the cards nearest to each open prize, who holds them, and what they need."""
        hall = self._hall()
        game = hall.sold
        if game is None:
            return {"stages": []}
        return {"stages": [self._nearest(hall, game, stage, wording, most) for stage in game.open]}

    def _nearest(
        self, hall: Hall, game: PrizeState, stage: Stage, wording: Wording, most: int
    ) -> dict[str, Any]:
        found = []
        for serial, _ in self._kept(game).nearest(stage.pattern, most):
            many, numbers = stage.pattern.wants(game.setup.cards[serial], game.called)
            card = {"serial": serial, "holder": (game.setup.holders or {}).get(serial)}
            found.append({**card, "many": many, "numbers": list(numbers)})
        none, one, two = self._kept(game).wanting(stage.pattern)
        return {
            "stage": stage.key,
            "name": stage_name(hall.plan, stage.key, wording),
            "have": none,
            "want_one": one,
            "want_two": two,
            "cards": found,
        }

    def _fresh(self, game: PrizeState, stage: Stage) -> Iterator[str]:
        return self._kept(game).fresh(stage.pattern, game.called[-1])

    def begin(self) -> None:
        """Start again: another game is in play."""
        game = self._hall().sold
        self._making: Future[Marks] | None = None
        self._covered: tuple[int, ...] = ()
        if game is not None and self._always:
            self._making = self._made(game)

    def _made(self, game: PrizeState) -> Future[Marks]:
        def make() -> Marks:
            return Marks(game.setup.cards, [stage.pattern for stage in game.stages])

        if len(game.setup.cards) > self._small:
            return self._beside(make)
        made: Future[Marks] = Future()
        made.set_result(make())
        return made

    def _kept(self, game: PrizeState) -> Marks:
        """Return the marks brought up to date: numbers taken back uncovered, new ones covered."""
        if self._making is None:
            self._making = self._made(game)
        marks = self._making.result()
        pairs = zip(self._covered, game.called, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        for number in reversed(self._covered[same:]):
            marks.take_back(number)
        for number in game.called[same:]:
            marks.call(number)
        self._covered = game.called
        return marks


class WorkedOut(Mapping[str, dict[str, Any]]):
    """Answers by question; some are worked out only when they are asked for."""

    def __init__(
        self,
        answers: Mapping[str, dict[str, Any]],
        asked: Mapping[str, Callable[[], dict[str, Any]]],
    ) -> None:
        self._answers = answers
        self._asked = asked

    def __getitem__(self, about: str) -> dict[str, Any]:
        """Return the answer to a question.

        Raises:
            KeyError: the desk has no answer to it.
        """
        return self._asked[about]() if about in self._asked else self._answers[about]

    def __iter__(self) -> Iterator[str]:
        yield from self._answers
        yield from self._asked

    def __len__(self) -> int:
        return len(self._answers) + len(self._asked)
