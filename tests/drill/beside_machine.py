"""A station beside a paper, with Hypothesis choosing what happens: what both such machines do, and
how an evening is told."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from station.record.session import Session
from tests.drill.beside import Beside
from tests.drill.course import Broken

EVENINGS = 20  # in a case
STEPS = 80  # in an evening
QUIET = settings(
    max_examples=EVENINGS,
    stateful_step_count=STEPS,
    database=None,
    deadline=None,
    print_blob=False,
    report_multiple_bugs=False,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
ACTS = st.runner().flatmap(lambda machine: machine.acts)


class BesidePaper(RuleBasedStateMachine):
    """What may happen in any evening, faults too; `rig` and `runner` are made when it begins.

    Attributes:
        acts: what may be asked for.
        session: the kind of session that is tried.
        steps: done so far, by all machines of the class.
    """

    acts: ClassVar[st.SearchStrategy[dict[str, Any]]]
    session: ClassVar[type[Session]] = Session
    steps: ClassVar[int] = 0
    runner: asyncio.Runner
    rig: Beside[Any]

    def wait(self, work: Coroutine[Any, Any, Any]) -> None:
        """Until it is done; another night begins where one was closed."""
        self.runner.run(work)
        if self.rig.paper.closed:
            self.rig.restart()

    @rule(act=ACTS)
    def do(self, act: dict[str, Any]) -> None:
        """One act."""
        self.wait(self.rig.do(act))

    @rule(act=ACTS)
    def power_cut(self, act: dict[str, Any]) -> None:
        """The power goes in the middle of an act."""
        self.wait(self.rig.power_cut(act))

    @rule(act=ACTS)
    def fault(self, act: dict[str, Any]) -> None:
        """The disk fails in the middle of an act."""
        self.wait(self.rig.fault(act))

    @rule()
    def again(self) -> None:
        """The last command comes once more."""
        self.wait(self.rig.again())

    @rule()
    @precondition(lambda self: self.rig.steps > 2)
    def restart(self) -> None:
        """The process ends, and starts again."""
        self.rig.restart()

    def teardown(self) -> None:
        """The evening is over."""
        if hasattr(self, "runner"):
            self.runner.close()
            type(self).steps += self.rig.steps


def evenings(
    machine: type[BesidePaper], how: settings, seed: int, case: int, session: type[Session]
) -> int:
    """So many evenings that Hypothesis makes of this seed; gives how many steps they had. Raises
    `Broken`."""
    tried: type[BesidePaper] = type("Evening", (machine,), {"session": session, "steps": 0})
    try:
        run_state_machine_as_test(hypothesis.seed(seed * 1_000_000 + case)(tried), settings=how)
    except Exception as error:
        told = "\n".join(getattr(error, "__notes__", ()))
        raise Broken(f"{error}\n{told}") from error
    return tried.steps
