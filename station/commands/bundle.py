"""Define `loto bundle`: the archive that carries the station elsewhere, and its builder's key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from typer.core import TyperGroup

from station.base.errors import SettingsError
from station.base.terminal import beside, out
from station.base.tongue import tr
from station.commands.options import Commands, argument, option

MAKE = "make"


class _MakesByItself(TyperGroup):
    """A group whose first word may be the folder to write to: then `make` is meant."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the word `make` first if the group has no such command."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [MAKE, *args]
        return super().parse_args(ctx, args)


commands = Commands(
    "bundle",
    "Make an archive that installs on a machine without network. `loto bundle FOLDER` is `loto"
    " bundle make FOLDER`.",
    cls=_MakesByItself,
    no_args_is_help=False,
)


def builders_key() -> Path:
    """Return where a builder's key is kept if no place is named: outside of every checkout."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path(os.environ.get("HOME") or "/") / ".config"
    return Path(folder) / "loto-station" / "builder.key"


@commands.command(MAKE, says=True)
def make(
    target: Annotated[Path, argument("Folder or file to write to.")] = Path(),
    machine: Annotated[str | None, option("x86_64 or aarch64; this machine's by default.")] = None,
    key: Annotated[Path | None, option("The builder's key, to sign it (loto bundle key).")] = None,
) -> None:
    """Make an archive that installs on a machine without network.

    Signed with a builder's key, it is taken by the stations that know it. A station that knows no
    builder asks.

    Example: loto bundle make /media/stick --machine aarch64
    Example: loto bundle make /media/stick --key ~/.config/loto-station/builder.key
    """
    from station.machine import bundle as bundles
    from station.machine import signing

    made = bundles.make(target, machine, key=key)
    out.print(tr("{made} is ready: unpack it there and type ./loto run", made=made))
    out.print(tr("Its digest, to tell who installs it: {digest}", digest=bundles.digest_of(made)))
    if key is not None:
        public = signing.public_key(signing.load_key(key))
        out.print(tr("Signed with the key: {fingerprint}", fingerprint=signing.fingerprint(public)))


@commands.command("key", says=True)
def key(
    file: Annotated[
        Path | None, argument("Where to keep it; by default ~/.config/loto-station/builder.key")
    ] = None,
) -> None:
    """Make a builder's key, once. Whoever has it can sign what runs on your stations: keep it as
    you keep the cash box's.

    Example: loto bundle key
    Example: loto bundle key /media/stick-of-the-builder/builder.key
    """
    from station.machine import bundle as bundles
    from station.machine import signing

    place = (file or builders_key()).absolute()
    if place.resolve().is_relative_to(bundles.PROJECT):
        why = tr(
            "keep it outside of {folder}: what is in there goes into every bundle",
            folder=bundles.PROJECT,
        )
        raise SettingsError("bundle key", [why])
    public = signing.make_key(place)
    alone = tr("{place} (readable by you alone; make a copy and lock it away)", place=place)
    half, finger = str(place.with_suffix(".pub")), signing.fingerprint(public)
    named = (tr("The key:"), tr("Its public half:"), tr("Its fingerprint:"))
    out.print(beside(*zip(named, (alone, half, finger), strict=True)))
    out.print(
        tr(
            "Tell whoever runs a station the fingerprint, by telephone or on paper. Sign"
            " with: loto bundle --key FILE"
        )
    )
