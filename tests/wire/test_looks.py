"""The looks: what is read has contrast, what must be told apart is, whatever eyes look at it; a
look of the hall's own is checked."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from station.base.errors import SettingsError
from station.settings.config import load_settings
from station.wire.looks import READ_ON, Look, Rgb, contrast, load_look, looks, sizes, style_sheet
from station.wire.looks.logo import read_logo

# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes: A Physiologically-based Model for Simulation of
# Color Vision Deficiency. IEEE TVCG 15 (6), 2009; severity 1.0, for linear RGB.
EYES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Plates of the 90 board; of verdicts, valid and not; words of what went well and badly.
APART = (("gold", "ivory", "panel"), ("green", "red"), ("mint", "rose"))
LEAST_APART = 20  # of CIELAB; 2.3 is a difference that is just seen


def lab(colour: Rgb, eyes: str) -> np.ndarray:
    """A colour in CIELAB (D65), as these eyes see it."""
    rgb = np.array(colour) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(EYES[eyes]) @ linear, 0, 1)
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = np.array(to_xyz) @ seen / np.array((0.9505, 1, 1.089))
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array((116 * y - 16, 500 * (x - y), 200 * (y - z)))


@pytest.mark.parametrize(
    ("look", "least"), [(name, 7) for name in looks()] + [("high-contrast", 15)]
)
def test_what_is_read_has_contrast(look: str, least: float) -> None:
    """Each colour that something is written in has 7:1 on what it is written on; 15:1 in the look
    of high contrast."""
    colours = load_look(look)
    low = [
        pair
        for pair in READ_ON
        if contrast(getattr(colours, pair[0]), getattr(colours, pair[1])) < least
    ]
    assert low == []


@pytest.mark.parametrize("eyes", EYES)
def test_the_look_for_colour_blind_eyes_keeps_apart_what_must_be(eyes: str) -> None:
    """Called, not called and newest; valid and not valid: far from each other for eyes that lack
    one kind of cone."""
    look = load_look("colour-blind")
    near = [
        (one, other)
        for names in APART
        for one, other in itertools.combinations(names, 2)
        if np.linalg.norm(lab(getattr(look, one), eyes) - lab(getattr(look, other), eyes))
        < LEAST_APART
    ]
    assert near == []


def test_a_look_says_only_what_differs_and_the_page_gets_every_colour() -> None:
    """The style sheet has each colour of the look, and those of high contrast for whoever asks."""
    look, standard = load_look("colour-blind"), load_look()
    assert look.ivory == standard.ivory
    assert look.green != standard.green
    own, high = style_sheet(look).split("@media (prefers-contrast: more)")
    for name in Look.model_fields:
        assert f"--{name}: #{bytes(getattr(look, name)).hex()};" in own
        assert f"--{name}: #{bytes(getattr(load_look('high-contrast'), name)).hex()};" in high


def faults(folder: Path, look: str | None) -> tuple[str, ...]:
    """What the settings say of a look of the hall's own."""
    if look is not None:
        (folder / "ours.toml").write_text(look, encoding="utf-8")
    file = folder / "station.toml"
    file.write_text('[hall]\nlook = "ours.toml"\n', encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(file=file)
    return caught.value.faults


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (
            'soft = "#404040"',
            "soft on ground cannot be read from far away: their contrast is 1.8:1",
        ),
        ('gold = "yellow"', "gold: a colour is"),
        ('glod = "#ffc82e"', "glod: there is no such colour; there are ground, panel"),
        ("gold =", "not TOML"),
        (None, "cannot be read: No such file or directory; there are colour-blind"),
    ],
)
def test_a_faulty_look_is_said_with_its_place(tmp_path: Path, look: str | None, said: str) -> None:
    """Each fault names the file, the colour, and the contrast as a figure."""
    found = faults(tmp_path, look)
    assert any(said in fault for fault in found), found
    assert all(fault.startswith("hall.look: ") and "ours.toml" in fault for fault in found)


def test_a_look_of_the_halls_own_lies_beside_the_settings(tmp_path: Path) -> None:
    """A path counts from the settings' folder."""
    (tmp_path / "ours.toml").write_text('gold = "#ffe08a"', encoding="utf-8")
    file = tmp_path / "station.toml"
    file.write_text('[hall]\nlook = "ours.toml"\n', encoding="utf-8")
    assert load_look(load_settings(file=file).hall.look).gold == (255, 224, 138)


# -- sizes and the logo ----------------------------------------------------------------------------


def png(folder: Path, size: tuple[int, int] = (40, 20)) -> Path:
    """A picture in a hall's folder."""
    file = folder / "hall.png"
    Image.new("RGBA", size, (255, 200, 46, 255)).save(file)
    return file


def test_a_page_has_the_screens_sizes() -> None:
    """Every one, of the height of its frame; the share of the width of that."""
    style = style_sheet(load_look())
    assert "--size-margin: 1.6cqh;" in style
    assert "--size-last-share: 38.5cqw;" in style
    assert "--weight-stage: 32;" in style
    assert len(re.findall("--(?:size|weight)-", style)) == len(sizes().model_dump())


def test_the_halls_logo_stands_in_the_settings(tmp_path: Path) -> None:
    """A path from the settings' folder; the style has its shape, and nothing of it without one."""
    png(tmp_path)
    file = tmp_path / "station.toml"
    file.write_text('[hall]\nlogo = "hall.png"\n', encoding="utf-8")
    path = load_settings(file=file).hall.logo
    assert path == tmp_path / "hall.png"
    assert path is not None
    logo = read_logo(path)
    assert (logo.width, logo.height, logo.png) == (40, 20, path.read_bytes())
    assert "aspect-ratio: 40 / 20" in style_sheet(load_look(), logo)
    assert "logo" not in style_sheet(load_look())


def torn(folder: Path) -> None:
    """Half a picture."""
    file = png(folder, (300, 300))
    file.write_bytes(file.read_bytes()[:-40])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda folder: None, "No such file or directory"),
        (lambda folder: (folder / "hall.png").write_text("<svg/>"), "not a PNG picture"),
        (lambda folder: Image.new("L", (9, 9)).save(folder / "hall.png", "JPEG"), "not a PNG"),
        (torn, "not a PNG picture that can be read"),
        (lambda folder: png(folder, (3000, 2000)), "3000 x 2000 dots; 1200 x 600 are enough"),
        (lambda folder: png(folder, (700, 100)), "at most 6 times as wide as high"),
        (lambda folder: (folder / "hall.png").write_bytes(bytes(2_000_001)), "2,000,000 bytes"),
    ],
)
def test_a_faulty_logo_is_said_with_its_place(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    """What is no PNG, is not whole, or too large, is refused before anybody is shown it."""
    make(tmp_path)
    file = tmp_path / "station.toml"
    file.write_text('[hall]\nlogo = "hall.png"\n', encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(file=file)
    [fault] = caught.value.faults
    assert fault.startswith("hall.logo: ")
    assert "hall.png" in fault
    assert said in fault
