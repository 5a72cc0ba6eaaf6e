"""The core: as a real process that is killed, unplugged and starved; and composed in this process
without any device."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import pwd
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from drivers import Pressed, Released
from station.base.errors import SettingsError, StateInUse
from station.cards import PACK_FILE
from station.core.daemon import Core
from station.core.environment import Machine
from station.people.pairings import key_of
from station.record.coded import read_code
from station.record.journal import FILE, read
from station.record.nights import StateFolder
from station.settings import voices
from station.settings.config import HallSettings, PeopleSettings, Settings, WebSettings
from station.wire.board_view import BoardView
from station.wire.wire import HANDS_SOCKET, SOCKET, Client, Message
from station.wire.wording.refusals import load_refusals
from tests.support import CLOCK, LIMIT_S, run, small_pack, verify

# -- a real process --------------------------------------------------------------------------------


@dataclass
class Station:
    """A core that runs as a process of its own, with a connection to it and to its hands."""

    process: asyncio.subprocess.Process
    client: Client
    hands: Client
    views: list[BoardView] = field(default_factory=list)

    async def do(self, act: str, **arguments: Any) -> Message:
        return await self.client.do(act, **arguments)

    async def hand(self, hand: str, **arguments: Any) -> None:
        answer = await self.hands.request({"hand": hand, **arguments})
        assert answer.get("ok"), answer

    async def until(self, wanted: Callable[[BoardView], bool]) -> BoardView:
        """The first view that is as wanted; the last one known counts too."""
        if self.views and wanted(self.views[-1]):
            return self.views[-1]
        async with asyncio.timeout(LIMIT_S):
            async for message in self.client:
                if "view" in message:
                    self.views.append(BoardView.model_validate(message["view"]))
                    if wanted(self.views[-1]):
                        return self.views[-1]
        raise AssertionError("the station went away")

    async def call(self) -> int:
        """One number, drawn and heard."""
        await self.until(lambda view: not view.calling)
        answer = await self.do("draw")
        view = await self.until(lambda view: view.seq >= answer["seq"])
        assert view.last is not None
        return view.last


def core_command(state: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "station",
        "core",
        "--state",
        str(state),
        "--profile",
        "simulated",
        "--fast",
    ]


async def until_ready(process: asyncio.subprocess.Process, ear: socket.socket) -> None:
    """Returns when the process tells systemd, which is us, that it serves."""
    ended = asyncio.ensure_future(process.wait())
    told = asyncio.ensure_future(_told_ready(ear))
    done, _ = await asyncio.wait(
        {ended, told}, return_when=asyncio.FIRST_COMPLETED, timeout=LIMIT_S
    )
    assert told in done, f"the core ended with {process.returncode}"
    ended.cancel()


async def _told_ready(ear: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    while b"READY=1" not in await loop.sock_recv(ear, 4096):
        pass  # the secrets of an open bag are handed over before


@contextlib.asynccontextmanager
async def station_at(state: Path) -> AsyncIterator[Station]:
    """Starts a core; whatever happens, it is gone at the end."""
    name = f"loto-test-{os.getpid()}-{os.urandom(4).hex()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as ear:
        ear.bind(f"\0{name}")
        environ = {**os.environ, "NOTIFY_SOCKET": f"@{name}"}
        process = await asyncio.create_subprocess_exec(
            *core_command(state), stderr=subprocess.PIPE, env=environ
        )
        try:
            await until_ready(process, ear)
            run_folder = state / "run"
            async with (
                await Client.open(run_folder / SOCKET, "admin") as client,
                await Client.open(run_folder / HANDS_SOCKET) as hands,
            ):
                yield Station(process, client, hands)
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()


async def terminate(station: Station) -> str:
    """SIGTERM, as systemd sends it; gives what the process complained of."""
    station.process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(LIMIT_S):
        _, complaints = await station.process.communicate()
    assert station.process.returncode == 0, complaints.decode()
    return complaints.decode()


@pytest.mark.long
def test_killed_in_mid_game_it_goes_on_where_it_was(tmp_path: Path) -> None:
    """After `kill -9`: same game, same numbers, the last said again, ids remembered; a second core
    is refused; SIGTERM ends."""

    async def work() -> None:
        async with station_at(tmp_path) as station:
            opened = await station.do("open", sure=True)
            called = [await station.call() for _ in range(3)]
            await station.until(lambda view: not view.calling)
            answer = await station.client.request(
                {"id": "the-last", "do": {"act": "draw"}, "expect": 3}
            )
            before = await station.until(lambda view: view.seq >= answer["seq"])
            # Somebody starts it a second time: told so, in one sentence, and nothing is disturbed.
            second = await asyncio.create_subprocess_exec(
                *core_command(tmp_path), stderr=subprocess.PIPE
            )
            _, said = await second.communicate()
            assert second.returncode == 2
            assert "another station is using this state folder; stop it" in said.decode()
            assert len(said.decode().splitlines()) == 1
            station.process.kill()
            await station.process.wait()
        async with station_at(tmp_path) as station:
            after = await station.until(lambda view: view.say is not None)
            assert after.called == before.called
            assert after.called[:3] == tuple(called)
            assert (after.game, after.night, after.cards) == (
                before.game,
                before.night,
                before.cards,
            )
            assert after.say is not None
            assert after.say.clips == ("last-number", f"number.{before.called[-1]}")
            again = await station.client.request(
                {"id": "the-last", "do": {"act": "draw"}, "expect": 3}
            )
            assert again == answer
            # The rest of the bag was committed to anew.
            assert opened["seq"] < answer["seq"] == after.seq - 1
            more = [await Client.open(tmp_path / "run" / SOCKET) for _ in range(3)]
            assert await terminate(station) == ""
            for client in more:
                await client.close()
        assert not list((tmp_path / "run").glob("*.sock"))
        assert verify(tmp_path / "test")[0].torn == 0

    run(work())


@pytest.mark.long
def test_devices_fail_and_come_back(tmp_path: Path) -> None:
    """Reader unplugged, voice killed: an amber sign, the game goes on, all is well again by itself;
    both are in the journal. A machine that starves its voice may lose it once more."""

    async def work() -> None:
        async with station_at(tmp_path) as station:
            await station.do("open", sure=True)
            await station.hand("unplug", device="reader")
            view = await station.until(
                lambda view: any(sign.device == "reader" for sign in view.signs)
            )
            assert {sign.colour for sign in view.signs} == {"amber"}
            first = await station.call()
            await station.hand("plug", device="reader")
            await station.until(lambda view: not view.signs)
            await station.hand("kill", device="speech")
            await station.until(lambda view: any(sign.device == "speech" for sign in view.signs))
            await station.until(lambda view: not view.signs)
            second = await station.call()
            await station.until(lambda view: not view.calling)
            knob = next(number for number in range(1, 91) if number not in (first, second))
            await station.hand("drop", knob=knob)
            view = await station.until(lambda view: len(view.called) == 3)
            assert view.called == (first, second, knob)
            await terminate(station)

    run(work())
    lines = read(tmp_path / "test" / "nights" / "0001" / FILE).lines
    notes: dict[str, list[str]] = {}
    for line in lines:
        if line["do"]["act"] == "note":
            about = notes.setdefault(line["do"]["about"], [])
            about.append(line["do"]["what"].split(":")[0])
    once = ["lost", "works again"]
    assert notes == {"reader": once, "speech": once * (len(notes["speech"]) // 2)}
    assert [line["via"] for line in lines if line["do"]["act"] == "draw"] == [
        "wire",
        "wire",
        "reader",
    ]


@pytest.mark.long
def test_a_full_disk_halts_and_a_restart_goes_on(tmp_path: Path) -> None:
    """The number that cannot be recorded is not called; the paper procedure is shown; with room,
    the next start loses nothing."""

    async def work() -> None:
        async with station_at(tmp_path) as station:
            await station.do("open", sure=True)
            called = tuple([await station.call() for _ in range(2)])
            await station.until(lambda view: not view.calling)
            await station.hand("fill-disk")
            refused = await station.do("draw")
            assert refused["refused"]["reason"] == "halted"
            view = await station.until(lambda view: view.phase == "halted")
            assert view.called == called
            assert view.procedure
            assert [(sign.device, sign.colour) for sign in view.signs] == [("journal", "red")]
            await station.hand("free-disk")
            # Room alone does not wake it: nobody knows what the disk holds until the record is read
            # again.
            assert (await station.do("draw"))["refused"]["reason"] == "halted"
            await terminate(station)
        async with station_at(tmp_path) as station:
            view = await station.until(lambda _: True)
            assert (view.called, view.phase, view.signs) == (called, "playing", ())
            assert len({*called, await station.call()}) == 3
            await terminate(station)

    run(work())
    assert verify(tmp_path / "test")[0].torn == 0


# -- composed here, without devices ----------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with a pack."""
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / PACK_FILE).write_text(small_pack().to_csv())
    return tmp_path


