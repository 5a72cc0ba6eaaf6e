"""Define `loto voice`: build, check, record and hear voice packs."""

from __future__ import annotations

import queue
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import typer
from rich.progress import BarColumn, MofNCompleteColumn
from rich.table import Table

from drivers import BadOption, DeviceLost, Event, Rank, SoundEnded
from station.base.disk import give_to_owner
from station.base.errors import EXIT_DEVICE, EXIT_NO, Damaged, Unreadable
from station.base.nouns import KNOBS, Style, number_list
from station.base.terminal import bar, err, out
from station.base.tongue import heads, number_of, tr
from station.commands.options import HERE, JSON, STATION, Commands, argument, option
from station.commands.tools import Where, given, print_json, quiet_drivers
from station.settings.config import Settings
from station.settings.voices import (
    FALL_BACK,
    USUAL_MAKER,
    built_folder,
    clips_in,
    lacking,
    no_voice,
    pack_folders,
    sayings_in,
    shipped_maker,
    voice_folders,
    voice_options,
)
from station.views.views import number_clips
from station.wire.wording import VOICES, languages, to_make

if TYPE_CHECKING:
    from drivers.voice.makers import Maker
    from drivers.voice.pack import Clip
    from drivers.voice.render import Recorder
    from drivers.voice.sound import Samples

commands = Commands("voice", "Build, record, check and hear the station's voice.")

LANG: TypeAlias = Annotated[str | None, option("Which language; else the settings'.", "--lang")]
PackStyle: TypeAlias = Literal["plain", "sayings"]
TEST_WORD = "test-word"
SAID_LIMIT_S = 60.0
WHY_LIMIT_S = 5.0


# -- build and check -------------------------------------------------------------------------------


@commands.command("build")
def voice_build(
    lang: LANG = None,
    every: Annotated[bool, option("All languages, each in a folder of its own.", "--all")] = False,
    style: Annotated[
        PackStyle, option("plain, or sayings: the traditional calls too.")
    ] = "sayings",
    maker: Annotated[
        str | None,
        option("pyttsx3, espeak-ng, rhvoice, pico, hibari-tts or piper-tts."),
    ] = None,
    model: Annotated[
        Path | None, option("The model of a neural maker: the file that you downloaded.")
    ] = None,
    target: Annotated[
        Path | None, option("Where; by default where the station looks first.", "--out")
    ] = None,
    form: Annotated[
        Literal["wav", "ogg"], option("wav, or ogg (needs the library soundfile).", "--form")
    ] = "wav",
    as_json: JSON = False,
    where: STATION = HERE,
) -> None:
    """Speak all ninety numbers and every phrase into clips; each is checked, and only what has
    changed is made again.

    Needs espeak-ng: sudo apt-get install espeak-ng libespeak-ng1. With --all each language is
    spoken by the maker of its pack that ships, which must be installed.

    Example: loto voice build --lang it
    Example: loto voice build --all --form ogg --out voices
    """
    from drivers.voice.makers import find_maker
    from drivers.voice.render import faults

    result: dict[str, Any] = {}
    wrong: list[Exception] = []
    for language in languages() if every else [lang or where.settings().hall.language]:
        texts = where.wording(language).clips(style)
        folder = target or built_folder(where.state_folder, language)
        folder = folder / language if target and every else folder
        name = maker or (shipped_maker(language) if every else USUAL_MAKER)
        speakers = [find_maker(name, language, model)]
        if name == USUAL_MAKER:
            speakers.append(find_maker("espeak-ng", language))  # the same voice without pyttsx3
        made = _render(texts, folder, language, speakers, style, form)
        rows = [ClipRow.of(one.name, one.text, one.clip, one.fault) for one in made]
        kept = sum(one.kept for one in made)
        clips = [asdict(row) for row in rows]
        result[language] = {"folder": str(folder), "kept": kept, "clips": clips}
        if not as_json:
            _print_rows(rows, whole=not every)
            out.print(
                tr(
                    "{folder}: {summary}; {made} made, {kept} kept",
                    folder=folder,
                    summary=_summary(rows),
                    made=len(made) - kept,
                    kept=kept,
                )
            )
        if (fault := faults(folder, made)) is not None:
            wrong.append(fault)
    give_to_owner(where.state_folder)
    if as_json:
        print_json(result)
    if wrong:
        raise wrong[0]


