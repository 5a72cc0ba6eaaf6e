"""`loto odds`: fractions and words, trials beside them, JSON, the picture; and every wrong word
refused with its reason."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from station.base.errors import EXIT_DONE, EXIT_USAGE
from station.commands import app as cli
from station.commands import odds
from station.settings import config
from tests.commands.texts import LANGUAGES

Loto = Callable[..., tuple[int, str, str]]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Loto:
    """Types `loto odds` in this process: the exit code, what was printed, and what was said of
    errors."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "no" / "station.toml")
    monkeypatch.setattr(odds.out, "width", 100)
    monkeypatch.chdir(tmp_path)

    def type_it(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["loto", "odds", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return type_it


def test_a_drawing_is_told(loto):
    """The rows' fractions and in words, what a card keeps and wins; how long six cards' counters
    last, worked out and seen."""
    code, out, _ = loto("second", "--cards", 6, "--simulate", 2000, "--png", "drawing.png")
    assert code == EXIT_DONE
    for words in (
        "546364/998847",
        "7/1220813",
        "1 in 174,402",
        (
            "13531315/3662439 ≈ 3.6946 counters a drawing on average: 5/3 laid on it, and 2.0280"
            " from the pool"
        ),
        "1 in 1,906,881,827,301",
        "2,000 drawings",
        (
            "6 cards: 90 counters on the table, 270 in the pool. A drawing lays 10.00 on average,"
            " and wins 12.17 from the pool."
        ),
        "They run short in drawing 16.9986 on average, ± 2.14 a game: worked out. Seen: 1",
        "drawing.png is written.",
    ):
        assert words in out
    with Image.open("drawing.png") as picture:
        assert picture.format == "PNG"


def test_more_cards_are_not_worked_out(loto):
    """Where cards share numbers the pool's end is seen only, and that is said; no trials, no table
    of them."""
    code, out, _ = loto("second")
    assert code == EXIT_DONE
    assert "in 2,000 games of the seed's cards; not worked out, since" in out
    assert "off by" not in out


def test_calls_are_told(loto):
    """For one card, a strip, and all; within the calls of a jackpot; beside games of real cards; as
    a picture."""
    code, out, _ = loto(
        "first",
        "row",
        "full",
        "--cards",
        60,
        "--within",
        45,
        "--simulate",
        500,
        "--png",
        "calls.png",
    )
    assert code == EXIT_DONE
    for words in (
        "64.63 ± 12.46",
        "46.56 ± 9.35",
        "85.31 ± 4.85",
        "within 45 calls",
        "1 in 22,132",
        "500 games",
        "60 cards share",
    ):
        assert words in out
    assert "corners" not in out
    assert Path("calls.png").exists()


def test_the_race_is_told(loto):
    """Every pattern, before the bag is empty and within some calls; with races, the best card
    too."""
    code, out, _ = loto("race", "--within", 60, "--simulate", 200, "--png", "race.png")
    assert code == EXIT_DONE
    for words in (
        "held by 4 players",
        "3142657/1073741824",
        "1 in 1,073,741,824",
        "within 60",
        "200 races",
        "15/4",
        "the best of all 7.",
    ):
        assert words in out
    assert Path("race.png").exists()


def test_a_programme_is_told(loto):
    """Each game by its name and method: calls, jackpots, drawings, the race."""
    Path("own.toml").write_text(
        """
name = "Loto [by the book]"
[[games]]
name = "Hall [1]"
jackpot = { within = 45 }
[[games]]
name = "Ten at a time"
method = "loto-second"
table = { cards = 6 }
[[games]]
name = "Quick"
method = "loto-parlour"
table = { answering = "first" }
""",
        encoding="utf-8",
    )
    code, out, _ = loto("programme", "own.toml", "--sold", 30)
    assert code == EXIT_DONE
    for words in (
        "1 Hall [1] (Loto, First Method)",
        "within 45 calls",
        "30 cards",
        "2 Ten at a time (Loto, Second Method)",
        "16.9986",
        "3 Quick",
    ):
        assert words in out
    data = json.loads(loto("programme", "own.toml", "--sold", 30, "--json")[1])
    assert (data["programme"], data["sold"]) == ("Loto [by the book]", 30)
    assert [game["method"] for game in data["games"]] == [
        "loto-first",
        "loto-second",
        "loto-parlour",
    ]
    assert data["games"][2]["race"]["covered"]["exact"] == "15/4"


@pytest.mark.parametrize(
    ("words", "place", "exact"),
    [
        (("second",), ("rows", 5, "chance"), "7/1220813"),
        (("first", "full"), ("patterns", 0, "calls", 0, "exact"), "1365/16"),
        (("race", "full"), ("patterns", 0, "ever"), "1/1073741824"),
    ],
)
def test_json_has_the_fractions(loto, words, place, exact):
    """As text, so that no program rounds them, and besides as a number; a picture that is drawn
    besides adds no word."""
    code, out, _ = loto(*words, "--json", "--png", "besides.png")
    assert code == EXIT_DONE
    assert Path("besides.png").exists()
    found = json.loads(out)
    for step in place:
        found = found[step]
    top, _, bottom = exact.partition("/")
    assert found == {"exact": exact, "value": int(top) / int(bottom)}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("first", "rwo"),
            "rwo: 1 fault - there is no such pattern; there are row, two-rows, full",
        ),
        (("race", "--holders", 0), "'--holders'"),
        (("first", "--cards", 0), "'--cards'"),
        (("first", "--within", 91), "'--within'"),
        (("second", "--cards", 145), "'--cards'"),
        (("second", "--simulate", -1), "'--simulate'"),
        (
            ("second", "--away", 1),
            "1 knobs put away: 0 numbers stand on none of 24 cards, and no more can be",
        ),
        (
            ("second", "--png", "nowhere/a.png"),
            "nowhere/a.png: there is no folder nowhere: make it first",
        ),
        (("programme", "nothing"), "there is no such file"),
        (("fly",), "No such command"),
    ],
)
def test_wrong_words_are_refused(loto, words, says):
    """Each with its reason, as wrong use."""
    code, _, err = loto(*words)
    assert code == EXIT_USAGE
    assert says in " ".join(err.replace("│", " ").split())


