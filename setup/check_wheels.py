"""Prove that everything locked installs without a compiler: a wheel for each kind of machine and
each Python.

Run by `setup/lock`, or as `.venv/bin/python setup/check_wheels.py`; it needs a network, asks for
the libraries' particulars only and prints one line for each target. What the system gives instead
of a wheel stays out of the lock and is listed here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from station.machine.bundle import GLIBC, LOCK, MACHINES, PROJECT, Target

# Never locked: packages of the system for its own Python, seen under the hardware profiles only.
FROM_SYSTEM = {
    "lgpio": "python3-lgpio of Raspberry Pi OS, on Python 3.13: there is no wheel",
    "spidev": "python3-spidev of Debian: there are no wheels",
    "evdev": "python3-evdev of Debian: there are no wheels",
}


def faults(target: Target) -> list[str]:
    """Return what in the tests' lock, which contains the other, cannot be installed on a target; a
    sentence each."""
    pins = target.pins(LOCK)
    (pip,) = (PROJECT / "setup").glob("pip-*.whl")
    with tempfile.TemporaryDirectory() as folder:
        listed, report = Path(folder, "pins.txt"), Path(folder, "report.json")
        listed.write_text("".join(f"{pin.name}\n" for pin in pins))
        command = [
            sys.executable,
            str(pip / "pip"),
            "install",
            "--dry-run",
            "--ignore-installed",
            f"--report={report}",
        ]
        command += [
            "--quiet",
            f"--target={folder}/none",
            f"--requirement={listed}",
            *target.pip_options(),
        ]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode:
            return done.stdout.strip().splitlines()[-2:]
        found = json.loads(report.read_text())["install"]
    sums = {one for pin in pins for one in pin.sums}
    files = [one["download_info"] for one in found]
    wrong = [
        file["url"]
        for file in files
        if f"--hash=sha256:{file['archive_info']['hashes']['sha256']}" not in sums
    ]
    return [f"{url.rpartition('/')[2]}: its checksum is not in the lock" for url in wrong]


def main() -> int:
    """Check each target; return 1 if a target lacks something."""
    code = 0
    for machine in MACHINES:
        for python in GLIBC:
            target = Target(machine, python)
            wrong = faults(target)
            print(
                f"{machine}, Python {python}:"
                f" {'FAULTY' if wrong else f'{len(target.pins(LOCK))} wheels'}"
            )
            for sentence in wrong:
                print(f"  {sentence}")
            code = 1 if wrong else code
    for name, reason in FROM_SYSTEM.items():
        print(f"from the system: {name} ({reason})")
    return code


if __name__ == "__main__":
    sys.exit(main())
