"""The words of each language: whole, its numbers right, its sayings ending in them, and every fault
of a file named."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from station.base.errors import Unreadable
from station.views.naming import PLAYER_DOES
from station.wire.wording import (
    FOLDER,
    FOLLOWING,
    SAYINGS,
    SENTENCE_ENDS,
    TITLE,
    WORDS_OF_GAMES,
    languages,
    load_wording,
)
from tests.counting import COUNTED, HINDI_ENDS, HINDI_NINES, HINDI_ONES, HINDI_TENS, HINDI_TO_20

ENGLISH = FOLDER / "en.toml"
# marks between what other words say
NO_WORDS = {"bank-due", "answer-in-tie", "cubes-then", "cubes-fell"}
PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
SAID = FOLDER / SAYINGS
EVERY = languages()


@pytest.mark.parametrize("language", COUNTED)
def test_the_numbers_are_right(language):
    """1 to 90, each by the name that the rule of its language gives, with a capital."""
    rule = COUNTED[language]
    names = {number: rule(number) for number in range(1, 91)}
    assert dict(load_wording(language).numbers) == {
        number: re.sub("^É", "E", name[0].upper()) + name[1:] for number, name in names.items()
    }


def test_the_numbers_in_hindi():
    """1 to 20 and the tens by name; all others begin with their one, end with their ten, and no two
    are alike."""
    numbers = load_wording("hi").numbers
    assert [numbers[number] for number in range(1, 21)] == HINDI_TO_20
    assert {
        number: numbers[number] for number in HINDI_TENS | HINDI_NINES
    } == HINDI_TENS | HINDI_NINES
    for number in set(range(21, 90)) - (HINDI_TENS | HINDI_NINES).keys():
        assert numbers[number].startswith(HINDI_ONES[number % 10]), number
        assert numbers[number].endswith(HINDI_ENDS[number // 10]), number
    assert len(set(numbers.values())) == 90


def test_every_language_has_a_test_of_its_numbers():
    """No language is added without a rule that its numbers are held to."""
    assert COUNTED.keys() | {"hi"} == set(EVERY)


OF_GAMES = sorted(FOLDER.parents[1].glob(f"{WORDS_OF_GAMES}/en.toml"))


@pytest.mark.parametrize("file", OF_GAMES, ids=lambda file: file.parts[-3])
def test_each_game_has_its_words_in_every_language(file):
    """A game's folder has a file of each language, with the same keys; none of them stands in the
    hall's words or another game's, too."""
    own = tomllib.loads(file.read_text(encoding="utf-8"))
    others = [ENGLISH, *(other for other in OF_GAMES if other != file)]
    for language in EVERY:
        words = tomllib.loads(file.with_name(f"{language}.toml").read_text(encoding="utf-8"))
        assert {name: [*table] for name, table in words.items()} == {
            name: [*table] for name, table in own.items()
        }
    for name, table in own.items():
        for other in others:
            known = tomllib.loads(other.read_text(encoding="utf-8")).get(name, {})
            assert not table.keys() & known.keys()


@pytest.mark.parametrize("language", EVERY)
def test_every_language_is_whole(language):
    """Each has all keys of English, speaks and shows something in each, and is called by its own
    name."""
    wording, reference = load_wording(language), load_wording()
    assert wording.code == language
    assert wording.phrases.keys() == reference.phrases.keys()
    assert wording.screen.keys() == reference.screen.keys()
    assert len(wording.procedure) == len(reference.procedure)


# Texts that are the same in English: terms of the game and words that both languages have. Whatever
# else is so was forgotten.
ALIKE = {
    "de": (
        "class-terne class-quaterne class-quinterne emblem-hammer jackpot keno-claim paper-name"
    ),
    "es": "class-ambo",
    "fr": "class-terne class-quaterne jackpot ticket-of paper-date paper-signature rank-six",
    "hi": "",
    "it": "class-ambo jackpot keno-claim",
    "nl": (
        "class-terne class-quaterne class-quinterne contract-one jackpot keno-claim"
        " keno-stop keno-stopped reserve"
    ),
    "pt": "class-ambo jackpot keno-claim",
    "ru": "",
}


@pytest.mark.parametrize("language", sorted(set(EVERY) - {"en"}))
def test_no_language_is_left_in_english(language):
    """What is said or shown just as in English is one of the list; every step on paper is in the
    language."""
    wording, reference = load_wording(language), load_wording()
    texts = [(wording.phrases, reference.phrases), (wording.screen, reference.screen)]
    alike = {
        key
        for here, there in texts
        for key, text in here.items()
        if text.casefold() == there[key].casefold()
    }
    assert alike == {*ALIKE[language].split(), *NO_WORDS}
    assert not set(wording.procedure) & set(reference.procedure)
    rules = {key for key, text in wording.rules.items() if text == reference.rules[key]}
    assert all(key.startswith(TITLE) for key in rules)  # a game keeps its name


# What no text of a language may have in it: a foreign letter, a mark that the language sets
# otherwise.
FOREIGN = {
    "hi": r"[A-Za-z]|(?<!से)\.(?:\s|$)",  # से. is short for seconds; a sentence ends with a danda
    "ru": r"[A-Za-z]",
    "fr": r"\S[:;?!]|«\S|\S»",
    "de": r"^[^„]*“|”|\s[:;?!]",
    "es": r"\s[:;?!]|^[^¿]*\?|^[^¡]*!",
    "it": r"\s[:;?!]|\b[Ee]'|[“”]",
    "nl": r"\s[:;?!]|[„«»]",
    "pt": r"\s[:;?!]|[„“”]",
}


@pytest.mark.parametrize("language", FOREIGN)
def test_a_language_has_its_own_letters_and_marks(language):
    """Cyrillic in Russian, Devanagari in Hindi, a space before a French colon, both marks of a
    Spanish question, …"""
    wording = load_wording(language)
    texts = [*wording.phrases.values(), *wording.screen.values(), *wording.procedure]
    texts += wording.rules.values()
    assert [
        text for text in texts if re.search(FOREIGN[language], re.sub(r"{\w+}", "5", text))
    ] == []


@pytest.mark.parametrize("language", EVERY)
def test_a_class_of_rows_is_shown_as_it_is_said(language):
    """Ambo on the screen, in the voice and on the page is one word, and no two classes are called
    alike."""
    wording = load_wording(language)
    said = [text for key, text in wording.phrases.items() if key.startswith("class-")]
    shown = [text for key, text in wording.screen.items() if key.startswith("class-")]
    assert [text.rstrip(" :") for text in said] == shown
    assert len(set(shown)) == 5
    assert f"| `{language}` | {' | '.join(shown)} |" in PAGE.read_text(encoding="utf-8")


ARTICLES = {
    "de": "die der das",
    "es": "el la",
    "fr": "le la",
    "it": "il lo la",
    "nl": "de het",
    "pt": "o a",
}


@pytest.mark.parametrize("language", ARTICLES)
def test_what_is_asked_for_may_be_a_picture(language):
    """Who has it? In Picture Loto a word stands for the number, of any gender: no article goes
    before it."""
    before, _, _ = load_wording(language).screen["table-who-has"].partition("{number}")
    assert not set(before.casefold().split()) & set(ARTICLES[language].split())


# A player may be a woman: who answers, wins or sits down is told without an ending that would have
# to agree.
GENDERED = {
    "it": r"\bper prim[oa]\b|\bè \w+[oa]\b",
    "ru": r"\b[Пп]ерв(?:ым|ой)\b|[аеи]л(?:а|ся|ась)?\b",
    "hi": r"गय[ाी]|गए",
}


@pytest.mark.parametrize("language", GENDERED)
def test_a_named_player_may_be_a_woman(language):
    """What is told of a player by name or by number fits a man and a woman."""
    wording = load_wording(language)
    told = [text for text in wording.screen.values() if "{name}" in text]
    told += [wording.phrases[key] for key in PLAYER_DOES]
    assert [text for text in told if re.search(GENDERED[language], text)] == []


def test_no_word_for_screens_is_left_over():
    """Whoever takes the last use of a word away takes the word away, from all languages: it stands
    in the code, or begins so."""
    assert not left_over(
        {re.sub("-(one|many)$", "", word) for word in load_wording("en").screen}, ("*.py", "*.js")
    )


def test_no_phrase_is_left_over():
    """A phrase that nothing says goes, from all languages and voices: every pack has a clip of it
    for nothing."""
    assert not left_over(load_wording("en").phrases, ("*.py",))


def left_over(words, kinds):
    """The words that neither stand in quotes in the code nor begin so."""
    code = "\n".join(
        path.read_text(encoding="utf-8") for kind in kinds for path in FOLDER.parents[1].rglob(kind)
    )
    said = {*re.findall(r"[\"'`.]([a-z][a-z-]*)\b", code)}
    begun = (*set(re.findall(r'[f$]?["`]([a-z][a-z-]*-)\$?\{', code)),)
    assert words
    return {word for word in words if word not in said and not word.startswith(begun)}


@pytest.mark.parametrize("language", EVERY)
def test_phrases_are_sentences_but_those_that_a_number_completes(language):
    """Each ends as a sentence does; a colon waits for its number; a few begin what a number and
    others end."""
    opened = {
        key
        for key, text in load_wording(language).phrases.items()
        if not text.endswith((*SENTENCE_ENDS, ":"))
    }
    assert (
        {"card", "player-number"}
        <= opened
        <= {
            *("last-number", "highest-knob", "card", "player-number"),
            *("nought", "and", "on-its-own"),
        }
    )


@pytest.mark.parametrize("language", EVERY)
def test_what_the_wall_quotes_is_what_is_said(language):
    """The paper quotes the voice and the screen: whoever reads it must hear and see just these
    words."""
    wording = load_wording(language)
    screen = wording.screen
    assert wording.phrases["reader-lost"].rstrip(".।") in screen["paper-reader-see"]
    assert screen["halted"].partition(":")[0].rstrip() in screen["paper-halted"]
    assert screen["stale"].partition(":")[0].rstrip() in screen["paper-screen-see"]


@pytest.mark.parametrize("language", EVERY)
def test_every_saying_ends_with_its_number(language):
    """However the call goes, the last thing heard is the number itself, and each has a clip of its
    own."""
    wording = load_wording(language)
    clips = wording.clips("sayings")
    assert {name for name in clips if name.startswith("saying.")} == {
        f"saying.{number}" for number in wording.sayings
    }
    for number, saying in wording.sayings.items():
        words = re.split(r"[\s,]+", saying.casefold())
        ending = wording.numbers[number].casefold().split()
        assert words[-len(ending) :] == ending, saying
        assert len(words) > len(ending), saying
        assert clips[f"saying.{number}"] == saying


def test_a_saying_that_has_its_number_is_not_said_twice():
    """ "Legs eleven", not "Legs eleven, eleven"; but "More than eleven" is thirty-seven."""
    sayings = load_wording().sayings
    assert (sayings[11], sayings[16], sayings[37]) == (
        "Legs eleven",
        "Sweet sixteen",
        "More than eleven, thirty-seven",
    )


@pytest.mark.parametrize("language", EVERY)
def test_what_a_number_begins_goes_on(language):
    """Only the phrases that end another's sentence are joined to it; they begin small where the
    language has small letters."""
    wording = load_wording(language)
    assert {key for key, text in wording.phrases.items() if text[0].islower()} <= set(FOLLOWING)
    assert not [key for key in FOLLOWING if wording.phrases[key][0].isupper()]
    texts = [wording.sentence(["number.7", key]) for key in wording.phrases]
    assert [text.startswith(wording.numbers[7] + wording.full_stop) for text in texts] == [
        key not in FOLLOWING for key in wording.phrases
    ]


def test_sayings_are_only_in_the_pack_that_is_called_so():
    """A plain pack has no sayings; the pack of sayings has all that a plain one has."""
    wording = load_wording()
    assert not any(name.startswith("saying.") for name in wording.clips())
    assert wording.clips().items() < wording.clips("sayings").items()
    assert wording.sentence(["saying.42"]) == "Winnie the Pooh, forty-two"


def test_the_page_counts_the_sayings_and_names_their_sources():
    """The table of the page is that of the files: a language, how many calls, and every source of
    them; a region that has calls of its own says how many."""
    page = PAGE.read_text(encoding="utf-8")
    rows = {
        code: int(count)
        for code, count in re.findall(
            r"^\| `([\w-]+)` \|.*[|,] *(?:calls of its own, )?(\d+) of 90 \|$", page, re.MULTILINE
        )
    }
    files = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in SAID.glob("*.toml")}
    assert rows == {code: len(load_wording(code).sayings) for code in {*EVERY, *files}}
    assert [
        source for told in files.values() for source in told["sources"] if source not in page
    ] == []


def test_clips_are_numbers_and_phrases():
    """A voice pack of a language has 90 numbers, 52 playing cards, and all phrases, by names that
    are files' names too."""
    wording = load_wording()
    clips = wording.clips()
    assert len(clips) == 90 + 52 + len(wording.phrases)
    assert (clips["number.1"], clips["eyes-down"]) == ("One", "Eyes down.")
    assert (clips["card.QH"], clips["card.10S"]) == ("Queen of hearts", "Ten of spades")


