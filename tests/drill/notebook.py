"""Somebody in the hall with a notebook: what was done to the station, what was heard and seen of
it; compared with its journal.

It knows the rules of the table, and nothing of how the station keeps them: a press calls a number
at once or, while one is being called, none; a knob is called once, or refused aloud; what the voice
could not say is said again when it is back.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Any

from drivers import Cavity
from drivers.board.geometry import CAVITIES
from drivers.board.picture import draw_board
from drivers.simulated.board import Picture
from station.base.clock import JUMP_S
from station.base.errors import LotoError
from station.record.audit import replay_all
from station.record.journal import FILE
from station.wire.wire import Message
from tests.drill.course import Broken
from tests.drill.evening import STATE
from tests.drill.memory_disk import File
from tests.drill.virtual_devices import Announcement
from tests.drill.world import TRAY, Life, World

CAVITY_WIDTH = 8  # of the hall's board of 80 × 16
SAME_S = 2e-6  # the journal's `mono` has six digits
CALL_LIMIT_S = 15.0

Line = dict[str, Any]


@cache
def _faces() -> dict[tuple[str, ...], int]:
    """How each number looks in a cavity, as the newest or not; 0 is a dark one."""
    faces: dict[tuple[str, ...], int] = {(CAVITY_WIDTH * ".",) * 16: 0}
    for number in range(1, 91):
        for newest in (False, True):
            picture = draw_board([Cavity(number, newest)])
            face = tuple(
                "".join(".#"[bool(picture.getpixel((x, y)))] for x in range(CAVITY_WIDTH))
                for y in range(16)
            )
            faces[face] = number
    return faces


def lit_numbers(picture: Picture) -> list[int | None]:
    """What the ten cavities show: a number, 0 for a dark one, None for what cannot be read."""
    return [
        _faces().get(
            tuple(row[CAVITY_WIDTH * place : CAVITY_WIDTH * (place + 1)] for row in picture)
        )
        for place in range(CAVITIES)
    ]


def placed(called: Sequence[int]) -> list[int]:
    """Where the last ten knobs lie: each stays in its cavity until that is needed again."""
    board = [0] * CAVITIES
    for turn, number in list(enumerate(called))[-CAVITIES:]:
        board[turn % CAVITIES] = number
    return board


def board_fault(view: Message, picture: Picture, called: Sequence[int]) -> str:
    """What is wrong with the board, or nothing: the last ten are lit while numbers are called, at
    other times letters may be.

    Where the next knob will lie there may be one that is drawn and not called.
    """
    lit, due = lit_numbers(picture), placed(called)
    lettered = view["phase"] != "playing" or view["stage"] is None
    if lettered and not any(lit):
        return ""
    place = len(called) % CAVITIES
    if lit[place] is None:
        lit[place] = due[place]
    return "" if lit == due else f"the board shows {lit}, it should {due}"


def called_in(lines: Iterable[Line]) -> list[int]:
    """The numbers called in the game on the table, and not taken back."""
    called: list[int] = []
    for line in lines:
        match line["do"]:
            case {"act": "open"}:
                called = []
            case {"act": "draw", "number": number}:
                called.append(number)
            case {"act": "undo"}:
                called.pop()
    return called


@dataclass
class Knob:
    """A knob that was drawn from the bag by hand.

    Attributes:
        refused: whether it was refused aloud, or given up because nothing could be read.
    """

    number: int
    at: float
    refused: bool = False


@dataclass
class Press:
    """A finger on the button that draws, or off it.

    Attributes:
        sure: it had to call a number, if none was being called; else it may have shown one, or
            called the one shown.
    """

    at: float
    life: Life
    sure: bool = True


@dataclass
class Notebook:
    """What was written down.

    Attributes:
        wishes: the answer to each wish over the wire, by its id.
        away: the knobs that were laid into the tray, as called.
        halted: when each station that halted said so.
        wrong: what was seen to be wrong as it happened.
    """

    world: World
    presses: list[Press] = field(default_factory=list)
    knobs: list[Knob] = field(default_factory=list)
    wishes: dict[str, Message] = field(default_factory=dict)
    away: set[int] = field(default_factory=set)
    halted: dict[int, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    _calls: dict[int, Announcement] = field(default_factory=dict)  # by the line's number
    _known: set[int] = field(default_factory=set)
    _signs: set[tuple[int, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.world.begun, self.world.told, self.world.lit, self.world.shown = (
            self.begin,
            self.hear,
            self.see,
            self.view,
        )

    def begin(self) -> None:
        """The station is started: what is on disk will be lit, and may be said."""
        self._known = set(called_in(self.lines(durable=True)))

    def lines(self, durable: bool = False) -> list[Line]:
        """The journal, as it can be seen or as it is on the medium."""
        file = self._journal()
        *whole, _ = (file.medium if durable else file.cache).split(b"\n")
        lines = []
        for line in whole:
            try:
                lines.append(json.loads(line))
            except ValueError:
                break  # torn by the power cut; the station has not put it aside yet
        return lines

    def _journal(self) -> File:
        path = STATE / "nights" / "0001" / FILE
        return self.world.disk.file(path) if self.world.disk.is_file(path) else File()

    @property
    def draws(self) -> int:
        """How many calls the journal has."""
        return self._journal().cache.count(b'"act":"draw"')

    def must(self, kept: bool, what: str) -> None:
        """Raises `Broken` with the scenario when a promise was not kept."""
        self._must(kept, what)
        self.judge()

    # -- as it happens -----------------------------------------------------------------------------

    def hear(self, announcement: Announcement) -> None:
        """A number is never said before it is on the medium, and called once."""
        match announcement.clips:
            case ["halted", *_]:
                self.halted[len(self.world.lives) - 1] = announcement.at
            case [str(clip)] if clip.startswith("number."):
                line = self._newest_line()
                number = int(clip.removeprefix("number."))
                do = line.get("do", {})
                if (do.get("act"), do.get("number")) != ("draw", number):
                    self.blame(f"{number} is called, and it is not on disk")
                elif line["seq"] in self._calls:
                    self.blame(f"{number} is called twice")
                else:
                    self._calls[line["seq"]] = announcement
                self._known.add(number)

    def see(self, picture: Picture) -> None:
        """A number is never lit before it is said."""
        unsaid = {number for number in lit_numbers(picture) if number} - self._known
        if unsaid:
            self.blame(f"{sorted(unsaid)} is lit, and was not said")

    def view(self, view: Message) -> None:
        """Which signs are up."""
        self._signs |= {(len(self.world.lives) - 1, sign["device"]) for sign in view["signs"]}

    def _newest_line(self) -> Line:
        last = self._journal().medium.rstrip(b"\n").rpartition(b"\n")[2]
        try:
            line: Line = json.loads(last)
        except ValueError:
            return {}
        return line

    def blame(self, what: str) -> None:
        """Something was wrong: it is written down, and told at the end."""
        self.wrong.append(what)
        self.world.story(f"WRONG: {what}")

    # -- at the end of the evening -----------------------------------------------------------------

    def compare(self) -> None:
        """Everything that was written down with the journal; raises `Broken` with the whole
        scenario."""
        try:
            [*replay_all(STATE, disk=self.world.disk)]
        except LotoError as error:
            self.blame(str(error))
        lines = self.lines()
        self._compare_calls(lines)
        self._compare_voice(lines)
        self._compare_devices(lines)
        self._compare_clock(lines)
        life = self.world.life
        if life is not None and life.core is not None:
            called = called_in(lines)
            self._must(
                life.view["called"] == called,
                f"the screen shows {life.view['called']}, called were {called}",
            )
            fault = board_fault(life.view, life.bus.picture(), called)
            self._must(not fault, fault)
            self._must(life.view["signs"] == [], f"signs are still up: {life.view['signs']}")
            for name, check in life.core.checks.items():
                self._must(check() == "", f"the watchdog would not be fed: {name}: {check()}")
        self.judge()

    def judge(self) -> None:
        """Raises `Broken` when something was wrong."""
        if self.wrong:
            raise Broken(self.world.told_as(*self.wrong))

    def _must(self, kept: bool, what: str) -> None:
        if not kept:
            self.blame(what)

    def _life(self, at: float) -> int:
        return max(
            place for place, life in enumerate(self.world.lives) if life.began <= at + SAME_S
        )

    def _compare_calls(self, lines: Sequence[Line]) -> None:
        """Each call was made by somebody; each that was made is there, or was refused."""
        draws = [line for line in lines if line["do"]["act"] == "draw"]
        by_id = Counter(line["id"] for line in lines)
        pressed = [line["mono"] for line in draws if line["via"] == "button:draw"]
        drawn = Counter(line["do"]["number"] for line in draws)
        read = Counter(line["do"]["number"] for line in draws if line["via"] == "reader")
        for line in draws:
            number, wished = line["do"]["number"], line["id"] in self.wishes
            touched = any(abs(press.at - line["mono"]) < SAME_S for press in self.presses)
            asked = touched or wished or not self.world.see_first
            made = {
                "button:draw": touched,
                "reader": (
                    asked
                    and any(
                        k.number == number and k.at <= line["mono"] + SAME_S for k in self.knobs
                    )
                ),
                TRAY: asked and number in self.away,
                "wire": wished,
                "keyed": wished,
            }
            self._must(made.get(line["via"], False), f"line {line['seq']}: nobody drew {number}")
        for press in self.presses:
            count = sum(abs(at - press.at) < SAME_S for at in pressed)
            free = self._free(press)
            fits = free is None or (count == free if press.sure else count <= free)
            self._must(fits, f"the press at {press.at:.3f} called {count} numbers, not {free}")
        for number, knobs in Counter(knob.number for knob in self.knobs).items():
            refused = sum(knob.refused for knob in self.knobs if knob.number == number)
            self._must(
                # the virtual bag may come to it first
                read[number] <= knobs and knobs - refused <= drawn[number],
                f"the knob {number}: {knobs} times drawn, {refused} refused, {read[number]} read,"
                f" {drawn[number]} called",
            )
        for wish_id, answer in self.wishes.items():
            count = by_id[wish_id]
            self._must(
                count == ("ok" in answer),
                f"{wish_id} was answered {answer}, the journal has it {count} times",
            )

    def _free(self, press: Press) -> int | None:
        """How many numbers a press had to call; None when it came in the same moment as a power cut
        or a fault of the disk."""
        place = self.world.lives.index(press.life)
        halted = self.halted.get(place, math.inf)
        if abs(press.life.ended - press.at) < SAME_S or abs(halted - press.at) < SAME_S:
            return None
        if press.at > halted or press.at > press.life.ended:
            return 0
        for call in self._calls.values():
            over = min(call.ended if call.ended is not None else math.inf, call.at + CALL_LIMIT_S)
            if self._life(call.at) == place and call.at + SAME_S < press.at < over - SAME_S:
                return 0
        return 1

    def _compare_voice(self, lines: Sequence[Line]) -> None:
        """Each call was announced when it was made, and heard in the end, if no other came before
        the voice was back."""
        turns = [line for line in lines if line["do"]["act"] in ("draw", "undo")]
        for line, after in zip(turns, [*turns[1:], None], strict=True):
            if line["do"]["act"] != "draw":
                continue
            number, until = line["do"]["number"], after["mono"] if after is not None else math.inf
            said = self._calls.get(line["seq"])
            if said is None:
                life = self.world.lives[self._life(line["mono"])]
                self._must(
                    min(life.ended, self.halted.get(self._life(line["mono"]), math.inf))
                    - line["mono"]
                    < SAME_S,
                    f"line {line['seq']}: {number} was never called aloud",
                )
                said = Announcement(line["mono"], (), 0, line["mono"])
            while said is not None and not said.heard:
                back = self._back(said)
                if until <= back + SAME_S:
                    break
                said = self._said_again(number, back)
                self._must(
                    said is not None,
                    f"line {line['seq']}: {number} was not heard, and not said again at {back:.3f}",
                )

    def _back(self, said: Announcement) -> float:
        """When an announcement that was not heard can be said again: when the voice is back, or the
        station started."""
        place = self._life(said.at)
        life = self.world.lives[place]
        over = said.ended if said.ended is not None else life.ended
        back = [
            at
            for at in (life.voice.well_at if life.voice is not None else ())
            if over <= at <= life.ended
        ]
        starts = [life.began for life in self.world.lives[place + 1 :]]
        return min([*back, *starts], default=math.inf)

    def _said_again(self, number: int, back: float) -> Announcement | None:
        wanted = f"number.{number}"
        return next(
            (
                said
                for said in self.world.spoken
                if abs(said.at - back) < SAME_S and said.clips[-1:] == (wanted,)
            ),
            None,
        )

    def _compare_devices(self, lines: Sequence[Line]) -> None:
        """What failed and works again is in the journal, in its order, and there was a sign for
        it."""
        notes = [line for line in lines if line["do"]["act"] == "note"]
        for place, life in enumerate(self.world.lives):
            until = (
                self.world.lives[place + 1].began if place + 1 < len(self.world.lives) else math.inf
            )
            mine = [
                line["do"] for line in notes if life.began - SAME_S <= line["mono"] < until - SAME_S
            ]
            for device, health in life.ill.items():
                told = [do["what"].partition(":")[0] for do in mine if do["about"] == device]
                # What a reader's notes say of strange bytes and tags says nothing of its health.
                written = [what for what in told if what in ("lost", "works again")]
                # What fails in the very moment of the power cut, or after the disk has, cannot be
                # written down.
                missing = math.inf if place in self.halted else math.isfinite(life.ended)
                self._must(
                    written == health.turns[: len(written)]
                    and len(health.turns) - len(written) <= missing,
                    f"start {place + 1}: the {device} was {health.turns}, the journal has"
                    f" {written}",
                )
                self._must(
                    "works again" not in written or (place, device) in self._signs,
                    f"start {place + 1}: no sign for the {device}",
                )

    def _compare_clock(self, lines: Sequence[Line]) -> None:
        """Where the wall clock has moved by more than the time that passed, or stands before the
        last start, a note says so."""
        for before, line in pairwise(lines):
            walls = [
                datetime.fromisoformat(one["at"]["wall"]).timestamp() for one in (before, line)
            ]
            moved, passed = walls[1] - walls[0], line["mono"] - before["mono"]
            started = self._life(line["mono"]) != self._life(before["mono"])
            jumped = moved < -JUMP_S if started else abs(moved - passed) > JUMP_S + SAME_S
            told = line["do"]["act"] == "note" and line["do"]["about"] == "clock"
            self._must(
                told or not jumped,
                f"line {line['seq']}: the clock jumped by {moved:.3f} s, and nothing says so",
            )