def _render(
    texts: Mapping[str, str], folder: Path, language: str, speakers: Any, style: str, form: Any
) -> Any:
    from drivers.voice.render import render

    def given_up(maker: Maker, after: Maker | None) -> None:
        late = tr("{maker} gave no answer three times in a row", maker=maker.name)
        rest = tr("{maker} speaks the rest", maker=after.name) if after else tr("no other is left")
        err.print(f"{late}: {rest}")

    with bar(BarColumn(), MofNCompleteColumn()) as progress:
        task = progress.add_task(language, total=len(texts) + 1)
        done = lambda _: progress.advance(task)  # noqa: E731 - one line
        return render(texts, folder, language, speakers, style, form, done, given_up)


@dataclass(frozen=True)
class ClipRow:
    """A clip in the table."""

    clip: str
    text: str
    milliseconds: int = 0
    peak: float = 0.0
    loudness_db: float = 0.0
    fault: str = ""

    @classmethod
    def of(cls, name: str, text: str, clip: Clip | None, fault: str) -> ClipRow:
        """Return the row of a clip; without one there is nothing measured."""
        if clip is None:
            return cls(name, text, fault=fault)
        return cls(name, text, clip.duration_ms, clip.peak, clip.loudness_db, fault)


def _print_rows(rows: Sequence[ClipRow], *, whole: bool) -> None:
    table = Table(*heads("clip", "text", "ms", "peak", "LUFS", "fault"))
    for row in sorted(rows, key=lambda row: not row.fault):
        if whole or row.fault:
            figures = (str(row.milliseconds), f"{row.peak:.2f}", f"{row.loudness_db:.1f}")
            table.add_row(row.clip, row.text, *figures, row.fault)
    if table.row_count:
        out.print(table)


def _summary(rows: Sequence[ClipRow]) -> str:
    good = [row for row in rows if not row.fault]
    numbers = [row.milliseconds for row in good if row.clip.startswith("number.")]
    levels = [row.loudness_db for row in good if row.clip != "chime"]
    loudness = (
        tr("loudness {least:.1f} to {most:.1f} LUFS", least=min(levels), most=max(levels))
        if levels
        else tr("no loudness")
    )
    faults = len(rows) - len(good)
    faulty = number_of(faults, "fault") if faults else tr("all good")
    return tr(
        "{clips}, {faulty}, the longest number {longest} ms, {loudness}",
        clips=number_of(len(good), "clip"),
        faulty=faulty,
        longest=max(numbers, default=0),
        loudness=loudness,
    )


