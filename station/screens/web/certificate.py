"""Make the certificate with which the pages are served encrypted: by an authority of the station's
own, for no other one vouches for an address in a hall.

The authority may vouch for the station's names and addresses and for nothing else, so that whoever
has its key cannot pass for anybody outside. A browser warns once all the same; who compares the
fingerprint with the one in the terminal knows that nobody stands between.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from station import BUILT
from station.base.addresses import own_addresses
from station.base.disk import keep_file
from station.base.untrusted import file_bytes

# Browsers take no leaf that is valid for longer (CA/Browser Forum, from 2020 on).
VALID = timedelta(days=397)
ENDS_SOON = timedelta(days=30)
AUTHORITY_VALID = timedelta(days=3650)
EARLIER = timedelta(days=1)  # for telephones whose clock is slow
FOLDER, AUTHORITY_FILE, STATION_FILE = "tls", "authority.pem", "station.pem"
BUILD_DATE = datetime.fromisoformat(f"{BUILT}T00:00:00+00:00")
# What a station is called wherever it is; the last is its own Wi-Fi's address.
ALWAYS = ("localhost", "loto", "loto.local", "127.0.0.1", "::1", "10.42.0.1")
MOST_NAMES = 40
NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Key = ec.EllipticCurvePrivateKey


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return how this machine may be asked for in its network: names and addresses.

    Args:
        more: other names of it.
    """
    host = socket.gethostname().lower()
    lasting = [
        address for address in own_addresses() if not ipaddress.ip_address(address).is_link_local
    ]
    told = [*ALWAYS, host, f"{host}.local", *(name.lower() for name in more), *lasting]
    fit = [name for name in told if _address(name) or (len(name) <= 64 and NAME.fullmatch(name))]
    return frozenset(dict.fromkeys(fit[:MOST_NAMES]))


class OwnCertificate:
    """The station's certificate, in a folder of its own.

    Args:
        folder: where it is kept, with its key; made where there is none.
        names: returns what the station is called now.
        wall: seconds since 1970, as the machine believes.

    Raises:
        OSError: the folder cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        names: Callable[[], frozenset[str]] = own_names,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._names = names
        self._wall = wall
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.context.set_alpn_protocols(["http/1.1"])
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.renew()
        self.show()

    @property
    def fingerprint(self) -> str:
        """Return the SHA-256 of the certificate, as browsers show it: in groups."""
        there = _read(self._folder / STATION_FILE)
        return "" if there is None else there[0].fingerprint(SHA256()).hex(" ", 2).upper()

    def show(self) -> None:
        """Show the certificate as it is now to whoever connects from now on."""
        self.context.load_cert_chain(self._folder / STATION_FILE)

    def renew(self) -> bool:
        """Make it anew where a name or an address is not in it, or it ends soon; return whether."""
        now, names = self._now(), self._names()
        there = _read(self._folder / STATION_FILE)
        if there and self._lasts(there[0], now) and names <= _names_of(there[0]):
            return False
        authority = self._authority(names, now)
        key = ec.generate_private_key(ec.SECP256R1())
        leaf = leaf_of(key, authority, names, now)
        keep(self._folder / STATION_FILE, key, leaf, authority[0])
        return True

    def _now(self) -> datetime:
        """Return the time; a machine without a clock of its own may believe that it is long
        before this program was built."""
        return max(datetime.fromtimestamp(self._wall(), UTC), BUILD_DATE)

    def _lasts(self, leaf: x509.Certificate, now: datetime) -> bool:
        # What is not valid yet was made while the clock went ahead; where the clock is known to be
        # slow, that is no fault of the certificate.
        begun = leaf.not_valid_before_utc <= now or now == BUILD_DATE
        return begun and now + ENDS_SOON < leaf.not_valid_after_utc

    def _authority(self, names: frozenset[str], now: datetime) -> tuple[x509.Certificate, Key]:
        there = _read(self._folder / AUTHORITY_FILE)
        if there and names <= _permitted(there[0]):
            begun = there[0].not_valid_before_utc <= now - EARLIER
            if begun and now + VALID < there[0].not_valid_after_utc:
                return there
        key = ec.generate_private_key(ec.SECP256R1())
        authority = _authority(key, names, now)
        keep(self._folder / AUTHORITY_FILE, key, authority)
        return authority, key


def _authority(key: Key, names: frozenset[str], now: datetime) -> x509.Certificate:
    name = _called("loto-station, its own authority")
    return (
        _begun(key, name, name, now, AUTHORITY_VALID)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_others=True), critical=True)
        .add_extension(
            x509.NameConstraints(
                permitted_subtrees=_general(names, net=True), excluded_subtrees=None
            ),
            critical=True,
        )
        .sign(key, SHA256())
    )


def leaf_of(
    key: Key, authority: tuple[x509.Certificate, Key], names: frozenset[str], now: datetime
) -> x509.Certificate:
    """Return a certificate for these names, signed by an authority with its key."""
    vouching, its_key = authority
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(its_key.public_key())
    return (
        _begun(key, _called("loto-station"), vouching.subject, now, VALID)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_others=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(_general(names)), critical=False)
        .add_extension(issuer, critical=False)
        .sign(its_key, SHA256())
    )


def _begun(
    key: Key, subject: x509.Name, issuer: x509.Name, now: datetime, valid: timedelta
) -> x509.CertificateBuilder:
    begins = now - EARLIER
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + valid)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _called(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _usage(*, signs_others: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_others,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_others,
        crl_sign=signs_others,
        encipher_only=False,
        decipher_only=False,
    )


def _address(name: str) -> Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _general(names: Iterable[str], *, net: bool = False) -> list[x509.GeneralName]:
    """Return names as certificates write them.

    Args:
        net: addresses as networks of one, as constraints want them.
    """
    found: list[x509.GeneralName] = []
    for name in sorted(names):
        address = _address(name)
        if address is None:
            found.append(x509.DNSName(name))
        else:
            found.append(x509.IPAddress(ipaddress.ip_network(address) if net else address))
    return found


def _names_of(leaf: x509.Certificate) -> frozenset[str]:
    told = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return frozenset(str(name.value) for name in told)


def _permitted(authority: x509.Certificate) -> frozenset[str]:
    told = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    return frozenset(str(name.value).split("/")[0] for name in told.permitted_subtrees or ())


def _read(path: Path) -> tuple[x509.Certificate, Key] | None:
    """Return a certificate and its key; None where there are none, or not whole ones."""
    try:
        pem = file_bytes(path)
        key = load_pem_private_key(pem, None)
        found = x509.load_pem_x509_certificates(pem)[0]
        found.extensions  # noqa: B018 - they are read here or never
    except (OSError, ValueError, TypeError, IndexError):
        return None
    whole = isinstance(key, ec.EllipticCurvePrivateKey) and key.public_key() == found.public_key()
    return (found, key) if whole and isinstance(key, ec.EllipticCurvePrivateKey) else None


def keep(path: Path, key: Key, *chain: x509.Certificate) -> None:
    """Write a key and its certificates into one file: a power cut leaves both or neither."""
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    told = [certificate.public_bytes(Encoding.PEM) for certificate in chain]
    keep_file(path, secret + b"".join(told), private=True)
