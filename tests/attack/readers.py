"""Every place in the program that reads a JSON or TOML file, or such a text from the network, and
how it is attacked. As a program: attack all of them, with little memory, and print the answers."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
NOBODY = 65_534
CPU_S, MEMORY, PATIENCE_S = 300, 2 << 30, 30

# -- who reads -------------------------------------------------------------------------------------

# The one place that protects, and its smaller sister for the drivers: they import nothing of ours.
PLACES = {
    "station.base.untrusted": {
        *("file_bytes", "toml_from", "json_from", "table_from", "read_toml", "read_json"),
        "named_bytes",
    },
    "station.programme.programme": {"read_toml"},  # the same, with the errors of settings
    "drivers.given": {"file_bytes", "message_from"},
}
PARSERS = {
    *(("json", name) for name in ("load", "loads", "JSONDecoder")),
    *(("tomllib", name) for name in ("load", "loads")),
    *(("tomlkit", name) for name in ("load", "loads", "parse")),
    *(("msgspec.json", name) for name in ("decode", "Decoder")),
}
METHODS = {"model_validate_json", "validate_json", "raw_decode"}
BY_ITSELF = "parses by itself"


def dotted(node: ast.AST) -> str:
    """A name with its dots, "msgspec.json"; empty for anything else."""
    if isinstance(node, ast.Attribute) and (left := dotted(node.value)):
        return f"{left}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def found_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each function of a module that reads JSON or TOML, with the place that it reads through."""
    through: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            library = str(node.module)
            for alias in node.names:
                if alias.name in PLACES.get(library, ()):
                    through[alias.asname or alias.name] = f"{library}.{alias.name}"
                elif (library, alias.name) in PARSERS or library == "msgspec":
                    through[alias.asname or alias.name] = BY_ITSELF
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname and alias.name in ("json", "tomllib", "tomlkit", "msgspec"):
                    through[alias.asname] = BY_ITSELF
    yield from _within(tree, "", through)


def _within(node: ast.AST, inside: str, through: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        name = inside
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{child.name}".lstrip(".")
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load) and child.id in through:
            yield inside, through[child.id]
        elif isinstance(child, ast.Attribute):
            library = dotted(child.value)
            if child.attr in METHODS or (library, child.attr) in PARSERS:
                yield inside, BY_ITSELF
            for place, names in PLACES.items():
                if library in (place, place.rpartition(".")[2]) and child.attr in names:
                    yield inside, f"{place}.{child.attr}"
        yield from _within(child, name, through)


def readers() -> dict[str, set[str]]:
    """Every function of the program that reads, as "file function", with what it reads through."""
    found: dict[str, set[str]] = {}
    for folder in ("station", "drivers", "setup", "hw"):
        for file in sorted((PROJECT / folder).rglob("*.py")):
            for function, place in found_in(ast.parse(file.read_text(encoding="utf-8"))):
                key = f"{file.relative_to(PROJECT)} {function}".rstrip()
                found.setdefault(key, set()).add(place)
    return {key: places for key, places in found.items() if not key.startswith("station/base/untr")}


# -- how each is attacked --------------------------------------------------------------------------


@dataclass(frozen=True)
class Reader:
    """A way to one that reads a file.

    Attributes:
        name: the file, in a folder that is made for it.
        good: what is read without a fault.
        read: reads it.
        quiet: why the program says nothing if the file cannot be read; empty if it must.
        named: whether the sentence has the file's name.
    """

    name: str
    good: bytes
    read: Callable[[Path], object]
    quiet: str = ""
    named: bool = True


@dataclass(frozen=True)
class Text:
    """One that reads a text which another has fetched: from a file, a socket, an archive."""

    good: bytes
    read: Callable[[bytes], object]
    toml: bool = False
    quiet: str = ""


def of(place: str) -> Any:
    """A function of the program, "module:name"; loaded when it is wanted."""
    module, _, name = place.partition(":")
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def by_path(place: str) -> Callable[[Path], object]:
    return lambda path: of(place)(path)


def by_folder(place: str, *more: object) -> Callable[[Path], object]:
    return lambda path: of(place)(path.parent, *more)


