"""Tell Bell and Hammer by an example: the auction, a throw that is sold, and the inn."""

from __future__ import annotations

from station.rules.example import Example, Step, step, together


def _sold(*bids: tuple[int, int], passes: tuple[int, ...], rule: str = "") -> Step:
    """Return the sale of a card: bids by seat, then who passes."""
    return together(
        *(step("bid", seat=seat, counters=counters) for seat, counters in bids),
        *(step("pass-bid", seat=seat) for seat in passes),
        step("knock-down"),
        rule=rule,
    )


def _throw(*shown: str, rule: str = "") -> Step:
    return step("throw-cubes", rule, shown=shown)


EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 24},
    rule="bell-and-hammer-counters",
    steps=(
        step("bid", "bell-and-hammer-auction", seat=1, counters=3),
        step("bid", "bell-and-hammer-bids", seat=2, counters=4),
        step("pass-bid", seat=3),
        step("bid", seat=1, counters=5),
        step("pass-bid", seat=2),
        step("knock-down", "bell-and-hammer-throw"),
        _sold((1, 4), (2, 6), passes=(3, 1)),
        _sold((1, 6), (2, 8), (3, 9), passes=(1, 2)),
        _sold((1, 5), (2, 7), passes=(3, 1), rule="bell-and-hammer-debt"),
        together(*(step("pass-bid", seat=seat) for seat in (1, 2, 3)), rule="bell-and-hammer-bids"),
        step("knock-down", "bell-and-hammer-given"),
        _throw("6", "5", "4", "3", rule="bell-and-hammer-numbers"),
        _throw("2", "5", "bell", rule="bell-and-hammer-with"),
        _throw("blank", rule="bell-and-hammer-blanks"),
        _throw("hammer", rule="bell-and-hammer-alone"),
        step("offer-throw", "bell-and-hammer-sell", seat=2),
        together(step("bid", seat=3, counters=3), step("pass-bid", seat=1)),
        step("sell-throw", seat=2),
        _throw("6", "5", "2", rule="bell-and-hammer-numbers"),
        _throw("4", "5", "hammer"),
        _throw("6", "5"),
        _throw("blank"),
        _throw("4", "5", rule="bell-and-hammer-inn"),
        _throw("bell", rule="bell-and-hammer-begun"),
        _throw("5", rule="bell-and-hammer-end"),
    ),
)
