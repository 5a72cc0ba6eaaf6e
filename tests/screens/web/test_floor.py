"""The floor of the station's browsers: iOS 15 and Chrome 100. Nothing newer is in the pages, in a
form that such a browser cannot read; and each kind of newer thing is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from station.screens.web.checking import check_file
from station.screens.web.older import SHAPES, STYLES, containers, lowered, lowered_page
from station.screens.web.worded import PAGES, worded
from station.wire.looks import load_look, looks, style_sheet
from station.wire.wording import languages
from tests.screens.web import floor

SCRIPTS = sorted(PAGES.glob("*.js"))
WHOLE = sorted(PAGES.glob("*.html"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_is_above_the_floor(script: Path) -> None:
    """No script names a function, an object or a form of the language that came later."""
    text = script.read_text("utf-8")
    assert floor.js_faults(text) + floor.globals_used(text) == []


@pytest.mark.parametrize("name", sorted(STYLES))
def test_no_style_is_above_the_floor(name: str) -> None:
    """As it is served to older browsers, each style has a form that they read."""
    assert floor.css_faults(lowered_page(name)) == []


@pytest.mark.parametrize("look", looks())
def test_no_look_is_above_the_floor(look: str) -> None:
    """So do the colours and sizes of each look."""
    assert floor.css_faults(lowered(style_sheet(load_look(look)))) == []


@pytest.mark.parametrize("page", WHOLE, ids=lambda path: path.name)
def test_no_page_is_above_the_floor(page: Path) -> None:
    """No page has an element or an attribute that came later."""
    assert floor.html_faults(page.read_text("utf-8")) == []


NEWER_SCRIPTS = (
    "view.wins.toReversed();",
    "list.toSorted((a, b) => a - b);",
    "list.toSpliced(0, 1);",
    "list.with(0, 1);",
    "Object.groupBy(list, (one) => one.seat);",
    "Array.fromAsync(list);",
    "Map.groupBy(list, key);",
    "Promise.withResolvers();",
    "Promise.try(work);",
    "one.union(other);",
    "one.isSubsetOf(other);",
    "one.symmetricDifference(other);",
    "text.isWellFormed();",
    "bytes.toHex();",
    "Uint8Array.fromBase64(text);",
    "structuredClone(view);",
    "crypto.randomUUID();",
    "new OffscreenCanvas(1, 1);",
    "Intl.supportedValuesOf('unit');",
    "new Intl.DurationFormat('en');",
    "navigator.wakeLock.request('screen');",
    "document.startViewTransition(draw);",
    "element.checkVisibility();",
    "AbortSignal.timeout(100);",
    "AbortSignal.any([one]);",
    "element.showPopover();",
    "element.setHTMLUnsafe(text);",
    "URL.canParse(text);",
    "navigator.userActivation.isActive;",
    "requestIdleCallback(work);",
    "reportError(error);",
    "text.split(/(?<=\\?) /);",
    "text.split(/(?<!a)b/);",
    "class A { static { work(); } }",
    'import words from "./words.json" with { type: "json" };',
    "/[\\p{L}--[a-z]]/v.test(text);",
    "import.meta.resolve('./line.js');",
    "RegExp.escape(text);",
    "Iterator.from(list);",
    "document.adoptedStyleSheets = [sheet];",
    "Temporal.Now.instant();",
    "using file = open();",
    'throw new Error("no", { cause: error });',
    "Error.isError(one);",
    "new CompressionStream('gzip');",
    "new Notification('a');",
    "Math.sumPrecise(list);",
)


@pytest.mark.parametrize("script", NEWER_SCRIPTS)
def test_a_newer_script_is_found(script: str) -> None:
    """Each kind: a method, a static function, an object, a member of the window, syntax."""
    assert floor.js_faults(script) + floor.globals_used(script) != []


OLDER_SCRIPTS = (
    "list.at(-1);",
    "list.findLast(test);",
    "Object.hasOwn(one, 'name');",
    "list.map(one);",
    "await navigator.wakeLock?.request('screen');",
    "class A { #x = 1; has(o) { return #x in o; } }",
    'if ("wakeLock" in navigator) navigator.wakeLock.request("screen");',
    "x ??= 1; y ||= 2;",
    "text.replaceAll('a', 'b');",
    "// list.toReversed() came later\n",
    "say('toReversed()');",
    "dialog.showModal();",
    "element.replaceChildren();",
    "[1_000].flatMap(one);",
    "text.match(/(?<a>b)/);",
    "document.startViewTransition?.(draw);",
    "new ResizeObserver(again);",
    "/a/v1/b;",
)


@pytest.mark.parametrize("script", OLDER_SCRIPTS)
def test_an_older_script_is_not(script: str) -> None:
    """What the floor has, what `older.js` fills in, and what a script asks for first."""
    assert floor.js_faults(script) + floor.globals_used(script) == []


NEWER_STYLES = (
    "a { width: 5cqw; }",
    "a { height: 100dvh; }",
    "a { width: 3lh; }",
    "a { inset: 2svb; }",
    "a { color: color-mix(in srgb, red, blue); }",
    "a { color: light-dark(red, blue); }",
    "a { color: oklch(1 0 0); }",
    "a { color: color(display-p3 1 0 0); }",
    "a { container-type: size; }",
    "a { translate: 1px; }",
    "a { scale: 2; }",
    "a { rotate: 90deg; }",
    "a { overflow: clip; }",
    "a { width: round(1.2px, 1px); }",
    "a { height: calc(sin(1) * 1px); }",
    "a { user-modify: x; }",
    "a { field-sizing: content; }",
    "a { interpolate-size: allow-keywords; }",
    "a { mask-image: none; }",
    "a { grid-template-rows: subgrid; }",
    "a { justify-content: safe center; }",
    "a { view-transition-name: b; }",
    "a { background: linear-gradient(in oklch, red, blue); }",
    "a { animation-timeline: scroll(); }",
    "a:has(b) { color: red; }",
    "a:popover-open { color: red; }",
    "a { &:hover { color: red; } }",
    "a:user-invalid { color: red; }",
    "@layer base { a { color: red; } }",
    "@property --a { syntax: '*'; }",
    "@container (width < 1px) { a { color: red; } }",
    "@media (width < 40rem) { a { color: red; } }",
    "@media (scripting: none) { a { color: red; } }",
    "@scope (a) { b { color: red; } }",
    "@starting-style { a { color: red; } }",
    "@keyframes a { to { scale: 2; } }",
    "@media print { a:has(b) { color: red; } }",
    "a { anchor-name: --b; }",
    "a { overflow-wrap: anywhere; }",
)


@pytest.mark.parametrize("style", NEWER_STYLES)
def test_a_newer_style_is_found(style: str) -> None:
    """Each kind: a unit, a function, a property, a value, a selector, a rule, a range."""
    assert floor.css_faults(style) != []


@pytest.mark.parametrize(
    "style",
    [
        "a { color: red; color: color-mix(in srgb, red, blue); }",
        "a { height: 100vh; height: 100dvh; }",
        "@supports (width: 1cqw) { a { width: 1cqw; } }",
        "a { inset: 0; aspect-ratio: 1; gap: 1px; width: min(1px, 2vw); }",
        "a:is(b, c):where(d):focus-visible { color: rgb(1 2 3 / 4%); }",
        "@media (prefers-reduced-motion: reduce) and (min-width: 40rem) { a { color: red; } }",
        "a { text-wrap: balance; accent-color: red; } /* width: 5cqw; */",
        "a { width: fit-content; align-content: start; }",
    ],
)
def test_an_older_style_is_not(style: str) -> None:
    """What the floor has, what has an older form before it, and what may be skipped."""
    assert floor.css_faults(style) == []


@pytest.mark.parametrize(
    "page",
    [
        "<search></search>",
        "<p popover>x</p>",
        "<div inert></div>",
        '<img loading="lazy">',
        '<details name="a"></details>',
        '<button popovertarget="a"></button>',
        "<selectedcontent></selectedcontent>",
        '<button commandfor="a" command="show-modal"></button>',
        '<input type="checkbox" switch>',
        '<link rel="stylesheet" blocking="render">',
        '<template shadowrootmode="open"></template>',
    ],
)
def test_a_newer_page_is_found(page: str) -> None:
    """Elements and attributes."""
    assert floor.html_faults(page) != []


TOP_AWAIT = re.compile(r"^(?:export )?(?:(?:const|let) [^=]+= |\[[^=]+= )?await\b", re.M)
IMPORTED = re.compile(r'from "\./([\w-]+\.js)"')


def test_only_a_pages_own_script_awaits_at_its_top() -> None:
    """Safari before version 27 fails where several modules import one that awaits (WebKit bug
    242740): a script that awaits at its top is a page's own, and no other imports it."""
    texts = {path.name: path.read_text("utf-8") for path in SCRIPTS}
    awaiting = {name for name, text in texts.items() if TOP_AWAIT.search(text)}
    assert {"board-page.js", "caller.js", "desk.js"} <= awaiting
    assert {name for text in texts.values() for name in IMPORTED.findall(text)} & awaiting == set()


