"""The public screen in every language: each letter has a shape, no label is cut, scripts stand on
one line."""

import os

import pygame
import pytest
from PIL import ImageFont

from station.rules.patterns import PATTERNS
from station.screens.screen import ink
from station.screens.screen.app import Painter
from station.screens.screen.ink import BOARD, DEVANAGARI, FONTS, ScreenLettering
from station.wire.board_view import (
    JackpotView,
    PauseView,
    Phase,
    PrizeView,
    StageView,
    Verdict,
    WinView,
)
from station.wire.wording import languages, load_wording
from tests import tables
from tests.screens.screen.boards import FULL_HD, board, claim

WHITE = (255, 255, 255)
EVERY = languages()

pygame.font.init()


def every_text(language: str) -> list[str]:
    """All that a language says or shows."""
    wording = load_wording(language)
    return [*wording.clips("sayings").values(), *wording.screen.values(), *wording.procedure]


def scenes(language: str):
    """Views of every phase and verdict, in the words of a language, with whether they are stale."""
    wording = load_wording(language)
    words = wording.screen
    prize = PrizeView(minor=1500, text="15.00")
    won, drawn = (
        WinView(
            stage=words[key],
            serial="0031",
            holder=None,
            prize=prize,
            paid=False,
            label="0031",
            status=words[status],
        )
        for key, status in (("two-rows", "to-pay"), ("full", "to-draw"))
    )
    jackpot = JackpotView(
        within=45, prize=prize, text=words["jackpot-within"].format(prize="250.00", calls=45)
    )
    stages = [
        StageView(key=key, name=words[key], index=1, of=3, prize=prize, picture=("#...#",) * 3)
        for key in PATTERNS
    ]
    for stage in stages:
        facts = {"wins": (won, drawn), "near": 88, "cards": 1200, "players": 400, "test": True}
        yield board(language=language, stage=stage, open=(stage,), **facts), False
        yield (
            board(
                language=language, stage=stage, open=(stage,), jackpot=jackpot, near=7, near_two=31
            ),
            False,
        )
    for count in (2, 4, 6, 8):
        yield board(language=language, open=tuple(stages[:count]), near=7, near_two=31), False
    for verdict in Verdict:
        yield (
            board(
                language=language,
                phase=Phase.STOPPED,
                claim=claim(verdict),
                claims=(claim(verdict),),
                test=True,
            ),
            False,
        )
    yield (
        board(language=language, phase=Phase.HALTED, procedure=wording.procedure, test=True),
        False,
    )
    yield board(language=language, phase=Phase.BETWEEN, game=None, called=()), True
    pause = PauseView(text="Tea", minutes=10, follows=words["break-minutes"].format(minutes=10))
    coming = ("First", "Second", "Third")
    yield (
        board(
            language=language, phase=Phase.BETWEEN, pause=pause, coming=coming, wins=(won, drawn)
        ),
        False,
    )
    yield board(language=language, phase=Phase.CLOSED, game=None, called=()), False
    yield board(language=language, called=()), False
    for phrase in wording.phrases.values():
        yield board(language=language, notice=phrase), False
    yield tables.view(tables.drawn(tables.company(6), 7), language=language), False
    yield tables.view(tables.settled(tables.company(24)), language=language), False
    yield None, False


@pytest.mark.parametrize("language", EVERY)
def test_every_letter_has_a_shape(language):
    """Whatever a language writes is in the shipped fonts: nobody looks at empty boxes."""
    shaped, plain = set(), set()
    for text in every_text(language):
        for index, run in enumerate(DEVANAGARI.split(text)):
            (shaped if index % 2 else plain).update(run)
    for letters, file in ((plain, BOARD), (shaped, FONTS / "devanagari.ttf")):
        font = ImageFont.truetype(str(file), 40)
        box = bytes(font.getmask("\uffff"))
        assert [
            letter
            for letter in sorted(letters)
            if not letter.isspace() and bytes(font.getmask(letter)) == box
        ] == []


@pytest.mark.parametrize("language", EVERY)
def test_no_label_is_cut(language, monkeypatch):
    """On a full HD screen every label of every phase stands whole: it may be set smaller, it never
    ends in an ellipsis."""
    cut, honest = [], ink.Renderer._cut

    def watched(self, text, size, room):
        kept = honest(self, text, size, room)
        if kept != text:
            cut.append(text)
        return kept

    monkeypatch.setattr(ink.Renderer, "_cut", watched)
    painter, surface = Painter(FULL_HD, load_wording(language).screen), pygame.Surface(FULL_HD)
    for view, stale in scenes(language):
        painter.paint(surface, view, stale)
    assert sorted(set(cut)) == []


@pytest.mark.parametrize("text", ["हाउज़ी", "दो लाइनें", "फुल हाउस", "ऊँ की ईंटें"])
def test_devanagari_stays_on_its_line(text):
    """Signs above and below the letters are neither cut off by the line's picture nor lost."""
    lettering = ScreenLettering(100)
    line, baseline = lettering.render(text, WHITE)
    drawn = line.get_bounding_rect()
    assert baseline - drawn.top <= 1.3 * ink.CAP * 100
    assert drawn.bottom - baseline <= 0.3 * ink.CAP * 100 + 1


def test_devanagari_is_shaped():
    """Letters that join are joined: a conjunct is narrower than its letters side by side."""
    lettering = ScreenLettering(100)
    assert lettering.width("क्ष") < lettering.width("क") + lettering.width("ष")


def test_scripts_in_one_text_stand_on_one_baseline():
    """A Latin name in a Hindi line stands where it would alone, so do the letters before it, and
    nothing is missing."""
    lettering = ScreenLettering(100)
    line, baseline = lettering.render("हॉलHall", WHITE)
    assert line.get_width() == lettering.width("हॉल") + lettering.width("Hall")
    x = 0
    for part in ("हॉल", "Hall"):
        alone, its_baseline = lettering.render(part, WHITE)
        there = line.subsurface((x, 0, alone.get_width(), line.get_height())).get_bounding_rect()
        assert (there.top - baseline, there.bottom - baseline) == (
            alone.get_bounding_rect().top - its_baseline,
            alone.get_bounding_rect().bottom - its_baseline,
        )
        x += alone.get_width()


def test_an_empty_text_has_a_line_without_width():
    """Nothing to write is no error."""
    assert ScreenLettering(40).width("") == 0
    assert ScreenLettering(40).render("", WHITE)[0].get_height() > 0


def test_letters_of_many_sizes_keep_no_file_open():
    """A screen has hundreds; of a process with more than 1,023 open files no serial port is
    read."""
    before = len(os.listdir("/proc/self/fd"))
    kept = [ScreenLettering(size) for size in range(20, 40)]
    assert all(lettering.width("Hall हॉल") for lettering in kept)
    assert len(os.listdir("/proc/self/fd")) == before
