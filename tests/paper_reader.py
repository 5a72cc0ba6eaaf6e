"""Reads a PDF back as an eye would: which words stand where, which lines and circles; of the
library that wrote it, nothing."""

from __future__ import annotations

import re
import zlib
from base64 import a85decode
from dataclasses import dataclass, field

OBJECT = re.compile(rb"(\d+) 0 obj\s(.*?)endobj", re.DOTALL)
STREAM = re.compile(rb"/Length (\d+).*?stream\r?\n", re.DOTALL)
TOKEN = re.compile(
    rb"\((?:\\.|[^\\()])*\)|/[^\s/\[\]()<>]+|<[0-9A-Fa-f]*>|[-+.\d]+|[A-Za-z'\"*]+", re.DOTALL
)
ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


@dataclass
class Page:
    """One page: `words` as (x, y from the upper edge, text), `moves` every point that a line, curve
    or box goes through."""

    size: tuple[float, float]
    words: list[tuple[float, float, str]] = field(default_factory=list)
    moves: list[tuple[float, float]] = field(default_factory=list)
    images: int = 0

    @property
    def text(self) -> str:
        """All words in the order of the file."""
        return " ".join(text for _, _, text in self.words)


def read(pdf: bytes) -> list[Page]:
    """The pages of a PDF."""
    assert pdf.startswith(b"%PDF-")
    objects = {int(number): body for number, body in OBJECT.findall(pdf)}
    fonts = {}
    for body in objects.values():
        name, unicode = re.search(rb"/Name /(\S+)", body), re.search(rb"/ToUnicode (\d+)", body)
        if name and unicode:
            fonts[name[1].decode()] = _table(_stream(objects[int(unicode[1])]))
    pages = []
    for body in objects.values():
        if re.search(rb"/Type /Page\b", body):
            box = re.search(rb"/MediaBox \[ ([\d. ]+)\]", body)[1].split()
            content = int(re.search(rb"/Contents (\d+)", body)[1])
            pages.append(_page((float(box[2]), float(box[3])), _stream(objects[content]), fonts))
    return pages


def _stream(body: bytes) -> bytes:
    found = STREAM.search(body)
    data = body[found.end() : found.end() + int(found[1])]  # packed bytes may end as a line does
    if b"ASCII85Decode" in body:
        data = a85decode(b"<~" + data.strip(), adobe=True)
    return zlib.decompress(data) if b"FlateDecode" in body else data


def _table(cmap: bytes) -> dict[int, str]:
    """From a byte of the font to the letter."""
    (inside,) = re.findall(rb"beginbfchar(.*?)endbfchar", cmap, re.DOTALL)
    pairs = re.findall(r"<(\w+)> <(\w+)>", inside.decode())
    return {int(byte, 16): bytes.fromhex(letter).decode("utf-16-be") for byte, letter in pairs}


def _page(size: tuple[float, float], content: bytes, fonts: dict[str, dict[int, str]]) -> Page:
    page, stack, font = Page(size), [], {}
    for token in TOKEN.findall(content):
        if not re.fullmatch(rb"[A-Za-z'\"*]+", token):
            stack.append(token)
            continue
        if token == b"Tf":
            font = fonts.get(stack[-2][1:].decode(), {})
        elif token == b"Tm":
            place = float(stack[-2]), size[1] - float(stack[-1])
        elif token == b"Tj":
            letters = "".join(font.get(byte, chr(byte)) for byte in _literal(stack[-1]))
            if page.words and page.words[-1][:2] == place:  # the same line in the font's next part
                letters = page.words.pop()[2] + letters
            page.words.append((*place, letters))
        elif token in (b"m", b"l", b"c"):
            page.moves.append((float(stack[-2]), size[1] - float(stack[-1])))
        elif token == b"Do":
            page.images += 1
        stack = []
    return page


def _literal(text: bytes) -> bytes:
    def plain(found: re.Match[bytes]) -> bytes:
        what = found[1]
        return bytes([int(what, 8)]) if what.isdigit() else ESCAPES.get(what, what)

    return re.sub(rb"\\(\d{1,3}|.)", plain, text[1:-1], flags=re.DOTALL)
