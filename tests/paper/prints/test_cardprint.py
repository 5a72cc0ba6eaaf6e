"""Printed cards are read back: letters where they stand, dots, and every QR by a decoder, for each
form, paper and style."""

from __future__ import annotations

import re
import struct
import zlib
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import segno
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from station.base.errors import Unreadable
from station.base.nouns import COLUMNS, KNOBS, ROWS, Card, column_of
from station.cards.pack import Deck, Pack, draw_pack
from station.cards.serials import Numbering, qr_text
from station.paper.prints.card_layouts import FORMS, SMALLEST, CardLook, face, sheet, widest
from station.paper.prints.card_pieces import QR_MASK, qr_path
from station.paper.prints.cardprint import COLOURS, load_colours, load_logo, print_cards
from station.paper.prints.paper import SIZES, text_width
from station.paper.prints.score_sheet import print_score
from station.wire.wording import FOLDER, load_wording
from tests.card_reader import Box, PrintedPage, read_pages

NUMBERING = Numbering(b"a hall's key of thirty-two bytes", "A")
PACK = draw_pack(5, "printed", NUMBERING, first=1)
TITLE = "Village Hall"
STYLES = {
    "plain": {},
    "large": {"large": True, "colours": "strip"},
    "contrast": {"contrast": True, "colours": "strip"},
    "bare": {"qr": False, "colours": "series"},
}
# Each form in each style, on each paper in two of them.
LOOKS = [
    (per_page, size, style)
    for row, per_page in enumerate(FORMS)
    for column, style in enumerate(STYLES)
    for size in [("a4", "letter")[(row + column) % 2]]
]
FIG_1 = Card.parse("7: 5 11 33 50 76 / 17 22 43 65 89 / 2 28 35 56 74")


def some(pack: Pack, count: int, first: int = 0) -> Deck:
    return pack.deck(np.arange(first, first + count))


def code(serial: str) -> str:
    return qr_text(serial, NUMBERING)


def printed(deck: Deck, look: CardLook, **more) -> list[PrintedPage]:
    (pdf,) = print_cards(deck, look, code=more.pop("code", code), **more)
    return read_pages(pdf)


def places(look: CardLook, serials: tuple[str, ...] = PACK.serials, logo: float = 0):
    """The sheet, and the face of its first card."""
    page = sheet(look)
    return page, face(page.cards[0], look, widest(serials), logo=logo)


def on_card(area, look_sheet, box: Box) -> Box:
    """A box of the first card, on another."""
    return box.moved(area.x - look_sheet.cards[0].x, area.y - look_sheet.cards[0].y)


@cache
def two_pages(per_page: int, size: str, style: str) -> tuple[CardLook, Deck, list[PrintedPage]]:
    """A full page and one with a single card, from the last card of a strip on."""
    look = CardLook(per_page, size, title=TITLE, **STYLES[style])
    deck = some(PACK, per_page + 1, first=5)
    return look, deck, printed(deck, look)


@pytest.mark.parametrize(("per_page", "size", "style"), LOOKS)
def test_what_is_printed_is_the_pack(per_page: int, size: str, style: str) -> None:
    """Every card of a page: its numbers in their cells, nothing in the others, its serial, its
    title, its QR in its place."""
    look, deck, pages = two_pages(per_page, size, style)
    page_form, form = places(look)
    assert len(pages) == 2
    for number, page in enumerate(pages):
        serials = deck.serials[number * per_page : (number + 1) * per_page]
        assert (page.width, page.height) == pytest.approx(
            (page_form.width, page_form.height), abs=0.1
        )
        assert sorted(page.codes) == sorted(map(code, serials) if look.qr else [])
        letters = 0
        for serial, area in zip(serials, page_form.cards, strict=False):
            expected = cells_of(deck[serial])
            for (row, column), text in expected.items():
                cell = on_card(area, page_form, Box.of(form.cell(row, column)))
                assert page.inside(cell) == text
            place = PACK.place(serial)
            mark = f"{place // 6 + 1}-{place % 6 + 1}" if look.colours == "strip" else ""
            head = page.inside(on_card(area, page_form, Box.of(form.head)))
            assert sorted(head) == sorted(TITLE.replace(" ", "") + serial + mark)
            assert serial in head
            letters += len(head) + sum(map(len, expected.values()))
            if look.qr:
                assert on_card(area, page_form, Box.of(form.code)).holds(page.codes[code(serial)])
        foot = (
            f"printed by loto-station - pack {PACK.digest[:16]} - page {number + 1} of 2".replace(
                " ", ""
            )
        )
        below = Box(0, page_form.cards[-1].bottom, page.width, page.height)
        assert page.inside(below) == foot
        assert len(page.letters) == letters + len(foot)


