"""Read untrusted archives: each is checked whole before anything of it is written.

Archives are plain, compressed, or in a Debian package, and are read member by member; no other
module reads any. Only what `tarfile`, GNU tar and dpkg write for plain files and folders is taken.
Headers are parsed by `tarfile`; the way from one to the next is gone here, because `tarfile` reads
a name of 8 GB into memory if it is told to, and believes the second of two headers that give a
member different names. At no time more than a megabyte is in memory.

    with opened(file, rules) as archive:      # read once to its end: names, kinds, sizes, digests
        ...                                   # manifest, list of digests, signature: whoever
                                                  asked decides
        archive.unpack(draft, places, disk)       # read again, into a new folder, and only as it
                                                  was the first time

An archive may be anybody's, and what unpacks it is often root. So it holds plain files and folders
with plain names and nothing else; it chooses neither where a file goes nor who may do what with it.
A stick may give other bytes the second time: each file is compared with what was found the first
time. What fails leaves no draft behind.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import shutil
import stat
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol, TypeAlias, cast

from station.base.disk import Disk
from station.base.errors import Damaged, StoreError, Unreadable
from station.base.tongue import key, tr

TAR, GZIP, PACKAGE = "tar", "gzip", "package"
BLOCK = tarfile.BLOCKSIZE
CHUNK = 1 << 20
LONGEST_EXTRA = 8192  # bytes of a header that goes before another
LONGEST_TAIL = 1 << 20  # of zeros behind the end
# What an extended header may say: only what changes neither which bytes are read, nor what becomes
# of them.
HARMLESS = frozenset({"path", "mtime", "atime", "ctime", "uid", "gid", "uname", "gname"})
EXTRA = (tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME)
PLAIN = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE)
LINKS = (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.GNUTYPE_LONGLINK)
KINDS = {
    **dict.fromkeys(LINKS, key("is a link")),
    **dict.fromkeys((tarfile.CHRTYPE, tarfile.BLKTYPE), key("is a device")),
    tarfile.FIFOTYPE: key("is a pipe"),
    tarfile.GNUTYPE_SPARSE: key("is a file with holes"),
    tarfile.XGLTYPE: key("is a header for all that follows"),
}
ODD = key("has headers that no such file has")
_AR, _AR_HEADER = b"!<arch>\n", 60


class ByteSource(Protocol):
    """A stream of bytes that can be read once."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""
        ...


class Hashed:
    """A source with a digest of all that it holds."""

    def __init__(self, source: ByteSource) -> None:
        self._source, self._digest = source, hashlib.sha256()

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""
        data = self._source.read(size)
        self._digest.update(data)
        return data

    def finish(self) -> str:
        """Read the rest; return the SHA-256 of all."""
        while self.read(CHUNK):
            pass
        return self._digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Member:
    """A file or a folder of an archive, by its header.

    Attributes:
        mode: the rights that it had where it comes from.
    """

    name: str
    size: int
    mode: int
    is_folder: bool


