"""Serve the page of the first start: one form after the other, without a script and without rights.

1. The set-up code of the sheet, once for each browser.
2. The questions of `loto setup`, until all are answered, with the settings that come of them.
3. While the station starts, what it does; then the digits of the first device that is let in.

What is to be done is asked of `loto first-start do`, which has the rights, by a file.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from html import escape
from pathlib import Path
from string import Template
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from starlette import status
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from station.base.catalogues import speak
from station.base.errors import Unreadable
from station.base.tongue import tr
from station.base.typed import shown
from station.base.untrusted import file_bytes, table_from
from station.screens.web.guard import Bounded
from station.screens.web.people import spoken
from station.screens.web.server import serve_alone
from station.wire.wording import REFERENCE, languages, load_wording

LARGEST = 1 << 16  # bytes of a wish, and of a form


class FirstWish(StrEnum):
    """What may be wished for."""

    WRITE = "write"
    PAIR = "pair"
    END = "end"


@dataclass(frozen=True)
class Field:
    """A question of the form.

    Attributes:
        question: in the language that is spoken; it is the field's name, too.
        answer: what was answered, else what is offered.
        choices: what may be chosen, with a word on each; empty for a text.
        fault: why the answer cannot be taken; empty if it can.
    """

    question: str
    answer: str
    choices: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class Questions:
    """All that is asked now, and what its answers lead to.

    Attributes:
        fields: in their order.
        settings: the text of the settings file; empty while an answer cannot be taken.
        fault: of no single answer.
    """

    fields: Sequence[Field]
    settings: str = ""
    fault: str = ""

    @property
    def ready(self) -> bool:
        """Return whether all can be taken."""
        return not self.fault and not any(one.fault for one in self.fields)


Ask: TypeAlias = Callable[[Mapping[str, str], Mapping[str, Any]], Questions]
COOKIE = "first-start"
MOST_TRIES = 20  # wrong codes, by all together; then only a new start of the machine helps
BOARD, PORT = 8090, 8443  # of the station: plain, and with TLS
ASKED = "ask "  # before the names of fields that are questions
LINES = "\n"
NAME = re.compile(r"[A-Za-z0-9_-]+")
FRAME = Template((Path(__file__).parent / "forms" / "first.html").read_text(encoding="utf-8"))
# `Bounded` adds the rest. A page with a form must not forbid the referrer: browsers would post the
# form with `Origin: null`, as a foreign page does, and `Bounded` would reject it.
GUARD = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "Cache-Control": "no-store",
    "X-Frame-Options": "DENY",
}


@dataclass
class FirstPage:
    """The page, and how far somebody has come with it.

    Attributes:
        code: of the sheet.
        ask: puts the questions with answers, and with what is given.
        folder: its own, where it leaves what it asks for.
        told: the file in which the answer comes.
        address: of the machine, as the browser reached it.
        token: what a browser has that knew the code.
        tries: wrong codes that may still be typed.
        answers: so far, by question.
        step, number: what is asked for and not answered yet.
        done: what was done, in order.
        fault: why the last thing was not.
    """

    code: str
    ask: Ask
    folder: Path
    told: Path
    address: str = ""
    token: str = field(default_factory=secrets.token_urlsafe)
    tries: int = MOST_TRIES
    answers: dict[str, str] = field(default_factory=dict)
    step: str = ""
    number: str = ""
    done: list[str] = field(default_factory=list)
    fault: str = ""

    # -- who comes ---------------------------------------------------------------------------------

    async def look(self, request: Request) -> Response:
        """Answer whoever looks, or chooses a language."""
        language = self._met(request)
        if "lang" not in request.query_params:
            return self._show(language, known=self._knows(request))
        back = RedirectResponse("/", status.HTTP_303_SEE_OTHER)
        back.set_cookie("lang", language, httponly=True, samesite="strict")
        return back

    async def take(self, request: Request) -> Response:
        """Answer whoever typed something and pressed a button."""
        language = self._met(request)
        try:
            typed = await _typed(request)
        except Unreadable as error:
            return self._page(language, _fault(str(error)), code=status.HTTP_400_BAD_REQUEST)
        if "code" in typed:
            return self._try(language, typed["code"])
        if not self._knows(request):
            return self._show(language, known=False)
        self._take(typed, language)
        return RedirectResponse("/", status.HTTP_303_SEE_OTHER)

    def _met(self, request: Request) -> str:
        """Return the language of whoever comes, and speak it."""
        language = _language(request)
        speak(language)
        self.address = request.url.hostname or self.address
        return language

    def keeps_seat(self, connection: HTTPConnection) -> bool:
        """Return whether a connection is one that is served in a full house."""
        return self._knows(connection)

    def _knows(self, request: HTTPConnection) -> bool:
        return hmac.compare_digest(request.cookies.get(COOKIE, ""), self.token)

    def _try(self, language: str, code: str) -> Response:
        if self.tries and hmac.compare_digest(_plain(code), _plain(self.code)):
            known = RedirectResponse("/", status.HTTP_303_SEE_OTHER)
            known.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return known
        self.tries = max(0, self.tries - 1)
        return self._show(language, known=False, wrong=True)

    # -- what was typed ----------------------------------------------------------------------------

    def _take(self, typed: Mapping[str, str], language: str) -> None:
        """Take what was typed and pressed; while something is being done, nothing."""
        do = typed.get("do", "")
        if self.step:
            return
        self.fault = ""
        if FirstWish.WRITE in self.done:
            if do == FirstWish.PAIR:
                self._wish(
                    FirstWish.PAIR, digits=typed.get("digits", ""), name=typed.get("name", "")
                )
            elif do == FirstWish.END:
                self._wish(FirstWish.END)
            return
        for name, text in typed.items():
            if name.startswith(ASKED):
                self.answers[name.removeprefix(ASKED)] = text
        asked = self._asked(language)
        # An answer may have led to a further question: that is shown first.
        seen = all(one.question in self.answers for one in asked.fields)
        if do == FirstWish.WRITE and asked.ready and seen:
            self._wish(FirstWish.WRITE, settings=asked.settings)

    def _asked(self, language: str) -> Questions:
        return self.ask(self.answers, {"language": language, "lan": True})

    def _wish(self, do: str, **wish: str) -> None:
        """Ask for something to be done, in one step: what is seen is whole."""
        self.step, self.number = do, secrets.token_hex(8)
        draft = self.folder / "asked.new"
        draft.write_text(json.dumps({"number": self.number, "do": do, **wish}), encoding="utf-8")
        draft.rename(self.folder / "asked.json")

    def _look(self) -> None:
        """Look whether what was asked for is done, and how it came out."""
        try:
            told = table_from(file_bytes(self.told, LARGEST), LARGEST)
        except (OSError, ValueError):
            return  # not yet
        if self.step and told.get("number") == self.number:
            self.fault = str(told.get("fault", ""))
            if not self.fault:
                self.done.append(self.step)
            self.step = ""

    # -- what is shown -----------------------------------------------------------------------------

    def _show(self, language: str, *, known: bool, wrong: bool = False) -> Response:
        if not known:
            return self._page(language, *self._door(wrong=wrong))
        self._look()
        if self.step:
            return self._page(language, _said(tr("Please wait: it is being done.")), again=True)
        if FirstWish.PAIR in self.done or FirstWish.END in self.done:
            return self._page(language, *self._end())
        if FirstWish.WRITE in self.done:
            return self._page(language, *self._first_device())
        return self._page(language, *self._questions(language))

    def _door(self, *, wrong: bool) -> Sequence[str]:
        if not self.tries:
            return (_fault(tr("Too many wrong codes: switch the machine off and on again.")),)
        fault = tr("That is not the code of this card's sheet.") if wrong else ""
        return (
            _said(tr("Type the set-up code. It stands on the sheet that belongs to this card.")),
            _fault(fault),
            _form(_text("code", tr("Set-up code"), ""), _button("", tr("Go on"))),
        )

    def _questions(self, language: str) -> Sequence[str]:
        asked = self._asked(language)
        parts = [_field(one) for one in asked.fields]
        if asked.ready:
            settings = f"<details><summary>{escape(tr('The settings as they will be written'))}"
            parts.append(
                f"{settings}</summary><pre>{escape(shown(asked.settings, LINES))}</pre></details>"
            )
        return (
            _said(tr("What is this hall like? All of it can be changed later.")),
            _fault(asked.fault or self.fault),
            _form(*parts, _button(FirstWish.WRITE, tr("Write it, and start the station"))),
        )

    def _first_device(self) -> Sequence[str]:
        return (
            _said(tr("The settings are written, and the station starts: that takes a minute.")),
            _said(
                tr(
                    "Now let the first device in. On the tablet or telephone of whoever runs the"
                    " station open {page}, accept the warning, and type the six digits here that"
                    " it shows.",
                    page=f"https://{self.address}:{PORT}/pair",
                )
            ),
            _fault(self.fault),
            _form(
                _text("digits", tr("Six digits"), ""),
                _text("name", tr("Whose device it is"), ""),
                _button(FirstWish.PAIR, tr("Let it in, as an admin")),
            ),
            _form(_button(FirstWish.END, tr("Later: at the station's keyboard"))),
        )

    def _end(self) -> Sequence[str]:
        board = f"http://{self.address}:{BOARD}/"
        return (
            _said(tr("The station is ready. Its board: {page}", page=board)),
            _said(tr("The admin lets all others in, on the page that his device shows.")),
        )

    def _page(
        self, language: str, *parts: str, again: bool = False, code: int = status.HTTP_200_OK
    ) -> Response:
        names = ((one, load_wording(one).name) for one in languages())
        links = " · ".join(
            f'<a href="/?lang={one}" lang="{one}">{escape(name)}</a>' for one, name in names
        )
        text = FRAME.substitute(
            language=language,
            title=escape(tr("The first start")),
            again='<meta http-equiv="refresh" content="3">' if again else "",
            body="\n".join(part for part in parts if part),
            languages=links,
        )
        return HTMLResponse(text, code, headers=GUARD)


def make_first_page(page: FirstPage) -> Starlette:
    """Return the application."""
    looks = Route("/", page.look, methods=["GET"])
    takes = Route("/", page.take, methods=["POST"])
    app = Starlette(routes=[looks, takes], middleware=[Middleware(Bounded)])
    app.state.guard = page
    return app


def serve_first_page(page: FirstPage, host: str, port: int) -> None:
    """Serve it until SIGTERM, behind the same door as the station's pages."""
    serve_alone(make_first_page(page), host, port)