ES6 = re.compile(r"=>|`|\b(?:let|const|class|async|await|yield|of)\b|\.\.\.|\?\.|\?\?|\*\*")


def test_the_script_for_the_oldest_browsers_is_in_their_language() -> None:
    """Whatever the browser, it reads `older.js`: no syntax after ES5."""
    assert ES6.findall(floor.LOOSE.sub(" ", (PAGES / "older.js").read_text("utf-8"))) == []


@pytest.mark.parametrize("page", WHOLE, ids=lambda path: path.stem)
def test_every_page_says_when_a_browser_is_too_old(page: Path) -> None:
    """`older.js` comes before the first module, and both sentences are in each language."""
    for code in languages():
        html = worded(page.stem, code)
        assert 0 < html.index('<script src="/pages/older.js">') < html.index('type="module"')
        for name in ("too-old", "not-whole"):
            said = re.search(
                rf'<p id="{name}" class="unready" lang="{code}"[^>]* hidden>(.+?)</p>', html
            )
            assert said is not None, (code, name)
            assert ("iOS 15" in said[1] and "Chrome 100" in said[1]) == (name == "too-old")
    assert b"findLastIndex" in check_file().split(b'<script type="module">')[0]


def test_the_containers_are_those_that_are_measured() -> None:
    """`older.js` measures what a style makes a size container, and knows every shape."""
    script = (PAGES / "older.js").read_text("utf-8")
    listed = re.search(r'CONTAINERS = "([^"]+)"', script)
    assert listed is not None
    assert sorted(listed[1].split(", ")) == sorted(containers())
    for shape in SHAPES.values():
        assert re.search(rf'return [^;]*"[^"]*\b{shape}\b', script), shape