class Members:
    """The members of one archive.

    Args:
        file: its name, for what is said.
        what: what it should be, as `a backup of the station`.
        kinds: `TAR`, `GZIP` (a tar that is packed), `PACKAGE` (a Debian package packed so).

    Raises:
        Unreadable: it is of none of these kinds.
    """

    def __init__(self, source: ByteSource, file: Path, what: str, kinds: Collection[str]) -> None:
        self._file, self._what = file, what
        magic = self._asked(source, len(_AR))
        kind = GZIP if magic.startswith(b"\x1f\x8b") else PACKAGE if magic == _AR else TAR
        if kind not in kinds:
            raise Unreadable(tr("{file}: this is not {what}", file=file, what=what))
        self._is_package = kind == PACKAGE
        inside = self._data_of(source) if self._is_package else _Part(magic, source, None)
        self._source: ByteSource = (
            inside if kind == TAR else gzip.GzipFile(fileobj=cast("BinaryIO", inside), mode="rb")
        )

    def __iter__(self) -> Iterator[tuple[Member, Iterator[bytes]]]:
        """Yield each member and its bytes; bytes that are not read are skipped.

        Raises:
            Unreadable: it holds what no archive of the station does; names the member.
            Damaged: it is not whole.
            StoreError: the medium cannot be read.
        """
        while (member := self._next()) is not None:
            chunks = self._chunks(member.size)
            # all of a package is in a folder without a name
            if member.name or not (self._is_package and member.is_folder):
                yield member, chunks
            for _ in chunks:
                pass
            self._exactly(-member.size % BLOCK)
        tail = self._asked(self._source, LONGEST_TAIL + 1)
        if len(tail) > LONGEST_TAIL or any(tail):  # another reader would continue there
            what = tr("something follows after its end: it is not {what}", what=self._what)
            raise Unreadable(f"{self._file}: {what}")

    def foreign(self, name: str, fault: str) -> Unreadable:
        """Return the error for a member that no archive of this kind has."""
        none = tr("{what} holds no such thing. Nothing was unpacked", what=self._what)
        return Unreadable(f"{self._file}: {quoted(name)} {fault}: {none}")

    # -- bytes -------------------------------------------------------------------------------------

    def _asked(self, source: ByteSource, size: int) -> bytes:
        try:
            return source.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            what = tr("it is cut off or damaged: copy it again ({error})", error=error)
            raise Damaged(f"{self._file}: {what}") from error
        except OSError as error:
            raise unread(self._file, error) from error

    def _exactly(self, size: int) -> bytes:
        data = self._asked(self._source, size)
        if len(data) != size:
            raise Damaged(
                tr(
                    "{file}: it is cut off, or not {what}: copy it again",
                    file=self._file,
                    what=self._what,
                )
            )
        return data

    def _chunks(self, size: int) -> Iterator[bytes]:
        while size > 0:
            chunk = self._exactly(min(size, CHUNK))
            size -= len(chunk)
            yield chunk

    def _data_of(self, source: ByteSource) -> _Part:
        """Return the files of a Debian package: the third member of an ar(5) archive, packed."""
        for wanted in (b"debian-binary", b"control.tar.gz", b"data.tar.gz"):
            header = self._asked(source, _AR_HEADER)
            name, size = header[:16].rstrip(b" /"), header[48:58].strip()
            if name != wanted or not size.isdigit() or header[58:] != b"`\n":
                break
            if wanted == b"data.tar.gz":
                return _Part(b"", source, int(size))
            if int(size) > CHUNK:
                break
            self._asked(source, int(size) + int(size) % 2)
        raise Unreadable(tr("{file}: this is not {what}", file=self._file, what=self._what))

    # -- headers -----------------------------------------------------------------------------------

    def _next(self) -> Member | None:
        """Return the next member, named by whichever header does; None at the end."""
        longer: bytes | None = None
        while True:
            block = self._exactly(BLOCK)
            if not any(block):
                if longer is not None:
                    raise Damaged(
                        tr(
                            "{file}: it ends where a file should begin: copy it again",
                            file=self._file,
                        )
                    )
                return None
            header, short = self._parsed(block)
            if header.type not in EXTRA:
                name = self._named(short, longer, header)
                return Member(name, header.size, header.mode & 0o777, header.isdir())
            if longer is not None or header.size > LONGEST_EXTRA:
                raise self.foreign(_text(short), tr(ODD))
            data = self._exactly(header.size)
            self._exactly(-header.size % BLOCK)
            is_name = header.type == tarfile.GNUTYPE_LONGNAME
            longer = data.rstrip(b"\0") if is_name else self._path_in(data, short)

    def _parsed(self, block: bytes) -> tuple[tarfile.TarInfo, bytes]:
        """Return a header, and the name that it holds."""
        try:
            header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except (tarfile.HeaderError, ValueError) as error:
            what = tr(
                "this is not {what}, or it is damaged ({error})", what=self._what, error=error
            )
            raise Damaged(f"{self._file}: {what}") from error
        name, above = block[:100], block[345:500] if block[257:263] == b"ustar\0" else b""
        short = b"/".join(part.partition(b"\0")[0] for part in (above, name) if part.rstrip(b"\0"))
        if header.type not in (*PLAIN, *EXTRA):
            unknown = tr("is of an unknown kind ({kind})", kind=_text(header.type))
            raise self.foreign(_text(short), tr(KINDS.get(header.type, unknown)))
        if block[257:262] != b"ustar" or header.size < 0 or (header.isdir() and header.size):
            raise self.foreign(_text(short), tr(ODD))
        if any(b"\0" in part.rstrip(b"\0") for part in (name, above)):
            raise self.foreign(_text(short), tr("has something behind the end of its name"))
        return header, short

    def _path_in(self, data: bytes, short: bytes) -> bytes:
        """Return an extended header's name (POSIX, pax): a record is a length, a key, a value."""
        told: dict[str, bytes] = {}
        while data:
            digits = data.partition(b" ")[0]
            length = int(digits) if digits.isdigit() and len(digits) < 6 else 0
            record, data = data[:length], data[length:]
            key, equals, value = record[len(digits) + 1 :].partition(b"=")
            name = _text(key)
            if not equals or not record.endswith(b"\n") or len(record) != length or name in told:
                raise self.foreign(_text(short), tr(ODD))
            if name not in HARMLESS:
                raise self.foreign(
                    _text(short), tr("has a header that changes it ({name})", name=quoted(name))
                )
            told[name] = value[:-1]
        return told.get("path", b"")

    def _named(self, short: bytes, longer: bytes | None, header: tarfile.TarInfo) -> str:
        """Return a member's one name. Two headers may give it only if one begins like the other."""
        whole = longer or short
        try:
            name = whole.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.foreign(_text(whole), tr("is not UTF-8")) from error
        begun = (name.encode("ascii", "replace")[:100], whole[:100], whole[:99])
        if longer and short not in begun:
            raise self.foreign(
                name, tr("is called {other} in another place", other=quoted(_text(short)))
            )
        if self._is_package:  # dpkg begins each so
            name = name.removeprefix("./")
        return name.removesuffix("/") if header.isdir() else name


