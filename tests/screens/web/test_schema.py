"""The schema of the web: every route stands in it, and what is answered is what stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts

from station.record.requests import HeldNumber
from station.screens.web.app import make_app
from station.screens.web.passing import told as told_to_a_page
from station.screens.web.schema import DoneAnswer
from station.wire.wording import VOICES, load_wording
from tests.screens.web import requests

PAPER = Path(__file__).parents[3] / "docs" / "contracts.md"
MANY = 100
# What no operation can describe; the contracts say what they are.
OUTSIDE = {"/pages", "/ws", "/bench/ws", "/openapi.json"}


def web(tmp_path: Path, *, bench: bool = True) -> FastAPI:
    return make_app(
        tmp_path / "s",
        tmp_path / "h" if bench else None,
        voice=VOICES / "en",
        wording=load_wording(),
    )


def left_out(app: FastAPI) -> set[str]:
    """The routes of an application that are not in its schema."""
    told = app.openapi()["paths"]
    return {
        str(route.path)
        for route in iter_route_contexts(app.routes)
        if not (route.methods or {""}) <= {way.upper() for way in told.get(str(route.path), ())}
    }


@pytest.mark.parametrize("bench", [True, False])
def test_every_route_is_in_the_schema(tmp_path: Path, bench: bool) -> None:
    """But the lines, the folder of the pages' files and the schema itself, which the contracts
    name."""
    app = web(tmp_path, bench=bench)
    outside = left_out(app)
    assert outside == OUTSIDE - (set() if bench else {"/bench/ws"})
    [section] = re.findall(r"## What the web says of itself\n(.*?)\n## ", PAPER.read_text(), re.S)
    assert {path for path in outside if f"`{path}`" not in section} == set()


def test_a_route_that_is_left_out_would_be_found(tmp_path: Path) -> None:
    """The check above is one."""
    app = web(tmp_path)
    app.get("/hidden", include_in_schema=False)(lambda: None)
    app.get("/healthz/more")(lambda: None)
    assert left_out(app) == OUTSIDE | {"/hidden"}


def test_each_route_says_what_it_answers(tmp_path: Path) -> None:
    """Each answer has a kind, and each JSON a shape; what a foreign page, a large request and a
    full house get stands at every one."""
    schema = web(tmp_path).openapi()
    for path, ways in schema["paths"].items():
        for way, told in ways.items():
            answers = told["responses"]
            assert {"403", "413", "503"} <= set(answers), path
            assert ("400" in answers) is (
                "requestBody" in told
                or any(
                    one["in"] in ("path", "query") and one["name"] != "token"  # any text is one
                    for one in told.get("parameters", ())
                )
            ), path
            assert "422" not in answers, path
            for code, answer in answers.items():
                assert answer["description"], (path, code)
                for kind, content in answer.get("content", {}).items():
                    assert content.get("schema"), (way, path, code, kind)
                    if kind == "application/json" and code != "200":
                        assert content["schema"] == {"$ref": "#/components/schemas/RefusedAnswer"}
            assert ("requestBody" in told) is (way == "post" and path != "/pair/forget"), path


def test_the_number_that_is_held_fits_the_schema() -> None:
    """Whoever holds the draw is told which number it is."""
    answer = told_to_a_page({"id": "a", **HeldNumber(7, 42).to_json()})
    assert DoneAnswer.model_validate(answer).number == 42


@pytest.mark.long
def test_what_is_answered_stands_in_the_schema(tmp_path: Path) -> None:
    """Some of the requests that `python -m tests.screens.web.requests` makes by the thousand, to
    the web before a real core: no fault of the server's, and no answer of another shape."""
    result = requests.ask(tmp_path, MANY, number=2)
    assert result.faults == {}
    assert result.statuses.total() >= MANY
    assert {200, 400, 403, 503} <= set(result.statuses)
    assert result.statuses[503] <= result.away


@pytest.mark.long
def test_a_wrong_answer_would_be_found(tmp_path: Path) -> None:
    """The requests notice what fails, and what is answered in another shape."""

    def broken(**given: Any) -> FastAPI:
        app = make_app(**given)
        app.get("/fails")(lambda: 1 / 0)
        app.get("/lies", response_model=int)(lambda: JSONResponse({"more": True}))
        return app

    asked = {"/fails", "/lies", "/healthz"}
    result = requests.ask(tmp_path, 30, number=2, make=broken, only=asked)
    assert {fault.split(":")[0] for fault in result.faults} == {"GET /fails", "GET /lies"}
