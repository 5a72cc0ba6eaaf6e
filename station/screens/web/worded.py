"""Serve the pages with their words in place, in the language of whoever asks: a browser without
JavaScript shows them, and says what it cannot do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from station.base.untrusted import read_json
from station.screens.web.people import spoken
from station.wire.wording import REFERENCE

PAGES = Path(__file__).parent / "pages"
NO_SCRIPT = "no-script"
EVERY = "every"
# An element's text, up to its end: of the page, of what every page says without JavaScript, and
# until the station has answered it.
WORD = re.compile(r'(<[^<>]* data-word="([a-z-]+)"[^<>]*>)[^<]*')
TOLD = re.compile(r'(<[^<>]* data-no-script="([a-z-]+)"[^<>]*>)[^<]*')
SAID = re.compile(r'(<[^<>]* data-every="([a-z-]+)"[^<>]*>)[^<]*')
# What a page says before its scripts run, or without them.
BEFORE = re.compile(r'<noscript\b|<p id="[a-z-]+" class="(?:unready|connecting)"')
# Pages may be cached but must be revalidated: after an update no browser shows an old page with new
# data.
ASK_AGAIN = {"cache-control": "no-cache"}


def page(request: HTTPConnection, name: str, status_code: int = 200) -> HTMLResponse:
    """Return a page in the language that the browser asks for, else in the hall's."""
    language = spoken(request).get("lang") or request.app.state.hall
    return HTMLResponse(worded(name, language), status_code, headers=ASK_AGAIN)


@cache
def worded(name: str, language: str) -> str:
    """Return a page's HTML with its words in place. A page that has none of its own in this
    language keeps its English, but for what it says without JavaScript."""
    html = (PAGES / f"{name}.html").read_text("utf-8")
    if words := _words(name, language):
        html = _filled(html.replace(f'lang="{REFERENCE}"', f'lang="{language}"', 1), WORD, words)
    told_in = language if (PAGES / f"{NO_SCRIPT}.{language}.json").is_file() else REFERENCE
    html = BEFORE.sub(rf'\g<0> lang="{told_in}"', html)
    html = _filled(html, SAID, _words(EVERY, told_in))
    return _filled(html, TOLD, _words(NO_SCRIPT, told_in))


def _words(name: str, language: str) -> Mapping[str, str]:
    path = PAGES / f"{name}.{language}.json"
    return dict(read_json(path)) if path.is_file() else {}


def _filled(html: str, place: re.Pattern[str], words: Mapping[str, str]) -> str:
    return place.sub(lambda found: found[1] + escape(words[found[2]]), html)
