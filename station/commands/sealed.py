"""Define `loto sealed`: one game that was drawn once, and is played by many halls."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from station.base.errors import EXIT_NO, Unreadable
from station.base.nouns import KNOBS
from station.base.terminal import out
from station.base.tongue import number_of, tr
from station.base.untrusted import named_bytes
from station.commands.options import HERE, NIGHTS, STATE, Commands, argument, option
from station.commands.tools import Where, keep_output, tell
from station.night.sealed_play import leaf_by
from station.proof.sealed_game import SealedGame
from station.record import sealed_games
from station.record.station_key import parse_public_key

commands = Commands("sealed", "One game that is drawn once, sealed, and played by many halls.")

FILE: TypeAlias = Annotated[Path, argument("The file of the sealed game.")]
KEYS: TypeAlias = Annotated[Path | None, option("A file of keys, as release writes it.")]


@commands.command(says=True)
def make(
    file: Annotated[Path, argument("The file to write; its keys go beside it.")],
    name: Annotated[str, option("What the game is called.")],
    begins: Annotated[
        str,
        option("From when on a hall may open it: 2026-12-24T20:00+01:00.", "--from"),
    ],
    until: Annotated[str, option("Before when; without a zone it is this machine's.")],
    hall: Annotated[
        list[str] | None, option("The public key of a station that may play it; any else.")
    ] = None,
    where: STATE = HERE,
) -> None:
    """Draw a game, seal it, and sign it with the key of this state folder.

    The file is for everybody. The keys, in a file of the same name with .keys behind it, are for
    nobody before the halls have opened the game: keep them off the network.

    Example: loto sealed make eve.sealed --name Eve --from 2026-12-24T20:00 --until 2026-12-24T22:00
    """
    halls = "".join(sorted({parse_public_key(one) for one in hall or ()}))
    told = {"name": name, "begins": _moment(begins), "until": _moment(until), "halls": halls}
    game = sealed_games.make(file, told, sealed_games.organiser_key(where.state_folder))
    _tell_of(game)


@commands.command(says=True)
def play(
    file: FILE,
    keys: KEYS = None,
    key: Annotated[str | None, option("One key, as it was read out.")] = None,
    give_up: Annotated[bool, option("Play the hall's own game after all.", "--give-up")] = False,
    where: STATE = HERE,
) -> None:
    """Play the next game of the programme with a sealed one; later, hand over its keys.

    Then open the game as ever, and send what loto sealed opening writes to the organiser. With the
    key of a call its number is drawn as any other: by the button, or with loto draw.

    Example: loto sealed play christmas.sealed
    Example: loto sealed play christmas.sealed --keys christmas.released
    """
    game = sealed_games.read_game(file)
    if keys is not None:
        given = sealed_games.read_release(keys, game).each
        _hand_over(where, 1, given)
    elif key is not None:
        opener = sealed_games.parse_key(key)
        calls = [at for at in range(KNOBS) if leaf_by(game, at, opener) is not None]
        if not calls:
            raise Unreadable(tr("this key opens no call of the sealed game: was it misread?"))
        _hand_over(where, calls[0] + 1, [opener])
    elif give_up:
        tell(where, "take-sealed")
        out.print(tr("The next game is the hall's own."))
    else:
        tell(where, "take-sealed", game=game.model_dump())
        _tell_of(game)
        out.print(tr("The next game is this one. Sell its cards, open it, send its opening."))


def _hand_over(where: Where, first: int, keys: list[str]) -> None:
    tell(where, "take-keys", first=first, keys="".join(keys))
    out.print(tr("Keys taken: calls {first} to {last}.", first=first, last=first + len(keys) - 1))


@commands.command(says=True)
def opening(
    file: FILE,
    target: Annotated[Path, option("The file to write, for the organiser.", "--out")],
    where: NIGHTS = HERE,
) -> None:
    """Write the signed opening of a sealed game, which the organiser wants before the first key.

    It has the digest of the cards that were sold for it, and the key of this station.

    Example: loto sealed opening christmas.sealed --out our-hall.opening
    """
    game = sealed_games.read_game(file)
    signed = [
        data for digest, data in sealed_games.openings_of(where.nights) if digest == game.digest
    ]
    if not signed:
        raise Unreadable(tr("{file}: it has not been opened here", file=file))
    came = sealed_games.read_opening(signed[-1], game, str(file))
    keep_output(target, signed[-1])
    out.print(
        tr("Station {station}, cards {register}.", station=came.station, register=came.register)
    )


@commands.command(says=True)
def release(
    file: FILE,
    openings: Annotated[
        list[Path] | None, argument("The openings of all halls; later none is taken any more.")
    ] = None,
    calls: Annotated[int, option("The keys of how many calls.", min=1, max=KNOBS)] = KNOBS,
    target: Annotated[
        Path | None, option("Write the keys there; else print them.", "--out")
    ] = None,
    where: STATE = HERE,
) -> None:
    """Give out the keys of the first calls, to the halls that have opened the game.

    Example: loto sealed release christmas.sealed *.opening --calls 20 --out christmas.released
    Example: loto sealed release christmas.sealed --calls 21
    """
    game, key = sealed_games.read_game(file), sealed_games.organiser_key(where.state_folder)
    came = [sealed_games.read_opening(named_bytes(one), game, str(one)) for one in openings or ()]
    given = sealed_games.release(file, game, came, calls, key)
    if target is not None:
        keep_output(target, given.to_bytes())
    for call, opener in enumerate(given.each, 1):
        if target is None:
            out.print(tr("call {call}: {key}", call=call, key=sealed_games.key_text(opener)))
    out.print(tr("Keys of {calls}, for these stations:", calls=number_of(calls, "call")))
    for station in given.openings:
        out.print(station)


@commands.command(says=True)
def check(
    file: FILE,
    halls: Annotated[list[Path] | None, argument("The state folders of halls, or copies.")] = None,
    keys: KEYS = None,
) -> None:
    """Check a sealed game: its file, its keys, and the records of the halls that played it.

    The same numbers in the same order in all halls, each hall's opening signed, in the window and
    before the first key. What is wrong is named with its line.

    Example: loto sealed check christmas.sealed --keys christmas.released hall-a hall-b
    """
    game = sealed_games.read_game(file)
    _tell_of(game)
    given = sealed_games.read_release(keys, game) if keys is not None else None
    wrong = False
    for found in sealed_games.check(game, given, halls or ()):
        told = tr(
            "{hall}: {calls}, as sealed", hall=found.state, calls=number_of(found.calls, "call")
        )
        out.print("\n".join(found.faults) or told)
        wrong = wrong or bool(found.faults)
    if wrong:
        raise typer.Exit(EXIT_NO)


def _tell_of(game: SealedGame) -> None:
    out.print(
        tr(
            "{name}, from {begins} until {until}",
            **game.model_dump(include={"name", "begins", "until"}),
        )
    )
    out.print(tr("root {root}, signed by {organiser}", root=game.root, organiser=game.organiser))


def _moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Unreadable(tr("{text}: write a time as 2026-12-24T20:00+01:00", text=text)) from error
    local = moment if moment.tzinfo is not None else moment.astimezone()
    return local.isoformat(timespec="seconds")
