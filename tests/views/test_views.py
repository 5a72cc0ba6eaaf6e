"""From the state to what is seen and heard: nothing is shown that the state does not hold, and
everything has its words."""

from __future__ import annotations

import re
import string
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from station.base.nouns import CAVITIES, Style
from station.night.acts import (
    Act,
    Approve,
    Bank,
    Census,
    ClaimCard,
    CloseGame,
    CloseNight,
    Commit,
    CountCash,
    DrawKnob,
    JoinTable,
    MakeMove,
    Mix,
    Note,
    Open,
    Pair,
    Pay,
    PlayOn,
    Recover,
    Redeem,
    Rename,
    Renew,
    Return,
    See,
    SelfTest,
    Sell,
    Shake,
    Sit,
    Skip,
    StopGame,
    TakeKeys,
    TakeSealed,
    Tried,
    Undo,
    Unpair,
    Waive,
)
from station.night.hall import apply
from station.night.table.leaves import TableCommitment
from station.programme.programme import GamePlan
from station.proof.leaves import Commitment, OpenedLeaf, Way
from station.proof.merkle import Edge
from station.record.coded import read_code
from station.record.heads import Signer, parse_head
from station.rules.patterns import JACKPOT, PATTERNS
from station.rules.prizes import ClaimVerdict
from station.views.announcing import announcement, last_number_again
from station.views.money_text import Currency
from station.views.views import BoardContext, board, cavities, number_clips
from station.wire.board_view import BoardView, Phase, SayView, SignView, Verdict, hall_signs
from station.wire.wording import languages, load_wording
from tests.company import hall_of, sitting
from tests.night.test_hall import ROWS, SOLD, WON, A, B, C, night, row
from tests.views.test_views_stages import SAID

WORDS = load_wording("en")
SCENE = BoardContext(WORDS, currency=Currency("£", 2))
CALLED = st.lists(st.integers(1, 90), unique=True, max_size=90)


@given(CALLED)
def test_the_cavities_hold_the_last_ten(called):
    """The last ten numbers, each once, the newest marked; a call changes one place, and the mark of
    the one before."""
    lit = cavities(called)
    assert len(lit) == CAVITIES
    assert sorted(cavity[0] for cavity in lit if cavity) == sorted(called[-10:])
    assert [cavity[0] for cavity in lit if cavity and cavity[1]] == called[-1:]
    if called:
        before = [cavity and cavity[0] for cavity in cavities(called[:-1])]
        after = [cavity and cavity[0] for cavity in lit]
        assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
        assert after.index(called[-1]) == (len(called) - 1) % 10


@pytest.mark.parametrize("number", range(1, 91))
def test_every_number_is_called(number):
    """Plainly by its own clip; by digits with each digit after it, but for single digits, which
    stand "on their own" where digits come first. All clips have words."""
    whole = f"number.{number}"
    digits = [f"number.{digit}".replace("number.0", "nought") for digit in str(number)]
    assert number_clips(number, Style.PLAIN) == (whole,)
    after, before = number_clips(number, Style.DIGITS), number_clips(number, Style.DIGITS_FIRST)
    if number < 10:
        assert (after, before) == ((whole,), ("on-its-own", whole))
    else:
        assert (after, before) == ((whole, *digits), (digits[0], "and", digits[1], whole))
    assert {*after, *before} <= WORDS.clips().keys()


ALL = tuple(range(1, 91))
ENDED = (*row(A, 1), *row(A, 2))