def any_ground(folder: Path, *, test: bool) -> None:
    """A machine that runs these tests may have its temporary folders in memory."""


@contextlib.asynccontextmanager
async def core_at(
    state: Path, settings: Settings | None = None, role: str = "admin"
) -> AsyncIterator[Client]:
    """A core without devices, and a connection to it."""
    core = Core(
        settings or Settings(),
        state,
        state / "run",
        machine=Machine(clock=CLOCK, check_ground=any_ground),
    )
    await core.open()
    try:
        async with await Client.open(state / "run" / SOCKET, role) as client:
            yield client
    finally:
        await core.close()


async def first_view(client: Client) -> BoardView:
    async for message in client:
        if "view" in message:
            return BoardView.model_validate(message["view"])
    raise AssertionError("the station went away")


@pytest.mark.parametrize("stop", ["claim", "won"])
def test_who_stops_the_game_is_a_setting(state: Path, stop: str) -> None:
    """A card in play has its row: the station itself stops only where the settings say so; how near
    the hall is is shown."""

    async def work() -> None:
        async with core_at(
            state, Settings.model_validate({"game": {"stop": stop, "near": True}})
        ) as client:
            await client.do("sell", serials=["0001"])
            await client.do("open", sure=True)
            for number in small_pack().card("0001").rows[0]:
                answer = await client.do("draw", number=number)
            async for message in client:
                view = BoardView.model_validate(message["view"]) if "view" in message else None
                if (
                    view is not None
                    and view.seq >= answer["seq"]
                    and (view.phase == "stopped") == (stop == "won")
                ):
                    break
            assert (view.near, view.near_two) == (0, 0)
            assert (
                len(
                    (await client.request({"ask": {"about": "nearest"}}))["answer"]["stages"][0][
                        "cards"
                    ]
                )
                == 1
            )

    run(work())


