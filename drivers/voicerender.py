"""Making a voice pack: every clip is spoken once, checked, trimmed, levelled and written as WAV or OGG.

pyttsx3 speaks, each clip in a process of its own: in one process only the last of several queued texts is written, from several
threads it hangs, and now and then a file comes out empty. So a clip is also listened to, tried again, and made by espeak-ng's own
command line when pyttsx3 fails twice. Needs espeak-ng, and for OGG the library soundfile; playing a pack needs neither.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import subprocess
import sys
import tempfile
import wave
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from drivers import BadOption, DeviceMissing
from drivers.voicepack import CHIME, LONGEST_MS, MANIFEST, RATE, SHORTEST_MS, BadPack, Clip, Manifest, VoicePack

log = logging.getLogger(__name__)

Samples: TypeAlias = NDArray[np.float64]  # mono, -1 to 1, at RATE
Maker: TypeAlias = Callable[["Manner", str, Path], None]

TRIES = 2
LIMIT_S = 20.0
LOUDNESS_DB = -18.0  # of the sounding parts: equal for all clips
HIGHEST_PEAK = 0.9
QUIETEST_DB = -45.0  # below this a synthesiser has said nothing
_SILENCE = 0.01  # of the peak
_LEAD_S, _TAIL_S, _FADE_S = 0.005, 0.04, 0.003
_OGG_COMPRESSION = 0.5  # Vorbis quality 5, some 50 kbit/s for this voice

VOICES = {"en": "en-gb"}


class Manner:
    """How a synthesiser speaks: espeak-ng's voice name, words a minute, pitch 0 to 99."""

    def __init__(self, voice: str, speed: int = 145, pitch: int = 45) -> None:
        self.voice = voice
        self.speed = speed
        self.pitch = pitch

    def __str__(self) -> str:
        return f"voice {self.voice}, {self.speed} words a minute, pitch {self.pitch}"


def render(
    texts: Mapping[str, str],
    folder: Path,
    language: str,
    maker: str = "pyttsx3",
    manner: Manner | None = None,
    style: str = "plain",
    form: Literal["wav", "ogg"] = "wav",
    progress: Callable[[str], None] = lambda _clip: None,
) -> VoicePack:
    """Make a pack of these clips (name → text) and a chime, in `folder`.

    Args:
        maker: `pyttsx3`, or `espeak-ng` for its command line; the latter is also the fall-back.
        manner: None takes the language's own.
        form: of the files; OGG is a fifth as large, and wants soundfile.
        progress: called with each clip's name when it is done.

    Raises:
        BadOption: no such maker.
        BadPack: clips could not be made; all of them are named. No manifest is written then.
        DeviceMissing: soundfile, or espeak-ng, is not installed.
    """
    if maker not in MAKERS:
        raise BadOption(f"no voice maker is called {maker!r}: there are {', '.join(MAKERS)}")
    manner = manner or Manner(VOICES.get(language, language))
    folder.mkdir(parents=True, exist_ok=True)
    clips: dict[str, Clip] = {}
    faults: list[str] = []
    for name, text in {CHIME: "", **texts}.items():
        try:
            samples = chime() if name == CHIME else spoken(text, maker, manner)
            clips[name] = _store(folder / f"{name}.{form}", text, levelled(samples))
        except BadPack as error:
            faults.append(f"clip {name} ({text!r}): {error}")
        progress(name)
    if faults:
        raise BadPack(f"the voice pack in {folder} is not made:\n" + "\n".join(f"  - {fault}" for fault in faults))
    manifest = Manifest(language=language, style=style, rate=RATE, maker=f"{maker}, {manner}", clips=clips)
    unfinished = folder / (MANIFEST + ".new")
    unfinished.write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
    os.replace(unfinished, folder / MANIFEST)
    return VoicePack(folder, manifest)


def spoken(text: str, maker: str, manner: Manner) -> Samples:
    """One text, spoken and found good, with the silence around it cut off.

    Raises:
        BadPack: nobody could speak it; the message has the last reason.
        DeviceMissing: espeak-ng is not installed.
    """
    reason = ""
    with tempfile.TemporaryDirectory(prefix="loto-voice-") as folder:
        for number, name in enumerate([maker] * TRIES + ["espeak-ng"]):
            file = Path(folder) / f"{number}.wav"
            try:
                MAKERS[name](manner, text, file)
                return trimmed(read_wav(file))
            except BadPack as error:
                reason = f"{name}: {error}"
                log.warning("voice: %r by %s", text, reason)
    raise BadPack(reason)


