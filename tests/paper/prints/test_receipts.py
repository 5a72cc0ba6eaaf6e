"""Receipts: the code on the paper is decoded from the printed page, and holds what the journal
holds."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from station.base.errors import Unreadable
from station.commands.app import app
from station.commands.report import receipt_faults
from station.night.acts import ClaimCard, DrawKnob, Open, PlayOn, Sell
from station.paper.prints.paper import MM
from station.paper.prints.receipts import (
    Code,
    code_text,
    find_receipt,
    print_receipt,
    read_code,
    unlike,
)
from station.paper.reports.report import NightReport, make_report
from station.paper.reports.report_source import read_source
from station.programme.programme import Programme
from station.proof.merkle import Edge
from station.record.coded import CodedHead, head_digits
from station.record.coded import read_code as read_head
from station.record.heads import Signer, parse_head
from station.record.journal import FILE
from station.record.station_key import public_key
from station.views.money_text import Currency
from station.wire.wording import load_wording
from tests.evenings import lines_of, play_evenings, root_of
from tests.paper_reader import read
from tests.report_night import FIRST, LINE, Remembered, hamper_calls, pack, play
from tests.support import small_pack

STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(31) + b"\1")
POUNDS = Currency("£", 2)
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
NUMBERS = st.lists(st.integers(1, 90), min_size=1, max_size=90, unique=True).map(tuple)
SERIALS = st.from_regex(r"\A[0-9A-Za-z][0-9A-Za-z-]{0,31}\Z")
HEADS = st.builds(
    lambda night, line, sum_: f"{night:04d}:{line}:{sum_}",
    st.integers(1, 9999),
    st.integers(1, 99999),
    DIGESTS,
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("night"))


@pytest.fixture(scope="module")
def report(played: Path) -> NightReport:
    return make_report(read_source(played, None, lambda done, total: None), load_wording())


@given(
    st.integers(1, 9999),
    st.integers(1, 200),
    SERIALS,
    st.integers(1, 90),
    DIGESTS,
    NUMBERS,
    NUMBERS,
    HEADS,
)
def test_a_code_is_read_back(
    night: int,
    game: int,
    serial: str,
    calls: int,
    digest: str,
    numbers: tuple[int, ...],
    called: tuple[int, ...],
    head: str,
) -> None:
    """Whatever it says; with a serial of capitals it stays in what a QR code packs tightly."""
    code = Code(night, game, serial, calls, digest, numbers, called, head)
    text = code_text(code)
    assert read_code(text) == code
    assert (serial != serial.upper()) or set(text) <= set(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
    )


# No serial has a blank in it.
SIGNS = st.characters(exclude_categories=("C", "Z"))


@given(SERIALS | st.text(SIGNS, min_size=1, max_size=12), NUMBERS)
def test_a_code_is_read_back_behind_a_head(
    report: NightReport, serial: str, called: tuple[int, ...]
) -> None:
    """As an address that a telephone opens whole: nothing in it but what stands in one."""
    code = Code(1, 2, serial.upper(), 5, "ab" * 32, called, called, f"0001:7:{'cd' * 32}")
    for pages in ("http://10.0.0.5:8090", ""):
        text = code_text(code, report.source.head_code(pages, 2))
        assert read_code(text) == code
        assert re.fullmatch(r"(http://10\.0\.0\.5:8090/check#)?\d{300,420}/LOTO1[\w+:%.~-]+", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "LOTO1",
        "LOTO2 N1",
        "A000123-K7QX",
        "LOTO1 N1 G1 S1 C1 D1 K01 B0x H1",
        "LOTO1 N1 G1 S1 C1 D1 B01 K01 H1",
        "LOTO1  ",
    ],
)
def test_another_code_is_no_receipt(text: str) -> None:
    """Refused, and shown."""
    with pytest.raises(Unreadable, match="no receipt of the station"):
        read_code(text)


def decoded(pdf: bytes) -> Code:
    """The code on the last page, as a telephone reads it.

    QR codes only: in one of five hundred of them some line of modules happens to be a stripe code
    of two or three digits.
    """
    with pypdfium2.PdfDocument(pdf) as document:
        (found,) = zxingcpp.read_barcodes(
            document[len(document) - 1].render(scale=4).to_pil(),
            formats=zxingcpp.BarcodeFormat.QRCode,
        )
    return read_code(found.text)


CARDS = {
    ("0001", 1): FIRST,
    ("0001", 2): (*LINE, *hamper_calls()),
    ("0008", 2): (*LINE, *hamper_calls()),
    ("ticket-3-1", 3): (1, 2, 3, 4, 5),
}


@pytest.mark.parametrize(("serial", "game"), CARDS)
def test_the_printed_code_is_the_journals(
    report: NightReport, played: Path, serial: str, game: int
) -> None:
    """Night, game, card and its numbers, the numbers called, the digest on the line of the win, the
    journal's head."""
    pdf = print_receipt(find_receipt(report, serial, game), POUNDS, "Village Hall")
    assert len(read(pdf)) == 1
    code = decoded(pdf)
    lines = lines_of(played)
    here = [line for line in lines if game_of(lines, line) == game and line["do"]["act"] != "lots"]
    win = [line for line in here if any(won[1] == serial for won in line["then"].get("won", ()))][
        -1
    ]
    assert code.digest == win["then"]["digest"]
    assert (code.night, code.game, code.serial, code.called) == (
        1,
        game,
        serial.upper() if serial.isupper() else serial,
        CARDS[serial, game],
    )
    assert code.calls == len(code.called)
    assert code.head == f"0001:{len(lines)}:{root_of(played, len(lines))}"
    card = (
        [number for row in pack().card(serial).rows for number in row]
        if serial in pack()
        else [5, 4, 3, 2, 1]
    )
    assert list(code.numbers) == card


