"""Send each change out: what is said, lit and shown, and the tasks in the background.

The voice comes first, then board, lamps, screens. No task of the background is lost, none fails in
silence.

Holds nothing that is not derived from the session's state, but for what a restart may forget: signs
of devices in trouble, what was said last, the line under the board.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from drivers import Cavity, Light, Rank
from station.base.clock import Clock
from station.base.nouns import Style
from station.base.said import Sentence
from station.calling.button_meaning import KINDS, kind_of, press_of, useful, would_do
from station.calling.caller_state import BY_ITSELF, MUTED, CallerState, claim_open
from station.night import acts
from station.night.hall import Hall
from station.night.table.luck import DiceFrom
from station.people.joining import VIA as JOINING
from station.record.requests import Change, Refused, SessionWish
from station.record.session import Session
from station.settings.readers import ReaderUse
from station.settings.scan import Scanning
from station.views.announcing import announcement, where_we_are
from station.views.billboard import words
from station.views.money_text import Currency
from station.views.naming import Naming
from station.views.nearness import Nearness
from station.views.shown import lamps_shown, theme_view
from station.views.telling import teller
from station.views.views import BoardContext, board, cavities, number_clips
from station.wire.board_view import BoardView, JoiningView, SayView, SignView
from station.wire.wording import Wording

log = logging.getLogger(__name__)


class Errands:
    """The background tasks that have not ended."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Any) -> asyncio.Task[Any]:
        """Start a task."""
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    async def over(self) -> None:
        """Wait until all tasks have ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a command failed", exc_info=error)


# -- what is said, lit and shown -------------------------------------------------------------------

NO_CURRENCY = Currency()
NO_SCANNERS = Scanning()
# signs about the record and the pack: another night has others
OF_A_NIGHT = frozenset({"journal", "cards"})
CHIME = "chime"
INSTALL_MAKER = "sudo apt-get install espeak-ng"
WORDS = "speech words"  # as the voice calls what it makes on the spot


class Outputs(Protocol):
    """The places where a change goes. None of these methods waits."""

    def say(self, clips: tuple[str, ...], token: int, rank: Rank) -> bool:
        """Speak; return False if there is no voice."""

    def named(self, text: str) -> str | None:
        """Return the clip that speaks a text with a name in it; None while it is being made."""

    def light(self, lit: tuple[Cavity | None, ...], token: int) -> None:
        """Light the board."""

    def message(self, text: str) -> None:
        """Show a text on the board, until cavities are lit."""

    def lamp(self, name: str, light: Light) -> None:
        """Light a lamp, if there is one of that name."""

    def volume(self, level: float) -> bool:
        """Set the voice's volume, 0.0 to 1.0; return False if there is no voice."""

    def publish(self, view: BoardView) -> None:
        """Send the view to all screens."""


class Silence:
    """Outputs that nobody hears or sees, for a desk that another one has followed."""

    def say(self, clips: tuple[str, ...], token: int, rank: Rank) -> bool:
        """See `Outputs`."""
        return False

    def named(self, text: str) -> str | None:
        """See `Outputs`."""
        return None

    def light(self, lit: tuple[Cavity | None, ...], token: int) -> None:
        """See `Outputs`."""

    def message(self, text: str) -> None:
        """See `Outputs`."""

    def lamp(self, name: str, light: Light) -> None:
        """See `Outputs`."""

    def volume(self, level: float) -> bool:
        """See `Outputs`."""
        return False

    def publish(self, view: BoardView) -> None:
        """See `Outputs`."""


@dataclass(frozen=True)
class DeskSettings:
    """The settings that the desk needs."""

    wording: Wording
    hall_name: str
    currency: Currency = NO_CURRENCY
    style: Style = Style.PLAIN
    sayings: frozenset[int] = frozenset()  # the numbers that the voice has a saying of
    # clips that the style wants and the voice has not, or with other words, each with its text
    lacking: Mapping[str, str] = field(default_factory=dict)
    makes: bool | None = None  # whether it makes on the spot what it has not; None for no voice
    chime: bool = False
    near: bool = False
    stop_won: bool = False  # the station stops by itself when a card in play wins (H30)
    test: bool = False
    pace: float = 6.0
    see_first: bool = False  # a press shows the number to the caller, the release calls it (H8)
    volume: float = 1.0
    hurry: bool = False  # simulated players act at once, as the voice speaks at once
    dice: frozenset[DiceFrom] = frozenset(DiceFrom)  # where throws at the table may come from
    buttons: tuple[str, ...] = KINDS  # those there are, by their names
    readers: Mapping[str, ReaderUse] = field(default_factory=dict)
    # of each box, the seat of a line
    buzzers: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    scanning: Scanning = NO_SCANNERS
    key: str = ""  # the public key that signs the record's heads, 64 hex digits
    pages: Callable[[], str] = str  # where telephones find the pages; empty while nobody knows
    joining: Callable[[], JoiningView | None] = lambda: None  # while players may join the table


