"""Packs on the command line: made with the hall's key, imported, exported, checked, shown; and a
key that is lost."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from station.base.errors import EXIT_DAMAGED, EXIT_DONE, EXIT_USAGE, Damaged, StoreError
from station.base.nouns import Columns
from station.cards import PACK_FILE
from station.cards.cards_key import KEY_FILE, load_key, load_numbering, make_key
from station.cards.pack import Pack
from station.cards.pack_layouts import PackLayout
from station.cards.serials import Numbering, qr_text
from station.commands import app as cli
from station.machine.backup import back_up, check
from tests.cards.test_pack_files import FIG, WRITTEN
from tests.support import small_pack


@dataclass
class Outcome:
    """What a command came to."""

    code: int
    out: str
    err: str


Loto = Callable[..., Outcome]


@pytest.fixture
def loto(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Loto:
    """Types `loto pack …` in this process."""
    monkeypatch.setenv("COLUMNS", "200")

    def type_it(*words: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["loto", "pack", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Outcome(int(str(ended.value.code or 0)), out, err)

    return type_it


def in_use(state: Path) -> Pack:
    return Pack.load(state / "packs" / PACK_FILE)


# -- made ------------------------------------------------------------------------------------------


def test_a_pack_is_made_with_the_halls_key(loto: Loto, tmp_path: Path) -> None:
    """The key is made with the first pack, for its owner alone; serials check with it, and with no
    other."""
    state = tmp_path / "state"
    made = loto("make", "--strips", 2, "--series", "B", "--first", 101, "--state", state)
    assert (made.code, made.err) == (EXIT_DONE, "")
    pack, key = in_use(state), load_key(state)
    assert stat.S_IMODE((state / KEY_FILE).stat().st_mode) == 0o600
    assert key is not None
    assert len(key) == 32
    assert pack.serials == tuple(Numbering(key, "B").serials(101, 12))
    assert f"12 cards in 2 strips, {pack.serials[0]} to {pack.serials[-1]}: " in made.out
    assert load_numbering(pack.serials, state) == Numbering(key, "B")
    loto("make", "--state", state, "--out", tmp_path / "more.csv")
    assert load_key(state) == key, "it is made once"
    assert Pack.load(tmp_path / "more.csv").serials[0] == Numbering(key, "A").serial(1)
    assert make_key(tmp_path / "other") != key


def test_the_same_seed_makes_the_same_pack(loto: Loto, tmp_path: Path) -> None:
    """Byte for byte, with the same key; without a seed it is told, and none is like another.
    Serials may be plain."""
    files = [tmp_path / f"{n}.csv" for n in range(5)]
    made = [
        loto("make", "--strips", 1, *seed, "--out", file, "--state", tmp_path)
        for seed, file in zip(
            [["--seed", "spring"], ["--seed", "spring"], ["--seed", "autumn"], []],
            files,
            strict=False,
        )
    ]
    told = made[3].out.partition("--seed ")[2].split()[0]
    loto("make", "--strips", 1, "--seed", told, "--plain", "--out", files[4], "--state", tmp_path)
    first, again, other, fourth, plain = map(Pack.load, files)
    assert first.digest == again.digest
    assert len({first.digest, other.digest, fourth.digest}) == 3
    assert "--seed" not in made[0].out
    assert plain.numbers.tolist() == fourth.numbers.tolist()
    assert plain.serials == ("0001", "0002", "0003", "0004", "0005", "0006")


def test_a_pack_in_use_is_not_replaced_unless_it_is_meant(loto: Loto, tmp_path: Path) -> None:
    """Made or imported: the pack in use stays as it is, and the option is named."""
    loto("make", "--plain", "--state", tmp_path)
    before = in_use(tmp_path).digest
    (tmp_path / "fig.csv").write_text(WRITTEN[PackLayout.ROWS])
    for words in (["make"], ["import", tmp_path / "fig.csv"]):
        refused = loto(*words, "--state", tmp_path)
        assert (refused.code, "add --replace if you mean it" in refused.err) == (EXIT_USAGE, True)
        assert in_use(tmp_path).digest == before
        assert loto(*words, "--state", tmp_path, "--replace").code == EXIT_DONE
        assert in_use(tmp_path).digest != before
        before = in_use(tmp_path).digest


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--plain", "--series", "B"], "plain serials have no series"),
        (["--series", "b"], "series 'b' is not up to four capital letters"),
        (["--first", 2**30 - 5], "serials count from 0 to 1073741823"),
        (["--first", -1], "--first"),
        (["--strips", 0], "--strips"),
        (["--strips", 200_001], "--strips"),
    ],
)
def test_a_pack_that_cannot_be_is_not_made(
    loto: Loto, words: list[object], says: str, tmp_path: Path
) -> None:
    """A sentence says why, and no pack is there."""
    refused = loto("make", *words, "--state", tmp_path)
    assert refused.code == EXIT_USAGE
    assert says in refused.err
    assert not (tmp_path / "packs").exists()


def test_a_pack_that_cannot_be_written_is_named(loto: Loto, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").write_text("")
    outcome = loto("make", "--strips", 1, "--plain", "--out", tmp_path / "file" / "pack.csv")
    assert (outcome.code, "pack.csv" in outcome.err) == (EXIT_USAGE, True)


# -- the key ---------------------------------------------------------------------------------------


def test_a_lost_key_is_told_and_not_made_anew(loto: Loto, tmp_path: Path) -> None:
    """With it lost no pack is made but a plain one, unless the one that was numbered with it is
    given up; nor is a code read."""
    loto("make", "--state", tmp_path)
    pack, key = in_use(tmp_path), (tmp_path / KEY_FILE).read_bytes()
    code = qr_text(pack.serials[7], load_numbering(pack.serials, tmp_path))
    assert pack.serials[7] in loto("show", code, "--state", tmp_path).out
    (tmp_path / KEY_FILE).unlink()
    for words in (
        ["make", "--out", tmp_path / "x.csv"],
        ["make", "--out", tmp_path / "x.csv", "--replace"],
        ["show", code],
    ):
        refused = loto(*words, "--state", tmp_path)
        assert refused.code == EXIT_DAMAGED
        assert f"{KEY_FILE}: lost" in refused.err
        assert "backup" in refused.err
        assert not (tmp_path / KEY_FILE).exists()
    assert pack.serials[7] in loto("show", pack.serials[7], "--state", tmp_path).out
    assert (
        loto("make", "--plain", "--out", tmp_path / "x.csv", "--state", tmp_path).code == EXIT_DONE
    )
    (tmp_path / KEY_FILE).write_bytes(key)
    (tmp_path / KEY_FILE).chmod(0o600)
    assert loto("show", code, "--state", tmp_path).code == EXIT_DONE, "put back, all is well"
    (tmp_path / KEY_FILE).unlink()
    assert loto("make", "--replace", "--state", tmp_path).code == EXIT_DONE
    assert (tmp_path / KEY_FILE).read_bytes() != key
    assert load_numbering(pack.serials, tmp_path) is None, (
        "what another key numbered is not this hall's"
    )


@pytest.mark.parametrize(
    ("content", "mode", "kind", "says"),
    [
        (b"ab" * 32 + b"\n", 0o640, StoreError, "others may read the key"),
        (b"", 0o600, Damaged, "this is no key of cards"),
        (b"ab" * 31 + b"\n", 0o600, Damaged, "this is no key of cards"),
        (b"\xff" * 32, 0o600, Damaged, "this is no key of cards"),
    ],
)
def test_a_key_that_is_none_is_refused(
    content: bytes, mode: int, kind: type[Exception], says: str, tmp_path: Path
) -> None:
    """Readable by others, empty, cut, raw: named, and never replaced."""
    file = tmp_path / KEY_FILE
    file.write_bytes(content)
    file.chmod(mode)
    for ask in (load_key, make_key):
        with pytest.raises(kind, match=says):
            ask(tmp_path)
    assert file.read_bytes() == content


def test_the_key_cannot_be_kept(tmp_path: Path) -> None:
    """A file where the state folder should be: said, with the place."""
    (tmp_path / "state").write_text("")
    with pytest.raises(StoreError, match=rf"state/{KEY_FILE}: the key of the cards cannot be"):
        make_key(tmp_path / "state")


def test_the_key_is_in_the_backup(tmp_path: Path) -> None:
    """Without it, printed codes would be worth nothing on the next machine."""
    make_key(tmp_path / "state")
    (tmp_path / "stick").mkdir()
    kept = {
        one.name: one.mode
        for one in check(back_up(tmp_path / "state", None, tmp_path / "stick")).files
    }
    assert kept == {f"state/{KEY_FILE}": 0o600}


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", PackLayout)
def test_a_series_comes_in_and_goes_out(loto: Loto, layout: PackLayout, tmp_path: Path) -> None:
    """Imported in any layout, found out or said; exported in the same; imported again it is the
    same pack."""
    first, second, file = tmp_path / "a", tmp_path / "b", tmp_path / "out.csv"
    (tmp_path / "fig.csv").write_text(WRITTEN[layout])
    brought = loto("import", tmp_path / "fig.csv", "--state", first)
    assert (brought.code, brought.err) == (EXIT_DONE, "")
    assert "2 cards, 7 to 8 (2 without a series), not in strips of six, digest " in brought.out
    assert in_use(first).card("7").rows == FIG.rows
    assert loto("export", file, "--layout", layout, "--state", first).code == EXIT_DONE
    refused = loto("export", file, "--layout", layout, "--state", first)
    assert (refused.code, "add --replace to write over it" in refused.err) == (EXIT_USAGE, True)
    assert file.read_text().startswith(",".join(layout.header) + "\n")
    assert (
        loto(
            "import", file, "--layout", layout, "--serial-column", "Serial", "--state", second
        ).code
        == EXIT_DONE
    )
    assert in_use(second).digest == in_use(first).digest


def test_a_card_file_with_faults_is_refused_line_by_line(loto: Loto, tmp_path: Path) -> None:
    """Every faulty line is named; nothing of the file is used, not even its good cards."""
    lines = small_pack().to_csv().splitlines()
    lines[2] = lines[2].replace(",", ",91,", 1).rpartition(",")[0]
    lines[4] = lines[4].rpartition(",")[0]
    lines[6] = lines[5].partition(",")[0] + "," + lines[6].partition(",")[2]
    bad = tmp_path / "series.csv"
    bad.write_text("\n".join(lines))
    for words in (["check", bad], ["import", bad, "--state", tmp_path]):
        outcome = loto(*words)
        assert outcome.code == EXIT_USAGE
        assert {line.partition(" ")[0] for line in outcome.err.splitlines()} == {
            f"series.csv:{n}:" for n in (3, 5, 7)
        }
    assert not (tmp_path / "packs").exists()
    assert loto("check", tmp_path / "none.csv").code == EXIT_USAGE


def test_a_file_is_checked(loto: Loto, tmp_path: Path) -> None:
    """Its cards are counted, by series and in strips, and its digest is what the pack is known
    by."""
    pack = small_pack()
    good, part = tmp_path / "good.csv", tmp_path / "part.csv"
    good.write_text(pack.to_csv())
    part.write_text("".join(pack.to_csv().splitlines(keepends=True)[:8]))
    assert json.loads(loto("check", good, "--json").out) == {
        "cards": 12, "first": "0001", "last": "0012", "series": {"": 12}, "strips": 2, "whole": 2,
        "digest": pack.digest,
    }  # fmt: skip
    assert (
        f"12 cards, 0001 to 0012 (12 without a series), 2 whole strips, digest {pack.digest[:16]}"
        in loto("check", good).out
    )
    assert (
        "7 cards, 0001 to 0007 (7 without a series), 1 whole strip and 1 card,"
        in loto("check", part).out
    )
    made = loto("make", "--strips", 1, "--state", tmp_path)
    assert made.code == EXIT_DONE
    assert "6 cards, A000001-" in loto("show", "--state", tmp_path).out
    assert json.loads(loto("show", "--json", "--state", tmp_path).out)["series"] == {"A": 6}


def test_a_card_is_shown_as_it_is_printed(loto: Loto, tmp_path: Path) -> None:
    """Nine columns, each number in its own, blanks between; found by what is keyed or scanned; JSON
    for programs."""
    (tmp_path / "fig.csv").write_text(WRITTEN[PackLayout.CELLS])
    loto("import", tmp_path / "fig.csv", "--state", tmp_path)
    shown = loto("show", "7", "--state", tmp_path).out
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in shown.splitlines()
        if "│" in line
    ]
    assert rows == [
        ["5", "11", "", "33", "", "50", "", "76", ""],
        ["", "17", "22", "", "43", "", "65", "", "89"],
        ["2", "", "28", "35", "", "56", "", "74", ""],
    ]
    assert "card 7" in shown
    assert json.loads(loto("show", " 7", "--json", "--state", tmp_path).out) == {
        "serial": "7",
        "rows": [list(row) for row in FIG.rows],
    }
    refused = loto("show", "9", "--state", tmp_path)
    assert (refused.code, refused.err) == (
        EXIT_USAGE,
        "'9' is no card of this pack (7 to 8): check the card and type its serial, for example 8\n",
    )
    assert "make a pack with ./loto pack make" in loto("show", "--state", tmp_path / "x").err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files for another user")
def test_what_root_makes_is_the_stations(loto: Loto, tmp_path: Path) -> None:
    """Pack and key are given to whose the state folder is: the station, which has no rights, must
    read them."""
    os.chown(tmp_path, 4711, 4711)
    loto("make", "--out", tmp_path / "more.csv", "--state", tmp_path)
    assert (tmp_path / KEY_FILE).stat().st_uid == 4711
    loto("make", "--state", tmp_path)
    assert {
        (tmp_path / name).stat().st_uid for name in (KEY_FILE, f"packs/{PACK_FILE}", "packs")
    } == {4711}


# -- other programs' files, other printers' series ------------------------------------------------


def test_what_was_left_out_is_said(loto: Loto, tmp_path: Path) -> None:
    """A person sees which columns the station took for what."""
    line = WRITTEN[PackLayout.NUMBERS].splitlines()[0]
    head = "Book,Colour,Perm," + ",".join(f"n{n}" for n in range(1, 16))
    file = tmp_path / "books.csv"
    file.write_text(f"{head}\n1,Blue,{line}\n")
    said = loto("check", file)
    assert (said.code, "Serials: Perm. Left out: Book and Colour." in said.out) == (EXIT_DONE, True)
    asked = loto("check", file, "--leave-out", "Perm", "--leave-out", "Colour,Book")
    assert (asked.code, "18 columns: " in asked.err) == (EXIT_USAGE, True)
    assert json.loads(loto("check", file, "--json").out)["first"] == "7"


def test_signs_of_blanks_and_columns_can_be_said(loto: Loto, tmp_path: Path) -> None:
    """Two signs that nobody knows; tens at the end of their columns."""
    file = tmp_path / "cells.csv"
    file.write_text(WRITTEN[PackLayout.CELLS].replace(",,", ",qq,").replace(",,", ",pp,"))
    refused = loto("check", file)
    assert refused.code == EXIT_USAGE
    assert loto("check", file, "--blank", "qq", "--blank", "pp").code == EXIT_DONE
    line = "501,3,21,45,61,81,7,15,33,52,75,10,20,30,50,90\n"
    file.write_text(line)
    said = loto("import", file, "--columns", "tens-last", "--state", tmp_path)
    assert "The columns of these cards are 1-10, 11-20, … 81-90." in said.out
    assert in_use(tmp_path).columns is Columns.TENS_LAST
    shown = loto("show", "501", "--state", tmp_path).out
    assert "│ 10 │ 20 │ 30 │" in shown


def test_a_second_series_stands_beside_the_first(loto: Loto, tmp_path: Path) -> None:
    """Its serials get a name; where both have the same, the first gets one too, and a number alone
    is asked about."""
    for name, seed in (("first", 1), ("second", 2), ("third", 3)):
        loto("make", "--plain", "--seed", seed, "--out", tmp_path / f"{name}.csv")
    add = ("--add", "--state", tmp_path)
    loto("import", tmp_path / "first.csv", "--state", tmp_path)
    refused = loto("import", tmp_path / "second.csv", *add)
    assert (refused.code, "name the new series with --series B" in refused.err) == (
        EXIT_USAGE,
        True,
    )
    said = loto("import", tmp_path / "second.csv", "--series", "B", *add)
    assert "the cards already in use are series A, A 0001 to A 0024" in said.out
    loto("import", tmp_path / "third.csv", "--series", "Blue", *add)
    pack = in_use(tmp_path)
    assert pack.series == {"A": 24, "B": 24, "Blue": 24}
    assert pack.serials[::24] == ("A 0001", "B 0001", "Blue 0001")
    asked = loto("show", "17", "--state", tmp_path)
    assert "'17' may be A 0017, B 0017 or Blue 0017: type the whole serial" in asked.err
    assert "card B 0017" in loto("show", "b17", "--state", tmp_path).out
    assert (
        "6 cards on 1 page"
        in loto("print", "B 7-12", "--out", tmp_path / "b.pdf", "--state", tmp_path).out
    )
    again = loto("import", tmp_path / "second.csv", "--series", "C", *add)
    assert "24 cards have the same numbers as another card, for example C 0001" in again.err
    for wrong in ("B2", "", "B C", "x" * 13):
        assert loto("import", tmp_path / "third.csv", "--series", wrong, *add).code == EXIT_USAGE
    both = loto("import", tmp_path / "third.csv", "--replace", *add)
    assert "use either --add or --replace" in both.err
    assert in_use(tmp_path).digest == pack.digest


def test_a_series_with_serials_of_its_own_needs_no_name(loto: Loto, tmp_path: Path) -> None:
    """Nothing is renamed where no serial is said like another."""
    loto("make", "--seed", 1, "--state", tmp_path)
    own = in_use(tmp_path)
    loto("make", "--plain", "--seed", 2, "--first", 5001, "--out", tmp_path / "more.csv")
    assert loto("import", tmp_path / "more.csv", "--add", "--state", tmp_path).code == EXIT_DONE
    pack = in_use(tmp_path)
    assert pack.serials[:24] == own.serials
    assert pack.serials[24] == "5001"
    assert loto("print", "--out", tmp_path / "all.pdf", "--state", tmp_path).code == EXIT_DONE
