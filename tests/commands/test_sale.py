"""Sale, claims and money on the command line: whole evenings typed at a running core, in the hall's
own sums."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.nouns import Card, column_of
from station.cards.cards_key import make_key
from station.cards.pack import Pack, make_pack
from station.cards.pack_layouts import PackLayout
from station.cards.serials import Numbering
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.record.journal import FILE, read
from tests.commands.test_app import Loto, Outcome, core_in_a_thread, loto, one_sentence
from tests.commands.texts import LANGUAGES

__all__ = ["loto"]

FIG1 = Card.parse("0001: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")
PACK = Pack([FIG1, *make_pack(2).cards()[1:]])
TOP = FIG1.rows[0]
STAGES = (
    StagePlan(pattern="row", share=20),
    StagePlan(pattern="corners", thing="a ham"),
    StagePlan(pattern="full"),
)
PROGRAMME = Programme(
    name="t",
    games=(
        GamePlan(name="one", price=150, stages=STAGES, at_once=True, tickets=True),
        GamePlan(name="two", price=50),
    ),
    shares=Shares(house=10),
    approve_above=100,
)
Type = Callable[..., Outcome]


@pytest.fixture
def at(loto: Loto, tmp_path: Path) -> Iterator[Type]:
    """Types a command at a station with `PACK` and `PROGRAMME`."""
    with core_in_a_thread(tmp_path, PROGRAMME, PACK):
        yield lambda *words: loto(*words, "--state", tmp_path)


def said(outcome: Outcome) -> str:
    """What it printed, without the line of the journal."""
    assert outcome.code == EXIT_DONE, outcome
    return re.sub(r" \(line \d+ of the journal\)\.", "", outcome.out.strip())


def seen(outcome: Outcome) -> Any:
    return json.loads(outcome.out)


def test_a_night_of_sale_claims_and_money(
    at: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sold by range, returned, counted, claimed by card and ticket, approved, paid, taken back,
    banked: each says its sum."""
    assert (
        said(at("sell", "0001-0006", "--to", "Anna", "--by", "Ben", "--games", 2))
        == "6 cards sold to Anna for 2 games (games 1 to 2): £12.00"
    )
    assert (
        said(at("sell", "0010..0012", "--tickets", 4, "--by", "Ben"))
        == "3 cards and 4 tickets sold for 1 game (game 1): £10.50"
    )
    one_sentence(at("sell", "0012-0007"), EXIT_NO, "backwards; write 0007..0012")
    one_sentence(
        at("sell", "0006", "0007"), EXIT_NO, "card 0006 is sold already to Anna: nothing was sold"
    )
    assert said(at("return", "0012", "--by", "Ben")) == (
        "1 card taken back, from game 1 on: £1.50 to give back"
    )
    one_sentence(at("return", "0012", "--by", "Ben"), EXIT_NO, "is not sold for a game to come")
    assert "£20.00 counted, £21.00 expected: £1.00 missing" in said(at("count", "Ben", "20.00"))
    assert "£0.40 counted, £1.00 expected: £0.60 missing" in said(at("count", "Ben", "0.40"))
    assert "£0.60 counted, £0.60 expected: it agrees" in said(at("count", "Ben", "0.60"))
    one_sentence(at("count", "Bob", "1"), EXIT_NO, "Bob has sold nothing tonight")
    one_sentence(at("count", "no name", "1"), EXIT_NO, "sold tonight without a seller's name")
    said(at("sell", "0009"))
    assert re.search(r"│ no name\s+│\s+£1\.50 │", said(at("money")))
    counted = "no name: £1.00 counted, £1.50 expected: £0.50 missing"
    assert said(at("count", "no name", "1.00")) == counted
    said(at("return", "0009"))
    said(at("do", "open"))
    for number in TOP[:4]:
        said(at("do", "draw", number, "--yes"))
    wants = at("check", "OOO1")
    assert (wants.code, "wants 76 for One line" in wants.out, "card 0001 · Anna" in wants.out) == (
        EXIT_NO,
        True,
        True,
    )
    said(at("do", "draw", TOP[4], "--yes"))
    assert at("check", "0001").code == EXIT_DONE
    assert said(at("check", "--numbers", "5,11 33;50,76", "--stage", "row")) == "valid for One line"
    assert seen(at("check", "--numbers", "5,11,33,50,77", "--stage", "row", "--json"))[
        "not_called"
    ] == [77]
    assert said(at("claim", "0001")) == "card 0001: valid for One line"
    wrong = at("claim", "0002")
    assert (wrong.code, wrong.out.startswith("card 0002: not valid: wants ")) == (EXIT_NO, True)
    one_sentence(at("claim", "0001"), EXIT_NO, "checked already at this stop")
    assert (
        said(at("claim", "--numbers", "5,11,33,50,76", "--stage", "row", "--name", "Zoe"))
        == "ticket ticket-1-1: valid for One line"
    )
    said(at("do", "play-on"))
    # 12 cards and tickets at 1.50 are 18.00; 1.80 goes to the house; a fifth of 16.20 is 3.24, for
    # two.
    told = said(at("money"))
    won = at("check", "0001")
    assert (won.code, "it has won One line (£1.62, not paid yet); wants " in won.out) == (
        EXIT_NO,
        True,
    )
    assert "card 0001 (Anna) is owed £1.62, and another person approves it" in told
    assert [line.split() for line in told.splitlines()][1] == ["club", "funds", "£1.80"]
    two = "card 0001: £1.62 is above £1.00, so two people answer for it: "
    one_sentence(at("pay", "0001"), EXIT_NO, f"{two}say who pays")
    one_sentence(
        at("pay", "0001", "--who", "Ben"), EXIT_NO, f"{two}let another than Ben approve this sum"
    )
    one_sentence(
        at("approve", "0002", "--who", "Carla"),
        EXIT_NO,
        "card 0002 is owed £0.00, only sums above £1.00 need it",
    )
    one_sentence(
        at("sell", "0007", "--vouchers", "0.30"),
        EXIT_NO,
        "£0.30 in vouchers, and vouchers for £0.00 are out",
    )
    assert said(at("approve", "0001", "--who", "Carla")) == "Carla agrees to £1.62 for card 0001"
    assert said(at("pay", "0001", "--who", "Ben")) == "card 0001: £1.62 in cash handed out to Anna"
    assert "Carla agrees to £1.62 for card ticket-1-1" in said(
        at("approve", "ticket-1-1", "--who", "Carla")
    )
    assert "£1.62 as a voucher handed out to Zoe" in said(
        at("pay", "ticket-1-1", "--who", "Ben", "--voucher")
    )
    assert "2 cards sold for 1 game (game 2): £1.00, £0.62 of it paid by voucher" in said(
        at("sell", "0007", "0008", "--vouchers", "0.62")
    )
    one_sentence(
        at("sell", "0009", "--vouchers", "0.51"),
        EXIT_NO,
        "£0.51 in vouchers, and the cards cost £0.50: a voucher gives no change",
    )
    assert said(at("redeem", "1.00")) == "£1.00 in cash for vouchers"
    one_sentence(at("redeem", "0.01"), EXIT_NO, "vouchers for £0.01: only £0.00 are out")
    one_sentence(
        at("do", "undo", "--why", "misread"),
        EXIT_NO,
        "two people approve the correction first (0 of 2 did)",
    )
    assert "1 of 2 people" in said(at("approve", "--undo", "--who", "Ben"))
    assert "2 of 2 people" in said(at("approve", "--undo", "--who", "Carla"))
    said(at("do", "undo", "--why", "misread"))
    assert "card 0001 has £1.62 to bring back" in said(at("money"))
    one_sentence(
        at("recover", "0001", "1.63"),
        EXIT_NO,
        "card 0001 has £1.62 to bring back, not £1.63: take no more",
    )
    assert said(at("recover", "0001", "1.62")) == "card 0001: £1.62 came back"
    assert "£1.80 of the house went out" in said(at("bank", "house", "1.80"))
    assert "£5.00 of the house came in" in said(at("bank", "house", "5.00", "--bring"))
    one_sentence(
        at("bank", "charity", "0.01"),
        EXIT_NO,
        "charity has £0.00, £0.01 cannot leave: take £0.00 at most",
    )
    monkeypatch.setattr(sys, "stdin", StringIO("\n"))
    assert at("break", "--why", "no light").code == EXIT_NO
    # The ticket's 1.62 is still to come back; all prizes are unwon again, so every card gets all it
    # paid.
    broken = said(at("break", "--why", "no light", "--yes"))
    assert "game 1 was broken: 8 cards to get £1.50 each, by loto pay" in broken
    said(at("approve", "0002", "--who", "Carla"))
    assert "card 0002: £1.50 in cash handed out to Anna" in said(at("pay", "0002", "--who", "Ben"))
    money = seen(at("money", "--json"))
    assert (money["refunds"], money["total"]) == ([{"game": 1, "each": 150, "cards": 7}], 0)
    assert [one["serial"] for one in money["owed"]] == ["tickets-1"]
    # Nobody agrees to, or hands out, another sum than was shown.
    done = [line["do"] for line in read(tmp_path / "nights" / "0001" / FILE).lines]
    assert [do["amount"] for do in done if do["act"] in ("approve", "pay") and "serial" in do] == [
        162
    ] * 4 + [150] * 2


