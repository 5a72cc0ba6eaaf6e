"""Tests of the refusals in all languages: a file for each has the sentences of the source, no more
and no fewer, with the same values."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from station.base.said import PROGRAM, Sentence, Sum, Term, either, listed, row, said, verbatim
from station.base.typed import unfit
from station.wire.wording import REFERENCE, languages
from station.wire.wording.refusals import FOLDER, load_refusals
from tests.translated import completed, written

STATION = Path(__file__).parent.parent.parent / "station"
# where in its arguments each of these has its sentence
SENTENCE = {"said": 0, "NotAllowed": 1, "IllegalAction": 1, "Refused": 1}
MAKERS = {"said", "verbatim", "_why"}  # they return a sentence
ITSELF = STATION / "base" / "errors.py"
OTHERS = [code for code in languages() if code != REFERENCE]


def sentences_in(source: str) -> Iterator[tuple[int, ast.expr]]:
    """The sentence of each refusal in a source, with its line."""
    ours = "from station.base.said import" in source or "def said(template" in source
    tree = ast.parse(source)
    of_names = {
        node: sentences
        for scope in ast.walk(tree)
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
        for node, sentences in written_before(scope)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        if name in SENTENCE and (ours or name != "said") and len(node.args) > SENTENCE[name]:
            sentence = node.args[SENTENCE[name]]
            for one in of_names.get(sentence, [sentence]):
                yield node.lineno, one


def written_before(scope: ast.AST) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """Each use of a name in a function that is given nothing but whole values by `name = …`, with
    all that it is given there; a name that comes in another way, too, stays a name."""
    names = [node for node in ast.walk(scope) if isinstance(node, ast.Name)]
    given: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given.setdefault(name, []).append(value)
    arguments = {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}
    for name, values in given.items():
        stored = [one for one in names if one.id == name and not isinstance(one.ctx, ast.Load)]
        if name not in arguments and len(stored) == len(values):
            yield from ((one, values) for one in names if one.id == name and one not in stored)


def texts_of(sentence: ast.expr) -> list[str] | None:
    """The templates that an expression may be: none where it passes on a sentence that was made
    elsewhere; None where no language could have what it makes."""
    match sentence:
        case ast.Constant(value=str(text)):
            return [] if re.fullmatch(r"\{\w+\}", text) else [text]
        case ast.IfExp(body=one, orelse=other):
            first, second = texts_of(one), texts_of(other)
            return None if first is None or second is None else first + second
        case ast.Attribute(attr="said"):
            return []
        case ast.Call(func=ast.Name(id=maker)) if maker in MAKERS:
            return []
    return None


def sources() -> Iterator[tuple[Path, str]]:
    """Every file of the station, with its text."""
    for file in sorted(STATION.rglob("*.py")):
        if file != ITSELF:
            yield file, file.read_text("utf-8")


@cache
def templates() -> frozenset[str]:
    """Every template of the source, as it stands there."""
    return frozenset(
        text
        for _, source in sources()
        for _, sentence in sentences_in(source)
        for text in texts_of(sentence) or ()
    )


def values_of(template: str) -> list[str]:
    """The names of a template's values, in order of the alphabet."""
    return sorted(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


@pytest.mark.long
def test_every_refusal_is_a_template():
    """No sentence is put together where something is refused: no language could have it."""
    assert [
        f"{file.relative_to(STATION)}:{line}: {ast.unparse(sentence)}"
        for file, source in sources()
        for line, sentence in sentences_in(source)
        if texts_of(sentence) is None
    ] == []
    assert len(templates()) > 200


@pytest.mark.parametrize(
    "made",
    ['f"card {serial} is sold"', '"card " + serial', "str(error)", "why", '"a" if b else f"{c}"'],
)
def test_what_is_no_template_is_found(made):
    """Whatever else an expression is: a text that is put together is none."""
    [(_, sentence)] = sentences_in(f"raise NotAllowed(Reason.SOLD, {made})")
    assert texts_of(sentence) is None


def refusal(*lines: str) -> list[list[str] | None]:
    """The templates of a function that refuses with `why`, after these lines."""
    body = "\n    ".join((*lines, "raise NotAllowed(Reason.SOLD, why)"))
    return [texts_of(sentence) for _, sentence in sentences_in(f"def f(a):\n    {body}")]


def test_a_sentence_may_have_a_name():
    """It is found where it is written, on the line before; each, where there are several."""
    assert refusal('why = "card {serial} is sold"') == [["card {serial} is sold"]]
    assert refusal('why = "one"', 'why = "other"') == [["one"], ["other"]]


@pytest.mark.parametrize(
    "line", ['why = f"card {a}"', "why = str(a)", "why = a", "(why, b) = a", 'why += "more"']
)
def test_what_has_a_name_and_is_no_template_is_found(line):
    """Also where another line gives the same name a sentence."""
    assert None in refusal(line)
    assert None in refusal('why = "card {serial} is sold"', line)
    assert None in [
        texts_of(sentence)
        for _, sentence in sentences_in(
            f'def f(why):\n    why = "sold"\n    {line}\n    raise NotAllowed(Reason.SOLD, why)'
        )
    ]


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_sentence(code):
    """None is missing, and none is left over."""
    sentences = load_refusals(code).keys()
    assert sorted(templates() - sentences) == [], f"{code} lacks these"
    assert sorted(sentences - templates()) == [], f"{code} has these for nothing"


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_same_values(code):
    """Each as often, as the English: none is lost, and none is made up."""
    differ = {
        template: text
        for template, text in load_refusals(code).items()
        if values_of(template) != values_of(text)
    }
    assert differ == {}


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_is_no_english(code):
    """A sentence of some length is not the English one, and none has room at its ends."""
    for template, text in load_refusals(code).items():
        assert text == text.strip()
        assert len(template) < 25 or text != template, template


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_can_be_seen(code):
    """It has no character that nobody sees, and its file has each in a line of its own, in order,
    as `python -m tests.commands.texts` writes it."""
    told = load_refusals(code)
    assert [text for text in told.values() if unfit(text)] == []
    assert (FOLDER / f"{code}.json").read_text("utf-8") == written(completed(told, ()))


@pytest.mark.parametrize("code", OTHERS)
def test_commands_and_pages_stay_as_they_are(code):
    """What is typed, and where a page is, is the same in every language."""
    typed = re.compile(r"\{loto\}(?: [a-z]+| --[a-z-]+| 4\b)+|(?<= )/[a-z]+\b|\[people\] \w+")
    for template, text in load_refusals(code).items():
        for word in typed.findall(template):
            command = re.match(r"\{loto\} \w+", word)
            assert (command[0] if command else word) in text, text
            assert all(option in text for option in re.findall(r"--[a-z-]+", word)), text


def test_no_file_is_of_no_language():
    """A file stands for a language that the station speaks; English has none."""
    assert sorted(file.stem for file in FOLDER.glob("*.json")) == OTHERS


def test_a_sentence_is_told_with_its_values():
    """Sums as the hall writes them, terms in its words, sentences within it in the same
    language; what is typed as one types it; braces in a value stay braces."""
    sentences = {
        "{who}: {sum} for {stage}, {why}": "{why}: {stage}, {sum} ({who})",
        "see {loto} lots": "siehe {loto} lots",
    }
    sentence = said(
        "{who}: {sum} for {stage}, {why}",
        who="{loto} {x}",
        sum=Sum(250),
        stage=Term("full-house"),
        why=said("see {loto} lots"),
    )
    assert (
        sentence.told(sentences, {"full-house": "Volle Karte"}, lambda units: f"€{units}", PROGRAM)
        == "siehe loto lots: Volle Karte, €250 ({loto} {x})"
    )
    assert str(sentence) == "{loto} {x}: 250 for full-house, see ./loto lots"
    assert str(verbatim("{no} value")) == "{no} value"


def test_several_values_are_one_part_of_a_sentence():
    """With the language's own word before the last."""
    sentences = {"{first} and {last}": "{first} und {last}"}
    several = listed([Term("line"), "b", 3])
    assert isinstance(several, Sentence)
    assert several.told(sentences, {"line": "Reihe"}) == "Reihe, b und 3"
    assert (listed([7]), str(either("ab")), str(row("abc", "; "))) == (7, "a or b", "a; b; c")
