"""Where things stand, for every size of screen."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from station.screens.screen.layout import Box, lay_out

SIZES = [
    (1920, 1080),
    (1280, 720),
    (3840, 2160),
    (1024, 768),
    (800, 600),
    (2560, 1080),
    (1080, 1920),
    (768, 1024),
]


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.right
        and other.x < one.right
        and one.y < other.bottom
        and other.y < one.bottom
    )


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_usual_screens_are_filled_without_overlap(size):
    """Nothing stands on anything else, nothing outside, and the whole width is used."""
    layout = lay_out(size)
    parts = [layout.header, layout.last, *layout.cells, *layout.ten, *layout.facts, layout.footer]
    for one, other in combinations(parts, 2):
        assert not _overlap(one, other), (one, other)
    for part in parts:
        assert part.x >= 0
        assert part.y >= 0
        assert part.right <= size[0]
        assert part.bottom <= size[1]
    assert layout.strip.w > 0.9 * size[0]


@pytest.mark.parametrize(
    "size", [size for size in SIZES if size[0] > size[1]], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_a_row_of_the_board_is_a_twentysecond_of_the_height(size):
    """From one row of the 90 board to the next it is at least 4.5 % of the height (H19)."""
    cells = lay_out(size).cells
    assert len(cells) == 90
    assert all(
        below.y - above.y >= 0.045 * size[1]
        for above, below in zip(cells, cells[10:], strict=False)
    )


@given(st.integers(1, 5000), st.integers(1, 5000))
def test_any_size_gives_boxes_of_at_least_one_pixel(width, height):
    """However odd the screen, every box can be painted into."""
    layout = lay_out((width, height))
    boxes = (
        layout.header,
        layout.last,
        *layout.cells,
        *layout.ten,
        *layout.facts,
        layout.footer,
        layout.below,
    )
    assert all(box.w >= 1 and box.h >= 1 for box in boxes)


@given(
    st.integers(0, 500),
    st.integers(200, 2000),
    st.lists(st.integers(1, 9), min_size=1, max_size=9),
    st.integers(0, 5),
)
def test_a_split_box_keeps_its_ends_and_its_gaps(x, width, weights, gap):
    """The parts start and end where the box does and keep about the gap between them."""
    parts = Box(x, 3, width, 7).split(*weights, gap=gap)
    assert parts[0].x == x
    assert parts[-1].right == x + width
    assert all(abs(right.x - left.right - gap) <= 1 for left, right in pairwise(parts))


def test_a_screen_as_wide_as_landscape_begins_lies():
    """Six to five, and all that is wider; what is narrower by a pixel stands."""
    assert lay_out((1200, 1000)).strip.y == lay_out((1201, 1000)).strip.y
    assert lay_out((1199, 1000)).strip.y != lay_out((1200, 1000)).strip.y
