"""Read the programme from a TOML file: a night's games, what is played for, and the prizes.

Shares are per cent with up to two decimals, sums are whole minor units (pence, cents) or counters.
The hall's `shares` are taken first from what is paid for a game's cards; the rest, with what was
carried over, is the prize fund, which the stages divide.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import count
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from station.base.errors import SettingsError, Unreadable
from station.base.tongue import tr
from station.base.untrusted import file_bytes, toml_from
from station.games import GAMES, USUAL, AnyRules
from station.programme.fields import Sparse, Sum, Text
from station.programme.kin import load_kin
from station.programme.table import TablePlan
from station.rules.abilities import SellsCards
from station.rules.patterns import EARLY, KEY, PATTERNS, WHOLE_CARD, Pattern, drawn, picture
from station.rules.play import Need

SHIPPED = Path(__file__).parent / "programmes"
# What a game says that cards are sold for, and one at the table does not.
OF_A_HALL = (
    "stakes",
    "price",
    "stages",
    "at_once",
    "shares",
    "jackpot",
    "last_number",
    "tickets",
    "kin",
)
WHOLE = 10_000  # hundredths of a per cent
# What was given may come from anybody: however long or deep it is, a message shows the beginning of
# it.
_SHOWN = Repr()
_SHOWN.maxstring = _SHOWN.maxother = 120


def _hundredths(share: float) -> float:
    if round(share, 2) != share:
        raise ValueError(tr("a share has two decimals at most"))
    return int(share) if share == int(share) else share


Share = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False), AfterValidator(_hundredths)]


def hundredths(share: float) -> int:
    """Return a share as whole hundredths of a per cent."""
    return round(share * 100)


class OwnPattern(Sparse):
    """A pattern that is drawn in the programme.

    Attributes:
        name: for files and records, and shown; small letters, digits and hyphens.
        pictures: each three rows of five signs, `#` for a place to cover and `.` for others; any
            one of them wins. Where `need` is given, one picture of all fifteen places by default.
        need: how many places of a picture must be covered; None: all of them.
    """

    name: Annotated[str, Field(pattern=f"^{KEY.pattern}$")]
    pictures: Annotated[tuple[tuple[str, ...], ...], Field(min_length=1, max_length=100)]
    need: Annotated[int, Field(strict=True, ge=1, le=15)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_the_whole_card(cls, data: Any) -> Any:
        some = isinstance(data, Mapping) and data.get("need") is not None
        return {"pictures": (WHOLE_CARD,), **data} if some else data

    @model_validator(mode="after")
    def _is_a_pattern(self) -> OwnPattern:
        if self.name in PATTERNS:
            raise ValueError(
                tr(
                    "pattern {name} is one of the station's own: give yours another name",
                    name=self.name,
                )
            )
        self.pattern()
        return self

    def pattern(self) -> Pattern:
        """Return the pattern as the rules know it."""
        try:
            return drawn(self.name, self.pictures, self.need)
        except Unreadable as error:
            raise ValueError(str(error)) from error


def _known(name: str) -> str:
    if name not in PATTERNS:
        known = ", ".join((*PATTERNS, *EARLY))
        raise ValueError(
            tr(
                "there is no pattern {name!r}; there are {patterns}, or draw your own",
                name=name,
                patterns=known,
            )
        )
    return name


def _early(given: Any) -> Any:
    """Return an early pattern, given by its name, as the pattern that it is."""
    if isinstance(given, str) and given in EARLY:
        return {"name": given, "need": EARLY[given]}
    return given


def _written(pattern: Pattern) -> str | OwnPattern:
    """Return a pattern as a programme writes it: by name if it is the station's, else drawn."""
    if pattern.known:
        return pattern.key
    pictures = tuple(picture(part.places) for part in pattern.parts)
    some = any(part.need < len(part.places) for part in pattern.parts)
    return OwnPattern(name=pattern.key, pictures=pictures, need=pattern.length if some else None)


