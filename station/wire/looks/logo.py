"""Read the hall's logo, a PNG of its own, as a file from outside is read: bounded, and looked at
whole before anybody is shown it."""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from station.base.errors import SettingsError, Unreadable
from station.base.later import later
from station.base.tongue import key, tr
from station.base.untrusted import file_bytes

with later():
    from PIL import Image

MOST_BYTES = 2_000_000
MOST_DOTS = 4_000_000  # a screen of 3840 x 2160 shows it a seventh of its height high
WIDEST = 6.0  # times its height: the hall's name stands beside it


class Logo(NamedTuple):
    """A logo that can be shown.

    Attributes:
        png: the file's bytes.
    """

    file: Path
    png: bytes
    width: int
    height: int


NO_PNG = key("not a PNG picture that can be read; save it as PNG")


def read_logo(file: Path) -> Logo:
    """Read a logo.

    Raises:
        SettingsError: it is not there, no PNG, damaged, too large or too wide.
    """
    try:
        data = file_bytes(file, MOST_BYTES)
        with warnings.catch_warnings():
            # Pillow warns of many dots before they can be counted here.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(BytesIO(data), formats=("PNG",))
        width, height = picture.size
        if width * height > MOST_DOTS:
            raise Unreadable(
                tr(
                    "{width} x {height} dots; 1200 x 600 are enough, save it smaller",
                    width=width,
                    height=height,
                )
            )
        if width > WIDEST * height:
            raise Unreadable(
                tr(
                    "{width} x {height} dots: at most {times:g} times as wide as high",
                    width=width,
                    height=height,
                    times=WIDEST,
                )
            )
        picture.load()
    except Unreadable as error:
        raise SettingsError(str(file), [str(error)]) from error
    except OSError as error:
        why = error.strerror or tr(NO_PNG)
        raise SettingsError(str(file), [why]) from error
    except (SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise SettingsError(str(file), [tr(NO_PNG)]) from error
    return Logo(file, data, width, height)
