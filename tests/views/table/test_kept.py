"""What everybody is shown of kept nights at the table changes only on purpose."""

from __future__ import annotations

import pytest

from tests.kept_tables import PLANS, digests, kept, replayed

PARTS = ("what is seen", "what the host is told", "what is said", "what the journal says")


@pytest.mark.long
@pytest.mark.parametrize("plan", PLANS)
def test_what_is_shown_is_what_it_was(plan: str) -> None:
    """Of each act of a kept night: the view, the host's answer, the clips, and what the journal
    says followed."""
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
