"""Views of a night at the village hall, as the core and its hands would send them."""

from __future__ import annotations

from typing import Any

from station.rules.patterns import PATTERNS, picture
from station.wire.board_view import (
    AutoView,
    BoardView,
    ClaimView,
    GameView,
    JackpotView,
    PauseView,
    Phase,
    PrizeView,
    SayView,
    SignView,
    StageView,
    Verdict,
    WayView,
    WinView,
)
from station.wire.wording import load_wording

WORDS = load_wording()
CALLED = (7, 42, 88, 19, 63, 30, 5, 71, 54, 26, 13, 90, 33, 61, 47, 2, 79, 11)
# The first is the card of the rule book's first figure.
CARDS: tuple[dict[str, Any], ...] = (
    {
        "serial": "0001",
        "holder": "Anna",
        "rows": [[5, 11, 33, 50, 76], [17, 22, 43, 65, 89], [2, 28, 35, 56, 74]],
    },
    {
        "serial": "0002",
        "holder": "Bruno",
        "rows": [[7, 19, 42, 63, 88], [1, 23, 48, 60, 77], [9, 14, 36, 52, 81]],
    },
    {
        "serial": "0003",
        "holder": "Clara",
        "rows": [[3, 20, 31, 54, 70], [12, 29, 44, 68, 90], [8, 37, 59, 62, 85]],
    },
    {
        "serial": "0004",
        "holder": "Dev",
        "rows": [[4, 16, 47, 61, 83], [10, 26, 39, 55, 79], [6, 21, 32, 66, 87]],
    },
    {
        "serial": "0005",
        "holder": "Elsa",
        "rows": [[13, 25, 40, 58, 71], [18, 30, 49, 64, 80], [15, 27, 34, 57, 72]],
    },
    {
        "serial": "0006",
        "holder": "Farid",
        "rows": [[24, 38, 45, 69, 84], [41, 51, 67, 73, 86], [46, 53, 75, 78, 82]],
    },
)


def stage(key: str, *, index: int = 1, of: int = 3, prize: PrizeView | None = None) -> StageView:
    """A stage as the core shows it."""
    pattern = PATTERNS[key]
    ways = tuple(WayView(card=picture(part.places), need=part.need) for part in pattern.parts)
    name = WORDS.screen[key].lower()
    return StageView(
        key=key,
        name=name,
        index=index,
        of=of,
        prize=prize,
        pattern=key,
        ways=ways,
        picture=picture(pattern.parts[0].places),
    )


def win(
    name: str, serial: str, holder: str | None, prize: PrizeView, status: str, *, key: str
) -> WinView:
    """A prize that was won."""
    more = {"pattern": key, "key": key, "label": serial, "status": status}
    return WinView(
        stage=name, serial=serial, holder=holder, prize=prize, paid=status == "paid", **more
    )


def playing(called: tuple[int, ...] = CALLED, **changes: Any) -> BoardView:
    """A game in its first row, with these calls."""
    say = (
        SayView(token=len(called), clips=(f"number.{called[-1]}",), text=WORDS.numbers[called[-1]])
        if called
        else None
    )
    view = BoardView(
        seq=40 + len(called),
        night=1,
        test=True,
        hall="Village Hall",
        language="en",
        phase=Phase.PLAYING,
        game=GameView(
            number=1, of=3, name="The first house", method="Loto, First Method", stakes="quarters"
        ),
        stage=stage("row"),
        open=(stage("row"),),
        prize=PrizeView(minor=600, text="£6.00"),
        called=called,
        cards=24,
        players=6,
        auto=AutoView(on=False, pace=6.0),
        say=say,
        notice="Playing for one line.",
    )
    return view.model_copy(update=changes)


def between() -> BoardView:
    """Before the first game."""
    coming = ("The first house", "The second house", "The last house")
    view = playing(
        (),
        phase=Phase.BETWEEN,
        stage=None,
        open=(),
        prize=None,
        coming=coming,
        notice="The first house begins soon.",
    )
    return view.model_copy(update={"say": None})


def claim(verdict: Verdict, text: str, missing: tuple[int, ...] = ()) -> ClaimView:
    """Anna's card, being checked."""
    rows = tuple(tuple(row) for row in CARDS[0]["rows"])
    marked = tuple(number for row in rows for number in row if number in CALLED)
    if verdict is Verdict.NOT_SOLD:
        return ClaimView(
            serial="0099",
            holder=None,
            rows=(),
            marked=(),
            missing=(),
            verdict=verdict,
            text=text,
            label="Card 0099",
        )
    return ClaimView(
        serial="0001",
        holder="Anna",
        rows=rows,
        marked=marked,
        missing=missing,
        verdict=verdict,
        text=text,
        label="Card 0001",
        winning=(5, 11, 33) if verdict is Verdict.VALID else (),
    )


def ticket(text: str) -> ClaimView:
    """Mary's ticket from elsewhere, of which one number was not called."""
    return ClaimView(
        serial="ticket-1-1",
        holder="Mary",
        rows=(),
        marked=(5, 33),
        missing=(50,),
        verdict=Verdict.NOT_COMPLETE,
        text=text,
        label="Ticket 1",
        numbers=(5, 33, 50),
    )


