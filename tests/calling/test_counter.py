"""The counter: cards before a scanner claim and are sold; foreign codes, damage and a second look
do nothing more."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from drivers import DeviceFound, DeviceLost, ReadRefused, Refusal, Scanned
from station.base.errors import SettingsError
from station.calling.counter import NOT_READ, read_numbering
from station.cards import PACK_FILE
from station.cards.cards_key import KEY_FILE, make_key
from station.cards.serials import Numbering
from station.core.daemon import Core
from station.record.journal import FILE, read
from station.settings.config import Settings, load_settings
from station.settings.scan import ScannerUse, Scanning, ScanUse
from station.wire.board_view import BoardView
from station.wire.wire import HANDS_SOCKET, SOCKET, Client
from tests.support import LIMIT_S, Table, run, run_by_hand, small_pack, table_in

SCANNERS = Scanning({"scanner": ScannerUse(), "scanner-till": ScannerUse(ScanUse.SELL, "Ben")})
ONE, TWO = small_pack().serials[:2]
ROW = small_pack().card(ONE).rows[0]
Work = Callable[[Table], Coroutine[Any, Any, None]]
AtTable = Callable[[Work], None]


@pytest.fixture
def at_table(tmp_path: Path) -> AtTable:
    """Runs an evening at a desk with two scanners, on a loop whose time is ours."""

    def sit(work: Work) -> None:
        async def evening() -> None:
            with table_in(tmp_path, scanning=SCANNERS) as table:
                try:
                    await work(table)
                finally:
                    await table.desk.close()

        run_by_hand(evening())

    return sit


def claimed(code: str) -> Scanned:
    return Scanned("scanner", code, 0.0)


def for_sale(code: str) -> Scanned:
    return Scanned("scanner-till", code, 0.0)


async def open_with_row(table: Table, *cards: str) -> None:
    """A game in which the first card's top row is called."""
    await table.wish("sell", serials=list(cards), to="Anna")
    await table.wish("open")
    for number in ROW:
        await table.heard()
        await table.wish("draw", number=number)


def acts(table: Table) -> list[tuple[str, str]]:
    return [(change.act.act, change.via) for change in table.told]


def test_a_scanned_card_claims(at_table: AtTable) -> None:
    """In a game it stops play and is checked, by that scanner; the same card again at this stop is
    told so, not checked."""

    async def work(table: Table) -> None:
        await open_with_row(table, ONE, TWO)
        await table.receive(claimed(TWO))
        assert acts(table)[-1] == ("claim", "scanner")
        game = table.session.hall.sold
        assert game is not None
        assert (game.stopped, [claim.verdict for claim in game.claims]) == (True, ["not-complete"])
        await table.receive(claimed(ONE))
        lines = len(table.told)
        await table.receive(claimed(ONE))
        assert len(table.told) == lines
        assert "checked already at this stop" in table.outputs.view.notice
        assert [claim.serial for claim in table.outputs.view.claims] == [TWO, ONE]

    at_table(work)


def test_a_card_is_sold_at_the_till(at_table: AtTable) -> None:
    """For the coming game, also while one is open; by the scanner's seller; sold twice is refused
    and said."""

    async def work(table: Table) -> None:
        await table.receive(for_sale(ONE))
        assert table.outputs.view.notice == f"card {ONE} is sold for game 1"
        await table.wish("open")
        await table.receive(for_sale(ONE))
        assert table.outputs.view.notice == f"card {ONE} is sold for game 2"
        await table.receive(for_sale(ONE))
        assert f"Card {ONE} is sold already" in table.outputs.view.notice
        assert acts(table) == [("sell", "scanner-till"), ("open", "wire"), ("sell", "scanner-till")]
        hall = table.session.hall
        assert (hall.register.sold(1), hall.register.sold(2), hall.sellers["Ben"].sold) == (
            1,
            1,
            150,
        )

    at_table(work)


def test_what_is_no_card_does_nothing(at_table: AtTable) -> None:
    """A foreign code is named, damage asks to scan again; neither stops the game, nor is either a
    knob that is not known."""

    async def work(table: Table) -> None:
        await open_with_row(table, ONE)
        lines, spoken = len(table.told), len(table.outputs.said)
        await table.receive(claimed("https://example.org/"))
        assert table.outputs.view.notice.startswith(
            "'https://example.org/' is no card of this pack"
        )
        await table.receive(ReadRefused("scanner", Refusal.FORM, 0.0))
        assert table.outputs.view.notice == str(NOT_READ)
        await table.receive(for_sale(""))
        assert "is no card of this pack" in table.outputs.view.notice
        assert (len(table.told), len(table.outputs.said)) == (lines, spoken)
        assert table.outputs.view.phase != "stopped"

    at_table(work)


def test_a_claim_between_games_is_told(at_table: AtTable) -> None:
    """With the scanner for claims nothing is sold between games: it says that no game is open."""

    async def work(table: Table) -> None:
        await table.receive(claimed(ONE))
        assert (table.outputs.view.notice, table.told) == (
            f"card {ONE}: no game is open, there is nothing to claim",
            [],
        )

    at_table(work)