@pytest.mark.parametrize(
    ("before", "act", "clips"),
    [
        ((), SOLD, ()),
        ((SOLD,), Open(), ("eyes-down", "playing-row")),
        ((Open(), CloseGame()), Open(), ("eyes-down", "playing-full")),
        ((Open(),), DrawKnob(number=42), ("number.42",)),
        ((Open(),), StopGame(), ("stop",)),
        ((SOLD, Open(), *row(A)), ClaimCard(serial=A), ("valid", "any-more")),
        ((SOLD, Open(), DrawKnob(number=1)), ClaimCard(serial=A), ("not-valid",)),
        ((SOLD, Open(), *row(A), DrawKnob(number=90)), ClaimCard(serial=A), ("late",)),
        ((Open(), DrawKnob(number=1)), ClaimCard(serial=A), ("not-sold",)),
        ((SOLD, Open(), *row(A), ClaimCard(serial=A)), ClaimCard(serial="77"), ("not-sold",)),
        ((Open(), StopGame()), PlayOn(), ("play-on",)),
        ((SOLD, Open(), *row(A), ClaimCard(serial=A)), PlayOn(), ("won-row", "playing-two-rows")),
        ((*WON, *row(A, 1), ClaimCard(serial=A)), PlayOn(), ("won-two-rows", "playing-full")),
        (
            (*WON, *row(A, 1), ClaimCard(serial=A), PlayOn(), *row(A, 2), ClaimCard(serial=A)),
            PlayOn(),
            ("won-full",),
        ),
        ((*WON, StopGame()), PlayOn(), ("play-on",)),
        ((Open(), DrawKnob(number=37)), Undo(), ("number.37", "not-called")),
        (WON, Pay(serial=A), ("money-paid",)),
        ((Open(),), CloseGame(), ("game-closed",)),
        ((), CloseNight(), ("good-night",)),
        ((), Note(about="reader", what="lost"), ()),
        ((), Census(found=ALL), ("census-good",)),
        ((), Census(found=ALL[1:-1]), ("census-missing", "number.1", "number.90")),
        ((), Census(found=ALL[:80]), ("census-missing",)),
        ((), Census(found=ALL, twice=(7,), foreign=(5,)), ("census-two", "census-foreign")),
        (
            (),
            SelfTest(
                parts=(Tried(what="disk", result="good"), Tried(what="voice", result="skipped"))
            ),
            ("self-test-good",),
        ),
        ((), SelfTest(parts=(Tried(what="voice", result="fault"),)), ("self-test-fault",)),
        ((), Waive(who="Anna", why="no reader"), ()),
    ],
)
def test_what_is_announced(before, act, clips):
    """Every act has its words, or none on purpose; every clip is in the wording."""
    hall = night(*before)
    assert announcement(act, hall, apply(hall, act)) == clips
    assert set(clips) <= set(WORDS.clips())


def test_every_act_is_in_the_table_of_announcements():
    """A new act needs its line above, or among the games with patterns or those at the table, or is
    one of those of the till, of those about people, or of the bag's luck."""
    table = test_what_is_announced.pytestmark[0].args[1]
    till = {Return, CountCash, Approve, Redeem, Recover, Bank}
    at_table = {Sit, JoinTable, Shake, MakeMove}
    till |= {Skip}
    people, luck = {Pair, Unpair, Rename}, {See, Renew, Mix, TakeSealed, TakeKeys, Commit}
    assert {type(act) for _, act, _ in table} | {
        type(act) for _, _, act, _ in SAID
    } | till | at_table | people | luck == set(Act.__args__)


@pytest.mark.parametrize(
    "act",
    [
        Return(serials=(A,)),
        CountCash(by="Ben", amount=5),
        Approve(serial=A, who="Ben"),
        Redeem(amount=1),
        Recover(serial=A, amount=1),
        Bank(account="house", amount=1),
        Skip(why="too late"),
        See(number=42, leaf=OpenedLeaf(at=0, secret="0" * 64)),
        Renew(bag="0" * 64, epoch=2),
        Mix(words="green horse"),
        TakeSealed(),
        TakeKeys(first=1, keys="0" * 32),
    ],
)
def test_the_till_is_nobodys_business(act):
    """What is done about money besides the prizes is not announced; nor is a number before its
    call."""
    hall = night(SOLD)
    assert announcement(act, hall, hall) == ()


def test_digits_are_called_where_the_style_wants_them():
    """The style reaches the announcement of a draw."""
    hall = night(Open())
    assert announcement(
        DrawKnob(number=42), hall, apply(hall, DrawKnob(number=42)), Style.DIGITS
    ) == (
        "number.42",
        "number.4",
        "number.2",
    )


