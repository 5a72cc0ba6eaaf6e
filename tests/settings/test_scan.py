"""What a scanned or keyed card means: the card found whatever its form, the act by use and moment,
ranges, settings' faults."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.cards.pack import Pack, make_pack
from station.cards.serials import Numbering
from station.night.acts import CloseGame, Open
from station.night.hall import Hall, apply
from station.programme.programme import GamePlan, Programme
from station.settings.config import driver_table
from station.settings.scan import (
    Chosen,
    ScannerUse,
    ScanUse,
    act_of_scan,
    card_looked_at,
    card_meant,
    cards_chosen,
    scanner_faults,
    scanner_uses,
)
from tests.support import between

PLAIN = make_pack(4, Random(1))
NUMBERING = Numbering(b"a key of the tests' own", "A", 6)
KEYED = Pack.of(NUMBERING.serials(1, len(PLAIN)), PLAIN.numbers)
BETWEEN = Hall(KEYED, Programme(name="test", games=(GamePlan(name="one"), GamePlan(name="two"))))
PLAYING = apply(BETWEEN, Open())
SERIAL = KEYED.serials[6]
CODE = NUMBERING.short(7)
CLAIMS, SELLS = ScannerUse(), ScannerUse(ScanUse.SELL, "Ben")
BOTH = ScannerUse(ScanUse.CLAIM, "Ben")
CLAIM, SALE = {"act": "claim", "serial": SERIAL}, {"act": "sell", "serials": [SERIAL], "by": "Ben"}


@pytest.mark.parametrize(
    "text", [SERIAL, CODE, f" {SERIAL} ", SERIAL.lower(), CODE.lower(), SERIAL.replace("-", " ")]
)
def test_a_card_is_found_whatever_its_form(text):
    """The serial, the code of its QR, small letters and blanks: all mean the card."""
    assert card_meant(KEYED, text, NUMBERING) == SERIAL


def test_half_a_number_is_no_card():
    """Check characters may be left out, digits may not: not even where only one card begins so."""
    alone = Pack.of([SERIAL], PLAIN.numbers[:1])
    assert [
        alone.find_counted(text) for text in ("A000007", "A00000", "A", "", "A000007-", SERIAL[:-1])
    ] == [
        SERIAL,
        *[None] * 3,
        SERIAL,
        None,
    ]


def test_a_claim_needs_the_check_characters():
    """What is enough to sell a card is not enough to claim with it: they are what nobody can
    guess."""
    assert KEYED.find_counted(SERIAL[:7].lower(), NUMBERING) == SERIAL
    with pytest.raises(Unreadable, match="type its check characters too") as caught:
        card_meant(KEYED, SERIAL[:7], NUMBERING)
    assert SERIAL not in str(caught.value)
    with pytest.raises(Unreadable, match="type its check characters too"):
        card_meant(KEYED, "7", NUMBERING)
    assert card_looked_at(KEYED, f" {SERIAL[:7]}", NUMBERING) == SERIAL
    assert card_looked_at(KEYED, CODE, NUMBERING) == SERIAL
    with pytest.raises(Unreadable, match="no card of this pack"):
        card_looked_at(KEYED, "A999999", NUMBERING)


@pytest.mark.parametrize(
    ("hall", "scanner", "act"),
    [
        (PLAYING, CLAIMS, CLAIM),
        (PLAYING, BOTH, CLAIM),
        (PLAYING, SELLS, SALE),
        (BETWEEN, SELLS, SALE),
        (BETWEEN, BOTH, SALE),
        (PLAYING, ScannerUse(ScanUse.SELL), {"act": "sell", "serials": [SERIAL]}),
    ],
)
def test_what_a_scan_asks_for(hall, scanner, act):
    """In a game a claim, with a scanner for sales a sale; between games a sale where somebody sells
    with it."""
    assert act_of_scan(hall, CODE, scanner, NUMBERING) == act


@pytest.mark.parametrize("scanner", [CLAIMS, SELLS, BOTH])
@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/",
        "",
        "x" * 128,
        CODE[:-1],
        NUMBERING.short(900),
        "A000007-0000",
    ],
)
def test_a_foreign_code_is_named_and_does_nothing(scanner, text):
    """What is no card of this pack is refused with what was read, shortened; also one of this
    hall's other packs."""
    with pytest.raises(Unreadable, match="is no card of this pack") as caught:
        act_of_scan(PLAYING, text, scanner, NUMBERING)
    assert text[:20] in str(caught.value)
    assert len(str(caught.value)) < 190