@commands.command("check")
def voice_check(
    folder: Annotated[Path | None, argument("The pack; by default the one that is heard.")] = None,
    lang: LANG = None,
    every: Annotated[bool, option("The packs that ship, of every language.", "--all")] = False,
    style: Annotated[
        PackStyle, option("plain, or sayings: the traditional calls must be there, too.")
    ] = "sayings",
    as_json: JSON = False,
    where: STATION = HERE,
) -> None:
    """Check a voice pack: every clip is there, whole, and of a length and loudness that can be.

    Example: loto voice check
    Example: loto voice check --all
    """
    from drivers.voice.pack import VoicePack
    from drivers.voice.render import fault_of

    result: dict[str, Any] = {}
    for language in languages() if every else [lang or where.settings().hall.language]:
        packs = [VOICES / language] if every else pack_folders(where.state_folder, language)
        place = folder or (packs[0] if packs else VOICES / language)
        pack = VoicePack.load(place)
        rows = [
            ClipRow.of(name, clip.text, clip, fault_of(name, clip))
            for name, clip in pack.clips.items()
        ]
        texts = where.wording(language).clips(style)
        spoken = {name: clip.text for name, clip in pack.clips.items()}
        faults = pack.check(texts)
        faults += [
            tr(
                "clip {name} says {spoken!r}, not {wanted!r}",
                name=name,
                spoken=spoken[name],
                wanted=text,
            )
            for name, text in to_make(texts, spoken).items()
            if name in spoken
        ]
        faults += [
            tr("clip {clip}: {fault}", clip=row.clip, fault=row.fault) for row in rows if row.fault
        ]
        if every and not (pack.manifest.source and pack.manifest.licence):
            why = tr("the manifest does not say where the voice is from, and its licence")
            faults.append(why)
        clips = [asdict(row) for row in rows]
        result[language] = {"folder": str(place), "faults": faults, "clips": clips}
        if not as_json:
            for fault in faults:
                out.print(fault)
            out.print(f"{place}: {_summary(rows)}")
    if as_json:
        print_json(result)
    found = ((one["folder"], len(one["faults"])) for one in result.values())
    if wrong := [f"{folder}: {number_of(faults, 'fault')}" for folder, faults in found if faults]:
        raise Damaged(
            tr("{faults}: build the pack again (./loto voice build)", faults="; ".join(wrong))
        )


# -- compare ---------------------------------------------------------------------------------------

COMPARED = ("number.13", "number.30", "number.42", "number.88", "saying.22", "valid", "good-night")


@commands.command("compare")
def voice_compare(
    page: Annotated[Path, argument("The page to write.")] = Path("voices.html"),
    lang: LANG = None,
    model: Annotated[
        Path | None, option("A model of piper-tts that takes part, too.", "--model")
    ] = None,
    where: STATION = HERE,
) -> None:
    """Write a page on which the makers that are installed are compared by ear: the same words by
    each, as the hall would hear them. It needs no network.

    Example: loto voice compare voices.html --lang en
    """
    from drivers.voice.makers import MAKERS, find_maker, is_there
    from drivers.voice.pack import BadPack
    from drivers.voice.render import said

    wording = where.wording(lang)
    texts = wording.clips("sayings")
    words = {name: texts[name] for name in COMPARED if name in texts}
    rows = [_row("th", ("", tr("licence"), *map(escape, words.values())))]
    for name in MAKERS:
        if name == FALL_BACK or not is_there(name, wording.code, model):
            continue
        maker = find_maker(name, wording.code, model)
        cells = [escape(maker.about), escape(maker.licence)]
        for clip, text in words.items():
            try:
                cells.append(_sound(said(clip, text, [maker])))
            except BadPack as error:
                cells.append(escape(str(error)))
        rows.append(_row("td", cells))
        out.print(f"{maker.about}: {number_of(len(words), 'clip')}")
    head = f'<!doctype html><html lang="{wording.code}"><meta charset="utf-8">'
    head += f"<title>{escape(wording.name)}</title>"
    page.write_text(f"{head}<table>{''.join(rows)}</table></html>\n", encoding="utf-8")
    out.print(tr("{page}: open it in a browser, and listen", page=page))


def _row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{cell}</{kind}>' for cell in cells)}</tr>"


def _sound(samples: Samples) -> str:
    from drivers.voice.sound import to_wav

    data = b64encode(to_wav(samples)).decode()
    return f'<audio controls preload="none" src="data:audio/wav;base64,{data}"></audio>'


# -- record ----------------------------------------------------------------------------------------