def game_of(lines: tuple[dict[str, Any], ...], line: dict[str, Any]) -> int:
    """The game that was open, or just over, at a line."""
    return sum(one["do"]["act"] == "open" for one in lines[: line["seq"]])


def test_the_head_on_a_receipt_finds_a_tail_that_was_cut(
    played: Path, report: NightReport, tmp_path: Path
) -> None:
    """What it is for: the head can be given to `loto journal verify`."""
    head = find_receipt(report, "0001").code.head
    run = CliRunner()
    assert (
        run.invoke(app, ["journal", "verify", "--state", str(played), "--head", head]).exit_code
        == 0
    )
    short = play_evenings(tmp_path)
    assert (
        run.invoke(app, ["journal", "verify", "--state", str(short), "--head", head]).exit_code == 1
    )
    assert (short / "nights" / "0001" / FILE).exists()


def test_the_page_says_it_in_words(report: NightReport) -> None:
    """Who, which card, each prize with its calls, all together, paid or not, lines to sign on;
    within a page of A6."""
    (page,) = read(print_receipt(find_receipt(report, "0001", 2), POUNDS, "Village Hall"))
    assert page.size == pytest.approx((105 * MM, 148 * MM), abs=0.1)
    for words in (
        "Village Hall",
        "Night 1, game 2: The hamper",
        "Card 0001, Anna",
        "Line in 5 calls",
        "£8.25",
        "in all £10.75",
    ):
        assert words in page.text
    for words in (
        "Jackpot in 29 calls",
        "£2.50",
        "lots gave it to another",
        "NOT PAID",
        "paid by",
        "received",
    ):
        assert words in page.text
    assert all(0 < x < page.size[0] and 0 < y < page.size[1] for x, y, _ in page.words)
    assert all(0 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y in page.moves)
    (page,) = read(print_receipt(find_receipt(report, "0008"), POUNDS, "Village Hall"))
    assert "a hamper" in page.text
    assert "PAID" in page.text.split()
    assert "NOT" not in page.text.split()
    (page,) = read(print_receipt(find_receipt(report, "ticket-3-1"), POUNDS, "Village Hall"))
    assert "Ticket from elsewhere: 5 4 3 2 1" in page.text


