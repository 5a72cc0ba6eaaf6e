"""Buzzers on GPIO pins: one for each player, up to 24; the first to press answers.

    buzzer of line 1                Raspberry Pi, 40-pin header (BCM number / header pin)
        ┌──o o──┐
        │       └──────────────────── GPIO 5 / pin 29     pulled up inside the Pi: no resistor
        └──────────────────────────── GND    / pin 30

    Every further buzzer: its own GPIO, any GND. Which pins are free, and what a long wire needs:
    docs/buzzers.md.

    >>> from drivers.simulated.pins import SimulatedPins
    >>> hand = SimulatedPins()                     # on a Pi leave pin_factory out
    >>> buzzers = Buzzers(pins={"1": 5, "2": 6}, pin_factory=hand)
    >>> buzzers.open(deliver=print)                # Buzzed(box='buzzers', line=1, at=…)
    >>> buzzers.close(); hand.close()

Parameters: see `Buzzers`. They are judged as `drivers.pins.button` judges push buttons: a press is
a line that is down for a millisecond without a break, its time is that of the first edge, bounces
are ignored, one that is held buzzes once. One that is held at the start, or for half a minute, is a
fault until it is let go.

When it was pressed says the kernel, where it can: lgpio hands on the time that was taken in the
interrupt, by the clock that `time.monotonic` reads. So two presses are told apart by when they
happened, not by when Python came to hear of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from drivers import BadOption, Buzzed, Deliver, DeviceFound, DeviceLost, Event, Pressed, Spiked
from drivers.pins.button import Buttons
from drivers.sleeper import hand_over

MOST_LINES = 24  # players at one table
STUCK_S = 30.0


def check_name(name: str) -> None:
    """Check the name of a box.

    Raises:
        BadOption: it is empty or blank.
    """
    if not name.strip():
        raise BadOption("buzzers: name is empty: leave it out, or call them something")


def buzzer_title(box: str) -> str:
    """Return the name of one buzzer of this box for sentences.

    >>> buzzer_title("buzzers"), buzzer_title("buzzers-left")
    ('buzzer', 'buzzers-left buzzer')
    """
    return "buzzer" if box == "buzzers" else f"{box} buzzer"


@dataclass(kw_only=True, eq=False)
class Buzzers(Buttons):
    """The buzzers on the Pi's own pins.

    Args:
        pins: GPIO (BCM) number of each line, such as {"1": 5, "2": 6}; lines go from 1 to 24.
        name: what their events call them; default "buzzers".
        deaf_ms: quiet time in milliseconds after which a buzzer is up again; default 30.
        stuck_s: seconds one may be held before it is a fault; default 30.
        others: as of `Buttons`.

    Raises:
        BadOption: an option that cannot be used.
    """

    name: str = "buzzers"
    deaf_ms: float = 30
    hold_s: float = field(init=False)
    stuck_s: float = STUCK_S

    def __post_init__(self) -> None:
        check_name(self.name)
        lines = [str(line) for line in range(1, MOST_LINES + 1)]
        if unknown := [line for line in self.pins if line not in lines]:
            raise BadOption(
                f"{self.name}: there is no line {unknown[0]!r}: pins are called 1 to {MOST_LINES},"
                " as the lines of a box"
            )
        self._what = buzzer_title(self.name)
        self.hold_s = self.stuck_s / 2
        super().__post_init__()

    def open(self, deliver: Deliver) -> None:
        """Watch the pins from now on.

        Raises:
            DeviceMissing: the pins cannot be reached.
            DriverError: open already.
        """

        def translated(event: Event) -> None:
            match event:
                case Pressed(button=line, at=at):
                    hand_over(deliver, Buzzed(self.name, int(line), at))
                case DeviceLost() | DeviceFound() | Spiked():
                    hand_over(deliver, event)

        super().open(translated)
