"""What the desk says, in which style, before what else, and with whose name."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import DeviceFound, DeviceLost, Pressed, Rank, SoundEnded
from station.base.nouns import Style
from station.calling.outputs import rank_of
from station.cards.pack import make_pack
from station.night.acts import (
    Act,
    ClaimCard,
    ClaimTicket,
    DrawKnob,
    DrawLots,
    Open,
    PlayOn,
    Sell,
    StopGame,
    Undo,
)
from station.night.hall import Hall, apply
from station.programme.programme import GamePlan, OwnPattern, Programme, StagePlan
from station.views.naming import MOST_NAMES, Naming
from station.views.views import number_clips
from station.wire.wording import languages, load_wording
from tests.support import PROGRAMME, Table, run_by_hand, settle, table_in

Work = Callable[[Table], Coroutine[Any, Any, None]]
WORDING = load_wording("en")
DRAW, CLAIM = Pressed("draw", 0.0), Pressed("claim", 0.0)
HIGH = {DrawKnob: Rank.NUMBER, Undo: Rank.NUMBER, StopGame: Rank.STOP} | dict.fromkeys(
    (ClaimCard, ClaimTicket, PlayOn, DrawLots), Rank.VERDICT
)


@pytest.fixture
def at_table(tmp_path: Path) -> Callable[..., None]:
    """Runs a test at a table; the strip of cards is Anna's."""

    def run_it(work: Work, *, names: dict[str, str] | None = None, **settings: Any) -> None:
        async def whole(table: Table) -> None:
            await table.wish(
                "sell", serials=["0001", "0002", "0003", "0004", "0005", "0006"], to="Anna"
            )
            await work(table)
            await settle()
            await table.desk.close()

        with table_in(tmp_path, **settings) as table:
            table.outputs.names.update(names or {})
            run_by_hand(whole(table))

    return run_it


# -- ranks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", Act.__args__)
def test_the_rank_of_every_act(act: Any) -> None:
    """Number before stop before verdict before all the rest."""
    assert rank_of(act.model_construct()) is HIGH.get(act, Rank.CHATTER)


def test_what_is_said_has_its_rank(at_table: Any) -> None:
    """From the welcome to the halt, each announcement goes to the voice with the rank of what it
    is."""

    async def work(table: Table) -> None:
        table.desk.begin(resumed=False)
        await table.wish("open")
        await table.receive(DRAW)
        await table.heard()
        await table.wish("repeat")
        await table.receive(CLAIM)
        await table.wish("claim", serial="0001")
        await table.wish("play-on")
        await table.wish("undo", why="test")
        ranks = dict(zip(table.outputs.said, table.outputs.ranks, strict=True))
        number = table.told[-1].before.last_sold.called[-1]
        assert ranks == {
            ("welcome",): Rank.CHATTER,
            ("eyes-down", "playing-row"): Rank.CHATTER,
            (f"number.{number}",): Rank.NUMBER,
            ("last-number", f"number.{number}"): Rank.NUMBER,
            ("stop",): Rank.STOP,
            ("not-valid",): Rank.VERDICT,
            ("play-on",): Rank.VERDICT,
            (f"number.{number}", "not-called"): Rank.NUMBER,
        }

    at_table(work)


def test_what_nobody_heard_is_said_again_as_a_number(at_table: Any) -> None:
    """The number that is said again when the voice is back goes before all else, too."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.receive(DRAW)
        await table.receive(SoundEnded(table.outputs.unheard[-1], False, 0.0))
        await table.receive(DeviceLost("speech", "gone", 0.0), DeviceFound("speech", 0.0))
        assert (table.outputs.said[-1][0], table.outputs.ranks[-1]) == ("last-number", Rank.NUMBER)

    at_table(work)


# -- styles ----------------------------------------------------------------------------------------


@given(
    st.integers(1, 90),
    st.sampled_from(Style),
    st.sets(st.integers(1, 90)),
    st.sampled_from(languages()),
)
def test_every_call_ends_in_its_number(
    number: int, style: Style, sayings: set[int], language: str
) -> None:
    """In every style and language the last words are the number's (or its digits, which follow
    it)."""
    texts = load_wording(language).clips("sayings")
    sayings &= set(load_wording(language).sayings)
    clips = number_clips(number, style, sayings)
    assert all(clip in texts or clip == "pause" for clip in clips)
    if style is Style.DIGITS and len(clips) > 1:
        said = "".join(clip.removeprefix("number.") for clip in clips).replace("nought", "0")
        assert said == f"{number}{number}"
    else:
        assert texts[clips[-1]].lower().endswith(texts[f"number.{number}"].lower())


@pytest.mark.parametrize(
    ("style", "clips"),
    [
        (Style.PLAIN, ("number.{}",)),
        (Style.DOUBLE, ("number.{}", "pause", "number.{}")),
        (Style.SAYINGS, ("saying.{}",)),
    ],
)
def test_the_style_reaches_the_voice(at_table: Any, style: Style, clips: tuple[str, ...]) -> None:
    """The chime, if it is wanted, and the number in the style that is set; a page is given only
    what it can play."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.receive(DRAW)
        said = ("chime", *(clip.format(table.calls[-1]) for clip in clips))
        assert table.outputs.said[-1] == said
        assert table.outputs.view.say.clips == tuple(clip for clip in said if clip != "pause")

    at_table(work, style=style, chime=True, sayings=frozenset(range(1, 91)))


