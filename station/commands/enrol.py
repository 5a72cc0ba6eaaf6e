"""Define `loto enrol`, which teaches the station its knobs and playing cards."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID

from drivers import DriverError
from station.base.disk import give_to_owner
from station.base.errors import EXIT_DONE, EXIT_NO, SettingsError, Unreadable
from station.base.nouns import KNOBS, number_list
from station.base.said import Sentence
from station.base.terminal import bar, out
from station.base.tongue import tr
from station.commands.options import HERE, STATION, Commands, option, refuse_unused
from station.commands.tools import Where, language, quiet_drivers
from station.core.enrolment import Enrolment, hear_lines, open_readers, simulated_readers
from station.record.nights import StateFolder
from station.settings import tags
from station.settings.readers import is_reader
from station.settings.teaching import (
    TaughtCard,
    TaughtKnob,
    TaughtSpare,
    Teaching,
    missing_knobs,
    name_of,
)
from station.settings.voices import voice_options
from station.wire.wording import load_wording, shipped_for
from station.wire.wording.refusals import load_refusals

commands = Commands()
READER = "devices.reader"
# What is taught, or done in its place, and the options that then have an effect.
FIT: Mapping[str, frozenset[str]] = {
    "--check": frozenset(),
    "--pack": frozenset({"--card", "--short"}),
    "--spare": frozenset({"--card", "--short"}),  # these two are refused without --pack
    "--from": frozenset({"--tags", "--card", "--short"}),
}


@commands.command(says=True)
def enrol(
    where: STATION = HERE,
    knob: Annotated[
        int | None, option("Only this knob: one tag more, or a spare.", min=1, max=KNOBS)
    ] = None,
    redo: Annotated[bool, option("With --knob: forget the tags that it had.", "--redo")] = False,
    count: Annotated[int, option("How many tags each knob has.", "--tags", min=1, max=4)] = 1,
    spare: Annotated[
        bool, option("Teach spare knobs; --knob gives one its number later.", "--spare")
    ] = False,
    pack: Annotated[
        str | None, option("A pack of playing cards of that name, in place of knobs.")
    ] = None,
    short: Annotated[bool, option("With --pack: 32 cards, seven to ace.", "--short")] = False,
    card: Annotated[str | None, option("With --pack: its tag was changed; 5H, 10S, KD.")] = None,
    onward: Annotated[
        int | None,
        option(
            "Forget the knobs from this one on, and teach them anew.", "--from", min=1, max=KNOBS
        ),
    ] = None,
    check: Annotated[
        bool, option("Say which number each knob has; nothing is changed.", "--check")
    ] = False,
    wait: Annotated[float, option("Seconds to wait for a knob before giving up.", min=1)] = 120.0,
) -> None:
    """Teach the station its knobs, or a pack of playing cards: lay each on a reader when asked.
    Begin again where you stopped at any time.

    A tag is taken when it was heard twice: a reader that repeats needs a moment, one that sends a
    tag once needs it laid twice. At the end three knobs are laid again. Type u and Enter to take
    back the last one.

    The station must not be running: stop it first. A night in which something has happened
    keeps the table that it began with.

    Example: loto enrol --profile rfid
    Example: loto enrol --tags 2                      (a tag on either side of each knob)
    Example: loto enrol --spare --wait 20             (spares, one after the other)
    Example: loto enrol --knob 37                     (lay a spare: it is 37 from now on)
    Example: loto enrol --knob 37 --redo              (its tag was changed)
    Example: loto enrol --check --wait 20             (which number each knob has)
    Example: loto enrol --from 31                     (from 31 on the numbers were wrong)
    Example: loto enrol --pack blue                   (52 playing cards, one after the other)
    """
    if redo and knob is None:
        raise Unreadable(tr("--redo is for one knob: add --knob and its number"))
    _refuse_together(
        {
            "--check": check,
            "--pack": pack is not None,
            "--spare": spare,
            "--from": onward,
            "--knob": knob,
            "--redo": redo,
            "--tags": count > 1,
            "--card": card is not None,
            "--short": short,
        }
    )
    faces = tags.wanted_cards(pack, card, short=short)
    devices = {str(device): table for device, table in where.settings().devices.items()}
    if not any(is_reader(device) for device in devices):
        raise SettingsError(READER, [tr("these settings have no reader: choose --profile rfid")])
    if simulated_readers(devices):
        raise SettingsError(
            READER, [tr("the simulated knobs are known already: choose --profile rfid")]
        )
    folder = StateFolder(where.state_folder)
    quiet_drivers()
    try:
        with (
            open_readers(devices) as events,
            _voice(where) as speak,
            bar(BarColumn(), on=out) as shown,
        ):
            table = tags.load_table(where.state_folder)
            desk = EnrolView(shown, shown.add_task("", total=None))
            enrolment = Enrolment(
                events,
                lambda kept: tags.save_tags(where.state_folder, kept.tags, kept.spares, kept.packs),
                out.print,
                wait,
                speak,
                desk.show,
                tell=_written,
            )
            typed = (sys.stdin or (), events.put)
            threading.Thread(target=hear_lines, args=typed, daemon=True).start()
            if check:
                desk.ask(tr("lay any knobs on the reader, one after the other"))
                enrolment.name_all(table, lambda tag: _told(table, tag))
                return
            if pack is not None:
                lesson = _cards(table, pack, faces, anew=card is not None)
            elif spare:
                lesson = Teaching(table, (TaughtSpare(),))
            elif knob is not None:
                have = [*table.tags.values()].count(knob)
                lesson = Teaching(table, (TaughtKnob(knob, count if redo else have + 1, redo),))
            else:
                table = _without(table, onward) if onward is not None else table
                wanted = missing_knobs(table, count, KNOBS)
                lesson = Teaching(table, tuple(TaughtKnob(number, count) for number in wanted))
            lesson = enrolment.run(lesson)
            if spare:
                out.print(
                    tr("1 spare enrolled.")
                    if lesson.count == 1
                    else tr("{count} spares enrolled.", count=lesson.count)
                )
                return
            result = _ended(enrolment, lesson, wait, pack)
    finally:
        folder.close()
        give_to_owner(where.state_folder)
    raise typer.Exit(result)


@dataclass
class EnrolView:
    """What the person at the readers sees: what is asked for, and how far it is. Where nothing can
    be drawn over, as in a file, each question is a line."""

    shown: Progress
    task: TaskID
    asked: str = ""

    def ask(self, text: str) -> None:
        """Show what is asked for."""
        self.shown.update(self.task, description=text)
        if text not in ("", self.asked) and not self.shown.console.is_terminal:
            out.print(text)
        self.asked = text

    def show(self, lesson: Teaching, again: bool) -> None:
        """Show what the lesson asks for; `again` where it was heard only once."""
        asked = lesson.asks
        if isinstance(asked, TaughtSpare):
            text = tr("lay the spares on the reader, one after the other")
        elif asked is None:
            text = ""
        elif lesson.checking:
            text = tr("to check: lay {thing} on the reader once more", thing=name_of(asked))
        else:
            text = (
                tr("lay the {card} on the reader", card=asked.name)
                if isinstance(asked, TaughtCard)
                else tr("lay knob {number} on the reader", number=asked.number)
            )
            done = len(lesson.taught)
            self.shown.update(self.task, completed=done, total=done + len(lesson.wanted))
        heard_once = tr("heard once: lift it, and lay it there again")
        self.ask(f"{text} ({heard_once})" if again else text)


def _written(sentence: Sentence) -> str:
    """Return a sentence in the language of this terminal."""
    return sentence.told(load_refusals(language()) if language() else {}, program=out.program)


def _told(table: tags.TagTable, tag: int) -> str:
    """Return what a tag sits in, as a sentence."""
    if tag in table.cards:
        pack, face = table.cards[tag]
        return tr("{face} of the pack {pack}", face=face, pack=pack)
    knob = table.knobs.get(tag)
    if knob is not None:
        return tr("knob {number}", number=knob)
    return tr("a spare") if tag in table.spares else tr("not known")


def _without(table: tags.TagTable, first: int) -> tags.TagTable:
    """Return the table without the knobs from this one on; spares that stood in go back."""
    kept = {tag: knob for tag, knob in table.tags.items() if knob < first}
    spares = {tag: knob if knob < first else 0 for tag, knob in table.spares.items()}
    return replace(table, tags=kept, spares=spares)


def _cards(table: tags.TagTable, pack: str, faces: tuple[str, ...], *, anew: bool) -> Teaching:
    """Return the lesson for the cards of a pack that have no tag, or for one anew."""
    wording = load_wording(shipped_for(language()))
    known = table.packs.get(pack, {}).values()
    wanted = [face for face in faces if anew or face not in known]
    return Teaching(
        table, tuple(TaughtCard(pack, face, wording.card(face), anew) for face in wanted)
    )


def _ended(enrolment: Enrolment, lesson: Teaching, wait: float, pack: str | None) -> int:
    """Have some things laid again, say how it ended; return the command's result."""
    asked = lesson.asks
    if asked is None:
        lesson = enrolment.run(lesson.check())
        if lesson.asks is not None:
            out.print(tr("Not checked. To check: ./loto enrol --check"))
    elif isinstance(asked, TaughtCard):
        out.print(tr("no card came: type the same again to go on with the {card}", card=asked.name))
    elif isinstance(asked, TaughtKnob):
        again = tr("type the same again to go on with knob {number}", number=asked.number)
        out.print(tr("no knob came within {seconds:.0f} s; {again}", seconds=wait, again=again))
    if pack is not None:
        done = asked is None and not lesson.wrong
        if asked is None:
            count = lesson.count
            out.print(tr("the pack {pack}: {count} cards enrolled now", pack=pack, count=count))
        return EXIT_DONE if done else EXIT_NO
    missing = tags.missing_knobs(lesson.table.knobs)
    still = (
        tr("still missing: {missing}", missing=number_list(missing))
        if missing
        else tr("ninety of ninety.")
    )
    out.print(tr("{count} enrolled; {still}", count=lesson.count, still=still))
    wrong = bool(lesson.wrong)
    if lesson.count > 1 and not missing and not wrong:
        out.print(tr("Is a knob left over? Then lay it on the reader; if not, press Enter."))
        wrong = sys.stdin.isatty() and enrolment.left_over(lesson.table)
    if wrong:
        out.print(
            tr(
                "Some number has another knob's tag. Find the first one with: ./loto enrol --check"
                " (lay the knobs in order, and compare). Then teach the rest anew, for example:"
                " ./loto enrol --from 31"
            )
        )
    return EXIT_NO if missing or wrong or asked is not None else EXIT_DONE


