"""A hall's night in memory beside a night on paper."""

from __future__ import annotations

from random import Random

from station.base.nouns import Card
from station.cards.pack import Pack
from station.programme.programme import GamePlan, Programme, Shares, StagePlan
from station.record.session import Session
from tests.drill.beside import Beside
from tests.drill.course import must
from tests.drill.evening import PACK, PROGRAMME
from tests.drill.plain import STAGES, Game, Paper, Prize

# The cards of one strip never tie: one more has the first one's top row.
ONE, TWO = PACK.cards()[:2]
TWINS = (ONE.serial, "twin")
CARDS = Pack([*PACK.cards(), Card(TWINS[1], (ONE.rows[0], *TWO.rows[1:]))])
ROWS = {card.serial: card.rows for card in CARDS.cards()}
WANTED = {key: rows for rows, key in STAGES.items()}
HALL = Programme(
    name="Hall",
    games=(
        GamePlan(
            name="First",
            price=7,
            stages=(
                StagePlan(pattern="row", prize=5, thing="a ham"),
                StagePlan(pattern="two-rows", share=40),
                StagePlan(pattern="full"),
            ),
        ),
        GamePlan(name="Second", price=5, shares=Shares(charity=33)),
    ),
    shares=Shares(house=15, charity=10),
    unwon="house",
)
SOLD = PROGRAMME.model_copy(
    update={"games": tuple(game for game in PROGRAMME.games if not game.at_table)}
)


def on_paper(programme: Programme) -> list[Game]:
    """A programme as somebody with a pencil reads it."""
    games = []
    for plan in programme.games:
        shares = programme.shares_of(plan)
        prizes = [
            Prize(
                WANTED[stage.wanted().key],
                None if stage.share is None else int(stage.share),
                stage.prize,
                stage.thing,
            )
            for stage in plan.plans
        ]
        games.append(
            Game(plan.price, prizes, {"house": int(shares.house), "charity": int(shares.charity)})
        )
    return games


class HallRig(Beside[Paper]):
    """The station and the paper."""

    def __init__(self, chance: Random, session: type[Session] = Session) -> None:
        programme = chance.choice((SOLD, HALL))
        paper = Paper(ROWS, on_paper(programme), "house" if programme is HALL else "carried")
        super().__init__(paper, programme, CARDS, chance, session)

    @property
    def calls(self) -> list[int]:
        """The numbers called, as the paper has them."""
        return self.paper.sheet.calls

    def compare(self) -> None:
        """Everything that the hall can see is the same on both sides, and every unit of money is
        somewhere."""
        hall, paper = self.session.hall, self.paper
        game, sheet = hall.last_sold, paper.sheet
        seen = (
            hall.opened,
            hall.sold is not None,
            hall.closed,
            dict(hall.ledger.balances),
            *(
                (
                    list(game.called),
                    game.stopped,
                    {claim.serial: claim.verdict.value for claim in game.claims},
                )
                if game is not None
                else ([], False, {})
            ),
            (
                [
                    (WANTED[win.stage], win.serial, win.amount, win.calls, win.thing)
                    for win in game.wins
                ]
                if game is not None
                else []
            ),
            sorted(win.serial for win in hall.kept),
            tuple(sorted(knobs) for knobs in (hall.knobs.bag, hall.knobs.drawn, hall.knobs.away)),
        )
        wanted = (
            paper.opened,
            paper.playing,
            paper.closed,
            paper.money(),
            sheet.calls,
            sheet.stopped,
            sheet.checked,
            [(paper.prizes()[win.stage].rows, *win[1:]) for win in sheet.won],
            sorted(win.serial for win in paper.kept),
            paper.knobs(),
        )
        must(
            seen == wanted,
            "the paper and the station do not agree",
            *self._story,
            f"seen   {seen}",
            f"wanted {wanted}",
        )
        must(hall.ledger.total == 0, "the ledger does not balance", *self._story, hall.ledger)
