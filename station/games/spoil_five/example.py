"""Tell Spoil-Five by an example: a hand that is spoilt, and one in which a jack is kept back."""

from __future__ import annotations

from station.rules.example import Example, Step, pack_from, step

FIRST = pack_from("5H 7D JD JH 8H 10H 6D 10S 3H AC AH 3S 7H 5S AD 8D")
SECOND = pack_from("5D 10S 2S JC KS 7C AH 4C KC 6H 7H 3H 9H 8C AS 6C")


def _card(seat: int, card: str, rule: str = "") -> Step:
    return step("play-card", rule, seat=seat, card=(card,))


EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 20, "pools": 1},
    rule="spoil-five-pool",
    steps=(
        step("deal-hands", "spoil-five-deal", cards=FIRST),
        _card(1, "10S", "spoil-five-next"),
        _card(2, "JD", "spoil-five-suit"),
        step("rob", "spoil-five-rob", seat=3, card=("5S",)),
        _card(3, "8H"),
        _card(2, "AH", "spoil-five-hearts"),
        _card(3, "7H"),
        _card(1, "3H"),
        _card(2, "JH"),
        _card(3, "AD", "spoil-five-trumps"),
        _card(1, "5H"),
        _card(3, "8D"),
        _card(1, "7D", "spoil-five-follow"),
        _card(2, "3S"),
        _card(3, "10H"),
        _card(1, "6D"),
        _card(2, "AC", "spoil-five-spoilt"),
        step("deal-hands", "spoil-five-pool", cards=SECOND),
        _card(2, "AH"),
        _card(3, "3H"),
        _card(1, "9H"),
        _card(2, "KC"),
        _card(3, "2S", "spoil-five-renege"),
        _card(1, "7C", "spoil-five-follow"),
        _card(2, "4C"),
        _card(3, "JC", "spoil-five-trumps"),
        _card(1, "8C"),
        _card(3, "6H"),
        _card(1, "KS", "spoil-five-suit"),
        _card(2, "10S"),
        _card(3, "7H"),
        _card(1, "AS"),
        _card(2, "5D", "spoil-five-wins"),
    ),
)
