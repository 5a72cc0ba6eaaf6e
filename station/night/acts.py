"""Define what may be asked of the night, a model for each act; the journal keeps it as `do`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, Field, PrivateAttr, TypeAdapter, ValidationError, model_validator

from station.base.errors import Unreadable
from station.base.nouns import KNOBS, MOST_UNITS
from station.base.tongue import tr
from station.night import fields
from station.night.sealed import Sealed, unsealed
from station.night.sealed_play import KEY
from station.night.table.leaves import TableCommitment
from station.people.roles import Role
from station.programme.programme import validation_faults
from station.proof.leaves import HEX, Commitment, OpenedLeaf
from station.proof.sealed_game import SealedGame
from station.rules.law import Decided

NEXT_NIGHT = "next-night"  # not an act of the closed night: another night follows
MOST_FOREIGN = 200  # tags that a census names
MOST_TICKETS = 1_000_000
_NAMED, _SEATED = Field(max_length=MOST_FOREIGN), Field(max_length=fields.MOST_SEATS)
Proof: TypeAlias = Literal["device", "pin"]


class _Act(BaseModel, frozen=True, extra="forbid"):
    """A part of an act: nothing in it changes, and nothing else stands in it."""


class _Cards(_Act):
    """Cards by serial, by range (first and last), and tickets that the station does not know."""

    serials: tuple[fields.Serial, ...] = ()
    ranges: tuple[tuple[fields.Serial, fields.Serial], ...] = ()
    tickets: Annotated[int, Field(strict=True, ge=0, le=MOST_TICKETS)] = 0

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not (self.serials or self.ranges or self.tickets):
            raise ValueError(tr("which cards? serials, ranges, or a number of tickets"))
        return self


class Sell(_Cards):
    """Sell cards for the coming `games` games.

    Attributes:
        to: who buys; None for a buyer without a name.
        by: who sells.
        vouchers: how much of the price is paid with vouchers, in whole units.
    """

    act: Literal["sell"] = "sell"
    to: fields.Name | None = None
    by: fields.Name | None = None
    games: Annotated[int, Field(strict=True, ge=1, le=200)] = 1
    vouchers: fields.Units = 0


class Return(_Cards):
    """Take back cards before their game opens; give back their price for the games still to come.

    Attributes:
        by: who sold them; None for cards sold without a seller's name.
    """

    act: Literal["return"] = "return"
    by: fields.Name | None = None


class CountCash(_Act):
    """Count a seller's takings.

    Attributes:
        by: the seller; None for what was sold without a seller's name.
        amount: what was handed in since the last count, in whole units.
    """

    act: Literal["count-cash"] = "count-cash"
    by: fields.Name | None = None
    amount: fields.Units


class Open(_Act):
    """Open the next game of the programme; its register of cards is frozen.

    Attributes:
        bag: the root of the virtual bag's leaves (`station.night.fair`); empty at the table.
        luck: how the bag is committed to; None at the table.
        knobs: how many different knobs were counted in it; None at the table.
        deal: the cards of a game at the table, shuffled, in the order in which they are dealt.
        leaf: the table's, that has dealt them; None where no cards are dealt.
        sealed: the digest of the sealed game's file; None for a game of the hall's own.
    """

    act: Literal["open"] = "open"
    bag: Annotated[str, Field(max_length=64)] = ""
    luck: Commitment | None = None
    knobs: Annotated[int, Field(strict=True, ge=0)] | None = None
    deal: Annotated[
        tuple[fields.Serial, ...], fields.EachCardOnce, Field(max_length=fields.MOST_DEALT)
    ] = ()
    leaf: OpenedLeaf | None = None
    sealed: Annotated[str, Field(pattern=HEX)] | None = None


class Sit(_Act):
    """Seat a company at the table, for this game and those that follow.

    Attributes:
        players: from the dealer's left on, so that the first has the eldest hand.
        luck: the commitment to the station's throws, shuffles and deals; the session adds it.
    """

    act: Literal["sit"] = "sit"
    players: Annotated[tuple[fields.Player, ...], Field(min_length=1, max_length=fields.MOST_SEATS)]
    luck: TableCommitment | None = None


class Commit(_Act):
    """Commit to a table's luck anew: its leaves are used up, or their secrets are lost.

    Attributes:
        luck: as in `Sit`.
    """

    act: Literal["commit"] = "commit"
    luck: TableCommitment


class JoinTable(_Act):
    """Join a game at the table, in the seat after the last; the player takes a card afterwards.

    Attributes:
        purse, simulated: as in `Player`.
    """

    act: Literal["join"] = "join"
    name: fields.Name
    purse: fields.Units | None = None
    simulated: bool = False


class Shake(_Act):
    """Count the knobs in the bag and shake it, before a drawing.

    Attributes:
        counted: how many knobs there are.
        found: which ones, where they passed a reader; None where they were only counted.
        bag, luck: as in `Open`; `bag` is empty for real knobs.
        away: the knobs that are not in the bag, where it has `luck`.
    """

    act: Literal["shake"] = "shake"
    counted: Annotated[int, Field(strict=True, ge=0, le=KNOBS)]
    found: Annotated[tuple[fields.Knob, ...], fields.Rising] | None = None
    bag: Annotated[str, Field(max_length=64)] = ""
    luck: Commitment | None = None
    away: Annotated[tuple[fields.Knob, ...], fields.Rising] = ()


class MakeMove(_Act):
    """Make a move at the table, a player's or the company's: one of the game's own actions.

    Attributes:
        move: the action's name as `do`, and its fields: `{"do": "throw-up", "seat": 2, "serial":
            "0007"}`.
        chance: what has decided it, where the station has thrown or shuffled and all may know it.
        later: the place of the leaf that has decided it, where the line that ends the hand opens
            it with what is hidden until then.
    """

    act: Literal["move"] = "move"
    move: fields.Said
    chance: Decided | None = None
    later: Annotated[int, Field(strict=True, ge=0)] | None = None
    _part: Sealed | None = PrivateAttr(None)

    @property
    def part(self) -> Sealed | None:
        """Return the sealed fields where they are known; they are never written with the act."""
        return self._part

    def with_part(self, part: Sealed | None) -> MakeMove:
        """Return the same move with its sealed fields."""
        move = self.model_copy()
        move._part = part
        return move

    @property
    def whole(self) -> dict[str, Any]:
        """Return all fields of the move, the sealed ones too.

        Raises:
            Unreadable: the sealed fields are not known here.
        """
        return unsealed(self.move, self._part)


class DrawKnob(_Act):
    """Draw a knob and call it.

    Attributes:
        leaf: what proves that the virtual bag gave it; None for a knob that somebody laid down or
            keyed, and in games whose bag has an order.
        again: the bag gave it before: it was seen, or taken back.
    """

    act: Literal["draw"] = "draw"
    number: fields.Knob
    leaf: OpenedLeaf | None = None
    again: bool = False


class See(_Act):
    """Open the bag's next leaf before the call, so that somebody may see the knob (H8)."""

    act: Literal["see"] = "see"
    number: fields.Knob
    leaf: OpenedLeaf


class Renew(_Act):
    """Commit to the rest of the bag anew: its secrets went with the power, or with the program.

    Attributes:
        bag: the root of the new leaves.
        epoch: how often the bag was committed to, this time included.
    """

    act: Literal["renew"] = "renew"
    bag: Annotated[str, Field(pattern=HEX)]
    epoch: Annotated[int, Field(strict=True, ge=2)]


class Mix(_Act):
    """Add to a shared bag what nobody could know before its root was recorded.

    Attributes:
        words: what people called out, or the numbers of knobs that a guest drew, or of dice.
    """

    act: Literal["mix"] = "mix"
    words: fields.Added


class TakeSealed(_Act):
    """Take a sealed game: the next game of the programme is played with it.

    Attributes:
        game: None gives up one that was taken and not opened yet.
    """

    act: Literal["take-sealed"] = "take-sealed"
    game: SealedGame | None = None


class TakeKeys(_Act):
    """Take keys of the sealed game that is open.

    Attributes:
        first: which call the first of them opens, from 1.
        keys: of calls one after the other, 32 hex digits each, without a space.
    """

    act: Literal["take-keys"] = "take-keys"
    first: fields.Knob
    keys: Annotated[str, Field(pattern=rf"^([0-9a-f]{{{2 * KEY}}})+$", max_length=2 * KEY * KNOBS)]

    @property
    def each(self) -> list[str]:
        """Return the keys one by one."""
        return [self.keys[at : at + 2 * KEY] for at in range(0, len(self.keys), 2 * KEY)]


class StopGame(_Act):
    """Stop the game: no knob is drawn until play goes on."""

    act: Literal["stop"] = "stop"


class ClaimCard(_Act):
    """Check a card."""

    act: Literal["claim"] = "claim"
    serial: fields.Serial


class ClaimTicket(_Act):
    """Check by its numbers a ticket that the station does not know (H27).

    Attributes:
        numbers: exactly the numbers of the pattern, or of the whole ticket; each once, in any
            order.
        name: the name on the ticket, or who holds it.
        stage: the key of the stage it claims; None where its numbers fit only one open stage.
    """

    act: Literal["claim-ticket"] = "claim-ticket"
    numbers: Annotated[tuple[fields.Knob, ...], fields.EachOnce, Field(min_length=1, max_length=15)]
    name: fields.Name | None = None
    stage: Annotated[str, Field(max_length=40)] | None = None


class DrawLots(_Act):
    """Give a thing to one of several winners: each drew a knob, and the highest gets it (H29).

    Attributes:
        stage: the stage's key.
        knobs: each winning card's knob.
    """

    act: Literal["lots"] = "lots"
    stage: Annotated[str, Field(max_length=40)]
    knobs: Annotated[tuple[tuple[fields.Serial, fields.Knob], ...], Field(min_length=2)]


class PlayOn(_Act):
    """Play on after the check: winners get their shares."""

    act: Literal["play-on"] = "play-on"


class Undo(_Act):
    """Take back the last call; where a win of it was paid, two people must have approved that."""

    act: Literal["undo"] = "undo"
    why: Annotated[str, Field(max_length=200)] = ""


class Approve(_Act):
    """Approve a payment above the hall's limit, or a correction after a payment (H29).

    Attributes:
        about: `pay` with the card's serial, or `undo`.
        who: the person's name; for a payment another person than the one who pays, for a correction
            two different people.
        amount: the sum that the person saw; refused if the sum is another by now. None agrees to
            any sum.
        proof: how it is known that it was this person; None: the name was typed.
    """

    act: Literal["approve"] = "approve"
    about: Literal["pay", "undo"] = "pay"
    serial: fields.Serial | None = None
    who: fields.Name
    amount: fields.SumSeen | None = None
    proof: Proof | None = None


class Pay(_Act):
    """Hand out what a card has won, or is owed for a broken game.

    Attributes:
        means: in cash, or as a voucher that pays for cards later.
        who: the person who pays; needed where the sum needs a second person.
        amount: the sum that is counted out; refused if another sum is owed by now. None hands out
            any sum.
        proof: as in `Approve`.
    """

    act: Literal["pay"] = "pay"
    serial: fields.Serial
    means: Literal["cash", "voucher"] = "cash"
    who: fields.Name | None = None
    amount: fields.SumSeen | None = None
    proof: Proof | None = None


class Redeem(_Act):
    """Change vouchers into cash."""

    act: Literal["redeem"] = "redeem"
    amount: Annotated[fields.Units, Field(ge=1)]


class Recover(_Act):
    """Take from a player what was paid to him for a call that was taken back later."""

    act: Literal["recover"] = "recover"
    serial: fields.Serial
    amount: Annotated[fields.Units, Field(ge=1)]


class Bank(_Act):
    """Take money of the house or of charity out of the hall, or bring some of the house's in."""

    act: Literal["bank"] = "bank"
    account: Literal["house", "charity"]
    amount: Annotated[int, Field(strict=True, ge=-MOST_UNITS, le=MOST_UNITS)]


class Break(_Act):
    """Break off a game that cannot go on; what was paid for prizes nobody won is given back."""

    act: Literal["break"] = "break"
    why: Annotated[str, Field(min_length=1, max_length=200)]


class Skip(_Act):
    """Pass over the next game of the programme, which cannot or shall not be played; what was paid
    for its cards is given back."""

    act: Literal["skip"] = "skip"
    why: Annotated[str, Field(min_length=1, max_length=200)]


class CloseGame(_Act):
    """End the game."""

    act: Literal["close"] = "close"


class CloseNight(_Act):
    """End the night."""

    act: Literal["close-night"] = "close-night"


class Note(_Act):
    """Write down what changes nothing: a device lost or found, a damaged record set aside."""

    act: Literal["note"] = "note"
    about: fields.Name
    what: Annotated[str, Field(max_length=400)]


class Census(_Act):
    """Record that the knobs were counted over the reader (H1).

    Attributes:
        found: the numbers that passed it.
        twice: the numbers of which two different knobs passed.
        foreign: the tags that belong to no knob of this hall.
        unreadable: how often the reader had something on it that it could not read.
        who: who had them counted.
    """

    act: Literal["census"] = "census"
    found: Annotated[tuple[fields.Knob, ...], fields.Rising]
    twice: Annotated[tuple[fields.Knob, ...], fields.Rising] = ()
    foreign: Annotated[
        tuple[fields.TagNumber, ...], fields.Rising, Field(max_length=MOST_FOREIGN)
    ] = ()
    unreadable: Annotated[int, Field(strict=True, ge=0)] = 0
    who: fields.Name | None = None


class Tried(_Act):
    """One thing that the self-test checked.

    Attributes:
        say: the result, in words for people.
        blocks: whether a fault here could affect a game.
    """

    what: fields.Name
    result: Literal["good", "fault", "skipped"]
    say: Annotated[str, Field(max_length=300)] = ""
    blocks: bool = False


class SelfTest(_Act):
    """Record that the station tested itself (H2)."""

    act: Literal["self-test"] = "self-test"
    parts: Annotated[tuple[Tried, ...], Field(min_length=1, max_length=200)]
    who: fields.Name | None = None


class Pair(_Act):
    """Let somebody's device in: what comes from it is his from now on.

    Attributes:
        key: the digest of the device's secret, SHA-256 in hex.
        name: whose it is.
        seat: where he sits at the table; 0 for every other role than a seat.
        by_name: of a seat: whether the device follows the player of this name to any seat.
    """

    act: Literal["pair"] = "pair"
    key: fields.PairingKey
    name: fields.Name
    role: fields.PairedRole
    seat: Annotated[int, Field(strict=True, ge=0, le=fields.MOST_SEATS)] = 0
    by_name: Annotated[bool, Field(strict=True)] = False

    @model_validator(mode="after")
    def _a_seat_at_the_table(self) -> Self:
        if self.by_name and self.role is not Role.SEAT:
            raise ValueError(tr("only a seat follows its player by name"))
        if (self.role is Role.SEAT) != bool(self.seat):
            raise ValueError(tr("a seat, and nobody else, says where it is at the table, from 1"))
        return self


class Unpair(_Act):
    """Let nothing in any more that comes from a device."""

    act: Literal["unpair"] = "unpair"
    key: fields.PairingKey
    why: Annotated[str, Field(max_length=200)] = ""


class Rename(_Act):
    """Write down whose a paired device is now."""

    act: Literal["rename"] = "rename"
    key: fields.PairingKey
    name: fields.Name


class Waive(_Act):
    """Let the hall play without a good census or with a fault tonight, or without words in a shared
    bag this once: who decides it, and why.

    Attributes:
        proof: as in `Approve`.
    """

    act: Literal["waive"] = "waive"
    about: Literal["census", "faults", "words"] = "census"
    who: fields.Name
    why: Annotated[str, Field(min_length=1, max_length=200)]
    proof: Proof | None = None


_OfSale: TypeAlias = Sell | Return | CountCash
_OfGame: TypeAlias = Open | DrawKnob | StopGame | ClaimCard | ClaimTicket | PlayOn | DrawLots | Undo
_OfMoney: TypeAlias = Approve | Pay | Redeem | Recover | Bank
_OfLuck: TypeAlias = See | Renew | Mix | TakeSealed | TakeKeys
_Ending: TypeAlias = Break | Skip | CloseGame | CloseNight | Note
_Readying: TypeAlias = Census | SelfTest | Waive
_AtTable: TypeAlias = Sit | JoinTable | Shake | MakeMove | Commit
_OfPeople: TypeAlias = Pair | Unpair | Rename
Act: TypeAlias = _OfSale | _OfGame | _OfMoney | _Ending | _Readying | _AtTable | _OfPeople | _OfLuck
LEFT_OUT = frozenset(
    {
        *("serials", "ranges", "tickets", "vouchers", "means", "deal", "seat", "again", "away"),
        "by_name",
    }
)
_ACTS: TypeAdapter[Act] = TypeAdapter(Annotated[Act, Field(discriminator="act")])


def parse_act(data: Any) -> Act:
    """Return the act that this JSON object asks for.

    Raises:
        Unreadable: it is no act; the message says why.
    """
    try:
        return _ACTS.validate_python(data)
    except ValidationError as error:
        faults = "; ".join(validation_faults(error, tr("the act")))
        raise Unreadable(tr("not an act: {faults}", faults=faults)) from error


def act_to_json(act: Act) -> dict[str, Any]:
    """Return the JSON object that `parse_act` reads; most fields at their default are left out."""
    written = act.model_dump(mode="json", exclude_none=True)
    return {
        key: value
        for key, value in written.items()
        if key not in LEFT_OUT or getattr(act, key) != type(act).model_fields[key].default
    }
