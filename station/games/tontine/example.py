"""Tell Tontine by an example: five deals, in which three players die, and one lives again."""

from __future__ import annotations

from station.rules.example import Example, step

EXAMPLE = Example(
    names=("Anna", "Bruno", "Carla"),
    agreed={"stake": 4, "each": 4},
    rule="tontine-stake",
    steps=(
        step("deal", "tontine-dies", cards=("QC", "KS", "7S")),
        step("deal", "tontine-lives", cards=("2S", "3D")),
        step("deal", "tontine-gifts", cards=("AH", "10S", "8C")),
        step("deal", "tontine-less", cards=("7H", "4C", "10D")),
        step("deal", "tontine-end", cards=("10S", "6S")),
    ),
)