class StagePlan(Sparse):
    """One stage of a game: what must be covered, and what it wins.

    Attributes:
        pattern: one of the station's by name, or one drawn here.
        name: what the hall calls it; None takes the pattern's name in the hall's language.
        share: per cent of the prize fund. The last stage without share, prize and thing takes the
            rest of the fund.
        prize: a fixed sum, which the house pays however many cards were sold.
        least: with a share: the house makes it up to this sum.
        thing: a prize that is no money.
    """

    pattern: Annotated[Annotated[str, AfterValidator(_known)] | OwnPattern, BeforeValidator(_early)]
    name: Text | None = None
    share: Share | None = None
    prize: Sum | None = None
    least: Sum = 0
    thing: Annotated[str, Field(max_length=120)] = ""

    @model_validator(mode="after")
    def _one_prize(self) -> StagePlan:
        if self.share is not None and self.prize is not None:
            raise ValueError(tr("a stage wins a share or a fixed prize, not both"))
        if self.least and self.prize is not None:
            raise ValueError(tr("a fixed prize is certain: it needs no least sum"))
        return self

    @property
    def rest(self) -> bool:
        """Return whether it takes what the other stages leave of the fund."""
        return self.share is None and self.prize is None and not self.thing

    def wanted(self) -> Pattern:
        """Return what must be covered."""
        return PATTERNS[self.pattern] if isinstance(self.pattern, str) else self.pattern.pattern()


class Shares(Sparse):
    """The shares taken from a game's stakes before its prizes, in per cent."""

    house: Share = 0
    charity: Share = 0
    jackpot: Share = 0

    @model_validator(mode="after")
    def _at_most_all(self) -> Shares:
        if (total := sum(map(hundredths, (self.house, self.charity, self.jackpot)))) > WHOLE:
            raise ValueError(
                tr(
                    "house, charity and jackpot take {share:g} % of the stakes; there are 100",
                    share=total / 100,
                )
            )
        return self


class JackpotPlan(Sparse):
    """The terms of a game's rolling jackpot: whoever wins the last stage in time has it, too.

    Attributes:
        within: by which call the last stage must be won.
        least: the house makes it up to this sum when the game opens.
    """

    within: Annotated[int, Field(strict=True, ge=1, le=90)]
    least: Sum = 0


class PausePlan(Sparse):
    """A pause after a game: what the screens show meanwhile.

    Attributes:
        rules: show the rules of the next game, in short.
    """

    text: Annotated[str, Field(max_length=200)] = ""
    minutes: Annotated[int, Field(strict=True, ge=0, le=240)] = 0
    rules: bool = False


def _method(name: str) -> str:
    return _one_of(name, GAMES)


def _one_of(name: str, names: Iterable[str]) -> str:
    """Return the name, if it is one of these.

    Raises:
        ValueError: it is none of them; the message lists them.
    """
    if name in names:
        return name
    most, _, last = ", ".join(f"'{one}'" for one in names).rpartition(", ")
    known = tr("{first} or {last}", first=most, last=last) if most else last
    raise ValueError(tr("it is “{name}”; it is one of {known}", name=name, known=known))


