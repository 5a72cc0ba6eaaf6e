"""Say in the schema what the web's routes take and answer.

What is common to all of them (a foreign page, too large a request, a full house, a request that
cannot be read) is added to each by `complete`; what is a route's own stands at the route, as
keywords: `@routes.get("", **a_page())`, `@routes.post("/hand", **passed_on(HAND_HEADER))`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field

from station.screens.web.guard import COOKIES
from station.screens.web.people import PLAIN_COOKIE, SECURED_COOKIE

Described: TypeAlias = dict[str, Any]


class ClosedModel(BaseModel):
    """A model that takes no other fields than it says."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RefusedReply(ClosedModel):
    """Why something is refused: a reason for programs, a sentence for people."""

    reason: str = Field(min_length=1)
    say: str = Field(min_length=1)
    seen: str = Field("", description="what a confirmation must carry, where it is asked for")


class RefusedAnswer(ClosedModel):
    """The answer to what is refused."""

    refused: RefusedReply


class DoneAnswer(ClosedModel):
    """The answer to what was done, or asked: what was asked for, as the contracts say."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    ok: Literal[True] = True
    seq: int = Field(0, ge=0, description="the line of the journal")
    number: int | None = Field(None, ge=1, le=90, description="what is held, and not yet called")
    answer: Any = None


class DigitsShown(ClosedModel):
    """The digits that a device shows while it asks to be let in."""

    digits: str = Field(pattern="^[0-9]{6}$")
    seconds: int = Field(ge=0)


class Asked(ClosedModel):
    """The answer to a device that asks."""

    answer: DigitsShown


class KnownPerson(BaseModel):
    """Whose device it is."""

    name: str
    role: str
    seat: int = Field(ge=0)
    acts: list[str]


class Known(ClosedModel):
    """The answer to a device that is let in."""

    answer: KnownPerson
    doors: list[str]


class Unknown(RefusedAnswer):
    """The answer to a device that is not, or that may be more at another address."""

    secured: str | None


class Forgotten(ClosedModel):
    """The answer to a device that is forgotten."""

    ok: Literal[True]


class Words(ClosedModel):
    """The words on the pages, in the hall's language."""

    language: str
    screen: dict[str, str]


class RulesOfGame(ClosedModel):
    """The rules of a game in short."""

    name: str
    title: str
    sentences: tuple[str, ...]


class RulesAnswer(ClosedModel):
    """The rules of all games."""

    language: str
    games: tuple[RulesOfGame, ...]


class Languages(ClosedModel):
    """The hall's language, and those of each page."""

    hall: str
    pages: dict[str, list[str]]


Told: TypeAlias = DoneAnswer | RefusedAnswer

REFUSAL: Described = {
    "application/json": {"schema": {"$ref": f"#/components/schemas/{RefusedAnswer.__name__}"}}
}
SENTENCE: Described = {"text/plain": {"schema": {"type": "string"}}}
TEXT: Described = {"schema": {"type": "string"}}
BYTES: Described = {"schema": {"type": "string", "format": "binary"}}
# What the frontier and the door answer in every route's place.
COMMON = {
    "403": "Another site's page asks, or the station is not called so; or the page may not.",
    "413": "The request is larger than 8 kB, or does not say how large it is.",
    "503": "The station has as many visitors as it can serve, or the core is away.",
}
UNREADABLE = "The request cannot be read."
# Who is let in by what: a device by its cookie, on either port, and whoever had the token.
COOKIES_BY_NAME = {
    "device": SECURED_COOKIE,
    "seat": PLAIN_COOKIE,
    "token": COOKIES[True],
    "token-over-plain-http": COOKIES[False],
}


def a_page(*, sends_to: str = "", token: bool = False) -> Described:
    """Return how a route that answers with a page is described.

    Args:
        sends_to: where whoever is not its reader is sent to; empty for nowhere.
        token: whether its address may carry the token, and is a plain sentence without.
    """
    responses: dict[int | str, Described] = {}
    if sends_to:
        location = {"required": True, "schema": {"const": sends_to}}
        responses[303] = {"description": "It is elsewhere.", "headers": {"location": location}}
    extra: Described = {}
    if token:
        responses[403] = {"content": dict(SENTENCE)}
        extra["parameters"] = [{"name": "token", "in": "query", **TEXT}]
    return {"response_class": HTMLResponse, "responses": responses, "openapi_extra": extra}


def from_the_page(header: str) -> Described:
    """Describe a route that only a page of this station may use, by its `Origin` and header."""
    parameters = [
        {"name": name, "in": "header", "required": True, **TEXT} for name in ("Origin", header)
    ]
    security: list[Described] = [{}, *({name: []} for name in COOKIES_BY_NAME)]
    return {"openapi_extra": {"parameters": parameters, "security": security}}


def passed_on(header: str) -> Described:
    """Return how a route is described whose requests go on to the core."""
    return {"response_model": Told, **from_the_page(header)}


def a_file(kind: str, *others: str) -> Described:
    """Describe a route that answers with a file of this kind, or a sentence that there is none."""
    content = {name: dict(BYTES) for name in (kind, *others)}
    missing = {"description": "There is none.", "content": SENTENCE}
    return {"responses": {200: {"content": content}, 404: missing}}


def a_sentence() -> Described:
    """Return how a route is described that only says that nothing is there."""
    return {"responses": {404: {"description": "There is nothing here.", "content": SENTENCE}}}


def complete(schema: Described) -> Described:
    """Add to each operation what any of them may answer; return the schema."""
    parts = schema.setdefault("components", {})
    models = parts.setdefault("schemas", {})
    parts["securitySchemes"] = {
        name: {"type": "apiKey", "in": "cookie", "name": cookie}
        for name, cookie in COOKIES_BY_NAME.items()
    }
    for model in (RefusedAnswer, RefusedReply):
        shape = model.model_json_schema(ref_template="#/components/schemas/{model}")
        shape.pop("$defs", None)
        models.setdefault(model.__name__, shape)
    for name in ("HTTPValidationError", "ValidationError"):  # FastAPI's own; ours is a refusal
        models.pop(name, None)
    for operations in schema["paths"].values():
        for operation in operations.values():
            responses = operation["responses"]
            said = dict(COMMON)
            if responses.pop("422", None) is not None:
                said["400"] = UNREADABLE
            for code, why in said.items():
                told = responses.setdefault(code, {})
                told["description"] = why
                told.setdefault("content", {}).update(REFUSAL)
    return schema
