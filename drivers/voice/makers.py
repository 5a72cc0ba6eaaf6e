"""Speak the texts of a voice pack: espeak-ng by two ways, two other programs, two neural voices.

A maker writes one text to one WAV file. The programs are a process for each text, several at a
time: pyttsx3 and espeak-ng (the same voice), rhvoice (Russian, English), pico. hibari-tts and
piper-tts are imported when they are chosen, no sooner: `pip install hibari-tts` (English; its voice
is in the package), `pip install piper-tts` (a language a model: download the model's `.onnx` and
`.onnx.json` yourself and name it).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import wave
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from drivers import BadOption, DeviceMissing
from drivers.voice.pack import BadPack, TimedOut
from drivers.voice.process import environment, last_words, of_ours, run

LIMIT_S = 20.0

# A word that espeak-ng reads wrongly: a capital without its accent as two syllables.
READ_AS = {("nl", "Eén"): "Één"}
# espeak-ng's voices that have another name than their language's code.
VOICES = {"en": "en-gb", "fr": "fr-fr"}
SPEED, PITCH = 145, 45  # words a minute; 0 to 99
# Of RHVoice's voices those alone whose licence lets everybody use what they say: Debian's file
# puts many others under terms that allow no trade and no change.
RHVOICES = {"ru": "anna", "en": "slt"}
PICO_LANGUAGES = {"en": "en-GB", "it": "it-IT", "fr": "fr-FR", "es": "es-ES", "de": "de-DE"}


@dataclass(frozen=True)
class Maker:
    """A synthesiser.

    Attributes:
        name: as it is chosen.
        about: name, voice and manner, as the manifest keeps them: two packs of the same `about`
            sound the same.
        speak: writes a text to a WAV file; raises `BadPack` when it did not work, `DeviceMissing`
            when it never will.
        jobs: how many texts it can speak at a time.
        source, licence: where the voice is from, and under which terms, for the manifest.
        model: the file of a neural voice, where one was named.
        call: speaks a number, a digit or a saying, where those are told in another way.
    """

    name: str
    about: str
    speak: Callable[[str, Path], None]
    jobs: int = 1
    source: str = ""
    licence: str = ""
    model: str = ""
    call: Callable[[str, Path], None] | None = None


@dataclass(frozen=True)
class MakerOrder:
    """What is wanted of a maker.

    Attributes:
        language: the code of the wording, "en".
        model: the file of a neural voice.
        load: imports the library of a neural voice.
    """

    language: str
    model: Path | None = None
    load: Callable[[str], Any] = import_module

    def voice(self, voices: Mapping[str, str], maker: str) -> str:
        """Return the maker's voice for the language, or for what it is a region of.

        Raises:
            BadOption: it has none.
        """
        for code in (self.language, self.language.partition("-")[0]):
            if code in voices:
                return voices[code]
        raise BadOption(
            f"{maker} does not speak {self.language!r}, only {', '.join(sorted(voices))}: choose"
            " another maker"
        )


def find_maker(
    name: str,
    language: str,
    model: Path | None = None,
    *,
    load: Callable[[str], Any] = import_module,
) -> Maker:
    """Return the maker of that name for a language.

    Args:
        model: the file of a neural voice.
        load: imports the library of a neural voice.

    Raises:
        BadOption: there is no such maker, or it cannot speak this language or do with this model.
        DeviceMissing: its library or the model's file is not there.
    """
    if name not in MAKERS:
        raise BadOption(f"no voice maker is called {name!r}: there are {', '.join(MAKERS)}")
    if model is not None and not model.is_file():
        raise DeviceMissing(
            f"no model of a voice at {model}: download it, or name the file that you have with"
            " --model"
        )
    return MAKERS[name](MakerOrder(language, model, load))


def is_there(name: str, language: str, model: Path | None = None) -> bool:
    """Return whether a maker is installed and speaks this language; it is not loaded for that."""
    base = language.partition("-")[0]
    if name in _PROGRAMS:
        program, voices = _PROGRAMS[name]
        return shutil.which(program) is not None and (voices is None or base in voices)
    if name == "hibari-tts":
        return base == "en" and find_spec("hibari") is not None
    return name == "piper-tts" and model is not None and find_spec("piper") is not None


_PROGRAMS: dict[str, tuple[str, Mapping[str, str] | None]] = {
    "pyttsx3": ("espeak-ng", None),
    "espeak-ng": ("espeak-ng", None),
    "rhvoice": ("RHVoice-test", RHVOICES),
    "pico": ("pico2wave", PICO_LANGUAGES),
}


def _espeak_voice(language: str) -> str:
    return VOICES.get(language, language)


def _for_espeak(language: str, text: str) -> str:
    """Return a text as espeak-ng has to be told it.

    >>> _for_espeak("nl", "Eén"), _for_espeak("nl", "Twee")
    ('Één', 'Twee')
    """
    return READ_AS.get((language, text), text)


def _manner(language: str) -> str:
    return f"voice {_espeak_voice(language)}, {SPEED} words a minute, pitch {PITCH}"


_JOBS = os.cpu_count() or 1
_ESPEAK = ("https://github.com/espeak-ng/espeak-ng", "GPL-3.0-or-later")


def _pyttsx3(order: MakerOrder) -> Maker:
    def speak(text: str, file: Path) -> None:
        manner = (_espeak_voice(order.language), str(SPEED), str(PITCH))
        words = (*manner, _for_espeak(order.language, text), str(file))
        _run(of_ours("pyttsx3", *words), environment())

    return Maker("pyttsx3", f"pyttsx3, {_manner(order.language)}", speak, _JOBS, *_ESPEAK)


def _espeak_ng(order: MakerOrder) -> Maker:
    voice = _espeak_voice(order.language)
    manner = ["-v", voice, "-s", str(SPEED), "-p", str(PITCH), "-w"]

    def speak(text: str, file: Path) -> None:
        told = _for_espeak(order.language, text)
        _program(["espeak-ng", *manner, str(file), "--", told], "espeak-ng")

    return Maker("espeak-ng", f"espeak-ng, {_manner(order.language)}", speak, _JOBS, *_ESPEAK)


def _rhvoice(order: MakerOrder) -> Maker:
    voice = order.voice(RHVOICES, "rhvoice")
    packages = "rhvoice rhvoice-russian rhvoice-english, of Debian's part non-free"

    def speak(text: str, file: Path) -> None:
        _program(["RHVoice-test", "-p", voice, "-o", str(file)], packages, text)

    return Maker(
        "rhvoice",
        f"rhvoice, voice {voice}",
        speak,
        _JOBS,
        "https://github.com/RHVoice/RHVoice",
        "LGPL-2.1-or-later",
    )


def _pico(order: MakerOrder) -> Maker:
    voice = order.voice(PICO_LANGUAGES, "pico")
    packages = "libttspico-utils, of Debian's part non-free"

    def speak(text: str, file: Path) -> None:
        _program(["pico2wave", "-l", voice, "-w", str(file), "--", text], packages)

    return Maker(
        "pico",
        f"pico, voice {voice}",
        speak,
        _JOBS,
        "https://android.googlesource.com/platform/external/svox/",
        "Apache-2.0 as its makers claim; its voices have no source",
    )


def calling_speed(text: str) -> float:
    """Return how fast hibari-tts speaks a number, of its usual speed: what is short, slower, or
    "oh" is taken for "two". Found by benchmarks/hearing.py.

    >>> calling_speed("oh"), calling_speed("Six"), calling_speed("Forty-two")
    (0.6, 0.8, 0.9)
    """
    return min(0.9, round(0.2 + 0.2 * len(text), 1))


def _hibari(order: MakerOrder) -> Maker:
    if order.language.partition("-")[0] != "en":
        raise BadOption(
            f"hibari-tts speaks English only, not {order.language!r}: choose another maker"
        )
    library = _library("hibari", "hibari-tts", order.load)
    model = order.model
    voice = library.Hibari(model=str(model)) if model is not None else library.Hibari()

    def speak(text: str, file: Path) -> None:
        voice.save(text, str(file), seed=0)  # the same text gives the same sound

    def call(text: str, file: Path) -> None:
        # as if more followed: at a full stop it draws "four" out to "forty"
        voice.save(f"{text},", str(file), seed=0, speed=calling_speed(text))

    return Maker(
        "hibari-tts",
        f"hibari-tts, voice {model.name if model is not None else voice.voice}",
        speak,
        source="https://github.com/MMWilliams/hibari",
        licence="Apache-2.0",
        model=str(model or ""),
        call=call,
    )


def _piper(order: MakerOrder) -> Maker:
    library, model = _library("piper", "piper-tts", order.load), order.model
    if model is None:
        raise BadOption(
            "piper-tts needs a model of your language: download one (.onnx with its .onnx.json) and"
            " name it with --model"
        )
    if not (beside := model.with_name(f"{model.name}.json")).is_file():
        raise DeviceMissing(
            f"the model's description {beside} is not there: download it too, and put it beside the"
            " model"
        )
    voice = library.PiperVoice.load(str(model))
    # it raises every text to full scale, which looks clipped
    quieter = library.SynthesisConfig(volume=0.9)

    def speak(text: str, file: Path) -> None:
        try:
            with wave.open(str(file), "wb") as sound:
                voice.synthesize_wav(text, sound, quieter)
        except wave.Error as error:  # closed before anything was written
            raise BadPack(f"it said nothing ({error})") from error

    about = f"piper-tts, model {model.name}"
    return Maker("piper-tts", about, speak, source=f"the model {model.name}", model=str(model))


def _library(module: str, package: str, load: Callable[[str], Any]) -> Any:
    try:
        return load(module)
    except ImportError as error:
        raise DeviceMissing(
            f"{package} is not installed ({error}): .venv/bin/pip install {package}"
        ) from error


def _program(command: list[str], packages: str, text: str = "") -> None:
    try:
        _run(command, text=text)
    except FileNotFoundError as error:
        raise DeviceMissing(
            f"{command[0]} is not installed: sudo apt-get install {packages}"
        ) from error


def _run(command: list[str], env: Mapping[str, str] | None = None, text: str = "") -> None:
    try:
        run(command, LIMIT_S, env, text.encode())
    except subprocess.TimeoutExpired as error:
        raise TimedOut(f"it was not done after {LIMIT_S:g} s") from error
    except subprocess.CalledProcessError as error:
        raise BadPack(f"it ended with {error.returncode}: {last_words(error.stderr)}") from error


MAKERS: dict[str, Callable[[MakerOrder], Maker]] = {
    "pyttsx3": _pyttsx3,
    "espeak-ng": _espeak_ng,
    "rhvoice": _rhvoice,
    "pico": _pico,
    "hibari-tts": _hibari,
    "piper-tts": _piper,
}