def by_text(place: str) -> Callable[[bytes], object]:
    return lambda text: of(place)(text)


def disk() -> Any:
    return of("station.base.disk:Disk")()


def machine(path: Path) -> Any:
    """The machine in whose root the file is."""
    root = next(one for one in path.parents if one.name == "machine")
    return of("station.base.system:System")(root=root, here=False)


def set_up(path: Path) -> object:
    words = ["setup", "--config", str(path), "--yes"]
    with open(os.devnull, "w", encoding="utf-8") as nothing, redirect_stdout(nothing):
        return of("station.commands.app:app")(words, standalone_mode=False)


def checked(path: Path) -> object:
    with open(os.devnull, "w", encoding="utf-8") as nothing, redirect_stdout(nothing):
        return of("station.commands.programme:programme_check")(path)


def look_of(path: Path) -> object:
    load_look = of("station.wire.looks:load_look")
    load_look.cache_clear()
    return load_look(str(path))


def door_of(path: Path) -> object:
    hall, clock = SimpleNamespace(night=1, people=()), of("station.base.clock:Clock")()
    return of("station.core.doorkeeper:Doorkeeper")(
        lambda: hall, None, None, clock, path.parent, disk()
    )


def pins_of(path: Path) -> object:
    proofs = of("station.core.proofs:Proofs")(None, None, path.parent, disk())
    return asyncio.run(proofs.answer({"do": "show"}, of("tests.support:ADMIN")))


def done_of(path: Path) -> object:
    """Root's half of the first start: how it came out stands in a file."""
    first = "station.machine.first_start.finishing"
    there = machine(path)
    path.touch() if not os.path.lexists(path) else None
    of(f"{first}:Doing")(there, None, lambda *_: None).do()
    told = json.loads(there.at(of(f"{first}:TOLD")).read_text(encoding="utf-8"))
    if fault := told.get("fault"):
        raise of("station.base.errors:Unreadable")(fault)
    return told


def waited_for(path: Path) -> object:
    """The page's half: how it came out."""
    page = of("station.screens.web.first:FirstPage")(
        "code", None, path.parent, path, step="x", number="1"
    )
    page._look()
    return page


def marked(path: Path) -> object:
    os.environ["CREDENTIALS_DIRECTORY"] = str(path.parent)
    return of("station.commands.first_start:_kept")()


def copies_of(path: Path) -> object:
    """Read a night's copy of its programme. An attacker who writes it can also give it the name of
    its digest."""
    night = path.parent
    try:
        data = of("station.base.disk:Disk")().read(path)
    except OSError:
        data = None
    name = f"programme-{sha256(data or b'').hexdigest()[:16]}.json"
    path.rename(night / name)
    pack = of("tests.support:small_pack")().to_csv().encode()
    cards = f"pack-{sha256(pack).hexdigest()[:16]}.csv"
    (night / cards).write_bytes(pack)
    opening = SimpleNamespace(copies=(name, cards))
    return of("station.record.copies:read_copies")(night, opening)


def unsealed(text: bytes) -> object:
    """A journal's first line."""
    chain = "station.record.chain"
    return of(f"{chain}:unseal")(text.removesuffix(b"\n"), of(f"{chain}:START"))


def programme() -> bytes:
    shipped = PROJECT / "station/programme/programmes"
    return sorted(shipped.glob("*.toml"))[0].read_bytes()


def cards_in_json() -> bytes:
    pack = of("tests.support:small_pack")()
    return json.dumps({one: pack.card(one).rows for one in pack.serials}).encode()


def copied() -> bytes:
    shipped = of("station.programme.check:load_programme")(
        PROJECT / "station/programme/programmes/hall-bingo.toml"
    )
    data: bytes = shipped.model_dump_json().encode()
    return data


def sealed() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return of("tests.sealed_halls:Organiser")(Path(folder) / "o").path.read_bytes()


