"""The station's own certificate: for whom it vouches, for how long, and when it is made anew."""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from station.screens.web.certificate import (
    AUTHORITY_FILE,
    BUILD_DATE,
    STATION_FILE,
    VALID,
    OwnCertificate,
    keep,
    leaf_of,
    own_names,
)
from station.screens.web.server import keep_renewed
from tests.screens.web.fakes import LIMIT_S

NAMES = frozenset({"localhost", "loto.local", "127.0.0.1", "192.168.1.7", "::1"})
LATER = BUILD_DATE + timedelta(days=100)


class Station:
    """A machine with names and a clock that are set by hand."""

    def __init__(self, folder: Path, now: datetime = LATER) -> None:
        self.folder, self.names, self.now = folder, NAMES, now
        self.certificate = self.starts()

    def starts(self) -> OwnCertificate:
        return OwnCertificate(self.folder, lambda: self.names, lambda: self.now.timestamp())

    def chain(self) -> list[x509.Certificate]:
        return x509.load_pem_x509_certificates((self.folder / STATION_FILE).read_bytes())


@pytest.fixture
def station(tmp_path: Path) -> Station:
    return Station(tmp_path / "tls")


def greeted(station: Station, name: str, trusted: bytes) -> str:
    """What a client says of the station's certificate that trusts this authority alone and asks for
    the station by this name; nothing where it is content."""
    to_station, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context(cadata=trusted.decode()).wrap_bio(
        to_client, to_station, server_hostname=name
    )
    server = station.certificate.context.wrap_bio(to_station, to_client, server_side=True)
    for end in (client, server, client):
        try:
            end.do_handshake()
        except ssl.SSLCertVerificationError as error:
            return str(error)
        except ssl.SSLWantReadError:
            continue
    assert client.getpeercert()
    return ""


def authority_of(station: Station) -> bytes:
    return (
        (station.folder / AUTHORITY_FILE).read_bytes().partition(b"-----END PRIVATE KEY-----\n")[2]
    )


@pytest.mark.parametrize("name", sorted(NAMES))
def test_whoever_trusts_its_authority_trusts_the_station(tmp_path: Path, name: str) -> None:
    """By every name and address of it, and by no other."""
    station = Station(tmp_path / "tls", datetime.now(UTC))
    assert greeted(station, name, authority_of(station)) == ""
    assert "not valid for" in greeted(station, "192.168.1.8", authority_of(station))
    assert "not valid for" in greeted(station, "example.org", authority_of(station))


@pytest.mark.parametrize("other", ["bank.test", "192.168.1.8", "fd00::1"])
def test_its_authority_vouches_for_nobody_else(tmp_path: Path, other: str) -> None:
    """Whoever has stolen its key makes a certificate for another name, and browsers refuse it."""
    station = Station(tmp_path / "tls", datetime.now(UTC))
    stolen = (station.folder / AUTHORITY_FILE).read_bytes()
    key = load_pem_private_key(stolen, None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    authority = x509.load_pem_x509_certificates(stolen)[0]
    forged = leaf_of(key, (authority, key), NAMES | {other}, station.now)
    keep(station.folder / STATION_FILE, key, forged, authority)
    station.certificate.show()
    assert "permitted subtree violation" in greeted(station, other, authority_of(station))


def test_nobody_but_its_owner_reads_the_keys(station: Station) -> None:
    """Neither the folder nor the files, whatever the shell's mask is."""
    assert stat.S_IMODE(station.folder.stat().st_mode) == 0o700
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in station.folder.iterdir()}
    assert files == {AUTHORITY_FILE: 0o600, STATION_FILE: 0o600}


def test_a_start_changes_nothing(station: Station) -> None:
    """Tablets that took it once are not asked again: nor when an address is gone for an evening."""
    before = station.certificate.fingerprint
    station.names = NAMES - {"192.168.1.7"}
    station.now += timedelta(days=300)
    assert not station.starts().renew()
    assert station.certificate.fingerprint == before


def test_it_is_made_anew_for_another_address(station: Station) -> None:
    """Its authority too, which could not vouch for it."""
    before = station.certificate.fingerprint
    assert not station.certificate.renew()
    station.names = NAMES | {"10.0.0.9"}
    assert station.certificate.renew()
    assert station.certificate.fingerprint != before
    assert not station.certificate.renew()


