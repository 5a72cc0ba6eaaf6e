"""Who speaks next: the ranks, what overtakes what, and what is too stale to be said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import Rank
from drivers.voice.pack import STALE_S, SayQueue

CHATTER, VERDICT, STOP, NUMBER = Rank.CHATTER, Rank.VERDICT, Rank.STOP, Rank.NUMBER


def played(*asked, clip_s=1.0, at=0.0):
    """Plays all that is asked: (when, rank, clips), each clip lasting `clip_s`; what was heard, and
    what became of each token."""
    queue, waiting = SayQueue(), sorted(enumerate(asked), key=lambda one: one[1][0])
    heard, over = [], {}
    while True:
        while waiting and waiting[0][1][0] <= at:
            token, (when, rank, clips) = waiting.pop(0)
            queue.ask(token, clips.split(), rank, when)
        turn = queue.turn(at)
        assert not over.keys() & {token for token, _ in turn.over}, "an announcement ends once"
        over.update(turn.over)
        if turn.clips is None:
            if not waiting:
                return heard, over
            at = waiting[0][1][0]
            continue
        heard += turn.clips
        at += clip_s * len(turn.clips)


TABLE = {
    "one after another": ([(0, CHATTER, "a b"), (0, CHATTER, "c")], "a b c", []),
    "a number before what waits": (
        [(0, CHATTER, "a"), (0.1, CHATTER, "b"), (0.2, NUMBER, "n")],
        "a n b",
        [],
    ),
    "a number in between the clips": ([(0, CHATTER, "a b"), (0.5, NUMBER, "n")], "a n b", []),
    "a number is never parted": (
        [(0, NUMBER, "chime n"), (0.5, STOP, "s"), (0.6, NUMBER, "m")],
        "chime n m s",
        [],
    ),
    "stop before the verdict": ([(0, VERDICT, "v w"), (0.5, STOP, "s t")], "v s t w", []),
    "all ranks at once": (
        [(0, CHATTER, "c"), (0, VERDICT, "v"), (0, STOP, "s"), (0, NUMBER, "n")],
        "n s v c",
        [],
    ),
    "what was overtaken goes on first": (
        [(0, CHATTER, "a b"), (0.2, CHATTER, "c"), (0.5, NUMBER, "n")],
        "a n b c",
        [],
    ),
    "equal ranks wait": ([(0, STOP, "s t"), (0.5, STOP, "u"), (0.5, VERDICT, "v")], "s t u v", []),
    "stale chatter is dropped": (
        [(0, CHATTER, "a b"), (0.5, NUMBER, "n1 n2 n3 n4")],
        "a n1 n2 n3 n4",
        [0],
    ),
    "fresh chatter is said": ([(0, CHATTER, "a b"), (0.5, NUMBER, "n1 n2 n3")], "a n1 n2 n3 b", []),
    "stale chatter that waited": (
        [(0, NUMBER, "n"), (0.1, CHATTER, "a"), (0.2, NUMBER, "n1 n2 n3 n4")],
        "n n1 n2 n3 n4",
        [1],
    ),
    "nobody overtook it": ([(0, CHATTER, "a b c d e f"), (0.1, CHATTER, "g")], "a b c d e f g", []),
    "a verdict is never stale": (
        [(0, VERDICT, "v w"), (0.5, NUMBER, "n1 n2 n3 n4 n5 n6")],
        "v n1 n2 n3 n4 n5 n6 w",
        [],
    ),
    "nothing to say": ([(0, CHATTER, ""), (0, NUMBER, "")], "", []),
}


@pytest.mark.parametrize(("asked", "heard", "dropped"), TABLE.values(), ids=TABLE)
def test_the_order(asked, heard, dropped):
    """What is heard, clip by clip, and which announcements were not said to their end."""
    clips, over = played(*asked)
    assert clips == heard.split()
    assert over == {token: token not in dropped for token in range(len(asked))}


@given(
    st.lists(st.tuples(st.integers(0, 20), st.sampled_from(Rank), st.integers(0, 4)), max_size=12)
)
def test_everything_ends_and_numbers_are_whole(asked):
    """Each announcement ends once and is heard in its own order; only chatter is ever dropped;
    numbers come whole, in turn."""
    clips = [
        [f"{token}.{place}" for place in range(count)] for token, (_, _, count) in enumerate(asked)
    ]
    heard, over = played(
        *((when, rank, " ".join(clips[token])) for token, (when, rank, _) in enumerate(asked))
    )
    assert over.keys() == set(range(len(asked)))
    for token, (_, rank, _) in enumerate(asked):
        said = [clip for clip in heard if clip.startswith(f"{token}.")]
        assert (
            said == clips[token]
            if over[token]
            else rank is CHATTER and said == clips[token][: len(said)]
        )
    numbers = [
        token
        for token in sorted(over, key=lambda token: asked[token][0])
        if asked[token][1] is NUMBER and clips[token]
    ]
    starts = [heard.index(clips[token][0]) for token in numbers]
    assert starts == sorted(starts)
    assert all(
        heard[start : start + len(clips[token])] == clips[token]
        for token, start in zip(numbers, starts, strict=True)
    )


def test_it_begins_once():
    """An announcement that was overtaken has begun already: it does not begin again."""
    queue = SayQueue()
    queue.ask(1, ["a", "b"], CHATTER, 0.0)
    assert queue.turn(0.0).begun == 1
    queue.ask(2, ["n"], NUMBER, 0.1)
    assert [queue.turn(at).begun for at in (1.0, 2.0, 3.0)] == [2, None, None]


def test_a_number_is_handed_over_whole():
    """All clips of a number come at once, to be joined without a gap; those of anything else one by
    one."""
    queue = SayQueue()
    queue.ask(1, ["chime", "n"], NUMBER, 0.0)
    queue.ask(2, ["s", "t"], STOP, 0.0)
    assert [queue.turn(0.0).clips for _ in range(4)] == [("chime", "n"), ("s",), ("t",), None]


def test_the_limit_of_staleness():
    """Chatter that was overtaken is still said when it is just as old as it may be."""
    for age, clips in ((STALE_S, ("a",)), (STALE_S + 0.01, None)):
        queue = SayQueue()
        queue.ask(1, ["a"], CHATTER, 0.0)
        queue.ask(2, ["n"], NUMBER, 0.0)
        queue.turn(0.0)
        assert queue.turn(age).clips == clips
