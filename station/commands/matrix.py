"""Define `loto matrix`: show how the ten-cavity board will look, before a lamp is bought."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from drivers import Cavity
from drivers.making import make_driver
from station.base.errors import Unreadable
from station.base.nouns import KNOBS, number_list
from station.base.terminal import out
from station.base.tongue import tr
from station.commands.options import Commands, argument, option
from station.views.views import cavities

if TYPE_CHECKING:
    from PIL import Image

    from drivers.board.board import TenCavities


commands = Commands("matrix", "Look at the ten-cavity board.")

COLUMNS_A_FRAME = 2
COLOURS = 48  # of a GIF: few lamps' colours, each with its soft edge
FRAME_MS = {True: 80, False: 500}  # of a running text (25 columns a second); of a cavity that waits


@commands.command("preview", says=True)
def matrix_preview(
    numbers: Annotated[list[int] | None, argument("The numbers called, in order.")] = None,
    target: Annotated[
        Path, option("The PNG or, to see it move, the GIF to write.", "--out")
    ] = Path("matrix.png"),
    geometry: Annotated[
        Literal["80x16", "160x16", "two-rows"], option("The board's shape; two-rows is 80 × 32.")
    ] = "80x16",
    chips: Annotated[
        Literal["max7219", "ws2812"], option("Red MAX7219 modules, or WS2812 in colour.")
    ] = "max7219",
    drawn: Annotated[int | None, option("A number that is drawn and not called yet.")] = None,
    message: Annotated[str, option("A text instead of numbers.")] = "",
    brightness: Annotated[int, option("0 (dim) to 15.", min=0, max=15)] = 4,
    pitch: Annotated[
        float, option("Millimetres from lamp to lamp: 4 on FC-16 modules.", min=1)
    ] = 4.0,
    bare: Annotated[bool, option("The lamps alone, without the plate's bars.", "--bare")] = False,
) -> None:
    """Make a picture of the ten-cavity board as its LEDs show it, and say from how far it can be
    read.

    Example: loto matrix preview 5 17 42 90 --geometry two-rows --out board.gif
    Example: loto matrix preview 5 17 42 90 --bare --out lamps.png
    Example: loto matrix preview 5 17 42 90 --drawn 33 --chips ws2812 --out board.png
    Example: loto matrix preview --message "Next game: Saturday special" --out text.gif
    """
    from drivers.board.geometry import find_geometry

    called = numbers or []
    told = called if drawn is None else [*called, drawn]
    if wrong := [number for number in told if not 1 <= number <= KNOBS]:
        raise Unreadable(
            tr("{numbers}: knobs are 1 to {last}", numbers=number_list(wrong), last=KNOBS)
        )
    if bool(message) == bool(called or drawn is not None):
        raise Unreadable(tr("say what the board shows: numbers, or --message with a text"))
    driver = "ws2812" if chips == "ws2812" else "matrix"
    board = make_driver(driver, geometry=geometry, brightness=brightness)
    moves = target.suffix.lower() == ".gif"
    pictures = (
        _text(board, message, moves, bare)
        if message
        else _cavities(board, called, drawn, moves, bare)
    )
    try:
        _save(pictures, target, FRAME_MS[bool(message)])
    except (OSError, ValueError) as error:
        todo = tr("name a PNG or a GIF in a folder that is there")
        raise Unreadable(
            tr(
                "{target}: the picture cannot be written ({error}); {todo}",
                target=target,
                error=error,
                todo=todo,
            )
        ) from error
    shape = find_geometry(geometry)
    size = tr("{width} x {height} pixels", width=pictures[0].width, height=pictures[0].height)
    high, far = f"{shape.digits.height * pitch:g} mm", f"{shape.reading_distance_m(pitch):g} m"
    out.print(
        tr(
            "{target}: {size}; digits {wide} wide and {high} high are read from {far}",
            target=target,
            size=size,
            wide=f"{shape.digits.width * pitch:g} mm",
            high=high,
            far=far,
        )
    )


def _cavities(
    board: TenCavities, called: list[int], drawn: int | None, moves: bool, bare: bool
) -> list[Image.Image]:
    from drivers.board.picture import BEATS

    lit = [Cavity(*knob) if knob is not None else None for knob in cavities(called, drawn)]
    beats = range(BEATS if moves and drawn is not None else 1)
    return [board.preview(lit, beat, bare=bare) for beat in beats]


def _text(board: TenCavities, message: str, moves: bool, bare: bool) -> list[Image.Image]:
    columns = board.message_columns(message)
    stops = range(0, columns, COLUMNS_A_FRAME) if moves else [columns // 2]
    return [board.preview_message(message, column, bare=bare) for column in stops]


def _save(pictures: list[Image.Image], target: Path, frame_ms: int) -> None:
    from PIL import Image

    if len(pictures) == 1:
        pictures[0].save(target)
        return
    colours = pictures[len(pictures) // 2].quantize(COLOURS)  # in the middle all are seen
    first, *others = (
        picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures
    )
    first.save(target, save_all=True, append_images=others, duration=frame_ms, loop=0)
