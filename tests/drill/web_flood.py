"""The web under a flood: thousands of connections at once that ask nothing, half of something, or
never read what they are sent.

A real core and a real web, each a process. The crowd comes from twenty addresses, or from one, as
behind a router. Meanwhile the desk, with the token and from an address of the crowd, is asked again
and again on new connections, and so is the board from an address of its own; a browser watches;
numbers are called. All must be answered within a second, calls must be recorded as fast as before,
the log stays short, nothing stays open, and the night is whole. A crowd comes from other machines;
where this one has other work to do besides, `chrt -r 5` before the command keeps that out of the
figures.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from station.base.errors import LotoError
from station.core.launch import PARENT
from station.wire.wire import Client
from tests.drill.course import Took
from tests.drill.flood import KINDS, UPGRADE, address
from tests.drill.real import in_folder
from tests.drill.rig import HURRY, LOOK_S, DrillFailed, Rig, free_port

T = TypeVar("T")
NAME = "web-flood"
ANSWER_LIMIT_S = 1.0
SILENCE_LIMIT_S = 2.0  # on a browser's line, where something comes every second
LOG_LIMIT = 1 << 20
GONE_LIMIT_S = 20.0
PAUSE_S = 0.1  # between two questions of the same person
CALL_S = 0.5  # between two calls; no hall is faster than one in two seconds
NOISE, NOISE_S = 2.0, 0.05  # a call takes at most so many times as long, or so much longer
TOKEN = "a-drill"  # noqa: S105 - of a station that lives for a minute
BOARD, WATCHER = "127.8.0.1", "127.8.0.2"


@dataclass(frozen=True)
class Crowd:
    """Who comes.

    Attributes:
        kind: of `tests.drill.flood`.
        addresses: from how many.
        count: how many at once.
        seconds: how long they stay. A connection without a request is given 10 s; those that come
            again wait once more.
        quiet_s: how long the station is looked at before.
    """

    kind: str
    addresses: int
    count: int = 5000
    seconds: float = 20.0
    quiet_s: float = 8.0


# The first is for those who have little time.
CROWDS = (
    Crowd("half-header", 1, count=1000, seconds=6.0, quiet_s=2.0),
    *(Crowd(kind, addresses) for addresses in (20, 1) for kind in KINDS),
)


def web_flood(seed: int, case: int) -> Took:
    """One crowd comes to a station; gives how many came at once, and the slowest answer that the
    desk or the board got.

    Raises:
        DrillFailed: somebody waited too long, the log is too long, something stayed open, or the
            night is not whole.
    """
    del seed  # each crowd is the same again
    return in_folder(lambda folder: flood(folder, CROWDS[case]))


@dataclass
class Seen:
    """What those saw who had business there.

    Attributes:
        desk, board: seconds to each answer.
        calls: seconds from each draw to its record.
        silence: the longest on a browser's line.
    """

    desk: list[float] = field(default_factory=list)
    board: list[float] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)
    silence: float = 0.0


async def flood(folder: Path, crowd: Crowd) -> Took:
    """One crowd comes and goes."""
    rig = Rig(folder, HURRY, whole=False)
    rig.start()
    try:
        async with rig.client() as client, _web(folder, rig) as web:
            quiet, flooded = Seen(), Seen()
            open_before = web.open_files()
            await _busy(client, web, quiet, _calm(crowd.quiet_s, quiet))
            said = await _busy(client, web, flooded, _crowd(web.port, crowd))
            await web.empty(open_before)
    except (LotoError, TimeoutError, OSError) as error:
        raise DrillFailed(
            f"{crowd.kind} from {crowd.addresses}: {str(error) or 'no answer'}"
        ) from error
    finally:
        rig.kill()
    return _judge(
        folder,
        rig,
        f"{crowd.kind}, {crowd.count:,} at once from {crowd.addresses}",
        crowd.count,
        said,
        quiet,
        flooded,
    )


def complaint(quiet: Seen, flooded: Seen, log: int) -> str:
    """What was not as promised, or nothing; `log` is the bytes that were logged."""
    before, during = statistics.median(quiet.calls), statistics.median(flooded.calls)
    if max(*flooded.desk, *flooded.board) > ANSWER_LIMIT_S or flooded.silence > SILENCE_LIMIT_S:
        return "somebody waited too long"
    if during > before * NOISE and during > before + NOISE_S:
        return "calls were recorded later than before"
    return "the log is too long" if log > LOG_LIMIT else ""


def _judge(
    folder: Path, rig: Rig, what: str, count: int, said: dict[str, int], quiet: Seen, flooded: Seen
) -> Took:
    before, during = statistics.median(quiet.calls), statistics.median(flooded.calls)
    log = sum((folder / name).stat().st_size for name in ("log", "web.log"))
    slowest = max(*flooded.desk, *flooded.board)
    note = (
        f"{what}: {said['opened']:,} came, {said['shown_out']:,} were shown out; slowest desk"
        f" {max(flooded.desk):.2f} s of {len(flooded.desk)}, board {max(flooded.board):.2f} s of"
        f" {len(flooded.board)}, longest silence on a line {flooded.silence:.2f} s; draw to record"
        f" {1000 * during:.1f} ms, quiet {1000 * before:.1f} ms, ratio {during / before:.2f}; log"
        f" {log:,} bytes"
    )
    if why := complaint(quiet, flooded, log):
        raise DrillFailed(f"{why}. {note}")
    for word in ("verify", "replay"):
        command = [sys.executable, "-m", "station", "journal", word, "--state", str(rig.state)]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        if told.returncode:
            raise DrillFailed(f"journal {word}: {told.stdout}{told.stderr} {note}")
    return Took(count, slowest, note)


# -- the web ---------------------------------------------------------------------------------------


class _Web:
    """A web that runs."""

    def __init__(self, pid: int, port: int) -> None:
        self._pid = pid
        self.port = port
        self.cookie = ""

    def open_files(self) -> int:
        """How many descriptors it has."""
        return len(os.listdir(f"/proc/{self._pid}/fd"))

    async def empty(self, before: int) -> None:
        """Waits until it has no more open than before.

        Raises:
            DrillFailed: something stays.
        """
        end = time.monotonic() + GONE_LIMIT_S
        while (now := self.open_files()) > before:
            if time.monotonic() > end:
                raise DrillFailed(f"{now - before} descriptors of the web stayed open")
            await asyncio.sleep(LOOK_S)

    async def ask(
        self, source: str, request: str, body: str = "", headers: str = "", tries: int = 1000
    ) -> tuple[str, str]:
        """What is answered on a connection of its own; one that is closed unheard is made again, as
        a browser does.

        Raises:
            ConnectionError: so many tries were in vain.
        """
        here = f"http://127.0.0.1:{self.port}"
        head = (
            f"{request} HTTP/1.1\r\nHost: {here.removeprefix('http://')}\r\nConnection:"
            f" close\r\n{headers}"
        )
        sent = f"{head}Content-Length: {len(body)}\r\n\r\n{body}".replace("ORIGIN", here).encode()
        for _ in range(tries):
            with contextlib.suppress(ConnectionError):
                if answer := await self._try(source, sent):
                    heading, _, content = answer.partition("\r\n\r\n")
                    return heading, content
            await asyncio.sleep(0)
        raise ConnectionError(f"{request}: no answer in {tries} tries")

    async def _try(self, source: str, sent: bytes) -> str:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(source, 0)
        )
        try:
            writer.write(sent)
            return (await reader.read(-1)).decode()
        finally:
            writer.close()


@contextlib.asynccontextmanager
async def _web(folder: Path, rig: Rig) -> AsyncIterator[_Web]:
    port = free_port()
    words = [
        "web",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--state",
        str(rig.state),
        "--profile",
        "simulated",
    ]
    environ = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        PARENT: str(os.getpid()),
        "LISTEN_FDS": "1",
        "LISTEN_FDNAMES": "token",
    }
    number = os.memfd_create("token")
    os.write(number, TOKEN.encode())
    given = f'LISTEN_PID=$$ exec "$@" 3</proc/self/fd/{number}'  # as systemd does
    with (folder / "web.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", given, "sh", sys.executable, "-m", "station", *words),
            env=environ,
            stdout=log,
            stderr=log,
            pass_fds=[number],
        )
    os.close(number)
    try:
        web = _Web(process.pid, port)
        await _ready(web)
        yield web
        process.terminate()
        async with asyncio.timeout(GONE_LIMIT_S):
            if code := await process.wait():
                raise DrillFailed(f"the web ended with {code}")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _ready(web: _Web) -> None:
    async with asyncio.timeout(GONE_LIMIT_S):
        fresh = ""
        while '"stale":false' not in fresh:
            with contextlib.suppress(ConnectionError):
                _, fresh = await web.ask(BOARD, "GET /healthz", tries=1)
            await asyncio.sleep(LOOK_S)
    heading, _ = await web.ask(BOARD, f"GET /desk?token={TOKEN}")
    web.cookie = (
        heading[heading.lower().index("set-cookie: ") :].partition(": ")[2].partition(";")[0]
    )


async def _crowd(port: int, who: Crowd) -> dict[str, int]:
    words = [str(port), who.kind, str(who.count), str(who.addresses), str(who.seconds)]
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    crowd = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.drill.flood",
        *words,
        env=environ,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(30.0 + 3 * who.seconds):
            told, _ = await crowd.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            crowd.kill()
    said: dict[str, int] = json.loads(told)
    return said


# -- those who have business there -----------------------------------------------------------------


async def _busy(client: Client, web: _Web, seen: Seen, meanwhile: Awaitable[T]) -> T:
    """Has everybody at work for as long as something else takes; gives what that came to."""
    works = [
        *map(
            asyncio.ensure_future,
            (_desk(web, seen), _board(web, seen), _watch(web, seen), _call(client, seen)),
        )
    ]
    other = asyncio.ensure_future(meanwhile)
    try:
        await asyncio.wait([other, *works], return_when=asyncio.FIRST_COMPLETED)
        for work in works:
            if work.done():
                work.result()
        return await other
    finally:
        for task in (*works, other):
            task.cancel()
        await asyncio.gather(*works, other, return_exceptions=True)


async def _calm(seconds: float, seen: Seen) -> None:
    """So long, and until everybody was seen at work: on a slow machine that takes its time."""
    await asyncio.sleep(seconds)
    async with asyncio.timeout(GONE_LIMIT_S):
        while not (seen.desk and seen.board and seen.calls):  # noqa: ASYNC110 - three lists
            await asyncio.sleep(LOOK_S)


async def _desk(web: _Web, seen: Seen) -> None:
    headers = (
        "Origin: ORIGIN\r\nX-Loto-Desk: 1\r\nContent-Type: application/json\r\nCookie:"
        f" {web.cookie}\r\n"
    )
    while True:
        began = time.monotonic()
        heading, content = await web.ask(
            address(0), "POST /desk/ask", '{"about": "money"}', headers
        )
        if '"answer"' not in content:
            raise DrillFailed(f"the desk was answered {heading} {content}")
        seen.desk.append(time.monotonic() - began)
        await asyncio.sleep(PAUSE_S)


async def _board(web: _Web, seen: Seen) -> None:
    while True:
        began = time.monotonic()
        for path in ("/", "/api/board"):
            heading, _ = await web.ask(BOARD, f"GET {path}")
            if " 200 " not in heading.splitlines()[0]:
                raise DrillFailed(f"the board was answered {heading}")
        seen.board.append(time.monotonic() - began)
        await asyncio.sleep(PAUSE_S)


async def _watch(web: _Web, seen: Seen) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port, local_addr=(WATCHER, 0))
    try:
        writer.write(UPGRADE)
        heard = time.monotonic()
        while await reader.read(1 << 16):
            now = time.monotonic()
            seen.silence, heard = max(seen.silence, now - heard), now
        raise DrillFailed("a browser that read its line was cut off")
    finally:
        writer.close()


async def _call(client: Client, seen: Seen) -> None:
    while True:
        began = time.monotonic()
        answer = await client.do("draw")
        if "refused" not in answer:
            seen.calls.append(time.monotonic() - began)
        elif answer["refused"]["reason"] != "busy":
            await client.do("close")
            if (opened := await client.do("open")).get("refused", {}).get(
                "reason"
            ) == "no-more-games":
                await client.do("close-night")
                opened = await client.do("open")
            if "refused" in opened:
                raise DrillFailed(f"no game can be opened: {opened}")
        await asyncio.sleep(CALL_S)
