"""Make phrases with names in them ("Anna has won.") in the background; nobody waits for them.

A thread hands the texts to a process of the lowest priority, which renders them into a cache
folder; a name that was made once is there at the next start.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import queue
import subprocess
import sys
import threading
import wave
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from drivers import DriverError
from drivers.given import message_from
from drivers.voice.pack import VERSION
from drivers.voice.process import environment, of_ours

log = logging.getLogger(__name__)

BATCH_LIMIT_S = 120.0
MOST_KEPT = 500  # files in the cache; the oldest go
MOST_LETTERS = 80
CLOSE_LIMIT_S = 3.0


@dataclass(eq=False)
class Names:
    """The clips of texts that no pack can have.

    Args:
        folder: the cache.
        language, maker, model: who speaks them.
        learn: told of each clip that is ready and its file, from any thread.
        done: told when all that was asked for is ready, from any thread.
    """

    folder: Path
    language: str
    maker: str
    learn: Callable[[str, Path], None]
    done: Callable[[], None] = lambda: None
    model: str = ""

    def __post_init__(self) -> None:
        self._asked: set[str] = set()
        self._also: dict[str, str] = {}
        self._ready: set[str] = set()
        self._texts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None

    def clip(self, text: str, also: str = "") -> str | None:
        """Return the clip of a text; None while it is being made. Returns at once.

        Args:
            also: a clip of the pack that speaks this text from then on.
        """
        clip = clip_name(text, self.language, self.maker)
        if clip in self._ready:
            return clip
        with self._lock:
            if also:
                self._also[clip] = also
            if self._closed or clip in self._asked or not 0 < len(text) <= MOST_LETTERS:
                return None
            self._asked.add(clip)
        if self._take(clip):  # made earlier
            return clip
        self._texts.put(text)
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="names", daemon=True)
                self._thread.start()
        return None

    def close(self) -> None:
        """Stop making; what is made stays in the cache."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        self._texts.put(None)
        if self._thread is not None:
            self._thread.join(CLOSE_LIMIT_S)

    # The thread does the rest

    def _run(self) -> None:
        while (text := self._texts.get()) is not None:
            batch = {text: None}
            while not self._texts.empty():
                if (more := self._texts.get()) is None:
                    return
                batch[more] = None
            try:
                self._make([*batch])
            except OSError as error:
                log.warning("names are not spoken: %s", error)
            if self._asked <= self._ready:
                self.done()

    def _take(self, clip: str) -> bool:
        file = self.folder / f"{clip}.wav"
        if not _is_whole(file):
            return False
        try:
            self.learn(clip, file)
            if clip in self._also:
                self.learn(self._also[clip], file)
        except DriverError as error:
            log.debug("a name comes too late: %s", error)
            return False
        self._ready.add(clip)
        return True

    def _make(self, texts: list[str]) -> None:
        command = of_ours("names", str(self.folder), self.language, self.maker, self.model)
        with self._lock:
            if self._closed:
                return
            self._process = process = subprocess.Popen(
                command,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        try:
            made, trouble = process.communicate(json.dumps(texts), timeout=BATCH_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            log.warning("names are not spoken: making them took longer than %.0f s", BATCH_LIMIT_S)
            return
        clips, count = made.split(), len(texts)
        for clip in clips:
            self._take(clip)
        if process.returncode or len(clips) < count:
            last = trouble.strip().rpartition("\n")[2] or f"it ended with {process.returncode}"
            log.warning("%d of %d names are not spoken: %s", count - len(clips), count, last)


def _is_whole(file: Path) -> bool:
    """Return whether the file is complete; a power cut may have come while it was written."""
    try:
        with wave.open(str(file), "rb") as sound:
            data = sound.readframes(sound.getnframes())
            return len(data) == sound.getnframes() * sound.getsampwidth() * sound.getnchannels() > 0
    except (OSError, EOFError, wave.Error):
        return False


def clip_name(text: str, language: str, maker: str) -> str:
    """Return the name of a text's clip; the same text by the same maker, levelled in the same way,
    is the same clip."""
    said = "\n".join((str(VERSION), maker, language, text))
    return "name." + hashlib.sha256(said.encode()).hexdigest()[:16]


def main(folder: str, language: str, maker: str, model: str = "") -> None:
    """Make clips until the input ends: texts on stdin, the names of finished clips on stdout."""
    os.nice(19)
    from drivers.voice.makers import find_maker
    from drivers.voice.pack import BadPack
    from drivers.voice.render import MakersAsked, spoken
    from drivers.voice.sound import levelled, to_wav

    cache = Path(folder)
    cache.mkdir(parents=True, exist_ok=True)
    speaker = find_maker(maker, language, Path(model) if model else None)
    patience = MakersAsked([speaker])
    for text in message_from(sys.stdin.buffer.read()):
        clip = clip_name(text, language, maker)
        unfinished = cache / f"{clip}.new"
        try:
            unfinished.write_bytes(to_wav(levelled(spoken(text, patience))))
        except BadPack as error:
            sys.stderr.write(f"{text!r}: {error}\n")
            continue
        os.replace(unfinished, cache / f"{clip}.wav")
        sys.stdout.write(f"{clip}\n")
        sys.stdout.flush()
    files = sorted(cache.glob("name.*.wav"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST_KEPT]:
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
