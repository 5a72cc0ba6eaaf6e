"""An arm64 machine in QEMU with the card in it: its network, its keyboard, a plug to pull."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.emulated.emulator import SECTOR, Failed, settle, until

MB = 1 << 20
BOOT_AT_MB = 4
CARD_MB = 8000  # what an 8 GB card has
PORTS = (80, 8090, 8443)
PROMPT = "loto-asks> "


def free_port() -> int:
    """A port of this machine that nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Card:
    """A card, and the kernel that its loader would start.

    Attributes:
        disk: the card's content, which the emulator changes only when the plug is pulled.
    """

    def __init__(self, image: Path, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.disk, self.folder = folder / "card", folder
        subprocess.run(["cp", "--sparse=always", image, self.disk], check=True)
        with self.disk.open("r+b") as file:
            file.truncate(CARD_MB * MB)
        first = f"{self.disk}@@{BOOT_AT_MB}M"
        self.files = subprocess.run(
            ["mdir", "-i", first, "-b", "-/", "::/"], check=True, capture_output=True, text=True
        ).stdout.split()
        names = {kind: self._newest(kind) for kind in ("vmlinuz", "initrd.img")}
        for kind, name in names.items():
            subprocess.run(["mcopy", "-n", "-i", first, name, folder / kind], check=True)
        self.kernel, self.initrd = folder / "vmlinuz", folder / "initrd.img"
        self.texts = {}
        for name in ("config.txt", "cmdline.txt"):
            told = subprocess.run(
                ["mtype", "-i", first, f"::/{name}"], check=True, capture_output=True, text=True
            )
            self.texts[name] = told.stdout

    def _newest(self, kind: str) -> str:
        found = [name for name in self.files if name.startswith(f"::/{kind}-")]
        if len(found) != 1:
            raise Failed(f"{kind} on the card's first part: {found}")
        return found[0]


class Machine:
    """One start of it, until the plug is pulled.

    Attributes:
        ports: of this machine, by those of the card's.
    """

    def __init__(self, card: Card, name: str) -> None:
        self._card = card
        self.folder = card.folder / name
        self.folder.mkdir()
        self._log = self.folder / "writes"
        self._log.touch()
        scratch = self.folder / "scratch"
        subprocess.run(["cp", "--sparse=always", card.disk, scratch], check=True)
        both = f"file.driver=file,file.filename={scratch},log.driver=file,log.filename={self._log}"
        self.ports = {port: free_port() for port in PORTS}
        forwards = "".join(
            f",hostfwd=tcp:127.0.0.1:{here}-:{there}" for there, here in self.ports.items()
        )
        self.began = time.monotonic()
        self._process = subprocess.Popen(
            [
                "qemu-system-aarch64",
                *("-nodefaults", "-display", "none", "-no-reboot"),
                *("-machine", "virt", "-cpu", "cortex-a53", "-smp", "2", "-m", "1G"),
                *("-accel", "tcg,thread=multi"),
                *("-kernel", card.kernel, "-initrd", card.initrd),
                *("-append", "root=LABEL=LOTO rw console=ttyAMA0"),
                "-blockdev",
                f"driver=blklogwrites,node-name=disk,log-sector-size={SECTOR},{both}",
                *("-device", "virtio-blk-pci,drive=disk,discard=off,write-zeroes=off"),
                *("-device", "virtio-rng-pci"),
                *("-netdev", f"user,id=net{forwards}", "-device", "virtio-net-pci,netdev=net"),
                *("-chardev", f"socket,id=console,path={self.folder / 'tty'},server=on,wait=off"),
                *("-serial", "chardev:console"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / "emulator").open("wb"),
            stderr=subprocess.STDOUT,
        )
        until((self.folder / "tty").exists, 30, "the emulator's console")
        self._tty = socket.socket(socket.AF_UNIX)
        self._tty.connect(str(self.folder / "tty"))
        self._seen, self._more = "", threading.Condition()
        # Always: a machine whose console nobody reads stands still.
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def age(self) -> float:
        """Seconds since the power came."""
        return time.monotonic() - self.began

    # -- its keyboard ------------------------------------------------------------------------------

    def _type(self, text: str) -> None:
        self._tty.sendall(f"{text}\n".encode())

    def _listen(self) -> None:
        with (self.folder / "console").open("wb") as file, suppress(ConnectionError):
            while part := self._tty.recv(4096):
                file.write(part)
                file.flush()
                with self._more:
                    self._seen += part.decode(errors="replace")
                    self._more.notify_all()

    def _until(self, wanted: str, limit_s: float) -> str:
        """What stood before something that is waited for."""
        with self._more:
            if not self._more.wait_for(lambda: re.search(wanted, self._seen), limit_s):
                tail = self._seen[-2000:]
                raise Failed(f"not within {limit_s:g} s on the console: {wanted!r}; but: {tail}")
            found = re.search(wanted, self._seen)
            assert found is not None
            before, self._seen = self._seen[: found.start()], self._seen[found.end() :]
            return before

    def log_in(self, user: str, password: str, limit_s: float) -> None:
        """Log in at the keyboard, as a person does, and become root."""
        self._until("login: ", limit_s)
        self._type(user)
        self._until("assword: ", 120)
        self._type(password)
        self._until(r"\$ ", 300)
        self._type("sudo -s")
        self._until("assword.*: ", 120)
        self._type(password)
        self._until("# ", 120)
        self._type(f"stty -echo; PS1='{PROMPT}'; export TERM=dumb; set +m")
        self._until(PROMPT, 120)

    def ask(self, command: str, limit_s: float = 300) -> str:
        """What a command says that must succeed."""
        self._type(f"{command}; echo code=$?")
        said = self._until("code=", limit_s).strip()
        code = self._until(PROMPT, 60).strip()
        if code != "0":
            raise Failed(f"{command}: exit code {code}: {said[-600:]}")
        return said

    # -- the plug ----------------------------------------------------------------------------------

    def pull(self, chance: Random) -> tuple[int, int]:
        """Cut the power: the card keeps what was flushed, and of the later writes each or not.

        Returns:
            Writes kept, and lost.
        """
        self.end()
        with self._log.open("rb") as log, self._card.disk.open("r+b") as disk:
            counted = settle(log, disk, chance)
        self._log.unlink()
        (self.folder / "scratch").unlink()
        return counted

    def end(self) -> None:
        """End the emulator as a cut of the power does."""
        self._process.kill()
        self._process.wait()
