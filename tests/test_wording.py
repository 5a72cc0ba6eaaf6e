"""The words of a language: whole, fillable, and every fault of a file named."""

import shutil
import tomllib

import pytest

from station.errors import Unreadable
from station.wording import FOLDER, load_wording

ENGLISH = FOLDER / "en.toml"
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = {2: "twenty", 3: "thirty", 4: "forty", 5: "fifty", 6: "sixty", 7: "seventy", 8: "eighty", 9: "ninety"}

# What the rest of the station counts on; each phrase is also a clip.
PHRASES = """
    eyes-down playing-row playing-two-rows playing-full won-row won-two-rows won-full stop any-more valid not-valid late
    already-checked not-sold play-on not-called last-number game-closed bag-empty two-knobs unknown-knob already-drawn reader-lost
    reader-back halted test-word paused auto-on auto-off no-more-games good-night welcome money-paid card
"""


def in_words(number):
    """The number in English, by the rule that children learn."""
    ten, one = divmod(number, 10)
    if number < 20:
        return (ONES + TEENS)[number]
    return TENS[ten] + (f"-{ONES[one]}" if one else "")


def test_the_numbers_in_english():
    """1 to 90, each by its name."""
    assert dict(load_wording().numbers) == {number: in_words(number).capitalize() for number in range(1, 91)}


def test_every_phrase_is_there():
    """The phrases that the station says are those of the file, none more, none less."""
    assert load_wording().phrases.keys() == set(PHRASES.split())


def test_clips_are_numbers_and_phrases():
    """A voice pack of a language has 90 numbers and all phrases, by names that are files' names too."""
    wording = load_wording()
    clips = wording.clips()
    assert len(clips) == 90 + len(wording.phrases)
    assert (clips["number.1"], clips["eyes-down"]) == ("One", "Eyes down.")


@pytest.mark.parametrize(
    ("clips", "text"),
    [
        (["chime", "number.42"], "Forty-two"),
        (["last-number", "number.42"], "The last number was forty-two"),
        (["number.37", "not-called", "play-on"], "Thirty-seven was not called. Play on."),
        (["number.13", "number.30"], "Thirteen thirty"),
        ([], ""),
        (["not-a-clip"], ""),
    ],
)
def test_sentences(clips, text):
    """What is said is also written, with a capital where a sentence begins."""
    assert load_wording().sentence(clips) == text


def test_words_are_not_changed():
    """Nobody changes a word of a wording that was read."""
    wording = load_wording()
    with pytest.raises(TypeError):
        wording.phrases["stop"] = "Go"
    with pytest.raises(AttributeError):
        wording.code = "xx"


FAULTY = {
    "no table": ("[screen]\nlast-number", "[scream]\nlast-number", ["[scream] is not known here", "[screen] is missing"]),
    "no number": ('42 = "Forty-two"\n', "", ["[numbers] 42 is missing"]),
    "a number too many": ('90 = "Ninety"', '90 = "Ninety"\n91 = "?"', ["[numbers] 91 is not a number from 1 to 90"]),
    "not a text": ('stop = "Stop. A claim."', "stop = 7", ["[phrases] stop: wants a text in quotes, has 7"]),
    "an empty text": ('stop = "Stop. A claim."', 'stop = " "', ["[phrases] stop: wants a text"]),
    "an open brace": ("{count} of 90", "{count of 90", ["[screen] calls-of: expected '}'"]),
    "a strange name": ("{count} of 90", "{0} of 90", ["[screen] calls-of: {0} is not a name"]),
    "a step left out": (
        '2 = "The numbers on this',
        '9 = "The numbers on this',
        ["[procedure] 2 is missing", "[procedure] 9 is not a number"],
    ),
    "no name": ('name = "English"\n', "", ["[language] name is missing"]),
    "another language's word": ("play-on = ", "go-on = ", ["[phrases] play-on is missing", "[phrases] go-on is not in en.toml"]),
    "another name in it": (
        "{count} of 90",
        "{calls} of 90",
        ["[screen] calls-of: its {names} differ from those of en.toml: count"],
    ),
}


@pytest.mark.parametrize(("old", "new", "faults"), FAULTY.values(), ids=FAULTY)
def test_faults_are_named(tmp_path, old, new, faults):
    """A file with a fault is refused with file, table, key and what is wrong, and with no fault more."""
    text = ENGLISH.read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / "xx.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Unreadable) as refused:
        load_wording("xx", tmp_path)
    first, *listed = str(refused.value).split("\n  - ")
    assert first.startswith(f"{tmp_path / 'xx.toml'}: {len(faults)} fault")
    assert len(listed) == len(faults)
    assert all(line.startswith(fault) for line, fault in zip(listed, faults, strict=True)), listed


@pytest.mark.parametrize(
    ("content", "says"), [(b"[language", r"xx\.toml: .*Expected"), (b"\xff\xfe", r"xx\.toml: .*utf-8"), (None, "there is en$")]
)
def test_files_that_cannot_be_read(tmp_path, content, says):
    """No file, not TOML, not UTF-8: each says which."""
    shutil.copy(ENGLISH, tmp_path)
    if content is not None:
        (tmp_path / "xx.toml").write_bytes(content)
    with pytest.raises(Unreadable, match=says):
        load_wording("xx", tmp_path)


def test_a_language_is_a_name_not_a_path():
    """A language's name never leads out of the folder."""
    with pytest.raises(Unreadable, match="no wording for language"):
        load_wording("../wording/en")


def test_a_whole_second_language_is_read(tmp_path):
    """Another language with all keys is read by its own name."""
    text = ENGLISH.read_text(encoding="utf-8").replace('code = "en"', 'code = "xx"')
    (tmp_path / "xx.toml").write_text(text, encoding="utf-8")
    assert load_wording("xx", tmp_path).code == "xx"
    assert tomllib.loads(text)["language"]["code"] == "xx"