def at_once(**changes: Any) -> BoardView:
    """A game in which five prizes can be won, and the jackpot; one thing was won by two and is to
    be drawn for."""
    prizes = {
        "corners": "a ham",
        "top-row": "£2.00",
        "middle-row": "£2.00",
        "bottom-row": "£2.00",
        "full": "£10.00 + a cake",
    }
    open_ = tuple(
        stage(key, prize=PrizeView(minor=0, text=text), index=index, of=5)
        for index, (key, text) in enumerate(prizes.items(), 1)
    )
    jackpot = JackpotView(
        within=45,
        prize=PrizeView(minor=25000, text="£250.00"),
        text="Jackpot £250.00: within 45 calls",
    )
    pie = PrizeView(minor=0, text="a pie", thing="a pie")
    holders = (("0002", "Bruno"), ("0003", None))
    wins = tuple(
        win("Early five", serial, name, pie, "to be drawn for", key="early-five")
        for serial, name in holders
    )
    whole: dict[str, Any] = {
        "stage": open_[0],
        "open": open_,
        "prize": open_[0].prize,
        "jackpot": jackpot,
        "wins": wins,
    }
    whole |= {"near": 7, "near_two": 31}
    return playing(**{**whole, **changes})


def paused() -> BoardView:
    """Between two games: tea."""
    pause = PauseView(
        text="Tea in the side room",
        minutes=10,
        follows="The next game starts in about 10 minutes.",
    )
    coming = ("The second house", "The third house")
    return playing(phase=Phase.BETWEEN, stage=None, open=(), prize=None, pause=pause, coming=coming)


def stopped(checked: ClaimView) -> BoardView:
    """The hall waits while a card is checked."""
    return playing(
        phase=Phase.STOPPED,
        claim=checked,
        claims=(checked,),
        notice="Stop, please: we have a claim.",
    )


def won() -> BoardView:
    """The row is won, two rows are being played."""
    won_row = win("one row", "0002", "Bruno", PrizeView(minor=600, text="£6.00"), "paid", key="row")
    two = stage("two-rows", index=2)
    return playing(stage=two, open=(two,), wins=(won_row,), notice="Playing for two lines.")


def troubled() -> BoardView:
    """The reader is unplugged."""
    sign = SignView(
        device="reader",
        colour="amber",
        text="The reader is unplugged: plug it in again, or key the numbers.",
    )
    return playing(signs=(sign,))


def halted() -> BoardView:
    """The record cannot be written."""
    sign = SignView(
        device="journal", colour="red", text="No room on the disk: nothing more can be recorded."
    )
    return playing(
        phase=Phase.HALTED, signs=(sign,), notice="The game is halted.", procedure=WORDS.procedure
    )


def bench(called: tuple[int, ...] = CALLED, **changes: Any) -> dict[str, Any]:
    """What a person before the machine sees after these calls."""
    return {
        "seq": 10_000,  # never behind the board
        "matrix": matrix(called[-10:]),
        "colours": {"#": "#ff2018"},
        "lamps": {"draw": "on", "claim": "off", "next": "off"},
        "buttons": ["draw", "claim", "next"],
        "reader": {"plugged": True, "resting": list(called[-1:])},
        "voice": {"alive": True},
        "disk": {"full": False},
        "bag": [number for number in range(1, 91) if number not in called],
        "cards": [{**card, "mark": "late" if card["serial"] == "0002" else ""} for card in CARDS],
        "winners": [],
        "players": {
            "named": [[card["holder"], 1] for card in CARDS],
            "more": 0,
            "nobody": 0,
            "tickets": 0,
        },
        "refused": {"count": 0, "say": ""},
        "census": {"active": False, "state": "none"},
        "self-test": {"active": False, "asks": "", "parts": [], "state": "none"},
        **changes,
    }


def pointing_out(serial: str, **changes: Any) -> dict[str, Any]:
    """The same where a card wins by claiming now."""
    whole = bench(**changes)
    cards = [{**card, "mark": "has" if card["serial"] == serial else ""} for card in whole["cards"]]
    winners = [
        {"serial": card["serial"], "holder": card["holder"]} for card in cards if card["mark"]
    ]
    return {**whole, "cards": cards, "winners": winners}


_DIGITS = (
    "###|#.#|#.#|#.#|###",
    ".#.|##.|.#.|.#.|###",
    "###|..#|###|#..|###",
    "###|..#|.##|..#|###",
    "#.#|#.#|###|..#|..#",
    "###|#..|###|..#|###",
    "###|#..|###|#.#|###",
    "###|..#|..#|..#|..#",
    "###|#.#|###|#.#|###",
    "###|#.#|###|..#|###",
)


def matrix(numbers: tuple[int, ...]) -> list[str]:
    """A plausible picture of the ten cavities: 16 rows of 80, the newest underlined."""
    picture = [["."] * 80 for _ in range(16)]
    for cavity, number in enumerate(numbers):
        text = str(number)
        left = cavity * 8 + (0 if len(text) == 2 else 2)
        for place, digit in enumerate(text):
            for row, line in enumerate(_DIGITS[int(digit)].split("|")):
                for column, dot in enumerate(line):
                    for twice in (0, 1):
                        picture[2 + 2 * row + twice][left + 4 * place + column] = dot
        if cavity == len(numbers) - 1:
            for row in (14, 15):
                picture[row][cavity * 8 : cavity * 8 + 7] = ["#"] * 7
    return ["".join(row) for row in picture]
