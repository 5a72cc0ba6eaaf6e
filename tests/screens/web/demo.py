"""The pages without a station: canned views, until Ctrl-C. `python -m tests.screens.web.demo
[PORT]`, then open /bench."""

from __future__ import annotations

import contextlib
import signal
import sys
import tempfile
from pathlib import Path

from station.screens.web.app import make_app
from station.wire.board_view import BoardView, SayView
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import FakeCore, FakeHands, Loop, served


def main(port: int) -> None:
    """Shows a game in which the big button draws the rest of the bag in order."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        loop = Loop()
        stack.callback(loop.close)
        core, hands = loop.call(
            lambda: (
                FakeCore(folder / "s", canned.playing()),
                FakeHands(folder / "h", canned.bench()),
            )
        )

        def draw(button: str) -> None:
            called = core.view.called
            number = next(number for number in range(1, 91) if number not in called)
            core.show(_after(core.view, number))
            hands.show(canned.bench((*called, number), reader=hands.bench["reader"]))

        hands.on_press = draw
        loop.run(core.open())
        loop.run(hands.open())
        app = make_app(folder / "s", folder / "h", voice=VOICES / "en", wording=load_wording())
        address = stack.enter_context(served(loop, app, port))
        sys.stdout.write(f"{address}/bench\n")
        sys.stdout.flush()
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


def _after(view: BoardView, number: int) -> BoardView:
    say = SayView(
        token=len(view.called) + 1, clips=(f"number.{number}",), text=load_wording().numbers[number]
    )
    return view.model_copy(
        update={"called": (*view.called, number), "say": say, "seq": view.seq + 1}
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8091)
