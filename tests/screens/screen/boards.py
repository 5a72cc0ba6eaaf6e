"""Board views for the screen's tests: a canned game, claims of every verdict, and any view at
all."""

from hypothesis import strategies as st

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
    WinView,
)
from station.wire.wording import load_wording

FULL_HD = (1920, 1080)
SMALL = (640, 360)
CALLED = (
    33,
    7,
    81,
    54,
    12,
    90,
    46,
    28,
    65,
    3,
    71,
    19,
    88,
    40,
    25,
    59,
    77,
    11,
    36,
    62,
    5,
    50,
    84,
    42,
)
ROWS = ((5, 11, 33, 50, 77), (7, 25, 42, 65, 84), (19, 28, 48, 57, 86))
PROCEDURE = load_wording("en").procedure
TWO_ROWS = StageView(
    key="two-rows", name="Two lines", index=2, of=3, picture=("#####", "#####", ".....")
)


def board(**changes) -> BoardView:
    """A game in its middle, with changes."""
    view = {
        "seq": 61,
        "night": 1,
        "test": False,
        "hall": "Village Hall",
        "language": "en",
        "phase": Phase.PLAYING,
        "game": GameView(
            number=3, of=12, name="Saturday special", method="Loto, First Method", stakes="whole"
        ),
        "stage": TWO_ROWS,
        "open": (TWO_ROWS,),
        "prize": PrizeView(minor=3000, text="30.00"),
        "called": CALLED,
        "cards": 96,
        "players": 31,
        "notice": "Playing for two lines.",
    }
    return BoardView(**{**view, **changes})


def claim(verdict: Verdict, **changes) -> ClaimView:
    """Card 0017 being checked."""
    sold = verdict is not Verdict.NOT_SOLD
    card = {
        "serial": "0017",
        "holder": "Anna" if sold else None,
        "rows": ROWS if sold else (),
        "marked": tuple(n for row in ROWS for n in row if n in CALLED) if sold else (),
        "missing": (48, 57) if verdict is Verdict.NOT_COMPLETE else (),
        "verdict": verdict,
        "text": "Why it is so.",
        "label": "Card 0017",
    }
    return ClaimView(**{**card, **changes})


numbers = st.integers(1, 90)
# Letters of all kinds, controls and blanks too; some much longer than any line.
texts = st.one_of(
    st.text(max_size=40),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.sampled_from(
        [
            "",
            " ",
            "\x00",
            "a\nb",
            "\u200d",
            "x" * 3000,
            "word " * 600,
            "{n}",
            "हाउज़ी",
            "Ёж",
            "🎱🎱",
        ]
    ),
)
prizes = st.builds(PrizeView, minor=st.integers(0, 10**12), text=texts)
claims = st.builds(
    ClaimView,
    serial=texts,
    holder=st.none() | texts,
    rows=st.lists(st.lists(numbers, max_size=12).map(tuple), max_size=6).map(tuple),
    marked=st.lists(numbers, max_size=12).map(tuple),
    missing=st.lists(numbers, max_size=12).map(tuple),
    verdict=st.sampled_from(Verdict),
    text=texts,
    label=texts,
    numbers=st.lists(numbers, max_size=15).map(tuple),
)
pictures = st.just(()) | st.lists(
    st.text("#.", min_size=5, max_size=5), min_size=3, max_size=3
).map(tuple)
stages = st.builds(
    StageView,
    key=texts,
    name=texts,
    index=st.integers(0, 9),
    of=st.integers(0, 9),
    prize=st.none() | prizes,
    picture=pictures,
)
wins = st.builds(
    WinView,
    stage=texts,
    serial=texts,
    holder=st.none() | texts,
    prize=prizes,
    paid=st.booleans(),
    label=texts,
    status=texts,
)
views = st.builds(
    BoardView,
    seq=st.integers(0, 10**6),
    night=st.integers(0, 999),
    test=st.booleans(),
    hall=texts,
    language=st.just("en"),
    phase=st.sampled_from(Phase),
    game=st.none()
    | st.builds(
        GameView, number=st.integers(), of=st.integers(), name=texts, method=texts, stakes=texts
    ),
    stage=st.none() | stages,
    open=st.lists(stages, max_size=9).map(tuple),
    jackpot=st.none() | st.builds(JackpotView, within=st.integers(1, 90), prize=prizes, text=texts),
    prize=st.none() | prizes,
    called=st.lists(numbers, unique=True, max_size=90).map(tuple),
    cards=st.integers(0, 10**9),
    players=st.integers(0, 10**9),
    near=st.none() | st.integers(0, 10**6),
    near_two=st.none() | st.integers(0, 10**6),
    claim=st.none() | claims,
    claims=st.lists(claims, max_size=7).map(tuple),
    wins=st.lists(wins, max_size=6).map(tuple),
    pause=st.none() | st.builds(PauseView, text=texts, minutes=st.integers(0, 240), follows=texts),
    coming=st.lists(texts, max_size=4).map(tuple),
    signs=st.lists(
        st.builds(SignView, device=texts, colour=st.sampled_from(["amber", "red"]), text=texts),
        max_size=4,
    ).map(tuple),
    auto=st.builds(AutoView, on=st.booleans(), pace=st.floats(2, 60)),
    say=st.none() | st.builds(SayView, token=st.integers(), clips=st.just(()), text=texts),
    notice=texts,
    procedure=st.lists(texts, max_size=9).map(tuple),
)