def test_the_last_number_is_said_again():
    """In an open game with a call; not before the first, not between games, not after it was taken
    back."""
    assert last_number_again(night(Open(), DrawKnob(number=7), DrawKnob(number=42))) == (
        "last-number",
        "number.42",
    )
    for acts in (
        (),
        (Open(),),
        (Open(), DrawKnob(number=7), CloseGame()),
        (Open(), DrawKnob(number=7), Undo()),
    ):
        assert last_number_again(night(*acts)) == ()


@pytest.mark.parametrize(
    ("before", "phase", "shown"),
    [
        (
            (),
            Phase.BETWEEN,
            {"game": None, "stage": None, "prize": None, "called": (), "cards": 0, "players": 0},
        ),
        ((SOLD,), Phase.BETWEEN, {"game": None, "cards": 4, "players": 4}),
        (
            (Sell(serials=(A, B), to="Anna"), Sell(serials=(C,))),
            Phase.BETWEEN,
            {"cards": 3, "players": 2},
        ),
        (
            (Sell(serials=(A, B), to="Anna"), Sell(serials=(C,)), Open()),
            Phase.PLAYING,
            {"cards": 3, "players": 2},
        ),
        (
            (Open(), DrawKnob(number=7)),
            Phase.PLAYING,
            {"called": (7,), "last": 7, "claim": None, "claims": (), "wins": ()},
        ),
        ((Open(), StopGame()), Phase.STOPPED, {"claim": None}),
        (
            (Open(), DrawKnob(number=7), CloseGame()),
            Phase.BETWEEN,
            {"called": (7,), "stage": None, "open": (), "prize": None},
        ),
        ((CloseNight(),), Phase.CLOSED, {"night": 1}),
    ],
)
def test_the_board_in_every_phase(before, phase, shown):
    """The phase and what belongs to it."""
    view = board(night(*before), SCENE)
    assert view.phase is phase
    assert {name: getattr(view, name) for name in shown} == shown
    assert view.procedure == ()


def test_the_board_of_a_game():
    """Which game, method, stakes, stage and prize, in the hall's words and money."""
    view = board(night(SOLD, Open()), SCENE)
    assert view.game is not None
    assert view.stage is not None
    assert view.prize is not None
    assert view.game.model_dump() == {
        "number": 1,
        "of": 3,
        "name": "First",
        "method": "Loto, First Method",
        "stakes": "quarters",
        "stopped": "",
    }
    stage = {"key": "row", "name": "One line", "index": 1, "of": 3, "pattern": "row"}
    assert view.stage.model_dump(exclude={"ways", "picture", "prize"}) == stage
    assert view.prize.model_dump() == {"minor": 7, "text": "£0.07", "thing": ""}
    assert view.open == (view.stage,)
    assert view.stage.prize == view.prize
    assert board(night(*WON), SCENE).stage.index == 2
    won = board(
        night(
            Sell(serials=(A,)),
            Open(),
            CloseGame(),
            Sell(serials=(A,)),
            Open(),
            *row(A),
            *ENDED,
            ClaimCard(serial=A),
            PlayOn(),
        ),
        SCENE,
    )
    assert (won.stage, won.prize, won.phase) == (None, None, Phase.PLAYING)


@pytest.mark.parametrize(
    ("calls", "serial", "verdict", "missing", "text"),
    [
        (row(A), A, Verdict.VALID, (), "The claim is valid."),
        (row(A)[:3], A, Verdict.NOT_COMPLETE, (50, 76), "Not called: 50, 76"),
        (
            [*row(A), DrawKnob(number=90)],
            A,
            Verdict.LATE,
            (),
            "Too late: it was not on the last number.",
        ),
        (row(A), "77", Verdict.NOT_SOLD, (), "This card is not in the game."),
    ],
)
def test_a_check_is_shown_with_its_reason(calls, serial, verdict, missing, text):
    """H20: the card, its marks, the verdict, and why."""
    view = board(
        night(Sell(serials=(A,), to="Anna"), Open(), *calls, ClaimCard(serial=serial)), SCENE
    )
    assert view.phase is Phase.STOPPED
    assert view.claim is not None
    assert view.claims == (view.claim,)
    sold = serial == A
    assert view.claim.holder == ("Anna" if sold else None)
    assert [list(numbers) for numbers in view.claim.rows] == (ROWS[A] if sold else [])
    called = {draw.number for draw in calls}
    assert view.claim.marked == (
        tuple(sorted(called & {n for numbers in ROWS[A] for n in numbers})) if sold else ()
    )
    assert (view.claim.verdict, view.claim.missing, view.claim.text) == (verdict, missing, text)


