"""What is drawn for the ten-cavity board: shapes of digits and symbols, letters of many alphabets,
and how far it all reads."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

import drivers
from drivers import Cavity
from drivers.board.board import Lettering
from drivers.board.geometry import BOLD, GEOMETRIES, THIN, Digits
from drivers.board.matrix import Matrix
from drivers.board.picture import Ink, draw_board, symbols
from drivers.board.spi import photograph
from drivers.board.ws2812 import Ws2812
from drivers.simulated.board import RecordingBus, RecordingPixels
from tests.drivers.board_reader import FACES, cells, numbers

PROJECT = Path(drivers.__file__).resolve().parents[1]
BOARDS = pytest.mark.parametrize("geometry", GEOMETRIES.values(), ids=GEOMETRIES)


def lamps_apart(one, other):
    return sum(a != b for a, b in zip("".join(one), "".join(other), strict=True))


def rows_of(picture):
    return [
        "".join(".#"[picture.getpixel((x, y)) > 0] for x in range(picture.width))
        for y in range(picture.height)
    ]


@pytest.mark.parametrize("digits", [THIN, BOLD], ids=["thin", "bold"])
def test_one_dead_lamp_is_no_other_number(digits):
    """Any two digits differ in six lamps or more."""
    assert (
        min(lamps_apart(one, other) for one, other in itertools.combinations(digits.shapes, 2)) >= 6
    )


@pytest.mark.parametrize(("digits", "stem"), [(THIN, "#"), (BOLD, "##")], ids=["thin", "bold"])
def test_stems_are_as_strong_as_there_is_room(digits, stem):
    """Stems of one lamp in three columns, of two in five: no row of a digit has a thinner
    stroke."""
    for shape in digits.shapes:
        for row in shape:
            assert all(len(stroke) >= len(stem) for stroke in row.split(".") if stroke), shape


@pytest.mark.parametrize(
    ("name", "size", "high", "metres"),
    [
        ("80x16", (80, 16), 11, (4.4, 8.7)),
        ("160x16", (160, 16), 12, (7.3, 14.5)),
        ("two-rows", (80, 32), 12, (7.3, 14.5)),
    ],
)
def test_how_far_a_board_reads(name, size, high, metres):
    """All three shapes have narrow digits: 3 or 5 lamps wide. Their width of 12 or 20 mm is what a
    digit of 21.8 or 36.4 mm has that is 55 % as wide as high, and that is read from 200 times its
    height; with lamps twice as far apart, twice as far."""
    geometry = GEOMETRIES[name]
    assert (geometry.size, geometry.digits.height) == (size, high)
    assert (geometry.reading_distance_m(), geometry.reading_distance_m(8.0)) == metres


@BOARDS
def test_a_digit_of_usual_width_reads_by_its_height(geometry):
    """Where a digit is wide enough, its height alone says from how far it is read."""
    wide = Digits((("#" * 9,) * 12,), gap=2)
    assert replace(geometry, digits=wide).reading_distance_m() == 9.6


@BOARDS
def test_cavities_do_not_overlap(geometry):
    """The ten cavities fill the board, each lamp belongs to one."""
    width, height = geometry.size
    seen = [
        (geometry.corner(index)[0] + x, geometry.corner(index)[1] + y)
        for index in range(10)
        for x in range(geometry.cavity_width)
        for y in range(16)
    ]
    assert sorted(seen) == sorted(itertools.product(range(width), range(height)))
    assert (width, height) in FACES


@pytest.mark.long
@BOARDS
def test_symbols_are_told_apart(geometry):
    """Every picture differs from every other, and from every number, in ten lamps or more, and
    stays off the mark's rows."""
    drawn = {
        name: cells(rows_of(draw_board([Cavity(1, symbol=name)], geometry)))[0]
        for name in symbols()
    }
    assert len(drawn) >= 12
    faces = {
        number: cells(rows_of(draw_board([Cavity(number)], geometry)))[0] for number in range(1, 91)
    }
    assert all(
        lamps_apart(one, other) >= 10 for one, other in itertools.combinations(drawn.values(), 2)
    )
    assert all(lamps_apart(one, other) >= 10 for one in drawn.values() for other in faces.values())
    assert all(
        set("".join(cell[13:])) == {"."} and {row[-1] for row in cell} == {"."}
        for cell in drawn.values()
    )


