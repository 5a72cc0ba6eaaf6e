"""Try the package on an emulated machine with devices, and cut its power in mid-game: see README.md
beside this file."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pygame
from PIL import Image as Pictures

from station.screens.screen.app import Painter
from station.wire.board_view import BoardView, Phase
from station.wire.wording import load_wording
from tests.emulated.emulator import PICTURE, Emulator, Failed, until
from tests.emulated.image import OVERRIDES, TAGS, Image, image_in, make_image, run

BOOT_S, ACT_S, SCREEN_S, QUIET_S = 900, 300, 600, 360
PROCESSES = "/sys/fs/cgroup/system.slice/loto-core.service/cgroup.procs"
SERVICES = "loto-core loto-web loto-screen"
# Of 255: how far the display's picture may be from the painter's, pixel by pixel on average.
NEAR = 4.0


class Trial:
    """What was tried, in order, and how it came out."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, bool]] = []

    def say(self, what: str, seen: str, good: bool = True) -> None:
        self.rows.append((what, seen, good))
        print(
            f"{time.strftime('%H:%M:%S')} {'good' if good else 'BAD '}  {what}: {seen}", flush=True
        )

    @property
    def good(self) -> bool:
        return all(good for _, _, good in self.rows)

    def table(self) -> str:
        wide = max(len(what) for what, _, _ in self.rows)
        return "\n".join(
            f"{'good' if good else 'BAD '}  {what:<{wide}}  {seen}"
            for what, seen, good in self.rows
        )


def far(path: Path, view: BoardView) -> float:
    """How far a picture of the display is from what the station's painter makes of the view; a
    black one is far, too."""
    painted = pygame.Surface(PICTURE)
    Painter(PICTURE, load_wording(view.language).screen).paint(painted, view, False)
    wanted = np.frombuffer(pygame.image.tobytes(painted, "RGB"), np.uint8).astype(int)
    shown = np.asarray(Pictures.open(path).convert("RGB").resize(PICTURE), dtype=int).ravel()
    return float(np.abs(shown - wanted).mean())


def shown(machine: Emulator, name: str) -> tuple[float, float]:
    """Wait until the display shows the board; how far it is from it, and from black."""

    def near() -> tuple[float, float] | None:
        view = machine.views[-1][1]
        path = machine.photograph(name)
        light = float(np.asarray(Pictures.open(path).convert("RGB"), dtype=int).mean())
        away = far(path, view)
        return (away, light) if away <= NEAR < light else None

    found: tuple[float, float] = until(near, SCREEN_S, f"the board on the display ({name}.png)")
    return found


def said(machine: Emulator, last: int, how: str) -> float:
    """Wait until this number is the last one and was said; seconds until the hall saw it."""
    began = time.monotonic()
    machine.view(lambda view: view.last == last, ACT_S, f"{how}: {last} is shown")
    seen = time.monotonic() - began
    machine.view(lambda view: not view.calling, ACT_S, f"{how}: {last} is said")
    return seen


def spoken(machine: Emulator) -> float:
    """Wait until the station has said something since the power came; seconds of sound."""
    until(lambda: machine.heard() > 0.5, ACT_S, "sound after the start")
    return machine.heard()


def begin(machine: Emulator) -> None:
    """Sell the cards and open a game."""
    for command in ("sell 0001-0024 --to Anna --games 3", "do open"):
        machine.must(f"loto {command}")
    machine.view(lambda view: view.phase == Phase.PLAYING and not view.calling, ACT_S, "a game")


def devices(machine: Emulator, trial: Trial) -> None:
    """Each device is open in the core, and works."""
    opened = f"for one in $(cat {PROCESSES}); do readlink /proc/$one/fd/*; done"
    kinds = ("/dev/ttyUSB", "/dev/ttyS", "/dev/ttyACM", "/dev/input/event", "/dev/snd/")

    def held() -> str:
        names = machine.must(f"{opened} | grep -E '^/dev/(tty|snd|input)' | sort -u")
        return names if all(kind in names for kind in kinds) else ""

    # The voice is the last: on an emulated processor it is started more than once before it has
    # begun within its own limit.
    trial.say(
        "the core holds open",
        " ".join(until(held, BOOT_S, f"{' '.join(kinds)} open in the core", 5).split()),
    )
    before = machine.heard()
    for knob, reader in ((7, "reader"), (42, "second"), (33, "modem"), (90, "typing")):
        machine.lay(1000 + knob, reader)
        trial.say(
            f"knob {knob} laid on {reader}",
            f"called, seen after {said(machine, knob, reader):.1f} s",
        )
    heard = machine.heard() - before
    trial.say("sound out of the card", f"{heard:.1f} s for four calls", heard > 1)


def wire(machine: Emulator, trial: Trial) -> None:
    """A few acts over the wire, and the record as a whole."""
    for command, last in (
        ("do draw 11 --yes", 11),
        ("do undo --why 'the wrong knob'", 90),
        ("do draw 12 --yes", 12),
    ):
        machine.must(f"loto {command}")
        said(machine, last, command)
        trial.say(f"loto {command}", f"last number {last}")
    verified(machine, trial)


def verified(machine: Emulator, trial: Trial) -> None:
    code, said = machine.ask("loto journal verify")
    trial.say("loto journal verify", (said.strip().splitlines() or ["nothing"])[-1], code == 0)


