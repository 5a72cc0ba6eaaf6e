"""A station with hands: the real wire's server in a thread, showing the views that the test gives
it."""

import asyncio
import itertools
import threading
from pathlib import Path

from station.wire.board_view import BoardView
from station.wire.wire import WireServer

LIMIT_S = 60.0


class Silent(WireServer):
    """A server without a heartbeat: a test says itself when the station is heard."""

    async def _beat(self) -> None:
        return


class Station:
    """Serves one view at a time on a socket; `show` changes it, `say` sends any line."""

    def __init__(self, path: Path, view: BoardView) -> None:
        self.view = view
        self.joined = threading.Semaphore(0)
        self._path = path
        self._lines = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> "Station":
        """Opens the socket."""
        self._thread.start()
        self._call(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        """Hangs up on all and ends the thread."""
        self._call(self._server.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LIMIT_S)
        self._loop.close()

    def show(self, view: BoardView) -> None:
        self.view = view
        self.say({"view": view.model_dump(mode="json")})

    def say(self, message: dict) -> None:
        self._call(self._push(message))

    async def _open(self) -> None:
        self._server = Silent(self._path, self._handle, self._greet)
        await self._server.open()

    async def _push(self, message: dict) -> None:
        # A kind of its own for each: the test wants every line to arrive, not only the newest.
        self._server.push(f"line {next(self._lines)}", message)

    async def _handle(self, link, message):
        return None

    def _greet(self, link) -> None:
        self._server.push("view", {"view": self.view.model_dump(mode="json")})
        self.joined.release()

    def _call(self, work) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT_S)
