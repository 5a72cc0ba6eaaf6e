"""Programmes judged and shown: every fault in plain words and at its place, advice where it is due,
the evening as it will be."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from typer.testing import CliRunner

from station.commands.app import app
from station.night.register import lay_out
from station.paper.prints.programme_paper import print_programme
from station.paper.programme_sheet import (
    COVERS,
    evening,
    games_of,
    laid_out,
    money,
    rules_of,
    stage_names,
)
from station.programme.check import advice, check, load_programme
from station.programme.programme import (
    SHIPPED,
    GamePlan,
    JackpotPlan,
    PausePlan,
    Programme,
    Shares,
    StagePlan,
    TablePlan,
)
from station.rules.patterns import PATTERNS
from station.views.money_text import Currency
from station.wire.wording import load_wording
from tests.paper_reader import read

POUNDS = Currency("£", 2)
ENGLISH = load_wording()
DOCUMENT = (Path(__file__).parents[2] / "docs" / "programme.md").read_text(encoding="utf-8")
SHIPPED_FILES = sorted(SHIPPED.glob("*.toml"))


def tables(text: str) -> dict[str, Any]:
    """A programme's tables; a name and a game are added where the text has none."""
    return {"name": "A night", "games": [{"name": "First"}]} | tomllib.loads(text)


GAME = "[[games]]\nname = 'a'\n"

# Each fault: what stands in the file, and the beginning of the sentence about it.
FAULTS = {
    'unwon = "keep"': "unwon: it is “keep”; it is one of 'carry', 'house' or 'charity'",
    "approve_above = 1.5": "approve_above: it is 1.5; write a whole number",
    "name = ''": "name: it is empty",
    "name = 5": "name: it is 5; write words in quotation marks",
    "games = 5": "games: it is 5; a list stands here, each in a table of its own, as in [[games]]",
    "games = []": "games: there is none; it takes at least 1",
    "game = 1": "game: there is no such setting here; did you mean games?",
    "shares = { house = 60, charity = 50 }": (
        "shares: house, charity and jackpot take 110 % of the stakes"
    ),
    "shares = { charity = 50.001 }": "shares, charity: a share has two decimals at most",
    "shares = 5": "shares: it is 5; a table of settings stands here, as in [shares]",
    "[[games]]\nprice = 1": "game 1, name: is missing",
    GAME + "[[games]]\nname = 'b'\nprice = -1": "game 2 (b), price: it is -1; 0 is the least",
    GAME + "price = '1 pound'": "game 1 (a), price: it is “1 pound”; write a whole number",
    GAME + "at_once = 'maybe'": "game 1 (a), at_once: it is “maybe”; write true or false",
    GAME + "stakes = 'half'": (
        "game 1 (a), stakes: it is “half”; it is one of 'quarters' or 'whole'"
    ),
    GAME + "theme = 'picture'\nletters = true": (
        "game 1 (a), letters: the words of picture are not spelt; take a theme whose words are"
    ),
    GAME + "letters = true": "game 1 (a): letters are those of a theme's words: name one",
    GAME + "pause = 5": (
        "game 1 (a), pause: it is 5; a table of settings stands here, as in [pause]"
    ),
    GAME + "pause = { minute = 5 }": (
        "game 1 (a), pause, minute: there is no such setting here; did you"
    ),
    GAME + "jackpot = { within = 91 }": "game 1 (a), jackpot, within: it is 91; 90 is the most",
    GAME + "jackpot = {}": "game 1 (a), jackpot, within: is missing",
    GAME + "stages = [{ share = 60 }]": "game 1 (a), stage 1, pattern: is missing",
    GAME + "stages = [{ pattern = 'rows' }]": (
        "game 1 (a), stage 1, pattern: there is no pattern 'rows'"
    ),
    GAME + "stages = [{ pattern = 'row', share = 110 }]": (
        "game 1 (a), stage 1, share: it is 110; 100 is the"
    ),
    GAME + "stages = [{ pattern = 'row', share = 'a' }]": (
        "game 1 (a), stage 1, share: it is “a”; write a number"
    ),
    GAME + "stages = [{ pattern = 'row', share = 5, prize = 5 }]": (
        "game 1 (a), stage 1: a stage wins a share or"
    ),
    GAME + "stages = [{ pattern = 'row', share = 60 }, { pattern = 'full', share = 50 }]": (
        "game 1 (a): the stages take 110 %"
    ),
    GAME + "stages = [{ pattern = 'row' }, { pattern = 'full' }]": (
        "game 1 (a): 2 stages have no prize of their own: one takes the rest of the fund"
    ),
}


