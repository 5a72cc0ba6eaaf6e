"""Names that do harm: each is refused at the door with a sentence, or shown letter by letter on
every way out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from unicodedata import category
from xml.etree import ElementTree

import pygame
import pytest
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from docs.svg import svg
from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE, Unreadable
from station.base.terminal import Terminal
from station.base.typed import shown, unfit
from station.cards.pack import make_pack
from station.commands import journal, report, sale
from station.commands.tools import Where, ask
from station.night.fields import refuse_unseen
from station.paper.pen import SvgPen
from station.paper.prints.paper import Paper, text_width
from station.paper.prints.sheet_paper import legible
from station.programme.programme import GamePlan, Programme, StagePlan
from station.record import requests
from station.screens.screen.ink import Renderer
from tests.cells import read_cell
from tests.commands.test_app import Loto, Outcome, core_in_a_thread, loto
from tests.paper_reader import read

__all__ = ["loto"]

# What a door must let in: text that means something to some program, and nothing to a reader.
TYPED = [
    # what rich reads
    "[/x]",
    "[bold red]Ben",
    "Ben",
    "[/]",
    "[[Ben]]",
    r"\[bold]Ben",
    "[link=http://x]Ben[/link]",
    ":beer: Ben",
    "🍺 Ben",
    "[@click=app.bell]Ben",
    # what formats read
    "{0} {name} {",
    "{0.__class__}",
    "%s %n %d %%",
    "$HOME $(id) `id`",
    "{{7*7}}",
    "${jndi:ldap://x}",
    # what spreadsheets read
    '=cmd|"/C calc"!A0',
    "+1+1",
    "-2+3",
    "@SUM(1,1)",
    "'=1+1",
    "'t Hooft",
    "＝1+1",
    'a,b;c"d',
    '"',
    # what pages and pictures read
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "]]></text><text>",
    "&lt;b&gt; &amp; &#65;",
    "javascript:alert(1)",
    "<!-- -->",
    # what paper reads
    "<b>Ben</b><font color=red>",
    "<para>x</para><br/>",
    "<img src='/etc/passwd'/>",
    "(paper) Tj ET \\",
    # what files and shells read
    "../../etc/passwd",
    "C:\\CON\\nul",
    "; rm -rf ~",
    "CON",
    "null",
    "0",
    "1e9",
    "--help",
    # what databases and JSON read
    "Robert'); DROP TABLE sales;--",
    '{"act":"pay"}',
    "\\u202e \\x1b[2J",
    # people's names
    "Zoë O'Brien-Müller",
    "Анна Ёлкина",
    "शर्मिला क्\u200dष",
    "محمد علی\u200cزاده",
    "李小龍",
    "Nguyễn Thị Ánh",
    "Nguye\u0302\u0303n",
    "👨\u200d👩\u200d👧\u200d👦",
    "❤\ufe0f Eve 1\ufe0f\u20e3",
    "🏳\ufe0f\u200d🌈",
    "שרה כהן",
    "x" * 60,
    "W" * 59 + "!",
    "«U+202E»",
    "a\u0301\u0302\u0303\u0304b",
]
# What it must not: nobody would see it, or see it as it is.
REFUSED = {
    "a window's title": "Ben\x1b]0;x\x07",
    "a cleared screen": "\x1b[2J\x1b[H",
    "a link in a terminal": "\x1b]8;;http://x\x1b\\Ben",
    "one byte's CSI": "Ben\x9b2J",
    "a backspace": "Ben\b\b\bAnn",
    "a bell": "Ben\a",
    "a carriage return": "Ben\rAnn",
    "a line": "Ben\nAnn owes 5",
    "a zero": "Ben\0",
    "a delete": "Ben\x7f",
    "right to left": "\u202eneB",
    "left to right": "\u202dBen",
    "an embedding": "\u202aBen\u202c",
    "an isolate": "Ben\u2066\u2069",
    "a right isolate": "\u2067neB\u2069",
    "a first strong isolate": "\u2068Ben",
    "a mark, left": "Ben\u200e",
    "a mark, right": "Ben\u200f",
    "an Arabic mark": "Ben\u061c",
    "a space of no width": "Be\u200bn",
    "a joiner between Latin letters": "Be\u200dn",
    "a non-joiner between Latin letters": "Be\u200cn",
    "a word joiner": "Be\u2060n",
    "a byte order mark": "Ben\ufeff",
    "a soft hyphen": "Be\u00adn",
    "a line separator": "Ben\u2028Ann",
    "a paragraph separator": "Ben\u2029Ann",
    "a filler": "Ben\u3164",
    "a blank of Braille": "Ben\u2800",
    "a selector behind a letter": "Ben\ufe0f",
    "a tag": "Ben\U000e0041",
    "an annotation": "Ben\ufff9",
    "a private letter": "Ben\ue000",
    "a flood of accents": "B\u0301\u0301\u0301\u0301\u0301en",
    "a flood of enclosing marks": "B" + "\u20dd" * 20,
    "a flood of Thai marks": "ส" + "\u0e49" * 20,
}
# Of these the hall's rule for names has refused controls ever since: the others may stand in nights
# of before.
OF_BEFORE = {
    what: name
    for what, name in REFUSED.items()
    if not any(letter in name for letter in "\x1b\x9b\b\a\r\n\0\x7f\u2028\u2029")
}

STAGES = (StagePlan(pattern="row", share=40), StagePlan(pattern="full"))
PROGRAMME = Programme(
    name="[/x] {0}", games=(GamePlan(name="[bold]one <b>", price=150, stages=STAGES),) * 2
)
# The door for programmes is that of their files; what was opened before it was there stands in the
# night's own copy.
PROGRAMME_OF_BEFORE = Programme(
    name="\x1b[2J\u202egnineve",
    games=(GamePlan(name="eno\u202e \u2066[bold]", price=150, stages=STAGES),) * 2,
)
PACK = make_pack(12)
Typed = Callable[..., Outcome]


def clean(outcome: Outcome, code: int = EXIT_DONE) -> str:
    """What a command said: with that exit code, and nothing in it that a terminal would obey or
    that nobody would see."""
    assert outcome.code == code, outcome
    for said in (outcome.out, outcome.err):
        assert unfit(said, keep="\n\t") is None, said
    return outcome.out + outcome.err


def test_the_tables_are_large_enough() -> None:
    """Names of every class, each once; what is shown of two different ones is never the same."""
    assert len(TYPED) >= 60
    assert len(REFUSED) >= 30
    everything = [*TYPED, *REFUSED.values()]
    assert len(set(map(shown, everything)) | set(everything)) >= len(set(everything))
    # The sign of an unseen character and that very sign, typed, are told apart by the door alone.
    assert len({shown(name) for name in everything}) == len(set(everything))


@pytest.mark.parametrize("name", TYPED)
def test_a_name_that_can_be_seen_is_shown_as_it_is(name: str) -> None:
    """No sign, no change."""
    assert shown(name) == name
    refuse_unseen({"act": "sell", "to": name})


def test_no_control_and_no_flood_of_marks_is_taken_for_a_letter() -> None:
    """Of all that Unicode has: each control, end of line and half of a character alone, and each
    mark five times over a letter."""
    every = [chr(code) for code in range(0x110000)]
    alone = [letter for letter in every if category(letter) in ("Cc", "Zl", "Zp", "Cs")]
    floods = [f"a{letter * 5}" for letter in every if category(letter) in ("Mn", "Me")]
    assert [text for text in (*alone, *floods) if unfit(text) is None] == []
    assert len(floods) > 1000


@pytest.mark.parametrize("what", REFUSED)
def test_a_name_that_cannot_be_seen_is_refused(what: str) -> None:
    """The sentence has the place, the character's number, and what to do; nothing of it can do harm
    itself."""
    name = REFUSED[what].replace("\n", "\v")  # reasons may have lines
    with pytest.raises(Unreadable, match=r"^sell\.to holds .*: write it with") as refused:
        refuse_unseen({"act": "sell", "to": name})
    assert unfit(str(refused.value)) is None
    assert unfit(shown(name)) is None
    with pytest.raises(Unreadable, match=r"^sit\.players\.1\.name holds"):
        refuse_unseen({"act": "sit", "players": [{"name": "Ann"}, {"name": name}]})


def ascii_of(text: str) -> str:
    """The ASCII letters of a text, without blanks: lines may be broken anywhere."""
    return "".join(letter for letter in text if letter.isascii() and not letter.isspace())


def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that fold no name: it could not be looked for."""
    for module in (journal, report, sale):
        monkeypatch.setattr(module, "out", Terminal(width=4000))


