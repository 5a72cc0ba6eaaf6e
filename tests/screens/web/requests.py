"""Thousands of requests, made from the schema, to the real web before a real core.

`python -m tests.screens.web.requests --many 10000 --seed 1`

Schemathesis makes them, of each route and from everybody: nobody, a made-up secret, devices of each
role over TLS and plain http, whoever has the token. Acts are filled as the core's own models say,
so that some of them are done. What is asked about is confirmed half the time; a night that was
closed is followed by the next, a station that was switched off starts again. For a while the core
is away. Each answer must be one that the schema has: no 500; 503 only while the core is away.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import sys
import tempfile
import uuid
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain, cycle
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import requests
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from rich.progress import track
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks
from urllib3.exceptions import InsecureRequestWarning

from station.base.errors import LotoError
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.night.acts import Act
from station.people.pairings import PAIRED
from station.programme.programme import GamePlan, Programme, Shares, StagePlan, TablePlan
from station.screens.web.app import make_app
from station.screens.web.people import PLAIN_COOKIE, SECURED_COOKIE
from station.screens.web.people_pages import ASKED_EVERY_S
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message, decode, encode
from station.wire.wording import VOICES, load_wording
from tests.screens.web import canned
from tests.screens.web.fakes import LIMIT_S, FakeHands, Loop, served_twice
from tests.support import small_pack

TOKEN = "made-up"  # noqa: S105 - it is
AWAY_FROM, AWAY_TO = 0.60, 0.66  # of the way, the core is not there
AWAY_LONGEST = 0.90  # until then, if none of the requests has met that, as of a hundred may be
ENDS = {"off", "close-night", "next-night"}
CHECKS: list[Any] = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
WRONG = 0.2  # of the requests have what the schema has not
STRANGE = 0.1  # keep the origin and the header that came by chance
ACTS = 0.5  # are one of the acts, filled as the core's model of it says
BELIEVES, BELIEFS = 0.3, {"expect", "seen", "sure", "pin"}  # so many say what they believe


@dataclass
class Visitor:
    """Somebody with a browser.

    Attributes:
        role: as which the device is paired; empty for who is not.
    """

    name: str
    url: str
    role: str = ""
    cookies: dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """What came of the requests: how many of each status, and what was wrong, with how often."""

    statuses: Counter[int] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    away: int = 0

    def __str__(self) -> str:
        counted = ", ".join(f"{code} × {many:,}" for code, many in sorted(self.statuses.items()))
        acts = f"{self.done.total():,} acts of {len(self.done)} kinds done"
        return (
            f"{self.statuses.total():,} requests: {counted} ({self.away:,} while the core was"
            f" away); {acts}; {self.faults.total():,} faults"
        )


class Station:
    """A real core that can be away, the web before it on two ports, and its visitors."""

    def __init__(self, folder: Path, make: Callable[..., FastAPI] = make_app) -> None:
        self.folder, self.make, self.loop, self.now = folder, make, Loop(), 0.0
        (folder / "state/packs").mkdir(parents=True)
        self.pack = small_pack()
        (folder / "state/packs" / PACK_FILE).write_text(self.pack.to_csv())
        self.core: Core | None = None
        self.hands = FakeHands(folder / "hands.sock", canned.bench())
        self.visitors: list[Visitor] = []
        self.start()
        self.loop.run(self.hands.open())

    def app(self, tls_port: int) -> FastAPI:
        self.web = self.make(
            socket_path=self.folder / "run" / SOCKET,
            hands_path=self.hands.path,
            voice=VOICES / "en",
            wording=load_wording(),
            token=TOKEN,
            desk=True,
            tls_port=tls_port,
            clock=lambda: self.now,
        )
        return self.web

    def start(self) -> None:
        plan = GamePlan(
            name="One",
            price=100,
            stages=(StagePlan(pattern="row", share=50), StagePlan(pattern="full")),
            shares=Shares(house=10),
            tickets=True,
        )
        table = GamePlan(name="Table", method="loto-second", table=TablePlan(cards=12))
        self.core = Core(
            Settings(),
            self.folder / "state",
            self.folder / "run",
            programme=Programme(name="All", games=(plan, table) * 20, approve_above=80),
            machine=Machine(check_ground=lambda _folder, *, test: None),
        )
        self.loop.run(self.core.open())

    def end(self) -> None:
        if self.core is not None:
            self.loop.run(self.core.close())
        self.core = None

    def tell(self, message: Message) -> Message:
        """Says something to the core, as its admin at the command line."""

        async def told() -> Message:
            async with await Client.open(self.folder / "run" / SOCKET, "admin") as client:
                return await client.request(message)

        return self.loop.run(told())

    def renew(self) -> None:
        """After something ended: a night that is open, and everybody paired."""
        if "refused" in self.tell({"do": {"act": "repeat"}}):
            self.tell({"do": {"act": "next-night"}})
        if self.tell({"do": {"act": "repeat"}}).get("refused", {}).get("reason") == (
            "station-ending"
        ):
            self.end()
            self.start()
        for visitor in self.visitors:
            if visitor.role:
                self.pair(visitor)

    def pair(self, visitor: Visitor) -> None:
        """Lets a visitor's device in, unless it is."""
        with browser() as its:
            options = {"cookies": visitor.cookies, "verify": False, "timeout": LIMIT_S}
            if "answer" in its.get(f"{visitor.url}/pair/me", **options).json():
                return
            self.now += ASKED_EVERY_S
            for do in ("open", "refuse"):  # whatever an admin's page did
                self.tell({"pair": {"do": do}})
            answer = its.post(
                f"{visitor.url}/pair/ask",
                json={"name": visitor.name},
                headers={"origin": visitor.url, "x-loto-pair": "1"},
                **options,
            )
            told = {"digits": answer.json()["answer"]["digits"], "role": visitor.role}
            seat = {"seat": 3} if visitor.role == "seat" else {}
            done = self.tell({"pair": {"do": "confirm", **told, **seat}})
            if not done.get("ok"):
                raise RuntimeError(f"{visitor.name} was not let in: {done}")
            visitor.cookies = dict(answer.cookies)

    def invite(self, plain: str, secured: str) -> None:
        """Everybody who comes: over plain http and over TLS."""
        self.visitors = [
            Visitor("nobody", plain),
            Visitor("nobody, over TLS", secured),
            Visitor("a made-up secret", secured, "", {SECURED_COOKIE: "x" * 43}),
            Visitor("an old seat", plain, "", {PLAIN_COOKIE: "y" * 43}),
            Visitor("a seat", plain, "seat"),
            *(Visitor(f"a {role}", secured, role.value) for role in PAIRED),
        ]
        for url in (plain, secured):
            with browser() as its:
                its.get(f"{url}/desk?token={TOKEN}", verify=False, timeout=LIMIT_S)
                self.visitors.append(Visitor("the token's holder", url, "", {**its.cookies}))
        for visitor in self.visitors:
            if visitor.role:
                self.pair(visitor)

    def close(self) -> None:
        self.end()
        self.loop.run(self.hands.close())
        self.loop.close()


