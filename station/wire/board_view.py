"""Define the board view: the one object that every public screen draws.

The screen, the web board, the terminal and other people's screens all get it whole, on joining and
after every change. `station.views.views` makes it from the state; this module only defines it, so
that a screen needs no knowledge of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from station.wire.zones import ZoneView

VERSION = 1

Number = Annotated[int, Field(ge=1, le=90)]
# Some places of a card, as a picture: three rows of five signs, # for a place that belongs to them,
# . for one that does not.
Places = Annotated[tuple[Annotated[str, Field(pattern="^[#.]{5}$")], ...], Field(max_length=3)]


class Phase(StrEnum):
    """The phases of a night."""

    CLOSED = "closed"  # the night is over
    BETWEEN = "between"  # a night is open, no game is
    PLAYING = "playing"  # numbers may be called
    STOPPED = "stopped"  # somebody claims: nothing further begins
    HALTED = "halted"  # the record cannot be written: go on with paper


class Verdict(StrEnum):
    """The results of a card's check."""

    VALID = "valid"
    NOT_COMPLETE = "not-complete"
    LATE = "late"  # complete, but not on the last number called
    ALREADY = "already-checked"
    NOT_SOLD = "not-sold"
    # with this pattern, at an earlier stage: the second house is for another card
    ALREADY_WON = "already-won"


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GameView(_View):
    """The game being played, or the last one played."""

    number: int  # 1 for the first of the programme
    of: int
    name: str
    method: str  # "Loto, First Method", in the hall's language
    stakes: str  # "whole", "quarters", "counters"; "stages" where the programme has its own
    stopped: str = ""  # what a stop for a claim is called, where the game has a word of its own


class PrizeView(_View):
    """A prize to be won: a sum, a thing, or both."""

    minor: int  # whole minor units; 0 for a thing alone
    text: str  # all of it, the sum as the hall writes it
    thing: str = ""


class WayView(_View):
    """A way to complete a pattern: `need` of these places."""

    card: Places
    need: int


class StageView(_View):
    """A stage that is being played for now."""

    # "row", "two-rows", "full", "corners", … or the name of the programme's own pattern; "full-2"
    # for a second one
    key: str
    name: str  # in the hall's language
    index: int  # which of the game's stages, from 1
    of: int
    prize: PrizeView | None = None
    pattern: str = ""  # the pattern's own key: two stages may be played for with the same one
    ways: tuple[WayView, ...] = ()  # any one of them wins
    picture: Places = ()  # one of them to look at; of "any five" five that lie apart


class JackpotView(_View):
    """The jackpot, which whoever wins the last stage in time has, too."""

    within: int  # calls
    prize: PrizeView
    text: str  # both, in the hall's language


class ClaimView(_View):
    """A card being checked, as the hall sees it (H20)."""

    serial: str
    holder: str | None
    rows: tuple[tuple[Number, ...], ...]  # empty for a card that is not sold, and for a ticket
    tens_last: bool = False  # its columns are 1-10 … 81-90; else 1-9, 10-19 … 80-90
    marked: tuple[Number, ...]  # of its numbers, those called
    missing: tuple[Number, ...]  # what the nearest pattern still wants; empty when valid
    verdict: Verdict
    text: str  # the verdict in the hall's language, with its reason
    label: str = ""  # "Card 0001", "Ticket 3"
    # those of a ticket that the station does not know, as far as they were keyed
    numbers: tuple[Number, ...] = ()
    stages: tuple[str, ...] = ()  # what it wins, by name, where several prizes can be won
    winning: tuple[Number, ...] = ()  # of its numbers, those that complete what it wins


class WinView(_View):
    """A prize that was won in this game."""

    stage: str  # its name in the hall's language, as StageView's
    serial: str
    holder: str | None
    prize: PrizeView
    paid: bool
    pattern: str = ""  # its key, as StageView's
    key: str = ""  # the stage's
    draws: bool = False  # several have won the thing, and knobs are to be drawn for it
    label: str = ""  # the card's serial; "Ticket 3" for a ticket
    # in the hall's language: paid or not; whether its thing was handed over, or is to be drawn for
    status: str = ""


class PauseView(_View):
    """A pause between two games."""

    text: str  # the programme's own
    minutes: int  # about this long, from the end of the game; 0: not known
    follows: str  # in the hall's language: when the next game comes; empty if not known
    title: str = ""  # of the game that comes next, where its rules are shown meanwhile
    rules: tuple[str, ...] = ()  # these rules in short, a sentence each


class SeatView(_View):
    """A player at the table."""

    seat: int  # from 1, at the dealer's left, leftwards
    name: str
    simulated: bool = False


class TableView(_View):
    """A game at the table: the company, and all that lies there."""

    step: str  # what comes next: "shake", "draw", "settle", "answer", "add", "open", "close"
    text: str  # the same in the hall's language: "Carla has the bag"
    seats: tuple[SeatView, ...]
    zones: tuple[ZoneView, ...] = ()  # all that lies there
    turn: tuple[int, ...] = ()  # the seats that are awaited
    leads: int = 0  # the seat that has the bag, the dice, the deal; 0: nobody
    won: tuple[int, ...] = ()  # the seats that have won a prize, or the game, by the last action
    wins: int = 0  # how many actions of this game have won something


