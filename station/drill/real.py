"""The real drills: a real station with a real voice on a real disk, killed and hung by real signals.

    kill_core(5000, print)       SIGKILL of the core, at random moments of a game and of its own start
    kill_station(500, print)     SIGKILL of everything that `loto run` started, at once
    hang(20, print)              the core stopped, the core busy for ever, the voice stopped

Who plays here keeps a book of what the station acknowledged and showed, and reads the journal's file with eyes of its own: after
each kill every acknowledged act must stand where the station said, the same game must go on with the same calls, the last number
must be said again, and a command sent twice must be done once. Announcing is what the loudspeaker plays: samples, not claims.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import tempfile
import time
import uuid
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from station.boardview import BoardView, Phase
from station.drill.rig import HURRY, LOOK_S, LOUD, START_LIMIT_S, DrillFailed, Ear, Rig
from station.errors import LotoError, WireError
from station.journal import FILE
from station.nights import verify
from station.wire import Client, Message

Progress: TypeAlias = Callable[[int], None]
T = TypeVar("T")

PLAY_S = 0.8  # a kill comes within so long after the station answered …
START_S = 1.0  # … or, one time in four, so long after it was started
BACK_LIMIT_S = 8.0  # H39
STEADY_S = 11.0  # a voice that hangs more often in the same core is given growing pauses: that is not what is drilled here
TROUBLES = ("stopped", "busy", "voice")


@dataclass
class Kills:
    """What became of the kills: `lost` and the like are not counted, for the first one raises `DrillFailed`.

    Attributes:
        acknowledged: acts that the station said it had recorded.
        in_start: kills that came before the station answered.
        said_again: starts after which a last number had to be said again, and was.
    """

    kills: int = 0
    acknowledged: int = 0
    in_start: int = 0
    said_again: int = 0


@dataclass
class Hangs:
    """Seconds from each trouble to the first sound of the announcement that followed it, by kind of trouble."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in TROUBLES})


def kill_core(count: int, progress: Progress, seed: int = 1) -> Kills:
    """Kills the core alone `count` times.

    Raises:
        DrillFailed: names what was lost.
    """
    return _in_folder(lambda folder: _kill(folder, count, progress, seed, whole=False))


def kill_station(count: int, progress: Progress, seed: int = 1) -> Kills:
    """Kills launcher, core, voice and web at once, `count` times.

    Raises:
        DrillFailed: names what was lost.
    """
    return _in_folder(lambda folder: _kill(folder, count, progress, seed, whole=True))


def hang(count: int, progress: Progress, troubles: Sequence[str] = TROUBLES) -> Hangs:
    """Brings each trouble upon the station `count` times.

    Raises:
        DrillFailed: it was not announcing again within 8 s, or went on with another game.
    """
    return _in_folder(lambda folder: _hang(folder, count, progress, troubles))


def _in_folder(work: Callable[[Path], Coroutine[Any, Any, T]]) -> T:
    """Runs a drill in a folder of its own, which is kept when it fails."""
    folder = Path(tempfile.mkdtemp(prefix="loto-drill-"))
    try:
        result = asyncio.run(work(folder))
    except DrillFailed as error:
        raise DrillFailed(f"{error}. The station's folder is kept: {folder}") from error
    shutil.rmtree(folder)
    return result


# -- what must be so ---------------------------------------------------------------------------------------------------


@dataclass
class Book:
    """What the station promised: every act it acknowledged, with night, id and line, and the newest board it showed."""

    acknowledged: dict[tuple[int, str], int] = field(default_factory=dict)
    unanswered: tuple[int, Message] | None = None
    last: tuple[int, Message, Message] | None = None  # night, command, answer
    shown: BoardView | None = None

    def check_journal(self, state: Path) -> None:
        """Every act acknowledged stands where the station said, and what was shown follows from what stands there.

        Raises:
            DrillFailed: it does not.
        """
        found = {int(path.parent.name): journal_lines(path) for path in sorted((state / "nights").glob(f"*/{FILE}"))}
        for (night, name), seq in self.acknowledged.items():
            lines = found.get(night, [])
            if seq > len(lines) or lines[seq - 1]["id"] != name:
                raise DrillFailed(f"night {night}, line {seq}, command {name}: acknowledged, but it is not in the journal")
        if self.shown is not None:
            lines = found.get(self.shown.night, [])[: self.shown.seq]
            if len(lines) < self.shown.seq or calls_of(lines) != self.shown.called:
                raise DrillFailed(f"night {self.shown.night}: after line {self.shown.seq} the screens showed other calls")


