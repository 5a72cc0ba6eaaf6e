"""The command line in a language: every text is there, translated, with its values; English reads
no file."""

from __future__ import annotations

import json
import re
import string
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from station.base.catalogues import FOLDER, speaking, texts_of, translations
from station.base.errors import EXIT_DONE, EXIT_NO, EXIT_USAGE, Unreadable
from station.base.tongue import tr
from station.commands.app import GROUPS
from station.games import GAMES, AnyRules
from station.games.spoil_five.hand import Result
from station.paper.reports.table_record import table_sentence
from station.rules.abilities import SellsCards
from station.rules.play import FaultKind
from tests.commands.test_app import Loto, core_in_a_thread, loto, one_sentence
from tests.commands.texts import LANGUAGES, OF_GAMES, OTHERS, ROOMS, STATION, keys, untold
from tests.drill.companies import VARIATIONS, anything, sat_down
from tests.translated import completed, written

__all__ = ["loto"]

# Texts that a language may have as English has them: names, words that are the same, and frames.
SAME = {
    "table",  # in French, too
    *("Date", "TEST", "logo {file}: {why}", "page {number}", "{name} - programme {digest}"),
    *("Corrections", "programme", "signature", "tickets", "verdict"),
    *("abstracts", "ambos", "ternes", "quaternes", "jackpot", "prizes.…"),
    "ambo",
    *("1 ambo", "1 quaterne", "1 quinterne", "1 terne"),
    *("{count} ambos", "{count} quaternes", "{count} ternes"),
    *("Keno", "Spoil-Five", "Tontine"),
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


# Files of a game with sentences for reports and sheets; its refusals are in other files.
TOLD_BY_GAMES = ("play.py", "report.py")
LATIN = re.compile(r"[A-Za-z]{3}")  # the name of a playing card is shorter


def names(text: str) -> set[str]:
    """The values that a text has a place for."""
    return {name for _, name, *_ in string.Formatter().parse(text) if name}


def literal(text: str) -> list[str]:
    """What stays as it is typed: commands with hyphens before them, and numbers of exit codes."""
    return sorted(re.findall(r"--[a-z0-9]+(?:-[a-z0-9]+)*", text))


@pytest.mark.long
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_has_every_text_and_no_other(code: str) -> None:
    """Neither one too few nor one left over; the same values and options; nothing stays English."""
    told, wanted = texts_of(code), keys()
    rows = json.loads((FOLDER / f"{code}.json").read_text("utf-8"))
    assert [one for one in wanted if one not in told] == []
    assert sorted(set(rows) - set(wanted)) == []
    assert [one for one in told if names(one) != names(told[one])] == []
    assert [one for one in told if literal(one) != literal(told[one])] == []
    assert [one for one in told if one == told[one] and one not in SAME] == []
    assert [one for one in told if one.count("\n\n") != told[one].count("\n\n")] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_file_has_a_line_for_each_text_in_order(code: str) -> None:
    """As `python -m tests.commands.texts` writes it, so that a change is seen in its own line."""
    text = (FOLDER / f"{code}.json").read_text("utf-8")
    told = json.loads(text)
    assert text == written(completed(told, told))
    assert len(text.splitlines()) == len(told) + 2


def test_a_text_without_its_translation_yet_is_english(tmp_path: Path) -> None:
    """So begins the file of a new language; what was translated stays, also when its English is not
    in the code any more."""
    begun = {"b": "β", "gone": "", "old": "παλιό"}
    assert completed(begun, ["c", "b"]) == {"b": "β", "c": "", "old": "παλιό"}
    (tmp_path / "el.json").write_text(written(completed({"b": "β"}, "ab")), "utf-8")
    assert translations(tmp_path, "el") == {"b": "β"}
    assert translations(tmp_path, "eo") == {}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('["a", "b"]', "each English text has its translation, both in quotes"),
        ('{"a": 1}', "each English text has its translation, both in quotes"),
        ('{"a": "b", "a": "c"}', "the key 'a' is given twice"),
        ('{"a": "b",}', "not JSON: "),
        (json.dumps({"a" * 1001: "b"}), "a key of 1,001 characters; 1000 is the most"),
    ],
)
def test_a_file_with_a_fault_is_named(tmp_path: Path, text: str, fault: str) -> None:
    """With the fault, for whoever translates."""
    file = tmp_path / "eo.json"
    file.write_text(text, "utf-8")
    with pytest.raises(Unreadable, match=f"^{re.escape(str(file))}: .*{re.escape(fault)}"):
        translations(tmp_path, "eo")


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
        "except SystemExit: print([f for f in opened if 'base/words' in f])"
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
            "vendita a Anna: 2 cartelle, per 1 partita (partita 1): £2.00 (riga 2 del registro)."
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


