"""Buttons: bounce, long press, stuck; the contact as a pure machine, and the driver over simulated
pins."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import BadOption, DeviceFound, DeviceLost, DeviceMissing, Held, Pressed, Released
from drivers.pins.button import LOOKS, Buttons, Contact
from drivers.simulated.pins import SimulatedPins
from tests.drivers.clockwork import LIMIT_S, SURE_S, HandClock, Inbox

DRAW, FENCE = 17, 27

# bounces of the contact, then down for good
SHAKY = [(1, True), (1.0002, False), (1.001, True), (1.0017, False), (1.0019, True), (2, False)]

# Moves of the line as (seconds, down), and what must come of them by the second `until`.
CONTACT = [
    ("a press", [(1, True), (1.5, False)], 2, ["pressed 1", "released 1.5"]),
    ("down for a millisecond is a press", [(1, True)], 1.0011, ["pressed 1"]),
    ("and no sooner", [(1, True)], 1.0009, []),
    (
        "two milliseconds are a press",
        [(1, True), (1.002, False)],
        2,
        ["pressed 1", "released 1.002"],
    ),
    ("a spike is none", [(1, True), (1.0009, False)], 2, []),
    ("the time is the first edge's", SHAKY, 3, ["pressed 1", "released 2"]),
    (
        "a spike before the press is none of it",
        [(1, True), (1.0005, False), (1.01, True)],
        2,
        ["pressed 1.01"],
    ),
    (
        "an edge of a spike lost, then a press",
        [(1, True), (1.5, True)],
        1.6,
        ["pressed 1"],
    ),
    (
        "a long press is one press",
        [(1, True), (5.9, False)],
        9,
        ["pressed 1", "held 4", "released 5.9"],
    ),
    (
        "a press of nearly three seconds is no long one",
        [(1, True), (3.99, False)],
        9,
        ["pressed 1", "released 3.99"],
    ),
    (
        "long with a bounce on the mark",
        [(1, True), (3.99, False), (4.01, True)],
        5,
        ["pressed 1", "held 4"],
    ),
    (
        "each press can be long",
        [(1, True), (4.5, False), (5, True), (8.5, False)],
        9,
        ["pressed 1", "held 4", "released 4.5", "pressed 5", "held 8", "released 8.5"],
    ),
    ("up is said when the line is quiet", [(1, True), (1.5, False)], 1.54, ["pressed 1"]),
    (
        "bounces at both ends",
        [(1, True), (1.01, False), (1.02, True), (1.5, False), (1.51, True), (1.53, False)],
        2,
        ["pressed 1", "released 1.53"],
    ),
    (
        "a tap shorter than the bounce time",
        [(1, True), (1.01, False)],
        2,
        ["pressed 1", "released 1.01"],
    ),
    (
        "chatter while held",
        [(1, True), (2, False), (2.04, True), (3, False)],
        4,
        ["pressed 1", "released 3"],
    ),
    (
        "two presses",
        [(1, True), (1.1, False), (1.2, True)],
        1.21,
        ["pressed 1", "released 1.1", "pressed 1.2"],
    ),
    ("stuck", [(1, True)], 60, ["pressed 1", "held 4", "lost"]),
    ("stuck, then let go", [(1, True), (8, False)], 10, ["pressed 1", "held 4", "lost", "found"]),
    (
        "stuck, let go too briefly",
        [(1, True), (8, False), (8.9, True)],
        99,
        ["pressed 1", "held 4", "lost"],
    ),
    (
        "a loose contact is stuck too",
        [(1, True), (5.99, False), (6.02, True)],
        7,
        ["pressed 1", "held 4", "lost"],
    ),
    ("held at the start", [(0, True)], 60, ["lost"]),
    ("held at the start, then let go", [(0, True), (3, False)], 5, ["lost", "found"]),
    (
        "held at the start, freed, pressed",
        [(0, True), (3, False), (5, True)],
        5.01,
        ["lost", "found", "pressed 5"],
    ),
    ("not yet freed", [(0, True), (3, False), (3.5, True), (3.6, False)], 4.5, ["lost"]),
    (
        "an edge lost by the kernel: down twice",
        [(1, True), (2, True), (3, False)],
        4,
        ["pressed 1", "released 3"],
    ),
    (
        "an edge lost by the kernel: up twice",
        [(1, False), (2, True), (3, False), (3.04, False)],
        3.06,
        ["pressed 2", "released 3"],
    ),
]


def said(events):
    """Events in a few words."""
    words = {DeviceLost: "lost", DeviceFound: "found"}
    return [words.get(type(e)) or f"{type(e).__name__.lower()} {e.at:g}" for e in events]


def play(moves, until, ticks=(), still_down=lambda: True):
    """The events of a contact whose line moves so; a move at second 0 is the level at the start."""
    contact = Contact("draw", DRAW, still_down=still_down)
    down_at_start = bool(moves) and moves[0] == (0, True)
    events = contact.start(down_at_start, 0)
    steps = [(at, 0, down) for at, down in moves[down_at_start:]] + [
        (at, 1, None) for at in ticks if at <= until
    ]
    for at, _, down in sorted(steps, key=lambda step: step[:2]):
        events += contact.tick(at) if down is None else contact.edge(down, at)
    while (due := contact.due()) is not None and due <= until:
        events += contact.tick(due)
    return events


@pytest.mark.parametrize(("what", "moves", "until", "expected"), CONTACT)
def test_the_contact(what, moves, until, expected):
    """Each history of the line gives exactly these events."""
    assert said(play(moves, until)) == expected


def test_how_long_it_was_held():
    """`held` is from the first edge down to the last edge up, without the quiet time."""
    assert play([(1, True), (1.5, False), (1.51, True), (1.75, False)], 3)[-1] == Released(
        "draw", 0.75, 1.75
    )


def test_a_lost_release_is_no_fault():
    """When the edge of the release was lost, the pin itself is asked before the button is called
    pressed, held, or stuck."""

    def with_answers(*answers):
        left = iter(answers)
        return said(play([(1, True)], 9, still_down=lambda: next(left, False)))

    assert with_answers() == []
    down = [True] * LOOKS
    assert with_answers(*down) == ["pressed 1", "released 4"]
    assert with_answers(*down, True) == ["pressed 1", "held 4", "released 6"]


def test_a_press_that_is_over_before_anybody_looks_is_one():
    """The pin is up by then, and has nothing to say of a line whose edges were both heard."""
    up = {"still_down": lambda: False}
    assert said(play([(1, True), (1.08, False)], 2, **up)) == ["pressed 1", "released 1.08"]
    assert said(play([(1, True), (1.08, False), (1.3, True)], 2, **up)) == [
        "pressed 1",
        "released 1.08",
    ]


lines = st.lists(st.tuples(st.integers(1, 300), st.booleans()), max_size=25).map(
    lambda steps: [
        (sum(gap for gap, _ in steps[: n + 1]) / 50, down) for n, (_, down) in enumerate(steps)
    ]
)


@settings(deadline=None)
@given(lines, st.lists(st.integers(0, 7600), max_size=20))  # a look at the end comes too late
def test_when_the_timer_runs_does_not_matter(moves, ticks):
    """A timer that is late, or runs far too often, changes no event but the time at which a fault
    is noticed."""
    until = 200
    assert said_without_fault_times(
        play(moves, until, [tick / 40 for tick in ticks])
    ) == said_without_fault_times(play(moves, until))


def said_without_fault_times(events):
    return [e if isinstance(e, Pressed | Held | Released) else type(e) for e in events]


@settings(deadline=None)
@given(lines)
def test_presses_and_releases_take_turns(moves):
    """Between two presses there is a release or a cleared fault, with at least the quiet time up
    before it."""
    down, up_since = False, None
    for event in play(moves, 10_000):
        match event:
            case Pressed(at=at):
                assert not down
                assert up_since is None or at - up_since >= 0.05 - 1e-9
                down = True
            case Released(at=at):
                assert down
                down, up_since = False, at
            case DeviceLost():
                down, up_since = True, None
            case DeviceFound(at=at):
                assert down
                down, up_since = False, None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pins": {}}, "no pins"),
        ({"pins": {"draw": 28}}, "'draw'.*28.*0 to 27"),
        ({"pins": {"draw": True}}, "True"),
        ({"pins": {"draw": "17"}}, "'17'"),
        ({"pins": {"draw": 17, "claim": 17}}, "'claim'.*belongs to 'draw'"),
        ({"pins": {"draw": 17}, "pin_factory": "lgpoi"}, "'lgpoi'.*lgpio"),
        ({"pins": {"draw": 17}, "pin_factory": None}, "None"),
        ({"pins": {"draw": 17}, "deaf_ms": 0}, "deaf_ms"),
        ({"pins": {"draw": 17}, "deaf_ms": 2000}, "deaf_ms"),
        ({"pins": {"draw": 17}, "sure_ms": 0}, "sure_ms=0"),
        ({"pins": {"draw": 17}, "sure_ms": 50}, "sure_ms=50.*deaf_ms=50"),
        ({"pins": {"draw": 17}, "hold_s": 5}, "hold_s=5 must be shorter than stuck_s=5"),
        ({"pins": {"draw": 17}, "hold_s": 0.04}, "hold_s=0.04"),
    ],
)
def test_options_that_cannot_be_used(options, message):
    """Each wrong option is refused when the driver is made, with what is wrong and with what."""
    with pytest.raises(BadOption, match=message):
        Buttons(**options)


@pytest.fixture
def hand():
    pins = SimulatedPins()
    yield pins
    pins.close()


def opened(hand, **options):
    clock, inbox = HandClock(), Inbox()
    buttons = Buttons(
        pins={"draw": DRAW, "fence": FENCE},
        pin_factory=hand,
        clock=clock,
        sleeper=clock.sleeper,
        **options,
    )
    buttons.open(inbox)
    return buttons, clock, inbox


def test_a_button_held_at_the_start_is_named_and_left_out(hand):
    """Held at the start: a fault with name, pin and cure; no press; after a second up it counts
    again (H7)."""
    hand.press(DRAW)
    buttons, clock, inbox = opened(hand)
    lost = inbox.next()
    assert lost == DeviceLost("button draw", lost.reason, 1000)
    assert "'draw' (GPIO 17) is held down since the start: free it" in lost.reason
    hand.release(DRAW)
    clock.advance(1)
    assert inbox.next() == DeviceFound("button draw", 1001)
    hand.press(DRAW)
    clock.advance(SURE_S)
    assert inbox.next() == Pressed("draw", 1001)
    buttons.close()


def test_a_stuck_button_does_not_stop_the_others(hand):
    """While one button is stuck and fidgets, another is heard, and the stuck one is not."""
    buttons, clock, inbox = opened(hand)
    hand.press(DRAW)
    clock.advance(SURE_S)
    assert inbox.next() == Pressed("draw", 1000)
    clock.advance(5 - SURE_S)
    assert inbox.next() == Held("draw", 3, 1003)
    assert isinstance(inbox.next(), DeviceLost)
    hand.release(DRAW)
    hand.press(DRAW)
    hand.press(FENCE)
    clock.advance(SURE_S)
    assert inbox.next() == Pressed("fence", 1005)
    buttons.close()


def test_a_long_press_is_said_while_it_lasts(hand):
    """A button held for three seconds is `Held` then, not at its release, and each of two that are
    held is."""
    buttons, clock, inbox = opened(hand)
    hand.press(DRAW)
    clock.advance(SURE_S)
    assert inbox.next() == Pressed("draw", 1000)
    clock.advance(1 - SURE_S)
    hand.press(FENCE)
    clock.advance(SURE_S)
    assert inbox.next() == Pressed("fence", 1001)
    clock.advance(2 - SURE_S)
    assert inbox.next() == Held("draw", 3, 1003)
    clock.advance(1)
    assert inbox.next() == Held("fence", 3, 1004)
    hand.release(DRAW)
    clock.advance(0.25)
    assert inbox.next() == Released("draw", 4, 1004)
    buttons.close()


def test_two_buttons_at_once_are_two_presses_in_order(hand):
    """Two buttons pressed together come one after the other, each once."""
    buttons, clock, inbox = opened(hand)
    hand.bounce(FENCE)
    hand.bounce(DRAW)
    clock.advance(SURE_S)
    assert said(inbox.take(2)) == ["pressed 1000", "pressed 1000"]  # no release was heard yet
    hand.release(DRAW)
    hand.release(FENCE)
    clock.advance(0.1)
    assert said(inbox.take(2)) == ["released 1000", "released 1000"]
    assert inbox.empty()
    buttons.close()


def test_events_keep_the_order_of_time_when_the_thread_is_late(hand):
    """A release that became due while the thread was held up is said before the press that came
    after it."""
    clock, said_all, held_up = HandClock(), Inbox(), threading.Event()

    def slow(event):
        said_all(event)
        held_up.wait(LIMIT_S)

    buttons = Buttons(
        pins={"draw": DRAW, "fence": FENCE}, pin_factory=hand, clock=clock, sleeper=clock.sleeper
    )
    buttons.open(slow)
    hand.press(DRAW)
    clock.advance(SURE_S)
    assert said_all.next() == Pressed("draw", 1000)
    hand.release(DRAW)
    clock.advance(0.25 - SURE_S)
    hand.press(FENCE)
    clock.advance(SURE_S)
    held_up.set()
    assert said_all.take(2) == [Released("draw", SURE_S, 1000 + SURE_S), Pressed("fence", 1000.25)]
    buttons.close()


def test_presses_that_came_and_went_while_the_thread_was_late(hand):
    """Two buttons, one after the other, both up again before it looks at either."""
    clock, said_all, held_up = HandClock(), Inbox(), threading.Event()

    def slow(event):
        said_all(event)
        held_up.wait(LIMIT_S)

    buttons = Buttons(
        pins={"draw": DRAW, "fence": FENCE}, pin_factory=hand, clock=clock, sleeper=clock.sleeper
    )
    buttons.open(slow)
    hand.press(DRAW)
    clock.advance(SURE_S)
    assert said_all.next() == Pressed("draw", 1000)
    hand.release(DRAW)
    clock.advance(0.25 - SURE_S)
    for pin in (DRAW, FENCE):
        hand.press(pin)
        clock.advance(0.0625)
    for pin in (DRAW, FENCE):
        hand.release(pin)
        clock.advance(0.0625)
    held_up.set()
    assert said(said_all.take(5)) == [
        *("released 1000", "pressed 1000.25", "released 1000.38"),
        *("pressed 1000.31", "released 1000.44"),
    ]
    buttons.close()


def test_a_button_to_the_3v3_pin(hand):
    """With pull_up=False the line is pulled down, and high is pressed."""
    buttons, clock, inbox = opened(hand, pull_up=False)
    assert hand.levels(DRAW)[-1] is False
    hand.press(DRAW)
    assert hand.levels(DRAW)[-1] is True
    clock.advance(SURE_S)
    assert inbox.next() == Pressed("draw", 1000)
    buttons.close()


def test_a_missing_pin_library_is_named():
    """A pin library that is not installed stops `open` with its name; nothing falls back to
    another."""
    with pytest.raises(DeviceMissing, match=r"'pigpio'.*install it"):
        Buttons(pins={"draw": DRAW}, pin_factory="pigpio").open(Inbox())