def test_all_cards_of_a_stop_are_shown_the_newest_apart():
    """Three winners on one number: all are listed, the one being checked now stands by itself."""
    view = board(
        night(SOLD, Open(), *row(A), ClaimCard(serial=B), ClaimCard(serial=A), ClaimCard(serial=C)),
        SCENE,
    )
    assert [claim.serial for claim in view.claims] == [B, A, C]
    assert view.claim == view.claims[-1]


def test_prizes_are_shown_until_they_are_handed_over():
    """A win shows who, what for, how much, and whether it was paid."""
    hall = night(Sell(serials=(A, B, C, "0001"), to="Anna"), *WON[1:])
    shown = [
        view.wins[0].model_dump()
        for view in (board(hall, SCENE), board(apply(hall, Pay(serial=A)), SCENE))
    ]
    win = {
        "stage": "One line",
        "serial": A,
        "holder": "Anna",
        "prize": {"minor": 7, "text": "£0.07", "thing": ""},
        "pattern": "row",
        "key": "row",
        "draws": False,
        "label": A,
    }
    assert shown == [
        {**win, "paid": False, "status": "to be paid"},
        {**win, "paid": True, "status": "paid"},
    ]
    two = night(*WON, Pay(serial=A), *row(A, 1), ClaimCard(serial=A), PlayOn())
    assert [(won.stage, won.paid) for won in board(two, SCENE).wins] == [
        ("One line", True),
        ("Two lines", False),
    ]


def test_a_halted_station_shows_how_to_go_on():
    """The procedure on paper is there, with the numbers that stand."""
    halted = BoardContext(WORDS, halted="disk full")
    view = board(night(Open(), DrawKnob(number=7)), halted)
    assert (view.phase, view.called, view.procedure) == (Phase.HALTED, (7,), WORDS.procedure)


@pytest.mark.parametrize(
    ("notice", "shown"), [("No room.", ""), ("no room.", ""), ("Eyes down.", "Eyes down.")]
)
def test_what_a_sign_says_is_not_said_twice(notice: str, shown: str):
    """A notice that a sign repeats word for word leaves its place empty, whichever of them begins
    with a capital; any other stays."""
    sign = SignView(device="journal", colour="red", text="No room.")
    assert board(night(Open()), BoardContext(WORDS, signs=(sign,), notice=notice)).notice == shown


FAULTS = (
    "the GPIO pins cannot be reached through 'lgpio' (unable to locate Pi revision in /proc)",
    "journal.jsonl cannot be written: No space left on device. The game is halted.",
    "[Errno 5] Input/output error: /dev/spidev0.0",
    "no port /dev/serial0: plug it in",
    "Cards are made with ./loto pack make --strips 4",
    "a line was torn: put aside as journal.jsonl.torn-1",
    "the voice gave no sign of life for 30 s and is started again",
    "espeak-ng: command not found",
    "wording/de.toml: the key 'halted' is missing",
    "loto_board.driver:Board raised ZeroDivisionError",
    "the lamps cannot be lit (OSError)",
)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("colour", ["amber", "red"])
def test_a_fault_is_told_to_the_hall_in_plain_words(language: str, colour: str):
    """Whatever the device and the fault: screens show a sentence of the language, each once, and
    nothing of the builder's; the caller reads all of it."""
    wording = load_wording(language)
    devices = ("reader", "matrix", "lamps", "button draw", "speech", "journal", "cards", "wording")
    signs = tuple(
        SignView(device=f"{device}{index or ''}", colour=colour, text=text)
        for index, text in enumerate(FAULTS)
        for device in devices
    )
    view = board(night(), BoardContext(wording, signs=signs))
    assert [sign.text for sign in view.signs] == [sign.text for sign in signs]
    shown = [sign.text for sign in hall_signs(view)]
    keys = ("device-fault", "station-fault", "record-fault")
    assert set(shown) <= {wording.screen[key] for key in keys}
    assert len(shown) == len(set(shown))
    for text in shown:
        assert not re.search(r"[/\[\]_]|Errno|jsonl|loto |GPIO", text)
    assert shown == [wording.screen["record-fault"]] if colour == "red" else len(shown) == 2


