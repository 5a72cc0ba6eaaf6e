"""Play the clips of a voice pack through a worker process, so that no device delays a call.

A Pi with a slow card, or a busy one, may need more than a minute to start Python, load the sound
library and read the clips. To kill it then would only begin the wait again. So the driver waits for
a start as long as the process does anything: it uses the processor, or it reads. It is hung when it
has done nothing for a while, and no start may take for ever.

    >>> start = Start(still_s=30.0, began=0.0)
    >>> start.look(10.0, (5,)), start.look(20.0, (9,)), start.look(49.0, (9,))
    (10.0, 20.0, 49.0)
    >>> start.hung(49.0), start.hung(50.0)
    (False, True)

Wiring: any loudspeaker that ALSA knows: HDMI, the Pi's jack, a USB sound card. The user belongs to
the group `audio`.

    voice = Speech(pack=Path("station/wire/wording/voices/en"))
    voice.open(print)
    voice.say(["number.42"], token=1, rank=Rank.NUMBER)
    voice.close()

Without a device, sound is a setting too: `audio={"SDL_AUDIODRIVER": "dummy"}` takes real time and
is not heard; `{"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": file, "SDL_DISKAUDIODELAY": "1"}`
writes the exact samples to a file (or named pipe), some twenty times faster than they would be
heard, silence included: a megabyte a second.
"""

from __future__ import annotations

import json
import logging
import os
import select
import selectors
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, TypeAlias

from drivers import (
    BadOption,
    Clock,
    Deliver,
    DeviceFound,
    DeviceLost,
    DeviceMissing,
    DeviceStarting,
    Driver,
    DriverError,
    Rank,
    SoundEnded,
    SoundStarted,
)
from drivers.given import message_from
from drivers.sleeper import hand_over
from drivers.voice.names import Names
from drivers.voice.pack import RATE, VoicePack, recordings
from drivers.voice.process import environment, of_ours

LONGEST_S = 900.0  # a loop without an end is at work, too

# What a process has done so far, as counters that grow; None if that cannot be known.
Work: TypeAlias = tuple[int, ...] | None


class Start:
    """One start of a process.

    Args:
        still_s: seconds without any work after which it is hung; it is told of three times as
            often.
        began: when it was started.
    """

    def __init__(self, still_s: float, began: float) -> None:
        self._still_s = still_s
        self._began = began
        self._worked_at = began
        self._work: Work = ()
        self._told = 0

    def look(self, now: float, work: Work) -> float | None:
        """Note what the process has done by now; return how long it has been starting, when it is
        time to tell of that."""
        if work is None or work != self._work:
            self._work, self._worked_at = work, now
        due = int((now - self._began) / (self._still_s / 3))
        if due <= self._told:
            return None
        self._told = due
        return now - self._began

    def hung(self, now: float) -> bool:
        """Return whether it is not to be waited for any longer."""
        return now - self._worked_at >= self._still_s or now - self._began >= LONGEST_S


def work_of(pid: int) -> Work:
    """Return what a process has done so far: its page faults and its processor time."""
    try:
        # proc(5): after the name, which may hold spaces, the third field is the state
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return tuple(int(fields[place]) for place in (7, 9, 11, 12))


# -- the voice -------------------------------------------------------------------------------------

log = logging.getLogger(__name__)

DEVICE = "speech"
WORDS = "speech words"
LOOK_S = 0.25  # between two looks at a worker that starts
STEADY_S = 10.0  # a worker that lived as long was a good one
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
CLOSE_LIMIT_S = 3.0