def test_a_night_without_devices(state: Path) -> None:
    """With no button, reader, board or voice the wire alone calls a game."""

    async def work() -> None:
        async with core_at(state) as client:
            view = await first_view(client)
            assert (view.night, view.test, view.phase) == (1, False, "between")
            for act in ("open", "draw", "draw"):
                assert (await client.do(act, sure=True)).get("ok"), act
            assert (await client.request({"ask": {"about": "night"}}))["answer"]["opened"] == 1

    run(work())


ROLES = [
    ("watcher", {"act": "draw"}, False),
    ("watcher", {"act": "repeat"}, False),
    ("caller", {"act": "open"}, True),
    ("caller", {"act": "sell", "serials": ["0001"]}, False),
    ("cashier", {"act": "sell", "serials": ["0001"]}, True),
    ("cashier", {"act": "open"}, False),
    ("checker", {"act": "open"}, False),
    ("auditor", {"act": "open"}, False),
    ("admin", {"act": "open"}, True),
    ("station", {"act": "note", "about": "x", "what": "y"}, False),
    ("station", {"act": "open"}, True),
]


@pytest.mark.parametrize(("role", "do", "may"), ROLES)
def test_a_hello_can_only_lessen(state: Path, role: str, do: dict[str, Any], may: bool) -> None:
    """Root and the station's user are admin and may say they are less; nobody can say that he is
    the program itself."""

    async def work() -> None:
        async with core_at(state, role=role) as client:
            answer = await client.do(**do, sure=True)
            assert ("ok" in answer) is may, answer
            assert may or answer["refused"]["reason"] == "not-your-role"

    run(work())


def test_the_journal_names_who_it_was(state: Path) -> None:
    """A wish over the wire is recorded under the name that the machine knows its sender by."""

    async def work() -> None:
        async with core_at(state, role="admin") as client:
            assert "ok" in await client.do("open", sure=True)

    run(work())
    lines = [
        json.loads(line) for line in (state / "nights" / "0001" / FILE).read_bytes().splitlines()
    ]
    assert [line["by"] for line in lines if line["do"]["act"] == "open"] == [
        pwd.getpwuid(os.getuid()).pw_name
    ]


