"""Define `loto journal`: verify, show, replay and export the journal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar

import typer

from station.base.errors import EXIT_NO, SettingsError, Unreadable
from station.base.said import PROGRAM
from station.base.terminal import json_text, out
from station.base.tongue import Tongue, key, number_of, tr
from station.base.typed import shown
from station.base.untrusted import MOST_JSON, named_bytes
from station.checkup.tail import what_was_done
from station.commands.options import HERE, JSON, NIGHTS, YES, Commands, option
from station.commands.tools import make_sure, print_json, progress_bar
from station.paper.reports.table_record import table_sentence
from station.record import audit
from station.record.folders import is_test
from station.record.forgotten import load_forgotten
from station.record.heads import TreeHead, parse_head, parse_heads, verifier_key
from station.record.journal import JournalContent
from station.record.station_key import load_public_key, parse_public_key
from station.record.tiles import LINES, write_tiles
from station.wire.wording.refusals import load_refusals

commands = Commands("journal", "Verify the journal, read it, copy it out.")

KEY: TypeAlias = Annotated[
    list[str] | None,
    option(
        "The public key that was written down: it must have signed every line. Else the folder's"
        " own is compared."
    ),
]
Begun = TypeVar("Begun")  # a night
# Of what is written of an act, what people ask for; all of it is in the JSON.
TOLD = {
    *("to", "seller", "by", "who", "why", "about", "name", "role", "words"),
    *("serial", "serials", "ranges", "numbers", "tickets", "games"),
    *("amount", "means", "account", "vouchers"),
}
PUBLISHED = key(
    "Whoever reads the tiles reads every line: buyers' and sellers' names, and every sum. What was"
    " published cannot be taken back."
)
UNSEEN = key(
    "No file here can show whether the newest nights, or the newest games, were taken away together"
    " with the heads that were kept: keep the last head that is printed here, and ask for it with"
    " --head."
)


def _begun(nights: list[Begun], folder: Path) -> list[Begun]:
    if not nights:
        raise Unreadable(tr("{folder}: no night has begun here", folder=folder))
    return nights


def _is_test(folder: Path, night: str) -> bool:
    return is_test(folder / "nights" / night)


def _named(folder: Path, night: str) -> str:
    """Return a night's name for a list; a TEST night is marked wherever it stands."""
    named = tr("night {night}", night=night)
    return tr("{named}, TEST", named=named) if _is_test(folder, night) else named


def parse_kept(text: str) -> tuple[str, int, str]:
    """Parse a head that was kept elsewhere: its night, its number of lines, its root.

    Raises:
        Unreadable: the text is no such head.
    """
    match = re.fullmatch(r"(\d+):(\d+):([0-9a-f]{64})", text)
    if match is None:
        raise Unreadable(
            tr("a head is written night:line:root, as verify prints it, not {head!r}", head=text)
        )
    return match[1], int(match[2]), match[3]


@commands.command("verify")
def journal_verify(
    where: NIGHTS = HERE,
    head: Annotated[
        str | None,
        option(
            "A head that was kept elsewhere, or a file with heads that screens showed: does the"
            " journal go on from there?"
        ),
    ] = None,
    key: KEY = None,
    as_json: JSON = False,
) -> None:
    """Verify that every night is there, and every line, the signatures, the bags and the copies.

    Exit code 0 whole, 4 damaged (what is named), 1 when a tail was cut off behind the head that was
    kept. Whether the rules lead to what is recorded: loto journal replay.

    Example: loto journal verify
    Example: loto journal verify --head 0003:212:9f86d0…
    Example: loto journal verify --head kept.txt
    Example: loto journal verify --key "3b6a27bc ceb6a42d …"
    """
    folder = where.nights
    keys = parse_keys(key)
    kept = parse_kept(head) if head is not None and not Path(head).is_file() else None
    shown = _read_heads(Path(head), keys, folder) if head is not None and kept is None else ()
    with progress_bar(tr("verifying")) as progress:
        nights = _begun(audit.verify(folder, keys, progress), folder)
    if as_json:
        print_json([_night_json(night, folder) for night in nights])
    else:
        for night in nights:
            named, lines = _named(folder, night.night), number_of(night.lines, "line")
            last = f"{night.night}:{night.head.seq}:{night.head.root}"
            tail = tr("; a torn tail of {torn} bytes waits to be put aside", torn=night.torn)
            told = tr(
                "{night}: {lines}, whole, signed by key {key}; head {head}",
                night=named,
                lines=lines,
                key=night.key[:16],
                head=last,
            )
            out.print(told + (tail if night.torn else ""))
        out.print(tr(UNSEEN))
    if kept is not None:
        _look_for(folder, kept, nights)
    if shown:
        _go_on_from(folder, shown, nights)