def _language(request: Request) -> str:
    chosen = request.query_params.get("lang") or request.cookies.get("lang", "")
    wanted = spoken(request).get("lang", REFERENCE)
    return chosen if chosen in languages() else wanted


async def _typed(request: Request) -> dict[str, str]:
    """Return the fields of a form.

    Raises:
        Unreadable: it is too long, or no text.
    """
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > LARGEST:
            raise Unreadable(tr("that is longer than any answer"))
    try:
        return dict(
            parse_qsl(
                data.decode("ascii"),
                strict_parsing=bool(data),
                errors="strict",
                keep_blank_values=True,
                max_num_fields=100,
            )
        )
    except ValueError as error:
        raise Unreadable(tr("that is no form of this page")) from error


def _plain(code: str) -> bytes:
    """Return a code without what people type between its groups."""
    return "".join(code.lower().split()).replace("-", "").encode()


def _said(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _fault(text: str) -> str:
    return f'<p class="fault" role="alert">{escape(shown(text))}</p>' if text else ""


def _button(do: str, text: str) -> str:
    return f'<button name="do" value="{do}">{escape(text)}</button>'


def _form(*parts: str) -> str:
    return f'<form method="post" action="/">{"".join(parts)}</form>'


def _text(name: str, label: str, value: str) -> str:
    box = f'<input name="{escape(name)}" value="{escape(value)}" autocomplete="off" required>'
    return f"<label>{escape(label)}{box}</label>"


def _field(one: Field) -> str:
    name = f"{ASKED}{one.question}"
    if not one.choices:
        return _fault(one.fault) + _text(name, one.question, one.answer)
    options = "".join(
        f'<option value="{escape(choice)}"{" selected" * (choice == one.answer)}>'
        f"{escape(text)}</option>"
        for choice, text in _options(one.choices).items()
    )
    return f'<label>{escape(one.question)}<select name="{escape(name)}">{options}</select></label>'


def _options(choices: Mapping[str, str]) -> dict[str, str]:
    """Return the text of each choice, in the language that is spoken.

    A name of the settings file, such as `plain`, is left out where the words on it are enough.
    """
    whats = [tr(what) for what in choices.values()]
    enough = all(whats) and len(set(whats)) == len(whats)
    texts = {}
    for choice, what in zip(choices, whats, strict=True):
        if enough and NAME.fullmatch(choice):
            texts[choice] = what
        else:
            texts[choice] = f"{tr(choice)} ({what})" if what else tr(choice)
    return texts