def test_many_prizes_take_another_page() -> None:
    """Twenty prizes with long things: each is there, within its page, and none lies on the card or
    the code of the last one."""
    thing = (
        "a basket of fruit from the market, with a bottle of the valley's own cider and two glasses"
        " to drink it from"
    )
    stages = [{"pattern": "row", "prize": 100, "thing": thing}]
    told = Remembered(
        Programme.model_validate({"name": "x", "games": [{"name": "x", "stages": stages}]})
    )
    told.do(Sell(serials=("0001",)))
    told.do(Open())
    for number in small_pack().card("0001").rows[0]:
        told.do(DrawKnob(number=number))
    told.do(ClaimCard(serial="0001"))
    told.do(PlayOn())
    receipt = find_receipt(make_report(told.source(), load_wording()), "0001")
    pdf = print_receipt(replace(receipt, wins=receipt.wins * 20), POUNDS, "Village Hall")
    pages = read(pdf)
    assert " ".join(page.text for page in pages).count("One line in 5 calls") == 20
    assert all(0 < y < page.size[1] - 15 for page in pages for _, y, _ in page.words)
    top = max(y for _, y, text in pages[-1].words if text == "NOT PAID") - 20
    assert all(
        y < top
        for _, y, text in pages[-1].words
        if text.startswith(("One line", "a basket", "in all"))
    )
    assert decoded(pdf) == receipt.code


def test_a_card_that_won_nothing_has_no_receipt(report: NightReport) -> None:
    """Who has won is said instead; also where the game was never opened."""
    with pytest.raises(
        Unreadable, match="card 0002 has won nothing in night 1: there won 0001, 0008, ticket-3-1"
    ):
        find_receipt(report, "0002")
    with pytest.raises(Unreadable, match="card 0008 has won nothing in game 1"):
        find_receipt(report, "0008", 1)
    with pytest.raises(Unreadable, match="game 4 was not opened"):
        find_receipt(report, "0001", 4)


def test_a_win_that_was_taken_back_is_on_no_receipt(tmp_path: Path) -> None:
    """A row was won, taken back with its call, and won again: it is there once."""
    report = make_report(
        read_source(play_evenings(tmp_path), 1, lambda done, total: None), load_wording()
    )
    assert len(find_receipt(report, "0001").wins) == 1


@pytest.mark.parametrize(("serial", "game"), CARDS)
def test_a_receipt_is_known_again(
    played: Path, report: NightReport, serial: str, game: int
) -> None:
    """Each receipt of the night is genuine; so is one that was made after the first of several
    wins, with the head of then."""
    assert unlike(find_receipt(report, serial, game).code, report) == []
    found = find_receipt(report, serial, game)
    early = replace(found, wins=found.wins[:1]).code
    seq = found.wins[0].stamp.seq
    then = early._replace(head=f"0001:{seq}:{root_of(played, seq)}")
    run = CliRunner().invoke(app, ["report", "check", code_text(then), "--state", str(played)])
    assert (run.exit_code, "all of it is in the journal" in run.output) == (0, True), run.output


FORGED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"game": 1}, "card 0008 has won nothing in game 1"),
    ({"serial": "0002"}, "card 0002 has won nothing in game 2"),
    ({"calls": 1}, "number of calls, the receipt 1"),
    ({"digest": "0" * 64}, "as digest"),
    ({"numbers": tuple(range(1, 16))}, "as the card's numbers, the receipt 1 2 3"),
    ({"called": (1, 2)}, "as the numbers called, the receipt 1 2"),
    ({"head": f"0001:5:{'0' * 64}"}, "line 5 of night 0001 is not in the journal"),
    ({"head": f"0001:99999:{'0' * 64}"}, "line 99999 of night 0001 is not in the journal"),
    ({"head": f"0002:1:{'0' * 64}"}, "line 1 of night 0002 is not in the journal"),
)