def test_a_chime_without_a_voice(at_table: Any) -> None:
    """Where a person calls, the station sounds its chime with each number and says nothing: not
    the opening, a repeat, a stop or a verdict. Each is shown all the same, and play does not wait
    for words that nobody says; the sound can be muted."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await settle()
        assert table.outputs.said == []
        assert table.outputs.view.notice.startswith("Eyes down")
        await table.receive(DRAW)
        assert table.outputs.said == [("chime",)]
        assert table.outputs.view.say.clips == ("chime",)
        [number] = table.calls
        assert table.outputs.view.say.text == WORDING.sentence((f"number.{number}",))
        assert table.outputs.view.calling, "the chime has not ended"
        await table.heard()
        assert not table.outputs.view.calling
        await table.wish("repeat")
        assert table.outputs.view.say.clips == ()
        await table.receive(CLAIM)
        assert (table.outputs.said, table.outputs.view.say.clips) == ([("chime",)], ())
        assert table.outputs.view.notice == WORDING.sentence(("stop",))
        await table.wish("mute", on=True)
        assert ("volume", 0.0) in table.outputs.log

    at_table(work, style=Style.CHIME)


def test_a_saying_that_the_voice_has_not_is_called_plainly(at_table: Any) -> None:
    """Where the pack has no saying of a number, the number is called: never a chime in its
    place."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.receive(DRAW)
        assert table.outputs.said[-1] == (f"number.{table.calls[-1]}",)

    at_table(work, style=Style.SAYINGS, sayings=frozenset())


LACKING = {f"saying.{number}": f"Saying of {number}" for number in range(1, 91)}


def test_a_saying_that_was_made_on_the_spot_is_called(at_table: Any) -> None:
    """A saying that no pack has is said once the voice has made it; a page, which has not its clip,
    says the number, and shows the words."""
    made = {text: f"name.{clip}" for clip, text in LACKING.items()}

    async def work(table: Table) -> None:
        await table.wish("open")
        await table.receive(DRAW)
        number = table.calls[-1]
        assert table.outputs.said[-1] == (f"name.saying.{number}",)
        say = table.outputs.view.say
        assert (say.clips, say.text) == ((f"number.{number}",), f"Saying of {number}")

    at_table(work, names=made, style=Style.SAYINGS, lacking=LACKING)


@pytest.mark.parametrize(("makes", "says"), [(True, "is learning"), (False, "install")])
def test_words_that_the_voice_has_not_are_a_sign(at_table: Any, makes: bool, says: str) -> None:
    """The sign counts them, is amber, and says what comes of it; it goes when the voice has made
    them, and a call is plain until then."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await settle()
        [sign] = [sign for sign in table.outputs.view.signs if sign.device == "speech words"]
        assert (sign.colour, "90 of its words" in sign.text, says in sign.text) == (
            "amber",
            True,
            True,
        )
        await table.receive(DRAW)
        assert table.outputs.said[-1] == (f"number.{table.calls[-1]}",)
        await table.receive(DeviceFound("speech words", 0.0))
        assert not table.outputs.view.signs

    at_table(work, style=Style.SAYINGS, lacking=LACKING, makes=makes)


def test_words_of_a_theme_that_the_voice_has_not_are_a_sign(at_table: Any) -> None:
    """The ninety words of a game's theme are counted, too, when it opens; not in a game with
    numbers."""
    plans = [GamePlan(name="Pictures", theme="spelling"), GamePlan(name="Numbers")]

    async def work(table: Table) -> None:
        await table.wish("open")
        for _ in WORDING.numbers:  # each word is asked for by itself
            await settle()
        [sign] = table.outputs.view.signs
        assert (sign.device, "90 of its words" in sign.text) == ("speech words", True)
        await table.receive(DeviceFound("speech words", 0.0))
        await table.wish("close", sure=True)
        await table.wish("open")
        for _ in WORDING.numbers:
            await settle()
        assert not table.outputs.view.signs

    at_table(work, makes=True, programme=Programme(name="Night", games=tuple(plans)))


def test_a_voice_that_has_all_has_no_sign(at_table: Any) -> None:
    """Nor has a hall without a voice, whatever it lacks."""

    async def work(table: Table) -> None:
        await table.wish("open")
        await settle()
        assert not table.outputs.view.signs

    at_table(work, style=Style.SAYINGS, makes=True)
    at_table(work, style=Style.SAYINGS, lacking=LACKING, makes=None)


# -- names -----------------------------------------------------------------------------------------

ANNA, HALL = "Anna has won.", "Welcome to Hall."


async def win(table: Table) -> None:
    """Anna's strip has every number, so that one of her cards wins a row on the last call."""
    await table.wish("open")
    cards = table.session.hall.last_sold.setup.cards
    serial, card = next(iter(sorted(cards.items())))
    row = [number for number in card.rows[0] if number]
    for number in row:
        await table.wish("draw", number=number)
        await table.heard()
    await table.wish("claim", serial=serial)


