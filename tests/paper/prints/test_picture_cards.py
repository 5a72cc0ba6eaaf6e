"""Cards of Picture Loto are read back: the right picture in each cell, its name, number, serial and
QR; each picture once."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from station.base.nouns import KNOBS
from station.cards.pack import Deck, draw_pack
from station.cards.serials import Numbering, qr_text
from station.commands.app import app
from station.paper.prints.card_layouts import FORMS, CardLook, face, sheet, widest
from station.paper.prints.card_pictures import (
    FINE,
    NAME_LEAST,
    NARROWEST,
    CellContent,
    Pictured,
    figures,
    on_paper,
)
from station.paper.prints.cardprint import has_names, print_cards
from station.paper.prints.paper import MM, text_width
from station.programme.themes import load_theme, shipped
from station.programme.themes.pictures import PictureLook
from station.programme.themes.pictures import look as appearance
from tests.card_reader import DOTS, Box, PrintedPage, read_pages
from tests.paper.prints.test_cardprint import overlaps

NUMBERING = Numbering(b"a hall's key of thirty-two bytes", "A")
PACK = draw_pack(4, "pictured", NUMBERING, first=1)
THEMES = {key: load_theme(key) for key in shipped()}
STYLES = {
    "plain": {},
    "large": {"large": True},
    "contrast": {"contrast": True},
    "bare": {"qr": False},
}
# Each form with a theme, a language and a style.
PRINTED = [
    (1, "picture", "en", "large"),
    (2, "historical", "fr", "contrast"),
    (3, "geographical", "it", "plain"),
]
PRINTED += [
    (6, "historical", "it", "plain"),
    (6, "botanical", "fr", "large"),
    (12, "spelling", "en", "bare"),
]


def code(serial: str) -> str:
    return qr_text(serial, NUMBERING)


def deck(count: int) -> Deck:
    return PACK.deck(np.arange(count))


def places(look: CardLook, pictured: Pictured):
    """The sheet, the face of its first card, and the figures of its cells."""
    page = sheet(look)
    form = face(page.cards[0], look, widest(PACK.serials))
    return page, form, figures(form, look, pictured)


@cache
def one_page(
    per_page: int, theme: str, language: str, style: str
) -> tuple[CardLook, Pictured, Deck, PrintedPage]:
    look, pictured = (
        CardLook(per_page, title="Village Hall", **STYLES[style]),
        Pictured(THEMES[theme], language),
    )
    cards = deck(per_page)
    (pdf,) = print_cards(cards, look, code=code, pictured=pictured)
    (page,) = read_pages(pdf)
    return look, pictured, cards, page


def cells(look: CardLook, pictured: Pictured, cards: Deck):
    """Each number of each card: its cell on the page, and how far it was moved from where it was
    measured."""
    page_form, form, _ = places(look, pictured)
    for area, serial in zip(page_form.cards, cards.serials, strict=False):
        right, down = area.x - page_form.cards[0].x, area.y - page_form.cards[0].y
        for row, numbers in enumerate(cards[serial].rows):
            below = form.cell(row, 0).y - form.cell(0, 0).y
            for number in numbers:
                yield number, right, down + below


@pytest.mark.parametrize(("per_page", "theme", "language", "style"), PRINTED)
def test_each_cell_has_its_number_and_its_name(per_page, theme, language, style):
    """Read back from the page: number and name in each cell, each card's serial and QR, and nothing
    over another thing."""
    look, pictured, cards, page = one_page(per_page, theme, language, style)
    page_form, form, measured = places(look, pictured)
    for number, right, down in cells(look, pictured, cards):
        cell = Box.of(measured[number].cell).moved(right, down)
        name = pictured.theme.name(number, language).replace(" ", "")
        assert page.inside(cell) == f"{number}{name}"
    for area, serial in zip(page_form.cards, cards.serials, strict=True):
        moved = Box.of(form.head).moved(
            area.x - page_form.cards[0].x, area.y - page_form.cards[0].y
        )
        assert serial in page.inside(moved)
    assert sorted(page.codes) == sorted(map(code, cards.serials) if look.qr else [])
    assert overlaps([box for letter, box in page.letters if letter not in "’j"]) == 0


@pytest.mark.parametrize(
    ("per_page", "theme", "language", "style"), [row for row in PRINTED if row[3] != "contrast"]
)
def test_each_cell_has_its_picture(per_page, theme, language, style):
    """Of the ninety pictures of the theme the one that is printed in a cell is most like its own
    number's."""
    look, pictured, cards, page = one_page(per_page, theme, language, style)
    _, _, measured = places(look, pictured)
    wanted = appearances(theme)
    for number, right, down in cells(look, pictured, cards):
        found = appearance(cut(page, Box.of(measured[number].picture).moved(right, down)))
        assert min(wanted, key=lambda other: distance(found, wanted[other])) == number


