"""Announcements with names in them: who has won, whose hall it is, what a pattern of the programme's own is called.

They are asked for long before, and said only when the voice has them.

No pack has such a clip: the voice makes it in the background. Where it is not ready, the announcement goes without the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from station.acts import Act, Claim, ClaimTicket
from station.announcing import PLAYING_OWN
from station.hall import Hall
from station.programme import GamePlan
from station.rules.loto_first_state import Verdict
from station.rules.patterns import PATTERNS
from station.views import holder_of, stage_name
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
        """The names that may be wanted in the game on the table, or in the next one: of own patterns, of those who hold cards.

        One at each step, so that a call need not wait.
        """
        plan = hall.plan if hall.playing is not None else hall.next_plan
        patterns = [self._pattern_text(plan, key) for key in plan.keys if _is_own(plan, key)] if plan is not None else []
        lots = hall.sales.lots(hall.opened) if hall.playing is not None else ()
        holders = sorted({lot.holder for lot in lots if lot.holder is not None})[:MOST_NAMES]
        for text in (*patterns, *map(self._winner_text, holders)):
            yield
            self._named(text)

    def welcome(self) -> tuple[str, ...]:
        """The clips that welcome the hall, by its name if that is ready."""
        return (self._clip(self._wording.screen["say-welcome"].format(hall=self._hall_name)) or "welcome",)

    def with_names(self, clips: tuple[str, ...], act: Act, after: Hall) -> tuple[str, ...]:
        """An announcement, and in it, where they are ready, the winner's name after the verdict and the pattern played for."""
        game = after.game
        if game is None:
            return clips
        if isinstance(act, Claim | ClaimTicket) and game.claims[-1].verdict is Verdict.VALID:
            holder = holder_of(game, game.claims[-1].serial)
            clip = self._clip(self._winner_text(holder)) if holder else None
            return (clips[0], clip, *clips[1:]) if clip is not None else clips
        if clips[-1:] == (PLAYING_OWN,) and after.plan is not None and game.stage is not None:
            clip = self._clip(self._pattern_text(after.plan, game.stage.key))
            return (*clips, clip) if clip is not None else clips
        return clips

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

    def _pattern_text(self, plan: GamePlan, key: str) -> str:
        return f"{stage_name(plan, key, self._wording)}."

    def _clip(self, text: str) -> str | None:
        clip = self._named(text)
        if clip is not None:
            self._texts[clip] = text
        return clip


def _is_own(plan: GamePlan, key: str) -> bool:
    return plan.plans[plan.keys.index(key)].wanted().key not in PATTERNS