def test_a_thing_goes_by_lots(at: Type) -> None:
    """Two players win what cannot be split: it is handed out when each has drawn a knob, to the
    highest."""
    said(at("sell", "0001", "--to", "Anna"))
    said(at("sell", "--tickets", 1))
    said(at("do", "open"))
    corners = [FIG1.rows[0][0], FIG1.rows[0][4], FIG1.rows[2][0], FIG1.rows[2][4]]
    for number in corners:
        said(at("do", "draw", number, "--yes"))
    said(at("claim", "0001"))
    said(at("claim", "--numbers", ",".join(map(str, corners)), "--stage", "corners"))
    said(at("do", "play-on"))
    one_sentence(at("pay", "0001"), EXIT_NO, "let each draw a ball")
    assert "card 0001 (Anna) is owed a ham; lots are to be drawn first for corners" in said(
        at("money")
    )
    assert said(at("lots", "corners", "0001=12", "ticket-1-1=45")).startswith(
        "card ticket-1-1 has it, with 45"
    )
    told = said(at("money"))
    assert ("ticket-1-1 is owed a ham" in told, "0001 (Anna)" in told, "lots" in told) == (
        True,
        False,
        False,
    )
    assert "card ticket-1-1: a ham handed out" in said(at("pay", "ticket-1-1"))
    # a share of nothing is handed over once
    assert "card 0001: nothing handed out to Anna" in said(at("pay", "0001"))
    one_sentence(at("pay", "0001"), EXIT_NO, "is owed nothing")