@pytest.mark.parametrize(
    ("clips", "text"),
    [
        (["chime", "number.42"], "Forty-two"),
        (["last-number", "number.42"], "The last number was forty-two"),
        (["number.37", "not-called", "play-on"], "Thirty-seven was not called. Play on."),
        (["number.13", "number.30"], "Thirteen thirty"),
        ([], ""),
        (["not-a-clip"], ""),
        (["stop", "card", "number.5"], "Stop, please: we have a claim. Card five"),
        (["player-number", "number.3", "has-bag"], "Player number three has the bag."),
        (["class-ambo", "number.4", "class-abstract", "number.12"], "Ambo: four. Abstract: twelve"),
        (
            ["from-pool", "in-fish", "number.2", "may-exchange"],
            "From the pool: Fish: two. You may exchange cards now.",
        ),
        (
            ["in-counters", "number.2", "player-number", "number.4", "has-bag"],
            "Counters: two. Player number four has the bag.",
        ),
    ],
)
def test_sentences(clips, text):
    """What is said is also written, with a capital where a sentence begins."""
    assert load_wording().sentence(clips) == text


def test_words_of_the_station_are_read_once():
    """They are the same for everybody in a process; those of another folder are read each time."""
    assert load_wording("fr") is load_wording("fr")
    assert load_wording("fr") is not load_wording("de")


