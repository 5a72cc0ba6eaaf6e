"""Themes of Picture Loto: those that ship are whole, true and no two pictures alike; every fault is
named at its place."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
import unicodedata
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw
from typer.testing import CliRunner

from drivers.voice.names import MOST_KEPT, MOST_LETTERS
from station.base.errors import SettingsError, Unreadable
from station.commands.app import app
from station.programme.themes import (
    FILE,
    LONGEST_SPOKEN,
    SHIPPED,
    cached_theme,
    check,
    letters,
    load_theme,
    picture_name,
    read_theme,
    shipped,
    theme_folder,
)
from station.programme.themes.pictures import (
    COLOURS,
    LARGEST,
    SHAPE_BITS,
    SMALLEST,
    check_pictures,
    look,
)

PAGE = Path(__file__).parents[2] / "docs" / "themes.md"
THEMES = {key: load_theme(key) for key in shipped()}
NUMBERS = range(1, 91)
LANGUAGES = ("en", "it", "fr", "es", "de", "nl", "pt", "ru", "hi")


@cache
def pictures(key: str) -> dict[int, Image.Image]:
    """A theme's pictures on white paper."""
    found = {}
    for number, entry in THEMES[key].entries.items():
        with Image.open(entry.picture) as picture:
            ink = picture.convert("RGBA")
        found[number] = Image.alpha_composite(Image.new("RGBA", ink.size, "white"), ink).convert(
            "RGB"
        )
    return found


# -- the five that ship ----------------------------------------------------------------------------


def test_the_five_of_the_book_ship():
    """Picture, Botanical, Spelling, Geographical and Historical Loto."""
    assert set(THEMES) == {"picture", "botanical", "spelling", "geographical", "historical"}


@pytest.mark.parametrize("key", THEMES)
def test_a_theme_is_whole(key):
    """Ninety entries, a name in each of nine languages, no two names alike in one language, and
    the pictures on the disk."""
    theme = THEMES[key]
    assert [*theme.entries] == [*NUMBERS]
    assert theme.languages == LANGUAGES
    assert set(theme.names) == set(LANGUAGES)
    for language in LANGUAGES:
        assert len({theme.name(number, language).casefold() for number in NUMBERS}) == 90
    assert {path.name for path in (SHIPPED / key).glob("*.png")} == {
        picture_name(number) for number in NUMBERS
    }


@pytest.mark.long
@pytest.mark.parametrize("key", THEMES)
def test_its_pictures_are_good_and_unlike(key):
    """No fault by the check; by a second, plainer measure no two nearly the same; something is on
    each; one size for all."""
    theme = THEMES[key]
    assert check_pictures(SHIPPED / key, theme) == ()
    small = {}
    for number, picture in pictures(key).items():
        assert picture.size == (160, 160)
        ink = np.asarray(picture.convert("L")) < 240
        assert ink.mean() > 0.08, f"{key} {number} is nearly empty"
        small[number] = np.asarray(picture.resize((16, 16), Image.Resampling.BOX), dtype=float)
    nearest = min(np.abs(small[one] - small[other]).mean() for one, other in combinations(small, 2))
    assert nearest > 4


def test_all_pictures_together_are_light():
    """The station goes over the air to halls: the pictures of all themes are below three million
    bytes."""
    assert sum(path.stat().st_size for path in SHIPPED.glob("*/*.png")) < 3_000_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_spelling_says_the_letters_of_the_word(language):
    """Put together again they are the word, and each is one capital."""
    theme = THEMES["spelling"]
    for number in NUMBERS:
        line = theme.line(number, language).split(", ")
        assert "".join(line).lower() == theme.name(number, language).lower()
        if language != "hi":  # which has no capitals
            assert all(len(letter) == 1 or letter == "IJ" for letter in line)
            assert all(letter.isupper() or letter == "ß" for letter in line)
        assert theme.spoken(number, language).endswith(f": {', '.join(line)}")


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("boat", "BOAT"), ("été", "ÉTÉ"), ("e\u0301te\u0301", "ÉTÉ"), ("Fuß", "FUß")],
)
def test_a_letter_keeps_its_accent(word, wanted):
    """Also where it was typed as a letter and an accent; one that has no capital is not made
    two."""
    assert letters(word) == tuple(wanted)