@cache
def opened() -> tuple[Any, bytes]:
    """A sealed game, and a hall's opening of it."""
    with tempfile.TemporaryDirectory() as folder:
        halls, games = "tests.sealed_halls", "station.record.sealed_games"
        game = of(f"{halls}:Organiser")(Path(folder) / "o").game
        hall = of(f"{halls}:Hall")(Path(folder) / "hall", [0])
        hall.open(game)
        [(_, data)] = of(f"{games}:openings_of")(hall.folder)
    return game, data


def opening_read(text: bytes) -> object:
    """A hall's opening, as the organiser's own computer reads it."""
    return of("station.record.sealed_games:read_opening")(text, opened()[0], "opening")


def released() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        key = of("station.record.station_key:make_key")(Path(folder))
    data: bytes = of("station.machine.signing:sign")(b"", "1.0.0", key)
    return data


def kept_line() -> bytes:
    chain = "station.record.chain"
    at = {"wall": "2023-11-14T23:00:00+01:00"}
    entry = {"id": "1", "at": at, "by": "x", "via": "x", "do": {}, "then": {}, "mono": 1.5}
    signer = of("station.record.heads:Signer.of")(of("tests.support:STATION_KEY"), 1)
    line: bytes = of(f"{chain}:seal")(entry, of(f"{chain}:START"), signer)[0]
    return line


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f64540"
    "0000000049454e44ae426082"
)
MANIFEST = {"language": "en", "style": "plain", "maker": "x", "rate": 22050, "clips": {}}
HIDDEN = "station.record.hidden:parts_of"
ETC = "machine/etc/loto-station"
PROFILE = b'profile = "simulated"\n'
OF_SETTINGS = Reader("station.toml", PROFILE, lambda path: of(LOAD)(file=path))
LOAD = "station.settings.config:load_settings"
SHIPS = "a file of the program itself, whose name nobody chooses: "
OURS = "another process of the station writes it: "

