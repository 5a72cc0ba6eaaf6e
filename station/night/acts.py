"""What a person or a device may ask of the night: one small model each, which is also what the
journal keeps as `do`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from station.base.errors import Unreadable
from station.base.nouns import KNOBS
from station.night.fields import (
    MOST_SEATS,
    MOST_UNITS,
    EachCardOnce,
    EachOnce,
    Knob,
    Name,
    Player,
    Rising,
    Said,
    Serial,
    SumSeen,
    TagNumber,
    Units,
)
from station.night.sealed import Sealed, unsealed
from station.programme.programme import validation_faults

NEXT_NIGHT = "next-night"  # no act of the night that is closed: another one follows it
MOST_FOREIGN = 200  # tags that a census names
MOST_TICKETS = 1_000_000


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Cards(_Act):
    """Some cards: by serial, by range (first and last in the pack's order), and tickets that the
    station does not know."""

    serials: tuple[Serial, ...] = ()
    ranges: tuple[tuple[Serial, Serial], ...] = ()
    tickets: Annotated[int, Field(strict=True, ge=0, le=MOST_TICKETS)] = 0

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not (self.serials or self.ranges or self.tickets):
            raise ValueError("which cards? serials, ranges, or a number of tickets")
        return self


class Sell(_Cards):
    """Cards change hands for money, for the coming `games` games.

    Attributes:
        to: who buys; None for nobody by name.
        by: who sells.
        vouchers: how much of the price is paid with vouchers, in whole units.
    """

    act: Literal["sell"] = "sell"
    to: Name | None = None
    by: Name | None = None
    games: Annotated[int, Field(strict=True, ge=1, le=200)] = 1
    vouchers: Units = 0


class Return(_Cards):
    """Cards that were sold come back before their game opens, and their price is given back for the
    games still to come.

    Attributes:
        by: who sold them; None for cards that nobody by name sold.
    """

    act: Literal["return"] = "return"
    by: Name | None = None


class CountCash(_Act):
    """A seller's takings are counted.

    Attributes:
        by: whose they are.
        amount: what was handed in since the last count, in whole units.
    """

    act: Literal["count-cash"] = "count-cash"
    by: Name
    amount: Units


class Open(_Act):
    """The next game of the programme opens; its register of cards is frozen.

    Attributes:
        bag: the commitment to the virtual bag's order (`station.night.bag`).
        knobs: how many different knobs were counted in it; journals of before do not say.
        deal: the cards of a game at the table, shuffled, in the order in which they are dealt.
    """

    act: Literal["open"] = "open"
    bag: Annotated[str, Field(max_length=64)] = ""
    knobs: Annotated[int, Field(strict=True, ge=0)] | None = None
    deal: Annotated[tuple[Serial, ...], EachCardOnce, Field(max_length=MOST_SEATS)] = ()


class Sit(_Act):
    """A company sits down at the table, for this game and those that follow.

    Attributes:
        players: from the dealer's left on, so that the first has the eldest hand.
    """

    act: Literal["sit"] = "sit"
    players: Annotated[tuple[Player, ...], Field(min_length=1, max_length=MOST_SEATS)]


class Join(_Act):
    """Somebody joins the company in the middle of a game: he has the seat after the last, and takes
    a card then.

    Attributes:
        purse, simulated: as of a `Player`.
    """

    act: Literal["join"] = "join"
    name: Name
    purse: Units | None = None
    simulated: bool = False


class Shake(_Act):
    """The knobs in the bag are counted, and the bag is shaken, before a drawing.

    Attributes:
        counted: how many there are.
        found: which ones, where they passed a reader; None where they were only counted.
        bag: the commitment to the virtual bag's order (`station.night.bag`); nothing for real
            knobs.
    """

    act: Literal["shake"] = "shake"
    counted: Annotated[int, Field(strict=True, ge=0, le=KNOBS)]
    found: Annotated[tuple[Knob, ...], Rising] | None = None
    bag: Annotated[str, Field(max_length=64)] = ""


class Move(_Act):
    """What somebody at the table does, or the company agrees on: one of the game's own actions.

    Attributes:
        move: the action's name as `do`, and what it says: `{"do": "throw-up", "seat": 2, "serial":
            "0007"}`.
    """

    act: Literal["move"] = "move"
    move: Said
    _part: Sealed | None = PrivateAttr(None)

    @property
    def part(self) -> Sealed | None:
        """Return what is sealed of it, where that is known; it is never written with the act."""
        return self._part

    def with_part(self, part: Sealed | None) -> Move:
        """Return the same move with what is sealed of it."""
        move = self.model_copy()
        move._part = part
        return move

    @property
    def whole(self) -> dict[str, Any]:
        """Return all that it says, what is sealed of it too.

        Raises:
            Unreadable: what was sealed is not here.
        """
        return unsealed(self.move, self._part)


class Draw(_Act):
    """A knob is drawn and called."""

    act: Literal["draw"] = "draw"
    number: Knob


class Stop(_Act):
    """Nothing further begins."""

    act: Literal["stop"] = "stop"


class Claim(_Act):
    """A card is checked."""

    act: Literal["claim"] = "claim"
    serial: Serial


class ClaimTicket(_Act):
    """A ticket that the station does not know is checked by its numbers (H27).

    Attributes:
        numbers: just those of the pattern, or of the whole ticket; each once, in any order.
        name: what stands on the ticket, or who holds it.
        stage: which it claims, by key; None where its numbers can stand for only one open stage.
    """

    act: Literal["claim-ticket"] = "claim-ticket"
    numbers: Annotated[tuple[Knob, ...], EachOnce, Field(min_length=1, max_length=15)]
    name: Name | None = None
    stage: Annotated[str, Field(max_length=40)] | None = None


class Lots(_Act):
    """Several have won a thing that cannot be split: each drew a knob, the highest has it (H29).

    Attributes:
        stage: its key.
        knobs: each winning card's knob.
    """

    act: Literal["lots"] = "lots"
    stage: Annotated[str, Field(max_length=40)]
    knobs: Annotated[tuple[tuple[Serial, Knob], ...], Field(min_length=2)]


class PlayOn(_Act):
    """The check is over: winners get their shares, play goes on."""

    act: Literal["play-on"] = "play-on"


class Undo(_Act):
    """The last call is taken back. Where a win of that call was paid already, two people must have
    approved it."""

    act: Literal["undo"] = "undo"
    why: Annotated[str, Field(max_length=200)] = ""


class Approve(_Act):
    """Somebody agrees to a payment above the hall's sum, or to a correction after a payment (H29).

    Attributes:
        about: `pay` with the card's serial, or `undo`.
        who: by name; for a payment another than the one who pays, for a correction two different
            people.
        amount: the sum that was seen; refused where it is another by now. None agrees to whatever
            it is.
    """

    act: Literal["approve"] = "approve"
    about: Literal["pay", "undo"] = "pay"
    serial: Serial | None = None
    who: Name
    amount: SumSeen | None = None


class Pay(_Act):
    """What a card has won, or is owed for a broken game, is handed out.

    Attributes:
        means: in cash, or as a voucher that pays for cards later.
        who: pays; asked for where the sum needs a second person.
        amount: what is counted out; refused where it is owed another sum by now. None hands out
            whatever it is.
    """

    act: Literal["pay"] = "pay"
    serial: Serial
    means: Literal["cash", "voucher"] = "cash"
    who: Name | None = None
    amount: SumSeen | None = None


class Redeem(_Act):
    """Vouchers come back for cash."""

    act: Literal["redeem"] = "redeem"
    amount: Annotated[Units, Field(ge=1)]


class Recover(_Act):
    """A player brings back what was paid for a call that was taken back later."""

    act: Literal["recover"] = "recover"
    serial: Serial
    amount: Annotated[Units, Field(ge=1)]


class Bank(_Act):
    """Money of the house or of charity leaves the hall, or the house brings some."""

    act: Literal["bank"] = "bank"
    account: Literal["house", "charity"]
    amount: Annotated[int, Field(strict=True, ge=-MOST_UNITS, le=MOST_UNITS)]


class Break(_Act):
    """The game cannot go on: what was paid for the prizes that nobody has won is given back."""

    act: Literal["break"] = "break"
    why: Annotated[str, Field(min_length=1, max_length=200)]


class Close(_Act):
    """The game ends."""

    act: Literal["close"] = "close"


class CloseNight(_Act):
    """The night ends."""

    act: Literal["close-night"] = "close-night"


class Note(_Act):
    """Something to be remembered that changes nothing: a device lost or found, a damaged record set
    aside."""

    act: Literal["note"] = "note"
    about: Name
    what: Annotated[str, Field(max_length=400)]


class Census(_Act):
    """The knobs were counted over the reader (H1).

    Attributes:
        found: the numbers that passed it.
        twice: the numbers of which two different knobs passed.
        foreign: tags that belong to no knob of this hall.
        unreadable: how often something lay on the reader that could not be read.
        who: who had them counted.
    """

    act: Literal["census"] = "census"
    found: Annotated[tuple[Knob, ...], Rising]
    twice: Annotated[tuple[Knob, ...], Rising] = ()
    foreign: Annotated[tuple[TagNumber, ...], Rising, Field(max_length=MOST_FOREIGN)] = ()
    unreadable: Annotated[int, Field(strict=True, ge=0)] = 0
    who: Name | None = None


class Tried(_Act):
    """One thing that the self-test looked at.

    Attributes:
        say: what was found, for a person.
        blocks: a fault here could affect a game.
    """

    what: Name
    result: Literal["good", "fault", "skipped"]
    say: Annotated[str, Field(max_length=300)] = ""
    blocks: bool = False


class SelfTest(_Act):
    """The station tried itself (H2)."""

    act: Literal["self-test"] = "self-test"
    parts: Annotated[tuple[Tried, ...], Field(min_length=1, max_length=200)]
    who: Name | None = None


class Waive(_Act):
    """Somebody plays without a good census, or under a fault, tonight: who, and why."""

    act: Literal["waive"] = "waive"
    about: Literal["census", "faults"] = "census"
    who: Name
    why: Annotated[str, Field(min_length=1, max_length=200)]


Act: TypeAlias = (
    Sell
    | Return
    | CountCash
    | Open
    | Draw
    | Stop
    | Claim
    | ClaimTicket
    | PlayOn
    | Lots
    | Undo
    | Approve
    | Pay
    | Redeem
    | Recover
    | Bank
    | Break
    | Close
    | CloseNight
    | Note
    | Census
    | SelfTest
    | Waive
    | Sit
    | Join
    | Shake
    | Move
)
ADDED = frozenset({"serials", "ranges", "tickets", "vouchers", "means", "deal"})
_ACTS: TypeAdapter[Act] = TypeAdapter(Annotated[Act, Field(discriminator="act")])


def parse_act(data: Any) -> Act:
    """The act that this JSON object asks for.

    Raises:
        Unreadable: says what is wrong with it.
    """
    try:
        return _ACTS.validate_python(data)
    except ValidationError as error:
        raise Unreadable(f"not an act: {'; '.join(validation_faults(error, 'the act'))}") from error


def act_to_json(act: Act) -> dict[str, Any]:
    """The inverse of `parse_act`. What later versions added stands in it only where it says
    something."""
    written = act.model_dump(mode="json", exclude_none=True)
    return {
        key: value
        for key, value in written.items()
        if key not in ADDED or getattr(act, key) != type(act).model_fields[key].default
    }
