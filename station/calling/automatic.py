"""Automatic calling: switched on and off, when the next call is due, what it waits for, and what
ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from station.base.errors import Unreadable
from station.calling.call_in_progress import Heard
from station.calling.outputs import Front
from station.calling.pace import Pace
from station.night.hall import Open, PlayOn, Shake, Undo
from station.record.session import Answer, Change, Done, Refused, Session
from station.wire.board_view import AutoView


class Automatic:
    """The station that calls by itself. A start of it calls by hand.

    Args:
        heard: the call that is being heard: the next one waits for its end.
        draw: asks for a call, as the station's own wish.
    """

    def __init__(
        self, session: Session, front: Front, heard: Heard, pace: float, draw: Callable[[], object]
    ) -> None:
        self._session = session
        self._front = front
        self._heard = heard
        self._draw = draw
        self._pace = Pace(pace, self._call)

    @property
    def view(self) -> AutoView:
        """As every screen shows it."""
        return self._pace.view

    def set(self, do: Mapping[str, Any]) -> Answer:
        """Takes over `on` and `pace`, where they are given."""
        try:
            changed = self._pace.set(do)
        except Unreadable as error:
            return Refused("unreadable", str(error))
        self.wind()
        if changed and not self._session.halted:
            self._front.tell_hall(("auto-on" if self.view.on else "auto-off",))
        self._front.publish()
        return Done(self._session.seq)

    def turn(self, steps: int) -> None:
        """The knob for the pace was turned."""
        self._pace.turn(steps)
        self.wind()

    def wind(self, since: float | None = None) -> None:
        """The next call is due a pace from `since`, or from now. While a number is being called,
        its end winds the pace."""
        if self._heard.calling:
            self._pace.stop()
        else:
            self._pace.wind(since)

    def go_on(self) -> None:
        """A call was refused: the next one is due, unless it is already."""
        if not self._pace.wound:
            self._pace.wind()

    def follow(self, change: Change) -> None:
        """Whatever lets play go on winds the pace; but whoever takes back has something to put
        right, and is not overtaken.

        The next number would be the same one again, and the hall would hear that it was called and
        that it was not.
        """
        if isinstance(change.act, Undo) and self.view.on:
            taken_back = self._front.notice
            # each announcement is on the pages before the next one: they say it too
            self._front.publish()
            self.set({"on": False})
            self._front.notice = f"{taken_back} {self._front.notice}"
        elif isinstance(change.act, Open | PlayOn | Undo | Shake):
            self.wind()

    def stop(self) -> None:
        """Nothing is due any more."""
        self._pace.stop()

    def end(self) -> None:
        """Calls by hand from now on, without a word."""
        self._pace.set({"on": False})
        self._pace.stop()

    def _call(self) -> None:
        hall, game = self._session.hall, self._session.hall.playing
        if not hall.takes_knobs or (game is not None and game.stopped) or self._heard.calling:
            return  # wound again by the change that lets play go on
        if game is not None and len(game.called) == game.setup.knobs:
            self.set({"on": False})
            self._front.tell_hall(("bag-empty",))
            return
        self._draw()
