"""What everybody is shown of the games that were there before zones is what it was."""

from __future__ import annotations

import pytest

from tests.tables_of_before import PLANS, digests, kept, replayed

PARTS = ("what is seen", "what the host is told", "what is said", "what the journal says")


@pytest.mark.long
@pytest.mark.parametrize("plan", PLANS)
def test_what_is_shown_is_what_it_was(plan: str) -> None:
    """Of each act of a kept night: the older fields of the view, the host's keys, the clips, and
    what the journal says followed."""
    lines = kept()[plan]
    for number, (line, what) in enumerate(
        zip(lines, replayed(plan, [act for act, *_ in lines]), strict=True), 1
    ):
        changed = [
            part
            for part, was, now in zip(PARTS, line[1:], digests(what), strict=True)
            if was != now
        ]
        assert not changed, f"after line {number}, {line[0]}"