@pytest.mark.parametrize(
    ("word", "language", "wanted"),
    [
        ("wijn", "nl", "W IJ N"),
        ("ijs", "nl", "IJ S"),
        ("wijn", "de", "W I J N"),
        ("किताब", "hi", "कि ता ब"),
        ("मक्खन", "hi", "म क्ख न"),
        ("पेड़", "hi", "पे ड़"),
        ("ёж", "ru", "Ё Ж"),
    ],
)
def test_letters_are_those_of_the_language(word, language, wanted):
    """Dutch ij is one; in Hindi a sign stands with its letter, and joined letters stay joined."""
    assert letters(word, language) == tuple(unicodedata.normalize("NFC", wanted).split(" "))


# How the data set spells what English has another way for, too.
SPELT_THERE = {
    "Reykjavik": "Reykjavík",
    "Ulan Bator": "Ulaanbaatar",
    "Washington D.C.": "Washington",
}
CAPITAL_OF = {
    "en": r"the capital of .+",
    "it": r"la capitale d.+",
    "fr": r"la capitale d.+",
    "es": r"la capital del? .+",
    "de": r"die Hauptstadt (von|der|des) .+",
    "nl": r"de hoofdstad van .+",
    "pt": r"a capital d(e|a|o|as|os) .+",
    "ru": r"столица страны .+",
    "hi": r".+ की राजधानी",
}


def test_every_capital_has_its_country_and_a_source():
    """The line names a country; the flag is that of the country in the source, and so is the
    capital; no country twice."""
    theme = THEMES["geographical"]
    flags = set()
    for number, entry in theme.entries.items():
        for language, says in CAPITAL_OF.items():
            assert re.fullmatch(says, theme.line(number, language))
        source = re.fullmatch(r"world-countries 5\.1\.0, ([A-Z]{2}): (.+)", entry.source)
        flag = re.fullmatch(r"twemoji:(1f1[ef][0-9a-f])-(1f1[ef][0-9a-f])", entry.art)
        assert source, entry.source
        assert flag, entry.art
        assert (
            "".join(chr(int(point, 16) - 0x1F1E6 + ord("A")) for point in flag.groups())
            == source[1]
        )
        assert SPELT_THERE.get(source[2], source[2]) == theme.name(number, "en")
        flags.add(entry.art)
    assert len(flags) == 90


# What stands left, middle and right on a flag, halfway up: red, green, blue, white, yellow, k for
# black.
FLAGS = {
    "Rome": "gwr",
    "Paris": "bwr",
    "Brussels": "kyr",
    "Bucharest": "byr",
    "Lima": "rwr",
    "Abuja": "gwg",
    "Tokyo": "wrw",
    "Dhaka": "grg",
    "Ankara": "rrr",
    "Berlin": "rrr",
    "Vienna": "www",
    "Kingston": "kyk",
    "Ottawa": "rrr",
}
PAINTS = {
    "r": (215, 30, 40),
    "g": (20, 125, 75),
    "b": (10, 50, 140),
    "w": (240, 240, 240),
    "y": (250, 205, 30),
    "k": (15, 15, 15),
}


def paint(colour: tuple[int, ...]) -> str:
    """The nearest of six paints."""
    return min(
        PAINTS,
        key=lambda name: sum((a - b) ** 2 for a, b in zip(PAINTS[name], colour, strict=True)),
    )


@pytest.mark.parametrize("city", FLAGS)
def test_a_capital_stands_under_its_own_flag(city):
    """The paints of the flag, left, middle and right: no picture has slipped to its neighbour."""
    theme = THEMES["geographical"]
    number = next(number for number in NUMBERS if theme.name(number, "en") == city)
    flag = pictures("geographical")[number]
    assert "".join(paint(flag.getpixel((x, 80))) for x in (16, 80, 144)) == FLAGS[city]


