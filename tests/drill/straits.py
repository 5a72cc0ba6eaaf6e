"""The straits: what comes upon a real station from outside it, each in its own way.

    locked      the kernel finds a fault in the file system under the nights and locks it; only root
                can mount such a disk
    moved       the state folder is moved away in mid-game, and put back
    removed     it is removed in mid-game
    memory      the core has hardly any memory left, and goes on being asked
    presses     many hands press a button as fast as they can
    cards       ten thousand cards, a claim upon every call
    commands    twenty command lines at once

After each the record must be whole, play again to the same end, and its money balance; nothing
acknowledged may be lost, and where the nights are still there the evening goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from station.base.errors import LotoError, WireError
from station.cards import PACK_FILE
from station.cards.pack import make_pack
from station.record.audit import readings, replay_all, verify
from station.record.journal import FILE
from station.record.nights import replay
from station.wire.wire import HANDS_SOCKET, Client, Message
from tests.drill.course import luck
from tests.drill.real import Book, call_one, check_back, goes_on, in_folder, journal_lines, play
from tests.drill.rig import HURRY, LOOK_S, DrillFailed, Rig

NAME = "straits"
PLAY_S = 0.6
DISK_BYTES = 48 << 20
HANDS, PRESSES = 12, 15  # each hand presses so often
STRIPS = 1667  # of six cards each: ten thousand
CLAIMS = 20
ACTS = 40  # while the memory is short
# pieces of memory that the core still has, from hardly any to nearly enough
LEFT = (60, 200, 320, 450, 700)
COMMANDS = 20
COMMAND_S = 240.0
SAYS_NO = frozenset({0, 1})  # done, or refused with a sentence

Strait: TypeAlias = Callable[[Path, random.Random], Coroutine[Any, Any, None]]


def check(seed: int, case: int) -> int:
    """One strait; the case says which.

    Raises:
        DrillFailed: names what was lost, or what did not go on.
    """
    names = straits()
    name = names[case % len(names)]

    async def work(folder: Path) -> None:
        try:
            await STRAITS[name](folder, luck(NAME, seed, case))
        except (LotoError, TimeoutError) as error:
            raise DrillFailed(f"{name}: {str(error) or 'no answer'}") from error

    in_folder(work)
    return 1


def straits() -> list[str]:
    """Those that can be tried here: a disk is mounted by root only."""
    return [name for name in STRAITS if name != "locked" or os.geteuid() == 0]


# -- what must be so -------------------------------------------------------------------------------


def must_be_whole(state: Path) -> None:
    """The record is whole, plays again to the same end, and all its money is somewhere.

    Raises:
        LotoError: it is not so.
    """
    verify(state)
    for night, _, differs in replay_all(state):
        if differs:
            raise DrillFailed(f"night {night}: {differs}")
    for folder, reading, _ in readings(state):
        hall, _, _ = replay(folder, reading)
        if not hall.ledger.sound:
            raise DrillFailed(f"night {folder.name}: its accounts do not balance: {hall.ledger}")


@contextlib.asynccontextmanager
async def _evening(rig: Rig, book: Book, chance: random.Random) -> AsyncIterator[Client]:
    """A station in mid-game, with everything that it acknowledged in a book."""
    rig.start()
    async with rig.client() as client:
        await call_one(client)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PLAY_S):
                await play(client, chance, book)
        if book.unanswered is not None:  # its answer is still on its way
            night, command = book.unanswered
            answer = await client.request(command)
            if "refused" not in answer:
                book.acknowledged[night, command["id"]] = answer["seq"]
            book.unanswered = None
        await call_one(client)
        yield client


async def _comes_back(rig: Rig, book: Book, chance: random.Random) -> None:
    """After a start all that was acknowledged is there, and the evening goes on."""
    rig.start()
    async with rig.client() as client:
        await check_back(client, rig.half, book)
    async with rig.client() as client:
        await goes_on(client, chance)
    rig.kill()
    book.check_journal(rig.half)
    must_be_whole(rig.half)


async def _must_halt(client: Client) -> None:
    """Whatever is asked for now is refused, and the refusal says what to do; so it stays."""
    # First one that the rules always allow: what they forbid is never written down, so it halts
    # nothing.
    acts: tuple[Message, ...] = (
        {"act": "bank", "account": "house", "amount": -1},
        *({"act": act} for act in ("draw", "stop")),
    )
    for do in acts:
        answer = await client.request({"do": do})
        refused = answer.get("refused", {})
        if refused.get("reason") == "busy":
            await asyncio.sleep(LOOK_S)
        elif refused.get("reason") != "halted" or "paper" not in refused["say"]:
            raise DrillFailed(
                f"{do['act']} was answered {answer}; the record cannot be kept, and it should"
                " say so"
            )


# -- the straits -----------------------------------------------------------------------------------


async def _locked(folder: Path, chance: random.Random) -> None:
    image, mount = folder / "disk.img", folder / "disk"
    mount.mkdir()
    with image.open("wb") as file:
        file.truncate(DISK_BYTES)
    _run("mkfs.ext4", "-q", "-F", image)
    rig, book = Rig(folder, HURRY, whole=False, state=mount / "state"), Book()
    try:
        with _mounted(image, mount) as device:
            async with _evening(rig, book, chance) as client:
                _lock(device)
                await _must_halt(client)
            rig.kill()
        # Exit code 1: mended, as after any such fault.
        _run("e2fsck", "-p", "-f", image, may=(0, 1))
        with _mounted(image, mount):
            await _comes_back(rig, book, chance)
    finally:
        rig.kill()


def _lock(device: str) -> None:
    """The kernel's own way to find a fault: what it does then is what it does with a worn-out
    card."""
    Path(f"/sys/fs/ext4/{device}/trigger_fs_error").write_text("a drill")


@contextlib.contextmanager
def _mounted(image: Path, mount: Path) -> Iterator[str]:
    """The disk in a file, mounted; gives the name of its device."""
    _run("mount", "-o", "loop,errors=remount-ro", image, mount)
    try:
        yield Path(_run("findmnt", "--noheadings", "--output", "SOURCE", mount).strip()).name
    finally:
        _run("umount", "--lazy", mount)


def _run(*command: str | Path, may: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode not in may:
        raise DrillFailed(f"{command[0]} ended with {done.returncode}: {done.stdout.strip()}")
    return done.stdout


async def _moved(folder: Path, chance: random.Random) -> None:
    rig, book = Rig(folder, HURRY, whole=False), Book()
    elsewhere = rig.state.with_name("elsewhere")
    try:
        async with _evening(rig, book, chance) as client:
            rig.state.rename(elsewhere)
            await _must_halt(client)
        rig.kill()
        elsewhere.rename(rig.state)
        await _comes_back(rig, book, chance)
    finally:
        rig.kill()


async def _removed(folder: Path, chance: random.Random) -> None:
    rig = Rig(folder, HURRY, whole=False)
    try:
        async with _evening(rig, Book(), chance) as client:
            shutil.rmtree(rig.state)
            await _must_halt(client)
        rig.kill()
        # Nothing is left to go on with: what begins is the first night.
        await _comes_back(rig, Book(), chance)
    finally:
        rig.kill()


async def _memory(folder: Path, chance: random.Random) -> None:
    rig, book = Rig(folder, HURRY, whole=False), Book()
    try:
        for left in LEFT:
            rig.environ["LOTO_LEFT"] = str(left)
            # a core that has no memory may end, or hang: then it is started again
            with contextlib.suppress(WireError):
                async with _evening(rig, book, chance) as client:
                    night = (await client.request({"ask": {"about": "night"}}))["answer"]["night"]
                    if rig.process is not None:
                        rig.process.send_signal(signal.SIGUSR2)
                    for _ in range(ACTS):
                        command: Message = {
                            "id": uuid.uuid4().hex,
                            "do": {"act": chance.choice(("draw", "draw", "stop", "play-on"))},
                        }
                        if "refused" not in (answer := await client.request(command)):
                            book.acknowledged[night, command["id"]] = answer["seq"]
            rig.kill()
            book.last = None
            book.check_journal(rig.half)
        await _comes_back(rig, book, chance)
    finally:
        rig.kill()


async def _presses(folder: Path, chance: random.Random) -> None:
    rig = Rig(folder, HURRY, whole=False)
    try:
        rig.start()
        async with rig.client() as client:
            await call_one(client)
            before = _draws(rig.half)
            answered = asyncio.ensure_future(_answers_meanwhile(client))
            await asyncio.gather(*(_presses_on(rig, chance) for _ in range(HANDS)))
            answered.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await answered
            called = _draws(rig.half) - before
            if called > HANDS * PRESSES:
                raise DrillFailed(f"{HANDS * PRESSES} presses called {called} numbers")
        rig.kill()
        await _comes_back(rig, Book(), chance)
    finally:
        rig.kill()


async def _presses_on(rig: Rig, chance: random.Random) -> None:
    async with await Client.open(rig.state / "run" / HANDS_SOCKET) as hands:
        for _ in range(PRESSES):
            answer = await hands.request(
                {"hand": "press", "button": "draw", "ms": chance.choice((1, 5, 30, 80))}
            )
            if "refused" in answer:
                raise DrillFailed(f"a press was answered {answer}")


async def _answers_meanwhile(client: Client) -> None:
    while True:
        await client.request({"ask": {"about": "night"}})
        await asyncio.sleep(LOOK_S)


def _draws(state: Path) -> int:
    return sum(
        line["do"]["act"] == "draw"
        for path in (state / "nights").glob(f"*/{FILE}")
        for line in journal_lines(path)
    )


async def _cards(folder: Path, chance: random.Random) -> None:
    rig = Rig(folder, HURRY, whole=False)
    pack = make_pack(STRIPS)
    (rig.state / "packs").mkdir(parents=True)
    (rig.state / "packs" / PACK_FILE).write_text(pack.to_csv())
    try:
        rig.start()
        async with rig.client() as client:
            await call_one(client)
            claimed = 0
            while claimed < CLAIMS:
                await call_one(client)
                for serial in chance.sample(pack.serials, 2):
                    claimed += "refused" not in await client.do("claim", serial=serial)
                await client.request({"ask": {"about": "nearest"}})
                await client.do("play-on")
        rig.kill()
        await _comes_back(rig, Book(), chance)
    finally:
        rig.kill()


WORDS = (
    ("do", "draw"),
    ("do", "stop"),
    ("do", "play-on"),
    ("do", "repeat", "3"),
    ("check", "0007"),
    ("claim", "0003"),
    ("money", "--json"),
    ("near",),
    ("journal", "verify"),
    ("report", "--json"),
)


async def _commands(folder: Path, chance: random.Random) -> None:
    rig, book = Rig(folder, HURRY, whole=False), Book()
    try:
        async with _evening(rig, book, chance):
            done = await asyncio.gather(
                *(_command(rig, chance.choice(WORDS)) for _ in range(COMMANDS))
            )
            if stumbled := [
                said for code, said in done if code not in SAYS_NO or "Traceback" in said
            ]:
                raise DrillFailed(
                    f"{len(stumbled)} of {COMMANDS} command lines at once stumbled:"
                    f" {stumbled[0][-2000:]}"
                )
        rig.kill()
        await _comes_back(rig, book, chance)
    finally:
        rig.kill()


async def _command(rig: Rig, words: tuple[str, ...]) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "station",
        *words,
        "--state",
        str(rig.state),
        env=rig.environ,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(COMMAND_S):
        said, _ = await process.communicate()
    return process.returncode or 0, f"{' '.join(words)}: {said.decode(errors='replace')}"


STRAITS: dict[str, Strait] = {
    "locked": _locked,
    "moved": _moved,
    "removed": _removed,
    "memory": _memory,
    "presses": _presses,
    "cards": _cards,
    "commands": _commands,
}