@contextmanager
def _voice(where: Where) -> Iterator[Callable[[tuple[str, ...]], None]]:
    """Yield what says clips aloud; without a voice nothing is said."""
    from drivers.voice.speech import Speech

    settings = where.settings()
    table = settings.devices.get("speech")
    driver = (table or {}).get("driver", "speech")
    options = {name: value for name, value in (table or {}).items() if name != "driver"}
    own, code = settings.calling.own_voice, settings.hall.language
    filled = voice_options(options, where.state_folder, code, own, names=False)
    if table is None or filled is None or driver != "speech":
        yield lambda clips: None
        return
    voice = Speech(**filled)
    try:
        voice.open(lambda event: None)
    except DriverError:
        yield lambda clips: None
        return
    try:
        yield lambda clips: voice.say(clips, 0)
    finally:
        voice.close()


def _refuse_together(given: Mapping[str, object]) -> None:
    """Check that no option was given that has no effect beside another one.

    Args:
        given: by option, what was given; what is false or empty was not.
    """
    for chosen, fit in FIT.items():
        if given[chosen]:
            for name, value in given.items():
                if value and name != chosen and name not in fit:
                    what = tr(
                        "{option} has no effect with {other}: leave one of them out",
                        option=name,
                        other=chosen,
                    )
                    raise SettingsError("enrol", [what])
            return
    if given["--knob"] and not given["--redo"]:
        refuse_unused("enrol", {"--tags": given["--tags"]}, "--redo")