def test_every_source_is_one_that_was_opened():
    """The page lists the works; no entry names another, and none is listed for nothing."""
    section = PAGE.read_text(encoding="utf-8").partition("## The facts")[2].partition("\n## ")[0]
    entries = (
        entry
        for key in ("botanical", "geographical", "historical")
        for entry in THEMES[key].entries.values()
    )
    used = {entry.source.partition(",")[0] for entry in entries}
    assert used == set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE))


# Words that another language writes as English does, by theme; a name that was forgotten to be
# translated would be one more.
ALIKE = {
    "picture": (
        "biscuit bus chocolate crocodile hammer ladder lion locomotive octopus pizza ring rucksack"
        " tent tiger tractor wolf"
    ),
    "botanical": (
        "agave aubergine avocado banana broccoli ginkgo hibiscus hop lotus mango melon monstera"
        " olive orange papyrus rose saguaro"
    ),
    "spelling": (
        "ball banjo bed butter dragon envelope giraffe hand llama magnet otter palette pen printer"
        " radio rat robot saxophone scorpion taxi zebra"
    ),
    "historical": "Magna-Carta",
}


@pytest.mark.parametrize("key", ALIKE)
def test_no_word_was_left_untranslated(key):
    """Words that are the same as in English are those of the list: each is right in both.
    (Capitals are names.)"""
    theme = THEMES[key]
    same = set()
    for number in NUMBERS:
        english = theme.name(number, "en")
        others = {theme.name(number, language).casefold() for language in LANGUAGES[1:]}
        same |= {english.replace(" ", "-")} if english.casefold() in others else set()
    assert same == set(ALIKE[key].split())


@pytest.mark.parametrize("key", THEMES)
def test_what_is_said_can_be_made(key):
    """The voice makes no clip of a longer text than this, and so many of them are kept."""
    theme = THEMES[key]
    assert LONGEST_SPOKEN + len(".") == MOST_LETTERS
    for language in LANGUAGES:
        spoken = [theme.spoken(number, language) for number in NUMBERS]
        assert len(set(spoken)) == 90 < MOST_KEPT
        assert all(0 < len(text) <= LONGEST_SPOKEN for text in spoken)
        assert all(text[0] == text[0].upper() for text in spoken)
    assert theme.has("hi")
    assert not theme.has("eo")


LATIN = r"[A-Z][a-z]+ [a-z-]+( [a-z]+)?"


def test_every_plant_has_its_latin_name_and_a_source():
    """It is the line that is said, the same in every language; a plant whose Latin name stands for
    its own, too, is said once."""
    theme = THEMES["botanical"]
    for number, entry in theme.entries.items():
        (latin,) = set(entry.says.values())
        assert re.fullmatch(LATIN, latin)
        assert latin in entry.source or latin.partition(" ")[0] in entry.source
        for language in LANGUAGES:
            assert theme.spoken(number, language).count(latin) == 1
    assert theme.spoken(55, "en") == "Pedunculate oak, Quercus robur"
    assert theme.spoken(55, "hi") == "Quercus robur"


def test_only_a_language_that_was_not_sure_of_a_name_has_the_latin_one():
    """That is Hindi, of plants that do not grow there; no plant stands in a pot."""
    theme = THEMES["botanical"]
    bare = {
        language
        for number in NUMBERS
        for language in LANGUAGES
        if theme.name(number, language) == theme.line(number, language)
    }
    assert bare == {"hi"}


def test_every_event_has_its_year_and_a_source():
    """The same year in every language and in the picture; in the order of time, no year twice."""
    theme = THEMES["historical"]
    years = []
    for number, entry in theme.entries.items():
        year = entry.art.split(":")[1]
        assert {
            re.search(r"\d+", theme.line(number, language)).group() for language in LANGUAGES
        } == {year}
        assert len(entry.source) > 8
        years.append(int(year))
    assert all(before < after for before, after in pairwise(years))


