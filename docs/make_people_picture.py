"""Make the picture of a device that is let in, `docs/pictures/people.png`: the digits, its doors,
how the station is.

.venv/bin/python docs/make_people_picture.py ANSWERS

ANSWERS is the folder that `python -m tests.installed phones` names at its end.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

SHOWN = ("pair-caller", "start-treasurer", "health")
GAP = 12


def main(answers: Path) -> None:
    """Put the three pages of a telephone beside each other."""
    pages = [Image.open(answers / f"phones-{name}.png").convert("RGB") for name in SHOWN]
    width = sum(page.width + GAP for page in pages) - GAP
    sheet = Image.new("RGB", (width, max(page.height for page in pages)), "white")
    left = 0
    for page in pages:
        sheet.paste(page, (left, 0))
        left += page.width + GAP
    sheet.quantize(128, dither=Image.Dither.NONE).save(
        Path(__file__).parent / "pictures" / "people.png", optimize=True
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
