"""Every way in which a name enters the record: the acts of the night, and the messages of pairing
and PINs. Each has the one check in its type, or comes through `read_act`."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import station
from station.base.errors import Unreadable
from station.night.fields import NewName, is_name, refuse_mixed, refuse_unseen
from station.record.requests import Unread, read_act
from tests.attack.test_names import REFUSED

PROJECT = Path(__file__).resolve().parents[2]
# The rooms that take what people and pages send; the web only carries it to the core.
ROOMS = ("core", "night", "calling", "people", "record")
MIXED = "\u0410nna"  # begins with a Cyrillic letter
ACT, DOOR, TEXT = "an act: through read_act", "its type checks it", "a sentence, no name"
NO_NAME = "not typed by people, or one of a few words: "

# Each text that a message may have, and how it is checked.
WAYS = {
    "core.doorkeeper.AskToPair.name": DOOR,
    "core.doorkeeper.LetIn.name": DOOR,
    "core.joining.TakeSeat.name": DOOR,
    "core.proofs.MakePin.name": DOOR,
    **dict.fromkeys(
        (
            *("night.acts.Sell.to", "night.acts.Sell.by", "night.acts.Return.by"),
            *("night.acts.CountCash.by", "night.acts.JoinTable.name", "night.acts.Note.about"),
            *("night.acts.ClaimTicket.name", "night.acts.Approve.who", "night.acts.Pay.who"),
            *("night.acts.Census.who", "night.acts.Tried.what", "night.acts.SelfTest.who"),
            *("night.acts.Pair.name", "night.acts.Rename.name", "night.acts.Waive.who"),
            "night.fields.Player.name",
        ),
        ACT,
    ),
}


def models() -> Iterator[type[BaseModel]]:
    """Every message of these rooms."""
    for module in pkgutil.walk_packages(station.__path__, "station."):
        if module.name.split(".")[1] in ROOMS:
            for found in vars(import_module(module.name)).values():
                is_model = inspect.isclass(found) and issubclass(found, BaseModel)
                if is_model and found.__module__ == module.name:
                    yield found


def is_new_name(hint: Any) -> bool:
    """Whether a field's type is the door's."""
    if get_origin(hint) in (Union, types.UnionType):
        return any(map(is_new_name, get_args(hint)))
    return hint == NewName


def named() -> dict[str, str]:
    """Every field whose type is a name's, or whose word is one."""
    words = {"name", "who", "by", "to", "seller", "buyer", "person", "leader", "player"}
    found = {}
    for model in models():
        for name, hint in get_type_hints(model, include_extras=True).items():
            of_text = hint is str or hint == (str | None) or is_name(hint) or is_new_name(hint)
            if of_text and (name in words or is_name(hint) or is_new_name(hint)):
                key = f"{model.__module__.removeprefix('station.')}.{model.__name__}.{name}"
                found[key] = DOOR if is_new_name(hint) else ACT if is_name(hint) else "unchecked"
    return found


def test_every_way_in_is_in_the_table() -> None:
    """A message that has a name of another type, or a new one, has been forgotten."""
    assert named() == WAYS


def test_acts_are_read_at_one_door() -> None:
    """All others read lines of the record, in which older names may stand, or what the door of
    pairing has checked."""
    found = set()
    for file in (PROJECT / "station").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "parse_act":
                found.add(str(file.relative_to(PROJECT)))
    assert found == {
        "station/record/requests.py",  # read_act, the door
        "station/core/doorkeeper.py",  # of LetIn and AskToPair, whose types are the door's
        "station/night/pairing.py",  # lines of the record, as the next two
        "station/record/nights.py",
        "station/paper/reports/report_money.py",
    }


FIELDS = [
    (model, name)
    for model in models()
    for name, hint in get_type_hints(model, include_extras=True).items()
    if is_name(hint) or is_new_name(hint)
]


@pytest.mark.parametrize(("model", "field"), FIELDS, ids=lambda one: getattr(one, "__name__", one))
def test_each_way_refuses_what_nobody_sees(model: type[BaseModel], field: str) -> None:
    """Every name of the table, and one of two alphabets; a plain one passes."""
    hint = get_type_hints(model, include_extras=True)[field]
    if is_new_name(hint):
        adapter: TypeAdapter[Any] = TypeAdapter(hint)
        assert adapter.validate_python("Anna") == "Anna"
        for name in (*REFUSED.values(), MIXED):
            with pytest.raises(ValidationError):
                adapter.validate_python(name)
        return
    refuse_unseen({"act": "x", field: "Anna"})
    refuse_mixed(model.model_construct(**{field: "Anna"}))
    for name in REFUSED.values():
        if name.strip("\n\t") == name and "\n" not in name:
            with pytest.raises(Unreadable):
                refuse_unseen({"act": "x", field: name})
    # only what the message has: the other fields have no value here
    with pytest.raises(Unreadable, match=field):
        refuse_mixed(model.model_construct(**{field: MIXED}))


@pytest.mark.parametrize("name", [*REFUSED.values(), MIXED])
def test_the_door_of_acts_asks_both(name: str) -> None:
    """Each act refuses the signs that a name must not have."""
    read = read_act({"act": "sell", "serials": ["0001"], "to": name})
    assert isinstance(read, Unread)
    assert not isinstance(read_act({"act": "sell", "serials": ["0001"], "to": "Anna"}), Unread)
