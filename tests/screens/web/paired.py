"""A station with paired devices, and what a paired person sees of it in a browser."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from station.cards import PACK_FILE
from station.cards.pack import Pack
from station.commands.papers import paper_of
from station.core.daemon import Core
from station.core.environment import Machine
from station.core.papers import MakePaper, PaperOrder, Progress
from station.core.simulation.practice_room import PracticeRoom
from station.people.pairings import key_of
from station.programme.programme import Programme
from station.screens.web.app import make_app
from station.screens.web.people import OVER_PLAIN_HTTP, PLAIN_COOKIE
from station.settings.config import Settings
from station.wire.wire import SOCKET, Client, Message
from station.wire.wording import VOICES, load_wording
from tests.screens.web.browsers import LIMIT_MS
from tests.screens.web.conftest import said
from tests.screens.web.fakes import Loop, served
from tests.support import CLOCK

SECRETS = {
    role: role.ljust(43, "-") for role in ("treasurer", "auditor", "cashier", "checker", "admin")
}
NAMES = {
    "treasurer": "Tess",
    "auditor": "Otto",
    "cashier": "Ben",
    "checker": "Cleo",
    "admin": "Ada",
}


@dataclass
class Night:
    """A station with paired devices, and the caller's hands."""

    loop: Loop
    socket: Path
    url: str
    browser: Browser

    def do(self, act: str, secret: str | None = None, **arguments: Any) -> None:
        async def work() -> Message:
            async with await Client.open(self.socket, "admin") as client:
                order = {"do": {"act": act, **arguments}}
                return await client.request({"secret": secret, **order} if secret else order)

        answer = self.loop.run(work())
        assert answer.get("ok"), answer

    def pin(self, name: str) -> str:
        """A new PIN for somebody."""

        async def work() -> Message:
            async with await Client.open(self.socket, "admin") as client:
                return await client.request({"pins": {"do": "make", "name": name}})

        return str(self.loop.run(work())["pin"])

    def pair(self, role: str) -> None:
        async def work() -> None:
            async with await Client.open(self.socket, "admin") as client:
                key = key_of(OVER_PLAIN_HTTP + SECRETS[role])
                asked = await client.request({"pair": {"do": "ask", "name": role, "key": key}})
                digits = asked["answer"]["digits"]
                confirm = {"do": "confirm", "digits": digits, "role": role, "name": NAMES[role]}
                let_in = await client.request({"pair": confirm})
                assert let_in.get("ok"), let_in

        self.loop.run(work())


async def made_here(order: PaperOrder, progress: Progress) -> bytes:
    """As another process makes it, and sooner."""
    return paper_of(order, progress)


@contextlib.contextmanager
def station_with(
    loop: Loop,
    browser: Browser,
    folder: Path,
    pack: Pack,
    programme: Programme,
    make_paper: MakePaper = made_here,
) -> Iterator[Night]:
    """A running station whose devices are let in over plain http."""
    (folder / "packs").mkdir()
    (folder / "packs" / PACK_FILE).write_text(pack.to_csv())
    machine = Machine(clock=CLOCK, check_ground=lambda folder, *, test: None)
    core = loop.call(
        lambda: Core(
            Settings(),
            folder,
            folder / "run",
            programme=programme,
            machine=machine,
            make_paper=make_paper,
        )
    )
    loop.run(core.open())
    socket = core.run / SOCKET
    app = make_app(
        socket,
        None,
        voice=VOICES / "en",
        wording=load_wording(),
        plain=True,
        open_games=PracticeRoom,
    )
    with served(loop, app) as url:
        yield Night(loop, socket, url, browser)
    loop.run(core.close())


class Visit:
    """A paired person's page, which must not complain."""

    def __init__(self, night: Night, role: str, path: str, size: dict[str, int]) -> None:
        night.pair(role)
        self.context = night.browser.new_context(
            viewport=size, reduced_motion="reduce", locale="en-GB", accept_downloads=True
        )
        cookie = {"name": PLAIN_COOKIE, "value": SECRETS[role], "url": night.url}
        self.context.add_cookies([cookie])
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(LIMIT_MS)
        self.complaints: list[str] = []
        self.page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(night.url + path)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.page.goto("about:blank")
        self.context.close()
        assert self.complaints == []

    def says(self, text: str) -> None:
        expect(said(self.page)).to_have_text(text)

    def shows(self, part: str, text: str) -> None:
        expect(self.page.get_by_test_id(part)).to_contain_text(text)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def fetched(self, url: str) -> bytes:
        """What the browser gets at an address of the station, with its cookie."""
        answer = self.context.request.get(url)
        assert answer.ok, answer.text()
        assert answer.headers["content-type"] == "application/pdf"
        return answer.body()
