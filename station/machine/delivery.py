"""Check a release in a file, before any of it is written or runs: whole, signed by whom, how new.

the archive holds what it may (`station.machine.archives`) → each file is in its list of digests,
and as it is there → the list's signature is right → it is the builder's whom this station knows, or
somebody trusts him → it is not older than what runs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from station.base.disk import Disk
from station.base.errors import Damaged, Unreadable
from station.base.system import NotPossibleNow, System, writing
from station.base.tongue import key, tr
from station.machine import signing
from station.machine.archives import GZIP, PACKAGE, Archive, Rules, opened
from station.machine.bundle import HIDDEN, LONGEST_SUMS, SUMS, check_sums, read_sums, version_told
from station.machine.releases import HOME, belongs
from station.machine.signing import KEPT, LONGEST_SIGNATURE, SIGNATURE, Signature, fingerprint

VERSION_FILE = "station/__init__.py"
# Files that are read before anything is unpacked, and how long each may be.
LOOKED_AT = {SUMS: LONGEST_SUMS, SIGNATURE: LONGEST_SIGNATURE, VERSION_FILE: 1 << 16}


def _looked_at(name: str) -> int:
    """Return how many bytes of a member to keep, by `LOOKED_AT`, in the program's own folder."""
    top = _top(name)
    return LOOKED_AT.get(name.removeprefix(top), 0) if top else 0


def _top(name: str) -> str:
    """Return the folder of the program, with its slash: a bundle's first, a package's release."""
    parts = name.split("/")
    deep = 4 if parts[0] == "opt" else 1
    return "/".join(parts[:deep]) + "/" if len(parts) > deep else ""


RULES = Rules(
    key("a release of the station (a bundle, or a Debian package)"),
    frozenset({GZIP, PACKAGE}),
    20_000,
    2 << 30,
    _looked_at,
    HIDDEN,
)


@dataclass(frozen=True)
class DeliveryTerms:
    """What the person who brings a release says about it.

    Attributes:
        sha256: the archive's digest, as its maker told it.
        trust: the fingerprint of its builder's key.
        older: whether it may be older than what runs.
        ask: asked whether a builder, or an archive that nobody signed, is to be trusted.
    """

    sha256: str = ""
    trust: str = ""
    older: bool = False
    ask: Callable[[str], bool] = lambda _: False


@dataclass(frozen=True)
class Delivery:
    """A release in an archive, checked whole.

    Attributes:
        version: that the program says of itself.
        signature: None where nobody signed it.
    """

    archive: Archive
    version: str
    signature: Signature | None
    _places: Mapping[str, str]

    def unpack(self, folder: Path, disk: Disk) -> None:
        """Write what a machine needs of it into a new folder; raises as `Archive.unpack`."""
        self.archive.unpack(
            folder, self._places, disk, lambda mode: 0o755 if mode & 0o100 else 0o644, durable=False
        )


@contextmanager
def delivered(file: Path) -> Iterator[Delivery]:
    """Open a release in a file, checked as a whole.

    Raises:
        Unreadable: it is no release, or holds what no release does.
        Damaged: it was altered since it was made or signed.
        StoreError: it cannot be read.
    """
    with opened(file, RULES) as archive:
        yield _looked_into(archive, file)


def _looked_into(archive: Archive, file: Path) -> Delivery:
    tops = {_top(name) for name in archive.entries}
    top = next(iter(tops)) if len(tops) == 1 else ""
    if not top or (top.startswith("opt/") and not f"/{top}".startswith(f"{HOME}/releases/")):
        what = tr("this is neither a bundle (loto bundle) nor a package of the station")
        raise Unreadable(f"{file}: {what}")
    inside = {name.removeprefix(top): entry for name, entry in archive.entries.items()}
    kept = {name.removeprefix(top): data for name, data in archive.kept.items()}
    if SUMS not in kept:
        raise Damaged(
            tr(
                "{file}: it has no list of digests ({name}): take another copy",
                file=file,
                name=SUMS,
            )
        )
    listed = read_sums(kept[SUMS], str(file))
    if foreign := sorted(inside.keys() - listed.keys() - {SUMS, SIGNATURE}):
        raise Damaged(
            tr(
                "{file}: {name} is in no list of digests: it was put in later",
                file=file,
                name=foreign[0],
            )
        )
    for name, digest in listed.items():
        if name not in inside or inside[name].sha256 != digest:
            raise Damaged(
                tr("{file}: {name} is not as it was made: take another copy", file=file, name=name)
            )
    version = version_told(kept.get(VERSION_FILE, b"").decode("utf-8", "replace"), str(file))
    signature = (
        signing.signed_by(kept[SIGNATURE], kept[SUMS], str(file)) if SIGNATURE in kept else None
    )
    if signature is not None and signature.version != version:
        what = tr(
            "it says that it is {version}, and was signed as {signed}",
            version=version,
            signed=signature.version,
        )
        raise Damaged(tr("{file}: {what}: take another copy", file=file, what=what))
    places = {top + name: name for name in inside if belongs(name)}
    return Delivery(archive, version, signature, places)