@pytest.mark.parametrize("text", FAULTS)
def test_every_fault_is_said_in_plain_words_at_its_place(text: str) -> None:
    """One fault, one sentence, with the place as people count; nothing of how the program checks
    it."""
    programme, faults = check(tables(text))
    assert programme is None
    (fault,) = map(str, faults)
    assert fault.startswith(FAULTS[text]), fault
    assert not re.search(r"(?i)validation|function|input|tuple|dict|pydantic", fault)


def test_faults_of_a_drawn_pattern_are_its_own() -> None:
    """The name, the picture, what is missing: each named where it stands, and nothing about the
    other way to write a pattern."""
    stages = [
        {"pattern": {"name": "Kite", "pictures": []}},
        {"pattern": {"name": "kite", "pictures": [["###", "#"]]}},
        {"pattern": {"name": "kite"}, "thing": "a cake"},
        {"pattern": {"name": "row", "pictures": [["#####", "#####", "#####"]]}},
    ]
    _, faults = check({"name": "x", "games": [{"name": "a", "stages": stages}]})
    assert [fault.place for fault in faults] == [
        "game 1 (a), stage 1, pattern, name",
        "game 1 (a), stage 1, pattern, pictures",
        "game 1 (a), stage 2, pattern",
        "game 1 (a), stage 3, pattern, pictures",
        "game 1 (a), stage 4, pattern",
    ]
    assert "3 rows of 5 signs" in faults[2].text
    assert "one of the station's own" in faults[4].text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["name", "games", "stages", "pattern", "price", "x-y", "shares"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_stands_there_is_answered(data: Any) -> None:
    """No file makes the check stumble: it gives a programme or at least one sentence."""
    given_ = data if isinstance(data, dict) else {"name": "x", "games": data}
    programme, faults = check(given_)
    assert (programme is None) == bool(faults)
    assert all(fault.text for fault in faults)


# -- advice ----------------------------------------------------------------------------------------

PRICED = GAME + "price = 100\n"


def priced(*stages: str, more: str = "") -> str:
    """A game whose cards cost something, with stages of these patterns."""
    return f"{PRICED}{more}\nstages = [{', '.join(f'{{ pattern = {stage} }}' for stage in stages)}]"


FIXED = "[[games]]\nname = 'b'\nprice = 1\nstages = [{ pattern = 'full', prize = 5 }]"
ADVICE = {
    "[[games]]\nname = 'Tea'\nprice = 1\n[[games]]\nname = 'tea'\nprice = 1": (
        "2 games are called “Tea”"
    ),
    "shares = { jackpot = 5 }\n" + PRICED: "stakes go to the jackpot, and no game plays for it",
    PRICED + "jackpot = { within = 45 }": "a jackpot is played for and nothing feeds it",
    PRICED + "pause = { text = 'Tea' }": "there is a pause after the last game",
    PRICED + "jackpot = { within = 14, least = 1 }": (
        "game 1 (a), jackpot: full takes at least 15 calls, so within 14 nobody"
    ),
    priced("'full', share = 50", "'row'"): "game 1 (a), stage 2: whoever has full has row already",
    priced(
        "'two-rows', share = 50", "'early-five'"
    ): "game 1 (a), stage 2: whoever has two-rows has early-five already",
    priced(
        "'quaterna', share = 50", "'ambo'"
    ): "game 1 (a), stage 2: whoever has quaterna has ambo already",
    PRICED
    + "kin = 'tombola'\nprizes.tombolino = { share = 5 }\njackpot = { within = 45, least = 1 }": (
        "game 1 (a), jackpot: it is for the last prize, the second one for full"
    ),
    priced(
        "'full', share = 50", "'full'", more="at_once = true"
    ): "game 1 (a): all stages are open at once",
    priced("'row', share = 0", "'full'"): "game 1 (a), stage 1: it wins nothing",
    priced("'row', prize = 0", "'full'"): "game 1 (a), stage 1: it wins nothing",
    priced("'corners'", more="tickets = true"): "game 1 (a): only the paper shows where numbers",
    priced(
        "'row', name = 'Line', share = 5", "'full', name = 'line'"
    ): "game 1 (a): two stages are called “line”",
    GAME: "game 1 (a): its cards cost nothing, and it is the first game",
    GAME + "shares = { house = 5 }\nstages = [{ pattern = 'full', prize = 5 }]": (
        "game 1 (a), shares: its cards cost nothing"
    ),
    PRICED + "shares = { house = 60, charity = 40 }": (
        "game 1 (a): house, charity and jackpot take all"
    ),
}


@pytest.mark.parametrize("text", ADVICE)
def test_what_may_not_be_meant_is_said(text: str) -> None:
    """One thing to look at again, one sentence of advice; the programme is played as it stands."""
    programme, faults = check(tables(text))
    assert faults == ()
    assert programme is not None
    (remark,) = map(str, advice(programme))
    assert remark.startswith(ADVICE[text]), remark


NO_ADVICE = [
    PRICED + FIXED,
    priced("'full', share = 50", "'row'", more="at_once = true"),
    priced("'full', share = 50", "'full'"),
    priced("'corners', share = 50", "'row'"),
    priced("'corners', share = 50", "'early-five'"),
    PRICED + "tickets = true",
    PRICED + "jackpot = { within = 15, least = 1 }",
    f"unwon = 'house'\n{PRICED}{FIXED}",
    priced("'ambo', share = 50", "'terno'"),
    PRICED + "kin = 'tombola'\njackpot = { within = 45, least = 1 }",
    PRICED + "kin = 'tambola'\nprizes.second-house = { share = 5 }",
    PRICED + "shares = { jackpot = 1 }\njackpot = { within = 45 }",
]


@pytest.mark.parametrize("text", NO_ADVICE)
def test_nothing_is_said_where_there_is_nothing_to_say(text: str) -> None:
    """Close to the above, and meant so."""
    programme, _ = check(tables(text))
    assert programme is not None
    assert advice(programme) == ()


# -- what ships, and the document ------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED_FILES, ids=lambda path: path.stem)
def test_what_ships_needs_no_advice(path: Path) -> None:
    """A volunteer's first example is above reproach."""
    ships = {
        "evening",
        "hall-bingo",
        "own-patterns",
        "tambola",
        "tombola",
        "quine",
        "bingo",
        "keno",
    }
    assert {path.stem for path in SHIPPED_FILES} - {"parlour", "old-books"} == ships
    assert advice(load_programme(path)) == ()


@pytest.mark.parametrize(
    "text", re.findall(r"^```toml\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)
)
def test_every_example_of_the_document_is_a_programme(text: str) -> None:
    """As it stands there, whole."""
    programme, faults = check(tomllib.loads(text))
    assert programme is not None, faults


MODELS: Mapping[str, type[BaseModel]] = {
    "The night": Programme,
    "A game": GamePlan,
    "A stage": StagePlan,
    "A game at the table": TablePlan,
    "The jackpot": JackpotPlan,
    "A pause": PausePlan,
}


@pytest.mark.parametrize("heading", MODELS)
def test_the_document_has_every_key_with_its_default(heading: str) -> None:
    """A row a key, no key more; and the default that stands there is the program's."""
    section = DOCUMENT.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    first_table = section.split("|---|", 1)[1].split("\n\n", 1)[0]
    rows = dict(re.findall(r"^\| `([a-z_]+)` \|.*\| ([^|]+) \|$", first_table, re.MULTILINE))
    fields = MODELS[heading].model_fields
    assert rows.keys() == fields.keys()
    for key, default in rows.items():
        value = fields[key].default
        assert fields[key].is_required() == (default == "must be given"), key
        if default.startswith("`"):
            assert json.loads(default.strip("`")) == value, key
        elif not fields[key].is_required():
            assert not value or value == Shares(), key


def test_the_document_has_every_pattern() -> None:
    """By the name that a programme writes, and what must be covered for it."""
    assert all(f"`{key}`" in DOCUMENT for key in PATTERNS)
    assert COVERS.keys() == PATTERNS.keys()


# -- the evening -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED_FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("sold", [0, 1, 119, 600])
def test_the_evening_has_every_stage_and_its_sum(path: Path, sold: int) -> None:
    """A line for each stage in order; with cards sold, the sums are those that the hall will freeze
    when the games open."""
    programme = load_programme(path)
    layouts = laid_out(programme, sold)
    shown = evening(programme, POUNDS, ENGLISH, layouts)
    names = [name for game in programme.games for name in stage_names(game, ENGLISH).values()]
    assert [name for name in shown.column("stage") if name] == names
    halls = [game for game in programme.games if not game.at_table]
    if not layouts:
        assert halls == []
        return
    assert [amount for amount in shown.column("amount") if amount is not None] == [
        amount for layout in layouts for amount in layout.amounts
    ]
    assert all(
        game.name in text
        for game, text in zip(programme.games, filter(None, shown.column("game")), strict=True)
    )
    jackpot = 0
    for game, layout in zip(programme.games, layouts, strict=True):
        assert layout == lay_out(game, programme.shares_of(game), sold * game.price, 0, jackpot)
        jackpot = layout.played_for or jackpot + layout.jackpot
    sums = money(programme, sold, layouts)
    rows = sums.data()
    assert [programme.games[row["game"] - 1] for row in rows] == halls
    for game, row in zip(halls, rows, strict=True):
        assert row["stakes"] == sold * game.price
        assert row["stakes"] + row["added"] - row["house"] - row["charity"] - row["jackpot"] == row[
            "prizes"
        ] + max(0, sums_made_up(layouts, row))


def sums_made_up(layouts: Any, row: Mapping[str, Any]) -> int:
    """What of the house's addition went into the jackpot."""
    return int(layouts[row["game"] - 1].made_up)


def test_a_jackpot_that_nobody_had_is_played_for_again() -> None:
    """What the house made it up with stays in it: the second game plays for that and for both
    games' shares."""
    game = GamePlan(name="a", price=100, jackpot=JackpotPlan(within=45, least=1000))
    programme = Programme(name="x", games=(game, game), shares=Shares(jackpot=10))
    first, second = laid_out(programme, 20)
    assert (first.jackpot, first.made_up, first.played_for) == (200, 800, 1000)
    assert (second.jackpot, second.made_up, second.played_for) == (200, 0, 1200)


def test_a_stage_has_its_own_name_or_the_patterns() -> None:
    """In the hall's language; the second house is called so by a number."""
    stages = (
        {"pattern": "full"},
        {"pattern": "full"},
        {"pattern": "row", "name": "Line"},
        {"pattern": {"name": "my-kite", "pictures": [["#....", ".....", "....."]]}, "prize": 1},
    )
    game = GamePlan.model_validate(
        {"name": "x", "stages": [{**stage, "prize": 1} for stage in stages]}
    )
    assert [*stage_names(game, ENGLISH).values()] == [
        "Full house",
        "Full house 2",
        "Line",
        "My kite",
    ]
    assert stage_names(game, load_wording("it"))["full"] == load_wording("it").screen["full"]


def test_of_games_at_the_table_no_sale_is_told() -> None:
    """For them no card is sold and no prize is carried: an evening of them alone has no such rules,
    and no line in the money."""
    seated, sold = (
        GamePlan(name="Ten knobs", method="loto-second"),
        GamePlan(name="Hall", price=100),
    )
    table, mixed = Programme(name="a", games=(seated,)), Programme(name="b", games=(seated, sold))
    assert (rules_of(table, POUNDS), laid_out(table, 120)) == ((), ())
    layouts = laid_out(mixed, 120)
    assert len(rules_of(mixed, POUNDS)) == len(layouts) == 2
    assert [row[:2] for row in money(mixed, 120, layouts).rows] == [(2, 12_000)]


@pytest.mark.long
@pytest.mark.parametrize("path", SHIPPED_FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_the_evening_is_printed(path: Path, size: str) -> None:
    """Every game, stage, prize, note and rule is on the pages, and nothing outside of them; the
    same again, byte for byte."""
    programme = load_programme(path)
    pdf = print_programme(programme, POUNDS, ENGLISH, "Village Hall", 120, size)
    assert pdf == print_programme(programme, POUNDS, ENGLISH, "Village Hall", 120, size)
    pages = read(pdf)
    text = "".join("".join(page.text.split()) for page in pages)
    for game in games_of(programme, POUNDS, ENGLISH):
        wanted = [
            f"{game.number}. {game.name}",
            *game.notes,
            *(word for stage in game.stages for word in (stage.name, stage.prize)),
        ]
        assert all("".join(word.split()) in text for word in wanted)
    assert all("".join(rule.split()) in text for rule in rules_of(programme, POUNDS))
    assert f"page{len(pages)}of{len(pages)}" in text
    for page in pages:
        assert all(0 < x < page.size[0] and 0 < y < page.size[1] for x, y, _ in page.words)
        assert all(0 <= x <= page.size[0] and 0 <= y <= page.size[1] for x, y in page.moves)


def test_a_theme_is_named() -> None:
    """Who reads the sheet knows that pictures are played, in a game for the hall and in one at the
    table; others say nothing."""
    programme = Programme(
        name="x",
        games=(
            GamePlan(name="a", theme="picture"),
            GamePlan(name="b", theme="historical", method="loto-second"),
            GamePlan(name="c"),
        ),
    )
    notes = [" ".join(sheet.notes) for sheet in games_of(programme, POUNDS, load_wording())]
    assert [
        "the theme picture" in notes[0],
        "the theme historical" in notes[1],
        "theme" in notes[2],
    ] == [True, True, False]


# -- the commands ----------------------------------------------------------------------------------


def loto(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


def test_the_commands_say_good_and_faulty(tmp_path: Path) -> None:
    """Exit code 0 for good, also with advice; 2 for faults, all of them; a name that ships stands
    for its file."""
    good, faulty = tmp_path / "good.toml", tmp_path / "faulty.toml"
    good.write_text("name = 'x'\n[[games]]\nname = 'a'\n")
    faulty.write_text("name = 'x'\nodd = 1\n[[games]]\nname = 'a'\nprice = -1\n")
    done = loto("programme", "check", str(good))
    assert done.exit_code == 0
    assert "advice: game 1 (a)" in done.output
    assert "no faults" in loto("programme", "check", "tambola").output
    done = loto("programme", "check", str(faulty))
    assert [
        str(done.exception).count(word) for word in ("2 faults", "price: it is -1", "odd: it is 1")
    ] == [1, 1, 1]
    assert done.exception.exit_code == 2
    done = loto("programme", "check", "--json", str(faulty))
    assert done.exit_code == 2
    assert [fault["place"] for fault in json.loads(done.output)["faults"]] == [
        "game 1 (a), price",
        "odd",
    ]
    assert "tambola" in str(loto("programme", "show", "no-such").exception)


def test_the_evening_is_shown_in_all_ways(tmp_path: Path) -> None:
    """In words, for programs, on paper; without a file it is the settings' programme."""
    assert "An evening of Loto" in loto("programme", "show").output
    shown = loto("programme", "show", "own-patterns", "--sold", "10").output
    assert "..#.." in shown
    assert "With 10 cards sold" in shown
    data = json.loads(loto("programme", "show", "hall-bingo", "--sold", "120", "--json").output)
    assert data["money"][4]["played_for"] == 10000
    assert data["games"][3]["stages"][1]["prize"] == "the hamper from the village shop"
    target = tmp_path / "evening.pdf"
    assert loto("programme", "show", "hall-bingo", "--out", str(target)).exit_code == 0
    assert "Friday bingo" in read(target.read_bytes())[0].text