def test_an_old_series_plays(loto: Loto, tmp_path: Path) -> None:
    """From its file to the prize: the book's Fig. 1, a strip with its columns upside down, a card
    without a units' number."""
    bare = Card("12", ((13, 24, 35, 46, 57), (11, 22, 33, 44, 55), (29, 38, 47, 68, 89)))
    old = [
        Card(f"{place}", _upside_down(card.rows))
        for place, card in enumerate(make_pack(1).cards(), 2)
    ]
    file = tmp_path / "series-1850.csv"
    file.write_bytes(Pack([Card("1", FIG1.rows), *old, bare]).to_bytes(PackLayout.GRID))
    assert "8 cards" in said(loto("pack", "import", file, "--state", tmp_path))
    with core_in_a_thread(tmp_path, PROGRAMME):

        def at(*words: object) -> Outcome:
            return loto(*words, "--state", tmp_path)

        said(at("sell", "1", "--to", "Anna"))
        said(at("sell", "2-7", "12", "--to", "Ben"))
        said(at("do", "open"))
        for row in FIG1.rows:
            for number in row:
                said(at("do", "draw", number, "--yes"))
            if row == FIG1.rows[0]:
                shown = at("check", "1")
                cells = [
                    re.findall(r"\d+", line)
                    for line in shown.out.splitlines()
                    if re.search(r"│ *\d", line)
                ]
                # 5 above 2, 76 above 74, as printed
                assert cells == [[str(number) for number in row] for row in FIG1.rows]
                assert said(at("claim", "1")) == "card 1: valid for One line"
                said(at("do", "play-on"))
        assert said(at("claim", "1")) == "card 1: valid for Four corners and Full house"
        assert at("claim", "12").code == EXIT_NO
        said(at("do", "play-on"))
        said(at("approve", "1", "--who", "Carla"))
        # Eight cards at 1.50 are 12.00; 1.20 goes to the house; row and full card are the other
        # 10.80.
        assert (
            said(at("pay", "1", "--who", "Ben"))
            == "card 1: £10.80 in cash and a ham handed out to Anna"
        )
        assert seen(at("report", "--json"))["payments"][0]["amount"] == 1080