def test_the_winner_is_named(at_table: Any) -> None:
    """At a valid claim the winner's name is said after the verdict and shown; a page is not asked
    for a clip it cannot have."""

    async def work(table: Table) -> None:
        await win(table)
        assert table.outputs.said[-1] == ("valid", "name.anna", "any-more")
        say = table.outputs.view.say
        assert (say.clips, say.text) == (
            ("valid", "any-more"),
            "The claim is valid. Anna has won. Any more claims?",
        )

    at_table(work, names={ANNA: "name.anna"})


def test_a_name_that_is_not_ready_is_left_out(at_table: Any) -> None:
    """Nothing waits for a name: the verdict is said without it."""

    async def work(table: Table) -> None:
        await win(table)
        assert table.outputs.said[-1] == ("valid", "any-more")

    at_table(work)


def test_names_are_asked_for_when_the_game_opens() -> None:
    """Every holder of a card in the game, once, long before somebody wins, not all in one breath;
    no more than can be kept."""
    asked: list[str] = []
    naming = Naming(WORDING, "Hall", lambda text: asked.append(text))

    def opened(*holders: str) -> Hall:
        pack = make_pack(-(-len(holders) // 6), Random(1))
        sold = (
            Sell(serials=(serial,), to=name)
            for serial, name in zip(pack.serials, holders, strict=False)
        )
        return reduce(apply, (*sold, Open()), Hall(pack, PROGRAMME))

    counts = [len(asked) for _ in naming.prepare(opened("Bruno", "Anna", "Bruno"))]
    assert (counts, asked) == ([0, 1], ["Anna has won.", "Bruno has won."])
    assert (
        len(list(naming.prepare(opened(*(f"Player {serial}" for serial in range(MOST_NAMES + 9))))))
        == MOST_NAMES
    )
    assert list(naming.prepare(Hall(make_pack(1, Random(1)), PROGRAMME))) == []


KITE = StagePlan(pattern=OwnPattern(name="big-kite", pictures=(("#...#",) * 3,)))
SHAPES = Programme(
    name="p", games=(GamePlan(name="g", stages=(KITE, StagePlan(pattern="full", share=50))),)
)


def test_an_own_pattern_is_named_where_its_name_is_ready() -> None:
    """It is asked for between games, before it is played for, and said after "the next prize";
    never needed."""
    asked: list[str] = []
    between = Hall(make_pack(1, Random(1)), SHAPES)
    opened = apply(between, Open())
    for hall in (between, opened):
        asked.clear()
        naming = Naming(WORDING, "Hall", lambda text: asked.append(text))
        assert (len(list(naming.prepare(hall))), asked) == (1, ["Big kite."])
    said = ("eyes-down", "playing-prize")
    assert naming.with_names(said, Open(), opened) == said
    ready = Naming(WORDING, "Hall", {"Big kite.": "name.kite"}.get)
    assert ready.with_names(said, Open(), opened) == (*said, "name.kite")
    assert (
        ready.sentence((*said, "name.kite")) == "Eyes down. Playing for the next prize. Big kite."
    )


class Asked(dict[str, str]):
    """No clip has a name in it; what was asked for is remembered."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def get(self, text: str, default: Any = None) -> Any:
        self.texts.append(text)
        return default


def test_the_desk_asks_for_all_names(at_table: Any) -> None:
    """Of those who hold cards when a game opens, while other things go on."""

    async def work(table: Table) -> None:
        asked = table.outputs.names = Asked()
        await table.wish("sell", serials=["0007"], to="Bruno")
        await table.wish("open")
        await settle()
        assert asked.texts == ["Anna has won.", "Bruno has won."]

    at_table(work)


@pytest.mark.parametrize(("names", "said"), [({}, "welcome"), ({HALL: "name.hall"}, "name.hall")])
def test_the_hall_is_welcomed_by_its_name(at_table: Any, names: dict[str, str], said: str) -> None:
    """By its name where that is ready, without it else; the text that is shown says which."""

    async def work(table: Table) -> None:
        table.desk.begin(resumed=False)
        assert table.outputs.said[-1] == (said,)
        assert table.outputs.view.notice == (HALL if names else "Welcome.")

    at_table(work, names=names)


def test_the_text_of_clips_and_names() -> None:
    """Names stand in their places among the clips' words, whatever is before and after them."""
    naming = Naming(WORDING, "Hall", {ANNA: "name.anna", HALL: "name.hall"}.get)
    assert naming.welcome() == ("name.hall",)
    assert (
        naming.sentence(("name.hall", "chime", "eyes-down", "name.hall"))
        == "Welcome to Hall. Eyes down. Welcome to Hall."
    )
    assert naming.sentence(()) == ""
