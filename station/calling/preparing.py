"""Prepare a game: the census and the self-test, and why no game opens yet. Pure.

    census-begin      knobs on the readers are ticked off, and not called; `go_on`: those found last
                      time count, the faulty do not
    census-end        what was found is recorded; the ninetieth knob does so by itself at the table:
                      what must be in the bag was found, or the end is refused with what is wrong
    self-test-begin   the station tries itself; `hands` false does not wait for presses and knobs
    self-test-end     gives it up

The journal does not record these wishes, but their results: the acts `census` and `self-test`, by
the station. While a table waits for its bag to be counted, the same count becomes the act `shake`
once there is no fault, with what was found, by whoever began it. A bag that is counted by hand
meanwhile counts as counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from drivers import (
    Buzzed,
    Event,
    Held,
    Keyed,
    Pressed,
    ReadRefused,
    Refusal,
    Scanned,
    TagConfirmed,
    TagRead,
    Thrown,
    ThrowRefused,
    Turned,
)
from station.base.said import Sentence, listed, row, said
from station.calling.caller_state import BUTTON, CallerState, Preparing, SelfTestStage
from station.calling.selftest import Trial
from station.calling.signals import (
    BeginTest,
    CommandAnswered,
    Do,
    Examine,
    Notice,
    Record,
    Say,
    SelfTestEnded,
)
from station.calling.trouble import scold
from station.calling.turn import BUSY, CallerTurn, changed
from station.calling.wishes import CensusBegin, CensusEnd, DeskWish, SelfTestBegin
from station.night.acts import (
    NEXT_NIGHT,
    Act,
    Census,
    DrawKnob,
    Open,
    Shake,
    act_to_json,
)
from station.night.hall import Hall
from station.night.readiness import ALL_KNOBS, CheckOutcome, Counting, Tick, census_faults
from station.night.table.game import next_step
from station.people.roles import STATION, Person
from station.record.requests import Answer, Change, Command, Done, Refused, read_act
from station.views.announcing import census_told
from station.wire.board_view import SignView

COUNT_VIA, TEST_VIA = "reader", "self-test"  # the inputs of their results
# What a self-test keeps for itself: a press is none for the caller now.
HELD_BACK = (
    *(Pressed, Buzzed, Held, Keyed, TagRead, TagConfirmed, ReadRefused, Scanned, Turned),
    *(Thrown, ThrowRefused),
)

# what a press does at the table, apart from a draw; a call comes to its end first
PRESSED = frozenset({"shake", "move", "close"})
MOST_SAID = 18  # knobs of one fault in a sentence: a list of ninety numbers helps nobody
NO_KNOBS = Refused(
    "no-knobs",
    said("no ball is enrolled here: teach the station its balls first, with {loto} enrol"),
)
TAUGHT_LATE = Refused(
    "no-knobs",
    said(
        "the balls were taught after this night had begun, and something has happened in it: it"
        " keeps the table that it began with. Close it with {loto} close-night and begin the next"
        " one with {loto} next"
    ),
)
NOT_NOW = Refused(
    "game-open", said("a game is open: balls are counted and the station is tested between games")
)
NOT_WAITING = Refused(
    "not-waiting",
    said(
        "no bag waits to be counted now: at the table it is counted once, before the first ball"
        " of a drawing"
    ),
)
COUNTING = Refused(
    "preparing",
    said(
        "the bag is being counted over the reader: lay the rest of its balls; or count by hand,"
        " and say so on the page /table or with {loto} table shake"
    ),
)
NO_CENSUS = Refused(
    "no-census", said("no census is under way: begin one on the page /caller or with {loto} census")
)
NO_TEST = Refused("no-test", said("no self-test is under way"))
UNDER_WAY = Refused("preparing", said("a census or a self-test is under way: end it first"))

_TICKS = {
    Tick.AGAIN: "census-double",
    Tick.TWICE: "census-two",
    Tick.FOREIGN: "census-foreign",
    Tick.AWAY: "put-away",
}
_SCOLDED = {Refusal.CHECK: "two-knobs", Refusal.TWO: "two-knobs"}


def bag_to_count(hall: Hall) -> frozenset[int] | None:
    """Return the knobs that a count must find now; None if the game waits for no count."""
    game = hall.open_game
    if game is None:
        return ALL_KNOBS
    return game.bag if next_step(game) == "shake" else None


def _put(turn: CallerTurn, **changes: Any) -> None:
    turn.put(preparing=changed(turn.state.preparing, **changes))


def takes(turn: CallerTurn, event: Event) -> bool:
    """Take a device's event, if the self-test or the count wants it; return whether nothing else
    may take it."""
    now = turn.state.preparing
    if now.test is not SelfTestStage.NONE:
        turn.out(Examine(event))
        return isinstance(event, HELD_BACK)
    return now.counting is not None and _counts(turn, event, now.counting)


def _counts(turn: CallerTurn, event: Event, counting: Counting) -> bool:
    knobs, repeating = turn.night.manners.tags.knobs, turn.state.preparing.repeating
    match event:
        case TagRead(back=True):
            pass  # it never left
        case TagRead(reader=reader, tag=tag, at=at):
            if (knob := knobs.get(tag)) is not None:
                turn.put(resting=turn.state.resting.lay(reader, knob, at)[0])
            # A reader that repeats would say it twice: what it says once is noise.
            if knob is not None or reader not in repeating:
                _tick(turn, counting, tag)
        case TagConfirmed(reader=reader, tag=tag):
            _put(turn, repeating=repeating | {reader})
            if reader in repeating and tag not in knobs:
                _tick(turn, counting, tag)
        case ReadRefused(why=why):
            _put(turn, counting=counting.refused())
            scold(turn, _SCOLDED.get(why, "unknown-knob"))
        case _:
            return False
    return True


def _lying(state: CallerState, hall: Hall, signs: Collection[str]) -> list[int]:
    """Return the knobs on readers that must be in the bag, while it waits to be counted."""
    bag = bag_to_count(hall) if hall.game_open else None
    return sorted(state.resting.surely(signs) & bag) if bag is not None else []


def refuses(
    state: CallerState, hall: Hall, signs: Mapping[str, SignView], act: str, via: str = ""
) -> Refused | None:
    """Return why an act cannot be done now, apart from the night's own reasons; None if it can.

    No game opens and no night begins while something is under way; no game opens while a reader is
    lost. At the table no bag is counted by hand while one of its knobs is on a reader: it would be
    drawn as soon as it is read again. No button settles a drawing while its last number is being
    called, nor says that the bag was counted while it is counted over the readers: the person who
    pressed it meant to draw.
    """
    preparing, at_table = state.preparing, hall.at_table is not None
    if act in PRESSED and via.startswith(BUTTON) and at_table:
        if state.calling:
            return BUSY
        if act == "shake" and preparing.counts:
            return COUNTING
    if act == "shake" and (lying := _lying(state, hall, signs)):
        one = said("{number} lies on the reader: put it into the bag", number=lying[0])
        them = listed(lying)
        more = said("{numbers} lie on the readers: put them into the bag", numbers=them)
        return Refused(
            "bag-not-whole", said("{lying}, then count", lying=one if len(lying) == 1 else more)
        )
    if act not in ("open", NEXT_NIGHT) or hall.game_open:
        return None
    if preparing.busy:
        return UNDER_WAY
    if act == NEXT_NIGHT:
        return None
    lost = [sign.text for device, sign in signs.items() if device.partition("-")[0] == "reader"]
    if hall.ready.strict and lost and not hall.ready.faults_waived:
        return Refused(
            "unfit",
            said(
                "{sign}; or say who plays all the same, and why, on the page /caller or with"
                " {loto} selftest --waive",
                sign=lost[0],
            ),
        )
    return None


def wish(turn: CallerTurn, command: Command, act: DeskWish) -> Answer:
    """Begin or end a census or a self-test."""
    hall = turn.hall
    begins = isinstance(act, CensusBegin | SelfTestBegin)
    if isinstance(act, CensusBegin) and hall.at_table is not None:
        if bag_to_count(hall) is None:
            return NOT_WAITING
    elif begins and hall.game_open:
        return NOT_NOW
    if begins and turn.state.preparing.busy:
        return UNDER_WAY
    match act:
        case CensusBegin(go_on=go_on):
            refused = _begin_census(turn, command.by, go_on=go_on)
        case CensusEnd():
            refused = _end_census(turn)
        case SelfTestBegin(hands=hands):
            _put(turn, test=SelfTestStage.RUNNING, tried=None)
            turn.out(BeginTest(command.by.name, hands))
            refused = None
        case _:
            refused = _give_up(turn)
    return refused or Done(turn.night.adopted.seq)


def follow(turn: CallerTurn, change: Change) -> None:
    """Give up what a change has overtaken; continue to count a bag that has changed."""
    before, after, bag = change.before, change.after, bag_to_count(change.after)
    opens = isinstance(change.act, Open)
    if opens:
        _give_up(turn)
    moved = before.game_open != after.game_open
    last = turn.state.preparing.last
    if bag is None or opens or moved:
        _put(turn, counting=None, last=None)
    elif last is not None:
        _put(turn, last=replace(last, bag=bag))
    if after.at_table is not None and isinstance(change.act, Open | DrawKnob):
        _put(turn, counted=None)
    counting = turn.state.preparing.counting
    if counting is not None and bag is not None:
        _put(turn, counting=replace(counting, bag=bag))
        _end_if_whole(turn)


def answered(turn: CallerTurn, event: CommandAnswered) -> bool:
    """Take the answer to the result of a count or a test; return whether it is one."""
    command, answer, now = event.command, event.answer, turn.state.preparing
    if command.via == TEST_VIA:
        if now.test is SelfTestStage.RECORDING:
            _over(turn)
        return True
    if command.via != COUNT_VIA or not isinstance(command.act, Census | Shake):
        return False
    if isinstance(answer, Refused):
        turn.out(Notice(answer.said))
    _put(turn, recording=False)
    turn.show()
    return True


# -- census ----------------------------------------------------------------------------------------


def _begin_census(turn: CallerTurn, host: Person, *, go_on: bool) -> Refused | None:
    tags, last = turn.night.manners.tags, turn.state.preparing.last
    if not tags.knobs:
        return TAUGHT_LATE if turn.night.taught_since() else NO_KNOBS
    begun = Counting(tags.knobs, frozenset(tags.spares))
    if go_on and last is not None:
        begun = last.mended()
    bag = bag_to_count(turn.hall) or ALL_KNOBS
    counting = replace(begun, who=host.name, bag=bag)
    _put(turn, counting=counting, counted=None, host=host)
    if not _end_if_whole(turn):  # all that was wrong may have been taken out of the bag
        turn.out(Say(("census-begin",)))
    return None


def _tick(turn: CallerTurn, counting: Counting, tag: int) -> None:
    """Tick a tag off, and say what is wrong with it."""
    counting, tick = counting.read(tag)
    _put(turn, counting=counting)
    if phrase := _TICKS.get(tick):
        which = (f"number.{counting.last}",) if tick is Tick.AWAY else ()
        scold(turn, phrase, f"census {tick}", 0.0, which)
    turn.out(Notice(f"{len(counting.found)} / {len(counting.bag)}"))
    turn.show()
    _end_if_whole(turn)


def _end_if_whole(turn: CallerTurn) -> bool:
    counting = turn.state.preparing.counting
    if counting is None or not counting.whole:
        return False
    _end_census(turn)
    return True


def _end_census(turn: CallerTurn) -> Refused | None:
    counted, in_game = turn.state.preparing.counting, turn.hall.game_open
    if counted is None:
        return NO_CENSUS
    _put(turn, counting=None, counted=counted, last=counted)
    if in_game and not counted.whole:
        turn.out(Say(census_told(counted.act(), counted.bag)))
        return Refused(
            "bag-not-whole",
            said(
                "the bag is not as it must be; {faults}. Put that right, then go on with the"
                " count, on the page /table or with {loto} census --go-on; or count by hand:"
                " {loto} table shake",
                faults=row(census_faults(counted.act(), counted.bag, MOST_SAID), "; "),
            ),
        )
    act: Act = counted.act()
    by = STATION
    if in_game:
        turn.put(resting=turn.state.resting.count())
        act, by = counted.shake(), turn.state.preparing.host
    _put(turn, recording=True)
    turn.out(Record(Command("", act, by, COUNT_VIA)))
    return None


def _outcome(preparing: Preparing, hall: Hall) -> CheckOutcome:
    """Return the outcome of the last census; at the table, of the last count of the bag."""
    if (table := hall.at_table) is None:
        return hall.ready.census
    if preparing.counted is None:
        return CheckOutcome.NONE
    return CheckOutcome.GOOD if table.shaken else CheckOutcome.FAULTY


# -- self-test -------------------------------------------------------------------------------------


def tested(turn: CallerTurn, event: SelfTestEnded) -> None:
    """Record the result of the self-test, unless it was given up meanwhile."""
    if turn.state.preparing.test is not SelfTestStage.RUNNING:
        return
    if event.result is None:
        _over(turn)
        return
    _put(turn, test=SelfTestStage.RECORDING, tried=event.result)
    # The devices' own words are in it: as untrusted as what the wire brings.
    act = read_act(act_to_json(event.result))
    turn.out(Record(Command("", act, STATION, TEST_VIA)))


def _give_up(turn: CallerTurn) -> Refused | None:
    if turn.state.preparing.test is SelfTestStage.NONE:
        return NO_TEST
    turn.out(Do.STOP_TEST)
    _over(turn)
    return None


def _over(turn: CallerTurn) -> None:
    """Forget the test: presses are the caller's again, lamps and board show the night."""
    _put(turn, test=SelfTestStage.NONE)
    turn.out(Do.LIGHT)
    turn.show()


# -- questions -------------------------------------------------------------------------------------


def answers(
    preparing: Preparing,
    hall: Hall,
    trial: Trial | None = None,
    tell: Callable[[Sentence], str] = str,
) -> Mapping[str, dict[str, Any]]:
    """Return what the wire answers about the `census` and the `self-test`.

    Args:
        trial: the self-test under way.
        tell: writes a sentence for the person who asks.
    """
    counted = preparing.counting or preparing.counted
    census: dict[str, Any] = {"active": preparing.counts, "state": _outcome(preparing, hall)}
    if counted is not None:
        missing, away = list(counted.missing), sorted(ALL_KNOBS - counted.bag)
        census |= act_to_json(counted.act()) | {"missing": missing, "away": away}
        census["faults"] = list(counted.faults)
    tried = trial or preparing.tried
    parts = tried.parts if tried is not None else ()
    asks = trial.asks if trial is not None else None
    test = {
        "active": preparing.test is not SelfTestStage.NONE,
        "asks": tell(asks) if asks is not None else "",
        "parts": [part.model_dump(mode="json") for part in parts],
        "state": hall.ready.self_test,
    }
    return {"census": census, "self-test": test}