def test_a_claim_between_games_sells_nothing():
    """A scanner for claims that names no seller says that no game is open."""
    for hall in (BETWEEN, apply(PLAYING, CloseGame())):
        with pytest.raises(Unreadable, match="no game is open"):
            act_of_scan(hall, CODE, CLAIMS, NUMBERING)


def first_last(*numbers):
    return tuple(NUMBERING.serial(number) for number in numbers)


ONE, SIX, SEVEN, TEN = first_last(1, 6, 7, 10)


def printed(form, many=24):
    """A pack whose serials a printer has numbered so."""
    return Pack.of([form.format(number) for number in range(1, many + 1)], PLAIN.numbers[:many])


SHEETS = Pack.of([f"{n}/{m}" for n in (1, 2) for m in range(1, 7)], PLAIN.numbers[:12])
TWO = Pack.of([f"{one} {n:04}" for one in "AB" for n in range(1, 13)], PLAIN.numbers)
CHOSEN = [
    (PLAIN, ["0001"], Chosen(("0001",), (), 1)),
    (PLAIN, ["0001-0006", "0010"], Chosen(("0010",), (("0001", "0006"),), 7)),
    (PLAIN, ["0001..0024"], Chosen((), (("0001", "0024"),), 24)),
    (PLAIN, ["0002-0002"], Chosen(("0002",), (), 1)),
    (PLAIN, [], Chosen((), (), 0)),
    (KEYED, [f"{ONE}-{SIX}", SEVEN], Chosen((SEVEN,), ((ONE, SIX),), 7)),
    (KEYED, [f"{ONE}..{SIX}"], Chosen((), ((ONE, SIX),), 6)),
    (KEYED, [f"{ONE}-{SIX}".lower()], Chosen((), ((ONE, SIX),), 6)),
    (KEYED, ["a000001-A000006", SERIAL[:7]], Chosen((SERIAL,), ((ONE, SIX),), 7)),
    (
        KEYED,
        [CODE, f"{NUMBERING.short(1)}-{NUMBERING.short(6)}"],
        Chosen((SERIAL,), ((ONE, SIX),), 7),
    ),
    # as people say them
    (PLAIN, ["7-12"], Chosen((), (("0007", "0012"),), 6)),
    (PLAIN, ["9", "1..3"], Chosen(("0009",), (("0001", "0003"),), 4)),
    (PLAIN, ["017-19"], Chosen((), (("0017", "0019"),), 3)),
    (KEYED, ["1-6", "a7"], Chosen((SEVEN,), ((ONE, SIX),), 7)),
    (TWO, ["B7-12"], Chosen((), (("B 0007", "B 0012"),), 6)),
    (TWO, ["B", "7-12", "A", "3"], Chosen(("A 0003",), (("B 0007", "B 0012"),), 7)),
    (TWO, ["B", "0007", "b8"], Chosen(("B 0007", "B 0008"), (), 2)),
    (SHEETS, ["1/3-2/1"], Chosen((), (("1/3", "2/1"),), 5)),
    (SHEETS, ["1-3"], Chosen(("1/3",), (), 1)),
    (SHEETS, ["1/2-4"], Chosen((), (("1/2", "1/4"),), 3)),
    (printed("No. {}"), ["No.", "6", "8-9"], Chosen(("No. 6",), (("No. 8", "No. 9"),), 3)),
    (printed("A 12 {}"), ["A", "12", "4", "A", "12", "5"], Chosen(("A 12 4", "A 12 5"), (), 2)),
    (printed("A 12 {}"), ["4-7"], Chosen((), (("A 12 4", "A 12 7"),), 4)),
    (printed("FS001_{}"), ["FS001_2-FS001_7"], Chosen((), (("FS001_2", "FS001_7"),), 6)),
    (printed("1.{}"), ["1.2-1.5"], Chosen((), (("1.2", "1.5"),), 4)),
    (printed("Série-{}"), ["serie", "2", "SÉRIE-3"], Chosen(("Série-2", "Série-3"), (), 2)),
    (
        printed("3f25-{:04}a"),
        ["3f25-0003a..3f25-0005a"],
        Chosen((), (("3f25-0003a", "3f25-0005a"),), 3),
    ),
]


@pytest.mark.parametrize(("pack", "words", "chosen"), CHOSEN)
def test_cards_are_chosen_by_ranges_and_one_by_one(pack, words, chosen):
    """Serials and codes, hyphens of their own or not; a range of one is a card; ranges stay
    ranges."""
    assert cards_chosen(pack, words, NUMBERING) == chosen


