"""Define `loto enrol`, which teaches the station its knobs and playing cards."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.progress import BarColumn, Progress

from station.base.disk import give_to_owner
from station.base.errors import EXIT_DONE, EXIT_NO, SettingsError, Unreadable
from station.base.nouns import KNOBS, number_list
from station.base.terminal import bar, out
from station.base.tongue import tr
from station.core.enrolment import Enrolment, open_readers, simulated_readers
from station.orders.options import HERE, STATION, Commands, option
from station.orders.tools import language, quiet_drivers
from station.record.nights import StateFolder
from station.settings import tags
from station.settings.readers import is_reader
from station.wire.wording import load_wording, shipped_for

commands = Commands()
READER = "devices.reader"


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
    wait: Annotated[float, option("Seconds to wait for a knob before giving up.", min=1)] = 120.0,
) -> None:
    """Teach the station its knobs, or a pack of playing cards: lay each on a reader when asked.
    Begin again where you stopped at any time.

    The station must not be running: stop it first. A night that is open keeps the table that it
    began with.

    Example: loto enrol --profile rfid
    Example: loto enrol --tags 2                      (a tag on either side of each knob)
    Example: loto enrol --spare --wait 20             (spares, one after the other)
    Example: loto enrol --knob 37                     (lay a spare: it is 37 from now on)
    Example: loto enrol --knob 37 --redo              (its tag was changed)
    Example: loto enrol --pack blue                   (52 playing cards, one after the other)
    """
    if redo and knob is None:
        raise Unreadable(tr("--redo is for one knob: add --knob and its number"))
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
        with open_readers(devices) as events, bar(BarColumn(), on=out) as shown:
            table = tags.load_table(where.state_folder)
            save = lambda kept: tags.save_tags(  # noqa: E731 - one line
                where.state_folder, kept.tags, kept.spares, kept.packs
            )
            enrolment = Enrolment(table, events, save, out.print, wait)
            if pack is not None:
                raise typer.Exit(_pack(enrolment, pack, faces, shown, anew=card is not None))
            if spare:
                shown.add_task(tr("lay the spares on the reader, one after the other"), total=None)
                found = enrolment.spares()
                out.print(
                    tr("1 spare enrolled.")
                    if found == 1
                    else tr("{count} spares enrolled.", count=found)
                )
                return
            if knob is not None:
                shown.add_task(tr("lay knob {knob} on the reader", knob=knob), total=None)
                wanted = count if redo else enrolment.tags_of(knob) + 1
                enrolled = int(enrolment.knob(knob, wanted, redo=redo))
            else:
                enrolled = _all(enrolment, count, shown, wait)
    finally:
        folder.close()
        give_to_owner(where.state_folder)
    missing = tags.missing_knobs(enrolment.table.knobs)
    still = (
        tr("still missing: {missing}", missing=number_list(missing))
        if missing
        else tr("ninety of ninety.")
    )
    out.print(tr("{count} enrolled; {still}", count=enrolled, still=still))
    raise typer.Exit(EXIT_NO if missing or (knob is not None and not enrolled) else 0)


def _all(enrolment: Enrolment, count: int, shown: Progress, wait: float) -> int:
    """Enrol every knob that needs a tag; return how many got theirs."""
    missing = enrolment.missing(count)
    task = shown.add_task(tr("knobs"), total=len(missing))
    for done, number in enumerate(missing):
        shown.update(
            task, completed=done, description=tr("lay knob {number} on the reader", number=number)
        )
        if not enrolment.knob(number, count):
            again = tr("type the same again to go on with knob {number}", number=number)
            out.print(tr("no knob came within {seconds:.0f} s; {again}", seconds=wait, again=again))
            return done
    return len(missing)


def _pack(
    enrolment: Enrolment, pack: str, faces: tuple[str, ...], shown: Progress, *, anew: bool
) -> int:
    """Enrol the cards of a pack that have no tag, or one anew; return the command's result."""
    missing = faces if anew else enrolment.missing_cards(pack, faces)
    task, wording = (
        shown.add_task(tr("cards"), total=len(missing)),
        load_wording(shipped_for(language())),
    )
    for done, face in enumerate(missing):
        card = wording.card(face)
        asks = tr("lay the {card} on the reader", card=card)
        shown.update(task, completed=done, description=asks)
        if not enrolment.card(pack, face, redo=anew):
            out.print(tr("no card came: type the same again to go on with the {card}", card=card))
            return EXIT_NO
    out.print(tr("the pack {pack}: {count} cards enrolled now", pack=pack, count=len(missing)))
    return EXIT_DONE
