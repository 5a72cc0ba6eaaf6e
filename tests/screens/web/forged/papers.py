"""What a record gives out: the proof of a game, and the receipt of a prize; forgeries of both, and
what both judges say of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from station.base.errors import StoreError, Unreadable
from station.commands.report import receipt_faults
from station.paper.prints.receipts import Code, code_text, find_receipt, read_code
from station.paper.reports.report import NightReport, make_report
from station.paper.reports.report_source import read_source
from station.proof.leaves import Way
from station.proof.merkle import Edge
from station.record import audit
from station.record.chain import canonical
from station.record.coded import CodedHead, head_digits
from station.record.coded import read_code as read_head
from station.record.heads import Signer, parse_head
from station.record.journal import FILE
from station.record.proof import make_proof
from station.record.session import Session
from station.record.station_key import Key, make_key, public_key
from station.wire.wording import load_wording
from tests.screens.web.forged.judges import PageJudge
from tests.screens.web.forged.records import STRANGER, files_of, other_digit, shown_in
from tests.support import CLOCK, Told, night_in, play, run, small_pack

GAMES = 2
PAGES = "http://10.0.0.5:8090"


@dataclass
class Papers:
    """All that a station gives out of a night in which cards have won.

    Attributes:
        heads: those that it has shown, of each length.
        receipts: their codes, and the games in which the cards have won.
        proofs: of the games, by the newest head.
    """

    state: Path
    key: Key
    heads: list[str]
    report: NightReport
    receipts: list[tuple[str, int]]
    proofs: dict[int, str]

    @property
    def night(self) -> Path:
        return self.state / "nights" / "0001"

    def proof(self, game: int, head: str) -> str:
        """The proof of a game by a head."""
        return make_proof(self.state, 1, game, head, public_key(self.key)).decode()

    def every_receipt(self) -> Iterator[tuple[str, int]]:
        """Each receipt that could have been printed, after each line, and its game."""
        shown, key = shown_in(files_of(self.state), "0001"), public_key(self.key)
        for text, game in self.receipts:
            found = find_receipt(self.report, read_code(text).serial, game)
            for many, win in enumerate(found.wins, 1):
                code = replace(found, wins=found.wins[:many]).code
                for note in shown[win.stamp.seq - 1 :]:
                    head = parse_head(note)
                    end, coded = f"0001:{head.size}:{head.root.hex()}", CodedHead(head, key, game)
                    yield code_text(code._replace(head=end), _head_code(coded)), game

    def every_proof(self) -> Iterator[tuple[str, int]]:
        """The proof of each game by each head that was shown since its opening, and its number."""
        for head in self.heads:
            for game in self.proofs:
                with suppress(Unreadable):  # it was not opened then
                    yield self.proof(game, head), game


def play_papers(state: Path, seed: int) -> Papers:
    """Play a night of two games in which cards win: some numbers are keyed, some are the bag's."""
    key, chance, cards = make_key(state), Random(seed), small_pack()
    way = chance.choice([Way.COMMITTED, Way.FRESH, Way.SHARED])
    serials = chance.sample(cards.serials[:6], GAMES)
    acts: list[Any] = [{"act": "sell", "serials": list(cards.serials[:6]), "games": 2}]
    for serial in serials:
        first, second, _ = cards.card(serial).rows
        said = [{"act": "mix", "words": f"{chance.random()}"}] if way is Way.SHARED else []
        acts += ["open", *said, *["draw"] * chance.randrange(1, 4), "undo", "draw"]
        for row in (first, second):
            acts += [{"act": "draw", "number": number} for number in chance.sample(row, len(row))]
            acts += [{"act": "claim", "serial": serial}, "play-on"]
        acts += ["draw", *(["close"] if serial == serials[0] else ["draw"])]
    heads = []
    with night_in(state, key=key) as night:
        session = Session(night, Told(), CLOCK, chance, way=way)
        for act in acts:
            run(play(session, [act]))  # a number that is out already is refused
            heads.append(session.head)
    report = make_report(read_source(state, None, lambda done, total: None), load_wording())
    papers = Papers(state, key, heads, report, [], {})
    papers.proofs = {game: papers.proof(game, heads[-1]) for game in range(1, GAMES + 1)}
    for game, serial in enumerate(serials, 1):
        papers.receipts.append((_receipt(papers, serial, game), game))
    return papers