@cache
def appearances(theme: str) -> dict[int, PictureLook]:
    found = {}
    for number, entry in THEMES[theme].entries.items():
        with Image.open(entry.picture) as picture:
            found[number] = appearance(picture)
    return found


def distance(one: PictureLook, other: PictureLook) -> float:
    bits, colours = one.apart(other)
    return bits / 4 + colours


def cut(page: PrintedPage, box: Box) -> Image.Image:
    return page.picture.crop(
        [round(edge * DOTS) for edge in (box.left, box.top, box.right, box.bottom)]
    )


def test_high_contrast_has_no_colour():
    """Every dot is a grey."""
    _, _, _, page = one_page(2, "historical", "fr", "contrast")
    dots = np.asarray(page.picture.convert("RGB")).astype(int)
    assert np.ptp(dots, axis=2).max() <= 2
    assert len(np.unique(dots)) > 20


@pytest.mark.parametrize("per_page", FORMS)
@pytest.mark.parametrize("key", THEMES)
def test_nothing_in_a_cell_touches_another_thing(per_page, key):
    """Number, picture and name lie inside the cell and apart, in every language and style; the
    picture is 3 mm at least.

    Up to six cards a page every theme has its names.
    """
    for language, style in [
        ("en", "large"),
        ("en", "bare"),
        ("en", "plain"),
        ("it", "plain"),
        ("fr", "plain"),
    ]:
        look = CardLook(per_page, **STYLES[style])
        _, _, measured = places(look, Pictured(THEMES[key], language))
        assert len(measured) == KNOBS
        assert per_page == 12 or all(figure.name is not None for figure in measured.values())
        for number, figure in measured.items():
            boxes = [box for box in parts(number, figure, look) if box is not None]
            assert all(Box.of(figure.cell).holds(box, slack=0.01) for box in boxes), (
                number,
                language,
                style,
            )
            assert not any(touch(one, other) for one, other in combinations(boxes, 2)), (
                number,
                language,
                style,
            )
            assert figure.picture.width == figure.picture.height >= 3 * MM


def parts(number: int, figure: CellContent, look: CardLook) -> list[Box | None]:
    size = figure.number.size
    x, y = figure.number.at
    written = Box(x, y - 0.73 * size, x + text_width(str(number), size, bold=look.bold), y)
    named = None
    if figure.name is not None:
        name = figure.name
        assert name.size >= NAME_LEAST
        assert name.narrowed >= NARROWEST
        half = max(text_width(line, name.size) for line in name.lines) * name.narrowed / 2
        middle = figure.cell.x + figure.cell.width / 2
        named = Box(
            middle - half, figure.cell.bottom - name.height, middle + half, figure.cell.bottom
        )
    return [written, Box.of(figure.picture), named]


def touch(one: Box, other: Box) -> bool:
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return across > 0.01 and down > 0.01


def test_names_stand_under_the_pictures_except_on_the_smallest_cards():
    """Twelve a page have no room for history's: numbers and pictures only."""
    assert has_names(deck(6), CardLook(6), Pictured(THEMES["historical"], "fr"))
    twelve, history = CardLook(12), Pictured(THEMES["historical"], "en")
    assert not has_names(deck(12), twelve, history)
    (pdf,) = print_cards(deck(12), twelve, code=code, pictured=history)
    (page,) = read_pages(pdf)
    _, _, measured = places(twelve, history)
    for number, right, down in cells(twelve, history, deck(12)):
        assert page.inside(Box.of(measured[number].cell).moved(right, down)) == str(number)


