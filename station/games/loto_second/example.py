"""Tell Loto, Second Method, by an example: two drawings, and a Bankruptcy."""

from __future__ import annotations

from station.rules.example import Example, draws, read_cards, step

CARDS = read_cards(
    "1 12 23 46 82 / 14 33 59 66 70 / 36 47 67 74 84",
    "8 15 26 30 77 / 9 18 51 60 79 / 27 34 42 58 87",
    "11 48 63 75 86 / 5 19 21 78 88 / 29 38 54 65 90",
    "28 40 52 71 80 / 4 32 49 53 62 / 7 16 64 76 81",
    "10 20 31 43 68 / 2 45 50 72 83 / 3 24 37 57 85",
    "13 22 55 61 89 / 6 17 35 41 56 / 25 39 44 69 73",
)

EXAMPLE = Example(
    names=("Anna", "Bruno"),
    agreed={"stake": 120, "cards": 6},
    rule="loto-second-stake",
    cards=CARDS,
    takes=1,
    steps=(
        draws("12 90 8", "loto-second-bag"),
        draws("23 51 50 2", "loto-second-draw"),
        draws("46 15 14", "loto-second-names"),
        step("settle", "loto-second-classes"),
        step("put-away", "loto-second-away", number=50),
        step("resolve", "loto-second-last", drawings=1),
        draws("27 3 34 33"),
        draws("58 9 82 4"),
        draws("59 42", "loto-second-end"),
        step("settle", "loto-second-bankruptcy"),
    ),
)