def _receipt(papers: Papers, serial: str, game: int) -> str:
    receipt = find_receipt(papers.report, serial, game)
    return code_text(receipt.code, papers.report.source.head_code(PAGES, game))


# -- judges ----------------------------------------------------------------------------------------


def receipt_judged(papers: Papers, page: PageJudge, text: str, game: int) -> tuple[bool, str]:
    """Whether the station's program accuses a receipt; and who of the page's judge does: "phone",
    which knows the proof of one game, "record", which knows all, "" for neither."""
    pack = next(papers.night.glob("pack-*")).read_bytes()
    files = {"journal": (papers.night / FILE).read_bytes(), "pack": pack}
    keys = [public_key(papers.key)]
    page.ask("receipt", text=text, proof=papers.proofs[game], files=files, keys=keys)
    try:
        read = read_code(text)
        faults = read.night != 1 or receipt_faults(text, read, papers.report, papers.state)
    except Unreadable:
        faults = True
    told = page.answer()
    return bool(faults), next((who for who in ("phone", "record") if told[who]), "")


def proof_judged(papers: Papers, page: PageJudge, text: str) -> tuple[int | None, int | None]:
    """What the record says of a proof, and what the page does: None for nothing, else the line, 0
    for the whole.

    The record's proof by the same head is the same to the last sign, or it is not the record's.
    """
    keys = [public_key(papers.key)]
    page.ask("proof", text=text, keys=keys, kept=[])
    told = page.answer()
    return _unlike_record(papers, text), None if told is None else told["line"]


def _unlike_record(papers: Papers, text: str) -> int | None:
    key = public_key(papers.key)
    try:
        proof = json.loads(text)
        head = parse_head(proof["head"])
        nights = audit.verify(papers.state)
        wrong = not head.signed_by_any([key]) or audit.unlike(papers.state, nights, [head])
        own = papers.proof(proof["game"], proof["head"])
    except (StoreError, Unreadable, ValueError, KeyError, TypeError):
        return 0
    if text == own and not wrong:
        return None
    pairs = zip(proof["lines"], json.loads(own)["lines"], strict=False)
    other = next((mine for line, mine in pairs if line != mine), None)
    return json.loads(other[0])["seq"] if other is not None else 0


# -- forgeries -------------------------------------------------------------------------------------


def forged_receipt(papers: Papers, chance: Random) -> tuple[str, str, int]:
    """One forgery of a receipt: what it is, its code, and the game of which the phone is told."""
    text, game = chance.choice(papers.receipts)
    code, coded = read_code(text), read_head(text)
    kind = chance.choice(["said", "said", "said", "shown", "bits", "stranger", "bag", "signs"])
    if kind == "said":
        field = chance.choice([*Code._fields, "card and rows"])
        return f"receipt: {field}", code_text(_said(code, field, chance), _head_code(coded)), game
    if kind == "signs":
        start = text.index("LOTO1")
        place = chance.randrange(start, len(text))
        other = chance.choice([sign for sign in "0123456789ABCDEF+:GNX" if sign != text[place]])
        return "receipt: a sign", text[:place] + other + text[place + 1 :], game
    head = coded.head
    match kind:
        case "shown":
            coded = coded._replace(game=3 - coded.game)
        case "bag":
            coded = coded._replace(bag=chance.randbytes(32).hex())
        case "stranger":
            signed = parse_head(_strange(papers, head.size))
            coded = coded._replace(head=signed, key=public_key(STRANGER))
        case "bits":
            digits = int(head_digits(coded)) ^ (1 << chance.randrange(8 * 140))
            return "receipt: a bit of the head", code_text(code, f"{PAGES}/check#{digits}"), game
    return f"receipt: {kind}", code_text(code, _head_code(coded)), game


def _head_code(coded: CodedHead) -> str:
    return f"{PAGES}/check#{head_digits(coded)}"