@pytest.mark.parametrize("device", ["sound", "station", "pair"])
def test_what_the_hall_is_told_on_purpose_is_shown_as_it_is(device: str):
    """The sound is off, the station switches off, a device is let in."""
    sign = SignView(device=device, colour="amber", text="MUTED: the sound is off")
    view = board(night(), BoardContext(WORDS, signs=(sign,)))
    assert hall_signs(view) == (sign,)


def test_the_scene_is_shown_as_it_is():
    """What the desk knows besides the state goes through unchanged."""
    scene = BoardContext(
        WORDS,
        hall_name="Village hall",
        test=True,
        seq=5,
        near=7,
        near_two=31,
        calling=True,
        signs=(SignView(device="reader", colour="amber", text="plug it in"),),
        say=SayView(token=3, clips=("stop",), text="Stop."),
        notice="eyes down",
    )
    view = board(night(), scene)
    assert [sign.text for sign in view.signs] == ["plug it in"]
    for name in ("test", "seq", "near", "near_two", "calling", "auto", "say", "notice"):
        assert getattr(view, name) == getattr(scene, name)
    assert (view.hall, view.language) == ("Village hall", "en")


EVENING: list[Any] = [
    *WON,
    Pay(serial=A),
    DrawKnob(number=90),
    Undo(),
    *row(A, 1),
    ClaimCard(serial=A),
    PlayOn(),
    StopGame(),
    PlayOn(),
    CloseGame(),
    Open(),
]


def test_the_board_follows_the_state_alone():
    """It is the same for the same state, shows that state's calls and no other, and comes back
    whole from its JSON."""
    hall = night()
    for act in EVENING:
        hall = apply(hall, act)
        view = board(hall, SCENE)
        assert view == board(hall, SCENE)
        assert view.called == (hall.last_sold.called if hall.last_sold is not None else ())
        assert view.last_ten == tuple(reversed(view.called))[:10]
        assert BoardView.model_validate_json(view.model_dump_json()) == view


def test_the_board_knows_every_verdict_of_the_rules():
    """A verdict of the rules is one of the board's, and has its label and its words."""
    assert {verdict.value for verdict in ClaimVerdict} <= {verdict.value for verdict in Verdict}
    assert {verdict.value for verdict in Verdict} <= set(WORDS.screen)
    assert {*PATTERNS, JACKPOT} <= set(WORDS.screen)


@pytest.mark.parametrize(
    ("currency", "minor", "text"),
    [
        (Currency("£", 2), 605, "£6.05"),
        (Currency("£", 2), 5, "£0.05"),
        (Currency("£", 2), -605, "-£6.05"),
        (Currency("", 0), 12, "12"),
        (Currency("¥", 0), -3, "-¥3"),
        (Currency("", 3), 1, "0.001"),
    ],
)
def test_money_is_written_as_the_hall_writes_it(currency, minor, text):
    """Whole minor units, never rounded."""
    assert currency.text(minor) == text


@given(st.integers(-(10**12), 10**12), st.integers(0, 4))
def test_no_minor_unit_is_lost_in_writing(minor, decimals):
    """The digits written are the units held."""
    text = Currency("€", decimals).text(minor)
    digits = "".join(character for character in text if character in string.digits)
    assert int(digits) == abs(minor)
    assert text.startswith("-") == (minor < 0)