def test_whoever_compares_is_told_the_new_fingerprint(station: Station) -> None:
    """While the station runs: it gets an address, and tells what it has told at its start."""
    told: list[str] = []
    before = station.certificate.fingerprint

    async def runs() -> None:
        there = asyncio.Event()

        def tell() -> None:
            told.append(station.certificate.fingerprint)
            there.set()

        keeping = asyncio.create_task(keep_renewed(station.certificate, tell, every_s=0.0))
        station.names = NAMES | {"10.0.0.9"}
        async with asyncio.timeout(LIMIT_S):
            await there.wait()
        keeping.cancel()

    asyncio.run(runs())
    assert told == [station.certificate.fingerprint]
    assert told != [before]


def test_it_is_made_anew_before_it_ends(station: Station) -> None:
    """Thirty days before; by the same authority, whoever trusts it need not be asked again."""
    authority = authority_of(station)
    station.now += VALID - timedelta(days=31, hours=1) - timedelta(days=1)
    assert not station.certificate.renew()
    station.now += timedelta(days=2)
    assert station.certificate.renew()
    assert authority_of(station) == authority
    leaf = station.chain()[0]
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc == VALID


def test_without_a_clock_it_is_valid_from_the_day_of_the_program(station: Station) -> None:
    """A Pi has none: it may believe that it is 1970. When it knows the time it goes on."""
    station.folder.joinpath(STATION_FILE).unlink()
    station.folder.joinpath(AUTHORITY_FILE).unlink()
    station.now = datetime.fromtimestamp(5.0, UTC)
    station.starts()
    for one in station.chain():
        assert one.not_valid_before_utc <= BUILD_DATE < one.not_valid_after_utc
    before = station.certificate.fingerprint
    station.now = BUILD_DATE + timedelta(days=60)
    station.starts()
    station.now = datetime.fromtimestamp(5.0, UTC)  # the power went, and the clock with it
    station.starts()
    assert station.certificate.fingerprint == before


def test_what_was_made_in_the_future_is_made_anew(station: Station) -> None:
    """A clock that went years ahead was set right: telephones would take neither leaf nor
    authority."""
    before = station.chain()
    station.now = BUILD_DATE + timedelta(days=2)
    assert station.certificate.renew()
    assert all(one.not_valid_before_utc <= station.now for one in station.chain())
    assert station.chain()[1] != before[1]


@pytest.mark.parametrize("harm", [b"", b"nonsense", None])
@pytest.mark.parametrize("file", [STATION_FILE, AUTHORITY_FILE])
def test_files_that_cannot_be_read_are_made_anew(
    station: Station, file: str, harm: bytes | None
) -> None:
    """Torn, empty, or with a key that is another's: the station starts."""
    path = station.folder / file
    if harm is None:
        other = Station(station.folder.parent / "other")
        its_key = (other.folder / file).read_bytes().partition(b"-----BEGIN CERT")[0]
        harm = its_key + b"-----BEGIN CERT" + path.read_bytes().partition(b"-----BEGIN CERT")[2]
    path.write_bytes(harm)
    station.names = NAMES | ({"10.0.0.9"} if file == AUTHORITY_FILE else set())
    station.starts()
    assert len(station.chain()) == 2


def test_its_fingerprint_is_the_one_that_browsers_show(station: Station) -> None:
    """Sixteen groups of four digits, of the certificate that is shown."""
    told = station.certificate.fingerprint
    shown = hashlib.sha256(station.chain()[0].public_bytes(Encoding.DER)).hexdigest()
    assert told.replace(" ", "").lower() == shown
    assert [len(group) for group in told.split()] == [4] * 16


def test_a_machine_is_called_by_its_names_and_addresses() -> None:
    """What cannot stand in a certificate is left out: it would be of no use there."""
    told = own_names(["Loto.fritz.box", "a b", "*", "x" * 300, "été"])
    assert {"localhost", "loto.local", "127.0.0.1", "10.42.0.1", "loto.fritz.box"} <= told
    assert not told & {"a b", "*", "x" * 300, "été"}
