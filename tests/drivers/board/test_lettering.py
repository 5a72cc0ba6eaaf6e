"""A text that is longer than the board, page by page: each page is written once, and nothing
of it is lost."""

import numpy as np
import pytest

from drivers.board.board import COLUMNS_PER_S, PAGE_S, RUNS, Lettering
from drivers.board.geometry import GEOMETRIES, find_geometry
from tests.drivers.clockwork import HandClock
from tests.drivers.wall import Wall

TEXTS = [
    "Next game: Saturday special, and a very large prize",
    "Kaffeekränzchenabend der Freiwilligen Feuerwehr Unterpfaffenhofen",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "Двадцать два билета на следующую игру, по одному фунту каждый",
    "अगला खेल एक पंक्ति के लिए है और उसके बाद पूरा घर",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f",
    "£2.00 a card, 90 cards sold, carried over from last week: £180.00",
    "word " * 30,
    "x" * 90,
    "the end of it is a long-hyphenated-compound-word-that-does-not-fit",
    "and-a-long-compound-at-the-beginning is followed by short ones",
]


@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("text", TEXTS)
def test_the_pages_of_a_text_have_all_of_it(geometry, text):
    """Each word stands whole on one page, in order; one that has no room on the board comes piece
    by piece, each of its columns once."""
    lettering, told, lit = Lettering(find_geometry(geometry)), [], 0
    for line, column in lettering.pages(text):
        picture = np.asarray(lettering.frame(line, column))
        assert picture.any()
        if lettering.runs(line):
            lit += np.count_nonzero(picture)
            if told[-1:] == [line]:
                continue
        told += line.split()
    assert told == text.split()
    long = [word for word in told if lettering.runs(word)]
    assert lit == sum(np.count_nonzero(np.asarray(lettering.strip(word))) for word in long)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_stands_for_long_turns_its_pages(text):
    """It runs through twice, then each page is written once: not a new picture every 40 ms for as
    long as nobody plays."""
    clock, lettering = HandClock(), Lettering(find_geometry("80x16"))
    with Wall(clock=clock, sleeper=clock.sleeper) as wall:
        wall.board.message(text)
        clock.advance(RUNS * lettering.frames(text) / COLUMNS_PER_S + 0.01)
        pages = [np.asarray(lettering.frame(*page)) > 0 for page in lettering.pages(text)]
        written = []
        for number in range(2 * len(pages)):
            rows = ["".join(".#"[lamp] for lamp in row) for row in pages[number % len(pages)] * 1]
            wall.wait_for(lambda picture, rows=rows: picture == rows)
            written.append(len(wall.bus.frames))
            clock.advance(PAGE_S)
        assert written[-1] - written[0] < 2 * len(pages)
