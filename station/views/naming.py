"""Put names into announcements: who has won, whose hall it is, how a prize is called.

No pack has a clip of these names: the voice makes them in the background, long before they are
needed. Where one is not ready, the announcement goes without the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from station.base.nouns import KNOBS
from station.night.acts import Act, ClaimCard, ClaimTicket, Sit
from station.night.hall import Hall
from station.programme.programme import GamePlan
from station.programme.themes import Theme
from station.rules.patterns import JACKPOT, Pattern
from station.rules.prizes import PLAYING_OWN, ClaimVerdict, PrizeState
from station.views.shown import theme_of
from station.views.table.announcing import PLAYER
from station.views.views import holder_of, own_word, stage_name
from station.wire.wording import SENTENCE_ENDS, Wording

# What a player does, and the sentence that says it with his name.
PLAYER_DOES = {
    "has-bag": "say-has-bag",
    "joins-table": "say-joins",
    "answers-first": "say-answers",
    "has-won": "say-winner",
}
# sentences of the wording that a prize's name is put into
SAY_PLAYING, SAY_WON = "say-playing", "say-won"
MOST_NAMES = 400  # names of one game: the voice keeps them in memory, and making them takes time


class Naming:
    """The clips that have names in them, and their texts.

    Args:
        named: returns the voice's clip of a text, or None while the voice makes it.
    """

    def __init__(
        self, wording: Wording, hall_name: str, named: Callable[[str], str | None]
    ) -> None:
        self._wording = wording
        self._hall_name = hall_name
        self._named = named
        self._texts: dict[str, str] = {}
        # what the packs' own clips say where a voice has not this one
        self._in_place_of: dict[str, tuple[str, ...]] = {}

    def prepare(self, hall: Hall) -> Iterator[None]:
        """Ask for clips of all names that may be needed in the present game, or in the next one: of
        prizes, of those who hold cards.

        This asks for one name at each step, so that a call need not wait.
        """
        plan = hall.plan if hall.game_open else hall.next_plan
        prizes = self._prize_texts(plan) if plan is not None else ()
        players = self._player_texts(hall) if plan is not None else ()
        lots = hall.sales.lots(hall.opened) if hall.sold is not None else ()
        holders = sorted({lot.holder for lot in lots if lot.holder is not None})[:MOST_NAMES]
        for text in (*prizes, *players, *map(self._winner_text, holders), *self._words(plan)):
            yield
            self._named(text)

    def welcome(self) -> tuple[str, ...]:
        """Return the clips that welcome the hall, by its name if that is ready."""
        text = self._wording.screen["say-welcome"].format(hall=self._hall_name)
        return (self._clip(text) or "welcome",)

    def with_names(self, clips: tuple[str, ...], act: Act, after: Hall) -> tuple[str, ...]:
        """Return an announcement with names, where ready: the winner's after the verdict, prizes'.

        The name of a prize of a kin replaces what its pattern is called in the voice's language;
        the name of an own pattern follows "the next prize".
        """
        game = after.last_sold
        if game is None or isinstance(act, Sit):
            return self.with_players(clips, after)
        if clips == ("stop",):
            return self._stopped(after)
        if (
            isinstance(act, ClaimCard | ClaimTicket)
            and game.claims[-1].verdict is ClaimVerdict.VALID
        ):
            holder = holder_of(game, game.claims[-1].serial)
            clip = self._clip(self._winner_text(holder)) if holder else None
            return (clips[0], clip, *clips[1:]) if clip is not None else clips
        if after.plan is None:
            return clips
        if clips[-1:] == (PLAYING_OWN,) and game.stage is not None:
            clip = self._clip(self._pattern_text(after.plan, game.stage.key))
            clips = (*clips, clip) if clip is not None else clips
        return self._with_words(clips, after.plan, game)

    def with_players(self, clips: tuple[str, ...], hall: Hall) -> tuple[str, ...]:
        """Return an announcement with names, where ready, in place of "player number three"."""
        said, left = [], list(clips)
        while left:
            clip = left.pop(0)
            if clip != PLAYER or not left:
                said.append(clip)
                continue
            name = hall.company[int(left[0].removeprefix("number.")) - 1].name
            does = PLAYER_DOES.get(left[1]) if len(left) > 1 else None
            text = self._wording.screen[does].format(name=name) if does is not None else _call(name)
            more = 1 if does is None else 2
            named = self._clip(text, (clip, *left[:more]))
            said.append(named or clip)
            del left[: more if named else 0]
        return tuple(said)

    def word(self, number: int, plan: GamePlan | None) -> str | None:
        """Return the clip that says what replaces a number, with its line; None in a game with
        numbers, or if it is not ready."""
        text = self._word(number, plan)
        return self._clip(text, (f"number.{number}",)) if text is not None else None

    def saying(self, number: int, text: str) -> str | None:
        """Return the clip of a saying that no pack has; None while the voice makes it."""
        return self._clip(text, (f"number.{number}",))

    def unready(self, texts: Iterable[str], hall: Hall) -> int:
        """Return how many of these texts, and of the words that replace the numbers of the present
        game or the next one, the voice has no clip of yet."""
        plan = hall.plan if hall.game_open else hall.next_plan
        return sum(self._named(text) is None for text in (*texts, *self._words(plan)))

    def sentence(self, clips: Sequence[str]) -> str:
        """Return what a list of clips says, as text with the names; a class without a sum ("Ambo:")
        ends like any other word."""
        parts: list[str] = []
        run: list[str] = []
        for clip in (*clips, None):
            if clip is not None and clip not in self._texts:
                run.append(clip)
                continue
            told = self._wording.sentence(run)
            if clip is not None and told and not told.endswith((*SENTENCE_ENDS, ":")):
                told += self._wording.full_stop
            parts += [told, self._texts[clip]] if clip is not None else [told]
            run = []
        text = " ".join(part for part in parts if part)
        return text[:-1].rstrip() + self._wording.full_stop if text.endswith(":") else text

    def everywhere(self, clips: Sequence[str]) -> tuple[str, ...]:
        """Return the clips with this voice's own ones replaced by clips of the pack, so that every
        other voice of the pack, on a phone or a page, can say them."""
        own = [
            part
            for clip in clips
            for part in (self._in_place_of.get(clip, ()) if clip in self._texts else (clip,))
        ]
        return tuple(clip for clip in own if clip != "pause")

    def _stopped(self, hall: Hall) -> tuple[str, ...]:
        """Return the clip of a claim in the word that the players of the game call."""
        text = own_word(hall.prizes, "stop", self._wording)
        clip = self._clip(text, ("stop",)) if text else None
        return (clip or "stop",)

    def _winner_text(self, holder: str) -> str:
        return self._wording.screen["say-winner"].format(name=holder)

    def _pattern_text(self, plan: GamePlan, key: str) -> str:
        return f"{stage_name(plan, key, self._wording)}."

    def _prize_texts(self, plan: GamePlan) -> Iterator[str]:
        if text := own_word(plan.rules, "stop", self._wording):
            yield text
        for key in plan.keys:
            if _is_own(plan, key):
                yield self._pattern_text(plan, key)
            elif self._has_word(plan, key):
                yield from (
                    self._word_text(plan, key, sentence) for sentence in (SAY_PLAYING, SAY_WON)
                )

    def _player_texts(self, hall: Hall) -> Iterator[str]:
        for seat in hall.company:
            yield _call(seat.name)
            yield from (
                self._wording.screen[does].format(name=seat.name) for does in PLAYER_DOES.values()
            )

    def _theme(self, plan: GamePlan | None) -> Theme | None:
        """Return the game's theme if the voice can read it; None for a theme in another language,
        whose words it would say wrongly."""
        theme = theme_of(plan)
        return theme if theme is not None and theme.has(self._wording.base) else None

    def _word(self, number: int, plan: GamePlan | None) -> str | None:
        theme = self._theme(plan)
        if theme is None or plan is None:
            return None
        say = theme.letters if plan.letters else theme.spoken
        return f"{say(number, self._wording.base)}."

    def _words(self, plan: GamePlan | None) -> Iterator[str]:
        words = (self._word(number, plan) for number in range(1, KNOBS + 1))
        yield from (word for word in words if word is not None)

    def _has_word(self, plan: GamePlan, key: str) -> bool:
        """Return whether a prize of a kin has a word that the voice has no clip of."""
        name, pattern = stage_name(plan, key, self._wording), _pattern(plan, key)
        return plan.kin is not None and pattern.known and name != self._wording.screen[pattern.key]

    def _word_text(self, plan: GamePlan, key: str, sentence: str) -> str:
        return self._wording.screen[sentence].format(stage=stage_name(plan, key, self._wording))

    def _with_words(
        self, clips: tuple[str, ...], plan: GamePlan, game: PrizeState
    ) -> tuple[str, ...]:
        named = [*clips]
        for place, key, sentence in _prizes_said(clips, game):
            if self._has_word(plan, key):
                named[place] = self._clip(self._word_text(plan, key, sentence)) or named[place]
        return tuple(named)

    def _clip(self, text: str, in_place_of: tuple[str, ...] = ()) -> str | None:
        clip = self._named(text)
        if clip is not None:
            self._texts[clip] = text
            self._in_place_of[clip] = in_place_of
        return clip


def _call(name: str) -> str:
    return f"{name}:"


def _pattern(plan: GamePlan, key: str) -> Pattern:
    return plan.plans[plan.keys.index(key)].wanted()


def _is_own(plan: GamePlan, key: str) -> bool:
    return not _pattern(plan, key).known


def _prizes_said(clips: tuple[str, ...], game: PrizeState) -> Iterator[tuple[int, str, str]]:
    """Yield the clips that speak of a prize: place, stage's key, and the sentence with its name."""
    won = [place for place, clip in enumerate(clips) if clip.startswith("won-")]
    stages = [*dict.fromkeys(win.stage for win in game.wins if win.stage != JACKPOT)]
    # The prizes won just now are the last ones, in the order in which they are said.
    yield from (
        (place, key, SAY_WON)
        for place, key in zip(won, stages[len(stages) - len(won) :], strict=True)
    )
    if game.stage is not None and clips[-1:] == (game.stage.playing,):
        yield len(clips) - 1, game.stage.key, SAY_PLAYING