class Spoken(NamedTuple):
    """An announcement being spoken.

    Attributes:
        heard: there is a voice, which reports the end of the announcement.
    """

    token: int
    heard: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """What is shown beside the night's own state: the caller's, and what the desk knows.

    Attributes:
        refused: the kinds of button whose press the desk itself refuses now, whatever the rules
            say.
    """

    state: CallerState
    refused: frozenset[str]


def rank_of(act: acts.Act) -> Rank:
    """Return how urgent an announcement is: numbers, then stops, then claims, then the rest."""
    match act:
        case acts.DrawKnob() | acts.Undo():
            return Rank.NUMBER
        case acts.StopGame():
            return Rank.STOP
        case acts.ClaimCard() | acts.ClaimTicket() | acts.PlayOn() | acts.DrawLots():
            return Rank.VERDICT
    return Rank.CHATTER


class OutputSender:
    """The sender of all that goes out from the desk.

    Args:
        moment: called for each view.
        before: the one of the night before, if the station kept running: its devices' troubles are
            carried over.
    """

    def __init__(
        self,
        session: Session,
        outputs: Outputs,
        settings: DeskSettings,
        moment: Callable[[], Moment],
        clock: Clock,
        before: OutputSender | None = None,
    ) -> None:
        self._session = session
        self._outputs = outputs
        self._settings = settings
        self._moment = moment
        # Tokens of another start must not look like these: a page that speaks tells announcements
        # apart by them.
        self._tokens: Iterator[int] = itertools.count(int(1000 * clock.wall()))
        self._say: SayView | None = None
        self._signs: dict[str, SignView] = {}
        if before is not None:
            self._tokens, lasting = before._tokens, before.signs.items()
            self._signs = {device: sign for device, sign in lasting if device not in OF_A_NIGHT}
        self.nearness = Nearness(lambda: session.hall, always=settings.near or settings.stop_won)
        self._naming = Naming(settings.wording, settings.hall_name, outputs.named)
        self._useful: tuple[Hall, frozenset[str]] | None = None
        # How often a device has asked in vain since the start, and why it did the last time.
        self.refused: dict[str, Any] = {"count": 0, "say": ""}
        # what the board was asked to show; None: to be asked again
        self._lit: tuple[Cavity | None, ...] | str | None = None
        self.notice = ""
        self.frame = False  # the screens show their edges
        self._together = 0  # how deep; and whether something is to be shown at the end
        self._unshown = self._unseen = False

    @property
    def _silent(self) -> bool:
        """Return whether a person calls the numbers, and the station only sounds its chime."""
        return self._settings.style is Style.CHIME

    def try_voice(self) -> Spoken:
        """Sound what shows that the voice works."""
        return self.speak((CHIME,) if self._silent else ("test-word",), Rank.STOP)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Show all changes made meanwhile once, at the end."""
        self._together += 1
        try:
            yield
        finally:
            self._together -= 1
            if self._unshown and not self._together:
                self._publish()

    def speak(self, clips: tuple[str, ...], rank: Rank = Rank.CHATTER) -> Spoken:
        """Speak clips; in a hall where a person calls, only the chime among them is heard."""
        if self._unseen and self._together:
            self._publish()  # each announcement is on the pages before the next: they say it too
        self._unseen = True
        token = next(self._tokens)
        sounds = tuple(clip for clip in clips if not self._silent or clip == CHIME)
        heard = bool(sounds or not self._silent) and self._outputs.say(sounds, token, rank)
        self._say = SayView(
            token=token, clips=self._naming.everywhere(sounds), text=self._naming.sentence(clips)
        )
        return Spoken(token, heard)

    def tell(
        self, clips: tuple[str, ...], rank: Rank = Rank.CHATTER, *, adds: bool = False
    ) -> Spoken:
        """Speak clips, with the players' names in them where they have any, and show their text;
        with `adds`, after the text shown already."""
        named = self._naming.with_players(clips, self._session.hall)
        said = self.speak(named, rank)
        shown = self._naming.sentence(named)
        self.notice = f"{self.notice} {shown}" if adds else shown
        self.publish()
        return said

    def show(self, text: str, phrase: str = "") -> None:
        """Show a text, or the text of one of the voice's phrases, without speaking."""
        self.notice = self._naming.sentence((phrase,)) if phrase else text
        self.publish()

    def _call(self, change: Change, number: int) -> tuple[str, ...]:
        """Return the clips that call a knob, and at the table what was won on it."""
        settings, after = self._settings, change.after
        said = announcement(change.act, change.before, after, settings.style, settings.sayings)
        words = self._naming.word(number, after.plan) or self._saying(number)
        if words is not None:
            said = (words, *said[len(number_clips(number, settings.style, settings.sayings)) :])
        chime = (CHIME,) if settings.chime or self._silent else ()
        return (*chime, *self._naming.with_names(said, change.act, after))

    def _saying(self, number: int) -> str | None:
        """Return the saying of a number that was made on the spot, if it is ready."""
        text = self._settings.lacking.get(f"saying.{number}")
        return self._naming.saying(number, text) if text is not None else None

    def announce(self, change: Change) -> Spoken | None:
        """Speak and show a change."""
        act = change.act
        if isinstance(act, acts.DrawKnob):
            self.notice = ""
            return self.speak(self._call(change, act.number), Rank.NUMBER)
        by_itself = change.via == BY_ITSELF
        said = announcement(act, change.before, change.after, by_itself=by_itself)
        if change.via == JOINING:
            said = ()  # the host announces the company, when all have joined
        clips = self._naming.with_names(said, act, change.after)
        spoken = self.speak(clips, rank_of(act)) if clips else None
        if clips:
            self.notice = self._naming.sentence(clips)
        if isinstance(act, acts.Open | acts.CloseGame | acts.Sit | acts.JoinTable):
            self._ask_names(self._naming.prepare(change.after))
        return spoken

    def light(self) -> None:
        """Light the called knobs and the pending one, or the words that take their place."""
        self._lit = None
        self._light(self._moment())

    def _light(self, moment: Moment) -> None:
        """Send the board only what has changed, so that running text does not start again."""
        hall, waiting, settings = self._session.hall, moment.state.waiting, self._settings
        names = settings.wording, settings.hall_name, settings.currency
        text = words(hall, *names) if waiting is None else ""
        knobs = cavities(hall.out_of_bag, waiting, moment.state.resting.placement)
        lamps = lamps_shown(hall)
        lit = text or tuple(
            Cavity(*knob, drawing=lamps.get(knob.number, ())) if knob is not None else None
            for knob in knobs
        )
        if lit == self._lit:
            return
        self._lit = lit
        if isinstance(lit, str):
            self._outputs.message(lit)
        else:
            self._outputs.light(lit, next(self._tokens))

    def greet(self, *, resumed: bool) -> Spoken | None:
        """Say the welcome; after a restart, the state of the game if there is one."""
        clips = where_we_are(self._session.hall) if resumed else self._naming.welcome()
        said = self.tell(clips, Rank.NUMBER if resumed else Rank.CHATTER) if clips else None
        self._ask_names(self._naming.prepare(self._session.hall))
        return said

    def _ask_names(self, steps: Iterator[None]) -> None:
        if next(steps, steps) is None:  # there is one more
            asyncio.get_running_loop().call_soon(self._ask_names, steps)
        else:
            self._sign_words()

    def _sign_words(self) -> None:
        """Put up the sign that the voice has not all that style, language and theme want. It goes
        when the voice reports that all is made."""
        settings = self._settings
        if settings.makes is None:
            return
        left = self._naming.unready(settings.lacking.values(), self._session.hall)
        if left:
            word = settings.wording.screen["voice-learns" if settings.makes else "voice-lacks"]
            text = word.format(count=left, command=INSTALL_MAKER)
            self.sign(SignView(device=WORDS, colour="amber", text=text))

    def refuse(self, answer: Refused, *, aloud: bool) -> None:
        """Tell the desk why a device's request was refused; `aloud` shows it in the hall, too."""
        say = self.told(answer.said)
        self.refused = {"count": self.refused["count"] + 1, "say": say}
        if aloud:
            self.notice = say[:1].upper() + say[1:]
            self.publish()

    def told(self, sentence: Sentence) -> str:
        """Return a sentence in the hall's language."""
        money = self._settings.currency.text
        return teller(self._session.hall, self._settings.wording, money)(sentence)

    def silence(self) -> None:
        """Stop sending to the devices: another sender has them from now on."""
        self._outputs = Silence()

    def sign(self, sign: SignView) -> None:
        """Put up a sign, in place of another of the same device."""
        self._signs[sign.device] = sign
        self.publish()

    @property
    def signs(self) -> Mapping[str, SignView]:
        """Return the signs that are up, by device."""
        return self._signs

    def unsign(self, device: str) -> bool:
        """Take a device's sign down; return False if there was none."""
        if self._signs.pop(device, None) is None:
            return False
        self.publish()
        return True

    def publish(self) -> None:
        """Show the present state on board, lamps and screens, once for changes made together."""
        if self._together:
            self._unshown = True
        else:
            self._publish()

    def _publish(self) -> None:
        self._unshown = self._unseen = False
        moment = self._moment()
        self._light(moment)
        self._lamps(moment)
        self._outputs.publish(self._view(moment))

    def _useful_kinds(self) -> frozenset[str]:
        """Return the kinds of button that would do something, worked out once for each state."""
        hall = self._session.hall
        if self._useful is None or self._useful[0] is not hall:
            self._useful = hall, useful(hall)
        return self._useful[1]

    def _lamps(self, moment: Moment) -> None:
        """Light the lamp of each button that would do something; blink what is switched on."""
        state, halted = moment.state, bool(self._session.halted)
        useful_kinds = self._useful_kinds() - moment.refused
        asked = state.question.button if state.question is not None else ""
        blinking = {
            kind for kind, is_so in (("mute", state.muted), ("auto", state.auto.on)) if is_so
        }
        for button in self._settings.buttons:
            does = would_do(button, useful_kinds, calling=state.calling, halted=halted)
            # A button that is stuck does nothing, whatever it is for.
            on = Light.BLINK if kind_of(button) in blinking or button == asked else Light.ON
            self._outputs.lamp(
                button, on if does and f"button {button}" not in self._signs else Light.OFF
            )
        stopped = claim_open(self._session.hall) and not halted
        self._outputs.lamp("beacon", Light.BLINK if stopped else Light.OFF)
        self._outputs.lamp("fault", Light.ON if self._signs.keys() - {MUTED} else Light.OFF)

    def view(self) -> BoardView:
        """Return what every screen shows now."""
        return self._view(self._moment())

    def press(self, kind: str = "draw") -> acts.Act | SessionWish | None:
        """Return what a button of this kind asks for now; None if it would do nothing."""
        return None if self._session.halted else self._press(self._moment(), kind)

    def _press(self, moment: Moment, kind: str = "draw") -> acts.Act | SessionWish | None:
        return press_of(self._session.hall, self._useful_kinds() - moment.refused, kind)

    def _view(self, moment: Moment) -> BoardView:
        settings, state, press = self._settings, moment.state, self._press(moment)
        near = self.nearness.near() if settings.near else None
        notice = self.notice
        if state.waiting is not None:
            notice = settings.wording.screen["drawn-not-called"].format(number=state.waiting)
        scene = BoardContext(
            wording=settings.wording,
            hall_name=settings.hall_name,
            currency=settings.currency,
            test=settings.test,
            seq=self._session.seq,
            head=self._session.head,
            key=settings.key,
            pages=settings.pages(),
            joining=settings.joining(),
            near=near[0] if near is not None else None,
            near_two=near[1] if near is not None else None,
            calling=state.calling,
            signs=tuple(self._signs.values()),
            auto=state.auto,
            say=self._say,
            notice=notice,
            frame=self.frame,
            halted=self._session.halted,
            theme=theme_view(self._session.hall.plan, settings.wording.base),
            telling=state.recital.row if state.recital is not None else None,
            press=press.act if press is not None else "",
            pause_until=self._session.pause.until,
        )
        return board(self._session.hall, scene)
