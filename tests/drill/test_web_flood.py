"""The flood's drill would notice: somebody who waits, calls that come late, a log that grows; and
it works, in small."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.drill import web_flood
from tests.drill.web_flood import LOG_LIMIT, Crowd, Seen, complaint, flood

QUIET = Seen([0.1], [0.1], [0.006], 0.5)


@pytest.mark.parametrize(
    ("flooded", "log", "said"),
    [
        (Seen([0.9, 0.2], [0.3], [0.011], 1.1), 300, ""),
        (Seen([0.2, 1.1], [0.3], [0.006], 1.1), 300, "waited"),
        (Seen([0.2], [1.1, 0.3], [0.006], 1.1), 300, "waited"),
        (Seen([0.2], [0.3], [0.006], 2.1), 300, "waited"),
        (Seen([0.2], [0.3], [0.08], 1.1), 300, "later than before"),
        (Seen([0.2], [0.3], [0.08, 0.006, 0.006], 1.1), 300, ""),
        (Seen([0.2], [0.3], [0.006], 1.1), LOG_LIMIT + 1, "log is too long"),
    ],
)
def test_a_promise_that_was_not_kept_is_told(flooded: Seen, log: int, said: str) -> None:
    """The slowest answer counts, of calls the middle one: a machine has other things to do, too."""
    why = complaint(QUIET, flooded, log)
    assert said in why
    assert bool(said) is bool(why)


@pytest.mark.long
def test_a_small_crowd_is_let_in_and_shown_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A core, a web, forty visitors who ask nothing: all are shown out, and what was measured is
    told. How long anybody waits is for the drill to say, which is alone on its machine."""
    for limit in ("ANSWER_LIMIT_S", "SILENCE_LIMIT_S", "NOISE_S", "GONE_LIMIT_S"):
        monkeypatch.setattr(web_flood, limit, 60.0)
    took = asyncio.run(flood(tmp_path, Crowd("idle", 2, count=40, seconds=60.0, quiet_s=1.0)))
    assert took.units == 40
    assert "80 came" in took.note  # the forty that were shown out came again