KNOWN = {
    "Magna Carta": 1215,
    "Columbus reaches America": 1492,
    "Great Fire of London": 1666,
    "Storming of the Bastille": 1789,
    "Battle of Waterloo": 1815,
    "Sinking of the Titanic": 1912,
    "First people on the Moon": 1969,
    "Fall of the Berlin Wall": 1989,
}


@pytest.mark.parametrize("event", KNOWN)
def test_a_year_is_right(event):
    """Written down a second time, apart from the theme."""
    theme = THEMES["historical"]
    number = next(number for number in NUMBERS if theme.name(number, "en") == event)
    assert theme.line(number, "en") == f"in {KNOWN[event]}"


@pytest.mark.parametrize("key", THEMES)
def test_whose_the_pictures_are_is_said(key):
    """Each kind of drawing that a theme uses stands in its credits, and its licence beside the
    themes."""
    theme = THEMES[key]
    kinds = {
        re.sub(r"year:\d+:", "", entry.art).partition(":")[0] for entry in theme.entries.values()
    }
    assert kinds <= {"twemoji", "game-icons", "own"}
    told = " ".join(theme.credits).lower()
    for kind in kinds - {"own"}:
        assert kind in told
        assert "Creative Commons" in (SHIPPED / f"LICENSE-{kind}.txt").read_text(encoding="utf-8")
    assert len(theme.credits) == len(kinds - {"own"})


def test_another_language_hears_the_first():
    """A hall whose language a theme has not is given the theme's first."""
    assert THEMES["picture"].spoken(1, "eo") == "Dog"


# -- looking alike ---------------------------------------------------------------------------------


AGAIN: dict[str, Callable[[Image.Image], Image.Image]] = {
    "smaller": lambda picture: picture.resize((128, 128), Image.Resampling.LANCZOS),
    "larger": lambda picture: picture.resize((256, 256), Image.Resampling.BICUBIC),
    "moved": lambda picture: ImageChops.offset(picture, 1, 1),
    "few colours": lambda picture: picture.quantize(32).convert("RGB"),
    "paler": lambda picture: picture.point([round(20 + value * 0.92) for value in range(256)] * 3),
}


@pytest.mark.long
@pytest.mark.parametrize("key", THEMES)
@pytest.mark.parametrize("how", AGAIN)
def test_the_same_picture_is_found_again(key, how):
    """Another size, a pixel aside, fewer or paler colours: of nine pictures eight at the least are
    still taken for themselves."""
    found = [
        look(picture).is_like(look(AGAIN[how](picture)))
        for picture in [*pictures(key).values()][::10]
    ]
    assert sum(found) >= 8, found


def test_shape_or_colour_tells_two_apart():
    """A red disc is not a blue one, nor a red square; the same disc is."""

    def drawn(shape: str, colour: str) -> Image.Image:
        picture = Image.new("RGBA", (160, 160))
        getattr(ImageDraw.Draw(picture), shape)((20, 20, 139, 139), fill=colour)
        return picture

    disc = look(drawn("ellipse", "red"))
    assert disc.is_like(look(drawn("ellipse", "red")))
    assert not disc.is_like(look(drawn("ellipse", "blue")))
    striped = drawn("rectangle", "red")
    ImageDraw.Draw(striped).rectangle((60, 20, 100, 139), fill="black")
    assert not disc.is_like(look(striped))
    assert disc.apart(look(drawn("ellipse", "red"))) == (0, 0.0)


# -- faults of words -------------------------------------------------------------------------------

GOOD = read_theme(SHIPPED / "geographical")
NAME = dict.fromkeys(LANGUAGES, "x")


def changed(edit: Callable[[dict[str, Any]], Any], base: Any = GOOD) -> dict[str, Any]:
    data = deepcopy(dict(base))
    edit(data)
    return data


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """An edit: the last of these under all those before it."""

    def edit(data: dict[str, Any]) -> None:
        inner: Any = data
        for step in path[:-2]:
            inner = inner[step]
        inner[path[-2]] = path[-1]

    return edit