@BOARDS
def test_a_symbol_has_its_state(geometry):
    """A picture is marked as a number is; one that nobody has drawn is shown as its number."""
    newest = cells(rows_of(draw_board([Cavity(9, newest=True, symbol="heart")], geometry)))[0]
    assert newest[14:] == ["#" * (geometry.cavity_width - 1) + "."] * 2
    unknown = draw_board([Cavity(9, symbol="hippogriff")], geometry)
    assert rows_of(unknown) == rows_of(draw_board([Cavity(9)], geometry))


def test_inks():
    """Each state has an ink of its own, and nothing else is drawn."""
    picture = draw_board([Cavity(1), Cavity(2, newest=True), Cavity(3, called=False)])
    found = [set(picture.crop((left, 0, left + 8, 16)).tobytes()) for left in range(0, 32, 8)]
    assert found == [
        {Ink.DARK, Ink.CALLED},
        {Ink.DARK, Ink.NEWEST},
        {Ink.DARK, Ink.WAITING},
        {Ink.DARK},
    ]


WORDS = {
    "English": "Next game",
    "Italian": "Cinquina, è vinta!",
    "French": "Carton plein à 15 €",
    "Spanish": "¡Línea! Mañana",
    "German": "Nächstes Spiel: Größe",
    "Portuguese": "Cartão cheio, prêmio",
    "Polish": "Żółć",
    "Russian": "Ёлка, ещё подъём",
}


@BOARDS
@pytest.mark.parametrize("text", WORDS.values(), ids=WORDS)
def test_letters_have_shapes(geometry, text):
    """Every letter of a language written in Latin or Cyrillic has a shape of its own, not the one
    of a missing letter."""
    lettering = Lettering(geometry)
    missing = lettering.strip("\N{CJK UNIFIED IDEOGRAPH-4E2D}")
    shapes = {letter: lettering.strip(letter).tobytes() for letter in text if letter != " "}
    assert missing.tobytes() == lettering.strip("\N{EM DASH}").tobytes()
    assert missing.tobytes() not in shapes.values()
    assert len(set(shapes.values())) == len(shapes)


def test_a_word_without_letters_is_a_dash():
    """Of a script that the font does not have no empty boxes are shown: a dash stands for the word,
    the others stay."""
    lettering = Lettering(GEOMETRIES["80x16"])
    gujarati = "\N{GUJARATI LETTER KA}\N{GUJARATI VOWEL SIGN AA}"
    assert lettering.strip(f"{gujarati} 15").tobytes() == lettering.strip("— 15").tobytes()


HINDI = ("फुल हाउस", "दो लाइनें", "ऊँ की ईंटें", "टिकट", "हिन्दी में")


@BOARDS
@pytest.mark.parametrize("text", HINDI)
def test_hindi(geometry, text):
    """Devanagari has its room above and below: not one lamp of it is cut off; Latin letters and
    figures stand beside it."""
    lettering = Lettering(geometry)
    shown = lettering.strip(text)
    font = Path(drivers.__file__).parent / "board" / "fonts" / "devanagari.ttf"
    paper = Image.new("1", (300, 100))
    draw = ImageDraw.Draw(paper)
    draw.fontmode = "1"
    size = {16: 12, 32: 22}[geometry.size[1]]
    draw.text((20, 50), text, fill=1, font=ImageFont.truetype(str(font), size), anchor="ls")
    lit = sum(map(int.bit_count, paper.tobytes()))
    assert sum(map(bool, shown.tobytes())) == lit
    assert lettering.strip(f"{text} 15").width > shown.width + lettering.strip("15").width


def test_hindi_letters_are_joined():
    """The bar over a word has no gap: the letters were shaped, not only set side by side."""
    lettering = Lettering(GEOMETRIES["80x16"])
    rows = [row.strip(".") for row in rows_of(lettering.strip(HINDI[3]))]
    assert any(set(row) == {"#"} and len(row) > 20 for row in rows)


def test_a_font_of_the_halls_own():
    """A hall may name a font; its letters are shown."""
    own = str(Path(drivers.__file__).parent / "board" / "fonts" / "led.ttf")
    assert (
        Lettering(GEOMETRIES["80x16"], own).strip("Ok").tobytes()
        == Lettering(GEOMETRIES["80x16"]).strip("Ok").tobytes()
    )


