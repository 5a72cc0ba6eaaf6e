"""Announcements with names in them: who has won, whose hall it is. Asked for long before, said only when the voice has them.

No pack has such a clip: the voice makes it in the background. Where it is not ready, the announcement goes without the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from station.hall import Act, Claim, Hall
from station.rules.loto_first import Verdict
from station.wording import Wording

MOST_NAMES = 400  # of one game; the voice keeps them in memory, and making them takes its time


class Naming:
    """The clips with names, and their texts.

    Args:
        named: the voice's; gives the clip of a text, or None and makes it.
    """

    def __init__(self, wording: Wording, hall_name: str, named: Callable[[str], str | None]) -> None:
        self._wording = wording
        self._hall_name = hall_name
        self._named = named
        self._texts: dict[str, str] = {}

    def prepare(self, hall: Hall) -> Iterator[None]:
        """A game is open: the names of those who hold its cards may be wanted. One at each step, so that a call need not wait."""
        game = hall.game
        for holder in sorted({*(game.setup.holders or {}).values()} if game is not None else ())[:MOST_NAMES]:
            yield
            self._named(self._winner_text(holder))

    def welcome(self) -> tuple[str, ...]:
        """The clips that welcome the hall, by its name if that is ready."""
        return (self._clip(self._wording.screen["say-welcome"].format(hall=self._hall_name)) or "welcome",)

    def with_name(self, clips: tuple[str, ...], act: Act, after: Hall) -> tuple[str, ...]:
        """An announcement, and in it the winner's name after the verdict, if there is one and it is ready."""
        game = after.game
        if not isinstance(act, Claim) or game is None or game.claims[-1].verdict is not Verdict.VALID:
            return clips
        holder = (game.setup.holders or {}).get(game.claims[-1].serial)
        clip = self._clip(self._winner_text(holder)) if holder else None
        return (clips[0], clip, *clips[1:]) if clip is not None else clips

    def sentence(self, clips: Sequence[str]) -> str:
        """What a list of clips says, as text, names included."""
        parts: list[str] = []
        run: list[str] = []
        for clip in (*clips, None):
            if clip is not None and clip not in self._texts:
                run.append(clip)
                continue
            parts += [self._wording.sentence(run)] if run else []
            parts += [self._texts[clip]] if clip is not None else []
            run = []
        return " ".join(part for part in parts if part)

    def everywhere(self, clips: Sequence[str]) -> tuple[str, ...]:
        """Those clips that every other voice of the same pack has too: a phone's, a page's."""
        return tuple(clip for clip in clips if clip not in self._texts and clip != "pause")

    def _winner_text(self, holder: str) -> str:
        return self._wording.screen["say-winner"].format(name=holder)

    def _clip(self, text: str) -> str | None:
        clip = self._named(text)
        if clip is not None:
            self._texts[clip] = text
        return clip
