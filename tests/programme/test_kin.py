"""The kin of Loto, tombola, quine, bingo, tambola: their stages in a programme, games of each, how
their prizes are told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import reduce
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from station.cards.pack import make_pack
from station.commands.app import app
from station.night.acts import Act, ClaimCard, ClaimTicket, DrawKnob, Open, PlayOn, Sell
from station.night.hall import Hall, apply
from station.odds.rehearsal.night import Rehearsal
from station.odds.rehearsal.ranks import NEVER
from station.odds.rehearsal.stages import Cards
from station.paper.programme_sheet import evening
from station.programme.check import advice, check, load_programme
from station.programme.kin import SHIPPED as KIN_FILES
from station.programme.kin import KinStage, kin_keys, load_kin
from station.programme.programme import SHIPPED, GamePlan, Programme, StagePlan
from station.rules.patterns import PATTERNS
from station.views.announcing import announcement
from station.views.billboard import words
from station.views.money_text import Currency
from station.views.naming import Naming
from station.views.views import BoardContext, board, stage_name
from station.wire.board_view import Verdict
from station.wire.wording import languages, load_wording
from tests.night.test_hall import PACK, A, B, row

ENGLISH = load_wording("en")
DOCUMENT = (Path(__file__).parents[2] / "docs" / "programme.md").read_text(encoding="utf-8")
KIN = {key: load_kin(key) for key in kin_keys()}


def game_of(kin: str, **more: Any) -> GamePlan:
    return GamePlan.model_validate({"name": "Game", "kin": kin, "price": 100, **more})


def night(*games: GamePlan) -> Programme:
    return Programme(name="A night", games=games)


# -- the files and the programme -------------------------------------------------------------------

WORDS: Mapping[str, tuple[str, ...]] = {
    "bingo": ("one-line", "two-lines", "house"),
    "quine": ("quine", "double-quine", "carton-plein"),
    "tambola": (
        "early-five",
        "top-line",
        "middle-line",
        "bottom-line",
        "four-corners",
        "full-house",
        "second-house",
    ),
    "tombola": ("ambo", "terno", "quaterna", "cinquina", "tombola", "tombolino"),
}


def test_there_are_these_kin() -> None:
    """Each with its prizes, in a language that the station speaks; only tambola has them all open
    at once."""
    assert {key: kin.words for key, kin in KIN.items()} == WORDS
    assert {kin.language for kin in KIN.values()} <= set(languages())
    assert [key for key, kin in KIN.items() if kin.at_once] == ["tambola"]


@pytest.mark.parametrize("language", languages())
def test_a_kins_prizes_are_told_in_the_halls_language(language: str) -> None:
    """On screen and aloud: each by its own word there, no two alike; in the kin's language by the
    word of its file. A name that a hall gave stays."""
    wording = load_wording(language)
    for key, kin in KIN.items():
        plan = game_of(key)
        told = [stage_name(plan, stage, wording) for stage in plan.keys]
        assert len(set(told)) == len(told)
        if kin.language == language:
            assert told == [stage.name for stage in kin.stages if not stage.extra]
        if language in ("ru", "hi"):
            assert not re.search("[A-Za-z]", " ".join(told))
    own = game_of("tambola", prizes={"top-line": {"share": 10, "name": "Grandma's prize"}})
    assert stage_name(own, "top-row", wording) == "Grandma's prize"


@pytest.mark.parametrize("kin", ["tombola", "quine"])
def test_a_hall_at_home_has_its_own_words(kin: str) -> None:
    """Where a kin is at home the hall's language has the same words for its prizes, and so the
    voice has a clip of each."""
    stages = [stage for stage in KIN[kin].stages if not stage.extra]
    screen = load_wording(KIN[kin].language).screen
    assert [stage.name for stage in stages] == [screen[stage.pattern] for stage in stages]


@pytest.mark.parametrize("kin", KIN)
def test_a_game_of_a_kin_is_good(kin: str) -> None:
    """Without faults or advice, its stages by name and share those of the file, the extra ones left
    out; shown so."""
    programme, faults = check({"name": "x", "games": [{"name": "g", "kin": kin, "price": 100}]})
    assert programme is not None, faults
    assert advice(programme) == ()
    [game] = programme.games
    played = [stage for stage in KIN[kin].stages if not stage.extra]
    assert [(stage.pattern, stage.name, stage.share) for stage in game.stages] == [
        (stage.pattern, stage.name, stage.share) for stage in played
    ]
    assert (game.at_once, game.stages[-1].rest) == (KIN[kin].at_once, True)
    shown = evening(programme, Currency(), ENGLISH)
    assert list(shown.column("stage")) == [stage.name for stage in played]


@pytest.mark.parametrize("kin", KIN)
def test_the_stages_are_written_out(kin: str) -> None:
    """What a night keeps has them all, and reads back as the same programme, even where there is no
    such kin any more."""
    programme = night(game_of(kin))
    kept = json.loads(programme.to_json())
    assert [stage["name"] for stage in kept["games"][0]["stages"]] == [
        stage.name for stage in programme.games[0].stages
    ]
    again = Programme.model_validate(kept)
    assert (again, again.digest) == (programme, programme.digest)
    kept["games"][0]["kin"] = "of-long-ago"
    assert Programme.model_validate(kept).games[0].stages == programme.games[0].stages


GIVEN = {
    "a share in place of the usual one": ("tombola", {"ambo": {"share": 8}}, "ambo", {"share": 8}),
    "a fixed prize": ("bingo", {"one-line": {"prize": 500}}, "row", {"share": None, "prize": 500}),
    "a thing": ("quine", {"quine": {"thing": "a ham"}}, "row", {"share": None, "thing": "a ham"}),
    "a thing and money": (
        "quine",
        {"quine": {"thing": "a ham", "share": 5}},
        "row",
        {"share": 5, "thing": "a ham"},
    ),
    "at least so much, with the usual share": (
        "tombola",
        {"terno": {"least": 50}},
        "terno",
        {"share": 10, "least": 50},
    ),
    "at least so much, of the rest": (
        "bingo",
        {"house": {"least": 50}},
        "full",
        {"share": None, "least": 50},
    ),
    "another name": (
        "tombola",
        {"cinquina": {"name": "Quintina"}},
        "row",
        {"share": 25, "name": "Quintina"},
    ),
    "the second card to be full": (
        "tombola",
        {"tombolino": {"share": 9}},
        "full-2",
        {"share": 9, "name": "Tombolino"},
    ),
    "a second house": (
        "tambola",
        {"second-house": {"prize": 9}},
        "full-2",
        {"prize": 9, "name": "Second house"},
    ),
}


@pytest.mark.parametrize(("kin", "prizes", "key", "wanted"), GIVEN.values(), ids=GIVEN)
def test_a_game_changes_single_prizes(
    kin: str, prizes: dict[str, Any], key: str, wanted: dict[str, Any]
) -> None:
    """Share, prize or thing stand in place of the usual share, the rest is besides it; all others
    stay as they are."""
    game, usual = game_of(kin, prizes=prizes), game_of(kin)
    stage = game.stages[game.keys.index(key)]
    assert {name: getattr(stage, name) for name in wanted} == wanted
    assert {
        other: found for other, found in zip(game.keys, game.stages, strict=True) if other != key
    } == {
        other: found for other, found in zip(usual.keys, usual.stages, strict=True) if other != key
    }


FAULTS = {
    "no such kin": (
        {"kin": "tombole"},
        "there is no kin 'tombole'; there are bingo, quine, tambola, tombola",
    ),
    "no word": ({"kin": 3}, "game 1 (g), kin: it is 3; write words in quotation marks"),
    "no such prize": (
        {"kin": "tombola", "prizes": {"abmo": {}}},
        "Tombola has no 'abmo'; it has ambo, terno, ",
    ),
    "no table for a prize": (
        {"kin": "tombola", "prizes": {"ambo": 3}},
        "prizes, ambo: it is 3; a table stands here",
    ),
    "no table of prizes": ({"kin": "tombola", "prizes": []}, "prizes: a table stands here"),
    "another pattern": (
        {"kin": "quine", "prizes": {"quine": {"pattern": "full"}}},
        "Quine says what must be covered",
    ),
    "no such setting": (
        {"kin": "quine", "prizes": {"quine": {"sahre": 1}}},
        "stage 1, sahre: there is no such setting here; did you mean share?",
    ),
    "too much": (
        {"kin": "quine", "prizes": {"quine": {"share": 80}}},
        "the stages take 105 % of the prize fund",
    ),
    "no rest": (
        {"kin": "quine", "prizes": {"carton-plein": {"thing": "a pig"}}},
        "take 50 % of the prize fund: leave one",
    ),
    "prizes of no kin": ({"prizes": {}}, "prizes are for the stages of a kin"),
    "prizes beside stages": (
        {"kin": "quine", "stages": [{"pattern": "row"}], "prizes": {}},
        "prizes are for the stages of a kin",
    ),
    "stakes besides": ({"kin": "quine", "stakes": "whole"}, "stakes or stages, not both"),
    "at the table": ({"kin": "quine", "method": "loto-second"}, "quine is played in the hall"),
    "a slip of the pen": (
        {"kin": "quine", "prizess": {}},
        "prizess: there is no such setting here; did you mean prizes?",
    ),
}


@pytest.mark.parametrize(("game", "says"), FAULTS.values(), ids=FAULTS)
def test_faults_of_a_kin_are_told(game: dict[str, Any], says: str) -> None:
    """With their place, and what there is instead; nothing is played of it."""
    programme, faults = check({"name": "x", "games": [{"name": "g", **game}]})
    assert programme is None
    assert len(faults) == 1
    assert says in str(faults[0])


def test_the_document_has_every_kin() -> None:
    """A row each: its prizes in order, their usual shares, the extra ones last without one."""
    rows = dict(
        re.findall(
            r'^\| `"([a-z]+)"` \| (.*) \| (?:one after the other|all at once) \|$',
            DOCUMENT,
            re.MULTILINE,
        )
    )
    assert rows == {key: _told(kin.stages) for key, kin in KIN.items()}


def _told(stages: tuple[KinStage, ...]) -> str:
    usual = [
        f"`{stage.word}` {'the rest' if stage.share is None else f'{stage.share:g}'}"
        for stage in stages
        if not stage.extra
    ]
    return "; ".join([", ".join(usual), *(f"`{stage.word}`" for stage in stages if stage.extra)])


def test_the_command_names_them() -> None:
    """A line for each prize; as JSON what stands in the files, with the words that a programme
    uses."""
    told = CliRunner().invoke(app, ["programme", "kin", "--json"])
    assert told.exit_code == 0
    listed = {kin.pop("key"): kin for kin in json.loads(told.output)}
    assert {key: [stage["word"] for stage in kin["stages"]] for key, kin in listed.items()} == {
        key: [*words] for key, words in WORDS.items()
    }
    assert {key: kin["language"] for key, kin in listed.items()} == {
        key: kin.language for key, kin in KIN.items()
    }
    shown = CliRunner().invoke(app, ["programme", "kin"]).output
    assert all(stage.word in shown for kin in KIN.values() for stage in kin.stages)


@pytest.mark.parametrize("kin", KIN)
def test_every_kin_has_a_programme_that_ships(kin: str) -> None:
    """Called as the kin is, every game of it is of that kin; and a file says where its shares come
    from."""
    assert {game.kin for game in load_programme(SHIPPED / f"{kin}.toml").games} == {kin}
    assert (KIN_FILES / f"{kin}.toml").read_text(encoding="utf-8").startswith("# ")


# -- played ----------------------------------------------------------------------------------------


def hall_of(plan: GamePlan, *acts: Act, last_number: bool = True) -> Hall:
    """A night of one game, A sold to Anna and B to Ben, after these acts."""
    sold = (Sell(serials=(A,), to="Anna"), Sell(serials=(B,), to="Ben"))
    return reduce(apply, (*sold, Open(), *acts), Hall(PACK, night(plan), last_number=last_number))


TOP = row(A)


def test_one_card_goes_from_the_ambo_to_the_tombola() -> None:
    """The same row wins ambo, terno, quaterna and cinquina, each on its own number; then the card
    the tombola."""
    acts: list[Act] = [TOP[0]]
    for draw in TOP[1:]:
        acts += [draw, ClaimCard(serial=A), PlayOn()]
    hall = hall_of(game_of("tombola"), *acts, *row(A, 1), *row(A, 2), ClaimCard(serial=A), PlayOn())
    assert hall.last_sold is not None
    assert [(win.stage, win.serial, win.amount, win.calls) for win in hall.last_sold.wins] == [
        ("ambo", A, 10, 2),
        ("terno", A, 20, 3),
        ("quaterna", A, 40, 4),
        ("row", A, 50, 5),
        ("full", A, 80, 15),
    ]


def test_the_tombolino_is_for_the_second_card() -> None:
    """Whoever had the tombola cannot have it; the next full card has."""
    plan = game_of("tombola", prizes={"tombolino": {"share": 10}})
    acts: list[Act] = [TOP[0]]
    for draw in TOP[1:]:
        acts += [draw, ClaimCard(serial=A), PlayOn()]
    hall = hall_of(plan, *acts, *row(A, 1), *row(A, 2), ClaimCard(serial=A), PlayOn())
    assert apply(hall, ClaimCard(serial=A)).last_sold.claims[-1].verdict == Verdict.ALREADY_WON
    called = set(hall.last_sold.called)
    rest = [
        DrawKnob(number=number) for number in sorted(hall.last_sold.setup.cards[B].numbers - called)
    ]
    won = reduce(apply, (*rest, ClaimCard(serial=B), PlayOn()), hall)
    assert [(win.stage, win.serial, win.amount) for win in won.last_sold.wins][-2:] == [
        ("full", A, 60),
        ("full-2", B, 20),
    ]


VERDICTS = [
    ("two of a row, on the second", TOP[:2], ClaimCard(serial=A), "valid", "valid"),
    (
        "two of the card, of two rows",
        (TOP[0], row(A, 1)[0]),
        ClaimCard(serial=A),
        "not-complete",
        "not-complete",
    ),
    ("one", TOP[:1], ClaimCard(serial=A), "not-complete", "not-complete"),
    ("three of a row: the ambo was before", TOP[:3], ClaimCard(serial=A), "late", "valid"),
    (
        "two of another row, on the second",
        (*TOP[:3], *row(A, 1)[:2]),
        ClaimCard(serial=A),
        "valid",
        "valid",
    ),
    ("a ticket of two numbers", TOP[:2], ClaimTicket(numbers=(5, 11)), "valid", "valid"),
    ("a ticket's row of five", TOP[:2], ClaimTicket(numbers=(5, 11, 33, 50, 76)), "valid", "valid"),
    (
        "a ticket's row, one call too late",
        (*TOP[:2], DrawKnob(number=90)),
        ClaimTicket(numbers=(5, 11)),
        "late",
        "valid",
    ),
    (
        "a ticket's row of which one is called",
        TOP[:1],
        ClaimTicket(numbers=(5, 11, 33)),
        "not-complete",
        "not-complete",
    ),
]


@pytest.mark.parametrize(
    ("calls", "claim", "verdict", "later"),
    [case[1:] for case in VERDICTS],
    ids=[case[0] for case in VERDICTS],
)
def test_an_ambo_is_judged(calls: tuple[Act, ...], claim: Act, verdict: str, later: str) -> None:
    """Two numbers of one row, the last number one of them; or whenever, where the hall's rules say
    so."""
    for last_number, wanted in ((True, verdict), (False, later)):
        hall = hall_of(game_of("tombola", tickets=True), *calls, claim, last_number=last_number)
        assert hall.last_sold is not None
        assert hall.last_sold.claims[-1].verdict == wanted


PICTURES = {
    "ambo": ("#.#..", ".....", "....."),
    "terno": ("##.#.", ".....", "....."),
    "quaterna": ("####.", ".....", "....."),
}


@pytest.mark.parametrize("key", PICTURES)
def test_what_is_wanted_is_drawn(key: str) -> None:
    """As many places of one row as are needed; and all three rows are among the ways, with that
    many of five."""
    view = board(
        hall_of(GamePlan(name="g", stages=(StagePlan(pattern=key),))), BoardContext(ENGLISH)
    )
    assert view.stage is not None
    assert view.stage.picture == PICTURES[key]
    assert [("".join(way.card).count("#"), way.need) for way in view.stage.ways] == [
        (5, PATTERNS[key].length)
    ] * 3


@pytest.mark.parametrize("kin", KIN)
def test_a_kin_is_rehearsed(kin: str) -> None:
    """Every prize is won in every night; in turn never before the one before it, and the sums are
    all that was paid."""
    programme, cards = night(game_of(kin)), Cards(make_pack(4, Random(5)).numbers)
    nights = Rehearsal(programme, cards, 40).play(0)
    assert (nights.calls != NEVER).all()
    if not KIN[kin].at_once:
        assert all(
            (nights.calls[:, one] <= nights.calls[:, other]).all()
            for one, other in pairwise(range(nights.calls.shape[1]))
        )
    assert (nights.paid.sum(axis=1) + nights.carried == len(cards.numbers) * 100).all()


# -- told ------------------------------------------------------------------------------------------


def told(language: str, plan: GamePlan, act: Act, before: Hall, ready: bool = True) -> str:
    """What the hall hears of an act, where the voice makes every clip that it is asked for; or
    none."""
    naming = Naming(
        load_wording(language),
        "Hall",
        (lambda text: f"named.{text}") if ready else (lambda text: None),
    )
    after = apply(before, act)
    return naming.sentence(naming.with_names(announcement(act, before, after), act, after))


WON_A_LINE = (*TOP, ClaimCard(serial=A))
TWO_LINES = (*WON_A_LINE, PlayOn(), *row(A, 1), ClaimCard(serial=A))
TOLD = {
    "a French prize in an English hall": ("en", "quine", (), Open(),
                                          "Eyes down. Playing for: Quine!"),
    "in a French hall the voice has it": ("fr", "quine", (), Open(), "{eyes-down} {playing-row}"),
    "won, and the next one": ("en", "quine", WON_A_LINE, PlayOn(),
                              "Quine! The prize is won. Playing for: Double quine!"),
    "the second one won": (
        "en", "quine", TWO_LINES, PlayOn(),
        "Double quine! The prize is won. Playing for: Carton plein!",
    ),
    "an Italian prize": ("en", "tombola", (), Open(), "Eyes down. Playing for: Ambo!"),
    "in an Italian hall": ("it", "tombola", (), Open(), "{eyes-down} {playing-ambo}"),
    "all at once": ("en", "tambola", (), Open(), "Eyes down. All prizes can be won from now on."),
    "several at once": (
        "en", "tambola", WON_A_LINE, PlayOn(),
        "{won-early-five} {won-top-row} Play on.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("language", "kin", "acts", "act", "says"), TOLD.values(), ids=TOLD)
def test_prizes_are_told_by_their_names(
    language: str, kin: str, acts: tuple[Act, ...], act: Act, says: str
) -> None:
    """Where the voice has a clip with the name; without it, and where the hall's own word is the
    same, what is to be covered."""
    plan = game_of(kin)
    before = hall_of(plan, *acts) if acts else Hall(PACK, night(plan))
    phrases = load_wording(language).phrases
    assert told(language, plan, act, before) == re.sub(
        r"\{([a-z-]+)\}", lambda key: phrases[key[1]], says
    )
    plain = announcement(act, before, apply(before, act))
    assert told(language, plan, act, before, ready=False) == " ".join(
        phrases[clip] for clip in plain
    )


def test_the_board_says_which_prize_was_won_last() -> None:
    """By its name, when all are won; a prize that is of no kin by the phrase of its pattern."""
    for plan, says in (
        (
            game_of("bingo", stages=[{"pattern": "row", "name": "One line"}]),
            "One line! The prize is won.",
        ),
        (
            GamePlan(name="g", stages=(StagePlan(pattern="row", name="One line"),)),
            ENGLISH.phrases["won-row"],
        ),
    ):
        assert words(hall_of(plan, *WON_A_LINE, PlayOn()), ENGLISH, "Hall", Currency()) == says


def test_the_names_are_asked_for_before_they_are_wanted() -> None:
    """Between games those of the next one: both sentences of each prize that the hall calls
    otherwise; of no other game."""
    asked: list[str] = []
    naming = Naming(ENGLISH, "Hall", lambda text: asked.append(text))
    [*naming.prepare(Hall(PACK, night(game_of("bingo"))))]
    assert asked == [
        sentence
        for name in ("House",)
        for sentence in (f"Playing for: {name}!", f"{name}! The prize is won.")
    ]
    asked.clear()
    named = GamePlan(name="g", stages=(StagePlan(pattern="row", name="Line"),))
    [*naming.prepare(Hall(PACK, night(named)))]
    assert asked == []