class Speech(Driver):
    """A voice that says announcements one after another, by rank; no clip is cut short.

    Args:
        pack: the voice pack's folder.
        over: folders whose sound files win, clip by clip, the first folder first: your own
            recordings, for example. A file that cannot be read, and a folder that is not there, is
            reported, and the next one heard.
        volume: 0.0 to 1.0; 1.0 plays the samples as they are.
        device: the sound output, by the name that `loto voice outputs` lists; empty takes the
            system's own.
        audio: environment of the worker, for SDL: `SDL_AUDIODRIVER`, `AUDIODEV` …
        buffer: samples handed to the device at a time; 512 are 23 ms.
        names: who makes phrases with names in them, `{"folder": cache, "language": "en", "maker":
            "espeak-ng"}`, and `"model"` where that maker has one; none by default.
        lacking: clips that neither pack nor recordings have, or with other words, each with its
            text: they are made as the names are. `DeviceFound("speech words")` follows whenever
            all that was asked for is made.
        hurry: every sound is begun and cut off at once, and counts as heard: for runs that wait for
            nobody.
        hang_s: a worker that gives no sign of life for this many seconds is killed and restarted.
        start_s: so is one that does nothing for this many seconds while it starts. One that works
            is waited for, however slow it is: `DeviceStarting` tells how long it has taken.
        clock: gives `at` of the events.

    Raises:
        BadOption: an option is out of range.
    """

    def __init__(
        self,
        *,
        pack: Path | str,
        over: Sequence[Path | str] = (),
        volume: float = 1.0,
        device: str = "",
        audio: Mapping[str, str] = MappingProxyType({}),
        buffer: int = 512,
        names: Mapping[str, str] = MappingProxyType({}),
        lacking: Mapping[str, str] = MappingProxyType({}),
        hurry: bool = False,
        hang_s: float = 4.0,
        start_s: float = 30.0,
        clock: Clock = time.monotonic,
    ) -> None:
        if not 0 <= volume <= 1:
            raise BadOption(f"volume {volume} is not possible: use 0.0 (silent) to 1.0")
        if buffer < 64 or buffer & (buffer - 1):
            raise BadOption(
                f"buffer {buffer} is not possible: use a power of two from 64, for example 512"
            )
        if hang_s <= 0:
            raise BadOption(
                f"hang_s {hang_s} is not possible: use seconds above 0, for example 4.0"
            )
        if start_s <= 0:
            raise BadOption(
                f"start_s {start_s} is not possible: use seconds above 0, for example 30.0"
            )
        if isinstance(over, str):
            raise BadOption(f"over {over!r} is not possible: use a list of folders")
        self._folder = Path(pack)
        self._over = [Path(folder) for folder in over]
        self._audio = dict(audio)
        self._setting: dict[str, Any] = {"rate": RATE, "buffer": buffer, "volume": volume}
        self._setting |= {"hurry": hurry, "alive_s": hang_s / 4, "hang_s": hang_s, "device": device}
        self._names_of = dict(names)
        if self._names_of and self._names_of.keys() - {"model"} != {"folder", "language", "maker"}:
            raise BadOption("names needs folder, language and maker, or nothing")
        self._lacking = dict(lacking)
        self._names: Names | None = None
        self._hang_s = hang_s
        self._start_s = start_s
        self._clock = clock
        self._lock = threading.Lock()
        self._outstanding: list[int] = []
        self._worker: subprocess.Popen[bytes] | None = None
        self._accepting = True  # False while no worker is expected to speak soon
        self._ready = False
        self._early: list[bytes] = []  # announcements that wait until the worker is ready
        self._lost = False  # or slow to start: that it works is reported
        self._slow = False  # it was told of as starting, and not as lost
        self._missing: set[str] = set()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def worker(self) -> int | None:
        """Return the worker's process id; None while there is none."""
        worker = self._worker
        return None if worker is None else worker.pid

    @property
    def alive(self) -> bool:
        """Return whether announcements can be heard."""
        return self._thread is not None and not self._lost

    @property
    def running(self) -> bool:
        """Return whether the worker is attended to, or started again."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def open(self, deliver: Deliver) -> None:
        """Read the pack and start the worker; without a sound device `DeviceLost` follows.

        Raises:
            DriverError: open already, no voice pack, one that cannot be read, or no process for the
                worker.
        """
        if self._thread is not None:
            raise DriverError("the voice is open already: close it first")
        pack = VoicePack.load(self._folder)
        layers = [self._own(folder, deliver) for folder in self._over] + [pack.files]
        clips: dict[str, list[tuple[int, str]]] = {}
        for index, layer in enumerate(layers):
            for name, file in layer.items():
                clips.setdefault(name, []).append((index, file.name))
        self._setting["folders"] = [str(folder) for folder in (*self._over, pack.folder)]
        self._setting["clips"] = clips
        self._deliver = partial(hand_over, deliver)
        self._closing.clear()
        self._accepting, self._lost, self._slow, self._missing = True, False, False, set()
        try:
            self._start()
        except OSError as error:
            raise DeviceMissing(
                f"the voice's process cannot be started ({error}): free memory, then start again"
            ) from error
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
        self._thread.start()
        if self._names_of:
            of = self._names_of
            self._names = Names(
                Path(of["folder"]),
                of["language"],
                of["maker"],
                self.learn,
                lambda: self._deliver(DeviceFound(WORDS, self._clock())),
                of.get("model", ""),
            )
            for clip, text in self._lacking.items():
                self._names.clip(text, clip)

    def say(self, clips: Sequence[str], token: int, rank: Rank = Rank.CHATTER) -> None:
        """Play the clips after what is being said and before what waits with a lower rank (see
        `drivers.voice.pack`). Returns at once. The clips of a number follow each other without a
        gap.

        `SoundEnded(token)` follows always; `SoundStarted(token)` before it, unless nothing could be
        begun. A clip that the pack has not is heard as the chime, and reported once as a lost
        device of its own ("speech clip NAME").

        Raises:
            BadOption: more clips than one announcement can have (4096 bytes of names).
            DriverError: the driver is not open.
        """
        line = _line({"say": list(clips), "token": token, "rank": rank})
        if len(line) > select.PIPE_BUF:
            raise BadOption(f"an announcement of {len(clips)} clips is too long: say it in parts")
        with self._lock:
            if self._thread is None or self._closing.is_set():
                raise DriverError("the voice is not open: open it before it is to speak")
            accepted = self._accepting and self._worker is not None
            if accepted:
                self._outstanding.append(token)
                if self._ready:
                    self._write(line)
                else:
                    self._early.append(line)
        if not accepted:
            self._deliver(SoundEnded(token, False, self._clock()))

    def volume(self, level: float) -> None:
        """Set the volume from now on, also of what is being said: 0.0 (mute) to 1.0.

        Raises:
            BadOption: the level is out of range.
        """
        if not 0 <= level <= 1:
            raise BadOption(f"volume {level} is not possible: use 0.0 (silent) to 1.0")
        with self._lock:
            self._setting["volume"] = level
            self._write(_line({"volume": level}))

    def learn(self, clip: str, file: Path) -> None:
        """Add a clip, for as long as the driver is open; a second file of the same name wins.

        Raises:
            DriverError: the driver is not open.
        """
        with self._lock:
            if self._thread is None or self._closing.is_set():
                raise DriverError("the voice is not open: open it before it is to learn")
            folders, clips = self._setting["folders"], self._setting["clips"]
            folder = str(file.parent)
            if folder not in folders:
                folders.append(folder)
            clips[clip] = [(folders.index(folder), file.name)]
            self._write(_line({"learn": clip, "file": str(file)}))

    def named(self, text: str) -> str | None:
        """Return the clip that speaks a text with a name in it; None while it is being made."""
        return self._names.clip(text) if self._names is not None else None

    def close(self) -> None:
        """End the worker at once; announcements not yet said end unheard."""
        thread = self._thread
        if thread is None:
            return
        if self._names is not None:
            self._names.close()
            self._names = None
        with self._lock:
            self._closing.set()
            self._hang_up()
        if thread is threading.current_thread():
            return  # closed by its own receiver: it ends when that returns
        thread.join(CLOSE_LIMIT_S)
        if thread.is_alive():
            self._kill()
            thread.join(CLOSE_LIMIT_S)
        self._thread = None

    def _write(self, line: bytes) -> None:
        """Write a line to the worker. Up to PIPE_BUF bytes go into a pipe whole or not at all, so a
        worker that hangs delays nobody."""
        worker = self._worker
        if worker is None or worker.stdin is None or worker.stdin.closed:
            return
        try:
            os.write(worker.stdin.fileno(), line)
        except (BlockingIOError, BrokenPipeError) as error:
            # the thread will find it silent or dead, and say so
            log.debug("speech: its worker takes nothing (%s)", error)

    def _own(self, folder: Path, deliver: Deliver) -> dict[str, Path]:
        """Return the recordings of a folder; without it report that, and the pack is heard."""
        try:
            return recordings(folder)
        except DeviceMissing as error:
            log.warning("speech: %s", error)
            reason = f"{error}; the voice pack is heard instead"
            deliver(DeviceLost(f"{DEVICE} {folder.name}", reason, self._clock()))
            return {}

    # The thread does the rest

    def _run(self) -> None:
        failures = 0
        while True:
            ready_at, reason = self._attend()
            if ready_at is not None and time.monotonic() - ready_at >= STEADY_S:
                failures = 0
            failures += 1
            # After one crash the waiting announcements wait for the new worker; after later ones
            # they do not.
            self._accepting = failures == 1
            self._end_outstanding()
            if self._closing.is_set():
                return
            if not self._lost or self._slow:
                self._lost, self._slow = True, False
                log.warning("speech: %s", reason)
                reason = f"{reason}; the game goes on, look at the board"
                self._deliver(DeviceLost(DEVICE, reason, self._clock()))
            longer = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (failures - 2))
            pause = 0.0 if failures == 1 else longer
            if self._closing.wait(pause):
                self._end_outstanding()
                return
            try:
                self._start()
            except OSError as error:
                log.warning("speech: its worker cannot be started: %s", error)

    def _attend(self) -> tuple[float | None, str]:
        """Serve one worker to its end; return when it was ready (None: never), and why it ended."""
        worker = self._worker
        if worker is None or worker.stdout is None or worker.stderr is None:
            return None, "the voice's process could not be started: see the log"
        ready_at, reason = self._listen(worker.stdout, worker.stderr)
        self._kill()
        with self._lock:
            self._worker = None
        try:
            code: int | None = worker.wait(CLOSE_LIMIT_S)
        except subprocess.TimeoutExpired:
            # it hangs in the kernel, where it cannot be killed: start the next one in any case
            code = None
        for pipe in (worker.stdin, worker.stdout, worker.stderr):
            if pipe is not None:
                pipe.close()
        ended = f"the voice's process ended (exit code {code}) and is started again"
        return ready_at, reason or ended

    def _listen(self, stdout: IO[bytes], stderr: IO[bytes]) -> tuple[float | None, str]:
        """Take what a worker answers until it says no more; return when it was ready, and the fault
        that it told, or that it was silent for too long."""
        ready_at: float | None = None
        heard_at = time.monotonic()
        start = Start(self._start_s, heard_at)
        reason = ""
        with selectors.DefaultSelector() as selector:
            answers, noise = _Lines(stdout), _Lines(stderr)
            selector.register(stdout, selectors.EVENT_READ, answers)
            selector.register(stderr, selectors.EVENT_READ, noise)
            while not answers.ended:
                limit = LOOK_S if ready_at is None else self._hang_s
                sources = [key.data for key, _ in selector.select(limit)]
                if answers in sources:
                    heard_at = time.monotonic()
                elif ready_at is None:
                    if self._waits(start):
                        return ready_at, reason or _hung(self._start_s)
                # other output is no sign of life: a sound library may complain for ever
                elif time.monotonic() - heard_at >= limit:
                    silent = f"the voice gave no sign of life for {limit:g} s and is started again"
                    return ready_at, reason or silent
                for line in noise.read() if noise in sources else ():
                    log.info("speech worker: %s", line.decode(errors="replace").rstrip())
                if noise.ended and stderr in selector.get_map():
                    selector.unregister(stderr)
                for line in answers.read() if answers in sources else ():
                    try:
                        answer = message_from(line)
                    except ValueError as error:
                        return ready_at, f"the voice's answer cannot be read ({error})"
                    ready_at = time.monotonic() if "ready" in answer else ready_at
                    reason = answer.get("fault", reason)
                    self._take(answer)
        return ready_at, reason

    def _waits(self, start: Start) -> bool:
        """Look at a worker that is starting; return whether it is hung. Once that takes long, the
        calls end unheard: they would all be said at once, and late."""
        now, pid = time.monotonic(), self.worker
        seconds = start.look(now, work_of(pid) if pid is not None else None)
        if seconds is not None:
            self._accepting, self._lost, self._slow = False, True, True
            self._end_outstanding()
            log.info("speech: starting for %.0f s", seconds)
            self._deliver(DeviceStarting(DEVICE, seconds, self._clock()))
        return start.hung(now)

    def _take(self, answer: Mapping[str, Any]) -> None:
        match answer:
            case {"ready": int(clips)}:
                log.info("speech: ready, %d clips", clips)
                with self._lock:
                    self._accepting = self._ready = True
                    early, self._early = self._early, []
                    for line in early:
                        self._write(line)
                if self._lost:
                    self._lost = self._slow = False
                    self._deliver(DeviceFound(DEVICE, self._clock()))
            case {"started": int(token)}:
                self._deliver(SoundStarted(token, self._clock()))
            case {"ended": int(token), "heard": bool(heard)}:
                with self._lock:
                    self._outstanding.remove(token)
                self._deliver(SoundEnded(token, heard, self._clock()))
            case {"missing": str(clip), "why": str(why), "instead": bool(instead)} if (
                clip not in self._missing
            ):
                self._missing.add(clip)
                log.warning("speech: clip %s cannot be said: %s", clip, why)
                if instead:
                    reason = (
                        f"your recording of {clip} cannot be played, the voice pack is heard"
                        f" instead ({why}): record it again"
                    )
                else:
                    reason = (
                        f"clip {clip} cannot be said, the chime is heard instead ({why}): build the"
                        " voice pack again"
                    )
                self._deliver(DeviceLost(f"{DEVICE} clip {clip}", reason, self._clock()))

    def _end_outstanding(self) -> None:
        with self._lock:
            tokens, self._outstanding = self._outstanding, []
            self._early = []
        for token in tokens:
            self._deliver(SoundEnded(token, False, self._clock()))

    def _start(self) -> None:
        worker = subprocess.Popen(
            of_ours("worker"),
            env=environment(self._audio),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        with self._lock:
            self._worker, self._ready = worker, False
            if worker.stdin is not None:
                try:
                    # Longer than PIPE_BUF, so it is written before the pipe is told never to block.
                    worker.stdin.write(_line(self._setting))
                except BrokenPipeError as error:
                    # the thread will say so
                    log.debug("speech: its worker ended at once (%s)", error)
                os.set_blocking(worker.stdin.fileno(), False)
            if self._closing.is_set():
                self._hang_up()

    def _hang_up(self) -> None:
        worker = self._worker
        if worker is not None and worker.stdin is not None:
            worker.stdin.close()

    def _kill(self) -> None:
        worker = self._worker
        if worker is not None and worker.poll() is None:
            worker.kill()


def _hung(seconds: float) -> str:
    return f"the voice hung while it started: it did nothing for {seconds:g} s, and starts again"


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


class _Lines:
    """The whole lines of a pipe, as they come."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._rest = b""
        self.ended = False

    def read(self) -> list[bytes]:
        data = os.read(self._pipe.fileno(), 1 << 16)
        self.ended = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        return lines
