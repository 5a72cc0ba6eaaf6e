"""The front of the desk: what a change is heard, lit and shown as. Voice first, then board, lamps, screens.

Holds nothing that is not derived from the session's state, but for what a restart may forget: signs of devices in trouble, what
was said last, the line under the board.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from drivers import Cavity, Light
from station.boardview import AutoView, BoardView, SayView, SignView
from station.cards import Marks
from station.clock import Clock
from station.hall import Draw, Open, Undo
from station.rules.loto_first import ROWS_WANTED
from station.session import Change, Session
from station.views import Currency, Scene, Style, board, cavities, last_number_again
from station.wording import Wording

NO_CURRENCY = Currency()


class Outputs(Protocol):
    """Where a change goes. None of these wait."""

    def say(self, clips: tuple[str, ...], token: int) -> bool:
        """Speaks; False when there is no voice."""

    def light(self, lit: tuple[Cavity | None, ...], token: int) -> None:
        """Lights the board."""

    def lamp(self, name: str, light: Light) -> None:
        """Lights a lamp, if there is one of that name."""

    def publish(self, view: BoardView) -> None:
        """Sends the view to all screens."""


@dataclass(frozen=True)
class DeskSettings:
    """What the desk must know of the settings."""

    wording: Wording
    hall_name: str
    currency: Currency = NO_CURRENCY
    style: Style = Style.PLAIN
    chime: bool = False
    near: bool = False
    test: bool = False
    pace: float = 6.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What the desk itself is doing: saying a number, holding a knob that is not called yet, calling by itself."""

    calling: bool
    waiting: int | None
    auto: AutoView


class Front:
    """Everything that goes out.

    Args:
        moment: asked for each view.
    """

    def __init__(
        self, session: Session, outputs: Outputs, settings: DeskSettings, moment: Callable[[], Moment], clock: Clock
    ) -> None:
        self._session = session
        self._outputs = outputs
        self._settings = settings
        self._moment = moment
        # Tokens of another start must not look like these: a page that speaks tells announcements apart by them.
        self._tokens = itertools.count(int(1000 * clock.wall()))
        self._say: SayView | None = None
        self._signs: dict[str, SignView] = {}
        self._marks: Marks | None = None
        self.notice = ""
        self._remark()

    def speak(self, clips: tuple[str, ...]) -> tuple[int, bool]:
        """Says clips; gives their token, and whether there is a voice that will tell when they were heard."""
        token = next(self._tokens)
        heard = self._outputs.say(clips, token)
        self._say = SayView(token=token, clips=clips, text=self._settings.wording.sentence(clips))
        return token, heard

    def tell_hall(self, clips: tuple[str, ...]) -> int:
        """Says clips and shows their text; gives their token."""
        token, _ = self.speak(clips)
        self.notice = self._settings.wording.sentence(clips)
        self.publish()
        return token

    def light(self) -> None:
        """Lights the cavities as the state has them."""
        game = self._session.hall.game
        lit = cavities(game.called if game is not None else ())
        self._outputs.light(tuple(Cavity(*knob) if knob is not None else None for knob in lit), next(self._tokens))

    def begin(self, resumed: bool) -> int | None:
        """Lights the board and says the last number again, after a start; gives the token, if there was one to say."""
        self.light()
        again = last_number_again(self._session.hall) if resumed else ()
        token = self.tell_hall(again) if again else None
        if not resumed:
            self.tell_hall(("welcome",))
        self.publish()
        return token

    def sign(self, sign: SignView) -> None:
        """Puts up a sign, in place of another of the same device."""
        self._signs[sign.device] = sign
        self.publish()

    def unsign(self, device: str) -> bool:
        """Takes a device's sign down; False when there was none."""
        if self._signs.pop(device, None) is None:
            return False
        self.publish()
        return True

    def publish(self) -> None:
        """Lamps and screens show what is so now."""
        self._lamps()
        self._outputs.publish(self.view())

    def _lamps(self) -> None:
        """A lamp says whether its button would do anything now."""
        game = self._session.hall.playing
        free = not self._session.halted and not self._session.hall.closed
        drawing = game is not None and not game.stopped and game.stage is not None
        would = {
            "draw": free and not self._moment().calling and (game is None or drawing),
            "claim": free and drawing,
            "next": free and not drawing,
        }
        for name, on in would.items():
            self._outputs.lamp(name, Light.ON if on else Light.OFF)

    def view(self) -> BoardView:
        """What every screen shows now."""
        hall = self._session.hall
        game = hall.playing
        settings, moment = self._settings, self._moment()
        near = None
        if self._marks is not None and game is not None and game.stage is not None:
            near = self._marks.near(ROWS_WANTED[game.stage])
        waiting = settings.wording.screen["drawn-not-called"].format(number=moment.waiting) if moment.waiting is not None else ""
        scene = Scene(
            wording=settings.wording,
            hall_name=settings.hall_name,
            currency=settings.currency,
            test=settings.test,
            seq=self._session.seq,
            near=near,
            calling=moment.calling,
            signs=tuple(self._signs.values()),
            auto=moment.auto,
            say=self._say,
            notice=waiting or self.notice,
            halted=self._session.halted,
        )
        return board(hall, scene)

    def mark(self, change: Change) -> None:
        """Covers, or uncovers, the number on all cards in play; only where nearness is shown."""
        if isinstance(change.act, Open):
            self._remark()
        elif self._marks is not None and isinstance(change.act, Draw):
            self._marks.call(change.act.number)
        elif self._marks is not None and isinstance(change.act, Undo) and change.before.game is not None:
            self._marks.take_back(change.before.game.called[-1])

    def _remark(self) -> None:
        game = self._session.hall.game
        self._marks = None
        if game is not None and self._settings.near:
            self._marks = Marks(game.setup.cards)
            for number in game.called:
                self._marks.call(number)