def drop(*path: str) -> Callable[[dict[str, Any]], None]:
    """An edit: this is taken away."""

    def edit(data: dict[str, Any]) -> None:
        inner: Any = data
        for step in path[:-1]:
            inner = inner[step]
        del inner[path[-1]]

    return edit


FAULTS = {
    "languages: write the codes": drop("languages"),
    "languages: write the codes of its languages, each once": put("languages", ["en", "en"]),
    "languages: write the codes of": put("languages", "en"),
    "languages: write the": put("languages", ["English"]),
    "languages: write": put("languages", []),
    "name: is missing; write name = { en": drop("name"),
    "name: is no table": put("name", "Capitals"),
    "name, fr: is missing": drop("name", "fr"),
    "name, eo: is none of the theme's languages": put("name", "eo", "Ĉefurboj"),
    "title: there is no such setting here; there are name, languages": put("title", "x"),
    "facts: write true or false": put("facts", "no"),
    "credits: write a list": put("credits", "me"),
    "credits: write a": put("credits", [1]),
    "board: write left, top, right and bottom": put("board", [12, 8, 148]),
    "board: write left, top, right and": put("board", [12, 8, 12, 104]),
    "board: write left, top, right": put("board", [12, 104, 148, 104]),
    "board: write left, top,": put("board", [-1, 8, 148, 104]),
    "board: write left, top": put("board", [12, 8, 148, 513]),
    "board: write left,": put("board", [12, False, 148, 104]),
    "board: write left": put("board", "all"),
    "entries: there are 89 of 90; missing: 12": drop("entries", "12"),
    "entries: there are none; write 90": put("entries", {}),
    "entries: there are none": put("entries", 5),
    "entries: “91” is no number of a knob": put("entries", "91", {"name": NAME}),
    "entries: “07” is no number of a knob": put("entries", "07", {"name": NAME}),
    "entry 7: a table stands here, as in [entries.7]": put("entries", "7", "Dublin"),
    "entry 7 (Dublin), colour: there is no such setting": put("entries", "7", "colour", "green"),
    "entry 7 (Dublin), name, it: is missing": drop("entries", "7", "name", "it"),
    "entry 7 (Dublin), name, it: write words in quotation marks": put(
        "entries", "7", "name", "it", " Dublino"
    ),
    "entry 7 (Dublin), name, it: write words": put("entries", "7", "name", "it", 5),
    "entry 7 (Dublin), name, it: it has 61 characters; 60 is the most": put(
        "entries", "7", "name", "it", "x" * 61
    ),
    "entry 7 (Dublin), say: is missing; write say = { en": drop("entries", "7", "say"),
    "entry 7 (Dublin), say, fr: write words": put("entries", "7", "say", "fr", "a\nb"),
    "entry 7 (Dublin), source: is missing; say where": drop("entries", "7", "source"),
    "entry 7 (Dublin), source: write words": put("entries", "7", "source", ""),
    "entry 7 (Dublin), art: write words": put("entries", "7", "art", 5),
    "entry 7, name, it: “PARIGI” stands at entry 1 too": put(
        "entries", "7", "name", "it", "PARIGI"
    ),
    "entry 7, say, en: “the capital of Italy” stands at entry 2 too": put(
        "entries", "7", "say", "en", "the capital of Italy"
    ),
}


@pytest.mark.parametrize("wanted", FAULTS)
def test_a_fault_of_words_is_named_at_its_place(wanted):
    """One fault, one sentence, beginning with where it is; no theme is made."""
    theme, faults = check(changed(FAULTS[wanted]), Path("mine"))
    assert theme is None
    (fault,) = map(str, faults)
    assert fault.startswith(wanted), fault


