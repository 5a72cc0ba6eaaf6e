"""The caller's page in every state of an evening: loaded anew, in a second tab, with its line cut,
and before a core that is killed. An evening is a station that begins anew, with settings of its
own; each of its states has the steps that lead there from the one before."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.installed.hands import URL, Hands, Way, before, fixed, loto, words_of
from tests.installed.night import CALLS, Caller, keyed_to_win, rows_of_pack, two_winners

MOUSE = Way("states")
SHOWN = ("number", "next", "game", "checked")
BAG = 90
SLOWEST = 60  # seconds from call to call
UNITS = ("loto-web", "loto-core")
UNDER_WAY = ("census-active", "test-active", "test-asks")
SETTINGS = Path("/etc/loto-station/station.toml")
PROGRAMME = Path("/etc/loto-station/evening.toml")
STATE = Path("/var/lib/loto-station")
CARDS = ("packs", "cards.key")
DISK_MIB = 64  # of a disk that gets full


@dataclass(frozen=True)
class State:
    """A state of the caller's page.

    Attributes:
        come: the steps that lead there.
        after: what comes next after the core was killed, where that is something else than before:
            nothing goes on by itself after a fault.
        keeps: what is the same then; after the end of a night a start begins the next one.
        elsewhere: what comes next in a second tab, where this page alone knows more.
        lose: how it is lost and found, where that is another way than every state's.
    """

    come: Callable[[Caller], None]
    after: str = ""
    keeps: Sequence[str] = ("number", "game", "checked")
    elsewhere: str = ""
    lose: Callable[[Caller, State], None] | None = None


@dataclass(frozen=True)
class Evening:
    """A station, and the states of its evening, in order.

    Attributes:
        programme: its games.
        settings: what its file says, beside the programme.
        in_memory: its folder is a small disk of its own, which can be filled.
    """

    programme: str
    states: dict[str, State]
    settings: str = 'profile = "simulated"\n'
    in_memory: bool = False

    @property
    def test(self) -> bool:
        """Return whether no money is taken."""
        return "simulated" in self.settings


def every_state(browser: Browser, name: str, say: Callable[[str], None]) -> None:
    """Play an evening; in each state lose page, line and core, and come back to the same."""
    evening = EVENINGS[name]
    _begin(evening)
    with before(browser, MOUSE, "Carla") as hands:
        hands.let_in("caller", "caller")
        caller = Caller(hands)
        for what, state in evening.states.items():
            state.come(caller)
            hands.picture(what.replace(" ", "-"))
            (state.lose or _comes_back)(caller, state)
            say(f"{what}: loaded anew, second tab, line cut, core killed")
    loto("journal", "verify", *(["--test"] if evening.test else []))


def _begin(evening: Evening) -> None:
    """Begin with a folder that holds the pack of cards, and nothing else."""
    subprocess.run(["systemctl", "stop", *UNITS], check=True)
    for half in (STATE / "test", STATE / "nights"):
        if subprocess.run(["umount", half], capture_output=True, check=False).returncode:
            shutil.rmtree(half, ignore_errors=True)
    for path in STATE.iterdir():
        if path.name not in CARDS:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    if evening.in_memory:
        (STATE / "test").mkdir()
        _system("mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "test", str(STATE / "test"))
    PROGRAMME.write_text(evening.programme)
    SETTINGS.write_text(f'{evening.settings}[game]\nprogramme = "{PROGRAMME}"\n')
    _system("chown", "-R", "loto:loto", str(STATE))
    _system("systemctl", "start", *reversed(UNITS))


def _system(*words: str) -> None:
    subprocess.run(words, check=True)


# -- lost and found --------------------------------------------------------------------------------


def _comes_back(caller: Caller, state: State) -> None:
    """Lose it in each way."""
    page = caller.page
    seen = _looks(page)
    page.reload()
    _is_again(page, seen)
    other = page.context.new_page()
    other.goto(f"{URL}/caller")
    there = _without_next(seen) if state.elsewhere else seen
    _is_again(other, there)
    for unit in UNITS:
        _kill(unit)
        for tab in (page, other):
            _is_away(caller, tab, seen["number"])
        _system("systemctl", "start", unit)
        if unit == "loto-core" and state.after:
            seen = there = {name: seen[name] for name in state.keeps}
            caller.comes(state.after)
        _is_again(page, seen)
        _is_again(other, there)
        if state.elsewhere:
            Caller(Hands(other, MOUSE, "Carla", [])).comes(state.elsewhere)
    other.close()


def _kill(unit: str) -> None:
    _system("systemctl", "kill", "--kill-whom=main", "--signal=KILL", unit)
    _system("systemctl", "stop", unit)  # not before it was seen


def _is_away(caller: Caller, tab: Page, number: str, line: str = "next-away") -> None:
    """It says so, keeps the number, and refuses with the reason."""
    expect(tab.locator("#away")).to_be_visible()
    expect(tab.get_by_test_id("number")).to_have_text(number)
    expect(tab.get_by_test_id("next")).to_have_text(caller.words[line])
    tab.keyboard.press("s")
    expect(tab.get_by_test_id("done")).to_contain_text(caller.words[line])


def _looks(page: Page) -> dict[str, str]:
    expect(page.locator("body")).to_have_attribute("data-stale", "false")
    return {name: page.get_by_test_id(name).inner_text() for name in SHOWN}


def _without_next(seen: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in seen.items() if name != "next"}


def _is_again(page: Page, seen: dict[str, str]) -> None:
    expect(page.locator("body")).to_have_attribute("data-stale", "false")
    expect(page.locator("#away")).to_be_hidden()
    for name, text in seen.items():
        expect(page.get_by_test_id(name)).to_have_text(text, use_inner_text=True)


def _held_waits(caller: Caller, _: State) -> None:
    """What was held when it was lost is no press any more: it waits, and is the next one called."""
    number = caller.page.get_by_test_id("held").locator("strong").inner_text()
    caller.page.reload()
    caller.comes("seen")
    caller.page.mouse.up()
    for unit in UNITS:
        _hold(caller)
        _kill(unit)
        _is_away(caller, caller.page, caller.page.get_by_test_id("number").inner_text())
        _system("systemctl", "start", unit)
        caller.comes("seen")
        caller.page.mouse.up()
        expect(caller.page.get_by_test_id("next")).to_contain_text(number)
    called = len(caller.called())
    caller.draw()
    caller.counted(called + 1)
    expect(caller.page.get_by_test_id("number")).to_have_text(number)


def _switches_off(caller: Caller, _: State) -> None:
    """The machine ends while two tabs are open, and is switched on again."""
    page = caller.page
    for tab in (page, other := page.context.pages[-1]):
        _is_away(caller, tab, page.get_by_test_id("number").inner_text(), "next-off")
    other.close()
    _system("systemctl", "start", *reversed(UNITS))
    caller.comes("playing")


def _is_counted(caller: Caller, state: State) -> None:
    """What is under way between games is told again, until the core that did it is killed."""
    page = caller.page
    prepared = page.get_by_test_id("prepared")
    told = re.compile("|".join(re.escape(fixed(caller.words[key])) for key in UNDER_WAY))
    expect(prepared).to_contain_text(told)
    _comes_back(caller, state)
    expect(prepared).not_to_contain_text(told)


def _goes_on_with_room(caller: Caller, _: State) -> None:
    """A core that is killed while there is no room does not start; with room the game is back, and
    stands still: the line that was cut off is put aside, and the hall confirms the last number."""
    page = caller.page
    seen = _looks(page)
    expect(page.locator("#procedure")).to_be_visible()
    page.reload()
    _is_again(page, seen)
    _kill("loto-web")
    _is_away(caller, page, seen["number"])
    _system("systemctl", "start", "loto-web")
    _is_again(page, seen)
    _kill("loto-core")
    _is_away(caller, page, seen["number"])
    (STATE / "test" / "filling").unlink()
    _system("systemctl", "start", "loto-core")
    caller.comes("stopped")
    expect(page.locator("#procedure")).to_be_hidden()
    _is_again(page, {"number": seen["number"]})


# -- how each state is come to, from the one before it ---------------------------------------------


def _open(caller: Caller) -> None:
    caller.control("big")
    caller.comes("first")


def _play(caller: Caller) -> None:
    caller.draw()
    caller.comes("playing")


def _ask(caller: Caller) -> None:
    """A question stands on the page; what is not answered was not asked."""
    caller.control("undo")
    expect(caller.page.get_by_test_id("choose")).to_be_visible()


def _by_itself(caller: Caller) -> None:
    """So slowly that nothing is called while it is looked at."""
    pace = 6
    while pace < SLOWEST:
        pace += 1
        caller.page.get_by_test_id("slower").click()
        caller.hands.told(caller.words["did-pace"].replace("{pace}", str(pace)))
    caller.control("auto")
    caller.comes("auto")


def _stop(caller: Caller) -> None:
    caller.control("stop")
    caller.comes("stopped")


def _claim(caller: Caller) -> None:
    """A card that has nothing."""
    _check(caller, next(iter(rows_of_pack())))
    caller.comes("more-claims")


def _check(caller: Caller, serial: str) -> None:
    caller.hands.write(caller.page.get_by_test_id("card"), serial)
    caller.hands.press(caller.page.locator("#look-button"))
    expect(caller.page.get_by_test_id("checked")).to_contain_text(serial)


def _win_all(caller: Caller) -> None:
    """One card wins one prize after the other."""
    caller.control("big")
    serial, rows = [*rows_of_pack().items()][1]
    for row in rows:
        for number in sorted(row - {*caller.called()}):
            caller.key(number)
        _stop(caller)
        _check(caller, serial)
        caller.control("big")
        caller.hands.told(caller.words["log-stopped-playing"])
    caller.comes("won")


def _next(caller: Caller) -> None:
    """The programme pauses before it."""
    caller.control("close")
    caller.comes("between")
    pause = caller.words["pause-text"].replace("{text}", "Tea and cake.")
    expect(caller.page.get_by_test_id("next")).to_contain_text(pause)


def _empty(caller: Caller) -> None:
    """Each knob is called, and nobody claims."""
    _open(caller)
    caller.control("mute")
    caller.hands.told(words_of("caller", "en")["did-mute"])
    for count in range(1, BAG + 1):
        caller.draw()
        caller.counted(count)
    caller.comes("empty")


def _all_played(caller: Caller) -> None:
    caller.control("close")
    caller.answered("do-it")
    caller.comes("all-played")


def _close(caller: Caller) -> None:
    caller.control("close-night")
    caller.answered("yes")
    caller.comes("closed")


def _off(caller: Caller) -> None:
    """What switches the machine off ends the station, and leaves the rest of the container."""
    drop_in = Path("/run/systemd/system/loto-off.service.d/here.conf")
    drop_in.parent.mkdir(parents=True)
    ends = f"ExecStart=/bin/systemctl stop --no-block {' '.join(UNITS)}"
    rest = "ExecStart=/bin/rm -f /run/loto-station/off"
    drop_in.write_text(f"[Service]\nExecStart=\n{rest}\n{ends}\n")
    _system("systemctl", "daemon-reload")
    other = caller.page.context.new_page()
    other.goto(f"{URL}/caller")
    _is_again(other, _looks(caller.page))
    caller.page.bring_to_front()
    _system("systemctl", "start", "loto-off.path")
    caller.page.keyboard.press("o")
    caller.hands.once_more("o")
    caller.answered("yes")
    caller.comes("off")


def _count(caller: Caller) -> None:
    caller.page.get_by_test_id("census-begin").click()
    caller.hands.told(caller.words["did-census-begin"])
    caller.comes("counting")


def _test(caller: Caller) -> None:
    caller.page.get_by_test_id("self-test-begin").click()
    caller.hands.told(caller.words["did-self-test-begin"])
    caller.comes("testing")


def _hold(caller: Caller) -> None:
    """The large button is down, and does not come up."""
    page = caller.page
    expect(page.locator("body")).to_have_attribute("data-stale", "false")
    page.get_by_test_id("big").hover()
    caller.heard(page.mouse.down, "hold", page.mouse.up)
    caller.comes("held")


def _first_held(caller: Caller) -> None:
    _open(caller)
    _play(caller)
    _hold(caller)


def _wait(caller: Caller) -> None:
    _hold(caller)
    caller.page.keyboard.press("Escape")
    caller.page.mouse.up()
    caller.comes("seen")


def _lots(caller: Caller) -> None:
    """Two cards win on one number a thing that cannot be split."""
    _play(caller)
    called = caller.called()
    first, second, last = two_winners(rows_of_pack(), called)
    for number in keyed_to_win(rows_of_pack(), called, (first, second), last):
        caller.key(number)
    caller.counted(CALLS)
    _stop(caller)
    for serial in (first, second):
        _check(caller, serial)
    caller.control("big")
    caller.hands.told(caller.words["log-stopped-playing"])
    caller.page.get_by_test_id("lots").click()
    _asked(caller, caller.words["lots-title"])


def _second_lot(caller: Caller) -> None:
    """One has drawn; what is not keyed for all was not keyed."""
    caller.page.get_by_test_id("lots").click()
    _asked(caller, caller.words["lots-title"])
    _write(caller, "5")
    _asked(caller, caller.words["lots-title"])


def _asked(caller: Caller, title: str) -> None:
    expect(caller.page.get_by_test_id("choose")).to_contain_text(fixed(title))


def _write(caller: Caller, text: str) -> None:
    caller.hands.write(caller.page.get_by_test_id("reason"), text)
    caller.answered("yes")


def _paid(caller: Caller) -> None:
    """The lots are drawn, both are paid, and the number on which they won is to be taken back."""
    caller.page.get_by_test_id("lots").click()
    for knob in ("5", "80"):
        _asked(caller, caller.words["lots-title"])
        _write(caller, knob)
    caller.hands.told(caller.words["did-lots"])
    owed = caller.page.locator("#owed [data-serial]")
    expect(owed).to_have_count(2)
    for serial in [str(line.get_attribute("data-serial")) for line in owed.all()]:
        loto("pay", serial)
    _approval(caller)


def _approval(caller: Caller) -> None:
    """Two people answer for it; the page asks for one."""
    _ask(caller)
    caller.page.keyboard.press("1")
    _asked(caller, caller.words["approve-title"])


def _first_agrees(caller: Caller) -> None:
    _approval(caller)
    _write(caller, caller.hands.name)
    caller.hands.told(fixed(caller.words["did-approve"]))


def _both_agree(caller: Caller) -> None:
    """The other one types a PIN on this device; then it is taken back."""
    pin = re.findall(r"\b\d{6}\b", loto("people", "pin", "Tess"))[0]
    number = caller.called()[-1]
    _approval(caller)
    _write(caller, "Tess")
    caller.hands.write(caller.page.get_by_test_id("pin"), pin)
    caller.hands.press(caller.page.locator("dialog form button.main"))
    caller.hands.told(fixed(caller.words["did-approve"]))
    _ask(caller)
    caller.page.keyboard.press("1")
    caller.hands.told(caller.words["log-taken-back"].replace("{number}", str(number)))


def _company(caller: Caller) -> None:
    loto("table", "sit", "Anna", "Bruno", "Dario")
    caller.control("big")
    caller.comes("table")
    expect(caller.page.locator("#to-table")).to_be_visible()


def _not_ready(caller: Caller) -> None:
    """A reader that is not there, and knobs that were not counted: a press says so."""
    caller.comes("not-ready")
    caller.control("big")
    caller.hands.told(caller.words["hint-unfit"])


def _filled(caller: Caller) -> None:
    """Nothing can be written any more."""
    _open(caller)
    _play(caller)
    filling = STATE / "test" / "filling"
    subprocess.run(["dd", "if=/dev/zero", f"of={filling}", "bs=64k"], check=False)
    subprocess.run(["dd", "if=/dev/zero", f"of={filling}2", "bs=1"], check=False)
    while not caller.page.locator("#procedure").is_visible():  # the last page has room for lines
        caller.draw()
    caller.comes("halted")


TWO_GAMES = """name = "Two games"
approve_above = 100
[[games]]
name = "First game"
stakes = "quarters"
price = 100
[games.pause]
text = "Tea and cake."
minutes = 10
[[games]]
name = "Second game"
stakes = "quarters"
price = 100
"""
A_HAM = """name = "A ham"
approve_above = 1000
[[games]]
name = "For a ham"
price = 100
stages = [{ pattern = "row", prize = 300, thing = "a ham" }, { pattern = "full" }]
"""
A_COMPANY = """name = "A company"
[[games]]
name = "Second Method"
method = "loto-second"
table = { stake = 240 }
"""

EVENINGS = {
    "games": Evening(
        TWO_GAMES,
        {
            "between games": State(lambda caller: caller.comes("between")),
            "census running": State(_count, after="between", lose=_is_counted),
            "self-test running": State(_test, after="between", lose=_is_counted),
            "eyes down": State(_open),
            "playing": State(_play),
            "asked for a reason": State(_ask),
            "switched off": State(_off, lose=_switches_off),
            "calling by itself": State(_by_itself, after="playing"),
            "stopped": State(_stop),
            "a claim checked": State(_claim),
            "all prizes won": State(_win_all),
            "the programme's pause": State(_next),
            "the bag empty": State(_empty),
            "all games played": State(_all_played),
            "the night closed": State(_close, after="between", keeps=()),
        },
    ),
    "prizes": Evening(
        A_HAM,
        {
            "number held": State(_first_held, lose=_held_waits),
            "number seen": State(_wait, elsewhere="playing"),
            "lots asked for": State(_lots),
            "lots being drawn": State(_second_lot),
            "approval of an undo": State(_paid),
            "second approval of an undo": State(_first_agrees),
            "undone by two": State(_both_agree),
        },
        settings='profile = "simulated"\n[calling]\nsee_first = true\n',
    ),
    "company": Evening(A_COMPANY, {"a game at the table": State(_company)}),
    "reader": Evening(TWO_GAMES, {"not ready": State(_not_ready)}, 'profile = "rfid"\n'),
    "disk": Evening(TWO_GAMES, {"halted": State(_filled, lose=_goes_on_with_room)}, in_memory=True),
}
