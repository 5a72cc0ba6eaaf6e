"""The groups of tests that need more than Python: whether they can run here, and the one line that
enables each."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from station.base.catalogues import speak
from tests import programs

if TYPE_CHECKING:
    from tests.screens.web.browsers import Browsers

# How fast an example is says something of the machine, nothing of the station.
settings.register_profile("station", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("station"), max_examples=3, derandomize=True)
settings.load_profile("station")

# What is compiled once is not compiled again, by no worker and no process that a test starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Whoever runs the tests: refusals are in the hall's language.
os.environ["LC_ALL"] = "C.UTF-8"

CHROMIUM = "/usr/bin/chromium"
# The one without windows does the same in two thirds of the time; where it is not, the other does.
HEADLESS = next(filter(os.path.exists, ("/usr/bin/chromium-headless-shell",)), CHROMIUM)


def guard(event: str, details: tuple[Any, ...]) -> None:
    """Whatever starts a program that a fresh machine does not have fails here, too."""
    if event == "subprocess.Popen":
        program, words, _, environ = details
        if said := programs.forgotten(os.fsdecode(program or words[0]), environ):
            pytest.fail(said, pytrace=False)


sys.addaudithook(guard)


def browser() -> bool:
    """Whether Chromium is here, and the library that Playwright's own Node asks for."""
    try:
        ctypes.CDLL("libatomic.so.1")
    except OSError:
        return False
    return os.access(CHROMIUM, os.X_OK)


def espeak() -> bool:
    """Whether espeak-ng's program and its library are both here: Debian packs them apart."""
    try:
        ctypes.CDLL("libespeak-ng.so.1")
    except OSError:
        return False
    return shutil.which("espeak-ng") is not None


def bare_roots() -> bool:
    """Whether a bare Debian can be made and entered: root, debootstrap, and a kernel that lets
    us; and a card be filled."""
    programs = ("debootstrap", "unshare", "mkfs.vfat", "mcopy", "sfdisk")
    if os.geteuid() != 0 or not all(map(shutil.which, programs)):
        return False
    return (
        subprocess.run(
            ["unshare", "--mount", "--net", "true"], capture_output=True, check=False
        ).returncode
        == 0
    )


@dataclass(frozen=True, slots=True)
class Group:
    """A marker's needs: can they be met here, and the line to type where they are not."""

    here: Callable[[], bool]
    enable: str


GROUPS = {
    "browser": Group(browser, "sudo apt-get install chromium libatomic1"),
    "espeak": Group(espeak, "sudo apt-get install espeak-ng libespeak-ng1"),
    "systemd": Group(
        lambda: all(map(shutil.which, ("systemd-analyze", "udevadm"))),
        "sudo apt-get install systemd udev",
    ),
    "root": Group(
        bare_roots,
        "sudo apt-get install debootstrap dosfstools mtools fdisk && sudo ./loto test root",
    ),
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the groups that cannot run here, with the line that enables them; leave the hardware out
    unless asked for; order."""
    for name, group in GROUPS.items():
        of_group = [item for item in items if item.get_closest_marker(name)]
        if of_group and not group.here():
            for item in of_group:
                item.add_marker(pytest.mark.skip(reason=f"{name}: to run it, type: {group.enable}"))
    if "hardware" not in config.option.markexpr:
        left = [item for item in items if item.get_closest_marker("hardware")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
    # One worker begins with what makes machines and waits for them, while the other computes; what
    # stands first is the last to be stolen, so that a machine is made once. And nothing long is
    # left for the end, when the other worker has nothing to do.
    items.sort(
        key=lambda item: (not item.get_closest_marker("root"), not item.get_closest_marker("long"))
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Nothing of what is collected is garbage: to look for some in it takes as long as to collect
    it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # Tests leave little garbage, and each look for it passes through much that is none: seldom
        # looked for, they take a twelfth less.
        gc.set_threshold(50_000, 20, 100)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Function, nextitem: pytest.Function | None
) -> Iterator[None]:
    """What a module of tests has kept for all its tests goes with the last of them: syntax trees,
    pictures, states of games. A worker that kept it all would grow by gigabytes."""
    yield
    module = getattr(item, "module", None)
    if module is None or (nextitem is not None and getattr(nextitem, "module", None) is module):
        return
    kept = [
        one
        for one in vars(module).values()
        if getattr(one, "__module__", None) == module.__name__ and hasattr(one, "cache_clear")
    ]
    for one in kept:
        one.cache_clear()
    if kept and hasattr(ctypes.CDLL(None), "malloc_trim"):
        ctypes.CDLL(None).malloc_trim(0)  # else it is free, and still the worker's


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """With `CI=true` a skipped test is a failure."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and os.environ.get("CI") == "true":
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what was left out, one line a reason."""
    reasons = sorted(
        {
            report.longrepr[2]
            for report in terminalreporter.stats.get("skipped", [])
            if isinstance(report.longrepr, tuple)
        }
    )
    if reasons:
        failing = os.environ.get("CI") == "true"
        terminalreporter.section(
            "left out" + (", which fails here because of CI=true" if failing else "")
        )
        for reason in reasons:
            terminalreporter.line(reason.removeprefix("Skipped: "))


@pytest.fixture(autouse=True)
def drivers_are_heard() -> Iterator[None]:
    """A command that reports on devices itself silences the drivers' log for its whole process; the
    next test hears it again."""
    drivers = logging.getLogger("drivers")
    before = drivers.level
    yield
    drivers.setLevel(before)


@pytest.fixture(scope="session", autouse=True)
def one_tree_of_commands() -> Iterator[None]:
    """What is typed in this process goes through one tree of commands: to build it takes longer
    than to do most of them."""
    tree = cache(typer.main.get_command)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", tree)
        patch.setattr(typer.testing, "_get_command", tree)
        yield


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Debian's Chromium without windows, for Playwright's `executable_path`: Playwright
    fetches no browser of its own."""
    return HEADLESS


@pytest.fixture(scope="session")
def browsers() -> Iterator[Browsers]:
    """Browsers that are started once for all tests of this process."""
    from tests.screens.web.browsers import Browsers  # not loaded where nobody browses

    with ExitStack() as until_the_end:
        yield Browsers(until_the_end)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A test that speaks another language leaves it to no other."""
    yield
    speak("")