def _night_json(night: audit.AuditedNight, folder: Path) -> dict[str, Any]:
    return {
        "night": night.night,
        "lines": night.lines,
        "root": night.head.root,
        "torn_bytes": night.torn,
        "key": night.key,
        "test": _is_test(folder, night.night),
    }


def parse_keys(key: Iterable[str] | None) -> list[str]:
    """Parse the public keys that were typed.

    Raises:
        Unreadable: a text is no key.
    """
    return [parse_public_key(text) for text in key or ()]


def _look_for(state: Path, kept: tuple[str, int, str], nights: list[audit.AuditedNight]) -> None:
    name, seq, root = kept
    known = next((night for night in nights if night.night == name), None)
    if known is None or not audit.is_here(state, name, seq, root, known.lines):
        gone = tr("line {seq} with that root is not here", seq=seq)
        out.print(tr("night {name}: {gone}: a tail was cut off or rewritten", name=name, gone=gone))
        raise typer.Exit(EXIT_NO)
    out.print(tr("night {name}: line {seq} is here, as it was kept", name=name, seq=seq))


def _read_heads(path: Path, keys: Iterable[str], state: Path) -> tuple[TreeHead, ...]:
    """Return the heads in a file, each signed by one of the keys, or by the folder's own."""
    text = named_bytes(path, MOST_JSON).decode(errors="replace")
    known = [*keys] or [*filter(None, [load_public_key(state)])]
    try:
        heads = parse_heads(text)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from error
    for head in heads:
        if not head.signed_by_any(known):
            why = tr("the head of {lines} lines is not signed by this station", lines=head.size)
            raise Unreadable(f"{path}: {why}")
    return heads


def _go_on_from(state: Path, kept: Sequence[TreeHead], nights: list[audit.AuditedNight]) -> None:
    if found := audit.unlike(state, nights, kept):
        night, first, last = found
        lines = f"{first}" if first == last else f"{first}–{last}"
        gone = tr("line {lines} is gone, or is not the one that the station signed", lines=lines)
        out.print(f"{tr('night {night}', night=night)}: {gone}")
        raise typer.Exit(EXIT_NO)
    newest = max(kept, key=lambda head: (head.night, head.size))
    on = tr("the journal goes on from line {seq}, as it was kept", seq=newest.size)
    out.print(f"{tr('night {night}', night=newest.night)}: {on}")


@commands.command("tiles", says=True)
def journal_tiles(
    to: Annotated[Path, option("A folder, or one with earlier tiles of the night.", "--out")],
    where: NIGHTS = HERE,
    night: Annotated[int | None, option("Which night; the last by default.")] = None,
    lines: Annotated[
        bool, option("The lines too, with names and sums. Asks first.", "--lines")
    ] = False,
    yes: YES = False,
) -> dict[str, Any]:
    """Write a night's tree as tiles (c2sp.org/tlog-tiles), which other people's programs verify:
    hashes and a signed head, without names and money.

    Serve the folder from any web server. Anyone who has a line, from a game's proof or a copy, can
    use them to find that it is in the record.

    Example: loto journal tiles --out tiles --night 3
    """
    if lines and not yes:
        make_sure(tr(PUBLISHED), tr("Write them?"))
    folder = where.nights
    read = {int(path.name): (reading, one.key) for path, reading, one in audit.readings(folder)}
    chosen = night if night is not None else max(read, default=0)
    if chosen not in read:
        raise Unreadable(
            tr("{folder}: there is no night {night} here", folder=folder, night=chosen)
        )
    reading, public = read[chosen]
    head = parse_head(reading.head.note(public, chosen))
    write_tiles(to, reading, head, lines=lines)
    signer = verifier_key(head.origin, bytes.fromhex(public))
    count = number_of(head.size, "line")
    out.print(tr("{folder}: {lines} of night {night}", folder=to, lines=count, night=chosen))
    out.print(signer)
    if not lines and (to / "tile" / LINES).is_dir():
        out.print(tr("{folder} has lines with names: remove it", folder=to / "tile" / LINES))
    return {"origin": head.origin, "size": head.size, "key": signer}


@commands.command("replay")
def journal_replay(where: NIGHTS = HERE, key: KEY = None, as_json: JSON = False) -> None:
    """Play every night again, line by line: do the rules lead to the states, prizes and balances
    that were recorded?

    Exit code 0 yes, 4 no (file and line are named), 1 when only a night that an older version
    played, and signed, differs. The journal is verified first, as by loto journal verify.

    Example: loto journal replay
    """
    folder, keys = where.nights, parse_keys(key)
    with progress_bar(tr("playing again")) as progress:
        nights = _begun([*audit.replay_all(folder, progress, keys)], folder)
    told = []
    for night, lines, differs in nights:
        played = {"night": night, "lines": lines, "differs": differs or None}
        told.append({**played, "test": _is_test(folder, night)})
        if not as_json:
            again = differs or tr("played again to the same end")
            out.print(f"{_named(folder, night)}: {number_of(lines, 'line')}, {again}")
    if as_json:
        print_json(told)
    if any(differs for _, _, differs in nights):
        raise typer.Exit(EXIT_NO)


