"""Stand-ins with memory for whoever speaks the texts of a voice pack: three programs on the path,
and the two neural libraries."""

import os
import wave

import numpy as np

from tests.drivers.pcm import tone, write_wav

ESPEAK = """#!/bin/sh
# espeak-ng -v VOICE -s SPEED -p PITCH -w FILE -- TEXT
printf '%s|%s\\n' "$2" "${10}" >> "$PARROT/said"
case "${10}" in *unspeakable*) echo "cannot say that" >&2; exit 3;; esac
cp "$PARROT/sound.wav" "$8"
"""

RHVOICE = """#!/bin/sh
# echo TEXT | RHVoice-test -p VOICE -o FILE, as 1.8 has it; 24 kHz
text=$(cat)
printf '%s|%s\\n' "$2" "$text" >> "$PARROT/said"
case "$text" in *unspeakable*) echo "The synthesizer cannot say that" >&2; exit 1;; esac
cp "$PARROT/sound.wav" "$4"
"""

# What the real one did, recorded: 16 kHz; for no words a file of 44 bytes and no complaint.
PICO = """#!/bin/sh
# pico2wave -l LANGUAGE -w FILE -- TEXT
printf '%s|%s\\n' "$2" "$6" >> "$PARROT/said"
case "$2" in
  en-US|en-GB|de-DE|es-ES|fr-FR|it-IT) ;;
  *) printf 'Unknown language: %s\\nValid languages:\\nen-US\\n\\n' "$2" >&2; exit 1;;
esac
case "$6" in
  *unspeakable*) head -c 44 "$PARROT/pico.wav" > "$4";;
  *) cp "$PARROT/pico.wav" "$4";;
esac
"""
PROGRAMS = {"espeak-ng": ESPEAK, "RHVoice-test": RHVOICE, "pico2wave": PICO}


class Stage:
    """Stand-ins with memory for whoever speaks: programs on the path, and the two neural
    libraries."""

    def __init__(self, folder, monkeypatch):
        self.folder = folder
        write_wav(folder / "sound.wav", tone(1))
        seconds = np.arange(16000) / 16000
        write_wav(folder / "pico.wav", 0.5 * np.sin(2 * np.pi * 220 * seconds), rate=16000)
        (folder / "bin").mkdir()
        for name, script in PROGRAMS.items():
            (folder / "bin" / name).write_text(script)
            (folder / "bin" / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder / 'bin'}:{os.environ['PATH']}")
        monkeypatch.setenv("PARROT", str(folder))
        self.spoken = []

    @property
    def said(self):
        """(voice, text) of all that was spoken."""
        file = self.folder / "said"
        lines = file.read_text().splitlines() if file.exists() else []
        return [*self.spoken, *(tuple(line.split("|")) for line in lines)]

    def load(self, module):
        """Imports a neural library."""
        return {"hibari": HibariLibrary, "piper": PiperLibrary}[module](self)


class HibariLibrary:
    """As hibari-tts 0.2 has it: `Hibari(voice, model).save(text, path, speed, seed)`, 24 kHz."""

    def __init__(self, stage):
        self.stage = stage
        self.Hibari = self.make

    def make(self, voice="heart", model=None):
        self.voice = model or voice
        return self

    def save(self, text, path, speed=1.0, seed=None):
        assert (speed < 1, seed) == (text.endswith(","), 0)
        if "unspeakable" in text:
            write_wav(path, tone(0))
            return
        self.stage.spoken.append((self.voice, text))
        seconds = np.arange(24000) / 24000
        write_wav(path, 0.5 * np.sin(2 * np.pi * 220 * seconds), rate=24000)


class PiperLibrary:
    """As piper-tts 1.8 has it: `PiperVoice.load(model).synthesize_wav(text, wave_file, config)`,
    the model's own rate."""

    def __init__(self, stage):
        self.stage = stage
        self.PiperVoice = self
        self.SynthesisConfig = self.louder_or_softer

    def load(self, model):
        self.model = model
        return self

    def louder_or_softer(self, volume):
        return volume

    def synthesize_wav(self, text, sound, volume):
        assert isinstance(sound, wave.Wave_write)
        if "unspeakable" not in text:
            self.stage.spoken.append((self.model, text))
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(16000)
            seconds = np.arange(16000) / 16000
            sound.writeframes(
                np.round(volume * 32767 * np.sin(2 * np.pi * 220 * seconds)).astype("<i2").tobytes()
            )