def test_a_word_that_cannot_be_spelt_is_refused():
    """A blank, a hyphen or a digit is no letter; nor is a line said beside the letters."""
    spelling = read_theme(SHIPPED / "spelling")
    for word in ("ice cream", "yo-yo", "k9"):
        _, (fault,) = check(
            changed(put("entries", "3", "name", "en", word), spelling), Path("mine")
        )
        assert (
            str(fault)
            == f"entry 3 ({word}), name, en: “{word}” has more in it than letters; it cannot be"
            " spelt"
        )
    _, (fault,) = check(changed(put("entries", "3", "say", NAME), spelling), Path("mine"))
    assert fault.place == "entry 3 (star), say"


def test_what_is_too_long_to_be_said_is_refused():
    """A name and a line that go by themselves, and together do not; a word of more letters than are
    spelt in six seconds."""
    name, line = "x" * 40, "y" * 38
    long = changed(
        put("entries", "7", "say", "fr", line), changed(put("entries", "7", "name", "fr", name))
    )
    _, (fault,) = check(long, Path("mine"))
    assert str(fault).startswith(
        "entry 7 (Dublin), fr: what is said has 80 characters; 79 is the most"
    )
    assert check(changed(put("entries", "7", "name", "fr", name[1:]), long), Path("mine"))[1] == ()
    spelling = read_theme(SHIPPED / "spelling")
    _, (fault,) = check(
        changed(put("entries", "3", "name", "en", "watermelons"), spelling), Path("mine")
    )
    assert (
        str(fault)
        == "entry 3 (watermelons), name, en: “watermelons” has 11 letters; 10 is the most that is"
        " spelt"
    )