MESSAGES: list[tuple[Message, str]] = [
    ({"id": ""}, "every message wants an id"),
    ({"id": 5, "do": {"act": "open"}}, "every message wants an id"),
    ({"id": "x" * 101, "do": {"act": "open"}}, "every message wants an id"),
    ({"id": "a"}, "a command wants an act"),
    ({"id": "a", "do": "open"}, "a command wants an act"),
    ({"id": "a", "do": {"act": "open"}, "expect": "0"}, "a number in 'expect'"),
    ({"id": "a", "do": {"act": "open"}, "seen": [7]}, "a text in 'seen'"),
    ({"id": "a", "do": {"act": "open"}, "seen": True}, "a text in 'seen'"),
    ({"id": "a", "do": {"act": "open"}, "sure": "no"}, "a yes in 'sure'"),
    ({"id": "a", "ask": 5}, "there is no question about None"),
    ({"id": "a", "ask": {"about": "weather"}}, "there is no question about 'weather'"),
    ({"id": "a", "ask": {"about": "card", "serial": "9999"}}, "'9999' is no card of this pack"),
]


def test_what_was_seen_is_the_views_number_or_its_text(state: Path) -> None:
    """A screen may give back the `seq` of its view, or the answer's `seen`, which is the same as a
    text."""

    async def work() -> None:
        async with core_at(state) as client:
            view = await first_view(client)
            await _asked_and_done(client, "open", int, str(view.seq))
            assert (await client.do("close")).get("ok"), "nobody plays in it"
            await client.do("sell", serials=["0001"])
            await _asked_and_done(client, "close-night", str)

    run(work())


def test_a_refusal_is_in_the_askers_language(state: Path) -> None:
    """Each message may say its own; one that the station has not is the hall's, as is none. What
    would be lost is asked in it, with the hall's money; what is not understood is not. A command is
    named as the sender types it, where that is a name."""
    settings = Settings(hall=HallSettings(language="de"))

    async def work() -> None:
        async with core_at(state, settings) as client:

            async def say(do: Message, **more: Any) -> str:
                answer = await client.request({"do": do, **more})
                return str(answer["refused"]["say"])

            german = load_refusals("de")["no game is open: open the next one first"]
            italian = load_refusals("it")["no game is open: open the next one first"]
            for lang, told in (("it", italian), ("de", german), ("tlh", german), (["it"], german)):
                assert await say({"act": "stop"}, lang=lang) == told, lang
            assert await say({"act": "stop"}) == german
            lost = "nessuna cartella è venduta"
            assert lost in await say({"act": "open"}, lang="it")
            table = {"ask": {"about": "card", "serial": "0001"}, "secret": "x", "lang": "en"}
            answer = await client.request(table)
            assert answer["refused"]["say"].startswith("this device is not paired")
            wrong = {"do": "confirm", "digits": "000000", "role": "caller"}
            await client.request({"pair": {"do": "ask", "name": "tablet", "key": key_of("s")}})
            for typed, named in (("./loto", "./loto pair"), ("rm -rf", "loto pair"), (7, "loto ")):
                told = await client.request({"pair": wrong, "lang": "nl", "program": typed})
                assert f"met {named}" in told["refused"]["say"], typed

    run(work())


async def _asked_and_done(
    client: Client, act: str, kind: type[int] | type[str], wanted: str | None = None
) -> None:
    asked = (await client.do(act))["refused"]
    seen = asked["seen"]
    assert (asked["reason"], seen) == ("sure?", wanted or seen)
    beliefs: list[Message] = [
        {},
        {"seen": kind(seen)},
        {"sure": True},
        {"seen": kind(seen), "sure": False},
    ]
    for belief in beliefs:
        assert (await client.request({"do": {"act": act}, **belief}))["refused"][
            "reason"
        ] == "sure?", belief
    assert (await client.request({"do": {"act": act}, "seen": kind(seen), "sure": True})).get("ok")


def test_what_cannot_be_understood_is_answered(state: Path) -> None:
    """Each wrong message gets a sentence, and the connection goes on; with its own id where it has
    one."""

    async def work() -> None:
        async with core_at(state) as client:
            for message, said in MESSAGES:
                # as no `Client` would send it
                client._writer.write(json.dumps(message).encode() + b"\n")
                async for answer in client:
                    if "refused" in answer:
                        break
                assert said in answer["refused"]["say"], message
                assert answer["id"] == (message["id"] if message["id"] == "a" else None)
            assert (await client.do("open", sure=True)).get("ok")

    run(work())


