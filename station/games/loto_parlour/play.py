"""Play Loto, First Method, by a company at a table: the game class and an example. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from station.base.tongue import key, tr
from station.games.loto_parlour.rules import LotoParlourRules
from station.games.loto_parlour.state import (
    Action,
    Answering,
    AnswerVerdict,
    Close,
    Draw,
    GamePhase,
    Setup,
    Stakes,
    State,
    TakeBack,
)
from station.games.loto_parlour.view import comes, opens, say, view
from station.rules.abilities import CanBeBrokenOff, CanBeWorkedOut, DrawsKnobs, HasRace, TakesBack
from station.rules.example import Example, draws, read_cards
from station.rules.patterns import FULL, ROW, TWO_ROWS
from station.rules.play import (
    COMPANY,
    Actor,
    Agreed,
    Chance,
    Choose,
    Dealing,
    Expected,
    Luck,
    NameOf,
    Need,
    Played,
    Race,
    Setting,
    Wish,
    own_moves,
)
from station.rules.seating import SEATS
from station.rules.seen import Move, Slot, SlotKind, Viewer

CARDS = read_cards(
    "1 12 23 46 82 / 14 33 59 66 70 / 36 47 67 74 84",
    "8 15 26 30 77 / 9 18 51 60 79 / 27 34 42 58 87",
    "11 48 63 75 86 / 5 19 21 78 88 / 29 38 54 65 90",
    "28 40 52 71 80 / 4 32 49 53 62 / 7 16 64 76 81",
    "10 20 31 43 68 / 2 45 50 72 83 / 3 24 37 57 85",
    "13 22 55 61 89 / 6 17 35 41 56 / 25 39 44 69 73",
)

EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 80, "cards": 6},
    rule="loto-parlour-seats",
    cards=CARDS,
    takes=1,
    steps=(
        draws("12", "loto-parlour-cover"),
        draws("48 23 5", "loto-parlour-draw"),
        draws("46 63 15"),
        draws("82 90"),
        draws("1", "loto-parlour-row"),
        draws("50 11 75"),
        draws("86"),
        draws("19 21 34 78"),
        draws("88", "loto-parlour-two"),
        draws("29 38 54"),
        draws("65", "loto-parlour-full"),
    ),
)


# -- the game at the table: settings, moves, simulated players -------------------------------------

SETTINGS = (
    Setting("stakes", "quarters", values=tuple(Stakes)),
    Setting("answering", "everyone", values=tuple(Answering)),
    Setting("counters", 30, least=15, most=1000),
    Setting("all", False),
)


WON = {
    Stakes.WHOLE: key("The first full card takes the pool."),
    Stakes.QUARTERS: key(
        "A quarter of the pool goes to the first full row, one to the first two rows, the rest to"
        " the full card."
    ),
    Stakes.COUNTERS: key(
        "Each number covered is a counter from the pool; the first full card takes what is left."
    ),
}
VERDICTS: Mapping[str, str] = {
    AnswerVerdict.COVERS: key("covers"),
    AnswerVerdict.TIED: key("tied"),
    AnswerVerdict.LATE: key("late"),
    AnswerVerdict.WRONG: key("wrong"),
}
HEARD = key("heard")
MISTAKES = 0.02  # presses without having the number


def _counted(agreed: Agreed) -> bool:
    return bool(agreed.word("stakes") == Stakes.COUNTERS.value)


def _asked(state: State) -> Iterator[Move]:
    yield Move(COMPANY, "share")
    if state.setup.answering is Answering.FIRST:
        for seat in range(1, state.setup.seats + 1):
            yield Move(seat, "answer", {"seats": (seat,), "micros": ()})
        race = Slot(("seats", "micros"), SlotKind.RACE, state.silent)
        yield Move(COMPANY, "answer", slots=(race,))


class LotoParlour(
    LotoParlourRules,
    DrawsKnobs[State, Action],
    TakesBack[Action],
    HasRace[State],
    CanBeBrokenOff[State],
    CanBeWorkedOut[State],
):
    """Loto, First Method, at the table, by a company at a table."""

    example = EXAMPLE
    settings = SETTINGS
    seats = (1, SEATS)
    needs = frozenset({Need.BAG, Need.CARDS})
    card_counts = frozenset(range(SEATS + 1))

    view = staticmethod(view)
    opens = staticmethod(opens)
    say = staticmethod(say)
    comes = staticmethod(comes)

    def setup(self, agreed: Agreed, dealing: Dealing) -> Setup:
        """Return the setup of a company's game."""
        return Setup(
            dealing.cards,
            dealing.takes,
            dealing.purses,
            stakes=Stakes(agreed.word("stakes")),
            answering=Answering(agreed.word("answering")),
            stake=0 if _counted(agreed) else agreed.count("stake") // 2,
            each=agreed.count("counters") if _counted(agreed) else 0,
            all_cards=agreed.flag("all"),
            value=self.value(agreed),
            register=dealing.register,
        )

    def parts(self, agreed: Agreed) -> tuple[int, str]:
        """Return what the stake must be a multiple of, and why."""
        if _counted(agreed):
            counters = agreed.count("counters")
            return counters, tr("each player's {count} counters are worth it", count=counters)
        return 2, tr("a card is worth half of it")

    def value(self, agreed: Agreed) -> int:
        """Return what a unit is worth, in minor units: a counter's part of the stake. Without
        counters the unit is one minor unit."""
        return int(agreed.count("stake") // agreed.count("counters")) if _counted(agreed) else 1

    def charge(self, agreed: Agreed, cards: int) -> int:
        """Return what a seat pays before the game, in units."""
        if _counted(agreed):
            return agreed.count("counters") if cards else 0
        return int(agreed.count("stake") // 2 * cards)

    def to_act(self, state: State) -> frozenset[int | Actor]:
        """Return who is awaited."""
        if state.over:
            return frozenset()
        return frozenset(
            {Actor.CHANCE if self.step(state) == "draw" else Actor.HOST, *state.silent}
        )

    def step(self, state: State) -> str:
        """Return in one word what comes next."""
        if state.phase is GamePhase.WON:
            return "close"
        return "draw" if state.bag else "share"

    def actions(self, state: State, viewer: Viewer) -> Iterator[Move]:
        """Yield what a viewer may ask for."""
        return own_moves(_asked(state), viewer)

    def chance(self, state: State) -> Chance | None:
        """Return what chance decides now."""
        drawing = Actor.CHANCE in self.to_act(state)
        return Chance(Luck.KNOB, "draw", "number", numbers=state.bag) if drawing else None

    def draw(self, number: int) -> Draw:
        """Return the draw of a knob."""
        return Draw(number)

    def take_back(self) -> TakeBack:
        """Return the action that takes the last one back."""
        return TakeBack()

    def broken(self, state: State) -> State:
        """Return the game broken off."""
        return self.apply(state, Close())

    def bag(self, state: State) -> frozenset[int]:
        """Return the knobs in the bag."""
        return state.bag

    def board(self, state: State) -> tuple[int, ...]:
        """Return the knobs that have been drawn."""
        return state.numbers

    def taken(self, state: State) -> tuple[tuple[str, ...], ...]:
        """Return the cards of each seat."""
        return state.taken

    def race(self, state: State) -> Race | None:
        """Return who may answer now."""
        if state.setup.answering is Answering.EVERYONE:
            return None
        silent = frozenset(state.silent)
        return Race(
            silent, silent - frozenset(state.holders(state.numbers[-1])) if silent else silent
        )

    def then(self, before: State, after: State) -> Mapping[str, Any]:
        """Return what was answered and won, or taken back, as the journal says it."""
        answers = after.answered if after.answered != before.answered else ()
        changed = {
            "answers": [[one.seat, one.micros, one.verdict.value] for one in answers],
            "won": [
                [win.stage, win.seat, win.amount] for win in after.wins if win not in before.wins
            ],
            "lost": [
                [win.stage, win.seat, win.amount] for win in before.wins if win not in after.wins
            ],
        }
        return {key: some for key, some in changed.items() if some}

    def bot(self, state: State, seat: int, choose: Choose, _: frozenset[int]) -> Wish | None:
        """Return a press of the buzzer where only the first to answer covers: almost always for a
        player who holds the number, seldom for one who does not."""
        if seat not in state.silent:
            return None
        holds = seat in state.holders(state.numbers[-1])
        return Wish(buzzes=True) if holds or choose.chance(MISTAKES) else None

    def prize_winners(self, done: Played[State, Action]) -> tuple[int, ...]:
        """Return who has won a share of the pool just now."""
        new = done.after.wins[len(done.before.wins) :]
        return tuple(sorted({win.seat for win in new}))

    def report(self, move: Mapping[str, Any], then: Mapping[str, Any], name: NameOf) -> str:
        """Return what a move did, and what followed, as a line of a report."""
        if move["do"] == "share":
            return tr("the bag is empty: what is not won is shared out")
        micros = move.get("micros") or ()
        verdicts = {seat: str(verdict) for seat, _, verdict in then.get("answers", ())}
        said = []
        for place, seat in enumerate(move["seats"]):
            words = {"name": name(seat), "verdict": tr(VERDICTS.get(verdicts.get(seat, ""), HEARD))}
            said.append(
                tr("{name} answers {micros} µs later: {verdict}", micros=micros[place], **words)
                if place and place < len(micros)
                else tr("{name} answers: {verdict}", **words)
            )
        return ", ".join(said)

    def terms(self, agreed: Agreed, stake: str) -> Iterator[str]:
        """Yield what was agreed on, in sentences."""
        counters = agreed.count("counters")
        yield (
            tr("Stake {stake} for each player, for {count} counters.", stake=stake, count=counters)
            if _counted(agreed)
            else tr("Stake {stake} for two cards.", stake=stake)
        )
        yield tr(WON[Stakes(agreed.word("stakes"))])
        if agreed.flag("all"):
            yield tr("Full is who has covered all the cards he holds, not one of them.")
        if agreed.word("answering") == Answering.FIRST:
            yield tr("Of those who hold a number only the first to answer covers it.")

    def expected(self, agreed: Agreed) -> Expected:
        """Return what is played for; a last share for all cards of a player is left out."""
        rows = (ROW, TWO_ROWS) if agreed.word("stakes") == Stakes.QUARTERS else ()
        full = () if agreed.flag("all") else (FULL,)
        return Expected((*rows, *full), race=agreed.word("answering") == Answering.FIRST)


GAME = LotoParlour()