def sold(type_it: Typed, names: list[str], state: Path, why: str) -> None:
    """A card to each of them, by himself; the first one wins a row, and everything is asked that
    says a name."""
    for serial, name in zip(PACK.serials, names, strict=False):
        assert shown(name) in clean(
            type_it("sell", serial, f"--to={name}", f"--by={name}", "--state", state)
        )
    for name in names:
        assert shown(name) in clean(type_it("count", "--state", state, "--", name, "1.00"))
    clean(type_it("do", "open", "--state", state))
    for number in PACK.cards()[0].rows[0]:
        clean(type_it("do", "draw", number, "--yes", "--state", state))
    clean(type_it("do", "undo", "--why", why, "--state", state))
    clean(type_it("do", "draw", number, "--yes", "--state", state))
    assert shown(names[0]) in clean(type_it("check", PACK.serials[0], "--state", state))
    clean(type_it("do", "claim", PACK.serials[0], "--state", state))
    assert shown(names[0]) in clean(type_it("watch", "--once", "--state", state))
    clean(type_it("do", "play-on", "--state", state))
    clean(type_it("pay", PACK.serials[0], "--who", "Carla", "--state", state))
    clean(type_it("near", "--state", state))
    money = clean(type_it("money", "--state", state))
    assert [name for name in names if shown(name) not in money] == []


