"""A hall's own words lie above those that ship, line by line; a region differs in some lines of its
base; every fault of such a file is named, and none of them stops an evening."""

import re
import tomllib
from pathlib import PosixPath

import pytest

from station.base.errors import Unreadable
from station.wire.wording import (
    FOLDER,
    REGIONS,
    base_of,
    hall_wording,
    languages,
    lines_of,
    load_wording,
    regions,
    shipped_for,
    to_make,
)
from tests.counting import COUNTED, REGIONAL

OWN = """
[numbers]
42 = "Four and two"
[phrases]
eyes-down = "Eyes down, please."
[screen]
full = "House!"
[procedure]
2 = "What this screen shows stands."
[sayings]
7 = "Our Molly"
88 = ""
"""


def own(tmp_path, text=OWN, language="en"):
    (tmp_path / f"{language}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_own_lines_lie_above_the_words_that_ship(tmp_path):
    """What the file says is said, shown and printed; all else is as it ships."""
    shipped, wording = load_wording(), load_wording(own=own(tmp_path))
    assert wording.numbers[42] == "Four and two"
    assert wording.phrases["eyes-down"] == "Eyes down, please."
    assert wording.procedure[1] == "What this screen shows stands."
    assert wording.sayings[7] == "Our Molly, seven"
    assert dict(wording.phrases) == {**shipped.phrases, "eyes-down": "Eyes down, please."}
    assert dict(wording.numbers) == {**shipped.numbers, 42: "Four and two"}
    assert (wording.code, wording.base, shipped.changed) == ("en", "en", {})


def test_a_saying_is_switched_off_number_by_number(tmp_path):
    """An empty saying is none: this number is called plainly, all others as before."""
    shipped, wording = load_wording(), load_wording(own=own(tmp_path))
    assert shipped.sayings.keys() - wording.sayings.keys() == {88}
    assert "saying.88" not in wording.clips("sayings")


def test_only_what_the_hall_changed_goes_to_the_screens(tmp_path):
    """A screen has the words that ship; what differs from them comes with the view."""
    wording = load_wording(own=own(tmp_path))
    assert wording.changed == {"full": "House!"}
    assert load_wording().labelled(wording.changed).screen == wording.screen
    assert load_wording("fr-CH", own=tmp_path).changed == {}


def test_the_clips_to_make_are_those_whose_words_changed(tmp_path):
    """Of a pack in the words that ship: the number, the phrase, and the sayings that are new."""
    spoken = load_wording().clips("sayings")
    wanted = to_make(load_wording(own=own(tmp_path)).clips("sayings"), spoken)
    assert wanted.keys() == {"number.42", "eyes-down", "saying.42", "saying.7"}
    assert to_make(spoken, {}) == spoken
    assert to_make(spoken, spoken) == {}


def test_every_changed_line_is_listed(tmp_path):
    """With what it was; a saying that is off has no text."""
    changed = [line for line in lines_of("en", own(tmp_path)) if line.text != line.shipped]
    assert [(line.table, line.key, line.text, line.shipped) for line in changed] == [
        ("numbers", "42", "Four and two", "Forty-two"),
        ("procedure", "2", "What this screen shows stands.", load_wording().procedure[1]),
        ("phrases", "eyes-down", "Eyes down, please.", "Eyes down."),
        ("screen", "full", "House!", "Full house"),
        ("sayings", "7", "Our Molly", "Lucky seven"),
        ("sayings", "88", "", "Two fat ladies"),
    ]


FAULTS = {
    "a table": ("[phrase]\nstop = 'x'", "[phrase] is not known here: there are [language]"),
    "no table": ("stop = 'x'", "stop: it stands below no table: there are [language]"),
    "a key": (
        "[phrases]\neyesdown = 'x'",
        "[phrases] eyesdown: there is no such key; did you mean",
    ),
    "no text": ("[phrases]\nstop = 7", "[phrases] stop: needs a text in quotes, has 7"),
    "empty": ("[phrases]\nstop = ''", "[phrases] stop: needs a text in quotes, has ''"),
    "a brace": ("[screen]\ncalls-of = '{count'", "[screen] calls-of: expected '}'"),
    "names": ("[screen]\ncalls-of = 'x'", "[screen] calls-of: its {names} must be count"),
    "a number": ("[numbers]\n91 = 'x'", "[numbers] 91: there is no such key"),
    "a saying": ("[sayings]\n91 = 'x'", "[sayings] 91: is not a number from 1 to 90"),
    "a saying's text": ("[sayings]\n7 = 7", "[sayings] 7: needs a text in quotes, has 7"),
}


@pytest.mark.parametrize(("text", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_named_and_the_evening_goes_on(tmp_path, text, fault):
    """File, table and key are named; the words that ship stand in, and the file stays as it was."""
    folder = own(tmp_path, text)
    with pytest.raises(Unreadable) as refused:
        load_wording(own=folder)
    told = str(refused.value)
    assert told.startswith(f"{folder / 'en.toml'}: 1 fault\n  - ")
    assert fault in told
    wording, wrong = hall_wording("en", folder)
    assert (wording.phrases, wrong) == (load_wording().phrases, told)
    assert (folder / "en.toml").read_text() == text


def test_all_faults_of_a_file_are_told_together(tmp_path):
    """A person corrects them in one go."""
    folder = own(tmp_path, "[phrases]\nstop = 7\nplay = 'x'\n[sayings]\n0 = 'x'")
    with pytest.raises(Unreadable, match="3 faults"):
        load_wording(own=folder)


@pytest.mark.parametrize("text", ["[phrases", "language = 3", "[language]\nbase = 3"])
@pytest.mark.parametrize("language", ["en", "fr-CH", "fr-VS"])
def test_a_file_that_is_no_wording_at_all(tmp_path, language, text):
    """Whatever stands in it, what its code is a form of is known, and words there are."""
    folder = own(tmp_path, text, language)
    assert base_of(language, folder) == {"fr-CH": "fr"}.get(language, language)
    wording, wrong = hall_wording(language, folder)
    assert f"{language}.toml" in wrong
    assert wording.code == shipped_for(language)


def test_no_file_and_no_such_language(tmp_path):
    """A hall without a file has the words that ship; a language that is nowhere is refused."""
    assert hall_wording("en", tmp_path) == (load_wording(), "")
    for language in ("eo", "../en", "EN"):
        with pytest.raises(Unreadable, match="no wording for language"):
            hall_wording(language, tmp_path)


class Hidden(PosixPath):
    """A folder that this process may not look into."""

    def lstat(self):
        raise PermissionError(13, "Permission denied", str(self))


def test_a_folder_that_may_not_be_seen_is_none(tmp_path):
    """The web and the screen have no business in the state folder: they go on with what ships."""
    folder = own(tmp_path)
    assert load_wording(own=folder).changed
    assert hall_wording("en", Hidden(folder)) == (load_wording(), "")


def test_a_region_of_the_halls_own(tmp_path):
    """A file that names its base is a language of its own, with the base's words below."""
    text = '[language]\nbase = "fr"\nname = "Du Valais"\n[numbers]\n80 = "Octante"\n'
    wording = load_wording("fr-VS", own=own(tmp_path, text, "fr-VS"))
    assert (wording.code, wording.name, wording.base) == ("fr-VS", "Du Valais", "fr")
    assert (wording.numbers[80], wording.numbers[70]) == ("Octante", "Soixante-dix")
    assert base_of("fr-VS", tmp_path) == "fr"
    own(tmp_path, text.replace('"fr"', '"xx"'), "fr-VS")
    with pytest.raises(Unreadable, match=r"fr-VS\.toml: 1 fault\n  - \[language\] base: 'xx'"):
        load_wording("fr-VS", own=tmp_path)


def test_a_whole_language_of_the_halls_own(tmp_path):
    """Without a base it must have every text; its labels all go to the screens that differ."""
    text = (FOLDER / "en.toml").read_text("utf-8").replace('code = "en"', 'code = "xx"')
    text = text.replace('game = "Game"', 'game = "Gxme"')
    wording = load_wording("xx", own=own(tmp_path, text, "xx"))
    assert (wording.code, wording.base, shipped_for("xx")) == ("xx", "xx", "en")
    assert wording.changed == {"game": "Gxme"}
    own(tmp_path, text.replace('game = "Gxme"\n', ""), "xx")
    with pytest.raises(Unreadable, match=r"\[screen\] game is missing"):
        load_wording("xx", own=tmp_path)


# -- the regions that ship -------------------------------------------------------------------------


@pytest.mark.parametrize("region", regions())
def test_a_region_differs_from_its_base_in_each_of_its_lines(region):
    """No line is there for nothing, and each number is as the region counts."""
    tables = tomllib.loads((REGIONS / f"{region}.toml").read_text("utf-8"))
    base, wording = load_wording(tables["language"]["base"]), load_wording(region)
    assert (wording.code, wording.base) == (region, base.code)
    same = [line for line in lines_of(region) if line.text != line.shipped]
    assert same == []
    for name, theirs in (("phrases", base.phrases), ("screen", base.screen)):
        assert [key for key, text in tables.get(name, {}).items() if theirs[key] == text] == []
    rule = REGIONAL.get(region, COUNTED[base.code])
    counted = {number: rule(number) for number in range(1, 91)}
    assert dict(wording.numbers) == {
        number: wording.written(name[0].upper() + name[1:]) for number, name in counted.items()
    }


def test_brazils_sayings_are_brazils():
    """Portugal has none; Brazil has its own, ending in its own numbers."""
    assert load_wording("pt").sayings == {}
    assert load_wording("pt-BR").sayings[16] == "O leão está solto, dezesseis"


def test_what_germans_write_otherwise_in_switzerland():
    """No ß and no German quotation mark is left in any text, on screen, aloud or on paper."""
    swiss = load_wording("de-CH")
    texts = [*swiss.phrases.values(), *swiss.screen.values(), *swiss.procedure]
    assert [text for text in texts if re.search("[ß„“]", text)] == []
    assert swiss.numbers[30] == "Dreissig"


def test_a_code_is_a_language_a_region_or_the_nearest():
    """What everybody has of a code that nobody ships: its language, else English."""
    assert [shipped_for(code) for code in ("de", "de-CH", "de-AT", "xx")] == [
        "de",
        "de-CH",
        "de",
        "en",
    ]
    assert not set(languages()) & set(regions())