def test_a_torn_record_is_said_and_the_game_waits(state: Path) -> None:
    """After a power cut in the middle of a line: an amber sign, a note, and the game is stopped
    until the caller plays on."""

    async def work() -> None:
        async with core_at(state) as client:
            for act in ("open", "draw"):
                await client.do(act, sure=True)
        path = state / "nights" / "0001" / FILE
        with path.open("ab") as file:
            file.write(b'{"at":{"trust"')
        async with core_at(state) as client:
            view = await first_view(client)
            assert (view.phase, len(view.called)) == ("stopped", 1)
            assert [(sign.device, sign.colour) for sign in view.signs] == [("journal", "amber")]
            assert f"put aside as {FILE}.torn-1" in view.signs[0].text
            assert "Confirm the last number" in view.signs[0].text
            assert (await client.do("draw"))["refused"]["reason"] == "claim-open"
            assert (await client.do("play-on")).get("ok")
            assert (await client.do("draw")).get("ok")

    run(work())


def test_a_device_that_does_not_start_is_a_sign(state: Path) -> None:
    """A voice pack that is not there does not keep the game from being called."""
    settings = Settings(devices={"speech": {"driver": "speech", "pack": str(state / "none")}})

    async def work() -> None:
        async with core_at(state, settings) as client:
            async with asyncio.timeout(LIMIT_S):
                while not (view := await first_view(client)).signs:
                    pass
            assert [(sign.device, sign.colour) for sign in view.signs] == [("speech", "amber")]
            await client.do("open", sure=True)
            assert (await client.do("draw")).get("ok")

    run(work())


