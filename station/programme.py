"""The programme: which games a night has, read from a TOML file."""

from __future__ import annotations

import hashlib
import json
import tomllib
from functools import cached_property
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from station.errors import SettingsError
from station.rules.loto_first import Stakes

SHIPPED = Path(__file__).parent / "programmes"
# What was given may come from anybody: however long or deep it is, a message shows the beginning of it.
_SHOWN = Repr()
_SHOWN.maxstring = _SHOWN.maxother = 120


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GamePlan(_Data):
    """One game of the night.

    Attributes:
        price: of one card for this game, in whole minor units or counters.
    """

    name: Annotated[str, Field(min_length=1, max_length=60)]
    method: Literal["loto-first"] = "loto-first"
    stakes: Stakes = Stakes.QUARTERS
    price: Annotated[int, Field(ge=0, le=10_000_000)] = 0


class Programme(_Data):
    """The games of a night, in order."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    games: Annotated[tuple[GamePlan, ...], Field(min_length=1, max_length=200)]

    def to_json(self) -> str:
        """The programme as one canonical text; what a night keeps as its copy."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of `to_json`, in hex."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def repeated(self, games: int) -> Programme:
        """This programme cut or begun again until it has that many games."""
        times = -(-games // len(self.games))
        return self.model_copy(update={"games": (self.games * times)[:games]})


def validation_faults(error: ValidationError, whole: str = "the file") -> list[str]:
    """A pydantic error as sentences: where, what is wrong, what was given; `whole` is what to call the outermost place."""
    found = error.errors()
    faults = []
    for fault in found:
        # A list of which every item is faulty is called too short besides: it is not.
        inside = any(other["loc"][: len(fault["loc"])] == fault["loc"] for other in found if other is not fault)
        if fault["type"] == "too_short" and inside:
            continue
        place = ".".join(str(part) for part in fault["loc"]) or whole
        given = "" if isinstance(fault["input"], dict) else f" (it is {_SHOWN.repr(fault['input'])})"
        what = "there is no such setting" if fault["type"] == "extra_forbidden" else fault["msg"].removeprefix("Value error, ")
        faults.append(f"{place}: {what}{given}")
    return faults


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        SettingsError: it is not there, or not TOML; says where.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise SettingsError(str(path), [f"cannot be read: {error.strerror}"]) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(path), [f"not TOML: {error}"]) from error


def load_programme(path: Path) -> Programme:
    """Reads a programme file.

    Raises:
        SettingsError: names every fault.
    """
    try:
        return Programme.model_validate(read_toml(path))
    except ValidationError as error:
        raise SettingsError(str(path), validation_faults(error)) from error