def test_a_narrow_terminal_cuts_no_word(loto: Loto, monkeypatch: pytest.MonkeyPatch) -> None:
    """In 80 columns the rows' names and their chances stand there in whole."""
    monkeypatch.setattr("station.commands.odds.out.width", 80)
    lines = loto("second")[1].splitlines()
    for words in ("abstract", "quinterne", "7/1220813", "1 in 174,402", "all but 1 in 13"):
        assert any(words in line for line in lines), words


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_a_narrow_terminal_cuts_no_figure(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """In 80 columns every table of a drawing is whole, in each language."""
    monkeypatch.setattr("station.commands.odds.out.width", 80)
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    out = loto("second")[1]
    assert "…" not in out
    for figure in ("39.38", "0.0004128", "102700/1220813"):
        assert figure in out


def test_a_game_at_the_table_is_told(loto):
    """Length and seats of Tontine by games of a seed, exact beside it; what is agreed on is said by
    name."""
    words = ("tontine", "--seats", 2, "--simulate", 20, "--setting", "each=4")
    code, out, _ = loto(*words)
    assert code == EXIT_DONE
    for told in ("Tontine: 2 players, 20 games", "0.4044", "0.5956", "Worked out, it is 1.3374."):
        assert told in out
    code, out, _ = loto(*words, "--json")
    assert json.loads(out)["exact"]["length"] == pytest.approx(1.3374, abs=1e-4)
    code, _, error = loto("tontine", "--setting", "cards=4")
    assert code == EXIT_USAGE
    assert "cards: one of each" in error


def test_it_is_told_how_often_a_hand_is_spoilt(loto):
    """Of two never; of four sometimes, with its error."""
    code, out, _ = loto("spoil-five", "--seats", 2, "--simulate", 3, "--setting", "pools=1")
    assert code == EXIT_DONE
    assert "A hand is spoilt: 0.0000 ± 0.0000" in out
    _, out, _ = loto("spoil-five", "--simulate", 4, "--setting", "pools=1", "--json")
    (spoilt,) = json.loads(out)["happens"]
    assert 0 <= spoilt["often"]["mean"] < 1
    assert spoilt["key"] == "spoil-five-odds"
