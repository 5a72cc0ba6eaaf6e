"""Dice Keno, and Bell and Hammer, each to its end by a tower's bytes: the real core and driver over
a pseudo-terminal, with what goes wrong with dice, and a gavel that knocks down."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from station.wire.board_view import BoardView
from station.wire.wording import load_wording
from tests.end_to_end.evening import Evening

pytestmark = pytest.mark.long

PROGRAMME = """
name = "Dice"

[[games]]
name = "Keno"
method = "dice-keno"
table = { stake = 240, variation = "row" }

[[games]]
name = "Hammer"
method = "bell-and-hammer"
table = { stake = 240, dozens = 1 }
"""
COMPANY = [{"name": name, "purse": 2400} for name in ("Anna", "Bruno", "Carla")]
PHRASES = load_wording("en").phrases
MOST = 3000  # steps of a game: none is so long


class Host:
    """A host who lets the dice decide, and asks for whatever is due besides."""

    def __init__(self, folder: Path) -> None:
        (folder / "dice.toml").write_text(PROGRAMME)
        game = {"programme": str(folder / "dice.toml"), "dice": ["tower", "keyed"]}
        self.evening = Evening(folder, settings={"game": game})
        # What is thrown before the tower was heard for the first time is no throw: its cable, put
        # in anew, says when it is heard.
        self.evening.hand("unplug-tower")
        self.evening.until(lambda view: bool(lost(view)))
        self.evening.hand("plug-tower")
        self.evening.until(lambda view: not lost(view))
        self.ask("sit", players=COMPANY)

    def ask(self, act: str, **said: Any) -> None:
        answer = self.evening.ask(act, **said)
        assert "ok" in answer, answer

    @property
    def table(self) -> dict[str, Any]:
        client = self.evening.client
        told: dict[str, Any] = self.evening.loop.run(client.request({"ask": {"about": "table"}}))
        return dict(told["answer"])

    def recorded(self, hand: str, **said: Any) -> None:
        """A hand is moved, and a line of the journal comes of it."""
        seq = self.evening.journal()[-1]["seq"]
        assert "ok" in self.evening.hand(hand, **said)
        self.evening.until(lambda view: view.seq > seq)

    def throws(self) -> Counter[tuple[str, str]]:
        """How many throws stand in the journal, by their move and their input."""
        moves = [line for line in self.evening.journal() if line["do"]["act"] == "move"]
        return Counter(
            (line["do"]["move"]["do"], line["via"])
            for line in moves
            if {"dice", "first", "shown"} & line["do"]["move"].keys()
        )

    def step(self) -> bool:
        """The next thing that is due is done; false at the end of the game."""
        told = self.table
        if not told["open"] or told["over"]:
            return False
        due = [move for move in told["moves"] if move["may"]]
        if told["step"] == "shuffle":
            self.ask("move", move={"do": told["chance"]["do"]})
        elif told["step"] == "throw":
            self.recorded("throw")
        elif told["step"] == "knock-down":
            self.recorded("press", button="gavel")
        else:
            [move, *_] = [move for move in due if move["seat"] in told["turn"]]
            passes = [other for other in due if other["do"] == "pass-bid"]
            move = passes[0] if passes else move
            chosen = {name: slot["values"][0] for slot in move["slots"] for name in slot["names"]}
            self.ask("move", move={"do": move["do"], **move["fields"], **chosen})
        return True

    def play(self) -> None:
        for _ in range(MOST):
            if not self.step():
                return
        raise AssertionError("the game does not end")


def test_two_games_by_the_towers_throws(tmp_path: Path) -> None:
    """Every throw in the record is the tower's, but for the one that was keyed while its cable was
    out; what could not be read was asked for again, and stands nowhere."""
    host = Host(tmp_path)
    evening = host.evening
    host.ask("open")
    assert host.step()  # the deal
    before = evening.journal()[-1]["seq"]
    # the station has no dice of its own here: neither a button nor a page throws any
    assert "no-such-dice" in str(evening.ask("move", move={"do": "throw-dice"}))
    assert host.table["chance"] is None

    for fault, phrase in (("askew", "dice-askew"), ("touched", "dice-touched")):
        said = PHRASES[phrase]
        evening.hand("throw", fault=fault)
        evening.until(lambda view, said=said: heard(view, said))  # type: ignore[misc]
        evening.silence()
    assert not host.throws()

    evening.hand("unplug-tower")
    sign = evening.until(lambda view: bool(lost(view))).signs
    assert "the host keys in what the dice show" in " ".join(one.text for one in sign)
    host.ask("move", move={"do": "read-dice", "first": 6, "second": 6})
    evening.hand("plug-tower")
    evening.until(lambda view: not lost(view))
    host.play()
    keno = host.throws()
    assert keno.pop(("read-dice", "keyed")) == 1
    assert set(keno) == {("throw-dice", "tower")}
    assert keno["throw-dice", "tower"] >= 2 + 4  # for the lead; four in a row

    host.ask("open")
    host.play()
    every = host.throws()
    assert every["throw-cubes", "tower"] >= 1
    assert {via for do, via in every if do == "throw-cubes"} == {"tower"}
    knocks = [one for one in evening.journal() if one["do"].get("move") == {"do": "knock-down"}]
    assert [one["via"] for one in knocks] == ["button:gavel"] * 5
    assert evening.journal()[-1]["seq"] > before
    evening.close()


def heard(view: BoardView, text: str) -> bool:
    return view.say is not None and view.say.text == text


def lost(view: BoardView) -> list[str]:
    return [sign.text for sign in view.signs if sign.device == "tower"]
