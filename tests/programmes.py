"""Programmes of every kind, for properties: stages by share, fixed or with a thing, shares of the
house, jackpots, tickets."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from station.programme.programme import GamePlan, JackpotPlan, Programme, Shares, StagePlan


def game(*stages: dict[str, Any], **more: Any) -> GamePlan:
    return GamePlan(
        name="Game",
        stages=tuple(StagePlan(**{"pattern": "full", **stage}) for stage in stages),
        **more,
    )


PATTERNS = st.sampled_from(
    ["row", "two-rows", "full", "corners", "top-row", "early-five", "ambo", "quaterna"]
)
HUNDREDTHS = st.integers(0, 10_000)


@st.composite
def plans(draw: st.DrawFn) -> GamePlan:
    """A game of any stages that a programme may have."""
    kinds = draw(st.lists(st.sampled_from(["share", "prize", "thing"]), min_size=1, max_size=5))
    left, stages = 10_000, []
    rest = draw(st.booleans())
    for place, kind in enumerate(kinds):
        if kind == "share":
            last = not rest and "share" not in kinds[place + 1 :]
            share = left if last else draw(st.integers(0, left))
            left -= share
            stages.append({"share": share / 100, "least": draw(st.integers(0, 300))})
        else:
            stages.append(
                {"prize": draw(st.integers(0, 300))} if kind == "prize" else {"thing": "ham"}
            )
    if rest:
        stages.append({"least": draw(st.sampled_from([0, 200]))})
    patterns = draw(st.lists(PATTERNS, min_size=len(stages), max_size=len(stages)))
    named = ({"pattern": pattern, **stage} for pattern, stage in zip(patterns, stages, strict=True))
    return game(
        *named,
        price=draw(st.sampled_from([0, 1, 7, 100])),
        at_once=draw(st.booleans()),
        jackpot=draw(
            st.none()
            | st.builds(JackpotPlan, within=st.sampled_from([10, 90]), least=st.integers(0, 300))
        ),
        shares=draw(st.none() | all_shares()),
        last_number=draw(st.none() | st.booleans()),
        tickets=draw(st.booleans()),
    )


@st.composite
def all_shares(draw: st.DrawFn) -> Shares:
    house = draw(HUNDREDTHS)
    charity = draw(st.integers(0, 10_000 - house))
    jackpot = draw(st.integers(0, 10_000 - house - charity))
    return Shares(house=house / 100, charity=charity / 100, jackpot=jackpot / 100)


PROGRAMMES = st.builds(
    Programme,
    name=st.just("A night"),
    games=st.lists(
        plans() | st.builds(GamePlan, name=st.just("As the book has it"), price=st.just(7)),
        min_size=1,
        max_size=3,
    ).map(tuple),
    shares=all_shares(),
    odd=st.sampled_from(["lowest", "house", "charity"]),
    unwon=st.sampled_from(["carry", "house", "charity"]),
    approve_above=st.none() | st.sampled_from([0, 10, 100]),
)
