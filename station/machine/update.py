"""Install another release from a file, on trial: if it fails, the one before comes back.

    no game is on → the file is whole, its maker's, and not older (`station.machine.delivery`) →
    placed beside the others (`station.machine.releases`) → it can read the settings and the nights
    → services stopped → switched → started → does it answer? → kept, or switched back and started

No step leaves a machine without a release that worked: a power cut during the trial is a trial that
failed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from station.base.errors import EXIT_DEVICE, Damaged, LotoError, StateInUse
from station.base.system import CommandFailed, NotPossibleNow, System, writing
from station.base.tongue import tr
from station.checkup.inventory import Inventory
from station.machine.bundle import check_sums, version_in
from station.machine.delivery import (
    Delivery,
    DeliveryTerms,
    builder_of,
    delivered,
    known_builder,
    meet,
    refuse_older,
)
from station.machine.own_drivers import OwnDrivers
from station.machine.releases import CURRENT, HOME, PREVIOUS, PROGRAM, Releases
from station.machine.signing import KEPT, fingerprint
from station.record.folders import is_open, night_folders
from station.record.halves import half, is_used
from station.record.journal import FILE
from station.settings.places import SYSTEM_STATE

TARGET = "loto-station.target"
SCREEN = "loto-screen.service"
PARTS = ("loto-core.service", "loto-web.service", SCREEN)
SMALL_KB = 1_000_000  # a machine with less memory makes room for an update
ANSWER_S = 60.0


class TrialFailed(LotoError):
    """The new release failed its trial; the message says which one runs now."""

    exit_code = EXIT_DEVICE


@dataclass(frozen=True)
class Patience:
    """How long to wait for an answer.

    Attributes:
        limit_s: seconds from the start of the services.
        clock: monotonic seconds.
        pause: waits for a number of seconds.
    """

    limit_s: float = ANSWER_S
    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep


def last_night(state: Path) -> tuple[Path, bool] | None:
    """Return a state folder's open night, if any, and whether anything happened in it.

    A TEST night in its own half counts only while somebody plays it.

    Raises:
        Damaged: its journal is damaged.
    """
    apart = half(state, test=True)
    return _last_of(state) or (_last_of(apart) if is_used(apart) else None)


def _nights_of(folder: Path) -> list[Path]:
    return night_folders(folder) if folder.is_dir() else []


def _last_of(folder: Path) -> tuple[Path, bool] | None:
    """Return the same of one half of the state folder, whether anybody plays it or not."""
    last = _nights_of(folder)[-1:]
    if not last or not is_open(last[0]):
        return None
    with (last[0] / FILE).open("rb") as file:
        return last[0], sum(1 for _ in file) > 1


def refuse_game(state: Path) -> None:
    """Check that the program may be changed now: no night is on in which something has happened.

    Raises:
        Refused: a night is being played.
        Damaged: its journal is damaged.
    """
    found = last_night(state)
    if found is not None and found[1]:
        why = tr("a game is played to its end on the release that it began on")
        todo = tr("close the night (loto close-night), then type the same again")
        raise NotPossibleNow(
            tr("night {name} is open, and {why}: {todo}", name=found[0].name, why=why, todo=todo)
        )


def stop_station(system: System) -> None:
    """Stop the station, and wait until each part has ended.

    The target alone is stopped before its parts are: one that failed and waits for its next start
    would then be started while it is still being stopped, and systemd never starts it.

    Raises:
        CommandFailed: it cannot be stopped.
    """
    system.tell("systemctl", "stop", TARGET, *PARTS)


def wait_for_answer(system: System, patience: Patience) -> None:
    """Wait until the started station answers on its socket.

    Raises:
        CommandFailed: it does not answer within the limit.
    """
    until = patience.clock() + patience.limit_s
    while True:
        try:
            system.tell("timeout", "10", PROGRAM, "watch", "--json", "--once")
        except CommandFailed as error:
            if patience.clock() >= until:
                what = tr("No answer within {seconds:.0f} s", seconds=patience.limit_s)
                raise CommandFailed(f"{what}: {error}") from error
            patience.pause(1.0)
        else:
            return


class Update:
    """A change of the running release.

    Args:
        say: called with each step, one line.
    """

    def __init__(
        self,
        system: System,
        say: Callable[[str], None] = lambda _: None,
        patience: Patience | None = None,
    ) -> None:
        self.system = system
        self.releases = Releases(system)
        self.state = system.at(str(SYSTEM_STATE))
        self._say = say
        self._patience = patience or Patience()

    def from_file(self, file: Path, wanted: DeliveryTerms | None = None) -> str:
        """Install the release in a bundle or a Debian package; return its name.

        Args:
            wanted: what was said of it; without, it must be newer and the known builder's.

        Raises:
            Unreadable: the file is no release.
            Damaged: it was altered.
            Refused: a night is open, another update is under way, nobody trusts its maker, or it is
                older.
            TrialFailed: the new release failed its trial; the old one runs.
        """
        self._check_installed()
        with self.releases.alone():
            return self._from_file(file, wanted or DeliveryTerms())

    def _from_file(self, file: Path, wanted: DeliveryTerms) -> str:
        refuse_game(self.state)
        self._end_trial()
        self.releases.prune()  # what an update before this one left
        with delivered(file) as delivery:
            known = known_builder(self.system)
            builder = builder_of(delivery, known, wanted)
            refuse_older(delivery.version, version_in(self.releases.home / CURRENT), wanted)
            name = self._place(delivery)
        if name == self.releases.linked(CURRENT):
            self._say(tr("{name} runs already", name=name))
        else:
            self._say(tr("placed: {folder}", folder=self.releases.folder / name))
            with self._room():
                self.releases.prepare(name)
                OwnDrivers(self.system, name).bring()
                self._look(name)
            self._change(name)
            self.releases.prune()
        # Not before the trial succeeded: until then the builder of the running release must be able
        # to help.
        if builder is not None and builder != known:
            meet(builder, self.system)
            what = tr(
                "releases are taken that are signed with {fingerprint}",
                fingerprint=fingerprint(builder),
            )
            self._say(tr("from now on only {what}: {at}", what=what, at=self.system.at(KEPT)))
        return name

    @contextmanager
    def _room(self) -> Iterator[None]:
        """Stop the public screen of a machine with little memory while a release is prepared.

        The pictures of a screen without a 3D chip take most of it, and a machine without swap then
        reads its programs from the card again and again. What starts the new release starts it.
        """
        memory = Inventory(self.system).memory_kb
        if memory is None or memory >= SMALL_KB:
            yield
            return
        self._say(tr("this machine has little memory: its screen is dark meanwhile"))
        self.system.tell("systemctl", "stop", SCREEN)
        try:
            yield
        except BaseException:
            self.system.tell("systemctl", "--no-block", "start", TARGET)
            raise

    def _place(self, delivery: Delivery) -> str:
        there = self.releases.folder  # not /tmp: it may be memory, and small
        with writing(there), tempfile.TemporaryDirectory(prefix=".unpacked-", dir=there) as folder:
            delivery.unpack(Path(folder, "release"), self.system.disk)
            return self.releases.place(Path(folder, "release"))

    def back(self) -> str:
        """Go back to the release before this one; return its name. The same again leads forward.

        Raises:
            Refused: there is none, or a night is open, or another update is under way.
            TrialFailed: it failed its trial; the current release runs on.
        """
        self._check_installed()
        with self.releases.alone():
            return self._back()

    def _back(self) -> str:
        refuse_game(self.state)
        if self._end_trial():
            return str(self.releases.linked(CURRENT))
        name = self.releases.linked(PREVIOUS)
        if name is None or name not in self.releases.names():
            there = self.releases.home / PREVIOUS
            raise NotPossibleNow(tr("{folder}: there is no release to go back to", folder=there))
        try:
            check_sums(self.releases.folder / name)
        except Damaged as error:
            why = tr("is not whole any more, as after a newer package took its place")
            raise NotPossibleNow(
                tr("{name} {why}: no release to go back to", name=name, why=why)
            ) from error
        self._look(name)
        self._change(name)
        return name

    def _check_installed(self) -> None:
        if self.releases.linked(CURRENT) is None:
            what = tr("the station is not installed on this machine (loto install)")
            raise NotPossibleNow(f"{HOME}: {what}")
        if not self.system.runs:
            what = tr("systemd does not run here, so no release can be tried")
            raise NotPossibleNow(tr("{what}: start this system, or use loto install", what=what))

    def _end_trial(self) -> bool:
        """End a trial whose update was cut off without a restart, as when its terminal closed."""
        if not self.releases.end_trial():
            return False
        now = self.releases.linked(CURRENT)
        self._say(tr("a release was still on trial, and is left: {now} runs again", now=now))
        stop_station(self.system)
        self._start()
        return True

    def _look(self, name: str) -> None:
        """Let a release read the settings and the nights, beside the running one."""
        program = f"{HOME}/releases/{name}/.venv/bin/loto"
        self.system.command(program, "config", "check")
        verify = (program, "journal", "verify", "--state", str(SYSTEM_STATE))
        for folder, kind in zip(self._halves, ("--real", "--test"), strict=True):
            if _nights_of(folder):
                self.system.command(*verify, kind)
        self._say(tr("it can read the settings and the nights of this machine"))

    def _change(self, name: str) -> None:
        """Run a release on trial; keep it or go back."""
        system, releases = self.system, self.releases
        old = releases.linked(CURRENT)
        stop_station(system)
        try:
            self._check_alone()
            refuse_game(self.state)  # one may have begun since the last check
            begun = {night for folder in self._halves for night in _nights_of(folder)}
            releases.begin_trial(name)
        except LotoError:
            system.tell("systemctl", "--no-block", "start", TARGET)
            raise
        try:
            self._start()
        except KeyboardInterrupt:
            self._go_back(begun)
            raise
        except LotoError as error:
            self._go_back(begun)
            what = tr(
                "{name} failed its trial, {old} runs again. {error}",
                name=name,
                old=old,
                error=error,
            )
            raise TrialFailed(
                tr("{what}\nIts log: journalctl -u loto-core -b", what=what)
            ) from error
        releases.confirm()
        self._say(tr("{name} runs; the way back to {old}: loto update --back", name=name, old=old))

    @property
    def _halves(self) -> tuple[Path, Path]:
        return half(self.state, test=False), half(self.state, test=True)

    def _put_aside(self, folder: Path, begun: set[Path]) -> None:
        """Move away an empty night of the trial: the old release may be unable to read it."""
        try:
            found = _last_of(folder)
        except LotoError as error:  # the old release must start in any case, and says what is wrong
            self._say(str(error))
            return
        if found is None or found[0] in begun or found[1]:
            return
        aside = folder / f"night-{found[0].name}-of-a-trial"
        number = 1
        while (place := aside.with_name(f"{aside.name}-{number}")).exists():
            number += 1
        self.system.disk.replace(found[0], place)
        self.system.disk.sync_folder(place.parent)
        self._say(tr("put aside: {place}", place=place))

    def _check_alone(self) -> None:
        """Check that nobody else writes the nights."""
        if is_used(self.state) or is_used(half(self.state, test=True)):
            raise StateInUse(
                tr(
                    "{state}: a station is running that is no service: end it first",
                    state=self.state,
                )
            )

    def _start(self, limit_s: float | None = None) -> None:
        """Start the release that is linked now, and wait until it answers."""
        self.system.tell("systemctl", "daemon-reload")
        # Do not wait: the start of a service that fails again and again never ends.
        self.system.tell("systemctl", "--no-block", "start", TARGET)
        patience = replace(self._patience, limit_s=limit_s or self._patience.limit_s)
        wait_for_answer(self.system, patience)

    def _go_back(self, begun: set[Path]) -> None:
        system = self.system
        stop_station(system)
        self.releases.undo()
        for folder in self._halves:
            self._put_aside(folder, begun)
        try:
            # The limit is for the new release only: the old one is known to work, however slow the
            # machine.
            self._start(max(self._patience.limit_s, ANSWER_S))
        except CommandFailed as error:
            self._say(tr("the release before does not answer either: {error}", error=error))