def services(machine: Emulator, trial: Trial) -> None:
    """All run, and none has been started twice."""
    said = machine.must(f"systemctl show --value -p ActiveState -p NRestarts {SERVICES}").split()
    dropped = machine.must(
        "systemctl show -P DropInPaths $(ls /opt/loto-station/current/systemd/system)"
    ).split()
    trial.say(
        f"services after {machine.age:.0f} s",
        f"{SERVICES}: {' '.join(said)}",
        sorted(said) == ["0"] * 3 + ["active"] * 3,
    )
    threads = machine.must(
        "cat /proc/$(systemctl show -P MainPID loto-screen)/task/*/comm | sort -u"
    ).split()
    trial.say("the screen's threads", " ".join(threads))
    trial.say(
        "drop-ins over the shipped units",
        " ".join(dropped) or "none",
        len(dropped) == len(OVERRIDES),
    )


def keep_logs(machine: Emulator) -> None:
    """Put what the machine wrote down beside the pictures."""
    (machine.folder / "journal").write_text(machine.must("journalctl -b --no-pager"))


def start(image: Image, folder: Path, name: str, trial: Trial) -> Emulator:
    """Give the machine power and wait for the board."""
    machine = Emulator(image, folder / name)
    try:
        machine.view(lambda _: True, BOOT_S, "the board")
        board = machine.views[0][0]
        machine.said(BOOT_S)
        away, light = shown(machine, "board")
        trial.say(
            f"{name}: board back",
            f"{board:.0f} s after the power; on the display after {machine.age:.0f} s",
        )
        trial.say(
            f"{name}: picture", f"{away:.1f} of 255 from the painter's, {light:.0f} from black"
        )
    except BaseException:
        machine.photograph("end")
        keep_logs(machine)
        machine.end()
        raise
    return machine


def play(machine: Emulator, chance: Random) -> tuple[BoardView, int]:
    """Lay knobs until a random moment; the last view that the hall saw, and the knob laid last."""
    called = set(machine.views[-1][1].called)
    left = [knob for knob in TAGS.values() if knob not in called]
    end, laid = time.monotonic() + chance.uniform(3, 40), 0
    while (rest := end - time.monotonic()) > 0:
        laid = left.pop(chance.randrange(len(left)))
        machine.lay(1000 + laid)
        with contextlib.suppress(Failed):  # it is the moment
            machine.view(lambda view, laid=laid: view.last == laid and not view.calling, rest, "")  # type: ignore[misc]
    return machine.views[-1][1], laid


def cuts(image: Image, machine: Emulator, many: int, chance: Random, trial: Trial) -> Emulator:
    """Cut the power in mid-game, again and again: the same game goes on with all that the hall had
    seen."""
    for cut in range(1, many + 1):
        seen, laid = play(machine, chance)
        kept, lost = machine.pull(chance)
        trial.say(
            f"cut {cut}",
            f"{len(seen.called)} numbers shown, knob {laid} laid last; writes kept {kept}, lost"
            f" {lost}",
        )
        machine = start(image, machine.folder.parent, f"start-{cut + 1}", trial)
        view = machine.views[-1][1]
        more = view.called[len(seen.called) :]
        same = (view.night, view.game) == (seen.night, seen.game)
        good = same and view.called[: len(seen.called)] == seen.called and more in ((), (laid,))
        trial.say(
            f"cut {cut}: the game",
            f"night {view.night}, {len(view.called)} numbers, {view.last} last",
            good,
        )
        trial.say(f"cut {cut}: said again", f"{spoken(machine):.1f} s of sound")
        verified(machine, trial)
        if view.phase is Phase.STOPPED:  # a torn line wants a look
            machine.must("loto play-on")
    return machine


def tried(image: Image, folder: Path, cuts_wanted: int, chance: Random, trial: Trial) -> None:
    """All of it."""
    machine = start(image, folder, "start-1", trial)
    try:
        begin(machine)
        devices(machine, trial)
        wire(machine, trial)
        until(lambda: machine.age > QUIET_S, QUIET_S, "some minutes of the first start")
        away, _ = shown(machine, "game")
        trial.say("picture of the game", f"{away:.1f} of 255 from the painter's")
        services(machine, trial)
        keep_logs(machine)
        machine = cuts(image, machine, cuts_wanted, chance, trial)
        services(machine, trial)
    finally:
        try:
            keep_logs(machine)
        finally:
            machine.end()


def main() -> int:
    """Try, and say what came of it; 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(
        description="Tries the package on an emulated machine with devices; takes half an hour."
    )
    parser.add_argument(
        "--out",
        type=Path,
        help="a new folder for pictures and logs; else one in the temporary folder",
    )
    parser.add_argument(
        "--image",
        type=Path,
        help="the folder image/ of an earlier trial, which need not be made again",
    )
    parser.add_argument("--cuts", type=int, default=3, help="of the power, in mid-game (3)")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the random moments")
    asked = parser.parse_args()
    if os.geteuid() or not (shutil.which("qemu-system-x86_64") and shutil.which("debootstrap")):
        print(
            "It wants root, debootstrap and qemu-system-x86: see tests/emulated/README.md",
            file=sys.stderr,
        )
        return 2
    folder = asked.out or Path(tempfile.mkdtemp(prefix="loto-machine-"))
    folder.mkdir(parents=True, exist_ok=True)
    trial = Trial()
    print(
        f"Pictures and logs: {folder}; seed {asked.seed}; changed for the emulator:"
        f" {OVERRIDES or 'no unit'}",
        flush=True,
    )
    try:
        made = image_in(asked.image) if asked.image else make_image(folder / "image")
        run("cp", "--sparse=always", made.disk, folder / "disk")
        tried(replace(made, disk=folder / "disk"), folder, asked.cuts, Random(asked.seed), trial)
    except (Failed, OSError) as error:
        trial.say("the trial", f"ended: {error}", False)
    print(f"\n{trial.table()}")
    return 0 if trial.good else 1


if __name__ == "__main__":
    sys.exit(main())
