"""Companies at the table in mid-game, as screens show them: by the real rules, with a shuffle that
is always the same."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from station.cards.pack import make_pack
from station.games.loto_second import rules as loto_second
from station.night.table.game import GameInPlay, Seat, dealt, played
from station.programme.programme import GamePlan, TablePlan
from station.views.table.view import Telling, table_view
from station.wire.board_view import BoardView, GameView, Phase
from station.wire.wording import load_wording

NAMES = (
    "Anna", "Bruno", "Carla", "Dino", "Elena", "Franco", "Gina", "Hugo", "Ida", "Jacopo",
    "Katarina", "Luigi", "Marta", "Nino",
    "Olga", "Pietro", "Quirina", "Rosa", "Silvestro", "Teresa", "Ugo", "Vittoria", "Walter", "Zita",
)  # fmt: skip
MORE = tuple(f"{name} {number}" for number in range(2, 5) for name in NAMES)  # of a large company
CARDS = make_pack(4, random.Random(1848)).cards()


def company(
    players: int, method: str = "loto-second", *, takes: int | None = None, **plan: Any
) -> GameInPlay:
    """So many at the table, the cards dealt, nothing drawn."""
    game = GamePlan(name="The company's game", method=method, table=TablePlan(**plan))
    seats = tuple(
        Seat(name, 12_000, takes, simulated=place > 3)
        for place, name in enumerate((*NAMES, *MORE)[:players])
    )
    return dealt(game, seats, {card.serial: card for card in CARDS}, "")


def drawn(parlour: GameInPlay, count: int, luck: int = 7) -> GameInPlay:
    """The same after so many knobs more."""
    bag = sorted(parlour.state.bag)
    random.Random(luck).shuffle(bag)
    for number in bag[:count]:
        parlour = played(parlour, parlour.rules.draw(number))
    return replace(parlour, shaken=True)


def settled(parlour: GameInPlay) -> GameInPlay:
    """The drawing ended, and the rows paid."""
    return replace(
        played(drawn(parlour, 10 - len(parlour.state.numbers)), loto_second.Settle()), shaken=False
    )


def view(
    parlour: GameInPlay, *, telling: int | None = None, language: str = "en", **changes: Any
) -> BoardView:
    """What the hall sees of it."""
    wording = load_wording(language)
    table = table_view(parlour, Telling(wording, lambda minor: f"{minor / 100:.2f}", telling))
    shown: dict[str, Any] = {
        "seq": 40,
        "night": 1,
        "test": False,
        "hall": "The GameInPlay",
        "language": language,
        "phase": Phase.PLAYING,
        "game": GameView(
            number=1, of=3, name=parlour.plan.name, method=parlour.rules.title, stakes="table"
        ),
        "called": parlour.board,
        "cards": sum(map(len, parlour.taken)),
        "players": len(parlour.seats),
        "table": table,
        "notice": table.text,
    }
    return BoardView(**{**shown, **changes})