def journal_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a journal file, read without the station's reader."""
    whole, _, _ = path.read_bytes().rpartition(b"\n")
    return [json.loads(line) for line in whole.split(b"\n") if line]


def calls_of(lines: Sequence[dict[str, Any]]) -> tuple[int, ...]:
    """The numbers called in the last game, from the acts alone."""
    calls: list[int] = []
    for line in lines:
        match line["do"]:
            case {"act": "open"}:
                calls = []
            case {"act": "draw", "number": int(number)}:
                calls.append(number)
            case {"act": "undo"}:
                calls.pop()
    return tuple(calls)


async def _first_view(client: Client, wanted: Callable[[BoardView], bool]) -> BoardView:
    async with asyncio.timeout(START_LIMIT_S):
        async for message in client:
            if "view" in message and wanted(view := BoardView.model_validate(message["view"])):
                return view
    raise WireError("the station went away")


def _in_game(view: BoardView) -> bool:
    """Whether there is a last number to say again."""
    return view.phase in (Phase.PLAYING, Phase.STOPPED) and bool(view.called)


async def _check_back(client: Client, state: Path, book: Book) -> bool:
    """The same game goes on: the calls of the journal, the last of them said again, no command done twice.

    Returns:
        Whether there was a last number to say.

    Raises:
        DrillFailed: it is not so.
        WireError: the station went away.
    """
    view = await _first_view(client, lambda view: view.say is not None or not _in_game(view))
    lines = journal_lines(state / "nights" / f"{view.night:04d}" / FILE)
    calls = calls_of(lines[: view.seq])
    if view.called != calls:
        raise DrillFailed(f"night {view.night}: the journal has the calls {calls}, the station goes on with {view.called}")
    playing = _in_game(view)
    if playing and (view.say is None or view.say.clips != ("last-number", f"number.{calls[-1]}")):
        raise DrillFailed(f"night {view.night}: {calls[-1]} was not said again, but {view.say}")
    if book.last is not None and book.last[0] == view.night:
        _, command, before = book.last
        if (after := await client.request(command)) != before:
            raise DrillFailed(f"command {command} was answered {before}, and after the start {after}")
    if book.unanswered is not None and book.unanswered[0] == view.night:
        await _ask_again(client, state, book.unanswered)
        book.unanswered = None
    return playing


async def _ask_again(client: Client, state: Path, unanswered: tuple[int, Message]) -> None:
    """A command that the kill left without an answer is sent again, as a hurried thumb would: it is done once."""
    night, command = unanswered
    path = state / "nights" / f"{night:04d}" / FILE
    before = [line["seq"] for line in journal_lines(path) if line["id"] == command["id"]]
    answer = await client.request(command)
    after = [line["seq"] for line in journal_lines(path) if line["id"] == command["id"]]
    if len(after) > 1 or (before and answer.get("seq") != before[0]):
        raise DrillFailed(f"command {command} came again and was answered {answer}; it stands in the lines {after}")


# -- kills -------------------------------------------------------------------------------------------------------------


async def _kill(folder: Path, count: int, progress: Progress, seed: int, *, whole: bool) -> Kills:
    chance = random.Random(seed)  # noqa: S311 - a drill that can be run again, not a draw
    rig = Rig(folder, HURRY, whole=whole)
    book, tally = Book(), Kills()
    try:
        for number in range(1, count + 2):
            rig.start()
            last = number > count
            if not last and chance.random() < 0.25:
                await asyncio.sleep(chance.uniform(0, START_S))
                tally.in_start += 1
            else:
                async with rig.client() as client:
                    tally.said_again += await _check_back(client, rig.state, book)
                    if not last:
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(chance.uniform(0, PLAY_S)):
                                await _play(client, chance, book)
                    rig.kill()  # while commands and answers are still on their way
            rig.kill()
            book.check_journal(rig.state)
            if not last:
                tally.kills += 1
                progress(number)
    except (LotoError, TimeoutError) as error:
        raise DrillFailed(f"round {tally.kills + 1} of seed {seed}: {str(error) or 'no answer'}") from error
    finally:
        rig.kill()
    verify(rig.state)
    tally.acknowledged = len(book.acknowledged)
    return tally