@commands.command("record")
def voice_record(
    folder: Annotated[
        Path, argument("Your recordings; go on where you stopped by naming it again.")
    ],
    lang: LANG = None,
    phrases: Annotated[bool, option("The phrases too, after the numbers.", "--phrases")] = False,
    again: Annotated[
        list[str] | None, option("Only this clip, once more: 42, or stop.", "--again")
    ] = None,
    device: Annotated[str, option("The microphone, as arecord -L lists it.")] = "",
    where: STATION = HERE,
) -> None:
    """Record your own voice: read aloud what is shown; each clip is listened to, and asked for
    again if it is not good.

    Needs a microphone and arecord: sudo apt-get install alsa-utils. Then set own_voice under
    [calling] to the folder.

    Example: loto voice record my-voice --lang en
    Example: loto voice record my-voice --again 42 --again stop
    """
    from drivers.voice.render import Arecord, Recorder

    wording = where.wording(lang)
    texts = wording.clips()
    recorder = Recorder(folder, wording.code, texts, Arecord(device))
    if again:
        wanted = [clip_named(word, texts) for word in again]
    else:
        wanted = [clip for clip in recorder.missing() if phrases or clip.startswith("number.")]
    left = guide(recorder, wanted, texts)
    todo = sum(clip.startswith("number.") for clip in recorder.missing())
    done = sum(clip.startswith("number.") for clip in texts) - todo
    recorded = tr("{done} of {all} numbers are recorded", done=done, all=KNOBS)
    out.print(
        tr(
            "{folder}: {recorded}; all others are heard from the voice pack",
            folder=folder,
            recorded=recorded,
        )
    )
    raise typer.Exit(EXIT_NO if left else 0)


def clip_named(word: str, texts: Mapping[str, str]) -> str:
    """Return the clip that a person means: 42 is number.42.

    Raises:
        Unreadable: there is none.
    """
    clip = f"number.{int(word)}" if word.isdecimal() else word
    if clip not in texts:
        raise Unreadable(
            tr(
                "there is no clip {word!r}: a number from 1 to {last}, or a phrase such as stop",
                word=word,
                last=KNOBS,
            )
        )
    return clip


