"""What a person or a device may ask of the night: one small model each, which is also what the journal keeps as `do`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from station.errors import Unreadable
from station.programme import validation_faults
from station.table import KNOBS, SERIAL

MOST_FOREIGN = 200  # tags that a census names
UNWANTED = frozenset({"Cc", "Cs", "Zl", "Zp"})  # Unicode's controls, halves of characters, ends of lines


def _serial(text: str) -> str:
    if not SERIAL.fullmatch(text):
        raise ValueError("a serial is 1 to 32 letters, digits and hyphens")
    return text


def _rising(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if list(numbers) != sorted(set(numbers)):
        raise ValueError("each number stands once, in order")
    return numbers


def _name(text: str) -> str:
    # The rules write a player without a name as his card's serial after a "#". A name with controls could not be shown.
    name = text.strip()
    if not 1 <= len(name) <= 60 or name.startswith("#") or not UNWANTED.isdisjoint(map(category, name)):
        raise ValueError("a name is one line of 1 to 60 characters and does not begin with #")
    return name


Serial = Annotated[str, AfterValidator(_serial)]
Name = Annotated[str, AfterValidator(_name)]
Knob = Annotated[int, Field(strict=True, ge=1, le=KNOBS)]
TagNumber = Annotated[int, Field(strict=True, ge=0, lt=1 << 80)]


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sell(_Act):
    """Cards change hands for money, for the coming `games` games."""

    act: Literal["sell"] = "sell"
    serials: Annotated[tuple[Serial, ...], Field(min_length=1)]
    to: Name | None = None
    by: Name | None = None
    games: Annotated[int, Field(strict=True, ge=1, le=200)] = 1


class Open(_Act):
    """The next game of the programme opens; its register of cards is frozen.

    Attributes:
        bag: the commitment to the virtual bag's order (`station.bag`).
        knobs: how many different knobs were counted in it; journals of before do not say.
    """

    act: Literal["open"] = "open"
    bag: Annotated[str, Field(max_length=64)] = ""
    knobs: Annotated[int, Field(strict=True, ge=0)] | None = None


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


class PlayOn(_Act):
    """The check is over: winners get their shares, play goes on."""

    act: Literal["play-on"] = "play-on"


class Undo(_Act):
    """The last call is taken back."""

    act: Literal["undo"] = "undo"
    why: Annotated[str, Field(max_length=200)] = ""


class Pay(_Act):
    """What a card has won is handed out."""

    act: Literal["pay"] = "pay"
    serial: Serial


class Close(_Act):
    """The game ends."""

    act: Literal["close"] = "close"


class CloseNight(_Act):
    """The night ends."""

    act: Literal["close-night"] = "close-night"


class Note(_Act):
    """Something to be remembered that changes nothing: a device lost or found, a damaged record set aside."""

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
    found: Annotated[tuple[Knob, ...], AfterValidator(_rising)]
    twice: Annotated[tuple[Knob, ...], AfterValidator(_rising)] = ()
    foreign: Annotated[tuple[TagNumber, ...], AfterValidator(_rising), Field(max_length=MOST_FOREIGN)] = ()
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


Act: TypeAlias = Sell | Open | Draw | Stop | Claim | PlayOn | Undo | Pay | Close | CloseNight | Note | Census | SelfTest | Waive
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
    """The inverse of `parse_act`."""
    return act.model_dump(mode="json", exclude_none=True)