@pytest.mark.parametrize(("change", "say"), FORGED)
def test_a_forged_receipt_is_found_out(
    played: Path, report: NightReport, change: dict[str, Any], say: str
) -> None:
    """Each part by itself: exit code 1, and what differs is said."""
    text = code_text(find_receipt(report, "0008", 2).code._replace(**change))
    told = CliRunner().invoke(app, ["report", "check", text, "--state", str(played), "--json"])
    data = json.loads(told.output)
    assert (told.exit_code, data["same"], len(data["differs"])) == (1, False, 1)
    assert say in data["differs"][0]


def _by_a_stranger(coded: CodedHead) -> CodedHead:
    """The same, with a key of his own in the place of the station's."""
    head = parse_head(Signer.of(STRANGER, coded.head.night).note(Edge()))
    return coded._replace(key=public_key(STRANGER), head=head)


HEADS_FORGED: dict[str, Callable[[CodedHead], CodedHead]] = {
    "another game": lambda coded: coded._replace(game=1),
    "a bag": lambda coded: coded._replace(bag="ab" * 32),
    "another size": lambda coded: coded._replace(head=replace(coded.head, size=3)),
    "another root": lambda coded: coded._replace(head=replace(coded.head, root=bytes(32))),
    "another night": lambda coded: coded._replace(head=replace(coded.head, night=2)),
    "a stranger's": _by_a_stranger,
}


@pytest.mark.parametrize("forge", HEADS_FORGED.values(), ids=HEADS_FORGED)
def test_the_signed_head_before_a_receipt_is_compared(
    played: Path, report: NightReport, forge: Callable[[CodedHead], CodedHead]
) -> None:
    """It is the station's, of this night and this game; the receipt behind it is genuine."""
    code = find_receipt(report, "0008", 2).code
    coded = read_head(report.source.head_code("", 2))
    assert receipt_faults(code_text(code, head_digits(coded)), code, report, played) == []
    text = code_text(code, head_digits(forge(coded)))
    run = CliRunner().invoke(app, ["report", "check", text, "--state", str(played)])
    assert (run.exit_code, "the signed head before the receipt is not" in run.output) == (
        1,
        True,
    ), run.output


def test_half_a_line_at_the_end_is_no_line(
    played: Path, report: NightReport, tmp_path: Path
) -> None:
    """A power cut left the journal's next line torn: a receipt that names it is not of this
    journal."""
    state = tmp_path / "state"
    shutil.copytree(played, state)
    journal = state / "nights" / "0001" / FILE
    lines = len(lines_of(played))
    journal.write_bytes(journal.read_bytes() + f'{{"v":1,"seq":{lines + 1},'.encode())
    text = code_text(
        find_receipt(report, "0008", 2).code._replace(head=f"0001:{lines + 1}:{'0' * 64}")
    )
    run = CliRunner().invoke(app, ["report", "check", text, "--state", str(state)])
    assert (run.exit_code, f"line {lines + 1} of night 0001 is not" in run.output) == (
        1,
        True,
    ), run.output


def test_the_command_prints_it(played: Path, tmp_path: Path) -> None:
    """The last game that the card won in, or the one that is named; its code for programs."""
    target = tmp_path / "receipt.pdf"
    run = CliRunner()
    words = ["report", "receipt", "0001", "--state", str(played)]
    assert run.invoke(app, [*words, "--game", "1", "--out", str(target)]).exit_code == 0
    assert decoded(target.read_bytes()).game == 1
    data = json.loads(run.invoke(app, [*words, "--json"]).output)
    assert read_code(data["code"]).game == data["game"] == 2
    assert [win["amount"] for win in data["wins"]] == [825, 0, 250]