def test_a_dutch_one_loses_its_accent_on_a_capital_alone():
    """Eén as a word of its own; één in a sentence, where it is no article."""
    dutch = load_wording("nl")
    assert dutch.numbers[1] == "Eén"
    assert dutch.sentence(["card", "number.1"]) == "Kaart één"


def test_words_are_not_changed():
    """Nobody changes a word of a wording that was read."""
    wording = load_wording()
    with pytest.raises(TypeError):
        wording.phrases["stop"] = "Go"
    with pytest.raises(AttributeError):
        wording.code = "xx"


FAULTY = {
    "no table": (
        "[screen]\nlast-number",
        "[scream]\nlast-number",
        ["[scream] is not known here", "[screen] is missing"],
    ),
    "no number": ('42 = "Forty-two"\n', "", ["[numbers] 42 is missing"]),
    "a number too many": (
        '90 = "Ninety"',
        '90 = "Ninety"\n91 = "?"',
        ["[numbers] 91 is not a number from 1 to 90"],
    ),
    "not a text": (
        'stop = "Stop, please: we have a claim."',
        "stop = 7",
        ["[phrases] stop: needs a text in quotes, has 7"],
    ),
    "an empty text": (
        'stop = "Stop, please: we have a claim."',
        'stop = " "',
        ["[phrases] stop: needs a text"],
    ),
    "an open brace": ("{count} of 90", "{count of 90", ["[screen] calls-of: expected '}'"]),
    "a strange name": ("{count} of 90", "{0} of 90", ["[screen] calls-of: {0} is not a name"]),
    "a step left out": (
        '2 = "The numbers on this',
        '9 = "The numbers on this',
        ["[procedure] 2 is missing", "[procedure] 9 is not a number"],
    ),
    "no name": ('name = "English"\n', "", ["[language] name is missing"]),
    "another language's word": (
        "play-on = ",
        "go-on = ",
        ["[phrases] play-on is missing", "[phrases] go-on is not in en.toml"],
    ),
    "another name in it": (
        "{count} of 90",
        "{calls} of 90",
        ["[screen] calls-of: its {names} differ from those of en.toml: count"],
    ),
}


