"""Check and write the parts of a programme, its sums and names. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

MOST = 1_000_000_000  # of minor units in one prize


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on what somebody wrote, or a fault of it.

    Attributes:
        place: where, as people count: "entry 7 (dog), say"; nothing for the file as a whole.
        text: what is wrong there, or to be looked at.
    """

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class Data(BaseModel):
    """A part of a programme: frozen, and without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __copy__(self) -> Self:
        # What was worked out from it, as a digest, is not true of a copy that `model_copy` then
        # changes.
        copied = super().__copy__()
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


class Sparse(Data):
    """A part that is written without the fields that have their default."""

    @model_serializer(mode="wrap")
    def _without_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        written: dict[str, Any] = handler(self)
        return {
            key: value
            for key, value in written.items()
            if key in FIRST or getattr(self, key) != fields[key].default
        }


FIRST = frozenset({"name", "games", "method", "stakes", "price"})  # always written
Sum = Annotated[int, Field(strict=True, ge=0, le=MOST)]
Text = Annotated[str, Field(min_length=1, max_length=60)]