REFUSED = [
    (PLAIN, ["0001-0099"], "'0099' is no card of this pack"),
    (PLAIN, ["0099-0001"], "'0099' is no card"),
    (PLAIN, ["0006-0001"], "backwards; write 0001..0006"),
    (PLAIN, ["0001-0006", "0006"], "card 0006 is named twice"),
    (PLAIN, ["0001", "0001"], "card 0001 is named twice"),
    (PLAIN, ["0001-"], "'0001-' is half a range: write FIRST-LAST"),
    (PLAIN, ["0001.."], "half a range"),
    (PLAIN, ["rubbish"], "'rubbish' is no card"),
    (KEYED, [f"{ONE}-{SIX[:-1]}"], "is no card of this pack"),
    (KEYED, [ONE[:6]], "is no card of this pack"),
    (KEYED, [f"{ONE}-{SIX[:7]}", SIX[:7]], f"card {SIX} is named twice"),
    (PLAIN, ["0001"] * 1001, "at most 1000"),
    (PLAIN, ["99"], r"\(0001 to 0024\): check the card and type its serial, for example 0013"),
    (PLAIN, ["12-7"], "backwards; write 0007..0012"),
    (PLAIN, ["7-12", "9"], "card 0009 is named twice"),
    (TWO, ["7"], "'7' may be A 0007 or B 0007: type the whole serial, for example A 0007"),
    (TWO, ["7-12"], "'7' may be A 0007 or B 0007"),
    (SHEETS, ["5"], "'5' may be 1/5 or 2/5"),
    (printed("12/{}"), ["12-14"], "is card 12/14, or the range 12/12 to 12/14: .* 12/12..12/14"),
    (printed("12/{}"), ["12", "4"], "'12 4' may be one card or 2 cards"),
    (printed("{}/1", 9), ["1-"], "half a range"),
    (KEYED, ["A000001-A000099"], f"for example {ONE}$"),
]


@pytest.mark.parametrize(("pack", "words", "say"), REFUSED)
def test_what_cannot_be_chosen(pack, words, say):
    """Unknown cards, backward ranges and cards named twice are refused by name."""
    with pytest.raises(Unreadable, match=say):
        cards_chosen(pack, words, NUMBERING)


@given(
    st.lists(st.tuples(st.integers(0, 23), st.integers(0, 5)), max_size=6),
    st.sampled_from([PLAIN, KEYED]),
)
def test_what_is_chosen_is_what_was_named(spans, pack):
    """Together the single cards and the ranges are exactly those named, each once; else a card was
    named twice."""
    spans = [(start, min(23, start + length)) for start, length in spans]
    words = [f"{pack.serials[start]}-{pack.serials[end]}" for start, end in spans]
    named = [place for start, end in spans for place in range(start, end + 1)]
    if len(set(named)) < len(named):
        with pytest.raises(Unreadable, match="named twice"):
            cards_chosen(pack, words, NUMBERING)
        return
    chosen = cards_chosen(pack, words, NUMBERING)
    unfolded = [
        *chosen.serials,
        *(serial for ends in chosen.ranges for serial in between(pack, *ends)),
    ]
    assert sorted(map(pack.place, unfolded)) == sorted(named)
    assert chosen.count == len(named)


DEVICES = {
    "reader": {"driver": "rfid", "port": "/dev/ttyUSB0"},
    "scanner": {"driver": "scanner", "port": "/dev/ttyACM0"},
    "scanner-till": {
        "driver": "keyboard-scanner",
        "device": "/dev/input/by-id/x",
        "use": "sell",
        "seller": "Ben",
    },
}


def test_scanners_of_the_settings():
    """Each scanner's use by name; its driver gets its own options and name, and nothing of the
    station's."""
    assert scanner_uses(DEVICES) == {"scanner": CLAIMS, "scanner-till": SELLS}
    assert driver_table("scanner", DEVICES["scanner"]) == DEVICES["scanner"]
    assert driver_table("scanner-till", DEVICES["scanner-till"]) == {
        "driver": "keyboard-scanner",
        "device": "/dev/input/by-id/x",
        "name": "scanner-till",
    }
    assert [*scanner_faults(DEVICES)] == []


@pytest.mark.parametrize(
    ("device", "change", "fault"),
    [
        ("scanner", {"use": "look"}, "devices.scanner: use is 'look'; there are claim, sell"),
        ("scanner", {"use": 3}, "devices.scanner: use is 3; there are claim, sell"),
        (
            "scanner-till",
            {"seller": " "},
            "devices.scanner-till: seller is ' '; a name has 1 to 60 characters",
        ),
        ("scanner", {"seller": 7}, "devices.scanner: seller is 7; a name has 1 to 60 characters"),
    ],
)
def test_faults_of_the_settings(device, change, fault):
    """An unknown use, a seller without a name: each named with its place."""
    assert [*scanner_faults({**DEVICES, device: {**DEVICES[device], **change}})] == [fault]