def test_all_faults_are_told_at_once():
    """Three faults of words, three sentences, in the order of the file."""
    data = changed(drop("entries", "90"))
    del data["entries"]["5"]["source"]
    del data["name"]["it"]
    _, faults = check(data, Path("mine"))
    assert [fault.place for fault in faults] == ["name, it", "entries", "entry 5 (Lisbon), source"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["name", "languages", "entries", "say", "1", "en", "it", "spelt", "credits"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_stands_there_is_answered(data):
    """No file makes the check stumble: it says at least one sentence."""
    given_ = (
        data
        if isinstance(data, dict)
        else {"languages": ["en"], "name": {"en": "x"}, "entries": data}
    )
    theme, faults = check(given_, Path("mine"))
    assert theme is None
    assert faults


# -- faults of pictures ----------------------------------------------------------------------------


@pytest.fixture
def mine(tmp_path):
    """A copy of a theme that ships, to be spoilt."""
    return Path(shutil.copytree(SHIPPED / "picture", tmp_path / "mine"))


def blank(width: int, height: int) -> Callable[[Path], None]:
    """Spoils a picture: one of this size is put in its place."""
    return lambda path: Image.new("RGB", (width, height), "teal").save(path)


def as_jpeg(path: Path) -> None:
    with Image.open(path) as picture:
        flat = picture.convert("RGBA").convert("RGB")
    flat.save(path, "JPEG")


SPOILT = {
    "there is no picture 07.png": Path.unlink,
    "07.png is no PNG file": as_jpeg,
    "07.png is no PNG": lambda path: path.write_text("a goat", encoding="utf-8"),
    "07.png is no": lambda path: path.write_bytes(b""),
    "07.png cannot be read: ": lambda path: path.write_bytes(path.read_bytes()[:900]),
    f"07.png is 160 × 150; a picture is square, {SMALLEST} to {LARGEST}": blank(160, 150),
    "07.png is 127 × 127; ": blank(127, 127),
    "07.png is 513 × 513; ": blank(513, 513),
    "07.png is 128 pixels a side; the others are 160": blank(128, 128),
    "07.png has 1,000,001 bytes; 1,000,000 is the most": lambda path: path.write_bytes(
        bytes(1_000_001)
    ),
    "its picture looks like that of entry 3 (horse): 0 of 128": lambda path: shutil.copy(
        path.with_name("03.png"), path
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("wanted", SPOILT)
def test_a_fault_of_a_picture_is_named_at_its_entry(mine, wanted):
    """One spoilt picture, one sentence, with the entry's number and name."""
    SPOILT[wanted](mine / "07.png")
    (fault,) = check_pictures(mine, THEMES["picture"])
    assert str(fault).startswith(f"entry 7 (goat): {wanted}"), fault


def test_a_theme_is_not_loaded_without_a_picture(mine):
    """Whoever plays it is told before the game, not at the call."""
    (mine / "07.png").unlink()
    (mine / "90.png").unlink()
    with pytest.raises(SettingsError) as error:
        load_theme(mine)
    assert error.value.faults == (
        "entry 7 (goat): there is no picture 07.png",
        "entry 90 (fireworks): there is no picture 90.png",
    )


def test_a_file_that_is_no_toml_is_unreadable(mine):
    """With its name and the place in it."""
    (mine / FILE).write_text("name = [1 2]", encoding="utf-8")
    with pytest.raises(Unreadable, match=r"theme\.toml.*line 1"):
        load_theme(mine)
    (mine / FILE).unlink()
    with pytest.raises(Unreadable, match=r"mine: there is no theme\.toml in it"):
        load_theme(mine)


def test_a_theme_is_found_by_name_or_folder(mine):
    """A folder of one's own, one that ships, and a name that nobody knows."""
    assert load_theme(mine).key == "mine"
    assert theme_folder("picture") == SHIPPED / "picture"
    assert cached_theme("picture") is cached_theme("picture")
    assert cached_theme(str(mine)).key == "mine"
    with pytest.raises(SettingsError, match="botanical, geographical"):
        theme_folder("astronomical")


# -- the commands and the page ---------------------------------------------------------------------


def loto(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["theme", *words])
    return (
        (2, str(done.exception))
        if isinstance(done.exception, SettingsError)
        else (done.exit_code, done.stdout)
    )


@pytest.mark.long
@pytest.mark.parametrize("key", THEMES)
def test_the_command_finds_no_fault(key):
    """0, and what the ten-cavity board shows of it."""
    code, text = loto("check", key)
    assert code == 0
    assert f"90 entries in {', '.join(LANGUAGES)}, no faults" in text
    count = json.loads(loto("check", key, "--json")[1])["on_board"]
    assert (f"shows {count} of the pictures" in text) == (count > 0) == (key != "geographical")
    assert ("shows its numbers" in text) == (count == 0)


def test_the_command_names_faults_of_words_and_pictures_together(mine):
    """2; also as JSON, with places."""
    text = (mine / FILE).read_text(encoding="utf-8")
    (mine / FILE).write_text(text.replace('en = "dog", ', ""), encoding="utf-8")
    (mine / "02.png").unlink()
    code, said = loto("check", str(mine))
    assert code == 2
    assert said.splitlines()[1:] == [
        "  - entry 1, name, en: is missing",
        "  - entry 2: there is no picture 02.png",
    ]
    code, said = loto("check", str(mine), "--json")
    assert code == 2
    assert [fault["place"] for fault in json.loads(said)["faults"]] == [
        "entry 1, name, en",
        "entry 2",
    ]


def test_the_command_lists_what_ships():
    """By name, for people and for programs."""
    code, text = loto("list")
    assert code == 0
    assert [line.split()[0] for line in text.splitlines()] == [*shipped()]
    assert [theme["key"] for theme in json.loads(loto("list", "--json")[1])] == [*shipped()]


def test_the_page_is_right():
    """docs/themes.md shows each theme, says the thresholds that hold, and its example has no fault
    but what is not there."""
    text = PAGE.read_text(encoding="utf-8")
    for key in shipped():
        assert f"pictures/theme-{key}.png" in text
        assert (PAGE.parent / "pictures" / f"theme-{key}.png").is_file()
    assert f"at most {SHAPE_BITS} of 128" in text
    assert f"at most {COLOURS:.0f} of 255" in text
    assert f"{SMALLEST} to {LARGEST} pixels" in text
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    _, faults = check(tomllib.loads(example), Path("mine"))
    assert [fault.place for fault in faults] == ["entries"]