@pytest.mark.parametrize(("old", "new", "faults"), FAULTY.values(), ids=FAULTY)
def test_faults_are_named(tmp_path, old, new, faults):
    """A file with a fault is refused with file, table, key and what is wrong, and with no fault
    more."""
    text = ENGLISH.read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tmp_path / "xx.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Unreadable) as refused:
        load_wording("xx", tmp_path)
    first, *listed = str(refused.value).split("\n  - ")
    assert first.startswith(f"{tmp_path / 'xx.toml'}: {len(faults)} fault")
    assert len(listed) == len(faults)
    assert all(line.startswith(fault) for line, fault in zip(listed, faults, strict=True)), listed


def test_faults_of_all_kinds_are_named_at_once(tmp_path):
    """A number that is missing, a text that is none, and a phrase that is missing."""
    text = ENGLISH.read_text(encoding="utf-8")
    for key in ("no number", "not a text", "another language's word"):
        text = text.replace(*FAULTY[key][:2])
    (tmp_path / "xx.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable, match=r"xx\.toml: 4 faults") as refused:
        load_wording("xx", tmp_path)
    for fault in ("42 is missing", "stop: needs a text", "play-on is missing", "go-on is not"):
        assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[language", r"xx\.toml: .*Expected"),
        (b"\xff\xfe", r"xx\.toml: .*UTF-8"),
        (None, "there is en$"),
    ],
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


SAYING_FAULTS = {
    "no source": (
        'sources = ["a page"]',
        "sources = []",
        "sources: needs a list of texts in quotes",
    ),
    "a source that is none": (
        'sources = ["a page"]',
        "sources = [7]",
        "sources: needs a list of texts in quotes",
    ),
    "no table": ("[sayings]", "[calls]", "[sayings] is missing"),
    "no number": ('7 = "Lucky"', '91 = "Lucky"', "[sayings] 91 is not a number from 1 to 90"),
    "a number with a nought before it": (
        '7 = "Lucky"',
        '07 = "Lucky"',
        "[sayings] 07 is not a number from 1 to 90",
    ),
    "an empty call": ('7 = "Lucky"', '7 = ""', "[sayings] 7: needs a text in quotes, has ''"),
    "not a text": ('7 = "Lucky"', "7 = 7", "[sayings] 7: needs a text in quotes, has 7"),
    "more than it may have": ("[sayings]", 'note = "x"\n[sayings]', "note is not known here"),
}


@pytest.mark.parametrize(("old", "new", "fault"), SAYING_FAULTS.values(), ids=SAYING_FAULTS)
def test_faults_of_sayings_are_named(tmp_path, old, new, fault):
    """A file of sayings with a fault is refused with the file and what is wrong."""
    shutil.copy(ENGLISH, tmp_path)
    (tmp_path / SAYINGS).mkdir()
    file = tmp_path / SAYINGS / "en.toml"
    text = 'sources = ["a page"]\n[sayings]\n7 = "Lucky"\n'
    file.write_text(text, encoding="utf-8")
    assert load_wording("en", tmp_path).sayings == {7: "Lucky, seven"}
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(Unreadable) as refused:
        load_wording("en", tmp_path)
    assert str(refused.value).startswith(f"{file}: ")
    assert f"  - {fault}" in str(refused.value)


def test_a_language_without_sayings_is_called_plainly(tmp_path):
    """No file of sayings is no fault: there are none."""
    shutil.copy(ENGLISH, tmp_path)
    assert load_wording("en", tmp_path).sayings == {}
