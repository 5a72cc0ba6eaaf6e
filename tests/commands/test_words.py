"""The command line in a language: every text is there, translated, with its values; English reads
no file."""

from __future__ import annotations

import json
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE
from station.base.tongue import FOLDER, texts_of
from station.commands.grouped import GROUPS
from tests.commands.test_app import Loto, core_in_a_thread, loto, one_sentence
from tests.commands.texts import ENGLISH, OTHERS, ROOMS, STATION, keys, untold

__all__ = ["loto"]

LANGUAGES = sorted(file.stem for file in FOLDER.glob("*.json") if file != ENGLISH)
# Texts that a language may have as English has them: names, words that are the same, and frames.
SAME = {
    "table",  # in French, too
    *("Date", "TEST", "logo {file}: {why}", "page {number}", "{name} - programme {digest}"),
    *("Corrections", "programme", "signature", "tickets", "verdict"),
    *("abstracts", "ambos", "ternes", "quaternes", "jackpot", "prizes.…"),
    "ambo",
    "plain, digits, sayings or double.",
    "caller, checker, cashier, host, auditor, treasurer, admin or seat.",
    "pyttsx3, espeak-ng, rhvoice, pico, hibari-tts or piper-tts.",
    "Options",
    "Arguments",
    "Wi-Fi",
    "LUFS",
    "licence",
    "Passphrase",
    "no",
    "terno",
    "quaterna",
    "{count} contracts",
    "vouchers",
    "1 contract",
    "1 ticket",
    "{count} tickets",
    "ticket {serial}",
    "5 %",
    "95 %",
    "5-95 %",
    "SPI",
    "Wi-Fi:",
    "dB",
    "ms",
    "1 clip",
    "1 file",
    "1 page",
    "Error: {what}",
    "abstract",
    "chance",
    "exact",
    "quaterne",
    "quinterne",
    "sudo raspi-config, System Options, Boot, Console",
    "terne",
    "watchdog",
    "{cards} in {strips}, {first_last}: {file}",
    "{count} clips",
    "{count} pages",
    "{lacking}: .venv/bin/pip install {package}",
    "{named}, TEST",
    "{system}, {bits} bits, Python {python}",
}


def names(text: str) -> set[str]:
    """The values that a text has a place for."""
    return {name for _, name, *_ in string.Formatter().parse(text) if name}


def literal(text: str) -> list[str]:
    """What stays as it is typed: commands with hyphens before them, and numbers of exit codes."""
    return sorted(re.findall(r"--[a-z0-9]+(?:-[a-z0-9]+)*", text))


def test_the_english_file_has_all_texts_of_the_code() -> None:
    """It is what translators copy; `python -m tests.commands.texts` writes it."""
    assert [one["en"] for one in json.loads(ENGLISH.read_text("utf-8"))] == keys()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_every_text_and_no_other(code: str) -> None:
    """Neither one too few nor one left over; the same values and options; nothing stays English."""
    told, wanted = texts_of(code), keys()
    rows = json.loads((FOLDER / f"{code}.json").read_text("utf-8"))
    assert [one["en"] for one in rows] == sorted(told), "a text stands there twice, or out of order"
    assert [one for one in wanted if one not in told] == []
    assert sorted(set(told) - set(wanted)) == []
    assert [one for one in told if names(one) != names(told[one])] == []
    assert [one for one in told if literal(one) != literal(told[one])] == []
    assert [one for one in told if one == told[one] and one not in SAME] == []
    assert [one for one in told if one.count("\n\n") != told[one].count("\n\n")] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_help_is_in_the_language(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Its groups, its headings and what commands are for; examples stay as they are typed."""
    monkeypatch.setenv("LC_ALL", f"{code}.UTF-8")
    told, words = loto("--help").out, texts_of(code)
    assert [title for title in GROUPS if f"{words[title]}:\n" not in told] == []
    helped = loto("undo", "-h").out
    assert words["Take back the last call."] in helped
    assert words["Show this message and exit."] in helped
    assert helped.startswith(words["Usage: "])
    assert 'Example: loto undo "the knob was 9, not 6"' in helped
    monkeypatch.setenv("LC_ALL", "C")
    assert "Take back the last call." in loto("undo", "-h").out


def test_english_reads_no_file() -> None:
    """Nor does a terminal that names no language."""
    script = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e == 'open' else None)\n"
        "from station.commands.app import main; sys.argv = ['loto', 'draw', '--help']\n"
        "try: main()\n"
        "except SystemExit: print([f for f in opened if 'commands/words' in f])"
    )
    for code, count in (("C", 0), ("en_GB.UTF-8", 0), ("it_IT.UTF-8", 1)):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={"LC_ALL": code},
            cwd=STATION.parent,
            stdout=subprocess.PIPE,
            check=True,
        )
        assert done.stdout.decode().splitlines()[-1].count(".json") == count, code


def test_what_orders_print_is_in_one_language(
    loto: Loto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a sentence of the hall stands the line of the journal in the hall's language; what the
    command says itself is in the one of the terminal, as its refusals are."""
    with core_in_a_thread(tmp_path):

        def at(*words: object) -> str:
            outcome = loto(*words, "--state", tmp_path)
            assert outcome.code == EXIT_DONE, outcome
            return outcome.out.strip()

        monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
        assert at("sell", "0001-0002", "--to", "Anna") == (
            "vendita a Anna: 2 cartelle, per 1 partita: £2.00 (riga 2 del registro)."
        )
        assert at("open") == "Eyes down. Playing for: One line (line 3 of the journal)"
        one_sentence(
            loto("close", "--state", tmp_path), EXIT_NO, "non sono vinti", "qui non si può"
        )
        one_sentence(loto("draw", 91, "--state", tmp_path), EXIT_USAGE, "non è un numero da 1 a 90")
        looked = loto("check", "0001", "--state", tmp_path)
        assert (looked.code, "non valida: per Cinquina ne mancano 5 tra" in looked.out) == (
            EXIT_NO,
            True,
        )


def test_every_sentence_has_its_place_in_the_files() -> None:
    """What commands print, and what they say of errors, goes through `tr`: a sentence that does not
    is found where it stands."""
    known = {one["en"] for one in json.loads(ENGLISH.read_text("utf-8"))}
    assert [
        f"{file.relative_to(STATION)}:{line}: {told}"
        for room in ROOMS
        for file in sorted((STATION / room).rglob("*.py"))
        if str(file.relative_to(STATION)) not in OTHERS
        for line, told in untold(file.read_text("utf-8"))
        if told not in known
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        'out.print("the disk is full")',
        'raise Unreadable(f"{file}: there is no such file")',
        'tr("{what}: {why}", what=what, why="the disk is full")',
    ],
)
def test_a_sentence_without_a_place_is_found(line: str) -> None:
    """Also one that is put into another."""
    assert len([*untold(line)]) == 1
    assert [*untold('"""Say it again."""\nout.print(tr("the disk is full"))')] == []


