"""Make a card with `loto image`, start it in an emulated arm64 machine, set the station up by its
page as a telephone does, play a game by a simulated button, cut the power, go on.

Takes about an hour on two cores; wants root and what `loto image` wants, and qemu-system-arm.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from html import unescape
from http.cookiejar import CookieJar
from pathlib import Path
from random import Random
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

from tests.card.machine import MB, Card, Machine
from tests.emulated.__main__ import Trial
from tests.emulated.emulator import Failed, until

PROJECT = Path(__file__).resolve().parents[2]
BOOT_S, STEP_S = 1800, 900
# What the Pi's loader of each model reads: Raspberry Pi documentation, "The boot folder".
FIRMWARE = {
    "every Pi before the 4": ("bootcode.bin", "start.elf", "fixup.dat"),
    "Pi 4": ("start4.elf", "fixup4.dat"),
    "Pi 3": ("bcm2837-rpi-3-b.dtb", "bcm2837-rpi-3-b-plus.dtb"),
    "Pi 4 B": ("bcm2711-rpi-4-b.dtb",),
    "Zero 2 W": ("bcm2837-rpi-zero-2-w.dtb",),
    "all": ("config.txt", "cmdline.txt"),
}
# Presses the draw button of the simulated devices, as the bench does, and waits for the number.
PRESS = """\
import json, socket, sys, time
hands = socket.socket(socket.AF_UNIX); hands.settimeout(120)
hands.connect("/run/loto-station/hands.sock")
hands.sendall(b'{"id": "1", "hand": "press", "button": "draw"}\\n')
for line in hands.makefile():
    if json.loads(line).get("id") == "1": print(line); break
"""


class Telephone:
    """A browser of the Wi-Fi, as plain as one can be."""

    def __init__(self, port: int) -> None:
        self._at = f"http://127.0.0.1:{port}/"
        self._open = build_opener(HTTPCookieProcessor(CookieJar()))

    def see(self, **typed: str) -> str:
        """The page, after a form was sent if anything was typed."""
        data = urlencode(typed).encode() if typed else None
        with self._open.open(self._at, data, timeout=120) as answer:
            return unescape(answer.read().decode())

    def seen(self, wanted: str) -> str:
        """The page if this stands on it, and nothing else went wrong."""
        try:
            text = self.see()
        except (OSError, URLError):
            return ""
        if 'class="fault"' in text:
            raise Failed(re.sub("<[^>]*>", " ", text)[-600:])
        return text if wanted in text else ""


def set_up(machine: Machine, code: str, trial: Trial) -> None:
    """By the page: code, questions, the station starts."""
    phone = Telephone(machine.ports[80])
    until(lambda: phone.seen("Set-up code"), BOOT_S, "the page of the first start", 5)
    trial.say("the set-up page", f"{machine.age:.0f} s after the power")
    text = phone.see(code=code)
    boxes = re.findall(r'<input name="(ask [^"]*)" value="([^"]*)"', text)
    menus = re.findall(r'<select name="(ask [^"]*)">.*?value="([^"]*)" selected', text, re.DOTALL)
    answers = dict(boxes + menus)
    answers["ask What is the hall called?"] = "Card Hall"
    answers["ask Which devices are there?"] = "simulated"
    text = phone.see(do="write", **answers)
    if "Please wait" not in text:  # other devices, other questions
        text = phone.see(do="write", **answers)
    until(lambda: phone.seen("/pair"), STEP_S, "the settings are written", 5)
    trial.say("settings written", f"{machine.age:.0f} s after the power")


def view(machine: Machine) -> dict[str, object]:
    """What the board shows."""
    said = machine.ask("loto watch --once --json 2>/dev/null | tail -n 1", STEP_S)
    return dict(json.loads(said.splitlines()[-1]))


def pressed(machine: Machine) -> None:
    """Press the simulated button once, and wait until what came of it was said."""
    said = machine.ask("/opt/loto-station/current/.venv/bin/python /run/press.py", STEP_S)
    if '"ok"' not in said:
        raise Failed(said)


def calm(machine: Machine, called: int) -> dict[str, object]:
    """The board once so many numbers were called and said."""

    def there() -> dict[str, object] | None:
        board = view(machine)
        return board if len(board["called"]) >= called and not board["calling"] else None  # type: ignore[arg-type]

    found: dict[str, object] = until(there, STEP_S, f"{called} numbers were called")
    return found


def tried(card: Card, code: str, chance: Random, trial: Trial) -> None:
    """All of it."""
    machine = Machine(card, "first")
    try:
        set_up(machine, code, trial)
        machine.log_in("hall", code, STEP_S)
        size = int(machine.ask("df -BM --output=size / | tail -n 1").strip().rstrip("M"))
        trial.say("the system grew over the card", f"{size} MB", size > 6000)
        until(
            lambda: machine.ask("loto watch --once --json | grep -c called || true").strip() != "0",
            STEP_S,
            "the station",
            5,
        )
        trial.say("the station answers", f"{machine.age:.0f} s after the power")
        machine.ask("loto pack make --strips 4 --plain --test || loto pack make --strips 4 --plain")
        script = f"echo {b64encode(PRESS.encode()).decode()} | base64 -d > /run/press.py"
        machine.ask(script)
        machine.ask("loto open", STEP_S)
        for called in range(1, 4):
            pressed(machine)
            board = calm(machine, called)
        trial.say("by the simulated button", f"called {board['called']}")
        kept, lost = machine.pull(chance)
        trial.say("the power is cut", f"writes kept {kept}, lost {lost}")
        again = Machine(card, "second")
        machine = again
        again.log_in("hall", code, BOOT_S)
        after = until(
            lambda: (
                "called"
                in (found := again.ask("loto watch --once --json 2>/dev/null || true", STEP_S))
                and found
            ),
            STEP_S,
            "the station",
            5,
        )
        found = json.loads(str(after).splitlines()[-1])
        trial.say(
            "after the cut",
            f"called {found['called']}, {again.age:.0f} s after the power",
            found["called"] == board["called"],
        )
        again.ask(script)
        pressed(again)
        trial.say("the game goes on", f"called {calm(again, 4)['called']}")
        said = again.ask("loto journal verify --test || loto journal verify", STEP_S)
        trial.say("loto journal verify", said.splitlines()[-1])
    finally:
        machine.end()


def firmware(card: Card, trial: Trial) -> None:
    """What the Pi's loader wants, as files."""
    for model, names in FIRMWARE.items():
        missing = [name for name in names if f"::/{name}" not in card.files]
        trial.say(
            f"firmware, {model}",
            ", ".join(names) if not missing else f"missing {missing}",
            not missing,
        )
    named = re.findall(r"^(?:kernel|initramfs) *=? *(\S+)", card.texts["config.txt"], re.MULTILINE)
    missing = [name for name in named if f"::/{name}" not in card.files]
    trial.say("config.txt names", " ".join(named), bool(named) and not missing)
    command = card.texts["cmdline.txt"].strip()
    trial.say("cmdline.txt", command, "root=LABEL=LOTO" in command and "regdom=" in command)


