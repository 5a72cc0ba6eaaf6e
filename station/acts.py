"""What a person or a device may ask of the night: one small model each, which is also what the journal keeps as `do`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias
from unicodedata import category

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from station.errors import Unreadable
from station.programme import validation_faults
from station.table import KNOBS, SERIAL

UNWANTED = frozenset({"Cc", "Cs", "Zl", "Zp"})  # Unicode's controls, halves of characters, ends of lines


def _serial(text: str) -> str:
    if not SERIAL.fullmatch(text):
        raise ValueError("a serial is 1 to 32 letters, digits and hyphens")
    return text


def _name(text: str) -> str:
    # The rules write a player without a name as his card's serial after a "#". A name with controls could not be shown.
    name = text.strip()
    if not 1 <= len(name) <= 60 or name.startswith("#") or not UNWANTED.isdisjoint(map(category, name)):
        raise ValueError("a name is one line of 1 to 60 characters and does not begin with #")
    return name


Serial = Annotated[str, AfterValidator(_serial)]
Name = Annotated[str, AfterValidator(_name)]


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
    """

    act: Literal["open"] = "open"
    bag: Annotated[str, Field(max_length=64)] = ""


class Draw(_Act):
    """A knob is drawn and called."""

    act: Literal["draw"] = "draw"
    number: Annotated[int, Field(strict=True, ge=1, le=KNOBS)]


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


Act: TypeAlias = Sell | Open | Draw | Stop | Claim | PlayOn | Undo | Pay | Close | CloseNight | Note
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