def told(type_it: Typed, names: list[str], state: Path, folder: Path) -> None:
    """Reports, exports, prints and the journal, of the same night."""
    for words in (["journal", "show"], ["report"]):
        said = clean(type_it(*words, "--state", state))
        assert [name for name in names if shown(name)[:30] not in said] == []
    for words in (["journal", "show", "--json"], ["report", "--json"]):
        raw = clean(type_it(*words, "--state", state))
        found = json.dumps(
            [json.loads(line) for line in raw.splitlines()]
            if "journal" in words
            else json.loads(raw)
        )
        assert [name for name in names if json.dumps(name)[1:-1] not in found] == []
    clean(type_it("journal", "verify", "--state", state))
    clean(type_it("journal", "replay", "--state", state))
    clean(type_it("journal", "export", "--csv", folder / "season", "--state", state))
    clean(
        type_it(
            "report", "--csv", folder / "night", "--out", folder / "night.pdf", "--state", state
        )
    )
    for path in (folder / "season" / "sales.csv", folder / "night" / "sellers.csv"):
        rows = [*csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline=""))]
        cells = {cell for row in rows for cell in row}
        assert set(names) <= set(map(read_cell, cells))
        figures = {cell for cell in cells if cell.lstrip("-").replace(".", "").isdigit()}
        assert not [
            cell
            for cell in cells - figures
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n", "＝")
        ]
    # What another face draws is a picture there: the letters of the first face are looked for.
    paper = ascii_of("".join(page.text for page in read((folder / "night.pdf").read_bytes())))
    assert [name for name in names if ascii_of(legible(name)) not in paper] == []
    receipt = folder / "receipt.pdf"
    clean(type_it("report", "receipt", PACK.serials[0], "--out", receipt, "--state", state))


