"""Define the checked fields of acts: serials, names, knobs, sums, lists of these, players. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints
from unicodedata import category, normalize

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from station.base.errors import Unreadable
from station.base.nouns import KNOBS, LONGEST_SERIAL, MOST_UNITS, SERIAL
from station.base.tongue import key, tr
from station.base.typed import texts_in, unfit
from station.night.fair import MOST_ADDED
from station.people.alike import mixed
from station.people.pairings import PAIRED
from station.people.roles import Role
from station.rules.seating import THRONG

T = TypeVar("T")
MOST_DEALT = 24  # most cards of Loto, and of players who have any, at one table
MOST_SEATS = THRONG  # most players at one table
MOST_SAID, SHORT = 8, 64  # most fields of a move, and most letters of a word in it
MOST_LISTED = 120  # most things in a list of a move: a pack of playing cards, and more
# Unicode's controls, halves of characters, ends of lines
MIXED = key("“{word}” mixes {one} and {other} letters: write each word in one alphabet")
UNWANTED = frozenset({"Cc", "Cs", "Zl", "Zp"})


def _check(holds: Callable[[Any], object], message: str, **values: str) -> Callable[[T], T]:
    """Return a check of a field's value, and what is said of one that does not pass it."""

    def check(value: T) -> T:
        if not holds(value):
            raise ValueError(tr(message, **values))
        return value

    return check


def _that(holds: Callable[[Any], object], message: str) -> AfterValidator:
    return AfterValidator(_check(holds, message))


def _each_once(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if twice := sorted({number for number in numbers if numbers.count(number) > 1}):
        raise ValueError(tr("{number} stands there twice", number=twice[0]))
    return numbers


def _name(text: str) -> str:
    # The rules write a player without a name as his card's serial after a "#". A name with controls
    # could not be shown.
    name = text.strip()
    if (
        not 1 <= len(name) <= 60
        or name.startswith("#")
        or not UNWANTED.isdisjoint(map(category, name))
    ):
        raise ValueError(tr("a name is one line of 1 to 60 characters and does not begin with #"))
    return name


def new_name(text: str) -> str:
    """Return a name that somebody gives now, checked: one line, all of it seen, and each word in
    one alphabet.

    Raises:
        ValueError: it is none; says what to do.
    """
    name = _name(text)
    if (fault := unfit(name)) is not None:
        raise ValueError(fault)
    _refuse_mixed("", name, ValueError)
    return name


def _refuse_mixed(place: str, name: str, error: type[ValueError]) -> None:
    if (found := mixed(name)) is not None:
        word, one, other = found
        raise error(place + tr(MIXED, word=word, one=one, other=other))


def _added(text: str) -> str:
    words = normalize("NFC", text).strip()
    if not 1 <= len(words) <= MOST_ADDED or not UNWANTED.isdisjoint(map(category, words)):
        said = key("the hall's words are one line of 1 to {most} characters")
        raise ValueError(tr(said, most=MOST_ADDED))
    return words


def _few(move: Mapping[str, object]) -> bool:
    # What is said of a move is repeated when it is refused.
    short = len(move) <= MOST_SAID and max(map(len, move), default=0) <= SHORT
    return short and all(map(_is_plain, move.values()))


def _is_plain(said: object) -> bool:
    if isinstance(said, list | tuple):
        return len(said) <= MOST_LISTED and all(map(_is_word_or_number, said))
    return _is_word_or_number(said)


def _is_word_or_number(said: object) -> bool:
    if type(said) is int:
        return abs(said) <= MOST_UNITS
    return isinstance(said, str) and len(said) <= SHORT


def is_name(annotation: Any) -> bool:
    """Return whether a field's type is a name's, or a name's where there is one."""
    if get_origin(annotation) is Annotated:
        return _IS_NAME in annotation.__metadata__
    return any(map(is_name, get_args(annotation)))


def refuse_mixed(act: BaseModel) -> None:
    """Check that each word of the names in a new act, those of its players too, has one alphabet;
    `refuse_unseen` checks the rest.

    Raises:
        Unreadable: one has two; the message names the place and what to do.
    """
    hints = get_type_hints(type(act), include_extras=True)
    for place, value in act:
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, BaseModel):
                refuse_mixed(one)
            elif isinstance(one, str) and is_name(hints[place]):
                _refuse_mixed(f"{place}: ", one, Unreadable)


def refuse_unseen(do: Mapping[str, Any]) -> None:
    """Check that all that people typed in a new act can be seen.

    Raises:
        Unreadable: a character cannot be seen; the message names the place, the character, and what
            to do.
    """
    for place, text in texts_in(do):
        if (fault := unfit(text, keep="\n\t")) is not None:
            raise Unreadable(f"{do.get('act')}.{place} {fault}")


Serial = Annotated[
    str,
    AfterValidator(
        _check(
            SERIAL.fullmatch,
            key("a serial has 1 to {most} letters, digits and signs"),
            most=str(LONGEST_SERIAL),
        )
    ),
]
_IS_NAME = AfterValidator(_name)
Name = Annotated[str, _IS_NAME]
# the door: every name that somebody gives now
NewName = Annotated[str, AfterValidator(new_name)]
Added = Annotated[str, AfterValidator(_added)]
Knob = Annotated[int, Field(strict=True, ge=1, le=KNOBS)]
Units = Annotated[int, Field(strict=True, ge=0, le=MOST_UNITS)]
SumSeen = Annotated[int, Field(strict=True, ge=0)]
TagNumber = Annotated[int, Field(strict=True, ge=0, lt=1 << 80)]
Rising = _that(
    lambda numbers: list(numbers) == sorted({*numbers}), key("each number stands once, in order")
)
EachOnce = AfterValidator(_each_once)
EachCardOnce = _that(
    lambda serials: len({*serials}) == len(serials), key("each card is dealt once")
)
_MOVE = key("a move says short words, whole numbers, and lists of them; no more than a few")
Said = Annotated[dict[str, Any], _that(_few, _MOVE)]
PairingKey = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_PAIRED = key("a device is paired as {first} or {last}")
_AS = {"first": ", ".join(PAIRED[:-1]), "last": PAIRED[-1]}
# Looked at before it is read as a role, of which there are more.
PairedRole = Annotated[Role, BeforeValidator(_check(PAIRED.__contains__, _PAIRED, **_AS))]


class Player(BaseModel, frozen=True, extra="forbid"):
    """A player who sits down at the table.

    Attributes:
        purse: what he brought, in whole units; None for the sum in the programme.
        takes: how many cards he wants; None for as many as the rules give him.
        simulated: whether the station plays for him.
    """

    name: Name
    purse: Units | None = None
    takes: Annotated[int, Field(strict=True, ge=0, le=MOST_DEALT)] | None = None
    simulated: bool = False
