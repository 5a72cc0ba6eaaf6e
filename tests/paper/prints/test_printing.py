"""What the hall keeps on paper is read back from the PDFs: every word is there, inside the page,
and lengths are real."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from station.base.errors import LotoError, Unreadable
from station.commands.app import app
from station.machine.wiring.cutting import load_plate, plate_names, print_plate
from station.machine.wiring.overview import drawings
from station.machine.wiring.printing import (
    print_census,
    print_labels,
    print_procedure,
    print_wiring,
    reads_otherwise,
)
from station.machine.wiring.shopping import shopping
from station.paper.pen import SvgPen
from station.paper.prints.paper import MM, SIZES, Paper, broken, path_steps, text_width
from station.settings.config import load_settings
from station.wire.wording import FOLDER, load_wording
from tests.paper_reader import read

LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.toml"))
SET_AS_PICTURES = {"hi"}  # a script that is shaped


def bare(text: str) -> str:
    """A text without its spaces: where lines break is not the point."""
    return "".join(text.split())


@pytest.mark.parametrize(
    ("language", "size"),
    [*((language, "a4") for language in LANGUAGES), ("en", "letter"), ("de", "letter")],
)
def test_the_procedure_is_whole_and_on_one_page(language: str, size: str) -> None:
    """Every step, every fault's row and the lines for who to call are on one page of either size,
    in every language."""
    wording = load_wording(language)
    (page,) = read(print_procedure(wording, "Hall 7", size))
    assert page.size == pytest.approx(SIZES[size], abs=0.1)
    assert all(0 < x < page.size[0] and 0 < y < page.size[1] - 20 for x, y, _ in page.words)
    assert all(-0.1 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y in page.moves)
    paper_words = [text for key, text in wording.screen.items() if key.startswith("paper-")]
    paper_words = [text for text in paper_words if text not in census_words(wording)]
    if language in SET_AS_PICTURES:
        assert page.images > len(paper_words)
        return
    in_columns = sorted(page.words, key=lambda word: (column_of(word[0], page.size[0]), word[1]))
    column = bare("".join(text for _, _, text in in_columns))
    for text in (*wording.procedure, *paper_words):
        assert bare(text) in column or bare(text) in bare(page.text), text
    assert page.text.count(wording.screen["paper-phone"]) == 2


def census_words(wording) -> set[str]:
    keys = (
        "paper-census",
        "paper-census-how",
        "paper-date",
        "paper-counted",
        "paper-seen",
        "paper-signature",
    )
    return {wording.screen[key] for key in keys}


def column_of(x: float, width: float) -> int:
    """In which column of the table of faults a word begins."""
    return sum(x > edge * width for edge in (0.29, 0.62))


def test_the_procedure_is_printed_large() -> None:
    """Its steps are read from two metres: their lines lie at least 14 points apart in English."""
    (page,) = read(print_procedure(load_wording("en"), "Hall", "a4"))
    steps = [y for x, y, text in page.words if text.endswith(".") and text[:-1].isdigit()]
    assert len(steps) == len(load_wording("en").procedure)
    assert all(later - earlier >= 14 for earlier, later in pairwise(steps))


def test_a_procedure_that_is_too_long_is_refused() -> None:
    """Nothing runs over the edge of the page: too many words are an error that names what to
    shorten."""
    long = replace(load_wording("en"), procedure=("word " * 900,))
    with pytest.raises(Unreadable, match="too long for one page"):
        print_procedure(long, "Hall")


@pytest.mark.parametrize("size", SIZES)
def test_the_census_has_ninety_boxes(size: str) -> None:
    """Each number from 1 to 90 once, no two at the same place, each with a square before it."""
    (page,) = read(print_census(load_wording("en"), "Hall", size))
    numbers = {int(text): (x, y) for x, y, text in page.words if text.isdecimal()}
    assert sorted(numbers) == list(range(1, 91))
    places = list(numbers.values())
    assert all(
        math.dist(one, other) > 30 for index, one in enumerate(places) for other in places[:index]
    )
    for x, y in places:
        assert any(x - 30 < left < x and abs(top - y) < 20 for left, top in page.moves)


@pytest.mark.parametrize(
    ("diameter", "size"), [(15, "a4"), (22, "a4"), (22, "letter"), (30, "letter"), (60, "a4")]
)
def test_the_labels_are_ninety_circles_of_that_size(diameter: float, size: str) -> None:
    """Every number once over all pages; circles of the asked diameter, inside the page, none over
    another."""
    pages = read(print_labels(diameter, size))
    assert sorted(int(text) for page in pages for _, _, text in page.words) == list(range(1, 91))
    for page in pages:
        lefts = circles(page, diameter)
        assert len(lefts) == len(page.words)
        assert all(0 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y in page.moves)
        assert all(
            math.dist(one, other) > diameter * MM
            for index, one in enumerate(lefts)
            for other in lefts[:index]
        )
        for x, y, text in page.words:
            middle = x + text_width(text, diameter * MM * 0.52, bold=True) / 2
            assert any(
                abs(left + diameter * MM / 2 - middle) < 1 and abs(level - y) < diameter * MM / 2
                for left, level in lefts
            )


def circles(page, diameter: float) -> list[tuple[float, float]]:
    """The left edges of the circles: points whose opposite one is a diameter to the right."""
    points = {(round(x, 1), round(y, 1)) for x, y in page.moves}
    across = round(diameter * MM, 1)
    return [
        (x, y)
        for x, y in points
        if any(abs(other - x - across) < 0.15 and abs(level - y) < 0.15 for other, level in points)
    ]


def test_what_reads_otherwise_upside_down_has_a_bar() -> None:
    """6 and 9, 18 and 81, 68 and 89 are told apart in the hand; what looks the same both ways needs
    no bar."""
    barred = {number for number in range(1, 91) if reads_otherwise(number)}
    assert {6, 9, 16, 18, 19, 60, 61, 66, 68, 81, 86, 89, 90} <= barred
    assert not barred & {1, 8, 11, 69, 88, 2, 7, 46}
    plain, with_bars = (len(read(print_labels(60, "a4"))[page].moves) for page in (0, 1))
    assert plain != with_bars  # the page with 6 and 9 has more lines


@pytest.mark.parametrize(
    ("profile", "size"),
    [
        ("rfid", "a4"),
        ("hall", "a4"),
        ("hall-ws2812", "letter"),
        ("ten-readers", "letter"),
        ("parlour", "a4"),
    ],
)
def test_the_wiring_is_the_drawings(profile: str, size: str) -> None:
    """A shopping list with every part, then a page for each drawing with every word that the SVG
    has."""
    devices = load_settings(profile).devices
    parts, pens = shopping(devices), drawings(devices)
    pages = read(print_wiring(parts, pens, f"the profile {profile}", size))
    listed = [page for page in pages if "What to buy" in page.text]
    assert len(pages) - len(listed) in (len(pens), len(pens) + 1)  # a long list goes on
    first = bare(" ".join(page.text for page in pages[: len(pages) - len(pens)]))
    assert all(bare(f"{part.count} ×") in first for part in parts)
    for part in parts:
        assert bare(part.name.split()[0]) in first
    for page, pen in zip(pages[-len(pens) :], pens.values(), strict=True):
        for mark in pen.marks:
            if hasattr(mark, "text"):
                assert bare(mark.text) in bare(page.text), mark.text
        assert f"the profile {profile}" in page.text
        assert all(0 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y, _ in page.words)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", plate_names())
def test_the_drilling_template_is_of_real_size(name: str, size: str) -> None:
    """The cavities of a page, and the bars, are the plate's pitch apart, in paper's own
    millimetres; the control line is 100 mm."""
    plate = load_plate(name)
    drawing, *tiles = read(print_plate(plate, size))
    assert drawing.size[0] > drawing.size[1]
    assert "1 : " in drawing.text
    assert len(tiles) == math.ceil(plate.size[0] / 250)
    middles: set[float] = set()
    bars: set[float] = set()
    for index, tile in enumerate(tiles):
        left = (tile.size[0] / MM - 250) / 2

        for places, levels in (
            (middles, {y - 3.0 for _, y in plate.holes}),
            (bars, {y for (_, y), _ in plate.bars}),
        ):
            begun = {
                round(x / MM - left + 250 * index, 2)
                for x, y in tile.moves
                if any(abs(y / MM - 14.0 - level) < 0.01 for level in levels)
            }
            places |= {x for x in begun if 0 <= x - 250 * index <= 250}
        assert any(
            abs(b[0] - a[0] - 100 * MM) < 0.01 and a[1] == b[1] for a, b in pairwise(tile.moves)
        )
    assert sorted(middles) == pytest.approx([x for x, _ in plate.holes], abs=0.02)
    edges = [edge for (x, _), (wide, _) in plate.bars for edge in (x, x + wide)]
    assert sorted(bars) == pytest.approx(edges, abs=0.02)


@pytest.mark.parametrize(
    ("d", "steps"),
    [
        ("M1 2 L3 4", [("M", [(1, 2)]), ("L", [(3, 4)])]),
        (
            "M1 2 H5 V6 h-1 v-2",
            [("M", [(1, 2)]), ("L", [(5, 2)]), ("L", [(5, 6)]), ("L", [(4, 6)]), ("L", [(4, 4)])],
        ),
        ("M0 0 c0 -9 14 -9 14 0", [("M", [(0, 0)]), ("C", [(0, -9), (14, -9), (14, 0)])]),
        ("M1 1 l2 2 Z", [("M", [(1, 1)]), ("L", [(3, 3)]), ("Z", [])]),
    ],
)
def test_paths_are_followed(d: str, steps: list) -> None:
    """Each letter that the drawings use leads where SVG says."""
    assert list(path_steps(d)) == steps


def test_an_unknown_letter_of_a_path_is_refused() -> None:
    """A curve that paper cannot draw is an error, not a gap in a drawing that somebody solders
    by."""
    with pytest.raises(Unreadable, match="letter A"):
        list(path_steps("M0 0 A1 1 0 0 1 2 2"))


def test_lines_are_broken_between_words() -> None:
    """No line is wider than it may be, no word is lost, and a single long word stands alone."""
    text = "one two three four Donaudampfschifffahrtsgesellschaft five"
    lines = broken(text, 12, 80)
    assert " ".join(lines) == text
    assert all(text_width(line, 12) <= 80 for line in lines if " " in line)
    assert "Donaudampfschifffahrtsgesellschaft" in lines


def test_a_letter_of_no_font_is_named() -> None:
    """What cannot be printed is said, not left out."""
    with pytest.raises(Unreadable, match="no font of the station"):
        Paper("x").words((10, 10), "漢", 12)


def test_the_same_words_are_the_same_file() -> None:
    """A page can be compared byte for byte: no hour is in it."""
    assert print_census(load_wording("en"), "Hall") == print_census(load_wording("en"), "Hall")


def test_a_drawing_on_paper_is_the_drawing() -> None:
    """Boxes, circles, words and lines come at their scaled places."""
    pen = SvgPen(100, 50, "x")
    pen.box((10, 10), (20, 10), round_=0)
    pen.ring((50, 25), 5)
    pen.words((70, 30), "here", size=10)
    pen.wire((0, 0), (100, 50))
    paper = Paper("x")
    paper.drawing(pen, (40, 60), 2)
    (page,) = read(paper.save())
    assert page.words == [(pytest.approx(180, abs=0.01), pytest.approx(120, abs=0.01), "here")]
    wide = text_width("anchored", 10)
    for anchor, share in (("start", 0.0), ("middle", 0.5), ("end", 1.0)):
        paper = Paper("x")
        paper.words((200, 100), "anchored", 10, anchor=anchor)
        ((x, _, _),) = read(paper.save())[0].words
        assert x == pytest.approx(200 - share * wide, abs=0.01)
    for point in ((40, 60), (240, 160), (130, 110), (150, 110)):
        assert any(math.dist(point, move) < 0.05 for move in page.moves), point


@pytest.mark.parametrize(
    ("words", "inside"),
    [
        (["procedure"], "When something fails"),
        (
            ["procedure", "--lang", "it", "--paper", "letter"],
            load_wording("it").screen["paper-call"],
        ),
        (["census"], "90"),
        (["labels", "--diameter", "30"], "37"),
        (["wiring", "--profile", "hall"], "5 V supply, 3 A"),
        (["plate", "--board", "ten-readers"], "ten-readers: page 3 of 3"),
    ],
)
def test_the_commands_write_what_they_say(tmp_path: Path, words: list[str], inside: str) -> None:
    """`loto print …` writes a PDF with its own words in it to the file that was named, and says
    so."""
    target = tmp_path / "out.pdf"
    done = CliRunner().invoke(app, ["print", *words, "--out", str(target)])
    assert done.exit_code == 0, done.output
    assert str(target) in done.output
    assert inside in " ".join(page.text for page in read(target.read_bytes()))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["procedure", "--lang", "xx"], "no wording for language"),
        (["wiring", "--profile", "nothing"], "there is no profile"),
        (["census", "--out", "/nowhere/x.pdf"], "cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_said(words: list[str], why: str) -> None:
    """A wrong language, profile or place is one sentence, and no file."""
    done = CliRunner().invoke(app, ["print", *words])
    assert isinstance(done.exception, LotoError)
    assert why in str(done.exception)


def test_simulated_devices_have_no_wires() -> None:
    """Asked for the wiring of a simulated station, the command says which profile to name."""
    done = CliRunner().invoke(app, ["print", "wiring", "--profile", "simulated"])
    assert done.exit_code == 2
    assert "simulated devices have no wires" in done.output