# Every reader that `readers` finds: how it is attacked, or why nobody can.
READERS: dict[str, Reader | Text | str] = {
    # settings and what they name
    "station/settings/config.py load_settings": OF_SETTINGS,
    "station/programme/programme.py read_toml": OF_SETTINGS,
    "station/commands/setup.py setup": Reader("station.toml", PROFILE, set_up),
    "station/machine/backup.py named_files": Reader(
        "station.toml",
        PROFILE,
        by_path("station.machine.backup:named_files"),
        quiet="a faulty file is copied as it is; only what it names stays behind",
    ),
    "station/machine/install.py profile_in": Reader(
        f"{ETC}/station.toml",
        PROFILE,
        lambda path: of("station.machine.install:profile_in")(machine(path)),
    ),
    "station/machine/own_drivers.py OwnDrivers.__init__": Reader(
        f"{ETC}/station.toml",
        PROFILE,
        lambda path: of("station.machine.own_drivers:OwnDrivers")(machine(path), "x"),
    ),
    "setup/prepare.py profile_in": Reader(
        "station.toml",
        PROFILE,
        by_path("setup.prepare:profile_in"),
        quiet="the station reads it next, and says what is wrong",
    ),
    "station/programme/check.py load_programme": Reader(
        "night.toml", programme(), by_path("station.programme.check:load_programme")
    ),
    "station/commands/programme.py programme_check": Reader("night.toml", programme(), checked),
    "station/programme/themes/__init__.py read_theme": Reader(
        "theme.toml", b"a = 1", by_folder("station.programme.themes:read_theme")
    ),
    "station/paper/prints/cardprint.py load_colours": Reader(
        "colours.toml",
        b'colours = ["#ffd6d6"]',
        by_path("station.paper.prints.cardprint:load_colours"),
    ),
    "station/wire/looks/__init__.py load_look": Reader("look.toml", b"", look_of),
    "station/wire/wording/__init__.py _tables": Reader(
        "en.toml",
        b"",
        lambda path: of("station.wire.wording:load_wording")("en", own=path.parent),
    ),
    "station/settings/allowed.py allowed_packages": Reader(
        "allowed-drivers", b"hall-pads\n", by_path("station.settings.allowed:allowed_packages")
    ),
    "station/settings/allowed.py wheel_digest": Reader(
        "x.whl",
        b"x",
        by_path("station.settings.allowed:wheel_digest"),
        quiet="any bytes have a digest; what is no file is named",
    ),
    "station/wire/looks/logo.py read_logo": Reader(
        "logo.png", PNG, by_path("station.wire.looks.logo:read_logo")
    ),
    "station/paper/prints/cardprint.py load_logo": Reader(
        "logo.png", PNG, by_path("station.paper.prints.cardprint:load_logo")
    ),
    "station/programme/themes/pictures.py _opened": (
        "a part of a theme: its size is asked first, and a pipe or device has none"
    ),
    "station/cards/pack.py pack_bytes": Reader(
        "pack.csv",
        of("tests.support:small_pack")().to_csv().encode(),
        by_path("station.cards.pack:Pack.load"),
    ),
    "station/cards/pack_files.py as_table": Reader(
        "pack.json",
        cards_in_json(),
        by_path("station.cards.pack:load_cards"),
    ),
    # the state folder
    "station/settings/tags.py table_from": Reader(
        "tags.toml", b"format = 1\n[tags]\n", by_folder("station.settings.tags:load_table")
    ),
    "station/settings/tags.py bring_table": Reader(
        "tags.toml",
        b"x",
        lambda path: of("station.settings.tags:bring_table")(path, path.parent / "there"),
        quiet="it is copied as it is, and read where it is copied to",
    ),
    "station/record/forgotten.py load_forgotten": Reader(
        "forgotten.json",
        json.dumps({"key": "0" * 64}).encode(),
        by_folder("station.record.forgotten:load_forgotten"),
    ),
    "station/core/doorkeeper.py Doorkeeper._read_tries": Reader(
        ".pairing-tries.json",
        b'{"night": 1, "wrong": 2}',
        door_of,
        quiet="pairing is closed then, and the log says what to do",
    ),
    "station/core/doorkeeper.py Doorkeeper._read_used": Reader(
        ".pairings-used.json",
        b"{}",
        door_of,
        quiet="nobody was here then; the log says so",
    ),
    "station/core/proofs.py Proofs._read": Reader(".pins.json", b"{}", pins_of),
    "station/record/station_key.py key_of": Reader(
        "station.key", b"1" * 64, by_folder("station.record.station_key:key_of")
    ),
    "station/record/station_key.py load_public_key": Reader(
        "station.pub", b"1" * 64, by_folder("station.record.station_key:load_public_key")
    ),
    "station/cards/cards_key.py load_key": Reader(
        "cards.key", b"1" * 64, by_folder("station.cards.cards_key:load_key")
    ),
    # a night
    "station/record/copies.py read_copies": Reader("copy.json", copied(), copies_of, named=False),
    "station/record/hidden.py _in_file": Reader(
        ".sealed.jsonl", b"", lambda path: of(HIDDEN)(path.parent, (), disk())
    ),
    "station/record/chain.py unseal": Text(kept_line(), unsealed),
    "station/record/chain.py _parsed": Text(
        kept_line().removesuffix(b"\n"), by_text("station.record.chain:alone")
    ),
    "station/record/chain.py": "the parser of `unseal`, made once",
    "station/checkup/tail.py _line": Reader(
        "journal.jsonl",
        b"",
        lambda path: of("station.checkup.tail:read_tail")(path, disk()),
        quiet="the health page shows no line then; the audit says what is wrong",
    ),
    "station/record/tiles.py write_tiles": (
        "the folder of published tiles, which `loto journal tiles` has written"
    ),
    # what others send
    "station/record/sealed_games.py _read": Reader(
        "x.sealed", sealed(), by_path("station.record.sealed_games:read_game")
    ),
    "station/record/sealed_games.py read_opening": Text(opened()[1], opening_read),
    "station/commands/sealed.py release": "an opening, read by `read_opening`",
    "station/commands/journal.py _read_heads": Reader(
        "heads", b"", lambda path: of("station.commands.journal:_read_heads")(path, (), path.parent)
    ),
    "station/machine/backup.py BackupManifest.from_json": Text(
        b'{"format": 1, "version": "1", "files": [], "heads": []}',
        lambda text: of("station.machine.backup:BackupManifest.from_json")(text, "backup.tar"),
    ),
    "station/machine/backup.py own_drivers": Text(
        PROFILE,
        lambda text: of("station.machine.backup:own_drivers")(SimpleNamespace(kept={"x": text})),
        toml=True,
        quiet="settings that cannot be read load nothing",
    ),
    "station/machine/signing.py signed_by": Text(
        released(), lambda text: of("station.machine.signing:signed_by")(text, b"", "release")
    ),
    "station/wire/wire.py decode": Text(b"{}", by_text("station.wire.wire:decode_asked")),
    "station/screens/web/passing.py _Asked.json": (
        "each body; `test_each_body_is_read_by_the_one_place`"
    ),
    "station/night/table/game.py parse_move": "a move that `decode` has read, written once more",
    "drivers/given.py message_from": Text(
        b"{}",
        by_text("drivers.given:message_from"),
        quiet="processes of the station write them: they are bounded, and need no further rules",
    ),
    "drivers/voice/pack.py VoicePack.load": Reader(
        "manifest.json",
        json.dumps(MANIFEST).encode(),
        by_folder("drivers.voice.pack:VoicePack.load"),
    ),
    "station/checkup/health.py read_voice": Reader(
        "manifest.json",
        json.dumps(MANIFEST).encode(),
        lambda path: of("station.checkup.health:read_voice")(path.parent, disk()),
        quiet="the health page has no line on it then; `voice check` says what is wrong",
    ),
    "station/screens/web/app.py _clips": Reader(
        "manifest.json",
        b'{"clips": {}}',
        by_folder("station.screens.web.app:_clips"),
        quiet="pages stay silent then; the log says so",
    ),
    "station/screens/web/certificate.py _read": Reader(
        "x.pem",
        b"",
        by_path("station.screens.web.certificate:_read"),
        quiet="another certificate is made then",
    ),
    "station/paper/export.py _is_our_folder": Reader(
        "export.json",
        b"{}",
        by_folder("station.paper.export:_is_our_folder"),
        quiet="it is no folder of ours then, and is not written over",
    ),
    # the machine
    "station/machine/install.py Installation.__init__": Reader(
        "machine/opt/loto-station/installed.json",
        b"{}",
        lambda path: of("station.machine.install:Installation")(machine(path)),
    ),
    "station/machine/first_start/finishing.py _taken": Reader(
        "machine/run/loto-first-page/asked.json",
        b'{"do": "end", "number": "1"}',
        done_of,
        named=False,
    ),
    "station/screens/web/first.py FirstPage._look": Reader(
        "told.json", b"{}", waited_for, quiet="it waits: root has not told yet"
    ),
    "station/commands/first_start.py _kept": Reader("first-start.json", b"{}", marked),
    "setup/prepare.py read_stamp": Reader(
        "loto-station.json",
        b"{}",
        by_folder("setup.prepare:read_stamp"),
        quiet="the environment is made again then",
    ),
    "station/machine/setup/file.py to_toml": Text(
        b"# x\n",
        lambda text: of("station.machine.setup.file:to_toml")(
            {"a": 1}, text.decode(errors="replace")
        ),
        toml=True,
        quiet="the program writes it again",
    ),
    "station/machine/setup/file.py _joined": "`to_toml` reads it by the strict rules first",
    # a process of our own
    "station/commands/papers.py _heard": OURS + "papers",
    "station/commands/papers.py main": OURS + "the core",
    "station/paper/export.py _gives": "what this process has written as JSON a moment before",
    "drivers/voice/names.py main": OURS + "the core",
    "drivers/voice/outputs.py sound_outputs": OURS + "it lists the sound devices",
    "drivers/voice/speech.py Speech._listen": OURS + "the voice",
    "drivers/voice/worker.py main": OURS + "the core",
    "setup/check_wheels.py faults": "what pip has written, in the workshop alone",
    "hw/dice-tower/main.py Pockets.__init__": "the flash of the tower's own chip",
    # the program's own files
    **dict.fromkeys(
        (
            "station/base/catalogues.py translations",
            "station/commands/grouped.py GroupedHelp.format_commands",
            "station/odds/fair/battery.py longest_rise",
            "station/programme/kin/__init__.py load_kin",
            "station/settings/voices.py shipped_maker",
            "station/screens/web/checking.py check_file",
            "station/screens/web/worded.py _words",
            "station/wire/looks/__init__.py sizes",
            "station/machine/wiring/cutting.py _facts",
            "station/machine/wiring/board.py facts",
            "station/machine/wiring/shopping.py shopping",
            "drivers/board/picture.py _drawings",
        ),
        SHIPS,
    ),
}


