"""The voice: plays the clips of a voice pack through a worker process, so that no sound device can hold up a call.

Wiring: any loudspeaker that ALSA knows: HDMI, the Pi's jack, a USB sound card. The user belongs to the group `audio`.

    voice = Speech(pack=Path("station/wording/voices/en"))
    voice.open(print)
    voice.say(["number.42"], token=1)
    voice.close()

Without a device, sound is a setting too: `audio={"SDL_AUDIODRIVER": "dummy"}` takes real time and is not heard;
`{"SDL_AUDIODRIVER": "disk", "SDL_DISKAUDIOFILE": file, "SDL_DISKAUDIODELAY": "1"}` writes the exact samples to a file (or named
pipe), some twenty times faster than they would be heard, silence included: a megabyte a second.
"""

from __future__ import annotations

import json
import logging
import os
import select
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from drivers import BadOption, Clock, Deliver, DeviceFound, DeviceLost, DeviceMissing, DriverError, SoundEnded, SoundStarted
from drivers.voicepack import RATE, VoicePack

log = logging.getLogger(__name__)

DEVICE = "speech"
START_LIMIT_S = 30.0  # Python and pygame from a slow card
STEADY_S = 10.0  # a worker that lived as long was a good one
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
CLOSE_LIMIT_S = 3.0