def _said(code: Code, field: str, chance: Random) -> Code:
    """A receipt that says something else in one field, or in two that hang together."""
    sold = small_pack().serials[:6]
    serial = chance.choice([one for one in sold if one != code.serial])
    match field:
        case "night":
            return code._replace(night=code.night + 1)
        case "game":
            return code._replace(game=3 - code.game)
        case "serial":
            return code._replace(serial=serial)
        case "card and rows":
            rows = small_pack().card(serial).rows
            return code._replace(serial=serial, numbers=tuple(one for row in rows for one in row))
        case "calls":
            calls = code.calls - chance.randrange(1, 4)
            return code._replace(calls=calls, called=code.called[:calls])
        case "numbers":
            return code._replace(numbers=_other_numbers(code.numbers, chance))
        case "called":
            return code._replace(called=_other_numbers(code.called, chance))
        case "digest":
            return code._replace(digest=other_digit(code.digest, chance))
    name, seq, end = code.head.split(":")
    other = (f"{name}:{seq}:{other_digit(end, chance)}", f"{name}:{int(seq) - 1}:{end}")
    return code._replace(head=chance.choice([*other, f"0002:{seq}:{end}"]))


def _other_numbers(numbers: Sequence[int], chance: Random) -> tuple[int, ...]:
    row, place = list(numbers), chance.randrange(len(numbers))
    if chance.random() < 0.5:
        row[place] = row[place] % 90 + 1
    else:
        row[place - 1], row[place] = row[place], row[place - 1]
    return tuple(row)


def forged_proof(papers: Papers, chance: Random) -> tuple[str, str]:
    """One forgery of a game's proof, and its name.

    What no proof shows is left out: that lines of its end are gone, or a claim, or that a keyed
    number is the next game's (`docs/inspector.md`).
    """
    game = chance.choice([*papers.proofs])
    proof = json.loads(papers.proofs[game])
    lines: list[list[str]] = proof["lines"]
    at = chance.randrange(len(lines))
    draws = [place for place, line in enumerate(lines) if '"act":"draw"' in line[0]]
    kind = chance.choice(["byte", "number", "path", "gone", "moved", "twice", "foreign", "frame"])
    match kind:
        case "byte":
            place = chance.randrange(len(lines[at][0]))
            wrong = chr(ord(lines[at][0][place]) ^ (1 << chance.randrange(5)))
            lines[at][0] = lines[at][0][:place] + wrong + lines[at][0][place + 1 :]
        case "number":
            at = chance.choice(draws)
            lines[at][0] = _another_number(lines[at][0])
        case "path":
            lines[at][1] = other_digit(lines[at][1], chance)
        case "gone":
            del lines[chance.choice([place for place in (0, *draws) if place < draws[-1]])]
        case "moved":
            at = chance.randrange(len(lines) - 1)
            lines[at : at + 2] = [lines[at + 1], lines[at]]
        case "twice":
            lines.insert(at, lines[at])
        case "foreign":
            other = [one for one in json.loads(papers.proofs[3 - game])["lines"] if _is_bound(one)]
            end = at if game == 2 else len(lines)
            lines[end:end] = [chance.choice(other)]
        case "frame":
            kind = chance.choice(["form", "key", "night", "game", "older", "stranger", "head"])
            _reframe(proof, kind, papers, chance)
    return f"proof: {kind}", json.dumps(proof, ensure_ascii=False, separators=(",", ":"))


def _is_bound(line: Sequence[str]) -> bool:
    """Whether a line is of its game and of no other: one that is keyed may be the next of both."""
    do = json.loads(line[0])["do"]
    return do["act"] == "open" or "leaf" in do


def _another_number(text: str) -> str:
    """An entry with another number."""
    line = json.loads(text)
    line["do"]["number"] = line["do"]["number"] % 90 + 1
    return canonical(line).decode()


def _reframe(proof: dict[str, Any], kind: str, papers: Papers, chance: Random) -> None:
    """Alter what stands around the lines."""
    match kind:
        case "form":
            proof["form"] += "1"
        case "key":
            proof["key"] = chance.choice([other_digit(proof["key"], chance), public_key(STRANGER)])
        case "night":
            proof["night"] += 1
        case "game":
            proof["game"] = 3 - proof["game"]
        case "older":
            proof["head"] = chance.choice(papers.heads[:-1])
        case "stranger":
            proof["head"] = _strange(papers, parse_head(proof["head"]).size)
            proof["key"] = public_key(STRANGER)
        case "head":
            place = chance.randrange(len(proof["head"]))
            sign = chr(ord(proof["head"][place]) ^ 1) if ord(proof["head"][place]) < 128 else "-"
            proof["head"] = proof["head"][:place] + sign + proof["head"][place + 1 :]


def _strange(papers: Papers, size: int) -> str:
    """The head of so many lines, signed by a stranger."""
    return Signer.of(STRANGER, 1).note(Edge.over(audit.leaves_of(papers.night, size)))