def test_cards_that_are_spelt_have_no_words():
    """Pictures and numbers alone, though the words would fit."""
    look, pictured = CardLook(6), Pictured(THEMES["spelling"], "en", words=False)
    assert has_names(deck(6), look, Pictured(THEMES["spelling"], "en"))
    (page,) = read_pages(next(print_cards(deck(6), look, code=code, pictured=pictured)))
    _, _, measured = places(look, pictured)
    for number, right, down in cells(look, pictured, deck(6)):
        assert page.inside(Box.of(measured[number].cell).moved(right, down)) == str(number)


@pytest.mark.long
def test_a_picture_is_in_the_file_once():
    """A strip has all ninety; four strips have no more, and are hardly larger; a single card has
    fifteen."""
    look, pictured = CardLook(6), Pictured(THEMES["picture"], "en")
    one, four, card = (
        next(print_cards(deck(count), look, code=code, pictured=pictured)) for count in (6, 24, 1)
    )
    images = [len(re.findall(rb"/Subtype /Image", pdf)) for pdf in (one, four, card)]
    assert images == [90, 90, 15]
    plain = [next(print_cards(deck(count), look, code=code)) for count in (6, 24)]
    assert len(four) - len(one) < 2 * (len(plain[1]) - len(plain[0]))


def test_the_same_cards_are_the_same_bytes():
    """Also when their cells are pictures."""
    look, pictured = CardLook(3), Pictured(THEMES["picture"], "it")
    assert [*print_cards(deck(3), look, pictured=pictured)] == [
        *print_cards(deck(3), look, pictured=pictured)
    ]


def test_another_language_is_printed_in_the_first():
    """A theme has not every hall's language: its first is printed then."""
    look = CardLook(3)
    first, other = (Pictured(THEMES["picture"], language) for language in ("en", "eo"))
    assert [*print_cards(deck(3), look, pictured=first)] == [
        *print_cards(deck(3), look, pictured=other)
    ]


@pytest.mark.parametrize("cell", [(55.0, 33.0), (29.0, 25.0), (87.0, 145.0)])
def test_pictures_are_no_finer_than_print(cell):
    """What a printer cannot show is not in the file: 300 dots an inch at the most."""
    side = round(min(cell) * FINE)
    with Image.open(THEMES["picture"].entries[1].picture) as picture:
        assert on_paper(picture, side, grey=False).width == min(side, picture.width)


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def state(tmp_path_factory) -> Path:
    """A state folder with a pack of a strip."""
    folder = tmp_path_factory.mktemp("pictured") / "state"
    done = CliRunner().invoke(
        app, ["pack", "make", "--strips", "1", "--seed", "print", "--state", str(folder)]
    )
    assert done.exit_code == 0, done.output
    return folder


def loto(state: Path, target: Path, *words: str):
    return CliRunner().invoke(
        app, ["pack", "print", "--state", str(state), "--out", str(target), *words]
    )


@pytest.mark.long
def test_the_command_prints_a_theme(state, tmp_path):
    """In the language that is asked for; one that does not fit is printed without words, and that
    is said."""
    target = tmp_path / "cards.pdf"
    done = loto(state, target, "--theme", "spelling", "--lang", "fr", "--per-page", "3")
    assert done.exit_code == 0, done.output
    assert "too long" not in done.output
    assert "no words in" not in done.output
    said = "".join(
        letter for page in read_pages(target.read_bytes(), draw=False) for letter, _ in page.letters
    )
    assert "étoile" in said
    done = loto(state, target, "--theme", "historical", "--per-page", "12")
    assert done.exit_code == 0, done.output
    assert "words are too long for cards so small: pictures and numbers only" in done.output
    done = loto(state, target, "--theme", "spelling", "--lang", "eo", "--per-page", "3")
    assert "The theme has no words in the language eo: they are in en." in done.output


def test_the_command_names_the_themes_there_are(state, tmp_path):
    """For one that nobody knows; nothing is written."""
    done = loto(state, tmp_path / "cards.pdf", "--theme", "astronomical")
    assert "botanical, geographical, historical, picture, spelling ship" in str(done.exception)
    assert not (tmp_path / "cards.pdf").exists()