class _Part:
    """A part of a source: bytes that were read already, and so many more; None for all."""

    def __init__(self, begun: bytes, source: ByteSource, left: int | None) -> None:
        self._begun, self._source, self._left = begun, source, left

    def read(self, size: int, /) -> bytes:
        wanted = size if self._left is None else min(size, self._left)
        begun, self._begun = self._begun[:wanted], self._begun[wanted:]
        data = begun + self._source.read(wanted - len(begun)) if wanted > len(begun) else begun
        if self._left is not None:
            self._left -= len(data)
        return data


def quoted(name: str) -> str:
    """Return a name fit to show: in quotes, without control codes, not too long.

    >>> quoted("a\\x1b[2J"), len(quoted("x" * 5000)) < 200
    ("'a\\\\x1b[2J'", True)
    """
    return repr(name) if len(name) <= 120 else f"{name[:119]!r}…"


def unread(file: Path, error: OSError) -> StoreError:
    """Return the error for a medium that fails."""
    return StoreError(
        tr(
            "{file}: cannot be read ({why}): is the stick still plugged in?",
            file=file,
            why=error.strerror,
        )
    )


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


# -- an archive and its rules ----------------------------------------------------------------------

Refuse: TypeAlias = Callable[[str, str], Unreadable]

LONGEST_NAME, LONGEST_PART, DEEPEST = 1000, 200, 32
MOST_KEPT = 32 << 20  # bytes that stay in memory
BOTH = key("is there as a file and as a folder")