@pytest.mark.long
def test_every_sentence_has_its_place_in_the_files() -> None:
    """What commands print, and what they say of errors, goes through `tr`: a sentence that does not
    is found where it stands."""
    known = set(keys())
    assert [
        f"{file.relative_to(STATION)}:{line}: {told}"
        for room in (*ROOMS, *OF_GAMES)
        if room != "rules"  # its faults are those of a game's author
        for file in sorted((STATION / room).rglob("*.py"))
        if str(file.relative_to(STATION)) not in OTHERS
        and (room not in OF_GAMES or file.name in TOLD_BY_GAMES)
        for line, told in untold(file.read_text("utf-8"))
        if told not in known
    ] == []


AT_A_TABLE = [play for play in GAMES.values() if play.ability(SellsCards) is None]


@pytest.mark.parametrize("play", AT_A_TABLE, ids=lambda play: play.name)
def test_what_is_agreed_on_at_a_table_is_in_the_language(play: AnyRules) -> None:
    """Whatever the value of a setting is; in a language of other letters no English word is
    left."""
    agreed = [
        {one.name: value}
        for one in play.settings
        for value in one.values or ((True, False) if isinstance(one.default, bool) else ())
    ]
    with speaking("hi"):
        for more in agreed:
            settings = play.agreed({"stake": 240, "cards": 6, **more})
            sentences = [*play.terms(settings, "£2.40")]
            assert sentences
            said = [tr(play.title), play.parts(settings)[1], *sentences]
            assert [one for one in said if LATIN.search(one)] == []


def of_games(play: AnyRules) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Moves of a game, each with what followed: by players who do anything, of all variations."""
    luck = Random(16)
    for agreed in VARIATIONS.get(play.name, ()):
        state = sat_down(play, agreed, luck)
        for _ in range(150):
            if play.outcome(state) is not None:
                break
            action, before = anything(play, state, luck), state
            state = play.apply(before, action)
            for do, kind in play.moves.items():
                if type(action) is kind:
                    yield {"do": do, **asdict(action)}, play.then(before, state)


# in Spoil-Five, where it is agreed on or a deal went wrong
ASKED = (
    *("agree-five", "deal-again", "jink", "keep-trumps", "pass-deal", "refuse-five", "rob"),
    "take-pool",
)
SETTLED = {"classes": [9, 19, 2, 1, 1, 1], "laid": 28, "won": 130, "paid": 125}
# With the station's playing cards, and without Loto's, these are not done.
BESIDES: Mapping[str, Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]] = {
    "loto-second": (
        ({"do": "agree"}, {}),
        ({"do": "decline"}, {}),
        ({"do": "exchange", "seat": 1, "serial": "1", "other": 0, "wanted": "9"}, {}),
        ({"do": "exchange", "seat": 1, "serial": "1", "other": 2, "wanted": "9"}, {}),
        ({"do": "finish"}, {"ended": {"unpaid": 2}}),
        ({"do": "put-away", "number": 17}, {}),
        ({"do": "replenish"}, {"settled": SETTLED}),
        ({"do": "resolve", "drawings": 1}, {}),
        ({"do": "resolve", "drawings": 2}, {}),
        ({"do": "settle"}, {"settled": SETTLED}),
        ({"do": "settle"}, {}),
        ({"do": "take", "seat": 1}, {}),
        ({"do": "throw-up", "seat": 1, "serial": "1"}, {}),
    ),
    "loto-parlour": (
        ({"do": "share"}, {}),
        ({"do": "answer", "seats": (1, 2), "micros": (0, 400)}, {}),
        *(
            ({"do": "answer", "seats": (1,), "micros": ()}, {"answers": [[1, 0, verdict]]})
            for verdict in ("covers", "wrong", "late", "tied")
        ),
    ),
    "my-bird-sings": (
        ({"do": "deal-card"}, {"to": 0}),
        ({"do": "deal-card"}, {"to": 2}),
        *(
            ({"do": "declare-fault", "seat": 1, "kind": kind}, {})
            for kind in ("misdeal", "exposed")
        ),
    ),
    "spoil-five": (
        ({"do": "deal-card"}, {"to": 2}),
        ({"do": "deal-card"}, {"turned": "7S"}),
        *(({"do": "declare-fault", "seat": 1, "kind": str(kind)}, {}) for kind in FaultKind),
        *(({"do": do, "seat": 1}, {}) for do in ASKED),
        *(
            ({"do": "leave-ace", "seat": 1}, {"result": result, "players": [1, 2]})
            for result in (*Result, "declared")
        ),
    ),
    "tontine": (({"do": "turn"}, {}), ({"do": "take-back"}, {})),
    "dice-keno": (({"do": "read-dice", "first": 3}, {"seat": 1}),),
}


@pytest.mark.parametrize("play", AT_A_TABLE, ids=lambda play: play.name)
def test_what_is_done_at_a_table_is_in_the_language(play: AnyRules) -> None:
    """Every move that the game has; in a language of other letters no English word is left."""
    done = [*of_games(play), *BESIDES.get(play.name, ())]
    seats = tuple(map(str, range(1, 61)))
    assert {move["do"] for move, _ in done} == set(play.moves)
    with speaking("hi"):
        said = {
            table_sentence({"act": "move", "move": move}, then, seats, play.name)
            for move, then in done
        }
    assert [one for one in said if one is None or LATIN.search(one)] == []


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
