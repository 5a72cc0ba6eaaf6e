"""Speak one text with pyttsx3, in a process that `drivers.voice.makers` starts.

Its words: voice, speed, pitch, text, file.
One text a process, because in one process only the last of several queued texts is written, and
from several threads it hangs.
"""

from __future__ import annotations

import sys

import pyttsx3


def main(voice: str, speed: str, pitch: str, text: str, file: str) -> None:
    """Speak the text into a WAV file; end the process with a sentence without this voice."""
    engine = pyttsx3.init("espeak")
    # Asked for a voice that is not there, or by another name than its id, it would speak with its
    # default and not complain.
    voices = engine.getProperty("voices")
    known = [each.id for each in voices if voice in (each.id, each.name, *each.languages)]
    if not known:
        sys.exit(f"pyttsx3 has no voice {voice}")
    engine.setProperty("voice", known[0])
    engine.setProperty("rate", int(speed))
    engine.setProperty("pitch", int(pitch))
    engine.save_to_file(text, file)
    engine.runAndWait()
    if engine.getProperty("voice") != known[0]:
        sys.exit(f"pyttsx3 did not take the voice {known[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