PRINTED = (
    ("doctor",),
    ("config", "check"),
    ("odds", "first", "--cards", "24", "--within", "40"),
    ("odds", "second"),
    ("odds", "race"),
    ("pack", "make", "--plain", "--out", "pack.csv"),
    ("pack", "check", "pack.csv"),
    ("pack", "make", "--plain", "--out", "pack.csv"),
    ("pack", "show", "9999", "--state", "."),
    ("programme", "check", "hall-bingo"),
    ("matrix", "preview", "7", "--out", "board.png"),
    ("matrix", "preview"),
    ("print", "plate", "--out", "plate.pdf"),
    ("setup", "--config", "hall.toml", "--profile", "rfid", "--yes"),
    ("backup", "--check", "none.loto"),
    ("journal", "key", "--state", "."),
    ("hotspot", "show"),
    ("report", "--paper", "a5"),
    ("do",),
    ("sel",),
    ("draw", "--by"),
    ("draw", "1", "2"),
    ("odds", "first", "--cards", "0"),
    ("odds", "first", "--cards", "many"),
    ("config", "check", "--config", "wrong.toml"),
    ("programme", "check", "wrong.toml"),
    ("theme", "check", "wrong"),
    ("journal", "verify", "--state", "wrong"),
)
WRONG = {
    "wrong.toml": """
        [hall]
        language = 7
        colour = "red"
        [devices.reader]
        driver = "rdm"
        cavity = 11
        [devices.scanner]
        use = "sing"
        [devices.buzzers]
        seats = { 1 = 0 }
        [[games]]
        name = "Early"
        price = "many"
        kin = "bingo"
        prizes = { dance = 1 }
        """,
    "wrong/nights/0002/journal.jsonl": "",
    "wrong/theme.toml": """
        languages = ["en"]
        entries = { 91 = 1 }
        """,
}
SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b")


@pytest.mark.long
@pytest.mark.parametrize("code", LANGUAGES)
def test_what_commands_print_is_in_the_language(
    loto: Loto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    """No line of three words is as in English; what is for programs, is."""
    said: dict[str, list[str]] = {}
    for lang in ("C", f"{code}.UTF-8"):
        folder = tmp_path / lang
        for name, text in WRONG.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("LC_ALL", lang)
        printed = [loto(*typed) for typed in PRINTED]
        said[lang] = [line for one in printed for line in f"{one.out}\n{one.err}".splitlines()]
        data = [loto(*typed, "--json").out for typed in (("doctor",), ("odds", "first"))]
        said[f"{lang} for programs"] = data
    english, told = said["C"], said[f"{code}.UTF-8"]
    assert len(told) > len(PRINTED)
    assert [line for line in told if line in english and SENTENCE.search(line)] == []
    assert said["C for programs"] == said[f"{code}.UTF-8 for programs"]