@contextlib.contextmanager
def browser() -> Iterator[requests.Session]:
    """A session without the surroundings' proxies."""
    with requests.Session() as session, warnings.catch_warnings():
        warnings.simplefilter("ignore", InsecureRequestWarning)
        session.trust_env = False
        yield session


def each_act(schema: dict[str, Any], serials: list[str]) -> Iterator[dict[str, Any]]:
    """Schemas of one route and one act each, with its fields as the core's own model has them, and
    cards that there are."""
    acts = {get_args(model.model_fields["act"].annotation)[0]: model for model in get_args(Act)}
    for path, ways in schema["paths"].items():
        if not path.endswith("/do"):
            continue
        whole = copy.deepcopy({**schema, "paths": {path: ways}})
        models = whole["components"]["schemas"]
        body = ways["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        do = models[body.rpartition("/")[2]]["properties"]["do"]
        if "$ref" not in do:
            continue  # a game alone has no acts of the core
        order = do["$ref"].rpartition("/")[2]
        named = models[order]["properties"]["act"]
        for act in named.get("enum") or [named["const"]]:
            shape = {"type": "object", "properties": {"act": {"const": act}}, "required": ["act"]}
            if act in acts:
                shape = acts[act].model_json_schema(ref_template="#/components/schemas/{model}")
            shape["required"] = sorted({"act", *shape.get("required", ())})
            parts = {**models, **shape.pop("$defs", {}), order: with_cards(shape, serials)}
            yield {**whole, "components": {**whole["components"], "schemas": parts}}


def with_cards(shape: Any, serials: list[str]) -> Any:
    """A model's schema in which every serial is one of these, and every name somebody's."""
    if isinstance(shape, list):
        return [with_cards(part, serials) for part in shape]
    if not isinstance(shape, dict):
        return shape
    card = {"enum": serials}
    known: dict[str, Any] = {
        "serial": card,
        "serials": {"type": "array", "items": card, "maxItems": 3},
        **{key: {"enum": ["Anna", "Ben"]} for key in ("name", "who", "by", "to")},
    }
    new = {key: with_cards(part, serials) for key, part in shape.items()}
    if isinstance(given := new.get("properties"), dict):
        given.pop("proof", None)  # which the station says itself
        given |= {key: part for key, part in known.items() if key in given}
    return new


def weight(operation: Any) -> int:
    """How often a route is asked: what does something more often than what is looked at."""
    return 4 if operation.method == "post" else 1


class Asker:
    """Whoever makes the requests, and looks at what comes back."""

    def __init__(self, station: Station, session: requests.Session, only: Collection[str]) -> None:
        self.station, self.session, self.result = station, session, Result()
        true = station.web.openapi()
        modes = schemathesis.GenerationMode
        self.made: Callable[[Any, bool], st.SearchStrategy[Any]] = lambda one, right: (
            one.as_strategy(generation_mode=modes.POSITIVE if right else modes.NEGATIVE)
        )
        self.routes = [
            route
            for route in routes_of(true)
            if not only or route.path in only
            for _ in range(weight(route))
        ]
        acts = () if only else each_act(true, [*station.pack.serials[:12]])
        self.acts = [*chain.from_iterable(map(routes_of, acts))]
        self.bodies = {
            path: jsonschema_rs.validator_for(
                {
                    **given["requestBody"]["content"]["application/json"]["schema"],
                    "components": true["components"],
                }
            )
            for path, ways in true["paths"].items()
            if "requestBody" in (given := ways.get("post", {}))
        }
        self.wishes = cycle(
            visitor
            for visitor in station.visitors
            for _ in range(1 if visitor.role == "" and "token" not in visitor.name else 3)
        )

    def ask(self, data: st.DataObject, *, away: bool) -> None:
        """One request of the next visitor to some route; where it asks first, sometimes another."""
        visitor, luck = next(self.wishes), data.draw(st.randoms(use_true_random=True))
        operation = luck.choice(self.acts if self.acts and luck.random() < ACTS else self.routes)
        case = data.draw(self.made(operation, operation.method == "get" or luck.random() > WRONG))
        if case.path == "/pair/ask":
            self.station.now += ASKED_EVERY_S * luck.randint(0, 1)
        strange = luck.random() < STRANGE
        if isinstance(case.body, dict) and luck.random() > BELIEVES:
            case.body = {key: part for key, part in case.body.items() if key not in BELIEFS}
            if isinstance(case.body.get("do"), dict):
                case.body["id"] = uuid.uuid4().hex
        answer = self.send(case, visitor, strange=strange, away=away)
        asked = answer.get("refused", {}) if isinstance(answer, dict) else {}
        if asked.get("reason") == "sure?" and isinstance(case.body, dict) and luck.random() < 0.5:
            more = {"id": uuid.uuid4().hex, "seen": str(asked["seen"]), "sure": True}
            case.body = {**case.body, **more}
            self.send(case, visitor, strange=strange, away=away)

    def send(self, case: Any, visitor: Visitor, *, strange: bool, away: bool) -> Any:
        headers = {"origin": visitor.url} if not strange else {}
        case.cookies = dict(visitor.cookies)
        if not strange:
            case.headers = {}
            page = case.path.split("/")[1]
            headers |= {f"x-loto-{page}": "1"}
        before = dict(visitor.cookies)
        response = case.call(
            base_url=visitor.url,
            session=self.session,
            headers=headers,
            verify=False,
            timeout=LIMIT_S,
        )
        self.session.cookies.clear()
        status = response.status_code
        self.result.statuses[status] += 1
        self.result.away += away
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as group:
            for found in group.exceptions:
                self.fault(case, visitor, f"{status}: {found}"[:2000])
        if status >= 500 and not (status == 503 and away):
            self.fault(case, visitor, f"{status}, and the core is {'away' if away else 'there'}")
        if not strange:
            self.look_at_body(case, visitor, status, response.request)
        answer = response.json() if "json" in str(response.headers.get("content-type")) else None
        if not away:
            self.look_after(case, visitor, answer, status, before)
        return answer

    def look_at_body(self, case: Any, visitor: Visitor, status: int, sent: Any) -> None:
        """Whoever sends what the schema has is heard, and nobody else."""
        if case.path not in self.bodies or status in (403, 413, 503):
            return
        try:
            # A whole number has no point here, though JSON Schema takes 5.0 for one.
            body = json.loads(sent.body or b"", parse_constant=no_number, parse_float=lambda _: 0.5)
            decode(encode({"do": body}))  # what the core would not read is no request either
            fits = "json" in sent.headers["content-type"] and self.bodies[case.path].is_valid(body)
        except (ValueError, KeyError, LotoError):
            fits = False
        if fits != (status != 400):
            self.fault(case, visitor, f"{status} for a body that does{'' if fits else ' not'} fit")

    def look_after(
        self, case: Any, visitor: Visitor, answer: Any, status: int, before: dict[str, str]
    ) -> None:
        """Whoever was forgotten is paired again; what was ended goes on."""
        if visitor.role and case.path in ("/pair/ask", "/pair/forget") and status == 200:
            self.station.pair(visitor)
        elif "token" in visitor.name and case.path == "/pair/forget" and status == 200:
            with browser() as its:
                its.get(f"{visitor.url}/desk?token={TOKEN}", verify=False, timeout=LIMIT_S)
                visitor.cookies = {**its.cookies}
        if isinstance(answer, dict) and answer.get("ok") and isinstance(case.body, dict):
            wish = case.body.get("do")
            act = str(wish.get("act") if isinstance(wish, dict) else None)
            self.result.done[act] += act != "None"
            if act in ENDS:
                self.station.renew()

    def fault(self, case: Any, visitor: Visitor, what: str) -> None:
        first = what.splitlines()[0] if what else ""
        key = f"{case.method} {case.path}: {first}"
        if key not in self.result.faults:
            sys.stderr.write(f"{key}\n  {visitor.name}: {case.body!r} {case.query!r}\n  {what}\n")
        self.result.faults[key] += 1


def no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def routes_of(schema: dict[str, Any]) -> list[Any]:
    """What Schemathesis makes of the routes of a schema."""
    return [found.ok() for found in schemathesis.openapi.from_dict(schema).get_all_operations()]


def ask(
    folder: Path,
    many: int,
    number: int,
    *,
    shown: bool = False,
    make: Callable[..., FastAPI] = make_app,
    only: Collection[str] = (),
) -> Result:
    """Makes so many requests, each time others for another number; to all routes, or to these
    alone."""
    station = Station(folder, make)
    try:
        with (
            served_twice(station.loop, folder, station.app) as (plain, secured),
            browser() as session,
        ):
            station.invite(plain, secured)
            asker = Asker(station, session, only)
            turns = iter(track(range(many), "requests", disable=not shown))

            @seed(number)
            @settings(
                max_examples=many,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(st.data())
            def one(data: st.DataObject) -> None:
                part = asker.result.statuses.total() / many
                met = 503 in asker.result.statuses
                away = AWAY_FROM <= part < (AWAY_TO if met else AWAY_LONGEST)
                if away and station.core is not None:
                    station.end()
                elif not away and station.core is None:
                    station.start()
                    station.renew()
                asker.ask(data, away=away)
                next(turns, None)

            while asker.result.statuses.total() < many:
                one()
            return asker.result
    finally:
        station.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Ask the web for everything its schema has.")
    options.add_argument("--many", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        result = ask(Path(name), chosen.many, chosen.seed, shown=True)
    sys.stdout.write(f"{result}\n")
    sys.exit(1 if result.faults else 0)
