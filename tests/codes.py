"""Reads the QR codes in a picture, as a telephone's camera does."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import zxingcpp
from PIL import Image


def codes_in(picture: bytes | Any) -> list[str]:
    """The texts of the codes in a picture: a PNG's bytes, or dots, rows of red, green and blue."""
    dots = Image.open(io.BytesIO(picture)).convert("RGB") if isinstance(picture, bytes) else picture
    found = zxingcpp.read_barcodes(
        np.ascontiguousarray(dots), formats=zxingcpp.BarcodeFormat.QRCode
    )
    return [one.text for one in found]
