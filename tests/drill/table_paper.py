"""A company at its table as a person with a pencil keeps it: who has what, what may be done next, what a drawing comes to.

It shares no line with the station's rules. All cards are of one strip, so that no number stands on two of them: two are taken by
each player, what is left by those who join later; nobody exchanges or throws up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

PRIZES = (0, 0, 5, 25, 100, 250)  # by the counters on a row, from the rule book
ON_TABLE, IN_POOL, AGAIN = 15, 45, 2  # counters a card: at the start, and for an empty table before the last drawing
CARDS, TEN, KNOBS = 2, 10, 90
A_CARD = ON_TABLE + IN_POOL
ROWS = 3
PURSE = 100_000
PEOPLE = ("Anna", "Ben", "Carla")


def sitting(people: Sequence[str]) -> dict[str, Any]:
    """These sit down, with two cards each."""
    return {"act": "sit", "players": [{"name": name, "takes": CARDS, "purse": PURSE} for name in people]}


SIT: Mapping[str, Any] = sitting(PEOPLE)


@dataclass
class TablePaper:
    """The table, in counters that are worth one unit each.

    Attributes:
        games: how many there are to be played.
        people, purses, hands: of each seat; nobody sits there where there are no purses.
        takes: how many cards each seat has wanted; None for who joined and has said nothing.
        deal: the rows of each seat's cards, as the next opening deals them: chance is not the paper's.
        rest: the rows of the cards that nobody has, in the order in which they are dealt.
        wanting: what is not paid yet: seat and counters, in the order of paying.
        wants: whether the last knob's number has no counter yet.
        left: drawings still to be made, once that was resolved.
    """

    games: int
    purses: list[int] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    takes: list[int | None] = field(default_factory=list)
    deal: list[list[list[int]]] = field(default_factory=list)
    rest: list[list[list[int]]] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)
    opened: int = 0
    open: bool = False
    closed: bool = False
    counted: bool = False
    pool: int = 0
    table: int = 0
    drawer: int = 0
    calls: int = 0
    numbers: list[int] = field(default_factory=list)
    lent: list[int] = field(default_factory=list)  # what the table took from the pool at each knob
    wants: bool = False
    wanting: list[tuple[int, int]] = field(default_factory=list)
    left: int | None = None

    @property
    def short(self) -> bool:
        """Whether the pool owes something, and nothing is drawn before it was added to."""
        return self.wants or bool(self.wanting)

    @property
    def last(self) -> bool:
        """Whether this is the last drawing."""
        return self.left == 1

    @property
    def staked(self) -> int:
        """What is in the game."""
        return self.pool + self.table + sum(self.hands) + sum(map(self._laid, self.numbers)) if self.open else 0

    def _laid(self, number: int) -> bool:
        """Whether a counter lies on it."""
        bare = self.wants and number == self.numbers[-1]
        return not bare and any(number in row for rows in self.deal for row in rows)

    def _cards(self, seat: int) -> int:
        return len(self.deal[seat]) // ROWS

    @property
    def _in_play(self) -> int:
        return sum(map(self._cards, range(len(self.deal))))

    def new_night(self) -> None:
        """Another evening, with nobody at the table."""
        self.opened, self.closed, self.purses = 0, False, []

    def do(self, act: Mapping[str, Any]) -> bool:
        """Does it, or says that it may not be done."""
        if self.closed:
            return False
        match act:
            case {"act": "sit", "players": list(players)}:
                may = not self.open and self.opened < self.games
                if may:
                    self.people, self.takes = [one["name"] for one in players], [one["takes"] for one in players]
                    self.purses = [PURSE] * len(players)
                return may
            case {"act": "open"}:
                return self._open()
            case {"act": "close-night"}:
                self.closed = not self.open
                return self.closed
        return self.open and self._play(act)

    def _play(self, act: Mapping[str, Any]) -> bool:
        match act:
            case {"act": "shake", "counted": int(counted)}:
                may = not self.numbers and counted == KNOBS
                self.counted = self.counted or may
                return may
            case {"act": "join", "name": str(name), "purse": int(purse)}:
                return self._join(name, purse)
            case {"act": "move", "move": {"do": "take", "seat": int(seat)}}:
                return self._take(seat - 1)
            case {"act": "draw", "number": int(number)}:
                return self._draw(number)
            case {"act": "undo"}:
                return self._undo()
            case {"act": "break"}:
                while self.numbers:
                    self._undo()
                self._redeem()
                return True
            case {"act": "move", "move": {"do": "settle"}}:
                over = self.last and not self.table + self._to_begin()
                may = not self.short and (over or len(self.numbers) == TEN)
                if may:
                    self.settle(self.numbers)
                return may
            case {"act": "move", "move": {"do": "replenish"}}:
                may = self.short or (not self.numbers and not self.pool and not self.last)
                may = may and all(self._has(seat) >= IN_POOL * self._cards(seat) for seat in range(len(self.hands)))
                if may:
                    self.add()
                return may
            case {"act": "move", "move": {"do": "finish"}}:
                if may := self.short:
                    self._keep(self.numbers)
                    self._redeem()
                return may
            case {"act": "move", "move": {"do": "resolve", "drawings": int(drawings)}}:
                may = not self.short and not self.numbers and self.left is None
                self.left = drawings if may else self.left
                return may
        return False

    def _open(self) -> bool:
        left = CARDS * len(PEOPLE) - sum(count or 0 for count in self.takes)
        silent = self.takes.count(None)
        if self.open or self.opened == self.games or not self.purses or silent > left:
            return False
        # Those who have said nothing have two cards each, the last ones one where there are not enough.
        double = min(silent, left - silent)
        given = iter([CARDS] * double + [1] * (silent - double))
        counts = [next(given) if count is None else count for count in self.takes]
        if any(purse < A_CARD * count for purse, count in zip(self.purses, counts, strict=True)):
            return False
        self.opened, self.open, self.counted, self.calls, self.drawer, self.left = self.opened + 1, True, False, 0, 0, None
        self.purses = [purse - A_CARD * count for purse, count in zip(self.purses, counts, strict=True)]
        self.hands = [0] * len(counts)
        self.table, self.pool = sum(counts) * ON_TABLE, sum(counts) * IN_POOL
        return True

    def _join(self, name: str, purse: int) -> bool:
        """Somebody sits down after the last, without a card."""
        may = not self.numbers and bool(self.rest) and purse >= A_CARD and name not in self.people
        if may:
            self.people.append(name)
            self.takes.append(None)
            self.purses.append(purse)
            self.hands.append(0)
            self.deal.append([])
        return may

    def _take(self, seat: int) -> bool:
        """The next card, for its sixty; where the pool owes something paying goes on with them."""
        if self.numbers or not self.rest or not 0 <= seat < len(self.hands) or self._has(seat) < A_CARD:
            return False
        self._lay_down(seat, A_CARD)
        self.deal[seat] += self.rest.pop(0)
        self.table, self.pool = self.table + ON_TABLE, self.pool + IN_POOL
        self._pay_on()
        return True

    def _has(self, seat: int) -> int:
        return self.hands[seat] + self.purses[seat]

    def _lay_down(self, seat: int, counters: int) -> None:
        """What he has won goes first."""
        won = min(counters, self.hands[seat])
        self.hands[seat] -= won
        self.purses[seat] -= counters - won

    def _to_begin(self) -> int:
        """What an empty table takes from the pool before the last drawing."""
        empty = self.last and not self.table and not self.numbers
        return min(AGAIN * self._in_play, self.pool) if empty else 0

    def _draw(self, number: int) -> bool:
        lent = self._to_begin()
        full = len(self.numbers) == TEN or (self.last and not self.table + lent)
        if not self.counted or self.short or full or number in self.numbers or not 1 <= number <= KNOBS:
            return False
        self.numbers.append(number)
        self.calls += 1
        self.table, self.pool = self.table + lent, self.pool - lent
        if self._laid(number):
            if not self.table and self.pool:
                lent, self.table, self.pool = lent + 1, 1, self.pool - 1
            self.wants = not self.table
            self.table -= not self.wants
        self.lent.append(lent)
        return True

    def _undo(self) -> bool:
        if not self.numbers:
            return False
        lay = self._laid(self.numbers[-1])
        self.numbers.pop()
        self.calls -= 1
        lent = self.lent.pop()
        self.table, self.pool = self.table + lay - lent, self.pool + lent
        self.wants = False
        return True

    def settle(self, numbers: Sequence[int]) -> None:
        """A drawing comes to its end: what lies on a card is its player's, then rows are paid, as far as the pool goes."""
        self._keep(numbers)
        self._pay()
        if self.wanting and not self.last:
            return
        self._pass_on()

    def _keep(self, numbers: Sequence[int]) -> None:
        """Laid counters come to the hands; rows want what they won: from the drawer leftwards, at last from seat 1."""
        uncovered = {numbers[-1]} if self.wants else set()
        seats = len(self.deal)
        first = 0 if self.last else self.drawer
        for seat in ((first + step) % seats for step in range(seats)) if numbers else ():
            for row in self.deal[seat]:
                laid = len({*row} & ({*numbers} - uncovered))
                self.hands[seat] += laid
                self.wanting += [(seat, PRIZES[laid])] if PRIZES[laid] else []
        self.numbers, self.lent, self.wants = [], [], False
        self.counted = self.counted and not numbers

    def add(self) -> None:
        """Each player adds to the pool, from what he has won and then from his purse; covering or paying goes on."""
        for seat in range(len(self.hands)):
            self._lay_down(seat, IN_POOL * self._cards(seat))
        self.pool += IN_POOL * self._in_play
        if self.wants:
            self.wants, self.pool = False, self.pool - 1
            self.lent[-1] += 1
        self._pay_on()

    def _pay_on(self) -> None:
        if self.wanting:
            self._pay()
            if not self.wanting:
                self._pass_on()

    def _pay(self) -> None:
        while self.wanting and self.pool:
            seat, counters = self.wanting.pop(0)
            paid = min(counters, self.pool)
            self.pool -= paid
            self.hands[seat] += paid
            if paid < counters:
                self.wanting.insert(0, (seat, counters - paid))

    def _pass_on(self) -> None:
        if self.last:
            self._redeem()
            return
        seats = len(self.hands)
        order = [(self.drawer + step) % seats for step in range(1, seats + 1)]
        self.drawer = next(seat for seat in order if self.deal[seat])
        self.left = None if self.left is None else self.left - 1

    def _redeem(self) -> None:
        """The end: what is not paid stays unpaid, what lies in pool and on the table goes back by card."""
        each, odd = divmod(self.table + self.pool, self._in_play)
        for seat, hand in enumerate(self.hands):
            cards = self._cards(seat)
            self.purses[seat] += hand + cards * each + min(cards, odd)
            odd -= min(cards, odd)
        self.hands = [0] * len(self.hands)
        self.table = self.pool = 0
        self.wanting, self.open, self.counted = [], False, False