@commands.command("show")
def journal_show(
    where: NIGHTS = HERE,
    night: Annotated[int | None, option("Which night; the last by default.")] = None,
    as_json: JSON = False,
) -> None:
    """Show what happened in a night, line by line: what, by whom, from which input. Sums are in
    the smallest coin. As JSON the lines as they are written, with pseudonyms for people who are
    forgotten.

    Example: loto journal show --night 3
    """
    folder = where.nights
    chosen, last = None, ""
    for path, reading, _ in audit.readings(folder):
        last = path.name
        if night is None or int(path.name) == night:
            chosen = path, reading
    if chosen is None:
        if not last:
            raise Unreadable(tr("{folder}: no night has begun here", folder=folder))
        there = tr(
            "there is no night {night} here: there are 1 to {last}", night=night, last=int(last)
        )
        raise Unreadable(there)
    path, reading = chosen
    reading = load_forgotten(folder).content(reading)
    if as_json:
        for line in reading.lines:
            typer.echo(json_text(line))
        return
    if reading.lines[0]["do"].get("test"):
        out.print(tr("night {night}, TEST: no money was taken", night=int(path.name)))
    with audit.telling(path, reading):
        told = [*_told(reading)]
    for text in told:
        out.print(text)


def _told(reading: JournalContent) -> Iterator[str]:
    """Yield the lines of a night, in words."""
    names: tuple[str, ...] = ()  # of the company at the table
    method = ""
    for line in reading.lines:
        opening = line["then"].get("opening")
        names = names if opening is None else tuple(name for name, *_ in opening.get("seats", ()))
        method = method if opening is None else str(opening.get("method", ""))
        names += tuple(name for name, _ in line["then"].get("joined", ()))
        said = table_sentence(line["do"], line["then"], names, method) or _done(line)
        who = f"{line['by']} via {line['via']}"
        yield f"{line['seq']:>5} {line['at']['wall'][11:19]}  {said:<52}  {shown(who)}"


def _done(line: Mapping[str, Any]) -> str:
    """Return what was done in words, with what was said of it."""
    words = what_was_done(line).told(load_refusals(Tongue.code), program=PROGRAM)
    more = [
        f"{name} {_short(value)}"
        for name, value in line["do"].items()
        if name in TOLD and value and line["do"]["act"] not in ("draw", "note")
    ]
    return ": ".join([shown(words), *([", ".join(more)] if more else [])])


def _short(value: Any) -> str:
    """Return a value as people write it: a range by its ends, several after each other."""
    text = str(value)
    if isinstance(value, list):
        text = " ".join("-".join(one) if isinstance(one, list) else str(one) for one in value)
    return shown(text if len(text) <= 36 else f"{text[:35]}…")


@commands.command("key", says=True)
def journal_key(where: NIGHTS = HERE) -> dict[str, str]:
    """Print the station's public key: write it down, and give it to whoever is to check copies of
    the journal.

    Example: loto journal key
    """
    folder = where.nights
    key = load_public_key(folder)
    if key is None:
        why = tr("there is no key here yet: the station makes it at its first start")
        raise Unreadable(f"{folder}: {why}")
    out.print(" ".join(re.findall(".{8}", key)))
    return {"key": key}


@commands.command("export", says=True)
def journal_export(
    folder: Annotated[Path | None, option("A folder for CSV files, one a table.", "--csv")] = None,
    file: Annotated[Path | None, option("An SQLite file.", "--sqlite")] = None,
    where: NIGHTS = HERE,
    key: KEY = None,
) -> None:
    """Copy nights, games, sales, calls, claims, wins, payments and corrections into tables, for a
    spreadsheet or a database.

    The journal is verified first, as by loto journal verify. The copy is made anew each time, whole
    or not at all; the station never reads it. Sums are whole minor units.

    Example: loto journal export --csv season
    Example: loto journal export --sqlite season.db
    """
    from station.paper import export

    keys = parse_keys(key)
    if folder is None and file is None:
        why = tr("say where to: --csv FOLDER, --sqlite FILE, or both")
        raise SettingsError("journal export", [why])
    nights = where.nights
    for target, copy in ((folder, export.to_csv), (file, export.to_sqlite)):
        if target is not None:
            with progress_bar(tr("copying to {target}", target=target)) as progress:
                rows = copy(nights, target.absolute(), progress, keys=keys)
            told = (f"{table} {count}" for table, count in rows.items() if count)
            out.print(f"{target}: {', '.join(told)}")