def test_a_language_without_a_voice_is_a_sign(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no pack speaks the hall's language, the station starts, says what to type, and calls on
    the board."""
    monkeypatch.setattr(voices, "VOICES", state / "none")
    settings = Settings(hall={"language": "it"}, devices={"speech": {"driver": "speech"}})

    async def work() -> None:
        async with core_at(state, settings) as client:
            async with asyncio.timeout(LIMIT_S):
                while not (view := await first_view(client)).signs:
                    pass
            [sign] = view.signs
            assert (sign.device, sign.colour) == ("speech", "amber")
            wanted = "non c'è ancora una voce per Italiano: scrivere ./loto voice build --lang it"
            assert wanted in sign.text
            await client.do("open", sure=True)
            assert (await client.do("draw")).get("ok")

    run(work())


def test_a_halls_own_words_are_said_and_shown(state: Path) -> None:
    """What its file changes is in the notice, in the names of prizes, and, for screens that cannot
    read it, beside the view; a person who asks in the hall's language hears it, too."""
    (state / "wording").mkdir(exist_ok=True)
    own = "[phrases]\neyes-down = 'Eyes down, my lovelies.'\n[screen]\nrow = 'A line'\n"
    (state / "wording" / "en.toml").write_text(own, encoding="utf-8")

    async def work() -> None:
        async with core_at(state, Settings()) as client:
            await client.do("open", sure=True)
            async with asyncio.timeout(LIMIT_S):
                while not (view := await first_view(client)).notice.startswith("Eyes down"):
                    pass
            assert view.notice.startswith("Eyes down, my lovelies.")
            assert (view.signs, view.words) == ((), {"row": "A line"})
            assert view.stage is not None
            assert view.stage.name == "A line"

    run(work())


def test_faults_of_a_halls_own_words_are_a_sign(state: Path) -> None:
    """The evening is played with the words that ship, and the file stays as it is."""
    (state / "wording").mkdir(exist_ok=True)
    file = state / "wording" / "en.toml"
    file.write_text("[phrases]\nstop = 7\n", encoding="utf-8")

    async def work() -> None:
        async with core_at(state, Settings()) as client:
            [sign] = (await first_view(client)).signs
            assert (sign.device, sign.colour) == ("wording", "amber")
            assert f"{file}: 1 fault: the words that ship are used" in sign.text
            await client.do("open", sure=True)
            assert (await client.do("draw")).get("ok")

    run(work())
    assert file.read_text() == "[phrases]\nstop = 7\n"


def test_play_is_apart_from_earnest(state: Path) -> None:
    """A real night that is open keeps nobody from playing, and is untouched by it; two stations
    never share a run folder."""
    simulated = Settings(simulated=True)

    async def work() -> None:
        async with core_at(state) as client:
            await client.do("open", sure=True)
            with pytest.raises(StateInUse, match="another station is running here"):
                await Core(simulated, state, state / "run").open()
            # refused before a night was begun or a device opened
            assert not [*(state / "test" / "nights").iterdir()]
        before = (state / "nights" / "0001" / FILE).read_bytes()
        async with core_at(state, simulated) as client:
            view = await first_view(client)
            assert (view.test, view.night, view.phase) == (True, 1, "between")
            await client.do("open")
        assert (state / "nights" / "0001" / FILE).read_bytes() == before
        async with core_at(state) as client:
            view = await first_view(client)
            assert (view.test, view.phase) == (False, "playing")

    run(work())
    assert [night.night for night in verify(state / "test")] == ["0001"]


def test_what_keeps_a_core_from_starting_is_one_sentence(tmp_path: Path, state: Path) -> None:
    """A run folder that is a file, a user that is not there, a second core: each is named, and
    nothing stays locked."""

    async def fails(error: type[Exception], said: str, where: Path, **settings: Any) -> None:
        with pytest.raises(error, match=said):
            await Core(
                Settings(**settings), where, where / "run", machine=Machine(check_ground=any_ground)
            ).open()
        if error is not StateInUse:
            StateFolder(where, least_room=0).close()

    async def work() -> None:
        await fails(
            SettingsError,
            "this machine has no user 'nobody-here'",
            state,
            access={"callers": ("nobody-here",)},
        )
        async with core_at(state):
            await fails(StateInUse, "another station is using this state folder", state)
        os.rename(state / "run", state / "was")
        (state / "run").write_text("a file")
        await fails(SettingsError, "the run folder cannot be made", state)

    run(work())


def test_closing_waits_for_what_is_being_recorded(
    state: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A core that is ended in the middle of a command leaves a whole journal and no complaint,
    whatever became of it."""

    async def work() -> None:
        for _ in range(3):
            async with core_at(state) as client:
                sending = [
                    asyncio.ensure_future(client.do(act, sure=True))
                    for act in ("open", "draw", "stop", "undo", "close")
                ]
                await asyncio.sleep(0)
            await asyncio.gather(*sending, return_exceptions=True)

    run(work())
    gc.collect()
    assert verify(state)[0].torn == 0
    assert [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []


def test_a_button_lets_a_device_in(state: Path) -> None:
    """Its presses are no presses for the game; the screens show whom it would let in."""

    async def work() -> None:
        core = Core(
            Settings(people=PeopleSettings(button="cashier")),
            state,
            state / "run",
            machine=Machine(clock=CLOCK, check_ground=any_ground),
        )
        await core.open()
        async with await Client.open(state / "run" / SOCKET, "admin") as client:
            asked = {"do": "ask", "name": "the tablet", "key": key_of("s")}
            digits = (await client.request({"pair": asked}))["answer"]["digits"]
            core._receive(Pressed("pair", 0.0))
            core._receive(Released("pair", 0.1, 0.1))
            async for message in client:
                view = message.get("view", {})
                if any(digits in sign["text"] for sign in view.get("signs", ())):
                    break
            assert view["game"] is None
            told = (await client.request({"ask": {"about": "people"}}))["answer"]
            assert (told["people"], told["asks"]["name"]) == ([], "the tablet")
        await core.close()

    run(work())


@pytest.mark.parametrize(
    ("settings", "told"),
    [("", "http://loto.local:8090"), ("http://loto.fritz.box", "http://loto.fritz.box")],
)
def test_the_screens_know_where_the_pages_are(state: Path, settings: str, told: str) -> None:
    """The web says it in its hello, and every screen is told, in the code of the record's head and
    beside it; what stands in the settings is not changed by it."""

    async def work() -> None:
        core = Core(
            Settings(web=WebSettings(address=settings)),
            state,
            state / "run",
            machine=Machine(clock=CLOCK, check_ground=any_ground),
        )
        await core.open()
        path = state / "run" / SOCKET
        async with await Client.open(path) as screen:
            async with await Client.open(path, kind="web", pages="http://loto.local:8090"):
                async for message in screen:
                    view = message.get("view", {})
                    if view.get("pages") == told:
                        break
            assert view["code"].startswith(f"{told}/check#")
            coded = read_code(view["code"])
            assert (coded.head.text, coded.key) == (view["head"], view["key"])
            assert coded.head.signed_by(coded.key)
        await core.close()

    run(work())
