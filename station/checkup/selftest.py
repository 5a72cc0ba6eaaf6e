"""Plan a self-test (H2), and put the result of each step into words. Pure.

`station.calling.selftest` carries the steps out: it has the outputs, and waits for the events.
The results are English, because the journal keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial

from drivers import Buzzed, Event, Pressed, Scanned, TagRead, Thrown, Turned
from station.base.nouns import number_list
from station.base.said import Sentence, said, verbatim
from station.checkup.findings import NOTHING, PartFinding, Result, todo_for

HANDS_LIMIT_S = 30.0


@dataclass(frozen=True)
class Bench:
    """The devices that a self-test tries.

    Attributes:
        lamps: the lamps' names; `buttons`, `turners`, `readers`, `scanners` the inputs'.
        buzzers: the lines that have a buzzer, by box.
        tower: whether there is a dice tower.
        board: whether there is a ten-cavity board; `voice` whether there is one that speaks.
        disk: the fault of the state folder's disk; empty if there is none.
        clock_set: whether the wall clock was set by the network.
    """

    lamps: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()
    turners: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    scanners: tuple[str, ...] = ()
    buzzers: Mapping[str, Collection[int]] = field(default_factory=dict)
    tower: bool = False
    board: bool = False
    voice: bool = False
    disk: Callable[[], str] = lambda: ""
    clock_set: Callable[[], bool] = lambda: True


NO_DEVICES = Bench()


class TrialKind(Enum):
    """What a step tries."""

    SCREEN = auto()
    VOICE = auto()
    LAMP = auto()
    BOARD = auto()
    INPUT = auto()
    BUZZERS = auto()
    DISK = auto()
    CLOCK = auto()


# What the journal keeps of a step that passed, and of one that failed.
PASSED = {
    TrialKind.SCREEN: "its edges: look whether all four corners are there; else set [screen] inset",
    TrialKind.VOICE: "the test word was played",
    TrialKind.LAMP: "lit, the others dark: look",
    TrialKind.BOARD: "1 to 10, one cavity after the other",
    TrialKind.INPUT: "it came",
    TrialKind.BUZZERS: "all of them came",
    TrialKind.DISK: "written and read; there is room",
    TrialKind.CLOCK: "set by the network",
}
FAILED = {
    TrialKind.VOICE: "the test word was not played",
    TrialKind.BOARD: "it shows nothing",
    TrialKind.INPUT: f"nothing came within {HANDS_LIMIT_S:.0f} s",
}
ROUGH = "not set by the network: times in the record are rough"


def _never(_: Event) -> bool:
    return False


@dataclass(frozen=True)
class TrialStep:
    """One step of a self-test.

    Attributes:
        part: what is tried, for people.
        device: whose sign says that it does not work; empty for what has none.
        asks: what a person must do.
        proves: whether an event is the one that the step waits for.
        lines: the lines that have a buzzer.
        blocks: whether a fault could affect a game.
    """

    kind: TrialKind
    part: str
    device: str = ""
    asks: Sentence = NOTHING
    proves: Callable[[Event], bool] = _never
    lines: frozenset[int] = frozenset()
    blocks: bool = False

    def passed(self, say: str = "") -> PartFinding:
        """Return that it works."""
        return self._found("good", say or PASSED[self.kind])

    def failed(self, say: str = "") -> PartFinding:
        """Return that it does not work, and what to do about it."""
        todo = todo_for(self.device) if self.device else NOTHING
        return self._found("fault", say or FAILED[self.kind], todo)

    def result(self, *, good: bool) -> PartFinding:
        """Return whether it works, in the words of its kind."""
        return self.passed() if good else self.failed()

    def lost(self, sign: str) -> PartFinding:
        """Return what the sign of a device says that is known not to work. Its driver's own words
        include what to do."""
        return self._found("fault", sign)

    def skipped(self, why: str) -> PartFinding:
        """Return why it was not tried."""
        return self._found("skipped", why)

    def without(self, silent: Collection[int]) -> PartFinding:
        """Return whether every buzzer came, or which have not."""
        return self.failed(f"silent: {number_list(sorted(silent))}") if silent else self.passed()

    def _found(self, result: Result, say: str, todo: Sentence = NOTHING) -> PartFinding:
        return PartFinding(self.part, result, verbatim(say), todo, advice=not self.blocks)


def plan(bench: Bench) -> Iterator[TrialStep]:
    """Yield all steps, in an order that a person can follow."""
    yield TrialStep(TrialKind.SCREEN, "screen")
    yield TrialStep(TrialKind.VOICE, "voice", "speech")
    for name in bench.lamps:
        yield TrialStep(TrialKind.LAMP, f"lamp {name}", "lamps")
    if bench.board:
        yield TrialStep(TrialKind.BOARD, "board", "matrix")
    yield from _inputs(bench)
    for box, lines in bench.buzzers.items():
        pressed = partial(_is, Buzzed, "box", (box,))
        yield TrialStep(TrialKind.BUZZERS, box, box, proves=pressed, lines=frozenset(lines))
    yield TrialStep(TrialKind.DISK, "disk", blocks=True)
    yield TrialStep(TrialKind.CLOCK, "clock")


def _inputs(bench: Bench) -> Iterator[TrialStep]:
    """Yield the inputs that one event proves."""
    for name in bench.buttons:
        asks = said("press the button {name}", name=name)
        yield _input(f"button {name}", asks, partial(_is, Pressed, "button", (name,)))
    for name in bench.turners:
        asks = said("turn the knob {name}", name=name)
        yield _input(f"knob {name}", asks, partial(_is, Turned, "", ()))
    for name in bench.readers:
        which = name if len(bench.readers) > 1 else said("the reader")
        asks = said("lay a ball on {which}", which=which)
        yield _input(name, asks, partial(_is, TagRead, "reader", (name, "reader")), blocks=True)
    for name in bench.scanners:
        asks = said("show a card to the {name}", name=name)
        yield _input(name, asks, partial(_is, Scanned, "scanner", (name,)))
    if bench.tower:
        yield _input("tower", said("throw a die into the tower"), partial(_is, Thrown, "", ()))


def _input(
    part: str, asks: Sentence, proves: Callable[[Event], bool], *, blocks: bool = False
) -> TrialStep:
    return TrialStep(TrialKind.INPUT, part, part, asks, proves, blocks=blocks)


def still_asked(box: str, silent: Collection[int]) -> Sentence:
    """Return what the players must do until every buzzer of a box has come."""
    return said(
        "press every buzzer of the {box} once; still silent: {still}",
        box=box,
        still=number_list(sorted(silent)),
    )


def _is(kind: type, field: str, values: tuple[object, ...], event: Event) -> bool:
    """Return whether an event is of this kind, and its field, if one is named, has such a value."""
    return isinstance(event, kind) and (not field or getattr(event, field) in values)
