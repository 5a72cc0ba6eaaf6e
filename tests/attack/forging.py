"""Archives as nobody's program writes them, byte by byte, and the answer that each must get."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from station.machine import signing

BLOCK = 512
END = bytes(2 * BLOCK)
USTAR, GNU = b"ustar\x0000", b"ustar  \0"
VICTIM = "tmp/loto-attack/victim"  # below the machine's root; what is called so must stay as it is
REFUSED, USAGE, DAMAGED = 1, 2, 4


def header(
    name: bytes,
    size: int = 0,
    *,
    kind: bytes = b"0",
    mode: int = 0o644,
    link: bytes = b"",
    prefix: bytes = b"",
    magic: bytes = USTAR,
    raw_size: bytes | None = None,
) -> bytes:
    """One block that says what comes, its sum right."""
    said = b"%011o\0" % (size & 0o77777777777) if raw_size is None else raw_size
    block = (
        name[:100].ljust(100, b"\0")
        + b"%07o\0" % mode
        + b"0000000\0" * 2
        + said
        + b"00000000000\0"
        + b" " * 8
    )
    block += (
        kind
        + link[:100].ljust(100, b"\0")
        + magic
        + bytes(64)
        + b"0000000\0" * 2
        + prefix.ljust(155, b"\0")
    )
    block = block.ljust(BLOCK, b"\0")
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def member(name: str | bytes, data: bytes = b"", **more: Any) -> bytes:
    """A file, with what an honest writer puts before it where its name is long or not ASCII."""
    if isinstance(name, bytes):
        return header(name, len(data), **more) + padded(data)
    short, before = name.encode("ascii", "replace")[:100], b""
    if short != name.encode():
        before = pax(path=name.encode("utf-8", "surrogatepass"))
    return before + header(short, len(data), **more) + padded(data)


def pax(_kind: bytes = b"x", **records: bytes) -> bytes:
    """A header that goes before another; two underscores in a key stand for a dot."""
    data = b""
    for key, value in records.items():
        rest = b" " + key.replace("__", ".").encode() + b"=" + value + b"\n"
        length = len(rest) + 1
        while len(b"%d" % length) + len(rest) != length:
            length += 1
        data += b"%d" % length + rest
    return member(b"PaxHeaders/x", data, kind=_kind)


def manifest(files: Mapping[str, bytes], /, **more: Any) -> bytes:
    """The manifest of a backup of these files."""
    kept = [
        {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "mode": 0o777}
        for name, data in files.items()
    ]
    return json.dumps({"format": 1, "version": "0.1.0", "heads": [], "files": kept} | more).encode()


def backup(
    files: Mapping[str, bytes], *, before: bytes = b"", told: bytes | None = None, end: bytes = END
) -> bytes:
    """A backup of these files, whatever they are called, and what else is put before them."""
    inside = b"".join(member(name, data, mode=0o777) for name, data in files.items())
    return (
        before + inside + member("manifest.json", manifest(files) if told is None else told) + end
    )


def holding(name: str | bytes, **more: Any) -> bytes:
    """A backup with one file more, which its manifest names, too."""
    known = name if isinstance(name, str) else name.decode("utf-8", "replace")
    data = more.pop("data", b"forged")
    return backup(GOOD, before=member(name, data, **more), told=manifest({**GOOD, known: data}))


GOOD = {"state/tags.toml": b"# tags\n", "settings/evening.toml": b"# an evening\n"}


@dataclass(frozen=True)
class Forged:
    """An archive, and the answer that it must get.

    Attributes:
        make: its bytes.
        said: what the sentence must hold.
        code: the exit code.
        words: typed after the command.
        known: whether the machine has a builder's key already.
    """

    name: str
    make: Callable[[], bytes]
    said: str
    code: int
    words: tuple[str, ...] = ()
    known: bool = False


PLAIN, OUT, WHOLE = "is not written plainly", "leads outside", "is a place of the whole machine"
CHARACTER, TWICE, BOTH, ODD = (
    "has a character",
    "is there twice",
    "as a file and as a folder",
    "has headers that no such file has",
)

# What may be wrong with any member, as a name or as its bytes, and what is said of it.
NAMES: dict[str, tuple[str | bytes, str]] = {
    "a double slash": (f"state//{VICTIM}", PLAIN),
    "a dot in front": ("./state/x", PLAIN),
    "a dot between": ("state/./x", PLAIN),
    "a slash behind": (b"state/x/", PLAIN),
    "no name": (b"", PLAIN),
    "absolute": (f"/{VICTIM}", WHOLE),
    "absolute twice": (f"//{VICTIM}", WHOLE),
    "up and out": (f"state/../../../{VICTIM}", OUT),
    "up at once": ("../outside", OUT),
    "up and in again": ("state/a/../b", OUT),
    "hidden": ("state/.ssh/authorized_keys", "is hidden"),
    "hidden at once": (".restored/x", "is hidden"),
    "backslashes": ("state\\..\\x", CHARACTER),
    "a new line": ("state/a\nb", CHARACTER),
    "a terminal's code": ("state/\x1b[2Jx", CHARACTER),
    "written backwards": ("state/\u202etxt.exe", CHARACTER),
    "not UTF-8": (b"state/\xff\xfe", "is not UTF-8"),
    "half a character": (b"state/\xed\xa0\x80", "is not UTF-8"),
    "a long part": (f"state/{'x' * 241}", "is too long"),
    "a long name": ("state/" + "/".join(["y" * 150] * 10), "is too long"),
    "too deep": ("state/" + "/".join("d" * 40), "is too long"),
    "behind a zero": (b"state/x\0/../../etc", "behind the end of its name"),
}
KINDS = {
    "a link": (b"2", {"link": b"/etc/passwd"}, "is a link"),
    "a link within": (b"2", {"link": b"tags.toml"}, "is a link"),
    "a hard link": (b"1", {"link": b"state/tags.toml"}, "is a link"),
    "a device": (b"3", {}, "is a device"),
    "a disk": (b"4", {}, "is a device"),
    "a pipe": (b"6", {}, "is a pipe"),
    "holes, of old": (b"S", {"magic": GNU}, "is a file with holes"),
    "a long link": (b"K", {"magic": GNU}, "is a link"),
    "a header for all": (b"g", {}, "is a header for all that follows"),
    "a part of a volume": (b"M", {"magic": GNU}, "of an unknown kind"),
    "in one piece": (b"7", {}, "of an unknown kind"),
    "a list of a folder": (b"D", {"magic": GNU}, "of an unknown kind"),
}
HEADERS = {
    "another name": (pax(path=b"state/other") + member(b"state/x"), "in another place"),
    "another name, of old": (
        member(b"././@LongLink", b"state/other\0", kind=b"L", magic=GNU) + member(b"state/x"),
        "another place",
    ),
    "another size": (
        pax(size=b"8589934592") + member(b"state/x"),
        "a header that changes it ('size')",
    ),
    "another target": (
        pax(linkpath=b"/etc/passwd") + member(b"state/x"),
        "a header that changes it",
    ),
    "holes": (
        pax(GNU__sparse__major=b"1", GNU__sparse__realsize=b"8589934592") + member(b"state/x"),
        "a header that changes it",
    ),
    "rights of the kernel": (
        pax(SCHILY__xattr__security__capability=b"\1") + member(b"state/x"),
        "a header that changes it",
    ),
    "another alphabet": (
        pax(hdrcharset=b"BINARY") + member(b"state/x"),
        "a header that changes it",
    ),
    "two headers": (pax(mtime=b"1") + pax(path=b"state/x") + member(b"state/x"), ODD),
    "one key twice": (
        member(b"PaxHeaders/x", b"8 uid=1\n" * 2, kind=b"x") + member(b"state/x"),
        ODD,
    ),
    "a torn record": (
        member(b"PaxHeaders/x", b"99 path=state/x\n", kind=b"x") + member(b"state/x"),
        ODD,
    ),
    "a record of no length": (
        member(b"PaxHeaders/x", b"0 path=x\n", kind=b"x") + member(b"state/x"),
        ODD,
    ),
    "a header of 8 GB": (
        header(b"PaxHeaders/x", kind=b"x", raw_size=b"\x80" + (8 << 30).to_bytes(11, "big")),
        ODD,
    ),
    "a name of 8 GB": (
        header(b"L", kind=b"L", magic=GNU, raw_size=b"\x80" + (8 << 30).to_bytes(11, "big")),
        ODD,
    ),
    "less than nothing": (header(b"state/x", raw_size=b"\xff" * 12), ODD),
    "a folder with bytes": (member(b"state/x/", b"bytes", kind=b"5"), ODD),
    "of no known format": (member(b"state/x", magic=bytes(8)), ODD),
    "twice": (member(b"state/x") * 2, TWICE),
    "a file, then its folder": (member(b"state/x") + member(b"state/x/y"), BOTH),
    "a folder, then its file": (member(b"state/x/y") + member(b"state/x"), BOTH),
    "a folder like a file": (member(b"state/x") + member(b"state/x/", kind=b"5"), BOTH),
}


def within(top: str, raw: str | bytes) -> str | bytes:
    """The same fault in a bundle, whose files are below one folder."""
    begun = raw.startswith(b"state") if isinstance(raw, bytes) else raw.startswith("state")
    if not begun:
        return raw
    return top.encode() + raw[5:] if isinstance(raw, bytes) else top + raw[5:]


def of_backups() -> Iterable[Forged]:
    """Backups, for `loto backup --check` and `--restore`."""
    for name, (raw, said) in NAMES.items():
        yield Forged(name, lambda raw=raw: holding(raw), said, USAGE)
    for name, (kind, more, said) in KINDS.items():
        yield Forged(
            name,
            lambda kind=kind, more=more: holding(b"state/x", data=b"", kind=kind, **more),
            said,
            USAGE,
        )
    for name, (raw, said) in HEADERS.items():
        yield Forged(name, lambda raw=raw: backup(GOOD, before=raw), said, USAGE)
    forged_manifests = {
        "200,000 brackets": (b"[" * 200_000, "brackets stand in brackets", USAGE),
        "200,000 tables": (b'{"a":' * 200_000, "brackets stand in brackets", USAGE),
        "a number of 5,000 digits": (
            manifest(GOOD, format=7).replace(b"7", b"7" * 5000),
            "is no backup",
            USAGE,
        ),
        "a list": (b"[]", "is no table", USAGE),
        "a word": (b'"word"', "is no table", USAGE),
        "nothing": (b"", "is no backup", USAGE),
        "not UTF-8": (b"\xff\xfe\xfd", "is no backup", USAGE),
        "of a newer kind": (manifest(GOOD, format=2), "newer station", USAGE),
        "files that are none": (manifest(GOOD, files=[7]), "is no backup", USAGE),
        "a file too many": (
            manifest({**GOOD, "state/more": b""}),
            "does not hold the files",
            DAMAGED,
        ),
        "a file too few": (
            manifest({"state/tags.toml": GOOD["state/tags.toml"]}),
            "does not hold the files",
            DAMAGED,
        ),
        "another digest": (
            manifest({**GOOD, "state/tags.toml": b"others\n"}),
            "is not as it was copied",
            DAMAGED,
        ),
        "a file twice": (
            manifest(GOOD, files=json.loads(manifest(GOOD))["files"] * 2),
            "a file twice",
            USAGE,
        ),
        "set-uid": (manifest(GOOD).replace(b"511", b"2541"), "rights that no file has", USAGE),
        "a terminal's code as version": (
            manifest(GOOD, version="\x1b[2J"),
            "version cannot be read",
            USAGE,
        ),
        "a terminal's code as head": (
            manifest(GOOD, heads=["\x1b]0;x\x07"]),
            "heads cannot be read",
            USAGE,
        ),
        "half a character": (manifest(GOOD).replace(b"tags", b"\\ud800"), "is no backup", USAGE),
    }
    for name, (told, said, code) in forged_manifests.items():
        yield Forged(f"manifest: {name}", lambda told=told: backup(GOOD, told=told), said, code)
    for place, said in {
        "state": "belongs to neither",
        "elsewhere/file": "belongs to neither",
        "settings/folder/file.toml": "belongs to neither",
        "settings/builder.pub": "belongs to neither",
        "state/lock": "is not data",
        "state/run/control.sock": "is not data",
        "state/aside/1/nights": "is not data",
    }.items():
        files = {place: b""} if place == "state" else {**GOOD, place: b""}
        yield Forged(f"place: {place}", lambda files=files: backup(files), said, USAGE)
    whole = backup(GOOD)
    spoilt = bytearray(whole)
    spoilt[3] ^= 1
    for name, raw, said, code in (
        ("cut in a header", whole[:700], "cut off", DAMAGED),
        ("cut in a file", whole[: 2 * BLOCK + 100], "cut off", DAMAGED),
        ("without its end", whole[: -len(END)], "cut off", DAMAGED),
        (
            "without a manifest",
            member("state/tags.toml", b"# tags\n") + END,
            "its end is missing",
            DAMAGED,
        ),
        (
            "ends after a header",
            pax(path=b"state/x") + END,
            "ends where a file should begin",
            DAMAGED,
        ),
        ("a wrong sum", bytes(spoilt), "damaged", DAMAGED),
        ("something behind", whole + member("state/x") + END, "after its end", USAGE),
        ("a megabyte behind", whole + bytes(3 << 20), "after its end", USAGE),
        ("empty", b"", "cut off", DAMAGED),
        ("nonsense", b"nonsense" * 1000, "damaged", DAMAGED),
        ("packed", gzip.compress(whole), "this is not a backup", USAGE),
        ("a zip", _zip(), "damaged", DAMAGED),
    ):
        yield Forged(name, lambda raw=raw: raw, said, code)
    yield Forged(
        "larger than itself", lambda: header(b"state/x", 1 << 20) + whole, "cut off", DAMAGED
    )
    yield Forged(
        "larger than allowed",
        lambda: header(b"state/x", (8 << 30) - 1) + header(b"state/y", 1),
        "cut off",
        DAMAGED,
    )
    yield Forged(
        "9 GB",
        lambda: header(b"state/x", raw_size=b"\x80" + (9 << 30).to_bytes(11, "big")) + whole,
        "makes it larger",
        USAGE,
    )
    yield Forged(
        "a manifest of 17 MB",
        lambda: header(b"manifest.json", 17 << 20) + bytes(17 << 20),
        "bytes long",
        USAGE,
    )
    yield Forged(
        "too many",
        lambda: b"".join(member(b"state/%d" % one) for one in range(50_001)),
        "more than 50,000 files",
        USAGE,
    )


def _zip() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("state/../../x", b"forged" * 200)
    return data.getvalue()


# -- releases --------------------------------------------------------------------------------------

TOP = "loto-station-2.0.0"
PROGRAM = {
    "station/__init__.py": b'__version__ = "2.0.0"\n',
    "setup/prepare.py": b"raise SystemExit(7)\n",
}
BUILDER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def sums(files: Mapping[str, bytes]) -> bytes:
    return "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items()
    ).encode()


def bundle(
    files: Mapping[str, bytes] = PROGRAM,
    *,
    before: bytes = b"",
    listed: bytes | None = None,
    key: Ed25519PrivateKey | None = BUILDER,
    version: str = "2.0.0",
    signature: bytes | None = None,
    end: bytes = END,
) -> bytes:
    """A bundle of these files, packed."""
    told = sums(files) if listed is None else listed
    heads = {signing.SIGNATURE: signing.sign(told, version, key)} if key is not None else {}
    heads |= {signing.SIGNATURE: signature} if signature is not None else {}
    inside = {"SHA256SUMS": told, **heads, **files}
    raw = b"".join(member(f"{TOP}/{name}", data, mode=0o777) for name, data in inside.items())
    return gzip.compress(before + raw + end, 1)


def package(
    before: bytes = b"", packed: Callable[[bytes], bytes] = gzip.compress, ending: str = "gz"
) -> bytes:
    """A Debian package of the same release."""
    top = "./opt/loto-station/releases/2.0.0-x"
    inside = {
        "SHA256SUMS": sums(PROGRAM),
        signing.SIGNATURE: signing.sign(sums(PROGRAM), "2.0.0", BUILDER),
        **PROGRAM,
    }
    data = packed(
        before + b"".join(member(f"{top}/{name}", one) for name, one in inside.items()) + END
    )
    found = b"!<arch>\n"
    for name, part in (
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", gzip.compress(END)),
        (f"data.tar.{ending}", data),
    ):
        found += (
            f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(part):<10}`\n".encode()
            + part
            + b"\n" * (len(part) % 2)
        )
    return found


def of_releases() -> Iterable[Forged]:
    """Bundles and packages, for `loto update`; the machine runs 1.0.0."""
    for name, (raw, said) in NAMES.items():
        yield Forged(
            name,
            lambda raw=raw: bundle(before=member(within(TOP, raw), b"forged")),
            said,
            USAGE,
            known=True,
        )
    for name, (kind, more, said) in KINDS.items():
        place = f"{TOP}/x".encode()
        yield Forged(
            name,
            lambda kind=kind, more=more, place=place: bundle(
                before=member(place, kind=kind, **more)
            ),
            said,
            USAGE,
            known=True,
        )
    for name, (raw, said) in HEADERS.items():
        yield Forged(name, lambda raw=raw: bundle(before=raw), said, USAGE, known=True)
    later = {**PROGRAM, "station/later.py": b""}
    other = {**PROGRAM, "setup/prepare.py": b"another hand's\n"}
    old = {**PROGRAM, "station/__init__.py": b'__version__ = "1.0.0rc9"\n'}
    told = signing.sign(sums(PROGRAM), "2.0.0", BUILDER)
    key = signing.public_key(BUILDER)
    for name, make, said, code in (
        (
            "put in later",
            lambda: bundle(later, listed=sums(PROGRAM)),
            "in no list of digests",
            DAMAGED,
        ),
        (
            "a file gone",
            lambda: bundle(listed=sums(later)),
            "later.py is not as it was made",
            DAMAGED,
        ),
        (
            "altered",
            lambda: bundle(other, listed=sums(PROGRAM)),
            "prepare.py is not as it was made",
            DAMAGED,
        ),
        (
            "altered and listed",
            lambda: bundle(other, signature=told),
            "its signature does not match",
            DAMAGED,
        ),
        ("a list that is none", lambda: bundle(listed=b"nothing\n"), "line 1 of the list", DAMAGED),
        (
            "a list that leads out",
            lambda: bundle(listed=sums({"../x": b""})),
            "line 1 of the list",
            DAMAGED,
        ),
        (
            "a list that says it twice",
            lambda: bundle(listed=sums(PROGRAM) * 2),
            "line 3 of the list",
            DAMAGED,
        ),
        ("a list of 5 MB", lambda: bundle(listed=b"\n" * (5 << 20)), "bytes long", USAGE),
        (
            "no list",
            lambda: gzip.compress(member(f"{TOP}/station/__init__.py") + END),
            "no list of digests",
            DAMAGED,
        ),
        ("two folders", lambda: bundle(before=member("another/file")), "neither a bundle", USAGE),
        ("no folder", lambda: gzip.compress(member("file") + END), "neither a bundle", USAGE),
        (
            "another program",
            lambda: bundle({"readme": b"hello\n"}),
            "not the station's program",
            USAGE,
        ),
        (
            "no version",
            lambda: bundle({**PROGRAM, "station/__init__.py": b""}),
            "not the station's program",
            USAGE,
        ),
        (
            "signed as another version",
            lambda: bundle(version="9.0.0"),
            "was signed as 9.0.0",
            DAMAGED,
        ),
        (
            "a signature of brackets",
            lambda: bundle(signature=b"[" * 4000),
            "is no signature",
            DAMAGED,
        ),
        (
            "a signature of digits",
            lambda: bundle(signature=b'{"format": ' + b"1" * 4000),
            "is no signature",
            DAMAGED,
        ),
        ("a signature of 5,000 bytes", lambda: bundle(signature=b" " * 5000), "bytes long", USAGE),
        (
            "a signature of words",
            lambda: bundle(signature=b'{"format": 1, "key": 7}'),
            "is no signature",
            DAMAGED,
        ),
        (
            "a signature of no key",
            lambda: bundle(signature=told.replace(key.encode(), b"0" * 64)),
            "",
            DAMAGED,
        ),
        (
            "a signature to come",
            lambda: bundle(signature=b'{"format": 2}'),
            "does not know yet",
            USAGE,
        ),
        ("an older one", lambda: bundle(old, version="1.0.0rc9"), "add --older", REFUSED),
        ("nobody's", lambda: bundle(key=None), "nobody signed it", REFUSED),
        ("a stranger's", lambda: bundle(key=STRANGER), "Has the builder a new key?", REFUSED),
        (
            "a stranger's, forged",
            lambda: bundle(
                signature=told.replace(key.encode(), signing.public_key(STRANGER).encode())
            ),
            "",
            4,
        ),
        ("cut off", lambda: bundle()[:-20], "cut off", DAMAGED),
        ("cut at once", lambda: b"\x1f\x8b", "cut off", DAMAGED),
        (
            "something behind what is packed",
            lambda: bundle() + b"behind",
            "cut off or damaged",
            DAMAGED,
        ),
        (
            "something behind the end",
            lambda: bundle(end=END + member("x") + END),
            "after its end",
            USAGE,
        ),
        (
            "a hundred megabytes of nothing",
            lambda: bundle(end=bytes(100 << 20)),
            "after its end",
            USAGE,
        ),
        (
            "9 GB of nothing",
            lambda: bundle(before=header(f"{TOP}/x".encode(), 3 << 30)),
            "makes it larger",
            USAGE,
        ),
        ("not packed", lambda: gzip.decompress(bundle()), "this is not a release", USAGE),
        ("packed otherwise", lambda: lzma.compress(bundle()), "this is not a release", USAGE),
        ("a zip", _zip, "this is not a release", USAGE),
        (
            "a package packed otherwise",
            lambda: package(packed=lzma.compress, ending="xz"),
            "this is not a release",
            USAGE,
        ),
        (
            "a package with a link",
            lambda: package(member(b"./opt/x", kind=b"2", link=b"/etc")),
            "is a link",
            USAGE,
        ),
        ("a package that leads out", lambda: package(member(b"./../x")), OUT, USAGE),
        (
            "a package with more",
            lambda: package(member(b"./etc/cron.d/x", b"x")),
            "neither a bundle",
            USAGE,
        ),
        ("a package cut off", lambda: package()[:-50], "cut off", DAMAGED),
        ("a package of nothing", lambda: b"!<arch>\n", "this is not a release", USAGE),
    ):
        yield Forged(name, make, said, code, known=True)
    for name, make, said, code, words in (
        ("no answer", bundle, "", REFUSED, ()),
        ("no answer for nobody's", lambda: bundle(key=None), "", REFUSED, ()),
        (
            "another fingerprint",
            bundle,
            "not with the one that was typed",
            REFUSED,
            ("--trust", "0000 " * 8),
        ),
        (
            "half a fingerprint",
            bundle,
            "not with",
            REFUSED,
            ("--trust", signing.fingerprint(signing.public_key(BUILDER))[:19]),
        ),
        (
            "nobody's, with a fingerprint",
            lambda: bundle(key=None),
            "a fingerprint was given",
            REFUSED,
            ("--trust", "0" * 32),
        ),
        (
            "another digest",
            bundle,
            "not the maker's file",
            DAMAGED,
            ("--sha256", "0" * 64, "--yes"),
        ),
        (
            "older, though trusted",
            lambda: bundle(old, version="1.0.0rc9"),
            "add --older",
            REFUSED,
            ("--yes",),
        ),
    ):
        yield Forged(name, make, said, code, words)