@pytest.mark.long
def test_an_evening_of_hostile_names(
    loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command, table, file and paper that prints a name: no traceback, all of each name, no
    two alike."""
    wide(monkeypatch)
    state, names = tmp_path / "state", ["[/x]", *TYPED[1:]]
    state.mkdir()
    with core_in_a_thread(state, PROGRAMME, PACK):
        sold(loto, names, state, "[/x] {0} %s =1")
        for what, name in REFUSED.items():
            if "\0" not in name:  # no command line can hold it
                refused = loto("sell", PACK.serials[-1], f"--to={name}", "--state", state)
                assert clean(refused, EXIT_NO).count("\n") == 1, what
                if "\n" not in name:
                    assert "undo.why holds " in clean(
                        loto("do", "undo", "--why", name, "--state", state), EXIT_NO
                    )
        assert {seller["name"] for seller in ask(Where(state), "money")["sellers"]} >= set(names)
        assert "UTF-8" in clean(
            loto("sell", PACK.serials[-1], "--to=\udcff", "--state", state), EXIT_USAGE
        )
    told(loto, names, state, tmp_path)


@pytest.mark.long
def test_a_night_of_before_with_unseen_names(
    loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was recorded when it was still let in stays readable, is played again, and is shown with
    signs everywhere."""
    wide(monkeypatch)
    state, names = tmp_path / "state", [*OF_BEFORE.values()]
    state.mkdir()
    with monkeypatch.context() as before:
        before.setattr(requests, "refuse_unseen", lambda do: None)
        with core_in_a_thread(state, PROGRAMME_OF_BEFORE, PACK):
            sold(loto, names, state, "\x1b]0;x\a\x1b[2J\u202e")
    with core_in_a_thread(state, PROGRAMME_OF_BEFORE):  # it is taken up again
        assert shown(names[0]) in clean(loto("money", "--state", state))
    told(loto, names, state, tmp_path)
    report = clean(loto("report", "--state", state))
    for text in (
        "\x1b]0;x\a\x1b[2J\u202e",
        PROGRAMME_OF_BEFORE.name,
        PROGRAMME_OF_BEFORE.games[0].name,
    ):
        assert shown(text) in report
    with core_in_a_thread(state, PROGRAMME_OF_BEFORE):
        assert shown(PROGRAMME_OF_BEFORE.games[0].name) in clean(
            loto("watch", "--once", "--state", state)
        )


# -- the ways out, one by one ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TYPED, *REFUSED.values()])
def test_a_terminal_looks_at_what_others_put_together(name: str) -> None:
    """Texts that did not come in as strings, titles of frames and tables, and lines of the log pass
    the same eye."""
    page = io.StringIO()
    terminal = Terminal(file=page, width=4000, force_terminal=False)
    for laid_out in (
        Text(name),
        Panel("x", title=Text(name)),
        Table(title=Text(name), caption=name),
        Rule(Text(name)),
    ):
        terminal.print(laid_out)
    assert unfit(page.getvalue(), keep="\n\t") is None
    left = name.translate(dict.fromkeys(map(ord, "\a\b\v\f\r")))  # rich takes these out itself
    assert ascii_of(shown(left, "\n")) in ascii_of(page.getvalue())


@pytest.mark.parametrize("name", [*TYPED, *REFUSED.values()])
def test_pictures_and_paper_take_any_name(name: str) -> None:
    """A drawing is well-formed and says it, a page prints it, a screen's letters have a width:
    whatever it is."""
    pen = SvgPen(100, 100, name)
    pen.words((1, 1), name)
    drawing = ElementTree.fromstring(svg(pen))  # noqa: S314 - ours
    texts = [element.text for element in drawing.iter() if element.text and element.text.strip()]
    assert texts == [shown(name)] * 2
    paper = Paper(legible(name))
    paper.paragraph((10, 10), legible(name), 12, 300)
    assert paper.save().startswith(b"%PDF")
    assert text_width(legible(name), 12) > 0


def test_a_screen_takes_any_name() -> None:
    """Each is one line of the screen's letters, and no wider than its place."""
    pygame.display.init()
    ink = Renderer()
    for name in [*TYPED, *REFUSED.values()]:
        assert 0 < ink.text(name, 20, 400, (255, 255, 255)).get_width() <= 400


@pytest.mark.parametrize("place", ["hall.name", "games.0.name"])
def test_a_file_with_an_unseen_name_is_refused(loto: Loto, tmp_path: Path, place: str) -> None:
    """Settings and programmes have the same door; the sentence names the place."""
    file = tmp_path / "x.toml"
    if place == "hall.name":
        file.write_text('[hall]\nname = "neB\\u202e"\n')
        words: list[object] = ["config", "check", "--config", file]
    else:
        file.write_text('name = "x"\n[[games]]\nname = "neB\\u202e"\n')
        words = ["programme", "check", file]
    said = clean(loto(*words), EXIT_USAGE)
    assert (
        f"{place} holds U+202E (right-to-left override), which nobody would see: write it without"
        in said
    )


@pytest.mark.parametrize("name", ["[/x]", "\x1b[2J", "[bold]x", "\u202ex", "{0}", "%s"])
def test_wrong_use_repeats_what_was_typed_as_text(loto: Loto, name: str) -> None:
    """The command line's own errors, and files of such a name."""
    for words in (
        ["sell", "0001", f"--games={name}"],
        [name],
        ["sell", f"--{name}"],
        ["pack", "check", name],
        ["programme", "show", name],
    ):
        clean(loto(*words), EXIT_USAGE)