@pytest.mark.parametrize(
    ("style", "older"),
    [
        ("a { width: 5cqw; }", "a { width: calc(5 * var(--cqw)); }"),
        ("a { top: -0.5cqh; }", "a { top: calc(-0.5 * var(--cqh)); }"),
        ("a { height: 100dvh; }", "a { height: 100vh; }"),
        ("a { min-height: calc(100svh - 7rem); }", "a { min-height: calc(100vh - 7rem); }"),
        ("a { translate: 0 -0.4rem; }", "a { transform: translate(0, -0.4rem); }"),
        ("a { scale: 1.35; }", "a { transform: scale(1.35); }"),
        (
            "@media (width < 40rem) { a { top: 0; } }",
            "@media (max-width: 39.999rem) { a { top: 0; } }",
        ),
        (
            "@media (height >= 20px) { a { top: 0; } }",
            "@media (min-height: 20px) { a { top: 0; } }",
        ),
        (
            "@media (width < 2rem) or (height < 3rem) { a { top: 0; } }",
            "@media (max-width: 1.999rem), (max-height: 2.999rem) { a { top: 0; } }",
        ),
        (
            "@container (aspect-ratio < 1.15) { a { top: 1cqh; } }",
            'a:where([data-shape~="tall"] *) { top: calc(1 * var(--cqh)); }',
        ),
        (
            "a { overflow-wrap: anywhere; }",
            "a { overflow-wrap: break-word; overflow-wrap: anywhere; }",
        ),
        (
            "a { align-content: safe center; }",
            "a { align-content: center; align-content: safe center; }",
        ),
        ("a { container-type: size; }", "a { contain: size layout style; }"),
        ('a { background: url("bag.svg"); }', 'a { background: url("/pages/bag.svg"); }'),
        ("a:is(b, c) { top: 0; } /* 5cqw */", "a:is(b, c) { top: 0; }"),
    ],
)
def test_a_style_is_lowered(style: str, older: str) -> None:
    """Each kind of newer style, in the form that the floor reads."""
    assert lowered(style).splitlines()[1:] == [older]


def test_a_custom_property_keeps_its_container() -> None:
    """A unit in a custom property counts where it is used: in each container it is set again."""
    told = lowered("a { --u: 1cqh; color: red; }").splitlines()[1:]
    assert told[0] == "a { --u: calc(1 * var(--cqh)); color: red; }"
    assert told[1].startswith("a :is(")
    assert told[1].endswith(" > * { --u: calc(1 * var(--cqh)); }")
