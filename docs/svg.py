"""Write what a pen drew as an SVG."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from station.base.typed import shown
from station.paper.pen import (
    EDGE,
    INK,
    PAPER,
    Group,
    Mark,
    Path,
    Ring,
    RoundedBox,
    SvgPen,
    TextLine,
    number,
)


def svg(pen: SvgPen) -> str:
    """Return the whole picture."""
    width, height = number(pen.width), number(pen.height)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = 'font-family="\'DejaVu Sans\', Verdana, Arial, sans-serif" font-size="14"'
    whole = f'{size} {font} fill="{INK}"'
    frame = f'width="{number(pen.width - 1)}" height="{number(pen.height - 1)}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {whole}>',
        f"<title>{escape(shown(pen.title))}</title>",
        f'<rect x="0.5" y="0.5" {frame} rx="14" fill="{PAPER}" stroke="{EDGE}"/>',
    ]
    return "\n".join([*head, *map(_svg, pen.marks), "</svg>"]) + "\n"


def _svg(mark: Mark) -> str:
    match mark:
        case None:
            return "</g>"
        case Group(data):
            return f"<g{''.join(f' data-{name}={quoteattr(value)}' for name, value in data)}>"
        case TextLine((x, y), text, size, bold, colour, anchor):
            face = {"font_size": size} | ({"font_weight": 700} if bold else {})
            tag = _tag("text", x=x, y=y, **face, fill=colour, text_anchor=anchor)
            return f"{tag}>{escape(text)}</text>"
        case RoundedBox((x, y), (width, height), fill, edge, round_, thick):
            tag = _tag("rect", x=x, y=y, width=width, height=height, rx=round_)
        case Ring((x, y), radius, fill, edge, thick):
            tag = _tag("circle", cx=x, cy=y, r=radius)
        case Path(d, edge, thick, fill):
            tag = _tag("path", d=d)
    tag = _tag(tag[1:], fill=fill, stroke=edge, stroke_width=thick)
    if isinstance(mark, Path):
        tag += ' stroke-linejoin="round" stroke-linecap="round"'
        tag += f' stroke-dasharray="{mark.dash}"' if mark.dash else ""
    return f"{tag}/>"


def _tag(name: str, **attributes: str | float) -> str:
    """Return a tag without its end; a `_` stands for the hyphen in an attribute."""
    texts = (
        f'{key.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name} {' '.join(texts)}"
