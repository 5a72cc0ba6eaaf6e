"""A button's question: what cannot be taken back is asked aloud, and wants a second press of the
same button.

The answer counts when the question was heard, for five seconds from then on. What comes before
that, or so soon after the first press that it may be the same one, is no answer. Any other act, or
another button, ends the question, and so do the five seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from drivers import Rank
from station.calling.outputs import Front
from station.night.hall import parse_act
from station.night.losses import loss_of
from station.record.session import Change, Command, Refused, Session
from station.views.announcing import question

ANSWER_S = 5.0
HASTY_S = 0.5
UNHEARD_S = 15.0  # a net under the voice driver, as of a call (`station.calling.call_in_progress`)
LEFT = "not-done"


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked.

    Attributes:
        at: when the button was pressed first, on the loop's clock.
        token: of the words.
        since: when they were heard, or nobody will ever hear them.
    """

    button: str
    command: Command
    at: float
    token: int
    since: float | None = None


class Asking:
    """The question that is open, if there is one.

    Args:
        do: asks for the act again, for the same button, with what was seen and that somebody is
            sure.
    """

    def __init__(
        self, session: Session, front: Front, do: Callable[[Mapping[str, Any], str, str], object]
    ) -> None:
        self._session = session
        self._front = front
        self._do = do
        self._question: Question | None = None
        self._pressed = 0.0
        self._seen = ""
        self._timer: asyncio.TimerHandle | None = None

    @property
    def button(self) -> str:
        """The button of which a second press is awaited, or nothing."""
        return self._question.button if self._question is not None else ""

    def takes(self, button: str) -> bool:
        """Hears of every press that counts; gives whether it was the question's: the desk does
        nothing more with it."""
        asked, now = self._question, asyncio.get_running_loop().time()
        if asked is not None and asked.button == button:
            if asked.since is not None and now - asked.at >= HASTY_S:
                self.stop()
                self._do(asked.command.do, button, self._seen)
            return True
        self.drop()
        self._pressed = now
        return False

    def begin(self, button: str, command: Command, refused: Refused) -> None:
        """A press is asked about."""
        if self._question is not None:  # its wish was under way already
            return
        hall = self._session.hall
        loss = loss_of(hall, parse_act(command.do))
        act = str(command.do["act"])
        spoken = self._front.tell(
            question(act, loss.count if loss is not None else 0), Rank.VERDICT
        )
        self._seen = refused.seen
        self._question = Question(button, command, self._pressed, spoken.token)
        loop = asyncio.get_running_loop()
        if spoken.heard:
            self._timer = loop.call_later(UNHEARD_S, self._listen)
        else:
            self._listen()
        self._front.publish()

    def follow(self, change: Change) -> None:
        """What was done ends the question. A note changes nothing: what the question goes by is
        still so."""
        if self._question is None:
            return
        if change.after is change.before:
            self._seen = self._session.mark(self._question.command)
        else:
            self.drop()

    def ended(self, token: int) -> None:
        """An announcement is over, heard or not: then the screens have shown it."""
        if (
            self._question is not None
            and self._question.since is None
            and token == self._question.token
        ):
            self._listen()

    def drop(self) -> None:
        """Something else was done, or another button pressed: the question is over, and the screens
        say so."""
        if self._question is not None:
            self.stop()
            self._front.say_on_screens(LEFT)

    def stop(self) -> None:
        """Waits for no answer any more."""
        self._question = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _listen(self) -> None:
        if self._question is None:
            return
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            self._timer.cancel()
        self._question = replace(self._question, since=loop.time())
        self._timer = loop.call_later(ANSWER_S, self._unanswered)

    def _unanswered(self) -> None:
        self.stop()
        self._front.tell_hall((LEFT,))
