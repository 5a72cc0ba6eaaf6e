"""Write a game of Loto, First Method, on one line, and read it back.

First comes what is played for: `whole` or `quarters` with the pool, or the stages with their
amounts (and their pattern, where the key does not name it). Then the register, the numbers called,
the phase, the claims of this stop and the wins. What a game does not have (jackpot, tickets, lots)
is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from urllib.parse import unquote

from station.rules import prizes
from station.rules.notations import parsed, row, things, word
from station.rules.patterns import JACKPOT

_STATE = re.compile(
    r"(?P<head>.+) called=(?P<called>\S+) (?P<phase>playing|stopped|closed) claims=(?P<claims>\S+)"
    r" wins=(?P<wins>\S+)"
    r"(?: shown=(?P<shown>\S+))?(?: lots=(?P<lots>\S+))?"
)


def notation(state: prizes.PrizeState) -> str:
    """Return the state on one line."""
    phase = "closed" if state.closed else "stopped" if state.stopped else "playing"
    several = len(state.open) > 1
    claims = (
        f"{word(claim.serial)}:{claim.verdict}"
        + (f":{'+'.join(claim.stages)}" if several and claim.stages else "")
        for claim in state.claims
    )
    # Who has a thing follows from the stage and the lots.
    wins = (f"{win.stage}:{word(win.serial)}:{win.amount}:{win.calls}" for win in state.wins)
    line = (
        f"{_head(state.setup)} called={row(state.called)} {phase}"
        f" claims={row(claims)} wins={row(wins)}"
    )
    if state.tickets:
        line += " shown=" + row(map(_ticket, state.tickets))
    if state.lots:
        line += " lots=" + row(
            f"{lots.stage}:" + "+".join(f"{word(serial)}.{knob}" for serial, knob in lots.knobs)
            for lots in state.lots
        )
    return line


def _head(setup: prizes.PrizeSetup) -> str:
    stages = (
        f"{setup.label} pool={setup.pool}"
        if setup.label
        else f"stages={row(map(_stage, setup.stages))}"
    )
    more = (
        ("at-once", setup.at_once),
        (f"odd={setup.odd}", setup.odd != prizes.LOWEST),
        (f"jackpot={setup.jackpot}/{setup.within}", setup.jackpot),
        (f"tickets={setup.tickets}", setup.takes_tickets),
    )
    return " ".join(
        (stages, *(word for word, there in more if there), f"register={setup.register or '-'}")
    )


def _stage(stage: prizes.Stage) -> str:
    pattern = str(stage.pattern)
    named = stage.key if pattern == stage.key else f"{stage.key}={pattern}"
    return f"{named}:{stage.amount}" + (f":{word(stage.thing)}" if stage.thing else "")


def _ticket(ticket: prizes.Ticket) -> str:
    name = f":{word(ticket.name)}" if ticket.name else ""
    return f"{word(ticket.serial)}:{'.'.join(map(str, ticket.numbers))}{name}"


def parse(title: str, setup: prizes.PrizeSetup, text: str) -> prizes.PrizeState:
    """Return the state that `notation` wrote; raises `Unreadable` as `parsed` does."""
    return parsed(_STATE, text, title, _head(setup), partial(_read, setup), notation, _possible)


def _read(setup: prizes.PrizeSetup, match: re.Match[str]) -> prizes.PrizeState:
    lots = tuple(map(_read_lots, things(match["lots"])))
    state = prizes.PrizeState(
        setup,
        tuple(map(int, things(match["called"]))),
        match["phase"] == "stopped",
        (),
        tuple(_read_win(setup, lots, win) for win in things(match["wins"])),
        match["phase"] == "closed",
        tuple(map(_read_ticket, things(match["shown"]))),
        lots,
    )
    claims = tuple(_read_claim(state, claim) for claim in things(match["claims"]))
    return replace(state, claims=claims)


def _read_lots(text: str) -> prizes.Lots:
    stage, knobs = text.split(":")
    pairs = (pair.rsplit(".", 1) for pair in knobs.split("+"))
    return prizes.Lots(stage, tuple((unquote(serial), int(knob)) for serial, knob in pairs))


def _read_win(setup: prizes.PrizeSetup, lots: Iterable[prizes.Lots], text: str) -> prizes.Win:
    key, quoted, amount, calls = text.split(":")
    serial = unquote(quoted)
    thing = next((stage.thing for stage in setup.stages if stage.key == key), "")
    lost = any(drawn.stage == key and drawn.winner != serial for drawn in lots)
    return prizes.Win(key, serial, int(amount), int(calls), "" if lost else thing)


def _read_ticket(text: str) -> prizes.Ticket:
    serial, numbers, *name = text.split(":")
    return prizes.Ticket(
        unquote(serial),
        tuple(int(number) for number in numbers.split(".")),
        unquote(":".join(name), errors="strict"),
    )


def _read_claim(state: prizes.PrizeState, text: str) -> prizes.Claim:
    quoted, said, *keys = text.split(":")
    serial = unquote(quoted)
    verdict, ticket = prizes.ClaimVerdict(said), state.ticket(serial)
    stages = tuple(keys[0].split("+")) if keys else tuple(stage.key for stage in state.open)
    return prizes.Claim(
        serial,
        verdict,
        stages if verdict is prizes.ClaimVerdict.VALID else (),
        ticket.numbers if ticket is not None else (),
    )


def _possible(state: prizes.PrizeState) -> bool:
    """Return whether a state can occur: knobs of this bag, each once; wins of this game's stages,
    paid from its pool; claims only at a stop after a call."""
    called, setup = state.called, state.setup
    return (
        len(set(called)) == len(called)
        and all(1 <= number <= setup.knobs for number in called)
        and all(1 <= win.calls <= len(called) for win in state.wins)
        and {win.stage for win in state.wins}
        <= {stage.key for stage in state.stages} | ({JACKPOT} if setup.jackpot else set())
        and state.pool >= sum(stage.amount for stage in state.unwon)
        and state.jackpot >= 0
        and (not state.claims or (state.stopped and bool(called)))
        and all(_claimed(state, claim) for claim in state.claims)
        and (not state.tickets or setup.takes_tickets)
        and all(_drawn_for(state, lots) for lots in state.lots)
    )


def _claimed(state: prizes.PrizeState, claim: prizes.Claim) -> bool:
    stages = tuple(stage.key for stage in state.open if stage.key in claim.stages)
    return claim.stages == stages and bool(stages) == (claim.verdict is prizes.ClaimVerdict.VALID)


def _drawn_for(state: prizes.PrizeState, lots: prizes.Lots) -> bool:
    winners = [win.serial for win in state.wins if win.stage == lots.stage]
    knobs = [knob for _, knob in lots.knobs]
    return (
        sorted(winners) == sorted(serial for serial, _ in lots.knobs)
        and len(set(knobs)) == len(knobs) > 1
        and all(1 <= knob <= state.setup.knobs for knob in knobs)
        and any(stage.key == lots.stage and stage.thing for stage in state.stages)
    )
