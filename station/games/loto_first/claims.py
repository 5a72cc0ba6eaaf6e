"""Judge claims in Loto, First Method: are they complete, on the last call, what do they win?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace

from station.base.nouns import serial_order, split
from station.rules import prizes
from station.rules.patterns import JACKPOT, Pattern, PatternPart, Wants


def judge(state: prizes.PrizeState, serial: str) -> prizes.Judgement:
    """Return whether this card would win on the last number called, and which open stages."""
    card = state.setup.cards.get(serial)
    if card is None:
        return prizes.Judgement(prizes.ClaimVerdict.NOT_SOLD)
    return _judge(
        state,
        state.open,
        lambda pattern, called: pattern.full(card, called),
        _won_with(state, {serial}),
    )


def judge_ticket(
    state: prizes.PrizeState, numbers: Sequence[int], stages: Sequence[prizes.Stage]
) -> prizes.Judgement:
    """Return whether a ticket with these numbers would win a stage on the last number called.

    The station knows the numbers and not their places: it counts how many were called. Whether they
    stand in one row, or in the corners, the checker sees on the paper.
    """
    same = {ticket.serial for ticket in state.tickets if is_same_ticket(ticket.numbers, numbers)}
    return _judge(
        state,
        stages,
        lambda pattern, called: _full(pattern, numbers, called),
        _won_with(state, same),
    )


def is_same_ticket(some: Collection[int], others: Collection[int]) -> bool:
    """Return whether these can be the numbers of one ticket, keyed in twice: all numbers of the one
    are among those of the other.

    >>> is_same_ticket((5, 11, 33), (33, 5, 11, 76))
    True
    >>> is_same_ticket((5, 11), (5, 12)), is_same_ticket((), (5, 12))
    (False, False)
    """
    return bool(some and others) and (set(some) <= set(others) or set(others) <= set(some))


def _judge(
    state: prizes.PrizeState,
    stages: Sequence[prizes.Stage],
    full: Callable[[Pattern, Sequence[int]], Iterable[PatternPart]],
    won: Container[Pattern],
) -> prizes.Judgement:
    valid, others = [], set()
    for stage in stages:
        now = set(full(stage.pattern, state.called))
        if not now:
            continue
        if stage.pattern in won:
            others.add(prizes.ClaimVerdict.ALREADY_WON)
        elif state.setup.last_number and now <= set(full(stage.pattern, state.called[:-1])):
            others.add(prizes.ClaimVerdict.LATE)
        else:
            valid.append(stage.key)
    if valid:
        return prizes.Judgement(prizes.ClaimVerdict.VALID, tuple(valid))
    known = (prizes.ClaimVerdict.ALREADY_WON, prizes.ClaimVerdict.LATE)
    told = (verdict for verdict in known if verdict in others)
    return prizes.Judgement(next(told, prizes.ClaimVerdict.NOT_COMPLETE))


def _won_with(state: prizes.PrizeState, serials: Container[str]) -> set[Pattern]:
    keys = {win.stage for win in state.wins if win.serial in serials}
    return {stage.pattern for stage in state.stages if stage.key in keys}


def fitting(pattern: Pattern, many: int) -> tuple[PatternPart, ...]:
    """Return the parts of a pattern that `many` numbers of a ticket can stand for: at least as many
    as the part needs, at most as many as it has places."""
    return tuple(part for part in pattern.parts if part.need <= many <= len(part.places))


def _full(pattern: Pattern, numbers: Sequence[int], called: Iterable[int]) -> list[PatternPart]:
    covered = len(set(numbers).intersection(called))
    return [part for part in fitting(pattern, len(numbers)) if covered >= part.need]


def wants(state: prizes.PrizeState, serial: str) -> tuple[tuple[prizes.Stage, Wants], ...]:
    """Return what a card, or a ticket that was checked, still needs for each open stage."""
    card, ticket = state.setup.cards.get(serial), state.ticket(serial)
    if card is not None:
        return tuple((stage, stage.pattern.wants(card, state.called)) for stage in state.open)
    if ticket is None:
        return ()
    lacking = tuple(number for number in ticket.numbers if number not in state.called)
    covered = len(ticket.numbers) - len(lacking)
    found = []
    for stage in state.open:
        if parts := fitting(stage.pattern, len(ticket.numbers)):
            many = max(0, min(part.need for part in parts) - covered)
            found.append((stage, Wants(many, lacking if many else ())))
    return tuple(found)


def awards(state: prizes.PrizeState) -> tuple[prizes.Win, ...]:
    """Return what this stop's claims win, stage by stage: shares split evenly between players."""
    calls, after, lowest = len(state.called), state, state.setup.odd == prizes.LOWEST
    for stage in state.open:
        winners = _winners(state, stage.key)
        if not winners:
            continue
        last_share = not any(other.amount for other in after.unwon if other != stage)
        shares = _split(after.share_of(stage), winners, odd_to_first=last_share and lowest)
        won = [prizes.Win(stage.key, *share, calls, stage.thing) for share in shares]
        if stage == state.stages[-1] and state.setup.jackpot and calls <= state.setup.within:
            shares = _split(state.setup.jackpot, winners, odd_to_first=lowest)
            won += [prizes.Win(JACKPOT, *share, calls) for share in shares]
        after = replace(after, wins=(*after.wins, *won))
    return after.wins[len(state.wins) :]


def _winners(state: prizes.PrizeState, stage: str) -> list[str]:
    """Return the lowest card of each player with a valid claim, in the order of the serials."""
    valid = sorted(
        (claim.serial for claim in state.claims if stage in claim.stages), key=serial_order
    )
    first_cards: dict[str, str] = {}
    for serial in valid:
        first_cards.setdefault(state.player(serial), serial)
    return list(first_cards.values())


def _split(amount: int, winners: Sequence[str], *, odd_to_first: bool) -> Iterator[tuple[str, int]]:
    """Yield each winner with his even part of an amount, and the first with the odd units too."""
    each, odd = split(amount, len(winners))
    for place, serial in enumerate(winners):
        yield serial, each + (odd if odd_to_first and not place else 0)


def settled(setup: prizes.PrizeSetup, won: Sequence[tuple[str, int]]) -> prizes.PrizeState:
    """Return the state after stages were won in this order, each on a call of its own: `won` has
    the key of each, and how many players share it."""
    state = prizes.PrizeState(setup)
    for call, (stage, players) in enumerate(won, 1):
        claims = tuple(
            prizes.Claim(str(one), prizes.ClaimVerdict.VALID, (stage,))
            for one in range(1, players + 1)
        )
        # Any number will do here: what counts is that one was called.
        state = replace(state, called=(*state.called, call), claims=claims)
        state = replace(state, claims=(), wins=(*state.wins, *awards(state)))
    return state
