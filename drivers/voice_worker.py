"""The process that owns the sound device. `drivers.speech` starts it; lines of JSON come in and go out.

In, first: {"folder", "clips": {name: file}, "rate", "buffer", "volume", "hurry", "alive_s", "hang_s"}
In, then:  {"say": [clip, …], "token": n}
Out:       {"ready": clips loaded}  {"alive": true}  {"started": n}  {"ended": n}
           {"missing": clip, "why": …}  {"fault": what happened, and what to do}

The mixer stays open from start to end and plays silence in between: HDMI swallows the first second of sound after a pause. The
clips of an announcement are joined before they are played, so there is no gap between them, not of one sample. The process
ends when its input does: it never outlives who started it, even if the sound device hangs.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

POLL_S = 0.005
CHIME = "chime"
EXIT_NO_SOUND = 3
EXIT_LIMIT_S = 2.0

Answer: TypeAlias = Callable[[Mapping[str, Any]], None]


class SoundFault(Exception):
    """The sound device cannot be used; the message says what to do."""


class Player:
    """Plays announcements one after another on one channel.

    Raises:
        SoundFault: there is no sound device.
    """

    def __init__(self, setting: Mapping[str, Any], answer: Answer) -> None:
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
        import pygame

        self._mixer = pygame.mixer
        self._answer = answer
        self._bytes_a_second = 2 * setting["rate"]
        self._volume = setting["volume"]
        self._hurry = setting["hurry"]
        self._hang_s = setting["hang_s"]
        try:
            self._mixer.init(setting["rate"], -16, 1, setting["buffer"], allowedchanges=0)
        except pygame.error as error:
            advice = "plug in a loudspeaker or set HDMI sound, and see that the user is in the group audio"
            raise SoundFault(f"no sound device ({error}): {advice}") from error
        self._mixer.set_num_channels(1)
        self._channel = self._mixer.Channel(0)
        self._clips: dict[str, bytes] = {}
        for name, file in setting["clips"].items():
            try:
                self._clips[name] = self._mixer.Sound(os.path.join(setting["folder"], file)).get_raw()
            except (pygame.error, OSError) as error:
                answer({"missing": name, "why": str(error)})
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._playing: int | None = None
        self._late_at = 0.0

    def close(self) -> None:
        """Free the sound device."""
        self._mixer.quit()

    @property
    def busy(self) -> bool:
        """Whether something is being said."""
        return self._playing is not None

    @property
    def loaded(self) -> int:
        """How many clips are ready."""
        return len(self._clips)

    def say(self, clips: list[str], token: int) -> None:
        """Queue one announcement; a clip that is not there is heard as the chime."""
        sounds = []
        for clip in clips:
            if clip not in self._clips:
                self._answer({"missing": clip, "why": "it is not in the voice pack"})
            sounds.append(self._clips.get(clip) or self._clips.get(CHIME, b""))
        self._waiting.append((token, b"".join(sounds)))

    def step(self) -> None:
        """End what has been played, begin what waits.

        Raises:
            SoundFault: a sound does not come to its end.
        """
        if self._playing is not None:
            if self._channel.get_busy():
                if time.monotonic() > self._late_at:
                    raise SoundFault("the sound device has stopped taking sound: plug it in again")
                return
            self._answer({"ended": self._playing})
            self._playing = None
        while self._waiting and self._playing is None:
            token, data = self._waiting.popleft()
            if data:
                sound = self._mixer.Sound(buffer=data)
                sound.set_volume(self._volume)
                self._late_at = time.monotonic() + len(data) / self._bytes_a_second + self._hang_s
                self._channel.play(sound)
                self._playing = token
            self._answer({"started": token})
            if self._hurry:
                self._channel.stop()
            if self._hurry or not data:
                self._playing = None
                self._answer({"ended": token})


def main() -> int:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; who started us decides
    answer = _take_stdout()
    setting = json.loads(sys.stdin.buffer.readline())
    requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    try:
        player = Player(setting, answer)
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
                request = json.loads(line)
                player.say(request["say"], request["token"])
            player.step()
            if time.monotonic() >= alive_at:
                answer({"alive": True})
                alive_at = time.monotonic() + setting["alive_s"]
    except SoundFault as fault:
        answer({"fault": str(fault)})
        return EXIT_NO_SOUND


def _take_stdout() -> Answer:
    """Keep stdout for answers; whatever a library prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)

    def answer(message: Mapping[str, Any]) -> None:
        answers.write(json.dumps(message).encode() + b"\n")

    return answer


def _read(requests: queue.SimpleQueue[bytes | None]) -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    requests.put(None)
    # The main thread may hang in the sound device for ever; if it does not, it ends the process before this does.
    threading.Event().wait(EXIT_LIMIT_S)
    os._exit(EXIT_NO_SOUND)


if __name__ == "__main__":
    sys.exit(main())
