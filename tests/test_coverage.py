"""The record's own tests go every way that there is in its code: what is never run here is not
known to keep its promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
# Journal, session, hall and ledger, and what they stand on.
RECORD = (
    "record/journal",
    "record/session",
    "night/losses",
    "night/hall",
    "night/hall_state",
    "night/register",
    "night/selling",
    "night/payouts",
    "base/nouns",
    "night/opening",
    "record/nights",
    "record/folders",
    "record/chain",
    "record/heads",
    "record/station_key",
    "record/tiles",
    "record/proof",
    "record/audit",
    "base/clock",
    "night/acts",
    "night/readiness",
    "night/fields",
    "night/table/game",
    "night/table/hosting",
    "games/loto_second/drawing",
    "night/sealed",
    "night/pairing",
    "record/hidden",
)
TESTS = (
    "record/test_journal",
    "record/test_session",
    "night/test_losses",
    "night/test_skipping",
    "night/test_hall",
    "night/test_register",
    "night/test_prize_funds",
    "night/test_payouts",
    "night/test_money_rules",
    "night/test_acts",
    "night/test_opening",
    "night/test_pairing",
    "night/test_readiness",
    "base/test_nouns",
    "people/test_alike",
    "record/test_nights",
    "record/test_chain",
    "record/test_heads",
    "record/test_station_key",
    "record/test_tiles",
    "record/test_proof",
    "record/test_audit",
    "base/test_clock",
    "night/table/test_hosting",
    "night/table/test_choices",
    "night/table/test_leaves",
    "programme/test_programme",
    "games/test_settlement",
    "games/test_loto_second",
    "record/test_table_session",
    "record/test_pauses",
    "calling/test_preparing_table",
    "record/test_halves",
    "core/test_no_pack",
    "record/test_hidden",
    "test_toy_game",
    "views/table/test_announcing",
    "night/test_fair",
    "core/test_seen_first",
    "record/test_unforeseen",
    "record/test_luck_session",
    "record/test_table_luck",
    "night/test_sealed",
    "night/test_sealed_play",
    "record/test_sealed_games",
    "calling/test_desk_cards",
    "games/test_real_cards",
    "games/test_dice_keno_table",
)
# Each tries one thing many times over, and goes no way that those that are left do not: a quarter
# of the time.
OVER_AGAIN = (
    "every_changed_byte_is_found",
    "every_changed_byte_of_a_night",
    "every_then_that_replay_disagrees_with",
    "no_harm_at_random_passes",
    "a_second_station_is_refused",
    "who_believes_in_another_state",
    "a_read_only_state_folder",
    "which_nights_a_command_reads",
    "any_mix_of_repeats",
    "every_list_marks_test_nights",
    "whatever_happens_is_said_and_shown",
    "station_without_cards_plays_an_evening",
    "nothing_is_made_or_lost",
)
# What is long is an evening at random, through which plain tests go, too, or starts processes, in
# which nothing is counted.
PLAIN = "not long"
# One process does the tests of many files, each line of them counted: half a minute alone.
LIMIT_S = 1800.0


@pytest.mark.long
def test_every_branch_of_the_record_is_tested(tmp_path: Path) -> None:
    """Branch coverage of 100 %: each line, and each way out of each condition; the report names
    what is missing."""
    environ = {**os.environ, "COVERAGE_FILE": str(tmp_path / "coverage")}
    files = ",".join(f"station/{name}.py" for name in RECORD)
    tests = [f"tests/{name}.py" for name in TESTS]
    plain = [
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:schemathesis",
        "--hypothesis-profile=few",
        "-m",
        PLAIN,
        "-k",
        " and ".join(f"not {words}" for words in OVER_AGAIN),
    ]

    def python(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *words]
        return subprocess.run(
            command,
            cwd=PROJECT,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )

    tested = python(
        "coverage", "run", "--branch", f"--include={files}", "-m", "pytest", *plain, *tests
    )
    assert tested.returncode == 0, tested.stdout
    report = python(
        "coverage",
        "report",
        "--show-missing",
        "--skip-covered",
        "--fail-under=100",
        "--precision=2",
    )
    assert report.returncode == 0, report.stdout
    assert f"{len(RECORD)} files skipped" in report.stdout, report.stdout