def test_a_lost_scanner_is_a_sign(at_table: AtTable) -> None:
    """Its name, what to do, and the game goes on; back, the sign is down."""

    async def work(table: Table) -> None:
        await table.receive(DeviceLost("scanner-till", "the scanner-till does not answer", 0.0))
        assert [sign.device for sign in table.outputs.view.signs] == ["scanner-till"]
        await table.receive(DeviceFound("scanner-till", 0.0))
        assert table.outputs.view.signs == ()

    at_table(work)


def test_short_codes_need_the_hall_s_key(tmp_path: Path) -> None:
    """With its key the pack's codes are read; a lost key is said, and nothing stops; plain serials
    need none."""
    pack = small_pack()
    assert read_numbering(pack, tmp_path) == (None, "")
    keyed = type(pack).of(Numbering(make_key(tmp_path)).serials(1, len(pack)), pack.numbers)
    numbering, fault = read_numbering(keyed, tmp_path)
    assert numbering is not None
    assert (keyed.find(numbering.short(2), numbering), fault) == (keyed.serials[1], "")
    (tmp_path / KEY_FILE).unlink()
    numbering, fault = read_numbering(keyed, tmp_path)
    assert (numbering, "lost" in fault) == (None, True)


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        (
            '[devices.scanner]\ndriver = "scanner"\nport = "/dev/x"\nuse = "look"\n',
            "devices.scanner: use is 'look'",
        ),
        ('[devices.scanners]\ndriver = "scanner"\n', "there is no device 'scanners'"),
        ('[devices.scanner-9]\ndriver = "scaner"\n', "devices.scanner-9: driver is 'scaner'"),
    ],
)
def test_faults_of_the_settings_file(tmp_path: Path, table: str, fault: str) -> None:
    """Each wrong line about a scanner is named; a good one is taken as it is."""
    file = tmp_path / "station.toml"
    file.write_text(table)
    with pytest.raises(SettingsError, match=fault):
        load_settings("simulated", file)
    file.write_text(
        '[devices.scanner-till]\ndriver = "scanner"\nport = "/dev/x"\nuse = "sell"\nseller ='
        ' "Ben"\n'
    )
    assert load_settings("simulated", file).devices["scanner-till"]["seller"] == "Ben"


# -- under a core ----------------------------------------------------------------------------------

KINDS: dict[str, dict[str, Any]] = {
    "scanner": {"driver": "scanner", "port": "simulated"},
    "scanner-till": {
        "driver": "keyboard-scanner",
        "device": "simulated",
        "use": "sell",
        "seller": "Ben",
    },
}


@contextlib.asynccontextmanager
async def station(state: Path) -> AsyncIterator[tuple[Client, Client]]:
    core = Core(Settings(simulated=True, devices=KINDS), state, state / "run")
    await core.open()
    try:
        async with (
            await Client.open(core.run / SOCKET, "admin") as client,
            await Client.open(core.run / HANDS_SOCKET) as hands,
        ):
            yield client, hands
    finally:
        await core.close()


async def until(client: Client, wanted: Callable[[BoardView], bool]) -> BoardView:
    async with asyncio.timeout(LIMIT_S):
        async for message in client:
            if "view" in message and wanted(view := BoardView.model_validate(message["view"])):
                return view
    raise AssertionError("the station went away")


def test_both_kinds_of_scanner_under_one_core(tmp_path: Path) -> None:
    """The simulated hands hold codes before a serial scanner and one that types: the card is sold,
    and claims; unplugged it is named; what is no hand is refused."""
    numbering = Numbering(make_key(tmp_path), "A", 6)
    pack = small_pack()
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(
        type(pack).of(numbering.serials(1, len(pack)), pack.numbers).to_csv()
    )

    async def work() -> None:
        async with station(tmp_path) as (client, hands):

            async def hand(name: str, **arguments: Any) -> Any:
                return await hands.request({"hand": name, **arguments})

            assert (await client.do("open")).get("ok")
            # In simulation all cards find players by themselves.
            assert (await client.do("return", serials=[numbering.serial(3)])).get("ok")
            assert (await hand("scan", scanner="scanner-till", code=numbering.short(3))).get("ok")
            await until(
                client, lambda view: view.notice == f"card {numbering.serial(3)} is sold for game 2"
            )
            assert (await client.do("draw")).get("ok")
            await until(client, lambda view: not view.calling and bool(view.called))
            assert (await hand("scan", code=numbering.short(1))).get("ok")
            view = await until(client, lambda view: view.claim is not None)
            assert view.claim is not None
            assert view.claim.serial == numbering.serial(1)
            await hand("unplug-scanner", scanner="scanner-till")
            view = await until(client, lambda view: bool(view.signs))
            assert [sign.device for sign in view.signs] == ["scanner-till"]
            await hand("plug-scanner", scanner="scanner-till")
            await until(client, lambda view: not view.signs)
            assert (
                "there are scanner, scanner-till"
                in (await hand("scan", scanner="scanner-9", code="x"))["refused"]["say"]
            )
            assert "needs other arguments" in (await hand("scan"))["refused"]["say"]

    run(work())
    [journal] = tmp_path.rglob(FILE)
    did = [
        (line["do"]["act"], line["by"], line["via"])
        for line in read(journal).lines
        if line["via"].startswith("scanner")
    ]
    assert did == [("sell", "till", "scanner-till"), ("claim", "table", "scanner")]
