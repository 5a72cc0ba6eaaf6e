"""The tag table: written and read again, every fault of a mended file named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.base.errors import Unreadable
from station.base.nouns import PACK
from station.settings.tags import (
    FILE,
    TagTable,
    load_table,
    missing_knobs,
    save_tags,
    table_from,
    to_toml,
)

TABLES = st.dictionaries(st.integers(0, 2**32 - 1), st.integers(1, 90))


@given(TABLES)
def test_a_table_comes_back_from_its_text(tags):
    """Any table; the knobs stand in order, the tags as they are printed on the tag, ten digits."""
    text = to_toml(tags)
    assert table_from(text).knobs == tags
    lines = [line.split(" = ") for line in text.splitlines() if line.startswith('"')]
    assert [int(knob) for _, knob in lines] == sorted(tags.values())
    assert all(len(tag) == len('"0006547886"') for tag, _ in lines)


@given(TABLES, st.dictionaries(st.integers(0, 2**80 - 1), st.integers(0, 90)))
def test_spares_come_back(tags, spares):
    """A spare has a number or none; one that has a number is known by it; a tag is never in the set
    and a spare at once."""
    spares = {tag: knob for tag, knob in spares.items() if tag not in tags}
    table = table_from(to_toml(tags, spares))
    assert (table.tags, table.spares) == (tags, spares)
    assert table_from(to_toml(tags, spares)).knobs == {
        **tags,
        **{tag: knob for tag, knob in spares.items() if knob},
    }


def test_a_table_of_knobs_alone_has_no_format_line():
    """It has format 1; a format that nobody knows is refused by name."""
    text = (
        "# Which tag sits in which knob: the tag's number, ten digits as printed on it = the knob."
        ' Made by: loto enrol\n\n[tags]\n"0006547886" = 42\n'
    )
    assert to_toml({6547886: 42}) == text
    assert table_from(text) == TagTable({6547886: 42}, {})
    assert table_from(f"format = 1\n{text}").tags == {6547886: 42}
    for version in ("4", "true", '"2"'):
        with pytest.raises(Unreadable, match="knows 1 to 3"):
            table_from(f"format = {version}\n{text}")


@given(
    st.dictionaries(
        st.from_regex(r"[a-z0-9][a-z0-9-]{0,19}", fullmatch=True), st.sets(st.sampled_from(PACK))
    ),
    TABLES,
)
def test_playing_cards_come_back(packs, tags):
    """Any packs with any of their cards, beside any knobs; each tag names its pack and its face."""
    first, cards = 2**40, {}
    for name, faces in packs.items():
        cards[name] = {first + place: face for place, face in enumerate(sorted(faces))}
        first += len(faces)
    table = table_from(to_toml(tags, None, cards))
    assert (table.tags, table.packs) == (tags, cards)
    assert table.cards == {
        tag: (name, face) for name, pack in cards.items() for tag, face in pack.items()
    }


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ('[packs.blue]\n"5" = "KD"', "5 stands twice"),
        ('[packs.blue]\n"7" = "1D"', "no playing card '1D'"),
        ('[packs.blue]\n"7" = 42', "no playing card 42"),
        ('[packs.blue]\n"7" = "KD"\n"8" = "KD"', "has KD twice"),
        ('[packs.blue]\n"7" = "KD"\n[packs.red]\n"7" = "KD"', "7 stands twice"),
        ('[packs."Blue!"]\n"7" = "KD"', "cannot be called 'Blue!'"),
        ("[packs]\nblue = 3", "there must be a table"),
    ],
)
def test_faults_among_the_cards(cards, says):
    """A tag in two things, a card that there is none of, one card with two tags, a name that is
    none."""
    with pytest.raises(Unreadable, match=says):
        table_from(f'format = 3\n[tags]\n"5" = 1\n{cards}\n')


@pytest.mark.parametrize(
    ("spares", "says"),
    [
        ('"5" = 3', "stands twice"),
        ('"6" = 91', "no knob 91"),
        ('"x" = 0', "'x' is not a tag's number"),
    ],
)
def test_faults_among_the_spares(spares, says):
    """A tag of the set that is a spare besides, a knob there is not, a tag that is none."""
    with pytest.raises(Unreadable, match=says):
        table_from(f'[tags]\n"5" = 1\n[spares]\n{spares}\n')


@given(TABLES)
def test_the_knobs_without_a_tag(tags):
    """Together with those that have one, they are the ninety."""
    missing = missing_knobs(tags)
    assert sorted({*missing, *tags.values()}) == [*range(1, 91)]
    assert not set(missing) & set(tags.values())


def test_every_fault_is_named():
    """A letter, too large a number, knob 0 or 91, a knob in quotes, a yes, a tag twice: one line
    each."""
    text = """[tags]
"0006547886" = 42
"6547886" = 43
"00x" = 1
"9999999999999999999999999" = 2
"3" = 0
"4" = 91
"5" = "5"
"6" = true
"٣" = 7
"""
    with pytest.raises(Unreadable) as caught:
        table_from(text, "mine.toml")
    told = str(caught.value).splitlines()
    assert len(told) == 8
    assert all(line.startswith("mine.toml: tag ") for line in told)
    for line, says in zip(
        told,
        [
            "stands twice",
            "'00x'",
            "9999999999999999999999999",
            "knob 0;",
            "knob 91;",
            "'5'",
            "True",
            "'٣'",
        ],
        strict=True,
    ):
        assert says in line


@pytest.mark.parametrize(
    "text", ['"1" = ', "tags = 5", '[[tags]]\n"1" = 2', "[knobs]\n1 = 2", "[tags]\n[knobs]"]
)
def test_what_is_no_table_is_refused(text):
    """Not TOML, `tags` that is no table, and tables of another name: refused by name, not taken for
    "no tags"."""
    with pytest.raises(Unreadable, match="mine"):
        table_from(text, "mine.toml")


def test_a_table_is_kept_in_the_state_folder(tmp_path):
    """None at first; what was saved is loaded, also over an older one; an unreadable file is named,
    with what to do."""
    assert load_table(tmp_path).knobs == {}
    save_tags(tmp_path, {1: 1})
    save_tags(tmp_path, {6547886: 42})
    assert load_table(tmp_path).knobs == {6547886: 42}
    (tmp_path / FILE).write_bytes(b"\xff")
    with pytest.raises(Unreadable, match=r"tags\.toml: cannot be read .* enrol the knobs again"):
        load_table(tmp_path)