def read_wav(file: Path) -> Samples:
    """The samples of a synthesiser's WAV file, found to be sound.

    Raises:
        BadPack: no such file, not mono 16 bit at 22,050 Hz, empty, nearly silent, or clipped.
    """
    try:
        with wave.open(str(file), "rb") as sound:
            form = (sound.getnchannels(), sound.getsampwidth(), sound.getframerate())
            data = sound.readframes(sound.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise BadPack(f"no sound file came out ({error})") from error
    if form != (1, 2, RATE):
        raise BadPack(f"the sound has {form[0]} channels of {8 * form[1]} bits at {form[2]} Hz, not 1 of 16 at {RATE}")
    samples: Samples = np.frombuffer(data, "<i2") / 32768.0
    if not samples.size or loudness_db(samples) < QUIETEST_DB:
        raise BadPack("nothing is heard in it")
    if np.count_nonzero(np.abs(samples) > 0.999) > 3:
        raise BadPack("it is clipped: lower the volume")
    return samples


def trimmed(samples: Samples) -> Samples:
    """Without the silence before and after; a breath is left at the end so that clips do not stick together.

    Raises:
        BadPack: what remains is too short or too long to be a clip.
    """
    loud = np.flatnonzero(np.abs(samples) > _SILENCE * np.abs(samples).max())
    cut: Samples = samples[max(0, loud[0] - int(_LEAD_S * RATE)) : loud[-1] + int(_TAIL_S * RATE)].copy()
    milliseconds = 1000 * len(cut) // RATE
    if not SHORTEST_MS <= milliseconds <= LONGEST_MS:
        raise BadPack(f"it lasts {milliseconds} ms, a clip {SHORTEST_MS} to {LONGEST_MS}")
    fade = np.linspace(0.0, 1.0, int(_FADE_S * RATE))
    cut[: fade.size] *= fade
    cut[-fade.size :] *= fade[::-1]
    return cut


def loudness_db(samples: Samples) -> float:
    """RMS against full scale in dB, of those 20 ms stretches that are within 30 dB of the loudest."""
    stretch = RATE // 50
    whole = np.resize(samples, -(-len(samples) // stretch) * stretch)
    power = np.mean(whole.reshape(-1, stretch) ** 2, axis=1)
    return float(10 * np.log10(max(np.mean(power[power >= power.max() / 1000]), 1e-12)))


def levelled(samples: Samples) -> Samples:
    """As loud as every other clip, as far as its highest peak allows."""
    gain = 10 ** ((LOUDNESS_DB - loudness_db(samples)) / 20)
    level: Samples = samples * min(gain, HIGHEST_PEAK / np.abs(samples).max())
    return level


def chime() -> Samples:
    """Two soft tones, the second a fifth lower (A5, D5): heard before a call, and instead of a clip that is missing."""
    seconds = np.arange(int(0.75 * RATE)) / RATE

    def struck(hertz: float, at: float) -> Samples:
        since = np.clip(seconds - at, 0, None)
        tone = np.sin(2 * np.pi * hertz * since) + 0.25 * np.sin(4 * np.pi * hertz * since)
        sound: Samples = tone * (1 - np.exp(-since / 0.004)) * np.exp(-since / 0.16)
        return sound

    fade = np.clip((seconds[-1] - seconds) / 0.05, 0, 1)
    both: Samples = (struck(880.0, 0.0) + struck(587.33, 0.22)) * fade
    return both


def _store(file: Path, text: str, samples: Samples) -> Clip:
    data = _ogg(samples) if file.suffix == ".ogg" else _wav(samples)
    file.write_bytes(data)
    return Clip(
        file=file.name,
        text=text,
        sha256=hashlib.sha256(data).hexdigest(),
        duration_ms=1000 * len(samples) // RATE,
        peak=round(float(np.abs(samples).max()), 3),
        loudness_db=round(loudness_db(samples), 1),
    )


def _wav(samples: Samples) -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(np.round(samples * 32767).astype("<i2").tobytes())
    return data.getvalue()


def _ogg(samples: Samples) -> bytes:
    try:
        import soundfile
    except (ImportError, OSError) as error:
        raise DeviceMissing(
            "a voice pack of OGG files needs the library soundfile, which ./loto test installs: type that once, or make WAV files"
        ) from error

    data = io.BytesIO()
    soundfile.write(data, samples, RATE, format="OGG", subtype="VORBIS", compression_level=_OGG_COMPRESSION)
    heard, _ = soundfile.read(io.BytesIO(data.getvalue()))
    if np.abs(heard).max() >= 1 or len(heard) != len(samples):
        raise BadPack("it is another sound once it is packed")
    return data.getvalue()


def _by_pyttsx3(manner: Manner, text: str, file: Path) -> None:
    command = [sys.executable, "-P", "-m", "drivers.voicerender"]
    command += [manner.voice, str(manner.speed), str(manner.pitch), text, str(file)]
    search = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    _run(command, {**os.environ, "PYTHONPATH": search})


def _by_espeak_ng(manner: Manner, text: str, file: Path) -> None:
    command = ["espeak-ng", "-v", manner.voice, "-s", str(manner.speed), "-p", str(manner.pitch), "-w", str(file), "--", text]
    try:
        _run(command, os.environ)
    except FileNotFoundError as error:
        raise DeviceMissing("espeak-ng is not installed: apt install espeak-ng") from error


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    try:
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=True)
    except subprocess.TimeoutExpired as error:
        raise BadPack(f"it was not done after {LIMIT_S:g} s") from error
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise BadPack(f"it ended with {error.returncode}: {last}") from error


MAKERS: dict[str, Maker] = {"pyttsx3": _by_pyttsx3, "espeak-ng": _by_espeak_ng}


def _speak_one(voice: str, speed: str, pitch: str, text: str, file: str) -> None:
    """The life of a process that speaks one text."""
    import pyttsx3

    engine = pyttsx3.init("espeak")
    # Asked for a voice that is not there, or by another name than its id, it would speak with its default and not complain.
    known = [each.id for each in engine.getProperty("voices") if voice in (each.id, each.name, *each.languages)]
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
    _speak_one(*sys.argv[1:])