class ThemeView(_View):
    """Pictures and words in place of the numbers."""

    key: str  # its folder's name; in a browser its pictures are /theme/KEY/07.png
    name: str  # in the hall's language
    folder: str = ""  # the folder of its pictures on the station; empty for a theme that ships
    # of 1 to 90, in the hall's language; blank where neither word nor picture may be seen yet
    words: tuple[str, ...]


class SignView(_View):
    """A device in trouble (amber), or the record itself (red)."""

    device: str
    colour: Literal["amber", "red"]
    text: str  # what happened, and what to do: for the caller
    hall: str = ""  # the same for the hall, without the builder's words; empty: as `text`


class AutoView(_View):
    """Automatic calling."""

    on: bool
    pace: float  # seconds from one call to the next


class JoiningView(_View):
    """The table is open: players join it on their phones, at `/join` of the pages."""

    seconds: Annotated[int, Field(ge=1, le=60)]  # left when this was sent; screens count on


class SayView(_View):
    """The last announcement. A page that speaks plays `clips` when `token` grows."""

    token: int
    clips: tuple[str, ...]
    text: str


class BoardView(_View):
    """The view of all that the hall may see."""

    v: int = VERSION
    seq: int  # of the journal: never goes back within a night
    night: int  # counted from 1
    test: bool  # simulated devices: no money is taken, every screen says TEST
    hall: str
    language: str
    # labels that the hall has changed: who shows them has the words that ship, and no others
    words: Mapping[str, str] = {}
    phase: Phase
    game: GameView | None = None
    stage: StageView | None = None  # the first that can be won
    # all that can be won now: several where they are played at once
    open: tuple[StageView, ...] = ()
    prize: PrizeView | None = None  # of `stage`
    jackpot: JackpotView | None = None  # while it can still be won
    called: tuple[Number, ...] = ()  # in the order of the calls; the last is the newest
    # what the virtual bag of this game is committed to with, or where no bag is drawn from the
    # throws and deals of its table, 64 hex digits; empty: nothing is
    root: str = ""
    # the signed head of the tree over the journal's lines up to `seq`; empty: nothing is signed
    head: str = ""
    key: str = ""  # the station's public key that signed it, 64 hex digits; empty: nothing is
    # what a QR code of that head says, in quiet moments: before the first number, between games
    code: str = ""
    pages: str = ""  # where telephones find the pages, "http://10.0.0.5:8090"; empty: not known
    joining: JoiningView | None = None  # while the host holds the table open for players
    epoch: int = 0  # how often that was committed to: 1, more after power cuts; 0: never
    # whether the last number, if it is taken back, is the next one again: the draw is bound to it
    repeats: bool = False
    again: Number | None = None  # the number that was taken back and is the next one again
    wants_words: bool = False  # the hall is to add words before the bag gives a number
    luck: str = (
        ""  # in the hall's words: what the bag is committed to with, how often, what was added
    )
    cards: int = 0
    players: int = 0
    calling: bool = False  # a number is being said now: the next draw must wait
    near: int | None = None  # cards that want one number (a setting; None: not shown)
    near_two: int | None = None  # and two
    claim: ClaimView | None = None  # the card being checked
    claims: tuple[ClaimView, ...] = ()  # all cards checked at this stop
    wins: tuple[WinView, ...] = ()
    pause: PauseView | None = None
    rules: str = ""  # whose rules are played now, or next: a name in the words of rules
    table: TableView | None = None  # where a company plays at the table
    theme: ThemeView | None = None
    coming: tuple[str, ...] = ()  # between games: the next ones of the programme, by name
    signs: tuple[SignView, ...] = ()
    # the self-test runs: screens show their edges, so that people see what a television crops
    frame: bool = False
    auto: AutoView = AutoView(on=False, pace=6.0)
    say: SayView | None = None
    # the act that a press of the draw button asks for now: "open", "draw", "next-night" …; or none
    press: str = ""
    notice: str = ""  # a line under all: "eyes down", "37 was not called"
    procedure: tuple[str, ...] = ()  # how to go on with paper, when halted

    @property
    def last(self) -> int | None:
        """Return the newest number; None if there is none."""
        return self.called[-1] if self.called else None

    @property
    def last_ten(self) -> tuple[int, ...]:
        """Return the last ten numbers, newest first."""
        return self.called[:-11:-1]


def hall_signs(view: BoardView) -> tuple[SignView, ...]:
    """Return the signs as a public screen shows them: in plain words, and no sentence twice.

    >>> lost = SignView(device="reader", colour="amber", text="[Errno 5] …", hall="A device …")
    >>> again = lost.model_copy(update={"device": "lamps"})
    >>> [sign.text for sign in in_plain_words((lost, again))]
    ['A device …']
    """
    return in_plain_words(view.signs)


def in_plain_words(signs: Iterable[SignView]) -> tuple[SignView, ...]:
    """Return signs in the words of the hall, each sentence once, in their order."""
    told: dict[str, SignView] = {}
    for sign in signs:
        said = sign.hall or sign.text
        told.setdefault(said, sign.model_copy(update={"text": said}))
    return tuple(told.values())
