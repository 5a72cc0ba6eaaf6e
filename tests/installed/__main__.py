"""Play whole nights on an installed station.

    .venv/bin/python -m tests.installed                 # all ways, then every state
    .venv/bin/python -m tests.installed phones states   # one way, and every state
    .venv/bin/python -m tests.installed prizes          # the states of one evening

As root, with what `.ci/run` installs. The folder that is named at the end has the pictures, the
services' own lines and each step.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from pathlib import Path

from tests.installed.hands import WAYS
from tests.installed.states import EVENINGS
from tests.roots import PROJECT, PYTHON, booted_services

QUESTIONS = f"""
PATH=/opt/loto-station/.venv/bin:$PATH
cd /answers
systemd-sysusers /opt/loto-station/systemd/sysusers.d/loto-station.conf
systemd-tmpfiles --create /opt/loto-station/systemd/tmpfiles.d/loto-station.conf
cat > /etc/loto-station/station.toml <<'END'
profile = "simulated"
[game]
programme = "/etc/loto-station/two-games.toml"
END
cat > /etc/loto-station/two-games.toml <<'END'
name = "Two games"
approve_above = 100
[[games]]
name = "First game"
stakes = "quarters"
price = 100
[games.pause]
text = "Tea and cake."
minutes = 10
[[games]]
name = "Second game"
stakes = "quarters"
price = 100
END
loto pack make --strips 4 > pack 2>&1
chown -R loto:loto /var/lib/loto-station
systemctl start loto-core loto-web > started 2>&1
export HOME=/root LD_LIBRARY_PATH=/opt/python/lib
export PYTHONPATH=/opt/loto-station:/opt/loto-station/site
{PYTHON} -m tests.installed.play WANTED > played 2>&1
journalctl -u loto-core -u loto-web > services
cp -r /var/lib/loto-station/test/nights . && chmod -R a+rX nights
systemctl poweroff --no-block
"""
STATES = "states"  # all evenings
BESIDES = ("__init__.py", "looking.py")  # what the nights need of the other tests
TOLD_S = 1.0


def main(words: list[str]) -> int:
    """Boot, play, tell; return 0 where all was kept."""
    every = [*(way.name for way in WAYS), *EVENINGS]
    words = [one for word in words for one in (EVENINGS if word == STATES else [word])]
    if unknown := [word for word in words if word not in every]:
        sys.stderr.write(f"{', '.join(unknown)}: there is {', '.join([*every, STATES])}\n")
        return 2
    folder = Path(tempfile.mkdtemp(prefix="loto-nights-"))
    over = threading.Event()
    telling = threading.Thread(target=_tell, args=(folder / "answers" / "steps", over))
    telling.start()
    more = {
        str(path.relative_to(PROJECT)): path.read_text()
        for path in [
            *map((PROJECT / "tests").joinpath, BESIDES),
            *Path(__file__).parent.glob("*.py"),
        ]
        if path.name != "__main__.py"
    }
    try:
        answers, said = booted_services(
            folder, QUESTIONS.replace("WANTED", " ".join(words or every)), more
        )
    finally:
        over.set()
        telling.join()
    result = answers / "result"
    told = result.read_text() if result.is_file() else said[-6000:]
    kept = told == "kept"
    sys.stdout.write("all kept\n" if kept else f"LOST\n{told}\n")
    for path in (folder / "installed", folder / "root"):
        shutil.rmtree(path, ignore_errors=True)
    sys.stdout.write(f"steps, pictures, services: {answers}\n")
    return 0 if kept else 1


def _tell(path: Path, over: threading.Event) -> None:
    """Print each step as it comes."""
    told = 0
    while True:
        last = over.wait(TOLD_S)
        text = path.read_text() if path.is_file() else ""
        sys.stdout.write(text[told:])
        sys.stdout.flush()
        told = len(text)
        if last:
            return


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
