"""`loto pack print` and `loto print score`: which cards words mean, what is written, and what is
said when it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from station.base.errors import LotoError, Unreadable
from station.base.nouns import Card
from station.cards.pack import Pack, draw_pack
from station.cards.serials import Numbering, qr_text
from station.commands.app import app
from station.commands.pack import chosen
from tests.card_reader import read_pages

NUMBERING = Numbering(b"a hall's key of thirty-two bytes", "A")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with a pack of four strips."""
    folder = tmp_path / "state"
    done = CliRunner().invoke(
        app, ["pack", "make", "--strips", "4", "--seed", "print", "--state", str(folder)]
    )
    assert done.exit_code == 0, done.output
    return folder


def loto(*words: str):
    return CliRunner().invoke(app, [*words])


def test_the_command_prints_a_pack(state: Path, tmp_path: Path) -> None:
    """Four strips are four pages, with the hall's name; each QR is what finds its card again."""
    target = tmp_path / "cards.pdf"
    done = loto("pack", "print", "--state", str(state), "--out", str(target))
    assert done.exit_code == 0, done.output
    assert f"24 cards on 4 pages: {target}. Print at real size" in done.output
    pack = Pack.load(state / "packs" / "pack.csv")
    pages = read_pages(target.read_bytes())
    texts = [text for page in pages for text in page.codes]
    assert len(texts) == len(set(texts)) == 24
    assert {len(text) for text in texts} == {10}
    shown = [loto("pack", "show", text, "--state", str(state), "--json") for text in texts[:2]]
    assert [
        f'"serial": "{serial}"' in one.output
        for serial, one in zip(pack.serials, shown, strict=False)
    ] == [True, True]


def test_the_halls_logo_is_printed_where_none_is_named(state: Path, tmp_path: Path) -> None:
    """The one of the settings; another that is named goes before it."""
    for name, colour in (("hall.png", (200, 30, 40)), ("other.png", (30, 200, 40))):
        Image.new("RGB", (60, 30), colour).save(tmp_path / name)
    settings = tmp_path / "station.toml"
    made = []
    for own, words in (
        ("", ()),
        ('logo = "hall.png"', ()),
        ("", ("--logo", str(tmp_path / "hall.png"))),
        ('logo = "hall.png"', ("--logo", str(tmp_path / "other.png"))),
    ):
        settings.write_text(f"[hall]\n{own}\n", encoding="utf-8")
        target = tmp_path / f"{len(made)}.pdf"
        place = ("--state", str(state), "--config", str(settings), "--out", str(target))
        done = loto("pack", "print", *words, *place)
        assert done.exit_code == 0, done.output
        made.append(target.read_bytes())
    plain, own, named, other = made
    assert own == named
    assert len({plain, own, other}) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("letters", "words", "printed"),
    [("true", (), False), ("false", (), True), ("false", ("--no-words",), False)],
)
def test_where_letters_alone_are_said_no_card_has_words(
    state: Path, tmp_path: Path, letters: str, words: tuple[str, ...], printed: bool
) -> None:
    """The programme in force says so of its theme; or whoever prints."""
    programme, settings, target = (
        tmp_path / name for name in ("night.toml", "station.toml", "cards.pdf")
    )
    programme.write_text(
        f'name = "x"\n[[games]]\nname = "a"\ntheme = "spelling"\nletters = {letters}\n'
    )
    settings.write_text(f'[game]\nprogramme = "{programme}"\n')
    done = loto(
        *("pack", "print", "--theme", "spelling", "--per-page", "3", *words),
        *("--state", str(state), "--config", str(settings), "--out", str(target)),
    )
    assert done.exit_code == 0, done.output
    pages = read_pages(target.read_bytes())
    text = ["".join(letter for letter, _ in page.letters).casefold() for page in pages]
    assert any("star" in page for page in text) is printed


def test_ranges_and_serials_are_chosen() -> None:
    """Words mean cards: one by its serial, with check characters or without, or its QR; a range by
    its ends; each card once."""
    pack = draw_pack(2, "ranges", NUMBERING)
    serials = pack.serials
    table = [
        ([], serials),
        ([serials[3]], serials[3:4]),
        ([serials[3].lower()], serials[3:4]),
        ([qr_text(serials[3], NUMBERING)], serials[3:4]),
        ([f"{serials[2]}-{serials[5]}"], serials[2:6]),
        (
            [f"{serials[2].lower()}-{serials[5]}", serials[0], serials[4]],
            (serials[0], *serials[2:6]),
        ),
        ([f"{serials[2][:7]}-{serials[5][:7].lower()}"], serials[2:6]),
        ([serials[3][:7]], serials[3:4]),
        ([f"{serials[11]}-{serials[11][:7]}"], serials[11:]),
    ]
    for words, cards in table:
        assert chosen(pack, words, NUMBERING).serials == tuple(cards)
    plain = Pack([Card(f"{place:04d}", card.rows) for place, card in enumerate(pack.cards())])
    twins = Pack(
        [
            Card(f"{place // 6:04d}-{place % 6:04d}", card.rows)
            for place, card in enumerate(pack.cards())
        ]
    )
    with pytest.raises(Unreadable, match="type the whole serial"):
        chosen(twins, ["0001"])
    assert chosen(plain, ["0003-0006", "0001"]).serials == ("0001", "0003", "0004", "0005", "0006")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["9999"], "no card of this pack"),
        (["9999-0001"], "no card of this pack"),
        (["-"], "half a range"),
        (["{last}-{first}"], "runs backwards"),
        (["--per-page", "0"], "there are 1, 2, 3, 6, 12"),
        (["--per-page", "7"], "there are 1, 2, 3, 6, 12"),
        (["--logo", "/nowhere/logo.png"], "No such file"),
        (["--title", "word " * 80], "too long"),
        (["--out", "/nowhere/cards.pdf"], "cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_said(
    state: Path, tmp_path: Path, words: list[str], why: str
) -> None:
    """One sentence, exit code 2, and no file."""
    pack = Pack.load(state / "packs" / "pack.csv")
    words = [word.format(first=pack.serials[0], last=pack.serials[-1]) for word in words]
    out = () if "--out" in words else ("--out", str(tmp_path / "x.pdf"))
    done = (
        loto("pack", "print", "--state", str(state), *out, "--", *words) if words == ["-"] else None
    )
    done = done or loto("pack", "print", *words, "--state", str(state), *out)
    assert isinstance(done.exception, LotoError), done.output
    assert done.exception.exit_code == 2
    assert why in str(done.exception)
    assert not (tmp_path / "x.pdf").exists()


def test_without_a_pack_nothing_is_printed(tmp_path: Path) -> None:
    """The message says how to make one."""
    done = loto("pack", "print", "--state", str(tmp_path), "--out", str(tmp_path / "x.pdf"))
    assert "loto pack make" in str(done.exception)


def test_the_command_prints_score_sheets(tmp_path: Path) -> None:
    """`loto print score` makes as many sheets as there are games."""
    target = tmp_path / "score.pdf"
    done = loto("print", "score", "--copies", "3", "--lang", "it", "--out", str(target))
    assert done.exit_code == 0, done.output
    assert len(read_pages(target.read_bytes(), draw=False)) == 3
