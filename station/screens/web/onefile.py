"""Put the page that checks into one file, which asks for nothing and works anywhere: its scripts,
its style and its words in all languages stand in it, and its policy lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache

from station.base.untrusted import read_json
from station.screens.web.worded import PAGES
from station.wire.wording import languages

# In the order in which they need one another.
SCRIPTS = (
    *("typed", "saying", "line", "proving", "verifying", "checking"),
    *("heads", "qr", "check", "check-file"),
)
STYLES = ("desk", "check")
IMPORT = re.compile(r"^import .*;\n", re.M)
EXPORT = re.compile(r"^export (?=async |class |const |function |let )", re.M)
LETTERS = re.compile(r'^@import url\("letters\.css"\);\n', re.M)
NETWORK = re.compile(r' *<form id="fetch".*?</form>\n', re.S)
ONWARD = re.compile(r' *<nav id="onward">.*?</nav>\n')
HEAD = re.compile(r" *<link .*?>\n| *<script .*?</script>\n")


@cache
def check_file() -> bytes:
    """Return the file, the same for the same version of the program."""
    script = "".join(
        EXPORT.sub("", IMPORT.sub("", (PAGES / f"{name}.js").read_text("utf-8")))
        for name in SCRIPTS
    ).replace("</", "<\\/")
    style = LETTERS.sub("", "".join((PAGES / f"{name}.css").read_text("utf-8") for name in STYLES))
    older = (PAGES / "older.js").read_text("utf-8")
    words = {code: dict(read_json(PAGES / f"check.{code}.json")) for code in languages()}
    told = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    policy = (
        f"default-src 'none'; script-src {_hashed(older)} {_hashed(script)};"
        f" style-src {_hashed(style)};"
        " base-uri 'none'; form-action 'none'"
    )
    html = (PAGES / "check.html").read_text("utf-8")
    for part in (NETWORK, ONWARD, HEAD):
        html = part.sub("", html)
    head = (
        f'    <meta http-equiv="content-security-policy" content="{policy}">\n'
        f"    <style>{style}</style>\n    <script>{older}</script>\n  </head>"
    )
    body = (
        f'<script type="application/json" id="words">{told}</script>\n'
        f'<script type="module">{script}</script>\n  </body>'
    )
    return html.replace("  </head>", head, 1).replace("  </body>", body, 1).encode()


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