def builder_of(delivery: Delivery, known: str | None, wanted: DeliveryTerms) -> str | None:
    """Return the key whose releases the station takes from now on; None if it knows no builder yet.

    Args:
        known: the key that the station has.

    Raises:
        Refused: the release is not the known builder's, or nobody trusts it.
        Damaged: it has another digest than the one given.
    """
    file, sha256, signature = delivery.archive.file, delivery.archive.sha256, delivery.signature
    compared = bool(wanted.sha256)
    if compared and sha256 != wanted.sha256.strip().lower():
        what = tr("its digest is {digest}, not the one that was given", digest=sha256)
        raise Damaged(tr("{file}: {what}: it is not the maker's file", file=file, what=what))
    if signature is None:
        if known is not None or wanted.trust:
            todo = tr("ask for one that is signed (loto bundle --key)")
            raise NotPossibleNow(
                tr(
                    "{file}: nobody signed it, and {wants}: {todo}",
                    file=file,
                    wants=_wants(known),
                    todo=todo,
                )
            )
        what = tr(
            "Nobody signed this release ({version}). Its digest is\n  {digest}",
            version=delivery.version,
            digest=sha256,
        )
        question = tr("{what}\nTrust it, because its maker told you the same digest?", what=what)
        if not compared and not wanted.ask(question):
            raise NotPossibleNow(tr("{file}: not trusted; nothing was changed", file=file))
        return None
    told = fingerprint(signature.key)
    if wanted.trust:
        if not signing.is_fingerprint(wanted.trust, signature.key):
            what = tr(
                "it is signed with the key {told}, not with the one that was typed", told=told
            )
            raise NotPossibleNow(tr("{file}: {what}; nothing was changed", file=file, what=what))
        return signature.key
    if known is not None and known != signature.key:
        raise NotPossibleNow(
            tr(
                "{file}: it is signed with the key {told}, and {wants}. Has the builder a new"
                " key? Ask for its fingerprint by telephone, and give it with --trust",
                file=file,
                told=told,
                wants=_wants(known),
            )
        )
    question = tr(
        "This station knows no builder yet. The release {version} is signed with the"
        " key\n  {told}\nTrust it, and from now on only what is signed with it? Its"
        " maker can read the key's fingerprint to you.",
        version=delivery.version,
        told=told,
    )
    if known is None and not compared and not wanted.ask(question):
        raise NotPossibleNow(tr("{file}: not trusted; nothing was changed", file=file))
    return signature.key


def _wants(known: str | None) -> str:
    if known:
        return tr(
            "this station takes only what is signed with {fingerprint}",
            fingerprint=fingerprint(known),
        )
    return tr("a fingerprint was given")


def refuse_older(version: str, running: str, wanted: DeliveryTerms) -> None:
    """Check that a release is not older than the running one, unless an older one was asked for.

    Raises:
        Refused: it is older, or its age cannot be told.
    """
    if wanted.older:
        return
    try:
        is_older = Version(version) < Version(running)
    except InvalidVersion:
        is_older = version != running
    if is_older:
        why = tr(
            "{version} is not newer than {running}, which runs: old faults would come back",
            version=version,
            running=running,
        )
        todo = tr("To the release before: loto update --back; to this one: add --older")
        raise NotPossibleNow(f"{why}. {todo}")


def builder_in(folder: Path) -> Signature | None:
    """Return who signed the program in a folder; None if nobody did, or it was changed since."""
    try:
        with (folder / SIGNATURE).open("rb") as signature, (folder / SUMS).open("rb") as listed:
            data, sums = signature.read(LONGEST_SIGNATURE), listed.read(LONGEST_SUMS)
        found = signing.signed_by(data, sums, str(folder))
        check_sums(folder)
    except (OSError, Unreadable):  # `Damaged` is an `OSError`
        return None
    return found


def meet_builder(folder: Path, system: System, *, only_say: bool = False) -> list[str]:
    """Keep the key that signed a program being installed, if the machine knows no builder yet.

    Args:
        only_say: change nothing.

    Returns:
        What to say about it, one line at most.

    Raises:
        StoreError: the key that is kept cannot be read, or written.
    """
    signature, kept = builder_in(folder), system.at(KEPT)
    known = known_builder(system)
    if signature is None or known == signature.key:
        return []
    told = fingerprint(signature.key)
    if known is not None:
        before = tr(
            "updates must be signed with {fingerprint} as before: {kept}",
            fingerprint=fingerprint(known),
            kept=kept,
        )
        return [tr("this program is signed with {told}; {before}", told=told, before=before)]
    if not only_say:
        meet(signature.key, system)
    return [
        tr(
            "from now on only releases are taken that are signed with {told}: {kept}",
            told=told,
            kept=kept,
        )
    ]


def known_builder(system: System) -> str | None:
    """Return the key whose releases a machine takes; raises as `kept_key`."""
    return signing.kept_key(system.at(KEPT), system.root.stat().st_uid)


def meet(builder: str, system: System) -> None:
    """Make this the key whose releases a machine takes.

    Raises:
        StoreError: it cannot be written.
    """
    kept = system.at(KEPT)
    with writing(kept):
        signing.keep_key(kept, builder, system.disk)
