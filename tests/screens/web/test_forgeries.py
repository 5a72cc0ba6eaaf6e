"""Both judges find what is forged of receipts, proofs and sealed games, and accuse
nobody honest; where a forgery has a place in the record, both name the same one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from station.commands.report import receipt_faults
from station.paper.prints.receipts import code_text, find_receipt
from station.paper.reports.report import make_report
from station.paper.reports.report_source import read_source
from station.record.journal import FILE
from station.record.proof import make_proof
from station.wire.wording import load_wording
from tests.report_night import play as play_evening
from tests.screens.web.forged.__main__ import KINDS, Judge, Tally
from tests.screens.web.forged.judges import Judges, judges, page_judge
from tests.screens.web.forged.papers import (
    forged_proof,
    forged_receipt,
    play_papers,
    proof_judged,
    receipt_judged,
)
from tests.screens.web.forged.records import Files, files_of, play


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Judges, Files]]:
    """Two nights, and their judges."""
    folder = tmp_path_factory.mktemp("before")
    (state := folder / "state").mkdir()
    (modules := folder / "modules").mkdir()
    play(state, 1)
    with judges(state, modules) as both:
        yield both, files_of(state)


def test_a_night_without_its_journal_had_begun(before: tuple[Judges, Files]) -> None:
    """Its kept heads tell that there was one."""
    both, files = before
    gone = {name: lines for name, lines in files.items() if name != f"0002/{FILE}"}
    assert both.both(gone) == (("0002", FILE, 1),) * 2


@pytest.mark.long
@pytest.mark.parametrize(("what", "judge"), [(what, judge) for what, _, judge in KINDS])
def test_a_slice_of_the_drill(what: str, judge: Judge) -> None:
    """None missed, none accused; each kind of forgery comes."""
    lies, honest = two = Tally(), Tally()
    for seed in range(11, 14):
        judge(seed, two, 40, lambda _: None)
    assert (lies.wrong, honest.wrong) == ([], []), what
    assert lies.kinds.total() == honest.kinds.total() >= 90
    assert len(lies.kinds) > 7


@pytest.mark.long
def test_who_finds_what_on_a_receipt_and_in_a_proof(tmp_path: Path) -> None:
    """A telephone finds all but what the record alone has: the digest, the card's numbers, the
    record's end. Of a number or a path in a proof both name the line."""
    (state := tmp_path / "state").mkdir()
    (modules := tmp_path / "modules").mkdir()
    papers, chance = play_papers(state, 5), Random(5)
    unseen, lines = set(), 0
    with page_judge(modules) as page:
        for _ in range(120):
            what, text, game = forged_receipt(papers, chance)
            accused, who = receipt_judged(papers, page, text, game)
            assert (accused, bool(who)) == (True, True), (what, text)
            unseen |= {what} if who == "record" else set()
            what, text = forged_proof(papers, chance)
            if what in ("proof: number", "proof: path"):
                own, other = proof_judged(papers, page, text)
                assert own == other, (what, own, other)
                lines += 1
    kinds = {f"receipt: {what}" for what in ("digest", "numbers", "head", "a sign")}
    assert {"receipt: digest", "receipt: numbers", "receipt: head"} <= unseen <= kinds
    assert lines > 10


@pytest.mark.long
def test_a_keyed_number_that_is_left_out_is_missed(tmp_path: Path) -> None:
    """It opens no leaf: the count in the lines after it shows that it was there."""
    (state := tmp_path / "state").mkdir()
    (modules := tmp_path / "modules").mkdir()
    papers = play_papers(state, 5)
    proof = json.loads(papers.proofs[1])
    told = [json.loads(line) for line, _ in proof["lines"]]
    draws = [at for at, line in enumerate(told) if line["do"]["act"] == "draw"]
    one, other = [at for at in draws if "leaf" not in told[at]["do"]][-2:]
    proof["lines"] = proof["lines"][:one] + proof["lines"][one + 1 : other + 1]
    text = json.dumps(proof, ensure_ascii=False, separators=(",", ":"))
    places = told[one]["seq"], told[other]["seq"]
    with page_judge(modules) as page:
        assert proof_judged(papers, page, text) == places
        assert proof_judged(papers, page, papers.proofs[1]) == (None, None)


@pytest.mark.long
def test_the_receipts_of_a_whole_evening_are_whole(tmp_path: Path) -> None:
    """Of cards and of tickets from elsewhere, of money and of things, after lots and after calls
    that were taken back: neither judge accuses one."""
    (modules := tmp_path / "modules").mkdir()
    state = play_evening(tmp_path / "night")
    report = make_report(read_source(state, None, lambda done, total: None), load_wording())
    source, folder = report.source, state / "nights" / "0001"
    head = source.head.note(source.key, source.night)
    pack = next(folder.glob("pack-*")).read_bytes()
    files = {"journal": (folder / FILE).read_bytes(), "pack": pack}
    won = {(game.number, win.serial) for game in source.record.games for win in game.won}
    assert any(serial.startswith("ticket") for _, serial in won)
    with page_judge(modules) as page:
        for game, serial in sorted(won):
            proof = make_proof(state, 1, game, head, source.key).decode()
            code = find_receipt(report, serial, game).code
            text = code_text(code, source.head_code("", game))
            assert receipt_faults(text, code, report, state) == []
            page.ask("receipt", text=text, proof=proof, files=files, keys=[source.key])
            assert page.answer() == {"phone": None, "record": None}, (game, serial)
