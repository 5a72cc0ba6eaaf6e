"""What every output driver keeps, whatever it drives: the board and the voice through one suite."""

import queue

import pytest

from drivers import BoardShown, Cavity, DriverError, SoundEnded, SoundStarted
from drivers.making import make_driver
from station.wire.wording import VOICES
from tests.drivers.clockwork import LIMIT_S, Inbox
from tests.drivers.wall import BUSES, KINDS, NEVER


class Output:
    """A driver's name, its options, what it is asked to do, and the events that answer."""

    def __init__(self, name, answers, ask, **options):
        self.name, self.answers, self.ask, self.options = name, answers, ask, options


def board(name, geometry):
    """A board of these chips and this shape."""
    options = {
        "geometry": geometry,
        "bus": BUSES[name].of({"geometry": geometry}),
        "refresh_s": NEVER,
    }
    return Output(
        name, (BoardShown,), lambda driver, token: driver.show([Cavity(token)], token), **options
    )


OUTPUTS = {
    **{"-".join(kind): board(*kind) for kind in KINDS},
    "speech": Output(
        "speech",
        (SoundStarted, SoundEnded),
        lambda driver, token: driver.say([f"number.{token}"], token),
        pack=VOICES / "en",
        audio={"SDL_AUDIODRIVER": "dummy"},
        hurry=True,
    ),
}


# The voice is a process of its own.
@pytest.fixture(
    params=[
        pytest.param(rig, id=name, marks=[pytest.mark.long] if name == "speech" else [])
        for name, rig in OUTPUTS.items()
    ]
)
def output(request):
    return request.param


def test_making_touches_nothing(output):
    """A driver that is only made has no device, no thread and no process; it may be closed all the
    same."""
    driver = make_driver(output.name, **output.options)
    driver.close()


def test_every_token_is_answered(output):
    """What is asked is answered with its token, in order, and all before the driver is closed is
    over with it."""
    driver, events = make_driver(output.name, **output.options), Inbox()
    driver.open(events)
    try:
        for token in (5, 6, 7):
            output.ask(driver, token)
        came = events.take(3 * len(output.answers))
    finally:
        driver.close()
    driver.close()
    for kind in output.answers:
        assert [event.token for event in came if isinstance(event, kind)] == [5, 6, 7]
    assert events.empty()


def test_a_fresh_driver_after_a_closed_one(output):
    """The device is free again when its driver is closed."""
    for _ in range(2):
        driver, events = make_driver(output.name, **output.options), Inbox()
        driver.open(events)
        output.ask(driver, 1)
        assert isinstance(events.next(), output.answers[0])
        driver.close()


def test_it_opens_again(output):
    """A closed driver opens again and works as before; one that is open is not opened twice."""
    driver = make_driver(output.name, **output.options)
    for _ in range(2):
        events = Inbox()
        driver.open(events)
        with pytest.raises(DriverError, match="open already"):
            driver.open(Inbox())
        output.ask(driver, 1)
        assert isinstance(events.next(), output.answers[0])
        driver.close()


def test_a_receiver_that_fails_does_not_stop_it(output, caplog):
    """When `deliver` raises, the error is logged and what follows is delivered."""
    driver, events, failing = make_driver(output.name, **output.options), Inbox(), [True]

    def deliver(event):
        if failing:
            failing.pop()
            raise RuntimeError("the loop is closed")
        events(event)

    driver.open(deliver)
    output.ask(driver, 1)
    output.ask(driver, 2)
    assert events.take(2 * len(output.answers) - 1)[-1].token == 2
    driver.close()
    assert "nobody took" in caplog.text


def test_it_can_be_closed_by_its_receiver(output):
    """A receiver may close the driver from inside `deliver`: nothing locks up, and it opens
    again."""
    driver, done = make_driver(output.name, **output.options), queue.Queue()

    def deliver(event):
        driver.close()
        done.put(event)

    for _ in range(2):
        driver.open(deliver)
        output.ask(driver, 1)
        done.get(timeout=LIMIT_S)
        driver.close()