def cells_of(card: Card) -> dict[tuple[int, int], str]:
    """What each of the 27 cells says."""
    cells = {(row, column): "" for row in range(ROWS) for column in range(COLUMNS)}
    for row, numbers in enumerate(card.rows):
        cells |= {(row, column_of(number)): str(number) for number in numbers}
    return cells


@pytest.mark.parametrize(("per_page", "size", "style"), LOOKS)
def test_nothing_lies_over_another_thing(per_page: int, size: str, style: str) -> None:
    """No two letters overlap, none leaves its card or touches a QR, and cards lie inside the paper
    apart from each other."""
    look, _, (page, _) = two_pages(per_page, size, style)
    page_form, form = places(look)
    cards = [Box.of(area) for area in page_form.cards]
    paper = Box(0, 0, *SIZES[size][:: -1 if look.landscape else 1])
    assert all(paper.holds(card, slack=-20) for card in cards)
    assert overlaps(cards) == 0
    boxes = [box for _, box in page.letters]
    codes = (
        [on_card(area, page_form, Box.of(form.code)) for area in page_form.cards]
        if form.code
        else []
    )
    assert overlaps([*boxes, *codes]) == 0
    above_foot = [box for box in boxes if box.top < cards[-1].bottom]
    assert all(any(card.holds(letter, slack=0) for card in cards) for letter in above_foot)


