"""`loto rehearse`: the table, the JSON, the picture; and every wrong word refused with its reason
before anything is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from station.base.errors import EXIT_DONE, EXIT_USAGE, SettingsError
from station.cards.pack import Pack
from station.cards.strips import draw
from station.commands import app as cli
from station.odds.rehearsal import plot
from station.settings import config

NIGHT = """
name = "A [short] night for $5"
[[games]]
name = "Quarters"
price = 100
[[games]]
name = "House"
price = 100
stages = [{ pattern = "full", share = 60 }, { pattern = "full" }]
jackpot = { within = 60, least = 500 }
"""
Loto = Callable[..., tuple[int, str, str]]


@pytest.fixture
def loto(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Loto:
    """Types `loto rehearse` in this process: the exit code, what was printed, and what was said of
    errors."""
    monkeypatch.setattr(config, "SYSTEM_FILE", tmp_path / "no" / "station.toml")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    Path("night.toml").write_text(NIGHT, encoding="utf-8")

    def type_it(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["loto", "rehearse", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return type_it


def test_the_table_tells_the_night(loto):
    """Length, money, every stage, the jackpot's advice, the strip's exact figures; the name as it
    is written."""
    code, out, _ = loto("night.toml", "--sold", 60, "--nights", 50, "--per-player", 2)
    assert code == EXIT_DONE
    assert out.startswith(
        "A [short] night for $5: 50 nights, 60 cards in play, 2 each, seed 1\nAssumed: 6 s a call"
    )
    for words in (
        "length, minutes",
        "the house's result",
        "two-rows",
        "full-2",
        "Jackpot in House, within 60",
        "for 1 in 20 nights",
    ):
        assert words in out
    assert all(f"{figure:.3f}" in out for figure in (46.564, 65.383, 77.535, 85.3125))


def test_the_same_seed_is_the_same_answer(loto):
    """Another seed has another one; what was asked for is told with it, and a slower pace is a
    longer night."""
    words = ("night.toml", "--sold", 30, "--nights", 200, "--json")
    code, out, _ = loto(*words)
    told = json.loads(out)
    assert code == EXIT_DONE
    assert (told["nights"], told["sold"], told["per_player"], told["seed"]) == (200, 30, 1, "1")
    assert told["pace"] == {"call": 6.0, "claim": 60.0, "change": 120.0}
    assert [stage["stage"] for stage in told["stages"]] == [
        "row",
        "two-rows",
        "full",
        "full",
        "full-2",
    ]
    assert told["jackpots"]["games"][0]["within"] == 60
    assert loto(*words)[1] == out
    assert loto(*words, "--seed", "other")[1] != out
    assert json.loads(loto(*words, "--pace", 12)[1])["minutes"]["mean"] > told["minutes"]["mean"]


def test_the_halls_own_cards_are_played(loto):
    """The first cards of the pack, which are not those of the seed; all of them where as many are
    sold."""
    numbers = draw("own", 3).reshape(-1, 3, 5)
    for name, cards in (("more.csv", numbers), ("all.csv", numbers[:12])):
        Path(name).write_bytes(
            Pack.of([f"{place:04d}" for place in range(len(cards))], cards).to_bytes()
        )
    words = ("night.toml", "--nights", 20, "--sold", 12, "--json")
    _, more, _ = loto(*words, "--pack", "more.csv")
    assert loto(*words, "--pack", "all.csv")[1] == more
    assert loto(*words)[1] != more


@pytest.mark.parametrize("sold", [12, 1])
def test_the_picture_is_drawn(loto, sold):
    """A PNG of the size that was meant, with something on it; also where a stage is never won."""
    code, out, _ = loto("night.toml", "--sold", sold, "--nights", 30, "--plot", "night.png")
    assert code == EXIT_DONE
    assert "night.png is written" in out
    assert ("House, full-2: won in 0.0 % of the nights only" in out) is (sold == 1)
    with Image.open("night.png") as picture:
        assert (picture.format, picture.size) == (
            "PNG",
            (plot.INCHES[0] * plot.DPI, plot.INCHES[1] * plot.DPI),
        )
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 10


def test_the_halls_settings_are_heeded(loto):
    """Its programme where none is named, its money, its rule of the last number; one that ships is
    called by its name."""
    Path("own.toml").write_text(
        '[hall]\ncurrency = "€"\n[game]\nprogramme = "night.toml"\nlast_number = false\n',
        encoding="utf-8",
    )
    few = ("--sold", 1, "--nights", 20)
    code, out, _ = loto("--config", "own.toml", *few)
    assert code == EXIT_DONE
    assert out.startswith("A [short] night for $5: 20 nights")
    assert "€" in out
    assert loto("hall-bingo", *few)[1].startswith("Friday bingo: 20 nights")
    # Corners that were there before the middle row is won count at once, or not at all.
    middle = '[{ pattern = "middle-row", share = 50 }, { pattern = "corners" }]'
    Path("night.toml").write_text(
        f'name = "x"\n[[games]]\nname = "y"\nstages = {middle}\n', encoding="utf-8"
    )
    anyhow, last = (
        json.loads(loto("night.toml", *few, "--json", *words)[1])
        for words in (("--config", "own.toml"), ())
    )
    assert anyhow["stages"][1]["won"] == 1 > last["stages"][1]["won"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--sold", 0), "'--sold': it must be at least 1"),
        (("--sold", 1_000_001), "'--sold': it must be at most 1000000"),
        (("--nights", 0), "'--nights': it must be"),
        (("--nights", 1_000_001), "'--nights'"),
        (("--per-player", 0), "'--per-player'"),
        (("--pace", -1), "'--pace'"),
        (("--pace", "nan"), "'--pace'"),
        (("--cores", 0), "'--cores'"),
        (("--one-in", 0), "'--one-in'"),
        (("--cores", 2, "--dask", "tcp://hall:1"), "say --cores or --dask"),
        (("--jackpot", -5), "'--jackpot'"),
        (("--pack", "none.csv"), "none.csv: No such file or directory"),
        (
            ("--pack", "small.csv", "--sold", 13),
            "13 cards, and small.csv has 12: no more can be in play",
        ),
        (("--pack", "faulty.csv"), "faulty.csv:2: "),
        (
            ("--plot", "nowhere/night.png"),
            "nowhere/night.png: there is no folder nowhere: make it first",
        ),
    ],
)
def test_wrong_words_are_refused(loto, words, says):
    """Each with its reason, and as wrong use."""
    cards = Pack.of(
        [f"{place:04d}" for place in range(12)], draw("own", 2).reshape(-1, 3, 5)
    ).to_csv()
    Path("small.csv").write_text(cards, encoding="utf-8")
    Path("faulty.csv").write_text(cards.replace("0000,", "0000,91,", 1), encoding="utf-8")
    code, out, err = loto("night.toml", *words)
    assert code == EXIT_USAGE
    assert says in " ".join(err.replace("│", " ").split())
    assert "nights," not in out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = 'x'\n", "games: is missing"),
        (NIGHT.replace("share = 60", "share = 110"), "game 2 (House), stage 1, share: it is 110"),
        (NIGHT.replace("price = 100", "price = -1", 1), "game 1 (Quarters), price: it is -1"),
        (NIGHT.replace('"full" }', '"cross" }'), "there is no pattern 'cross'"),
        ("name = ", "not TOML"),
    ],
)
def test_a_faulty_programme_is_refused(loto, text, says):
    """Its faults are named by place; nothing is rehearsed."""
    Path("night.toml").write_text(text, encoding="utf-8")
    code, out, err = loto("night.toml")
    assert (code, out) == (EXIT_USAGE, "")
    assert says in err
    code, _, err = loto("other.toml")
    assert code == EXIT_USAGE
    assert "other.toml: 1 fault\n  - there is no such file" in err


def test_games_at_the_table_are_left_out(loto):
    """Cards are sold for the others: these alone are rehearsed, as if the table stood not in the
    programme."""
    table = '[[games]]\nname = "At the table"\nmethod = "loto-second"\n'
    words = ("--sold", 60, "--nights", 20, "--json")
    plain = json.loads(loto("night.toml", *words)[1])
    Path("both.toml").write_text(NIGHT + table, encoding="utf-8")
    assert json.loads(loto("both.toml", *words)[1]) == plain
    Path("table.toml").write_text(f'name = "Table"\n{table}', encoding="utf-8")
    code, out, err = loto("table.toml", *words)
    why = "no card is sold for them, and there is nothing to rehearse"
    assert (code, why in err, why in json.loads(out)["refused"]["say"]) == (EXIT_USAGE, True, True)


def test_a_picture_needs_its_library(tmp_path):
    """Without matplotlib `--plot` says what is missing and how to install it."""

    def load(name: str) -> ModuleType:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    with pytest.raises(
        SettingsError,
        match=r"--plot: 1 fault\n.*needs matplotlib.*\.venv/bin/pip install matplotlib",
    ):
        plot.check_plot(tmp_path / "night.png", load)