class Speech:
    """Says announcements, one after another, none cut short.

    Args:
        pack: the voice pack's folder.
        volume: 0.0 to 1.0; 1.0 plays the samples as they are.
        audio: environment of the worker, for SDL: `SDL_AUDIODRIVER`, `AUDIODEV` …
        buffer: samples handed to the device at a time; 512 are 23 ms.
        hurry: every sound is begun and cut off at once, and counts as heard: for runs that wait for nobody.
        hang_s: a worker that gives no sign of life for so many seconds is killed and started anew.
        clock: gives `at` of the events.

    Raises:
        BadOption: an option is out of range.
    """

    def __init__(
        self,
        *,
        pack: Path | str,
        volume: float = 1.0,
        audio: Mapping[str, str] = MappingProxyType({}),
        buffer: int = 512,
        hurry: bool = False,
        hang_s: float = 4.0,
        clock: Clock = time.monotonic,
    ) -> None:
        if not 0 <= volume <= 1:
            raise BadOption(f"volume {volume} cannot be: use 0.0 (silent) to 1.0")
        if buffer < 64 or buffer & (buffer - 1):
            raise BadOption(f"buffer {buffer} cannot be: use a power of two from 64, for example 512")
        if hang_s <= 0:
            raise BadOption(f"hang_s {hang_s} cannot be: use seconds above 0, for example 4.0")
        self._folder = Path(pack)
        self._audio = dict(audio)
        self._setting: dict[str, Any] = {"rate": RATE, "buffer": buffer, "volume": volume, "hurry": hurry}
        self._setting |= {"alive_s": hang_s / 4, "hang_s": hang_s}
        self._hang_s = hang_s
        self._clock = clock
        self._lock = threading.Lock()
        self._outstanding: list[int] = []
        self._worker: subprocess.Popen[bytes] | None = None
        self._accepting = True  # False while no worker is expected to speak soon
        self._lost = False
        self._missing: set[str] = set()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def worker(self) -> int | None:
        """The worker's process id, None while there is none."""
        worker = self._worker
        return None if worker is None else worker.pid

    @property
    def alive(self) -> bool:
        """Whether announcements are taken to be heard."""
        return self._thread is not None and not self._lost

    @property
    def running(self) -> bool:
        """Whether the worker is attended to, or started again."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def open(self, deliver: Deliver) -> None:
        """Read the pack and start the worker. A missing sound device is `DeviceLost`, not an error: the game goes on.

        Raises:
            DriverError: no voice pack, one that cannot be read, or no process for the worker.
        """
        pack = VoicePack.load(self._folder)
        self._setting |= {"folder": str(pack.folder), "clips": {name: clip.file for name, clip in pack.clips.items()}}
        self._deliver = deliver
        try:
            self._start()
        except OSError as error:
            raise DeviceMissing(f"the voice's process cannot be started ({error}): free memory, then start again") from error
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
        self._thread.start()

    def say(self, clips: Sequence[str], token: int) -> None:
        """Play the clips without a gap, after what is being said. Returns at once.

        `SoundEnded(token)` follows always; `SoundStarted(token)` before it, unless nothing could be begun. A clip that the pack
        has not is heard as the chime, and reported once as a lost device of its own ("speech clip NAME").

        Raises:
            BadOption: more clips than one announcement can have (4096 bytes of names).
            DriverError: the driver is not open.
        """
        line = json.dumps({"say": list(clips), "token": token}).encode() + b"\n"
        if len(line) > select.PIPE_BUF:
            raise BadOption(f"an announcement of {len(clips)} clips is too long: say it in parts")
        with self._lock:
            if self._thread is None:
                raise DriverError("the voice is not open: open it before it is to speak")
            accepted = self._accepting and self._worker is not None
            if accepted:
                self._outstanding.append(token)
                self._write(line)
        if not accepted:
            self._deliver(SoundEnded(token, False, self._clock()))

    def close(self) -> None:
        """End the worker at once; what was not said ends unheard."""
        thread = self._thread
        if thread is None:
            return
        self._closing.set()
        with self._lock:
            self._thread = None
            self._hang_up()
        thread.join(CLOSE_LIMIT_S)
        if thread.is_alive():
            self._kill()
            thread.join(CLOSE_LIMIT_S)

    def _write(self, line: bytes) -> None:
        """Up to PIPE_BUF bytes go into a pipe whole or not at all, so a worker that hangs never holds up who speaks."""
        worker = self._worker
        if worker is None or worker.stdin is None or worker.stdin.closed:
            return
        try:
            os.write(worker.stdin.fileno(), line)
        except (BlockingIOError, BrokenPipeError) as error:
            log.debug("speech: its worker takes nothing (%s)", error)  # the thread will find it silent or dead, and say so

    # The rest is the thread's

    def _run(self) -> None:
        failures = 0
        while True:
            ready_at, reason = self._attend()
            if ready_at is not None and time.monotonic() - ready_at >= STEADY_S:
                failures = 0
            failures += 1
            # One crash is mended at once: what is to be said waits for the new worker. Nobody waits for later ones.
            self._accepting = failures == 1
            self._end_outstanding()
            if self._closing.is_set():
                return
            if not self._lost:
                self._lost = True
                log.warning("speech: %s", reason)
                self._deliver(DeviceLost(DEVICE, f"{reason}; the game goes on, look at the board", self._clock()))
            pause = 0.0 if failures == 1 else min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (failures - 2))
            if self._closing.wait(pause):
                self._end_outstanding()
                return
            try:
                self._start()
            except OSError as error:
                log.warning("speech: its worker cannot be started: %s", error)

    def _attend(self) -> tuple[float | None, str]:
        """Serve one worker to its end: when it was ready (None: never), and why it ended."""
        worker = self._worker
        if worker is None or worker.stdout is None or worker.stderr is None:
            return None, "the voice's process could not be started: see the log"
        ready_at: float | None = None
        reason = ""
        with selectors.DefaultSelector() as selector:
            answers, noise = _Lines(worker.stdout), _Lines(worker.stderr)
            selector.register(worker.stdout, selectors.EVENT_READ, answers)
            selector.register(worker.stderr, selectors.EVENT_READ, noise)
            while not answers.ended:
                limit = START_LIMIT_S if ready_at is None else self._hang_s
                sources = [key.data for key, _ in selector.select(limit)]
                if not sources:
                    reason = f"the voice gave no sign of life for {limit:g} s and is started again"
                    break
                for line in noise.read() if noise in sources else ():
                    log.info("speech worker: %s", line.decode(errors="replace").rstrip())
                if noise.ended and worker.stderr in selector.get_map():
                    selector.unregister(worker.stderr)
                for line in answers.read() if answers in sources else ():
                    answer = json.loads(line)
                    if "ready" in answer:
                        ready_at = time.monotonic()
                    reason = answer.get("fault", reason)
                    self._take(answer)
        self._kill()
        with self._lock:
            self._worker = None
        code = worker.wait()
        for pipe in (worker.stdin, worker.stdout, worker.stderr):
            if pipe is not None:
                pipe.close()
        return ready_at, reason or f"the voice's process ended (exit code {code}) and is started again"

    def _take(self, answer: Mapping[str, Any]) -> None:
        match answer:
            case {"ready": int(clips)}:
                log.info("speech: ready, %d clips", clips)
                self._accepting = True
                if self._lost:
                    self._lost = False
                    self._deliver(DeviceFound(DEVICE, self._clock()))
            case {"started": int(token)}:
                self._deliver(SoundStarted(token, self._clock()))
            case {"ended": int(token)}:
                with self._lock:
                    self._outstanding.remove(token)
                self._deliver(SoundEnded(token, True, self._clock()))
            case {"missing": str(clip), "why": str(why)} if clip not in self._missing:
                self._missing.add(clip)
                log.warning("speech: clip %s cannot be said: %s", clip, why)
                reason = f"clip {clip} cannot be said, the chime is heard instead ({why}): build the voice pack again"
                self._deliver(DeviceLost(f"{DEVICE} clip {clip}", reason, self._clock()))

    def _end_outstanding(self) -> None:
        with self._lock:
            tokens, self._outstanding = self._outstanding, []
        for token in tokens:
            self._deliver(SoundEnded(token, False, self._clock()))

    def _start(self) -> None:
        search = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "drivers.voice_worker"],
            env={**os.environ, **self._audio, "PYTHONPATH": search},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        with self._lock:
            self._worker = worker
            if worker.stdin is not None:
                try:
                    # Longer than PIPE_BUF, so it is written before the pipe is told never to block.
                    worker.stdin.write(json.dumps(self._setting).encode() + b"\n")
                except BrokenPipeError as error:
                    log.debug("speech: its worker ended at once (%s)", error)  # the thread will say so
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