@dataclass(frozen=True, slots=True)
class Rules:
    """What an archive of one kind may hold.

    Attributes:
        what: its name for a person, as `a backup of the station`.
        kinds: of `station.machine.archives`.
        most_files: members, folders too.
        most_bytes: all of them together, unpacked.
        keeps: how many bytes of a file are kept before anything is unpacked; 0 for none. A longer
            file is refused.
        hidden: names that may begin with a dot. They may be in the archive; they are never
            unpacked.
    """

    what: str
    kinds: frozenset[str]
    most_files: int
    most_bytes: int
    keeps: Callable[[str], int]
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file of an archive: its bytes, their SHA-256, and as a hint its rights when packed."""

    size: int
    sha256: str
    mode: int


def fault_of(name: str, hidden: frozenset[str] = frozenset()) -> str:
    """Return what is wrong with a name in an archive; empty if it means one place on all systems.

    >>> fault_of("state/nights/0001/journal.jsonl"), fault_of("state//etc"), fault_of("state/../x")
    ('', 'is not written plainly', 'leads outside')
    """
    parts = name.split("/")
    if name.startswith("/"):
        return tr("is a place of the whole machine")
    if ".." in parts:
        return tr("leads outside")
    if not name or PurePosixPath(name).as_posix() != name:
        return tr("is not written plainly")
    # nor half characters, nor those that turn the direction of writing
    if "\\" in name or not name.isprintable():
        return tr("has a character that no name of the station has")
    if any(part.startswith(".") and part not in hidden for part in parts):
        return tr("is hidden")
    longest = max(len(part.encode()) for part in parts)
    if len(name.encode()) > LONGEST_NAME or len(parts) > DEEPEST or longest > LONGEST_PART:
        return tr("is too long")
    return ""


@contextmanager
def opened(
    file: Path, rules: Rules, told: Callable[[int], None] = lambda _: None
) -> Iterator[Archive]:
    """Open an archive: read it to its end and check it.

    Args:
        told: after each file, how many bytes of them were read.

    Raises:
        Unreadable: it is not of that kind, or holds what that kind never does; names the member.
        Damaged: it is not whole.
        StoreError: the medium cannot be read.
    """
    try:
        # Reading a pipe could wait for ever.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise Unreadable(tr("{file}: there is no such file", file=file)) from error
    except OSError as error:
        raise unread(file, error) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        what = tr("this is no file, but a folder, a device or a pipe")
        raise Unreadable(
            tr("{file}: {what}: name {wanted}", file=file, what=what, wanted=tr(rules.what))
        )
    with os.fdopen(descriptor, "rb") as source:
        yield Archive(file, source, rules, told)


class Archive:
    """The content of a checked archive; see `opened`.

    Attributes:
        entries: its files by name.
        kept: the bytes of those that the rules keep.
        sha256: of the archive itself, as it was read.
    """

    def __init__(
        self, file: Path, source: BinaryIO, rules: Rules, told: Callable[[int], None]
    ) -> None:
        self.file, self.entries, self.kept = file, dict[str, ArchiveEntry](), dict[str, bytes]()
        self._source, self._rules = source, rules
        # What was just written is still cached in memory: reading that proves nothing about the
        # stick.
        os.posix_fadvise(source.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        whole, folders, done = Hashed(source), set[str](), 0
        for member, chunks, refuse in self._walk(whole):
            if fault := self._place_fault(member, folders):
                raise refuse(member.name, fault)
            if member.is_folder:
                continue
            most, kept, digest = rules.keeps(member.name), list[bytes](), hashlib.sha256()
            if most and member.size > most:
                fault = tr(
                    "is {size:,} bytes long, and {most:,} is the most", size=member.size, most=most
                )
                raise refuse(member.name, fault)
            if most and member.size + sum(map(len, self.kept.values())) > MOST_KEPT:
                raise refuse(member.name, tr("is one too many of its kind"))
            for chunk in chunks:
                digest.update(chunk)
                kept += [chunk] if most else []
            self.entries[member.name] = ArchiveEntry(member.size, digest.hexdigest(), member.mode)
            if most:
                self.kept[member.name] = b"".join(kept)
            told(done := done + member.size)
        self.sha256 = whole.finish()

    def unpack(
        self,
        draft: Path,
        places: Mapping[str, str],
        disk: Disk,
        mode_of: Callable[[int], int],
        *,
        durable: bool = True,
    ) -> None:
        """Write files into a new folder, which is removed again if anything fails.

        Args:
            places: the files to unpack, and the path of each below the folder.
            mode_of: returns the station's own rights for a file that had these where it was packed.
            durable: whether everything is synced to the medium at the end; else the caller does
                that.

        Raises:
            Damaged: the second reading gave something else than the first.
            StoreError: no room.
        """
        need, room = sum(self.entries[name].size + 4096 for name in places), disk.room(draft.parent)
        if need > room:
            few = tr("{folder} has only {room} MB", folder=draft.parent, room=room // 10**6)
            todo = tr("make room, then type the same again. Nothing was unpacked")
            takes = tr("unpacked it takes {need} MB", need=need // 10**6 + 1)
            raise StoreError(
                tr(
                    "{file}: {takes}, but {few}: {todo}",
                    file=self.file,
                    takes=takes,
                    few=few,
                    todo=todo,
                )
            )
        left, folders = dict(self.entries), {draft}
        draft.mkdir(mode=0o700)
        try:
            self._source.seek(0)
            for member, chunks, refuse in self._walk(self._source):
                if member.is_folder:
                    continue
                entry, place = left.pop(member.name, None), places.get(member.name)
                path = _way(draft, place, folders, refuse) if place is not None else None
                if entry is None or entry.size != member.size:
                    raise self._unreliable(member.name)
                if _write(path, chunks, disk, durable) != entry.sha256:
                    raise self._unreliable(member.name)
                if path is not None:
                    path.chmod(mode_of(entry.mode))
            if left:
                raise self._unreliable(next(iter(left)))
            for folder in sorted(folders) if durable else ():
                disk.sync_folder(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise

    def _walk(self, source: ByteSource) -> Iterator[tuple[Member, Iterator[bytes], Refuse]]:
        """Yield each possible member, its bytes, and what to raise if it is wrong after all."""
        rules = self._rules
        members = Members(source, self.file, tr(rules.what), rules.kinds)
        count = total = 0
        for member, chunks in members:
            count, total = count + 1, total + member.size
            if fault := fault_of(member.name, rules.hidden):
                raise members.foreign(member.name, fault)
            if count > rules.most_files:
                raise members.foreign(
                    member.name,
                    tr("is one more than {most:,} files", most=rules.most_files),
                )
            if total > rules.most_bytes:
                most = f"{rules.most_bytes // 10**6:,} MB"
                raise members.foreign(member.name, tr("makes it larger than {most}", most=most))
            yield member, chunks, members.foreign

    def _place_fault(self, member: Member, folders: set[str]) -> str:
        """Return what is wrong with a member's place beside the others; remember its folders."""
        parts = member.name.split("/")
        its = {"/".join(parts[:deep]) for deep in range(1, len(parts) + member.is_folder)}
        if its & self.entries.keys():
            return tr(BOTH)
        folders |= its
        if member.is_folder:
            return ""
        if member.name in self.entries:
            return tr("is there twice")
        return tr(BOTH) if member.name in folders else ""

    def _unreliable(self, name: str) -> Damaged:
        todo = tr("take another stick, or another copy")
        return Damaged(
            tr(
                "{file}: {name} cannot be read reliably: {todo}",
                file=self.file,
                name=quoted(name),
                todo=todo,
            )
        )


def _way(draft: Path, place: str, folders: set[Path], refuse: Refuse) -> Path:
    """Return the path of a file below the draft; make its folders, none of which existed before."""
    path = draft / place
    if fault_of(place) or not path.is_relative_to(draft):
        raise refuse(place, fault_of(place) or tr("leads outside"))
    for folder in reversed(path.parents):
        if folder.is_relative_to(draft) and folder not in folders:
            folder.mkdir(mode=0o755)
            folders.add(folder)
    return path


def _write(path: Path | None, chunks: Iterable[bytes], disk: Disk, durable: bool) -> str:
    """Write a new file, or only read the bytes; return the digest."""
    digest = hashlib.sha256()
    descriptor = disk.create(path) if path is not None else None
    try:
        for chunk in chunks:
            digest.update(chunk)
            if descriptor is not None and disk.write(descriptor, chunk) != len(chunk):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        if descriptor is not None and durable:
            disk.sync(descriptor)
    finally:
        if descriptor is not None:
            disk.close(descriptor)
    return digest.hexdigest()