async def _play(client: Client, chance: random.Random, book: Book) -> None:
    """Plays for ever, as fast as it is answered: mostly draws, with the odd claim, correction, sale, end of a game or a night."""
    watching = asyncio.ensure_future(_note_views(client, book))
    try:
        night = (await _answered(client, {"ask": {"about": "night"}}))["night"]
        refused = ""
        while True:
            do = _next_act(chance, book.shown.phase if book.shown is not None else Phase.PLAYING, refused)
            command: Message = {"id": uuid.uuid4().hex, "do": do}
            book.unanswered = night, command
            answer = await client.request(command)
            book.unanswered = None
            refused = answer["refused"]["reason"] if "refused" in answer else ""
            if not refused:
                book.acknowledged[night, command["id"]] = answer["seq"]
                book.last = night, command, answer
            elif refused == "busy" or book.shown is None or book.shown.phase is Phase.CLOSED:
                await asyncio.sleep(LOOK_S / 4)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def _next_act(chance: random.Random, phase: Phase, refused: str) -> Message:
    """What a caller in this drill does next; `refused` is why the last act was."""
    serial = f"{chance.randint(1, 24):04d}"
    if phase is Phase.BETWEEN:
        sell: Message = {"act": "sell", "serials": [serial]}
        return {"act": "close-night"} if refused == "no-more-games" else chance.choice([{"act": "open"}, sell])
    if phase is Phase.STOPPED:
        return chance.choice([{"act": "play-on"}, {"act": "claim", "serial": serial}])
    if refused in ("game-won", "bag-empty"):
        return {"act": "close"}
    odd: list[Message] = [{"act": "undo", "why": "a drill"}, {"act": "stop"}, {"act": "claim", "serial": serial}]
    return {"act": "draw"} if chance.random() < 0.95 else chance.choice(odd)


async def _answered(client: Client, question: Message) -> Message:
    answer: Message = (await client.request(question))["answer"]
    return answer


async def _note_views(client: Client, book: Book) -> None:
    async for message in client:
        if "view" in message:
            book.shown = BoardView.model_validate(message["view"])


# -- hangs -------------------------------------------------------------------------------------------------------------


async def _hang(folder: Path, count: int, progress: Progress, troubles: Sequence[str]) -> Hangs:
    pipe = folder / "loudspeaker"
    rig = Rig(folder, LOUD.format(pipe=pipe), whole=True)
    tally, book = Hangs(), Book()
    rounds, before = 0, ""
    with Ear(pipe).listening() as ear:
        try:
            rig.start()
            for trouble in list(troubles) * count:
                if trouble == "voice" == before:
                    await asyncio.sleep(STEADY_S)
                before = trouble
                async with rig.client() as client:
                    await _check_back(client, rig.state, book)
                    await _call(client)
                    await ear.silence()
                    tally.seconds[trouble].append(await _trouble(rig, client, ear, trouble))
                book.check_journal(rig.state)
                rounds += 1
                progress(rounds)
        except (LotoError, TimeoutError) as error:
            raise DrillFailed(f"round {rounds + 1}: {str(error) or 'no answer'}") from error
        finally:
            rig.kill()
    return tally


async def _call(client: Client) -> None:
    """One more number is called and heard to its end; a game is opened where none is."""
    await client.do("play-on")
    answer = await client.do("draw")
    if "refused" in answer and answer["refused"]["reason"] not in ("busy",):
        await client.do("close")
        await client.do("open")
    await client.do("draw")
    await _first_view(client, lambda view: not view.calling and bool(view.called))


async def _trouble(rig: Rig, client: Client, ear: Ear, trouble: str) -> float:
    """Seconds from the trouble to the sound that ends it."""
    part, number = {
        "stopped": ("core", signal.SIGSTOP),
        "busy": ("core", signal.SIGUSR1),
        "voice": ("drivers.voice_worker", signal.SIGSTOP),
    }[trouble]
    began = time.monotonic()
    os.kill(rig.find(part), number)
    if trouble == "voice":
        await client.do("draw")  # the call that nobody hears
    try:
        await ear.sound(BACK_LIMIT_S)
    except TimeoutError:
        raise DrillFailed(f"{trouble}: nothing was announced within {BACK_LIMIT_S:g} s") from None
    return time.monotonic() - began
