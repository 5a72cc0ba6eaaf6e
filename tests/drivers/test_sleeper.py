"""The thread of a driver: it takes its turns when they are due or asked for, and survives a turn
that fails."""

import queue
import threading

from drivers.sleeper import Sleeper
from tests.drivers.clockwork import LIMIT_S, HandClock


class Turns:
    """A `turn` that tells when it is taken, and answers what the test put in."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.taken = queue.Queue()

    def __call__(self, now):
        self.taken.put(now)
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def next(self):
        return self.taken.get(timeout=LIMIT_S)


def begun(turns):
    clock = HandClock()
    sleeper = Sleeper("test", turns, clock=clock, wait=clock.wait)
    sleeper.start()
    assert turns.next() == 1000
    return sleeper, clock


def test_a_turn_is_taken_when_it_is_due():
    """After its first turn it sleeps until the time that turn gave, however often time moves
    before."""
    turns = Turns(1010)
    sleeper, clock = begun(turns)
    clock.advance(4)
    clock.advance(5)
    clock.advance(1)
    assert turns.next() == 1010
    sleeper.stop()
    assert turns.taken.empty()


def test_a_turn_is_taken_when_woken():
    """Woken, it takes a turn at once, though none is due."""
    turns = Turns()
    sleeper, _ = begun(turns)
    sleeper.wake()
    assert turns.next() == 1000
    sleeper.stop()


def test_whoever_gives_way_goes_on_after_the_turn():
    """Not before the end of the turn that he asked for, though another was under way; not much
    later than he said, though it does not end; at once, where none will be taken."""
    turns, going = Turns(), threading.Semaphore(0)

    def turn(now):
        turns(now)
        assert going.acquire(timeout=LIMIT_S)

    def waker():
        thread = threading.Thread(target=sleeper.wake, args=(10 * LIMIT_S,), daemon=True)
        thread.start()
        return thread

    clock = HandClock()
    sleeper = Sleeper("test", turn, clock=clock, wait=clock.wait)
    sleeper.start()
    turns.next()
    sleeper.wake(0.01)
    one = waker()
    going.release()
    turns.next()
    one.join(0.05)
    assert one.is_alive()
    going.release()
    one.join(LIMIT_S)
    assert not one.is_alive()
    sleeper.stop()
    late = waker()
    late.join(LIMIT_S)
    assert not late.is_alive()


def test_a_failing_turn_is_logged_and_not_the_last(caplog):
    """A turn that raises is logged with the thread's name, and the next one is taken."""
    turns = Turns(RuntimeError("chip gone"))
    sleeper, _ = begun(turns)
    sleeper.wake()
    turns.next()
    sleeper.stop()
    assert "test: a turn failed" in caplog.text
    assert "chip gone" in caplog.text


def test_stopped_before_it_began():
    """Stopping one that never started does nothing, twice."""
    sleeper = Sleeper("test", Turns())
    sleeper.stop()
    sleeper.stop()
