"""Tell My Bird Sings by an example: three rounds, then a card from the stock, and a song."""

from __future__ import annotations

from station.rules.example import Example, pack_from, step

DEALT = pack_from("3H 4D 10S 9H 5S 7S KC AD 10H QH 9S 9D JD 6H 2C 5D 7C")

EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 1},
    rule="my-bird-sings-pool",
    steps=(
        step("deal-birds", "my-bird-sings-song", cards=DEALT),
        step("listen", "my-bird-sings-asked", seat=1),
        step("listen", seat=2),
        step("listen", seat=3),
        step("pass-on", "my-bird-sings-pass", seat=1, card=("KC",)),
        step("pass-on", "my-bird-sings-must", seat=2, card=("AD",)),
        step("pass-on", "my-bird-sings-round", seat=3, card=("7S",)),
        step("pass-on", seat=1, card=("7S",)),
        step("pass-on", seat=2, card=("7S",)),
        step("pass-on", seat=3, card=("9D",)),
        step("pass-on", seat=1, card=("9D",)),
        step("pass-on", seat=2, card=("4D",)),
        step("pass-on", seat=3, card=("4D",)),
        step("put-out", "my-bird-sings-exchange", seat=1, card=("4D",)),
        step("sing", "my-bird-sings-song", seat=1, cards=("3H", "6H", "9H", "QH")),
    ),
)