@BOARDS
def test_a_text_goes_all_the_way(geometry):
    """A running text begins and ends with a dark board; in between each of its columns passes every
    place that no bar hides, and none is behind a bar."""
    lettering = Lettering(geometry)
    text = "Welcome to the village hall of Saint Martin"
    strip, count = rows_of(lettering.strip(text)), lettering.frames(text)
    seen = [column for column in range(geometry.size[0]) if column not in geometry.bars]

    def behind_the_plate(column):
        rows = rows_of(lettering.frame(text, column))
        assert {row[bar] for row in rows for bar in geometry.bars} <= {"."}
        assert {len(row) for row in rows} == {geometry.size[0]}
        return ["".join(row[column] for column in seen) for row in rows]

    assert count == len(strip[0]) + len(seen)
    assert not lettering.frame(text, 0).getbbox()
    assert behind_the_plate(len(seen)) == [row[: len(seen)] for row in strip]
    assert lettering.frame(text, count + 40).tobytes() == lettering.frame(text, 40).tobytes()
    assert behind_the_plate(count - 1) == [row[-1] + "." * (len(seen) - 1) for row in strip]


@pytest.mark.parametrize(
    "text", ["", "   ", "\n", "A" * 5000], ids=["nothing", "blanks", "a line's end", "very long"]
)
def test_texts_that_nobody_meant(text):
    """Nothing, blanks and far too much are shown as far as they can be."""
    lettering = Lettering(GEOMETRIES["two-rows"])
    assert lettering.frame(text, 3).size == (80, 32)
    assert lettering.strip(text).width < 200 * 20


@BOARDS
@pytest.mark.parametrize("kind", [Matrix, Ws2812])
def test_the_preview_shows_lit_lamps(kind, geometry):
    """A preview has a bright lamp where the board has one, and a dark one elsewhere: it comes from
    the bytes for the bus."""
    shown = [Cavity(13), Cavity(30, newest=True)]
    image = kind(geometry=geometry.name).preview(shown, bare=True)
    width, height = geometry.size
    pitch = image.width // (width + 1)
    lit = [
        [
            "#" if max(image.getpixel(((x + 1) * pitch, (y + 1) * pitch))) > 90 else "."
            for x in range(width)
        ]
        for y in range(height)
    ]
    assert numbers(["".join(row) for row in lit]) == ([13, 30], 30)
    dark = photograph(RecordingBus(size=geometry.size).lamps(), geometry)
    assert max(dark.getpixel((pitch, pitch))) < 64


def test_the_document_says_what_is_so():
    """The table of docs/board.md has each shape's lamps, modules, digits and reading distances."""
    text = (PROJECT / "docs" / "board.md").read_text(encoding="utf-8")
    for name, geometry in GEOMETRIES.items():
        (width, height), digits = geometry.size, geometry.digits
        stems = "1 lamp" if digits is THIN else "2 lamps"
        cells = [
            f"`{name}`",
            f"{width} × {height}",
            str(width * height // 64),
            f"{digits.width} × {digits.height}",
            stems,
            f"{geometry.number_gap} : {digits.gap}",
            f"{len(geometry.bars)} bars" if geometry.barred else "none",
        ]
        for pitch in (4.0, 10.0):
            digit = f"{digits.width * pitch:g} × {digits.height * pitch:g} mm"
            cells += [digit, f"{geometry.reading_distance_m(pitch):g} m"]
        assert f"| {' | '.join(cells)} |" in text
    assert all(name in text for name in symbols())


@pytest.mark.parametrize("bus", [RecordingBus(), RecordingPixels()], ids=["chips", "lamps"])
def test_a_board_is_painted_anew_where_its_chips_hold_something_else(bus: Any) -> None:
    """The bench looks twenty times a second at a board that rests."""
    bus.power_cut()
    dark = bus.painting()
    assert bus.painting() is dark
    assert set("".join(dark[0])) == {"."}
    if isinstance(bus, RecordingBus):
        bus.glitch(register=0x0C, value=1)  # awake
        bus.glitch(register=0x01, value=0xFF)
    else:
        bus.glitch()
    lit = bus.painting()
    assert set("".join(lit[0])) == {".", "#"}
    bus.power_cut()
    assert bus.painting() == dark