def main() -> int:
    """Try, and say what came of it; 1 when something is not as it should be."""
    parser = argparse.ArgumentParser(description="Makes a card, starts it, plays, cuts the power.")
    parser.add_argument("--image", type=Path, help="of `loto image`, with its sheet's code: --code")
    parser.add_argument("--code", default="", help="the set-up code of that image's sheet")
    parser.add_argument("--deb", type=Path, help="the station's package for arm64")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="loto-card-"))
    trial = Trial()
    print(f"Logs: {folder}; seed {asked.seed}", flush=True)
    try:
        image, code = asked.image, asked.code
        if image is None:
            image, began = folder / "loto.img", time.monotonic()
            deb = ("--deb", asked.deb) if asked.deb else ()
            subprocess.run([PROJECT / "loto", "image", image, *deb], check=True)
            minutes = (time.monotonic() - began) / 60
            whole, used = (size // MB for size in sizes(image))
            told = f"{minutes:.0f} minutes, {whole} MB, of them {used} MB not empty"
            trial.say("the image is made", told)
            code = code_on(image.with_suffix(".pdf"))
        card = Card(image, folder / "card")
        firmware(card, trial)
        tried(card, code, Random(asked.seed), trial)
    except (Failed, OSError, subprocess.SubprocessError) as error:
        trial.say("the trial", f"ended: {error}", False)
    print(f"\n{trial.table()}")
    return 0 if trial.good else 1


def sizes(image: Path) -> tuple[int, int]:
    """The bytes of an image, and those that lie on the disk."""
    found = image.stat()
    return found.st_size, found.st_blocks * 512


def code_on(sheet: Path) -> str:
    """The set-up code, as it is read from the sheet."""
    from tests.paper_reader import read

    (page,) = read(sheet.read_bytes())
    found = re.search(r"\b([a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4})\b", page.text)
    if found is None:
        raise Failed(f"no set-up code on {sheet}")
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
