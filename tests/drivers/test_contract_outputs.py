"""What every output driver keeps, whatever it drives: the board and the voice through one suite."""

import pytest

from drivers import BoardShown, Cavity, SoundEnded, SoundStarted, make_driver
from station.wording import VOICES
from tests.drivers.clockwork import Inbox
from tests.drivers.wall import BUSES, KINDS, NEVER


class Output:
    """A driver's name, its options, what it is asked to do, and the events that answer."""

    def __init__(self, name, answers, ask, **options):
        self.name, self.answers, self.ask, self.options = name, answers, ask, options


def board(name, geometry):
    """A board of these chips and this shape."""
    options = {"geometry": geometry, "bus": BUSES[name].of({"geometry": geometry}), "refresh_s": NEVER}
    return Output(name, (BoardShown,), lambda driver, token: driver.show([Cavity(token)], token), **options)


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


@pytest.fixture(params=OUTPUTS.values(), ids=OUTPUTS)
def output(request):
    return request.param


def test_making_touches_nothing(output):
    """A driver that is only made has no device, no thread and no process; it may be closed all the same."""
    driver = make_driver(output.name, **output.options)
    driver.close()


def test_every_token_is_answered(output):
    """What is asked is answered with its token, in order, and all before the driver is closed is over with it."""
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
