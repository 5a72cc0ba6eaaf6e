"""Tell Loto, First Method, at the table by an example: three players, and a card is full."""

from __future__ import annotations

from station.rules.example import Example, draws, read_cards

CARDS = read_cards(
    "1 12 23 46 82 / 14 33 59 66 70 / 36 47 67 74 84",
    "8 15 26 30 77 / 9 18 51 60 79 / 27 34 42 58 87",
    "11 48 63 75 86 / 5 19 21 78 88 / 29 38 54 65 90",
    "28 40 52 71 80 / 4 32 49 53 62 / 7 16 64 76 81",
    "10 20 31 43 68 / 2 45 50 72 83 / 3 24 37 57 85",
    "13 22 55 61 89 / 6 17 35 41 56 / 25 39 44 69 73",
)

EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 80, "cards": 6},
    rule="loto-parlour-seats",
    cards=CARDS,
    takes=1,
    steps=(
        draws("12", "loto-parlour-cover"),
        draws("48 23 5", "loto-parlour-draw"),
        draws("46 63 15"),
        draws("82 90"),
        draws("1", "loto-parlour-row"),
        draws("50 11 75"),
        draws("86"),
        draws("19 21 34 78"),
        draws("88", "loto-parlour-two"),
        draws("29 38 54"),
        draws("65", "loto-parlour-full"),
    ),
)
