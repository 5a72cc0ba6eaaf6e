"""Both judges of a draw, beside one another: the station's own program, and the page's JavaScript,
which Node runs."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import playwright

from station.base.errors import StoreError
from station.record import audit
from station.record.heads import parse_head
from station.record.journal import FILE
from station.record.station_key import load_public_key
from tests.screens.web.forged.records import Files, files_of

PAGES = Path(__file__).parents[4] / "station" / "screens" / "web" / "pages"
NODE = str(Path(playwright.__file__).parent / "driver" / "node")  # which the browser is led by
SCRIPTS = ("proving.js", "verifying.js", "checking.js", "auditing.js")
# night, file (empty: its folder), line (0: the file as a whole)
Found = tuple[str, str, int] | None
PLACE = re.compile(r"nights/(\d+)(?:/([\w-]+\.[a-z]+))?(?::(\d+))?")


class PageJudge:
    """The page's judge, which runs.

    Args:
        node: it.
    """

    def __init__(self, node: subprocess.Popen[str]) -> None:
        self._node = node

    def ask(self, what: str, **asked: Any) -> None:
        """Ask it for something; bytes are sent in base64."""
        assert self._node.stdin is not None
        line = json.dumps({"what": what, **asked}, default=_coded)
        self._node.stdin.write(line + "\n")
        self._node.stdin.flush()

    def answer(self) -> Any:
        """What it says to what was asked last."""
        assert self._node.stdout is not None
        return json.loads(self._node.stdout.readline())


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


@contextmanager
def page_judge(folder: Path) -> Iterator[PageJudge]:
    """The page's judge; the folder, which is empty, is for its modules."""
    for name in SCRIPTS:
        shutil.copy(PAGES / name, folder / name)
    (folder / "package.json").write_text('{"type": "module"}')
    words = [NODE, str(Path(__file__).with_name("judge.mjs")), folder.as_uri()]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        try:
            yield PageJudge(node)
        finally:
            node.stdin.close() if node.stdin is not None else None


class Judges:
    """Both judges of records.

    Args:
        state: a folder of its own with the nights; the files are put into it.
        page: the page's judge.
    """

    def __init__(self, state: Path, page: PageJudge) -> None:
        self._state, self._judge = state, page
        self._key = load_public_key(state)
        self._lie = {name: b"".join(lines) for name, lines in files_of(state).items()}

    def both(self, files: Files, kept: Sequence[str] = ()) -> tuple[Found, Found]:
        """What the audit names and what the page does, which work at the same time."""
        self._ask(files, kept)
        return self.audit(files, kept), _placed(self._judge.answer())

    def audit(self, files: Files, kept: Sequence[str] = ()) -> Found:
        """What the station's audit names, of these files or by these kept heads."""
        self._put({name: b"".join(lines) for name, lines in files.items()})
        try:
            nights = audit.verify(self._state)
        except StoreError as error:
            [(night, file, line)] = PLACE.findall(str(error))[:1]
            return night, file, int(line or 0)
        found = audit.unlike(self._state, nights, [parse_head(text) for text in kept])
        return None if found is None else (f"{found[0]:04d}", FILE, found[1])

    def _put(self, wanted: Mapping[str, bytes]) -> None:
        """Have these files lie there alone; a night of which there is none was not begun."""
        nights, aside = self._state / "nights", self._state / "aside"
        aside.mkdir(exist_ok=True)
        begun = {name.split("/")[0] for name in wanted}
        for name in self._lie.keys() - wanted.keys():
            (nights / name).unlink()
        for night in [*nights.iterdir(), *aside.iterdir()]:
            night.rename((nights if night.name in begun else aside) / night.name)
        for name, data in wanted.items():
            if self._lie.get(name) != data:
                (nights / name).write_bytes(data)
        self._lie = dict(wanted)

    def page(self, files: Files, kept: Sequence[str] = ()) -> Found:
        """What the page's JavaScript names."""
        self._ask(files, kept)
        return _placed(self._judge.answer())

    def _ask(self, files: Files, kept: Sequence[str]) -> None:
        nights: dict[str, dict[str, bytes]] = {}
        for name, lines in files.items():
            night, file = name.split("/")
            nights.setdefault(night, {})[file] = b"".join(lines)
        keys = [self._key] if self._key else []
        self._judge.ask("nights", keys=keys, kept=[*kept], nights=[*nights.values()])


def _placed(fault: Mapping[str, Any] | None) -> Found:
    return None if fault is None else (f"{fault['night']:04d}", fault["file"], fault["line"])


@contextmanager
def judges(state: Path, folder: Path) -> Iterator[Judges]:
    """Both judges for the nights in a state folder; `folder` is for the page's modules."""
    with page_judge(folder) as page:
        yield Judges(state, page)