def _upside_down(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The card with the numbers of each column in the other order, as a column may stand on an old
    card."""
    columns = {
        column: [n for row in rows for n in row if column_of(n) == column]
        for column in map(column_of, sum(rows, ()))
    }
    return tuple(tuple(columns[column_of(number)].pop() for number in row) for row in rows)


def test_cards_by_their_codes(loto: Loto, tmp_path: Path) -> None:
    """A pack numbered with the hall's key: the short code of the QR sells, checks, claims and pays
    the card."""
    numbering = Numbering(make_key(tmp_path), "A", 6)
    pack = Pack.of(numbering.serials(1, len(PACK)), PACK.numbers)
    with core_in_a_thread(tmp_path, PROGRAMME, pack):

        def at(*words: object) -> Outcome:
            return loto(*words, "--state", tmp_path)

        code, serial = numbering.short(1), pack.serials[0]
        assert "4 cards sold" in said(
            at("sell", f"{code}-{numbering.short(3)}", pack.serials[4].lower())
        )
        said(at("do", "open"))
        for number in TOP:
            said(at("do", "draw", number, "--yes"))
        assert seen(at("check", code, "--json"))["serial"] == serial
        assert said(at("claim", code)) == f"card {serial}: valid for One line"
        one_sentence(
            at("check", "https://example.org"),
            EXIT_NO,
            "'https://example.org' is no card of this pack",
        )


WRONG = [
    (["sell"], "which cards?"),
    (["return", "--by", "Ben"], "which cards?"),
    (["check"], "a card's serial, or a ticket's --numbers"),
    (["check", "0001", "--numbers", "5"], "a card's serial, or a ticket's --numbers"),
    (["claim"], "a card's serial, or a ticket's --numbers"),
    (["claim", "--numbers", "5,x"], "'x' is no number from 1 to 90"),
    (["claim", "--numbers", "5,0"], "'0' is no number from 1 to 90"),
    (["claim", "--numbers", "5,91"], "'91' is no number from 1 to 90"),
    (["claim", "--numbers", "5,91"], "'91' is no number from 1 to 90"),
    (["approve", "--who", "Carla"], "either a card's serial or --undo"),
    (["approve", "0001", "--undo", "--who", "Carla"], "either a card's serial or --undo"),
    (["approve", "0001"], "--who"),
    (["lots", "corners", "0001", "0002"], "0001=45"),
    (["lots", "corners", "0001=91", "0002=1"], "from 1 to 90"),
    (["lots", "corners", "0001=45"], "one card alone draws no lots"),
    (["claim", "--numbers", "5,11,5"], "5 is given twice"),
    (["bank", "jackpot", "5"], "'jackpot'"),
    (["break", "--yes"], "--why"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_wrong_use_shows_the_right_one(
    loto: Loto, tmp_path: Path, words: list[str], says: str
) -> None:
    """What is left out, doubled or cannot be is said before any station is asked."""
    outcome = loto(*words, "--state", tmp_path)
    assert (outcome.code, says in outcome.err, outcome.out) == (EXIT_USAGE, True, ""), outcome


def test_wrong_sums_change_nothing(at: Type) -> None:
    """A sum that is not written as the hall writes it is refused with the way to write it, and
    nothing is recorded."""
    said(at("sell", "0001", "--by", "Ben"))
    for words in (
        ["count", "Ben", "1.5"],
        ["sell", "0002", "--vouchers", "x"],
        ["redeem", "1,234.00"],
        ["recover", "0001", "1.234"],
        ["bank", "house", "5.0"],
    ):
        refused = at(*words)
        assert (refused.code, "12.50" in refused.err or "without a sign" in refused.err) == (
            EXIT_USAGE,
            True,
        ), refused
    assert "(line 3 of the journal)" in at("sell", "0002").out


def test_every_order_answers_programs_too(at: Type) -> None:
    """With --json: the line, and the same sentence."""
    for words, say in (
        (["sell", "0001-0002", "--to", "Anna"], "2 cards sold to Anna for 1 game (game 1): £3.00"),
        (["return", "0002"], "1 card taken back, from game 1 on: £1.50 to give back"),
        (["bank", "house", "5.00", "--bring"], "£5.00 of the house came in"),
        (["people", "free"], "no PIN is locked any more"),
    ):
        answer = seen(at(*words, "--json"))
        assert answer["say"] == say
        assert words[0] == "people" or answer["seq"] > 1
    assert seen(at("people", "pin", "Ben", "--json"))["pin"].isdecimal()


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_what_sellers_have_fits_a_narrow_terminal(
    at: Type, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """In 80 columns neither a head nor a sum is cut, in each language."""
    assert at("sell", "0001-0002", "--by", "Ben").code == EXIT_DONE
    monkeypatch.setattr("station.commands.sale.out.width", 80)
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    told = at("money")
    assert (told.code, "Ben" in told.out, "…" in told.out) == (EXIT_DONE, True, False), told.out
