"""The real drills: a real station with a real voice on a real disk, killed and hung by real
signals.

    kill_core       SIGKILL of the core alone, at random moments of a game and of its own start
    kill_station    SIGKILL of everything that `loto run` started, at once
    hang            the core stopped, the core busy for ever, the voice stopped

Who plays here keeps a book of what the station acknowledged and showed, and reads the journal's
file with eyes of its own: after each kill every acknowledged act must stand where the station said,
the same game must go on with the same calls, the last number must be said again, and a command sent
twice must be done once. Announcing is what the loudspeaker plays: samples, not claims.

The moments come from the seed; what the station is doing at that moment does not, for its time is
real.
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
from typing import Any, TypeVar

from station.base.errors import SURE_FIRST, LotoError, WireError
from station.record.audit import replay_all
from station.record.journal import FILE
from station.wire.board_view import BoardView, Phase
from station.wire.wire import Client, Message, sure_of
from tests.drill.course import Took, luck
from tests.drill.rig import HURRY, LOOK_S, LOUD, DrillFailed, Ear, Rig

T = TypeVar("T")

CORE, STATION, HANG = "kill-core", "kill-station", "hang"
CORE_KILLS, STATION_KILLS = 8, 4  # in a case
PLAY_S = 0.8  # a kill comes within so long after the station answered …
START_S = 1.0  # … or, one time in four, so long after it was started
BACK_LIMIT_S = 8.0  # H39
# So long the drills wait for what a good station does in a second or two: on a machine that has
# fifteen other things to do it takes ten times as long.
SAY_LIMIT_S = 90.0  # from the first answer of a start to its first words
CALL_LIMIT_S = 120.0
TRIES = 50
TROUBLES = ("stopped", "busy", "voice")


def kill_core(seed: int, case: int) -> int:
    """The core alone is killed a few times; gives how often.

    Raises:
        DrillFailed: names what was lost.
    """
    return in_folder(lambda folder: _kill(folder, CORE_KILLS, luck(CORE, seed, case), whole=False))


def kill_station(seed: int, case: int) -> int:
    """Launcher, core, voice and web are killed at once a few times; gives how often.

    Raises:
        DrillFailed: names what was lost.
    """
    return in_folder(
        lambda folder: _kill(folder, STATION_KILLS, luck(STATION, seed, case), whole=True)
    )


def hang(seed: int, case: int) -> Took:
    """One trouble comes upon the station; gives the seconds from it to the first sound of the
    announcement that followed.

    Raises:
        DrillFailed: it was not announcing again within 8 s, or went on with another game.
    """
    return Took(1, in_folder(lambda folder: _hang(folder, TROUBLES[(seed + case) % len(TROUBLES)])))


def in_folder(work: Callable[[Path], Coroutine[Any, Any, T]]) -> T:
    """Runs a drill in a folder of its own, which is kept when it fails."""
    with tempfile.TemporaryDirectory(prefix="loto-drill-") as folder:
        try:
            return asyncio.run(work(Path(folder)))
        except DrillFailed as error:
            kept = shutil.copytree(
                folder, f"{folder}-kept", ignore=shutil.ignore_patterns("run", "loudspeaker")
            )
            raise DrillFailed(f"{error}. The station's folder is kept: {kept}") from error


# -- what must be so -------------------------------------------------------------------------------


@dataclass
class Book:
    """What the station promised: every act it acknowledged, with night, id and line, and the newest
    board it showed."""

    acknowledged: dict[tuple[int, str], int] = field(default_factory=dict)
    unanswered: tuple[int, Message] | None = None
    last: tuple[int, Message, Message] | None = None  # night, command, answer
    shown: BoardView | None = None

    def check_journal(self, state: Path) -> None:
        """Every act acknowledged stands where the station said, and what was shown follows from
        what stands there.

        Raises:
            DrillFailed: it does not.
        """
        found = {
            int(path.parent.name): journal_lines(path)
            for path in sorted((state / "nights").glob(f"*/{FILE}"))
        }
        for (night, name), seq in self.acknowledged.items():
            lines = found.get(night, [])
            if seq > len(lines) or lines[seq - 1]["id"] != name:
                raise DrillFailed(
                    f"night {night}, line {seq}, command {name}: acknowledged, but it is not in the"
                    " journal"
                )
        if self.shown is not None:
            lines = found.get(self.shown.night, [])[: self.shown.seq]
            if len(lines) < self.shown.seq or calls_of(lines) != self.shown.called:
                raise DrillFailed(
                    f"night {self.shown.night}: after line {self.shown.seq} the screens showed"
                    " other calls"
                )


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


async def _first_view(
    client: Client, wanted: Callable[[BoardView], bool], limit_s: float
) -> BoardView:
    async with asyncio.timeout(limit_s):
        async for message in client:
            if "view" in message and wanted(view := BoardView.model_validate(message["view"])):
                return view
    raise WireError("the station went away")


def _in_game(view: BoardView) -> bool:
    """Whether there is a last number to say again."""
    return view.phase in (Phase.PLAYING, Phase.STOPPED) and bool(view.called)


async def check_back(client: Client, state: Path, book: Book) -> None:
    """The same game goes on: the calls of the journal, the last of them said again, no command done
    twice.

    Raises:
        DrillFailed: it is not so.
        WireError: the station went away.
    """
    view = await _first_view(
        client, lambda view: view.say is not None or not _in_game(view), SAY_LIMIT_S
    )
    lines = journal_lines(state / "nights" / f"{view.night:04d}" / FILE)
    calls = calls_of(lines[: view.seq])
    if view.called != calls:
        raise DrillFailed(
            f"night {view.night}: the journal has the calls {calls}, the station goes on with"
            f" {view.called}"
        )
    if _in_game(view) and (
        view.say is None or view.say.clips != ("last-number", f"number.{calls[-1]}")
    ):
        raise DrillFailed(f"night {view.night}: {calls[-1]} was not said again, but {view.say}")
    if book.last is not None and book.last[0] == view.night:
        _, command, before = book.last
        if _lasting(after := await client.request(command)) != _lasting(before):
            raise DrillFailed(
                f"command {command} was answered {before}, and after the start {after}"
            )
    if book.unanswered is not None and book.unanswered[0] == view.night:
        await _ask_again(client, state, book.unanswered)
        book.unanswered = None


def _lasting(answer: Message) -> Message:
    """What of an answer is the same when it is given again: where the evening stands is not."""
    return {key: said for key, said in answer.items() if key != "say"}


async def _ask_again(client: Client, state: Path, unanswered: tuple[int, Message]) -> None:
    """A command that the kill left without an answer is sent again, as a hurried thumb would: it is
    done once."""
    night, command = unanswered
    path = state / "nights" / f"{night:04d}" / FILE
    before = [line["seq"] for line in journal_lines(path) if line["id"] == command["id"]]
    answer = await client.request(command)
    after = [line["seq"] for line in journal_lines(path) if line["id"] == command["id"]]
    if len(after) > 1 or (before and answer.get("seq") != before[0]):
        raise DrillFailed(
            f"command {command} came again and was answered {answer}; it stands in the lines"
            f" {after}"
        )


# -- kills -----------------------------------------------------------------------------------------


async def _kill(folder: Path, count: int, chance: random.Random, *, whole: bool) -> int:
    rig = Rig(folder, HURRY, whole=whole)
    book = Book()
    kills = 0
    try:
        while kills < count:
            rig.start()
            if chance.random() < 0.25:
                await asyncio.sleep(chance.uniform(0, START_S))
            else:
                async with rig.client() as client:
                    await check_back(client, rig.half, book)
                    if kills == 0:
                        # the first kill comes in a game with a number called, on however slow a
                        # machine
                        await call_one(client)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(chance.uniform(0, PLAY_S) if kills else 0):
                            await play(client, chance, book)
                    rig.kill()  # while commands and answers are still on their way
            rig.kill()
            kills += 1
            book.check_journal(rig.half)
        rig.start()
        async with rig.client() as client:
            await check_back(client, rig.half, book)
        async with rig.client() as client:
            await goes_on(client, chance)
    except (LotoError, TimeoutError) as error:
        raise DrillFailed(f"after {kills} kills: {str(error) or 'no answer'}") from error
    finally:
        rig.kill()
    [*replay_all(rig.half)]
    return count


async def goes_on(client: Client, chance: random.Random) -> None:
    """After the last kill the evening goes on: something that may be done now is done.

    Raises:
        DrillFailed: nothing is accepted.
        TimeoutError: a number is being called, and is not heard to its end.
    """
    # What the kill left without an answer may have been a draw, sent again just now; or the night's
    # end.
    view = await _first_view(client, lambda view: not view.calling, CALL_LIMIT_S)
    refused = ""
    for _ in range(TRIES):
        wish = _next_act(chance, view.phase, refused)
        if view.phase is Phase.CLOSED:
            wish = {"act": "next-night"}
        answer = await client.do(**wish, sure=True)
        if "refused" not in answer:
            return
        refused = answer["refused"]["reason"]
        await asyncio.sleep(LOOK_S)
    raise DrillFailed(
        f"the evening does not go on: in {TRIES} tries nothing was accepted, and at last it was"
        f" {refused}"
    )


async def play(client: Client, chance: random.Random, book: Book) -> None:
    """Plays for ever, as fast as it is answered: mostly draws, with the odd claim, correction,
    sale, end of a game or a night."""
    watching = asyncio.ensure_future(_note_views(client, book))
    try:
        night = (await _answered(client, {"ask": {"about": "night"}}))["night"]
        refused, wish = "", Message()
        while True:
            if refused != SURE_FIRST:  # else it is sent again by somebody who is sure
                wish = {
                    "do": _next_act(
                        chance,
                        book.shown.phase if book.shown is not None else Phase.PLAYING,
                        refused,
                    )
                }
            command: Message = {"id": uuid.uuid4().hex, **wish}
            book.unanswered = night, command
            answer = await client.request(command)
            book.unanswered = None
            refused = answer["refused"]["reason"] if "refused" in answer else ""
            if not refused:
                book.acknowledged[night, command["id"]] = answer["seq"]
                book.last = night, command, answer
            elif refused == SURE_FIRST:
                wish = sure_of(command, answer)
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
        return (
            {"act": "close-night"}
            if refused == "no-more-games"
            else chance.choice([{"act": "open"}, sell])
        )
    if phase is Phase.STOPPED:
        return chance.choice([{"act": "play-on"}, {"act": "claim", "serial": serial}])
    if refused in ("game-won", "bag-empty"):
        return {"act": "close"}
    odd: list[Message] = [
        {"act": "undo", "why": "a drill"},
        {"act": "stop"},
        {"act": "claim", "serial": serial},
    ]
    return {"act": "draw"} if chance.random() < 0.95 else chance.choice(odd)


async def _answered(client: Client, question: Message) -> Message:
    answer: Message = (await client.request(question))["answer"]
    return answer


async def _note_views(client: Client, book: Book) -> None:
    async for message in client:
        if "view" in message:
            book.shown = BoardView.model_validate(message["view"])


# -- hangs -----------------------------------------------------------------------------------------


async def _hang(folder: Path, trouble: str) -> float:
    pipe = folder / "loudspeaker"
    rig = Rig(folder, "", whole=True)
    rig.environ |= {**LOUD, "SDL_DISKAUDIOFILE": str(pipe)}
    book = Book()
    with Ear(pipe).listening() as ear:
        try:
            rig.start()
            async with rig.client() as client:
                await check_back(client, rig.half, book)
                await call_one(client)
                await ear.silence()
                seconds = await _trouble(rig, client, ear, trouble)
            async with rig.client() as client:
                await check_back(client, rig.half, book)
            book.check_journal(rig.half)
        except (LotoError, TimeoutError) as error:
            raise DrillFailed(f"{trouble}: {str(error) or 'no answer'}") from error
        finally:
            rig.kill()
    return seconds


async def call_one(client: Client) -> None:
    """One more number is called and heard to its end; a game is opened where none is."""
    await client.do("play-on")
    answer = await client.do("draw")
    if "refused" in answer and answer["refused"]["reason"] not in ("busy",):
        await client.do("close", sure=True)
        await client.do("open", sure=True)
    await client.do("draw")
    await _first_view(client, lambda view: not view.calling and bool(view.called), CALL_LIMIT_S)


async def _trouble(rig: Rig, client: Client, ear: Ear, trouble: str) -> float:
    """Seconds from the trouble to the sound that ends it."""
    part, number = {
        "stopped": ("core", signal.SIGSTOP),
        "busy": ("core", signal.SIGUSR1),
        "voice": ("drivers.voice.worker", signal.SIGSTOP),
    }[trouble]
    began = time.monotonic()
    os.kill(rig.find(part), number)
    if trouble == "voice":
        await client.do("draw")  # the call that nobody hears
    # H39 assumes that nothing else runs on the machine; allow more time when it is busy.
    limit = BACK_LIMIT_S * max(1.0, *(load / (os.cpu_count() or 1) for load in os.getloadavg()))
    try:
        await ear.sound(limit)
    except TimeoutError:
        raise DrillFailed(f"nothing was announced within {limit:.0f} s") from None
    return time.monotonic() - began