def overlaps(boxes: list[Box]) -> int:
    """How many pairs lie over each other, by more than a J reaches under the letter before it."""
    left, top, right, low = np.array(
        [(box.left, box.top, box.right, box.bottom) for box in boxes]
    ).T
    across = np.minimum.outer(right, right) - np.maximum.outer(left, left)
    down = np.minimum.outer(low, low) - np.maximum.outer(top, top)
    return int((((across > 0.2) & (down > 0.2)).sum() - len(boxes)) // 2)


@pytest.mark.parametrize(("style", "blank"), [("plain", 0xE4), ("contrast", 0)])
def test_blank_cells_are_blank(style: str, blank: int) -> None:
    """A cell without a number is its one tint from line to line; a cell with one is white, and
    black where the digits are."""
    look = CardLook(6, "a4", title=TITLE, **STYLES[style])
    page_form, form = places(look)
    deck = some(PACK, 6)
    (page,) = printed(deck, look)
    for serial, area in zip(deck.serials, page_form.cards, strict=True):
        for (row, column), text in cells_of(deck[serial]).items():
            dots = page.cut(on_card(area, page_form, Box.of(form.cell(row, column))), 1.2)
            if not text:
                assert (abs(dots.astype(int) - blank) <= 1).all()
                continue
            assert dots.min() < 20
            assert (dots[0] == 255).all()
            assert (dots[:, 0] == 255).all()
            dark = np.flatnonzero((dots < 128).any(axis=0))
            middle = (dark[0] + dark[-1]) / 2 / dots.shape[1]
            assert middle == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("per_page", FORMS)
def test_a_quiet_zone_is_kept(per_page: int) -> None:
    """Four modules around each QR stay white, also beside lines and in colour."""
    wanted = 4  # ISO/IEC 18004
    look = CardLook(per_page, colours="series", title=TITLE)
    page_form, form = places(look)
    (page,) = printed(some(PACK, per_page), look)
    for area in page_form.cards:
        dots = page.cut(on_card(area, page_form, Box.of(form.code)))
        quiet = int(wanted / (21 + 2 * wanted) * len(dots)) - 1
        assert dots[quiet + 3 : -quiet - 3].min() == 0
        for side in (dots, dots[::-1], dots.T, dots.T[::-1]):
            assert (side[:quiet] == 255).all()


@pytest.mark.parametrize("per_page", FORMS)
def test_large_print_is_larger(per_page: int) -> None:
    """Digits of the large form are higher than of the plain one, and no pair is wider than its
    cell."""
    (_, plain), (_, large) = (places(CardLook(per_page, large=large)) for large in (False, True))
    assert large.digits > 1.05 * plain.digits
    (page,) = printed(some(PACK, per_page), CardLook(per_page, large=True))
    cell = large.cell(0, 0)
    numbers = [
        box
        for letter, box in page.letters
        if letter.isdecimal() and box.bottom - box.top > 0.6 * large.digits
    ]
    assert len(numbers) > 10
    assert max(box.bottom - box.top for box in numbers) < 0.95 * cell.height
    assert max(box.right - box.left for box in numbers) < 0.5 * cell.width
    serial = [box for _, box in page.letters if Box.of(large.head).holds(box)]
    wide = text_width(PACK.serials[0], large.serial.size, bold=True)
    assert serial[-1].right - serial[0].left == pytest.approx(wide, rel=0.03)


def test_contrast_has_no_colour() -> None:
    """Red, green and blue are alike in every dot, the logo's too."""
    logo = Image.new("RGBA", (60, 30), (200, 0, 0, 255))
    look = CardLook(3, contrast=True, colours="strip")
    (pdf,) = print_cards(some(PACK, 3), look, logo=logo)
    dots = np.asarray(read_pages(pdf)[0].picture.convert("RGB"))
    assert (dots.max(axis=2) == dots.min(axis=2)).all()


@pytest.mark.parametrize(("colours", "differ"), [("strip", True), ("series", False)])
def test_colours_go_by_strip_or_series(colours: str, differ: bool) -> None:
    """Neighbouring strips have two colours; one series has one."""
    look = CardLook(12, colours=colours)
    page_form, form = places(look)
    (pdf,) = print_cards(some(PACK, 12), look, code=code)
    (page,) = read_pages(pdf)
    heads = [on_card(area, page_form, Box.of(form.head)) for area in page_form.cards]
    dots = np.asarray(page.picture.convert("RGB"))
    scale = dots.shape[1] / page.width
    seen = [
        tuple(dots[round((box.bottom - 2) * scale), round((box.right - 8) * scale)])
        for box in heads
    ]
    assert len(set(seen[:6])) == len(set(seen[6:])) == 1
    assert (seen[0] != seen[6]) is differ
    assert "#{:02x}{:02x}{:02x}".format(*seen[0]) == load_colours()[0]


def test_two_series_have_two_colours() -> None:
    """A pack of cards A and B: their colours differ, also where only cards of B are printed."""
    cards = [
        Card(f"{'AB'[place % 2]}{place}", card.rows) for place, card in enumerate(PACK.cards())
    ]
    pack = Pack(cards)
    look = CardLook(1, colours="series")
    _, form = places(look, pack.serials)
    shades = []
    for place in (0, 1):
        (page,) = printed(some(pack, 1, place), look, code=str)
        box = Box.of(form.head)
        shades.append(int(page.cut(box)[-6, -10]))
    assert shades[0] != shades[1]


def luminance(colour: str) -> float:
    parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_black_is_read_on_every_colour() -> None:
    """Serials on a coloured head: contrast 12:1 at least, as the file of colours says; no two
    colours alike."""
    assert all((luminance(colour) + 0.05) / 0.05 >= 12 for colour in load_colours())
    assert len(set(load_colours())) == len(load_colours()) >= 6


@pytest.mark.parametrize(
    "text",
    ["colours = []", "colours = ['red']", "colours = [3]", "shades = 1", "colours = [", "\xff"],
)
def test_faulty_colours_are_refused(tmp_path: Path, text: str) -> None:
    """A file without colours, or with what is none, is named."""
    path = tmp_path / "colours.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(Unreadable, match=r"colours\.toml"):
        load_colours(path)
    assert load_colours(COLOURS)


def test_antique_cards_are_printed_as_they_are() -> None:
    """The book's first card, 5 above 2 and 76 above 74, keeps its order."""
    look = CardLook(1)
    pack = Pack([FIG_1])
    _, form = places(look, pack.serials)
    (page,) = printed(some(pack, 1), look, code=str)
    for (row, column), text in cells_of(FIG_1).items():
        assert page.inside(Box.of(form.cell(row, column))) == text
    assert list(page.codes) == ["7"]


def test_the_same_cards_are_the_same_bytes() -> None:
    """No hour and no luck is in a file: made twice it is equal, and with another look it is not."""
    first, second, other = (
        b"".join(print_cards(some(PACK, 8), CardLook(size=size))) for size in ("a4", "a4", "letter")
    )
    assert first == second != other


def test_many_pages_become_several_files() -> None:
    """Three files of two, two and one page, counted through; together they are all cards, once;
    progress goes to the end."""
    told: list[tuple[int, int]] = []
    deck = some(PACK, 30)
    look = CardLook(6)
    files = [
        *print_cards(
            deck, look, code=code, pages_per_file=2, progress=lambda *done: told.append(done)
        )
    ]
    pages = [page for pdf in files for page in read_pages(pdf)]
    assert [len(read_pages(pdf, draw=False)) for pdf in files] == [2, 2, 1]
    assert [text for page in pages for text in page.codes] == [*map(code, deck.serials)]
    assert [
        re.search(r"page(\d+)of5", "".join(letter for letter, _ in page.letters))[1]
        for page in pages
    ] == [*"12345"]
    assert told == [(page, 5) for page in range(1, 6)]


@given(text=st.from_regex(r"[0-9A-Za-z][0-9A-Za-z-]{0,31}", fullmatch=True))
def test_a_qr_path_is_the_symbol(text: str) -> None:
    """The rectangles cover the dark modules of the symbol, each once, and nothing else."""
    modules, path = qr_path(text)
    covered: list[tuple[int, int]] = []
    for x, y, length in re.findall(r"(\d+) (\d+) (\d+) 1 re ", path):
        covered += [(int(x) + step, modules - 1 - int(y)) for step in range(int(length))]
    symbol = segno.make_qr(text, error="m", mask=QR_MASK).matrix
    dark = {
        (column, row)
        for row, cells in enumerate(symbol)
        for column, cell in enumerate(cells)
        if cell
    }
    assert len(covered) == len(dark)
    assert set(covered) == dark


@pytest.mark.parametrize("per_page", FORMS)
def test_long_serials_and_titles_fit(per_page: int) -> None:
    """Whatever the serial, head, grid, QR and picture lie inside the card and apart; a title too
    long is refused, never cut."""
    texts = product(("0", "A000001-K7QX", "W" * 32), ("", TITLE, "W" * 25))
    for (serial, title), size, logo, qr, colours in product(
        texts, SIZES, (0, 0.5, 4), (True, False), ("none", "strip")
    ):
        look = CardLook(per_page, size, colours=colours, title=title, qr=qr)
        card, wide = sheet(look).cards[0], widest((serial,))
        try:
            form = face(card, look, wide, logo=logo)
        except Unreadable:
            # even the smallest type would not do
            assert text_width(title, SMALLEST) > 0.2 * card.width
            continue
        assert form.title.size >= SMALLEST or not title
        parts = [Box.of(part) for part in (form.head, form.grid, form.code) if part is not None]
        assert all(Box.of(card).holds(part, slack=0.01) for part in parts)
        assert overlaps(parts) == 0
        left, title_wide = form.serial.at[0], text_width(title, form.title.size)
        end = left + wide * form.serial.size
        start = form.title.at[0] - (title_wide if form.title.anchor == "end" else 0)
        assert end <= form.head.right - (0 if form.title.at[1] < form.serial.at[1] else title_wide)
        assert start >= (left if form.title.at[1] < form.serial.at[1] else end)
        assert start + title_wide <= form.head.right - (20 if colours == "strip" else 0)
        if form.logo is not None:
            words = Box(min(left, start), form.head.y, form.head.right, form.head.bottom)
            assert overlaps([Box.of(form.logo), words, *parts[1:]]) == overlaps([words, *parts[1:]])
            assert Box.of(card).holds(Box.of(form.logo), slack=0.01)


def test_a_strip_stays_together() -> None:
    """On a page of twelve a strip's cards stand one below the other: one cut parts two strips. One
    card alone lies lengthwise."""
    deck = some(PACK, 12)
    (page,) = printed(deck, CardLook(12))
    left = [round(page.codes[code(serial)].left, -1) for serial in deck.serials]
    top = [page.codes[code(serial)].top for serial in deck.serials]
    assert len(set(left[:6])) == len(set(left[6:])) == 1
    assert left[0] < left[6]
    assert top[:6] == sorted(top[:6])
    assert {many: sheet(CardLook(many)).width > sheet(CardLook(many)).height for many in FORMS} == {
        many: many == 1 for many in FORMS
    }


def test_a_short_code_is_the_smallest_symbol_with_the_strongest_correction() -> None:
    """21 modules and level H: what the mask and the settings of the maker must not change."""
    text = code(PACK.serials[0])
    assert len(text) == 10
    assert qr_path(text)[0] == 21
    (page,) = printed(some(PACK, 1), CardLook(1))
    (found,) = zxingcpp.read_barcodes(page.dots, formats=zxingcpp.BarcodeFormat.QRCode)
    assert (found.text, found.ec_level) == (text, "H")


def test_a_title_too_long_is_refused() -> None:
    """It is named before a page is made."""
    with pytest.raises(Unreadable, match="too long for the cards"):
        next(print_cards(some(PACK, 1), CardLook(12, title="word " * 60)))


@pytest.mark.parametrize("wrong", [{"per_page": 0}, {"per_page": 5}, {"size": "a3"}])
def test_a_form_that_there_is_not_is_refused(wrong) -> None:
    """The message lists those that there are."""
    with pytest.raises(Unreadable, match="there are"):
        CardLook(**wrong)


def test_no_cards_are_refused() -> None:
    """An empty deck is no empty file."""
    with pytest.raises(Unreadable, match="no cards"):
        next(print_cards(some(PACK, 0), CardLook()))


# -- the hall's picture ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "per_page", "shape"),
    [
        ("l.png", 6, (300, 300)),
        ("l.jpg", 12, (300, 300)),
        ("l.png", 1, (900, 90)),
        ("l.png", 6, (90, 270)),
    ],
)
def test_the_logo_stands_on_every_card(
    tmp_path: Path, name: str, per_page: int, shape: tuple[int, int]
) -> None:
    """A red picture is seen in its place on each card and nowhere else, in its own shape, whatever
    its file."""
    path = tmp_path / name
    Image.new("RGB", shape, (255, 0, 0)).save(path)
    look = CardLook(per_page, title=TITLE)
    page_form, form = places(look, logo=shape[0] / shape[1])
    (page,) = printed(some(PACK, per_page), look, logo=load_logo(path))
    dots = np.asarray(page.picture.convert("RGB")).astype(int)
    red = (dots[..., 0] > 200) & (dots[..., 1] < 60) & (dots[..., 2] < 60)
    scale = dots.shape[1] / page.width
    sides = []
    for area in page_form.cards:
        box = on_card(area, page_form, Box.of(form.logo))
        part = red[
            round(box.top * scale) : round(box.bottom * scale),
            round(box.left * scale) : round(box.right * scale),
        ]
        rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        sides.append((int(np.ptp(rows)), int(np.ptp(columns))))
    assert all(
        high / wide == pytest.approx(shape[1] / shape[0], rel=0.1) and high * wide > 900
        for high, wide in sides
    )
    assert red.sum() == pytest.approx(sum(high * wide for high, wide in sides), rel=0.1)