def test_what_a_bag_is_committed_to_with_is_told() -> None:
    """Twenty signs of the root, how often there was a new one, and what the hall has said, as text;
    nothing where there is no root, or no game is open."""

    def told(way: Way, *acts: Any) -> tuple[str, bool]:
        luck = Commitment(way=way, station="", leaves=90)
        view = board(night(Open(bag="0" * 62 + "ff", luck=luck), *acts), BoardContext(WORDS))
        return view.luck, view.wants_words

    bag = "Draw code: AAAA AAAA AAAA AAAA AAAA"
    anew = Renew(bag="1" * 64, epoch=2)
    waived = Waive(about="words", who="Anna", why="nobody speaks")
    assert told(Way.COMMITTED) == (bag, False)
    assert told(Way.SHARED) == (f"{bag} \u00b7 Call out words for the draw!", True)
    said = f"{bag} \u00b7 Words from the hall: <b>{{x}}</b>"
    assert told(Way.SHARED, Mix(words="<b>{x}</b>")) == (said, False)
    assert told(Way.SHARED, waived) == (f"{bag} \u00b7 no words from the hall", False)
    assert told(Way.SHARED, waived, anew)[0].endswith(
        "after a restart \u00b7 Call out words for the draw!"
    )
    assert told(Way.FRESH) == ("", False)
    assert told(Way.COMMITTED, CloseGame()) == ("", False)


def test_the_heads_code_is_shown_in_quiet_moments() -> None:
    """Before the first number with the bag's whole root, and between games; not while something is
    played or halted, nor where nothing is signed."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    head = Signer.of(key, 1).note(Edge.over([b"a" * 32] * 3))
    public = key.public_key().public_bytes_raw().hex()
    root = "ab" * 32
    context = BoardContext(WORDS, head=head, key=public, pages="http://10.0.0.5:8090")

    def read(*acts: Any, way: Way = Way.COMMITTED, scene: BoardContext = context) -> Any:
        luck = Commitment(way=way, station=public, leaves=90)
        code = board(night(*(replace_open(act, root, luck) for act in acts)), scene).code
        assert not code or code.startswith("http://10.0.0.5:8090/check#")
        return read_code(code)[1:] if code else None

    assert read() == (public, 0, "")
    assert read(Open()) == (public, 1, root)
    assert read(Open(), way=Way.FRESH) == (public, 1, "")
    assert read(Open(), DrawKnob(number=7)) is None
    assert read(Open(), StopGame()) is None
    assert read(Open(), DrawKnob(number=7), CloseGame()) == (public, 1, "")
    assert read(CloseNight()) == (public, 0, "")
    assert read(scene=replace(context, head="")) is None
    assert read(scene=replace(context, halted="no room")) is None
    alone = board(night(), replace(context, pages="")).code
    assert alone.isdigit()
    assert read_code(alone).head == parse_head(head)


def replace_open(act: Any, root: str, luck: Commitment) -> Any:
    """An opening with what its bag is committed to."""
    return act.model_copy(update={"bag": root, "luck": luck}) if isinstance(act, Open) else act


def test_what_a_table_is_committed_to_is_told() -> None:
    """While its game is open, until a bag is counted for it; nothing of secrets made at a throw."""

    def told(way: Way, **more: Any) -> tuple[str, str, int]:
        root = {"root": "0" * 62 + "ff", "epoch": 1}
        luck = TableCommitment(way=way, station="", leaves=90, **{**root, **more})
        hall = hall_of(GamePlan(name="Keno", method="dice-keno"))
        hall = apply(hall, sitting(3).model_copy(update={"luck": luck}))
        assert board(hall, BoardContext(WORDS)).luck == ""
        view = board(apply(hall, Open()), BoardContext(WORDS))
        return view.luck, view.root, view.epoch

    text = "Code of this table's throws and deals: AAAA AAAA AAAA AAAA AAAA"
    assert told(Way.COMMITTED) == (text, "0" * 62 + "ff", 1)
    assert told(Way.FRESH) == ("", "", 1)