# -- the attack ------------------------------------------------------------------------------------


def as_pipe(path: Path) -> None:
    os.mkfifo(path)


def as_socket(path: Path) -> None:
    os.chdir(path.parent)  # a socket's name may not be long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def as_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def as_loop(path: Path) -> None:
    path.symlink_to(path.name)


def as_folder(path: Path) -> None:
    path.mkdir()


def as_huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)  # sparse: takes no room


def as_secret(path: Path) -> None:
    path.write_bytes(b"")
    path.chmod(0)


FILES = {make.__name__: make for make in (as_pipe, as_socket, as_device, as_loop, as_folder)}
FILES |= {make.__name__: make for make in (as_huge, as_secret)}


class Hang(BaseException):
    """It took longer than anybody waits."""


def _late(*_: object) -> None:
    raise Hang


@contextmanager
def unprivileged(only: bool) -> Iterator[None]:
    """Without root's rights, where root runs the tests: root may read everything."""
    apart = only and os.geteuid() == 0
    os.seteuid(NOBODY) if apart else None
    try:
        yield
    finally:
        os.seteuid(0) if apart else None


def outcome(read: Callable[[], object], *, apart: bool = False) -> list[str]:
    """How a reader answers: the kind of its answer, and its sentence."""
    from drivers import DriverError
    from station.base.errors import LotoError

    signal.alarm(PATIENCE_S)
    try:
        with unprivileged(apart):
            read()
    except (LotoError, DriverError) as error:
        return ["sentence", str(error)]
    except Hang:
        return ["hang", ""]
    except ValueError as error:
        return ["ValueError", f"{type(error).__name__}: {error}"]
    except Exception as error:  # noqa: BLE001 - this is what must not come
        return [type(error).__name__, str(error)]
    finally:
        signal.alarm(0)
    return ["returned", ""]