def test_a_large_logo_is_made_small(tmp_path: Path) -> None:
    """No more dots are kept than print needs, and its shape stays."""
    path = tmp_path / "logo.png"
    Image.new("1", (4000, 1000)).save(path)
    assert load_logo(path).size == (1200, 300)


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write_logo(path: Path, kind: str) -> None:
    match kind:
        case "text":
            path.write_text("no picture")
        case "svg":
            path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
        case "half":
            Image.effect_noise((200, 200), 50).save(path, "PNG")
            path.write_bytes(path.read_bytes()[:9000])
        case "bytes":
            with path.open("wb") as file:
                file.truncate(30_000_000)
        case "dots" | "warned" | "bomb":
            width, height = {
                "dots": (9000, 8000),
                "warned": (10000, 10000),
                "bomb": (20000, 18000),
            }[kind]
            head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
            path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b""))
        case "folder":
            path.mkdir()


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("missing", "No such file"),
        ("folder", "directory"),
        ("text", "not a PNG or JPEG"),
        ("svg", "not a PNG or JPEG"),
        ("half", "not a PNG or JPEG"),
        ("bytes", "more than 20 MB"),
        ("dots", "9000 x 8000 dots"),
        ("warned", "10000 x 10000 dots"),
        ("bomb", "save it"),
    ],
)
def test_a_logo_that_cannot_be_used_is_refused(tmp_path: Path, kind: str, why: str) -> None:
    """One sentence with the file's name, whatever stands in it, and no warning beside it."""
    path = tmp_path / "logo.png"
    write_logo(path, kind)
    with pytest.raises(Unreadable, match=why) as refused:
        load_logo(path)
    assert "logo.png" in str(refused.value)