class GamePlan(Sparse):
    """One game of the night.

    Attributes:
        price: the price of one card for this game, in whole minor units or counters.
        stakes: the rule book's ways to divide the fund; ignored if `stages` are given.
        stages: the stages, in the order in which they are played.
        at_once: all stages are open from the first call, as in tambola; else one after the other.
        shares: taken from the stakes; None takes the programme's.
        last_number: whether a claim must be made on the last number called; None takes the hall's
            setting.
        tickets: cards from elsewhere are played, which are not in the register; they claim by their
            numbers.
        table: for a game at the table, which a company plays with dealt cards and counters; no card
            is sold for it.
        theme: the theme of Picture Loto: pictures and words in place of the numbers; None plays
            with numbers.
        letters: the caller only says the letters of a theme's word; the word and its picture are
            shown after the next knob is drawn.
        kin: the kind of game whose stages it has, by name (tombola and others); the file's `prizes`
            for it go into `stages`.
    """

    name: Text
    method: Annotated[str, AfterValidator(_method)] = USUAL
    stakes: str = next(iter(GAMES[USUAL].needed(SellsCards).stakes))
    price: Annotated[int, Field(ge=0, le=10_000_000)] = 0
    stages: Annotated[tuple[StagePlan, ...], Field(max_length=20)] = ()
    at_once: bool = False
    shares: Shares | None = None
    jackpot: JackpotPlan | None = None
    last_number: bool | None = None
    tickets: bool = False
    pause: PausePlan | None = None
    table: TablePlan | None = None
    theme: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    letters: bool = False
    kin: Annotated[str, Field(pattern=f"^{KEY.pattern}$")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        sold = _rules_of(data).ability(SellsCards)
        if sold is not None and "stakes" not in data:
            # those that its rules name first, which need not be the usual game's
            data = {**data, "stakes": next(iter(sold.stakes))}
        # Stages that are there are left alone: what a night keeps must not depend on the kin's file
        # of a later day.
        return _with_stages_of_kin(data) if {"kin", "prizes"} & data.keys() else data

    @field_validator("stakes")
    @classmethod
    def _of_its_rules(cls, stakes: str, info: ValidationInfo) -> str:
        sold = _rules_of(info.data).ability(SellsCards)
        return _one_of(stakes, sold.stakes) if sold is not None else stakes

    @model_validator(mode="after")
    def _of_its_kind(self) -> GamePlan:
        if self.letters and self.theme is None:
            raise ValueError(
                tr('letters are those of a theme\'s words: name one, theme = "spelling"')
            )
        if self.rules.ability(SellsCards) is not None:
            self._of_a_hall()
            return self
        fields = type(self).model_fields
        if foreign := [name for name in OF_A_HALL if getattr(self, name) != fields[name].default]:
            why = tr("for games that cards are sold for; at the table all stands under table")
            raise ValueError(f"{', '.join(foreign)}: {why}")
        if why := self.agreed.fault(self.method):
            raise ValueError(why)
        return self

    def _of_a_hall(self) -> None:
        if self.table is not None:
            companies = (name for name, rules in GAMES.items() if rules.ability(SellsCards) is None)
            raise ValueError(
                tr(
                    "a table is for a company's game: its method is one of {methods}",
                    methods=", ".join(companies),
                )
            )
        if self.stages and not self.prizes.own_stages:
            raise ValueError(
                tr(
                    "{game} has no stages to be written out: its stakes say what is played for",
                    game=tr(self.rules.title),
                )
            )

    @model_validator(mode="after")
    def _whole_fund(self) -> GamePlan:
        if (
            self.stages
            and "stakes" in self.model_fields_set
            and self.stakes != next(iter(self.prizes.stakes))
        ):
            raise ValueError(tr("a game has stakes or stages, not both"))
        rests = [stage for stage in self.plans if stage.rest]
        if len(rests) > 1:
            raise ValueError(
                tr(
                    "{count} stages have no prize of their own: one takes the rest of the fund, the"
                    " others need one",
                    count=len(rests),
                )
            )
        total = sum(hundredths(stage.share) for stage in self.plans if stage.share is not None)
        if total > WHOLE:
            raise ValueError(
                tr(
                    "the stages take {share:g} % of the prize fund; there are 100",
                    share=total / 100,
                )
            )
        if not rests and total < WHOLE and any(stage.share is not None for stage in self.plans):
            raise ValueError(
                tr(
                    "the stages take {share:g} % of the prize fund: leave one without a share, it"
                    " takes the rest",
                    share=total / 100,
                )
            )
        return self

    @property
    def at_table(self) -> bool:
        """Return whether a company plays it at the table; else cards are sold for it."""
        return self.rules.ability(SellsCards) is None

    @property
    def rules(self) -> AnyRules:
        """Return the game that is played."""
        return GAMES[self.method]

    @property
    def prizes(self) -> SellsCards:
        """Return the rules of a game that cards are sold for.

        Raises:
            Unreadable: a company plays it.
        """
        return self.rules.needed(SellsCards)

    @property
    def agreed(self) -> TablePlan:
        """Return what the company at the table has agreed on."""
        return self.table or TablePlan()

    @property
    def dealt(self) -> int:
        """Return how many cards are dealt from the pack's first strips when it opens; 0 if cards
        are sold, and in a game without cards of Loto."""
        return self.agreed.cards if Need.CARDS in self.rules.needs else 0

    @property
    def plans(self) -> tuple[StagePlan, ...]:
        """Return its stages, those of the stakes if none are given; none at the table."""
        sold = self.rules.ability(SellsCards)
        if sold is None or self.stages:
            return self.stages
        return tuple(
            StagePlan(pattern=_written(pattern), share=share)
            for pattern, share in sold.stakes[self.stakes]
        )

    @property
    def divided(self) -> str:
        """Return in a word how the stakes are divided: their name, "stages" if these are written
        out, "counters" if a company plays for counters alone."""
        if self.rules.ability(SellsCards) is not None:
            return "stages" if self.stages else self.stakes
        return str(self.agreed.of(self.rules).get("stakes", "counters"))

    @property
    def has_fund(self) -> bool:
        """Return whether any prize is a part of the fund; else all are fixed, or things."""
        return any(stage.share is not None or stage.rest for stage in self.plans)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the key of each stage: its pattern's, with a number from the second of a kind."""
        return tuple(_numbered([stage.wanted().key for stage in self.plans]))


def _rules_of(game: Mapping[str, Any]) -> AnyRules:
    """Return the game that a file names; the usual one if it names none, or no known one."""
    method = game.get("method")
    return GAMES.get(method if isinstance(method, str) else "", GAMES[USUAL])


def _with_stages_of_kin(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game of a kin with its stages, and the prizes that its file gives, written out.

    Raises:
        ValueError: prizes without a kin, or beside stages; there is no such kin; or it is no game
            for a hall.
    """
    game = dict(data)
    kin, prizes = game.get("kin"), game.pop("prizes", None)
    if prizes is not None and (kin is None or game.get("stages")):
        raise ValueError(
            tr("prizes are for the stages of a kin, which the game names and does not write out")
        )
    if prizes is not None and not isinstance(prizes, Mapping):
        raise ValueError(
            tr('prizes: a table stands here, such as prizes.tombola = { thing = "a hamper" }')
        )
    if isinstance(kin, str) and not game.get("stages"):
        sold = _rules_of(game).ability(SellsCards)
        if sold is None or not sold.own_stages:
            raise ValueError(
                tr('{kin} is played in the hall: method = "{method}"', kin=kin, method=USUAL)
            )
        found = load_kin(kin)
        game["stages"] = found.written_out(prizes or {})
        game.setdefault("at_once", found.at_once)
    return game


def _numbered(keys: list[str]) -> list[str]:
    # A pattern of one's own may be called "full-2": numbers that are taken are passed over.
    named: list[str] = []
    for key in keys:
        others = (f"{key}-{number}" for number in count(2))
        free = (other for other in others if other not in (*named, *keys))
        named.append(next(free) if key in named else key)
    return named


class Programme(Sparse):
    """The games of a night, in order, and the house's rules for their money.

    Attributes:
        shares: what is taken from each game's stakes before its prizes.
        odd: who gets the odd units of the last share, when several win it: the winner with the
            lowest serial, house or charity.
        unwon: what becomes of a share that nobody won: the next game's fund, or the house, or
            charity.
        approve_above: a payment of more than this needs a second person; None: no payment does.
    """

    name: Text
    games: Annotated[tuple[GamePlan, ...], Field(min_length=1, max_length=200)]
    shares: Shares = Shares()
    odd: Literal["lowest", "house", "charity"] = "lowest"
    unwon: Literal["carry", "house", "charity"] = "carry"
    approve_above: Sum | None = None

    def shares_of(self, game: GamePlan) -> Shares:
        """Return what is taken from this game's stakes."""
        return game.shares if game.shares is not None else self.shares

    def to_json(self) -> str:
        """Return the programme as one canonical text, the copy that a night keeps."""
        data = self.model_dump(mode="json")
        text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text + "\n"

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of `to_json`, in hex."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def repeated(self, games: int) -> Programme:
        """Return this programme, cut or repeated to this number of games."""
        times = -(-games // len(self.games))
        return self.model_copy(update={"games": (self.games * times)[:games]})


def validation_faults(error: ValidationError, whole: str) -> list[str]:
    """Return a pydantic error as sentences; `whole` names the outermost place."""
    found = error.errors()
    faults = []
    for fault in found:
        # Pydantic also calls a list too short if each of its items is faulty: it is not.
        inside = any(
            other["loc"][: len(fault["loc"])] == fault["loc"]
            for other in found
            if other is not fault
        )
        if fault["type"] == "too_short" and inside:
            continue
        place = ".".join(str(part) for part in fault["loc"]) or whole
        value, what = fault["input"], fault["msg"].removeprefix("Value error, ")
        if fault["type"] == "extra_forbidden":
            what = tr("there is no such setting")
        if not isinstance(value, dict):
            what = tr("{msg} (it is {given})", msg=what, given=_SHOWN.repr(value))
        faults.append(f"{place}: {what}")
    return faults


def programme_path(path: Path) -> Path:
    """Return the file of a programme: the path given, or a shipped one's, by its name."""
    shipped = SHIPPED / f"{path.name}.toml"
    return shipped if not path.exists() and shipped.is_file() else path


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        SettingsError: it does not exist, or cannot be read; the message says where.
    """
    try:
        return toml_from(file_bytes(path))
    except OSError as error:
        raise SettingsError(str(path), [tr("cannot be read: {why}", why=error.strerror)]) from error
    except Unreadable as error:
        raise SettingsError(str(path), [str(error)]) from error