def guide(recorder: Recorder, wanted: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """Lead a person through the clips; return those that are still to be done."""
    from drivers.voice.pack import BadPack

    out.print(
        tr("Enter: record. b: the one before again. s: leave this one out. q: enough for now.")
    )
    skipped: list[str] = []
    place = 0
    while place < len(wanted):
        clip = wanted[place]
        name = clip.removeprefix("number.")
        line = tr(
            "[{place} of {count}]  {name}:  {said}",
            place=place + 1,
            count=len(wanted),
            name=name,
            said=texts[clip],
        )
        said = typer.prompt(line, default="", show_default=False, prompt_suffix=" ")
        match str(said).strip().lower():
            case "q":
                return [*skipped, *wanted[place:]]
            case "b":
                place = max(0, place - 1)
            case "s":
                skipped.append(clip)
                place += 1
            case "":
                out.print(f"  {tr('now ({seconds:.1f} s) …', seconds=recorder.seconds(clip))}")
                try:
                    taken = recorder.take(clip)
                except BadPack as error:
                    out.print(f"  {tr('once more: {error}', error=error)}")
                else:
                    seconds = taken.duration_ms / 1000
                    good = tr(
                        "good: {seconds:.1f} s, {loudness:.0f} LUFS",
                        seconds=seconds,
                        loudness=taken.loudness_db,
                    )
                    out.print(f"  {good}")
                    place += 1
            case other:
                out.print(f"  {tr('{answer!r} is not Enter, b, s or q', answer=other)}")
    return skipped


# -- hear ------------------------------------------------------------------------------------------


@commands.command("test", says=True)
def voice_test(
    numbers: Annotated[
        list[int] | None, argument("The numbers to call; by default a test word.")
    ] = None,
    lang: LANG = None,
    style: Annotated[
        Style | None, option("plain, digits, sayings or double; else the settings'.")
    ] = None,
    phrases: Annotated[
        list[str] | None, option("A phrase, after the numbers: stop.", "--say")
    ] = None,
    own: Annotated[
        Path | None, option("A folder of your own recordings; else the settings'.")
    ] = None,
    device: Annotated[str | None, option("The output, as loto voice outputs lists it.")] = None,
    volume: Annotated[float | None, option("0 to 1; else the settings'.", min=0, max=1)] = None,
    where: STATION = HERE,
) -> None:
    """Hear the voice: numbers and phrases as the hall will hear them, on the output that is set.

    Example: loto voice test
    Example: loto voice test 42 88 --style sayings --lang en
    """
    settings = where.settings()
    language = lang or settings.hall.language
    own = own or settings.calling.own_voice
    folders = voice_folders(where.state_folder, language, own)
    clips = clips_in(folders)
    if wrong := [number for number in numbers or () if not 1 <= number <= KNOBS]:
        raise Unreadable(
            tr("{numbers}: knobs are 1 to {last}", numbers=number_list(wrong), last=KNOBS)
        )
    wording, style = where.wording(language), style or settings.calling.style
    said = [
        ("chime",) if style is Style.CHIME else number_clips(number, style, sayings_in(clips))
        for number in numbers or ()
    ]
    said += [(clip_named(word, wording.clips()),) for word in phrases or ()]
    if lacking(wording, style, folders).keys() & {f"saying.{number}" for number in numbers or ()}:
        build = f"./loto voice build --lang {language}"
        out.print(tr("The voice has not these words yet: {command}", command=build))
    options = {**_speech(settings), **given(device=device, volume=volume)}
    heard = _play(said or [(TEST_WORD,)], _options(options, where, language, own))
    raise typer.Exit(0 if heard else EXIT_DEVICE)


def _speech(settings: Settings) -> dict[str, Any]:
    """Return the settings of the voice's driver."""
    found = settings.devices.get("speech", {})
    return {key: value for key, value in found.items() if key != "driver"}


def _options(
    options: Mapping[str, Any], where: Where, language: str, own: Path | None
) -> dict[str, Any]:
    filled = voice_options(options, where.state_folder, language, own, names=False)
    if filled is None:
        raise BadOption(no_voice(where.wording(language)))
    return filled


def _play(announcements: Sequence[tuple[str, ...]], options: Mapping[str, Any]) -> bool:
    """Say all announcements; return whether all were heard. Troubles are printed."""
    from drivers.voice.speech import Speech

    quiet_drivers()
    events: queue.Queue[Event] = queue.Queue()
    voice = Speech(**options)
    device = options.get("device")
    out.print(
        tr("on the output {device!r}", device=device)
        if device
        else tr("on the system's own output")
    )
    voice.open(events.put)
    try:
        for token, clips in enumerate(announcements):
            out.print(f"  {' '.join(clips)}")
            voice.say(clips, token, Rank.NUMBER)
            if not _heard(events):
                return False
    finally:
        voice.close()
    return True


def _heard(events: queue.Queue[Event]) -> bool:
    """Return whether an announcement was heard; print troubles, also one that comes after it."""
    heard = None
    while True:
        try:
            event = events.get(timeout=SAID_LIMIT_S if heard is None else WHY_LIMIT_S)
        except queue.Empty:
            return False
        if isinstance(event, SoundEnded):
            if event.heard:
                return True
            heard = False
        elif isinstance(event, DeviceLost):
            out.print(f"  {event.reason}")
            if heard is False:
                return False


@commands.command("outputs")
def voice_outputs(
    test: Annotated[bool, option("Say a test word on each, one after another.", "--test")] = False,
    as_json: JSON = False,
    lang: LANG = None,
    where: STATION = HERE,
) -> None:
    """List the sound outputs of this machine; a name goes into the settings as device under
    [devices.speech].

    Example: loto voice outputs
    Example: loto voice outputs --test
    """
    from drivers.voice.outputs import sound_outputs

    settings = where.settings()
    options = _speech(settings)
    found = sound_outputs(options.get("audio", {}))
    if as_json:
        print_json({"driver": found.driver, "outputs": found.names})
        return
    told = tr("sound goes by {driver}", driver=found.driver)
    none = tr("{told}; it has no outputs to choose from", told=told)
    out.print(told if found.names else none)
    good = True
    for name in found.names:
        out.print(f"  {name}")
        if test:
            own, language = settings.calling.own_voice, lang or settings.hall.language
            named = _options({**options, "device": name}, where, language, own)
            good &= _play([(TEST_WORD,)], named)
    raise typer.Exit(0 if good else EXIT_DEVICE)