# -- the sheet for calling without power -----------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_the_score_sheet_is_whole(language: str, size: str) -> None:
    """Ninety cavities counted in order, the board from 1 to 90, and the words of the language, all
    inside the paper."""
    wording = load_wording(language)
    one, other = read_pages(print_score(wording, "Hall 7", size, copies=2), draw=False)
    assert one.letters == other.letters
    assert (one.width, one.height) == pytest.approx(SIZES[size], abs=0.1)
    paper = Box(0, 0, *SIZES[size])
    assert all(paper.holds(box, slack=-20) for _, box in one.letters)
    assert overlaps([box for _, box in one.letters]) == 0
    figures = "".join(letter for letter, _ in one.letters if letter.isdecimal())
    assert figures.count("".join(map(str, range(1, KNOBS + 1)))) == 2
    if language != "hi":  # its letters are shaped, and set as pictures
        text = "".join(letter for letter, _ in one.letters)
        for key in (
            "calls",
            "game",
            "winners",
            "row",
            "two-rows",
            "full",
            "prize",
            "paper-name",
            "paper-signature",
        ):
            assert wording.screen[key].replace(" ", "") in text


def test_a_long_name_of_a_hall_leaves_the_title_alone() -> None:
    """The hall's name is set smaller where it would run into the heading."""
    (page,) = read_pages(
        print_score(load_wording("en"), "The Old School House of Upper Slaughter " * 2), draw=False
    )
    assert overlaps([box for _, box in page.letters]) == 0
