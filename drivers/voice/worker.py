"""Own the sound device, in a process of `drivers.voice.speech`; lines of JSON come in and go out.

In, first: {"folders": [folder, …], "clips": {name: [[which folder, file], …]}, "device", "rate",
"buffer", "volume", "hurry",
            "alive_s", "hang_s"}: of each clip the first file that can be read is heard
In, then:  {"say": [clip, …], "token": n, "rank": 0 to 3}  {"volume": 0.0 to 1.0}
           {"learn": clip, "file": path}
Out:       {"ready": clips loaded}  {"alive": true}
           {"started": n}  {"ended": n, "heard": whether to its end}
           {"missing": clip, "why": …, "instead": whether another file of it is heard}
           {"fault": what happened, and what to do}

The mixer stays open from start to end and plays silence in between: HDMI swallows the first second
of sound after a pause. The clips of a number's announcement are joined before they are played, so
there is no gap between them, not of one sample. The process ends when its input does: it never
outlives who started it, even if the sound device hangs.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from drivers import Rank
from drivers.given import message_from
from drivers.voice.pack import CHIME, PAUSE, SayQueue
from drivers.voice.process import NO_SOUND

POLL_S = 0.005
PAUSE_S = 0.35  # between a number and the same number again
EXIT_NO_SOUND = 3
EXIT_LIMIT_S = 2.0

Answer: TypeAlias = Callable[[Mapping[str, Any]], None]


class SoundFault(Exception):
    """The sound device cannot be used; the message says what to do."""


class AnnouncementPlayer:
    """A player of announcements, one after another on one channel, in the order of `SayQueue`.

    Raises:
        SoundFault: there is no sound device.
    """

    def __init__(self, setting: Mapping[str, Any], answer: Answer) -> None:
        # SDL tells of a device that was pulled by an event only, and plays on into nothing; its
        # events want a display.
        os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_NO_SIGNAL_HANDLERS": "1"}
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
        import pygame

        self._mixer = pygame.mixer
        self._pulled = partial(pygame.event.get, pygame.AUDIODEVICEREMOVED)
        self._pygame_error = pygame.error
        self._answer = answer
        self._bytes_a_second = 2 * setting["rate"]
        self._volume = setting["volume"]
        self._hurry = setting["hurry"]
        self._hang_s = setting["hang_s"]
        try:
            pygame.display.init()
            device = {"devicename": setting["device"]} if setting["device"] else {}
            self._mixer.init(setting["rate"], -16, 1, setting["buffer"], allowedchanges=0, **device)
        except pygame.error as error:
            named = f" called {setting['device']!r}" if setting["device"] else ""
            raise SoundFault(f"no sound device{named} ({error}): {NO_SOUND}") from error
        self._mixer.set_num_channels(1)
        self._channel = self._mixer.Channel(0)
        self._clips: dict[str, bytes] = {PAUSE: bytes(2 * int(PAUSE_S * setting["rate"]))}
        for name, places in setting["clips"].items():
            for index, (folder, file) in enumerate(places, start=1):
                path = os.path.join(setting["folders"][folder], file)
                if self.learn(name, path, instead=index < len(places)):
                    break
        self._queue = SayQueue()
        self._sounding: Any = None
        self._late_at = 0.0

    def close(self) -> None:
        """Free the sound device."""
        self._mixer.quit()

    @property
    def busy(self) -> bool:
        """Return whether something is being said."""
        return self._sounding is not None

    @property
    def loaded(self) -> int:
        """Return how many clips are ready."""
        return len(self._clips)

    def learn(self, clip: str, file: str, *, instead: bool = False) -> bool:
        """Read one clip; return False, and tell whoever asked, if its file cannot be read.

        Args:
            instead: another file of the same clip follows.
        """
        try:
            self._clips[clip] = self._mixer.Sound(file).get_raw()
        except (self._pygame_error, OSError) as error:
            self._answer({"missing": clip, "why": f"{file}: {error}", "instead": instead})
            return False
        return True

    def say(self, clips: list[str], token: int, rank: Rank) -> None:
        """Queue one announcement; a missing clip is heard as the chime."""
        self._queue.ask(token, clips, rank, time.monotonic())

    def volume(self, level: float) -> None:
        """Set the volume from now on, also of what is sounding."""
        self._volume = level
        if self._sounding is not None:
            self._sounding.set_volume(level)

    def step(self) -> None:
        """End the announcement that has been played, begin the next one.

        Raises:
            SoundFault: the device is gone, or a sound does not come to its end.
        """
        if any(event.which and not event.iscapture for event in self._pulled()):
            raise SoundFault("the sound device is gone: plug it in again")
        if self._sounding is not None:
            if self._channel.get_busy():
                if time.monotonic() > self._late_at:
                    raise SoundFault("the sound device has stopped taking sound: plug it in again")
                return
            self._sounding = None
        while self._sounding is None:
            turn = self._queue.turn(time.monotonic())
            for token, heard in turn.over:
                self._answer({"ended": token, "heard": heard})
            if turn.clips is None:
                return
            self._play(b"".join([self._sound_of(clip) for clip in turn.clips]))
            if turn.begun is not None:
                self._answer({"started": turn.begun})
            if self._hurry:
                self._channel.stop()
                self._sounding = None

    def _play(self, data: bytes) -> None:
        if data:
            sound = self._mixer.Sound(buffer=data)
            sound.set_volume(self._volume)
            self._late_at = time.monotonic() + len(data) / self._bytes_a_second + self._hang_s
            self._channel.play(sound)
            self._sounding = sound

    def _sound_of(self, clip: str) -> bytes:
        if clip not in self._clips:
            self._answer({"missing": clip, "why": "it is not in the voice pack", "instead": False})
        return self._clips.get(clip) or self._clips.get(CHIME, b"")


def main() -> int:
    """Serve until the input ends."""
    # Ctrl-C goes to the whole group; who started us decides
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer = _take_stdout()
    setting = message_from(sys.stdin.buffer.readline())
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    try:
        player = AnnouncementPlayer(setting, answer)
        answer({"ready": player.loaded})
        alive_at = time.monotonic()
        while True:
            try:
                line = requests.get(timeout=POLL_S if player.busy else setting["alive_s"])
            except queue.Empty:
                pass
            else:
                if line is None:
                    player.close()
                    return 0
                _obey(player, message_from(line))
            player.step()
            if time.monotonic() >= alive_at:
                answer({"alive": True})
                alive_at = time.monotonic() + setting["alive_s"]
    except SoundFault as fault:
        answer({"fault": str(fault)})
        return EXIT_NO_SOUND


def _obey(player: AnnouncementPlayer, request: Mapping[str, Any]) -> None:
    match request:
        case {"say": clips, "token": token, "rank": rank}:
            player.say(clips, token, Rank(rank))
        case {"volume": level}:
            player.volume(level)
        case {"learn": clip, "file": file}:
            player.learn(clip, file)


def _take_stdout() -> Answer:
    """Return a writer of answers to stdout; what a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)

    def answer(message: Mapping[str, Any]) -> None:
        answers.write(json.dumps(message).encode() + b"\n")

    return answer


def _read(requests: queue.SimpleQueue[bytes | None]) -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    requests.put(None)
    # The main thread may hang in the sound device for ever; if it does not, it ends the process
    # before this does.
    threading.Event().wait(EXIT_LIMIT_S)
    os._exit(EXIT_NO_SOUND)


if __name__ == "__main__":
    sys.exit(main())
