"""Make a paper in a process of its own, as the core orders it: the journal is read and the pages
are laid out beside the calling, never in its way.

    python -m station.commands.papers

The order is a line of JSON on the standard input. What comes out is lines of JSON: how far it is,
then `{"size": N}` and the N bytes of the paper; or `{"fault": …}`, a sentence.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from station.base.catalogues import speak_as_the_hall
from station.base.errors import LotoError, StoreError, Unreadable
from station.base.tongue import tr
from station.base.untrusted import json_from
from station.core.papers import MOST_BYTES, PaperOrder, Progress
from station.record.proof import make_grown, make_proof

LIMIT_S = 900.0  # five hundred nights are verified on a Pi in less
LONGEST_ORDER = 16 * 1024
LOWEST = 19  # of the priorities of a process
FIRST_TO_END = "900"  # when memory runs out; the core is the last
NIGHTS = "nights"
BOOKS = ("sellers", "payments", "corrections", "sleepers")
MOST_ROWS = 500  # of one table of the books: the newest
_ORDERS = TypeAdapter(PaperOrder)


# -- the core's half -------------------------------------------------------------------------------


async def make_apart(order: PaperOrder, progress: Progress) -> bytes:
    """Return a paper that another process makes.

    Raises:
        LotoError: it cannot be made; says why.
    """
    folders = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    search = os.pathsep.join(folders).rstrip(os.pathsep)
    try:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "station.commands.papers"),
            env={**os.environ, "PYTHONPATH": search},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
    except OSError as error:
        raise StoreError(
            tr("the paper cannot be made ({why}): try again", why=error.strerror)
        ) from error
    assert child.stdin is not None  # noqa: S101 - asked for in the lines above
    assert child.stdout is not None  # noqa: S101
    try:
        async with asyncio.timeout(LIMIT_S):
            child.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
            return await _heard(child.stdout, progress)
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        why = tr("the paper was not finished ({why})", why=type(error).__name__)
        raise StoreError(
            tr("{why}: make it on the station, with ./loto report", why=why)
        ) from error
    finally:
        child.stdin.close()
        if child.returncode is None:
            with suppress(ProcessLookupError):
                child.kill()
        await child.wait()


async def _heard(child: asyncio.StreamReader, progress: Progress) -> bytes:
    """Return the paper that the other process makes.

    Raises:
        IncompleteReadError: it ended before.
    """
    while line := await child.readline():
        match json_from(line):
            case {"size": int(size)}:
                return await child.readexactly(size)
            case {"fault": str(fault)}:
                raise Unreadable(fault)
            case {"step": str(step), "done": int(done), "of": int(of)}:
                progress(step, done, of)
    raise asyncio.IncompleteReadError(b"", None)


# -- the other half --------------------------------------------------------------------------------


def main() -> None:
    """Make the paper that is ordered on the standard input."""
    os.nice(LOWEST)
    with suppress(OSError):  # where the system has no such thing
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END, encoding="ascii")
    told = ""

    def progress(step: str, done: int, of: int) -> None:
        nonlocal told
        percent = f"{step} {100 * done // max(of, 1)}"
        if percent != told:
            told = percent
            _tell({"step": step, "done": done, "of": of})

    try:
        order = _ORDERS.validate_python(json_from(sys.stdin.buffer.readline(LONGEST_ORDER)))
        data = paper_of(order, progress)
        if len(data) > MOST_BYTES:
            raise Unreadable(
                tr("the paper is too large: make it on the station, with ./loto report")
            )
    except LotoError as error:
        _tell({"fault": str(error)})
    else:
        _tell({"size": len(data)})
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _tell(what: Mapping[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(what).encode() + b"\n")
    sys.stdout.buffer.flush()


def paper_of(order: PaperOrder, progress: Progress) -> bytes:
    """Return a paper.

    Raises:
        LotoError: the journal is damaged; there is no such night; the card has won nothing.
    """
    from station.paper.reports.report import make_report
    from station.paper.reports.report_source import read_one_night, read_source
    from station.views.money_text import Currency
    from station.wire.wording import hall_wording

    folder = Path(order.folder)
    if order.paper == "proof":
        return make_proof(folder, order.night, order.game or 1, order.head, order.key)
    if order.paper == "grown":
        return make_grown(folder, order.night, order.small, order.size)
    wording, _ = hall_wording(order.language, Path(order.words))
    speak_as_the_hall(wording.base)
    if order.paper == "books":
        night = folder / NIGHTS / f"{order.night:04d}"
        return _books(make_report(read_one_night(night), wording, "en").tables, order.night)

    def verified(done: int, of: int) -> None:
        progress("verify", done, of)

    def laid_out(done: int, of: int) -> None:
        progress("print", done, of)

    report = make_report(read_source(folder, order.night, verified), wording)
    currency = Currency(order.sign, order.decimals)
    if order.paper == "receipt":
        from station.paper.prints.receipts import find_receipt, print_receipt

        found = find_receipt(report, str(order.serial), order.game)
        return print_receipt(found, currency, order.hall, order.pages)
    from station.paper.prints.report_paper import print_report

    return print_report(report, currency, order.hall, progress=laid_out, pages=order.pages)


def _books(tables: Mapping[str, Any], night: int) -> bytes:
    """Return what a treasurer's page shows of the record."""
    books = {
        key: {"rows": tables[key].data()[-MOST_ROWS:], "of": len(tables[key].rows)} for key in BOOKS
    }
    return json.dumps({"night": night, **books}).encode()


if __name__ == "__main__":
    main()