def attacked(reader: Reader | Text) -> Iterator[tuple[str, list[str]]]:
    """Every answer of a reader, by what it was given; "good" first."""
    from tests.attack.test_inputs import JSON, TOML

    if isinstance(reader, Text):
        yield "good", outcome(lambda: reader.read(reader.good))
        for what, (data, _) in (TOML if reader.toml else JSON).items():
            yield what, outcome(lambda data=data: reader.read(data))  # type: ignore[misc]
        return
    given = {what: data for what, (data, _) in (JSON if ".json" in reader.name else TOML).items()}
    for what in ("good", *FILES, *given):
        folder = Path(tempfile.mkdtemp(prefix="loto-readers-"))
        path = folder / reader.name
        path.parent.mkdir(parents=True, exist_ok=True)
        for one in (folder, *path.parents[: len(Path(reader.name).parts) - 1]):
            one.chmod(0o777)
        if what in FILES:
            FILES[what](path)
        else:
            path.write_bytes(reader.good if what == "good" else given[what])
            path.chmod(0o600)
        try:
            yield what, outcome(lambda: reader.read(path), apart=what == "as_secret")  # noqa: B023
        finally:
            shutil.rmtree(folder)


def main() -> None:
    """Attack all of them, or those that are named, and print the answers as JSON."""
    signal.signal(signal.SIGALRM, _late)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    told = {
        key: dict(attacked(reader))
        for key, reader in READERS.items()
        if not isinstance(reader, str) and (not sys.argv[1:] or key in sys.argv[1:])
    }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
