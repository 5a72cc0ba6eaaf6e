"""What is switched at the desk: the sound off and on again, and the machine off.

Muted, the game goes on: every clip takes its time and nobody hears it. A start of the station turns
the sound on.

Switched off safely: nothing further begins, the words are said to their end, then the machine is
asked to end; the night stays open, and the next start goes on with it. A machine that is still on
after a while did not do as it was asked: that is shown, and the station goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from drivers import Rank
from station.calling.outputs import MUTED, DeskSettings, Front, Outputs
from station.people.roles import Person
from station.record.session import Refused
from station.wire.board_view import SignView

WORDS_LIMIT_S = 6.0  # a voice that never says that it was heard does not keep the machine on
OFF_LIMIT_S = 30.0
STILL_ON = (
    "this machine was asked to switch off and is still on: the service loto-off is missing or"
    " failed; between games switch it off with: sudo poweroff"
)
LEAVING = Refused(
    "station-ending", "the station is being switched off: switch it on again, then do this"
)
NEITHER = Refused("unreadable", "mute wants on or off, or neither: then it is the other of the two")
NO_VOICE = Refused("no-voice", "there is no voice to mute: look at the signs")
BUSY_OFF = Refused("busy", "a number is being called: wait until it was heard, then switch off")
CLAIM_OFF = Refused("claim-open", "a claim is open: settle it, then switch off")


class Switches:
    """The sound and the machine.

    Args:
        note: records something: what it is about, and what happened.
        end: asks for the machine's end; returns at once.
        before: of the night before, where the station ran on: the sound is as it was, and what is
            being switched off still is.
    """

    def __init__(
        self,
        front: Front,
        outputs: Outputs,
        settings: DeskSettings,
        note: Callable[[str, str], None],
        end: Callable[[], None],
        before: Switches | None = None,
    ) -> None:
        self._front = front
        self._outputs = outputs
        self._settings = settings
        self._note = note
        self._end = end
        self._timer: asyncio.TimerHandle | None = None
        # the token of the last words
        self._words: int | None = None if before is None else before._words
        self._order: str = "" if before is None else before._order  # who wants the machine to end
        self.muted: bool = before is not None and before.muted
        self.leaving: bool = before is not None and before.leaving

    def carry_on(self) -> None:
        """Goes on with what the night before left; a journal that was closed took no line of it."""
        if self.muted:
            self._note(MUTED, "muted since before this night")
        if self.leaving:
            self._note("station", self._order)
            self._front.notice = self._settings.wording.phrases["switching-off"]
            self._wait_for_end(said=self._words is None)

    def mute(self, on: object, by: Person, via: str) -> Refused | None:
        """Mutes the voice, True, or not, False; None is the other of the two."""
        if on is not None and not isinstance(on, bool):
            return NEITHER
        muted = not self.muted if on is None else on
        if not self._outputs.volume(0.0 if muted else self._settings.volume):
            return NO_VOICE
        if muted != self.muted:
            self.muted = muted
            self._note(MUTED, f"{'muted' if muted else 'on again'}, by {by.name} via {via}")
            if muted:
                self._front.sign(
                    SignView(
                        device=MUTED, colour="amber", text=self._settings.wording.screen["muted"]
                    )
                )
            else:
                self._front.unsign(MUTED)
                self._front.tell_hall(("unmuted",))
        return None

    def off(self, *, calling: bool, stopped: bool, by: Person, via: str) -> Refused | None:
        """Begins to switch off, unless a number is being called or a claim is open."""
        if calling or stopped:
            return BUSY_OFF if calling else CLAIM_OFF
        self.leaving = True
        self._order = f"switched off by {by.name} via {via}"
        self._note("station", self._order)
        self._words, spoken = self._front.speak(("switching-off",), Rank.STOP)
        self._front.notice = self._settings.wording.phrases["switching-off"]
        self._timer = asyncio.get_running_loop().call_later(
            WORDS_LIMIT_S if spoken else 0, self._ask
        )
        return None

    def ended(self, token: int) -> None:
        """An announcement is over."""
        if token == self._words:
            self._ask()

    def stop(self) -> None:
        """Waits for nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _ask(self) -> None:
        self._words = None
        self._wait_for_end(said=True)
        self._end()

    def _wait_for_end(self, *, said: bool) -> None:
        self.stop()
        limit, then = (OFF_LIMIT_S, self._still_on) if said else (WORDS_LIMIT_S, self._ask)
        self._timer = asyncio.get_running_loop().call_later(limit, then)

    def _still_on(self) -> None:
        self.leaving = False
        self._note("station", "was not switched off")
        self._front.sign(SignView(device="station", colour="amber", text=STILL_ON))
