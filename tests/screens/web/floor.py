"""What the pages may use: what iOS 15.0 and Chrome 100 have (the floor of the station's browsers).

`floor.json` has the names that came later; `make_floor.mjs` writes it from the browsers' own
compatibility data. Scripts and pages are read as they are, styles as `station.screens.web.older`
serves them to browsers of the floor.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NEW: dict[str, Any] = json.loads(Path(__file__).with_name("floor.json").read_text("utf-8"))

# What `pages/older.js` adds where it is missing.
FILLED = {"at", "findLast", "findLastIndex", "hasOwn", "submitter", "showModal", "closest"}
FILLED_ELEMENTS = {"dialog"}
# Members of the pages' own objects that only share their name with something new.
OWN = {"and", "drop", "move", "take", "use", "wait", "escape", "connecting", "aspectRatio"}
# Words that a browser may skip: nothing is lost but looks.
SPARED_PROPERTIES = {
    "-webkit-touch-callout",
    "contain",
    "accent-color",
    "hyphens",
    "overscroll-behavior",
    "scroll-behavior",
    "scrollbar-color",
    "scrollbar-width",
    "text-wrap",
    "user-select",  # beside -webkit-user-select
    "-webkit-text-size-adjust",
    "print-color-adjust",
}
SPARED_VALUES = {("font-family", "ui-monospace")}
SPARED_SELECTORS = {"focus-visible", "backdrop", "selection"}
# Grid and block layouts had these words earlier; flexible boxes read them as their default.
OLD_WORDS = {"start", "end", "self-start", "self-end", "left", "right"}
CURSORS = {"cursor"}  # a pointer, where there is one

SYNTAX = {
    "a lookbehind": re.compile(r"\(\?<[=!]"),
    "a class's static block": re.compile(r"\bstatic\s*\{"),
    "import attributes": re.compile(r"^\s*(import|export)\b[^;]*\b(with|assert)\s*\{", re.M),
    "using": re.compile(r"^\s*(await\s+)?using\s+\w", re.M),
    "a regular expression with the flag v": re.compile(r"/[dgimsuy]*v[dgimsuy]*(?=[.,;)\]\s])"),
    "import.meta.resolve": re.compile(r"import\.meta\.resolve"),
    "modifiers in a regular expression": re.compile(r"\(\?[ims]*-?[ims]+:"),
    "the error's cause": re.compile(r"\bcause:"),
}
LOOSE = re.compile(
    r"(?P<comment>/\*.*?\*/|(?<![:}\\])//[^\n]*)|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')",
    re.S,
)
UNIT = re.compile(
    r"(?<=\d)(?:cq(?:w|h|i|b|min|max)|[dsl]v(?:w|h|i|b|min|max)|v[ib]|r?lh|r?cap|r?ic|rex|rch)\b"
)
FUNCTION = re.compile(r"(?<![\w-])([a-z][a-z0-9-]*)\(")
# Functions by a name of the data that means a type there, or that are old in another place.
OLD_FUNCTIONS = {"rect", "image", "element", "filter", "shape", "text", "e", "d"} - {"shape"}
NEW_FUNCTIONS = {"color", "linear", "attr"}


def js_faults(script: str) -> list[str]:
    """Return what a script uses that a browser of the floor lacks."""
    bare = LOOSE.sub(lambda found: '""' if found["text"] else " ", script)
    code = LOOSE.sub(lambda found: found["text"] or " ", script)
    faults = [name for name, sign in SYNTAX.items() if sign.search(code)]
    asked = set(re.findall(r'"(\w+)" in ', script)) | FILLED
    called = NEW["unmistakable"] + [
        name for name in NEW["unmistakable-api"] if len(name) >= 8 and name != name.lower()
    ]
    for name in sorted(set(called) - asked - OWN):
        if re.search(rf"(?<!\?)\.{re.escape(name)}\b(?!\?\.)", bare):
            faults.append(f".{name}")
    for name in (*NEW["globals"], *NEW["interfaces"]):
        found = re.search(rf"(?<![\w.$-]){re.escape(name)}(?=\s*[.(])(?!-)", bare)
        if found and name not in asked and f"typeof {name}" not in bare:
            faults.append(name)
    for owner, members in _owned():
        for member in members:
            sign = rf"(?<![\w$.]){re.escape(owner)}\.{re.escape(member)}\b(?!\?\.)"
            if member not in asked and re.search(sign, bare):
                faults.append(f"{owner}.{member}")
    return sorted(set(faults))


def _bare(member: str) -> str:
    return member.removesuffix("_static")


def _owned() -> Iterator[tuple[str, list[str]]]:
    """Yield the objects that every page has under one name, and which of their members are new."""
    ones = {
        "navigator": "Navigator", "document": "Document", "screen": "Screen", "crypto": "Crypto",
        "history": "History", "location": "Location", "performance": "Performance",
        "window": "Window", "self": "Window", "globalThis": "Window", "URL": "URL", "CSS": "CSS",
        "AbortSignal": "AbortSignal", "Response": "Response", "Blob": "Blob",
    }  # fmt: skip
    for name, interface in ones.items():
        yield name, [_bare(member) for member in NEW["api"].get(interface, [])]
    for name, members in NEW["methods"].items():
        yield name, members


def globals_used(script: str) -> list[str]:
    """Return the functions of the window that a script calls by their bare names and that are
    new."""
    bare = LOOSE.sub(" ", script)
    names = [name for name in NEW["api"].get("Window", []) if name not in FILLED]
    return [name for name in names if re.search(rf"(?<![\w.$]){re.escape(name)}\(", bare)]


def css_faults(style: str) -> list[str]:
    """Return what a style uses that a browser of the floor skips, and has no older form of."""
    return sorted(set(_css_faults(re.sub(r"/\*.*?\*/", "", style, flags=re.S))))


def _css_faults(style: str) -> Iterator[str]:
    for prelude, body in _blocks(style):
        if prelude.startswith("@"):
            yield from _rule_faults(prelude, body)
            continue
        yield from _selector_faults(prelude)
        if "{" in body:
            yield "nesting"
        yield from _declaration_faults(body)


def _rule_faults(prelude: str, body: str) -> Iterator[str]:
    name = prelude[1:].split(maxsplit=1)[0].split("(", maxsplit=1)[0]
    if name == "supports":
        return
    if name in set(NEW["at-rules"]) - {"counter-style", "page"}:
        yield f"@{name}"
    if name == "media":
        yield from _media_faults(prelude)
    if name in ("media", "layer", "container", "scope", "starting-style"):
        yield from _css_faults(body)
    elif name.endswith("keyframes"):
        for _, declared in _blocks(body):
            yield from _declaration_faults(declared)
    elif name != "font-face":
        yield from _declaration_faults(body)


def _media_faults(prelude: str) -> Iterator[str]:
    if re.search(r"[<>]|\)\s+or\s+\(", prelude):
        yield "a range or an alternative in @media"
    for feature in NEW["media"]:
        if re.search(rf"\({feature}\b", prelude):
            yield f"@media ({feature})"


def _selector_faults(selector: str) -> Iterator[str]:
    if "&" in selector:
        yield "nesting"
    for name in re.findall(r"::?([a-z-]+)", selector):
        if name in set(NEW["selectors"]) - SPARED_SELECTORS:
            yield f":{name}"


def _declaration_faults(body: str) -> Iterator[str]:
    older: set[str] = set()
    for declaration in body.split(";"):
        name, _, value = (part.strip() for part in declaration.partition(":"))
        if not value:
            continue
        faults = list(_value_faults(name, value))
        if not faults:
            older.add(name)
        elif name not in older:
            yield from faults


def _value_faults(name: str, value: str) -> Iterator[str]:
    if name in set(NEW["properties"]) - SPARED_PROPERTIES:
        yield name
    if name in SPARED_PROPERTIES | CURSORS:
        return
    for word in re.findall(r"(?<![\w-])[a-z][\w-]*(?![\w(-])", value):
        if (
            word in NEW["values"].get(name, [])
            and word not in OLD_WORDS
            and (name, word) not in SPARED_VALUES
        ):
            yield f"{name}: {word}"
    for function in FUNCTION.findall(value):
        new = (set(NEW["functions"]) - OLD_FUNCTIONS) | NEW_FUNCTIONS
        if function in new or function in NEW["values"].get(name, []):
            yield f"{function}()"
    for unit in UNIT.findall(value):
        yield f"the unit {unit}"
    if re.search(r"gradient\([^)]*\bin (?:srgb|oklch|oklab|hsl|lch|lab)\b", value):
        yield "a gradient's colour space"


def _blocks(style: str) -> Iterator[tuple[str, str]]:
    depth = start = 0
    prelude = ""
    for index, sign in enumerate(style):
        if sign == "{":
            depth += 1
            if depth == 1:
                before = style[start:index].rsplit(";", 1)[-1]
                prelude, start = " ".join(before.split()), index + 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                yield prelude, style[start:index]
                start = index + 1


def html_faults(page: str) -> list[str]:
    """Return the elements and attributes of a page that are new."""
    faults = []
    for element, attributes in re.findall(r"<([a-z][a-z0-9-]*)((?:\s+[^<>]*)?)>", page):
        if element in set(NEW["elements"]) - FILLED_ELEMENTS:
            faults.append(f"<{element}>")
        named = {name for name, *_ in re.findall(r'\s([a-z-]+)(=("[^"]*"|\S+))?', attributes)}
        new = set(NEW["attributes"]["*"]) | set(NEW["attributes"].get(element, []))
        faults += [f"<{element} {name}>" for name in sorted(named & new - {"autofocus"})]
    return faults


def forgetting() -> str:
    """Return a script that takes from a browser what came after the floor, as far as it can be
    taken; container units and ranges are denied, so that it asks for the older styles."""
    builtins = {
        name: [*members, *(f"{member}_static" for member in members)]
        for name, members in NEW["methods"].items()
    }
    owners = {**builtins, **NEW["api"]}
    names = [name for name in (*NEW["globals"], *NEW["interfaces"]) if name.isidentifier()]
    return f"""(() => {{
      const has = Object.hasOwn;
      for (const [name, members] of Object.entries({json.dumps(owners)})) {{
        const owner = name.split(".").reduce((found, part) => found?.[part], globalThis);
        for (const part of members) {{
          const bare = part.replace(/_static$/, "");
          for (const place of bare === part ? [owner?.prototype] : [owner]) {{
            if (place && has(place, bare)) delete place[bare];
          }}
        }}
      }}
      for (const name of {json.dumps(names)}) delete globalThis[name];
      HTMLMediaElement.prototype.canPlayType = () => "";
      const decode = BaseAudioContext.prototype.decodeAudioData;
      BaseAudioContext.prototype.decodeAudioData = function (bytes, ...rest) {{
        const sign = String.fromCharCode(...new Uint8Array(bytes, 0, 4));
        if (sign === "OggS") return Promise.reject(new Error("no Ogg here"));
        return decode.call(this, bytes, ...rest);
      }};
      const [supports, media] = [CSS.supports, globalThis.matchMedia];
      CSS.supports = (...asked) => !/\\dcq/.test(asked.join()) && supports.apply(CSS, asked);
      globalThis.matchMedia = (asked) =>
        media.call(globalThis, /[<>]/.test(asked) ? "not all" : asked);
    }})()"""
