"""Speak the texts of a voice pack: pyttsx3, espeak-ng, and two neural voices for who wants them.

A maker writes one text to one WAV file. pyttsx3 and espeak-ng are a process for each text, several
at a time. hibari-tts and piper-tts are imported when they are chosen, no sooner: `pip install
hibari-tts` (English; its voice is in the package), `pip install piper-tts` (a language a model:
download the model's `.onnx` and `.onnx.json` yourself and name it).
"""

from __future__ import annotations

import os
import subprocess
import wave
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from drivers import BadOption, DeviceMissing
from drivers.voice.pack import BadPack
from drivers.voice.process import environment, last_words, of_ours, run

LIMIT_S = 20.0

# espeak-ng's voices that have another name than their language's code.
VOICES = {"en": "en-gb", "fr": "fr-fr"}
SPEED, PITCH = 145, 45  # words a minute; 0 to 99


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
    """

    name: str
    about: str
    speak: Callable[[str, Path], None]
    jobs: int = 1


Import: TypeAlias = Callable[[str], Any]


def find_maker(
    name: str, language: str, model: Path | None = None, *, load: Import = import_module
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
    return MAKERS[name](language, model, load)


def _manner(language: str) -> str:
    return f"voice {VOICES.get(language, language)}, {SPEED} words a minute, pitch {PITCH}"


def _pyttsx3(language: str, _model: Path | None, _load: Import) -> Maker:
    def speak(text: str, file: Path) -> None:
        words = (VOICES.get(language, language), str(SPEED), str(PITCH), text, str(file))
        _run(of_ours("pyttsx3", *words), environment())

    return Maker("pyttsx3", f"pyttsx3, {_manner(language)}", speak, os.cpu_count() or 1)


def _espeak_ng(language: str, _model: Path | None, _load: Import) -> Maker:
    def speak(text: str, file: Path) -> None:
        voice = VOICES.get(language, language)
        manner = f"-v {voice} -s {SPEED} -p {PITCH} -w".split()
        try:
            _run(["espeak-ng", *manner, str(file), "--", text])
        except FileNotFoundError as error:
            raise DeviceMissing(
                "espeak-ng is not installed: sudo apt-get install espeak-ng"
            ) from error

    return Maker("espeak-ng", f"espeak-ng, {_manner(language)}", speak, os.cpu_count() or 1)


def _hibari(language: str, model: Path | None, load: Import) -> Maker:
    if language != "en":
        raise BadOption(f"hibari-tts speaks English only, not {language!r}: choose another maker")
    library = _library("hibari", "hibari-tts", load)
    voice = library.Hibari(model=str(model)) if model is not None else library.Hibari()

    def speak(text: str, file: Path) -> None:
        voice.save(text, str(file), seed=0)  # the same text gives the same sound

    return Maker(
        "hibari-tts", f"hibari-tts, voice {model.name if model is not None else voice.voice}", speak
    )


def _piper(_language: str, model: Path | None, load: Import) -> Maker:
    library = _library("piper", "piper-tts", load)
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

    return Maker("piper-tts", f"piper-tts, model {model.name}", speak)


def _library(module: str, package: str, load: Import) -> Any:
    try:
        return load(module)
    except ImportError as error:
        raise DeviceMissing(
            f"{package} is not installed ({error}): .venv/bin/pip install {package}"
        ) from error


def _run(command: list[str], env: Mapping[str, str] | None = None) -> None:
    try:
        run(command, LIMIT_S, env)
    except subprocess.TimeoutExpired as error:
        raise BadPack(f"it was not done after {LIMIT_S:g} s") from error
    except subprocess.CalledProcessError as error:
        raise BadPack(f"it ended with {error.returncode}: {last_words(error.stderr)}") from error


MAKERS: dict[str, Callable[[str, Path | None, Import], Maker]] = {
    "pyttsx3": _pyttsx3,
    "espeak-ng": _espeak_ng,
    "hibari-tts": _hibari,
    "piper-tts": _piper,
}
