"""The program of a buzzer box: MicroPython on an RP2040 board, such as the Raspberry Pi Pico.

Wire each buzzer between its pin of `PINS`, line 1 first, and GND. Copy this file to the board under
the name main.py (docs/buzzers.md says how): it starts by itself when the box is plugged in, and
says over the USB plug which buzzers are held down. The board's own light is lit while one is.

A buzzer counts as down, or up, when each look at it for a millisecond said so: what is shorter is a
spike of its wire, or a bounce. All lines wait for the same millisecond, so it changes nothing about
who was first.
"""

import sys
from binascii import crc32
from time import ticks_diff, ticks_us

from machine import Pin

# The GP number of each line, line 1 first, as they lie around the board; 24 lines are the most.
PINS = [*range(23), 26]
LIGHT = "LED"
SURE_US = 1_000
BEAT_US = 50_000  # the station waits for a frame every 100 ms


class Box:
    """The lines as they were told last, and since when each is otherwise.

    A look makes no new objects: no line waits for memory to be cleared up.
    """

    def __init__(self, write: object) -> None:
        """Take all pins; `write` sends a text over the plug."""
        self.write = write
        self.pins = [Pin(number, Pin.IN, Pin.PULL_UP) for number in PINS]
        self.light = Pin(LIGHT, Pin.OUT)
        self.light.value(0)
        self.told = 0
        self.since = [None] * len(PINS)
        self.count = 0
        self.micros = 0  # of 32 bits, when the last frame went; ticks_us has fewer
        self.beat = ticks_us()  # the same by ticks_us

    def look(self) -> None:
        """Look at all lines once; send a frame if one has changed, or if it is time for one."""
        ticks, lines = ticks_us(), self.told
        for place in range(len(self.pins)):
            down = 1 - self.pins[place].value()
            if down == self.told >> place & 1:
                self.since[place] = None
            elif self.since[place] is None:
                self.since[place] = ticks
            elif ticks_diff(ticks, self.since[place]) >= SURE_US:
                self.since[place] = None
                lines ^= 1 << place
        if lines != self.told or ticks_diff(ticks, self.beat) >= BEAT_US:
            self.say(lines, ticks)

    def say(self, lines: int, ticks: int) -> None:
        """Send a frame."""
        self.micros = self.micros + ticks_diff(ticks, self.beat) & 0xFFFFFFFF
        self.told, self.beat = lines, ticks
        self.light.value(1 if lines else 0)
        digits = f"{self.count:02X}{self.micros:08X}{lines:06X}"
        self.count = self.count + 1 & 0xFF
        self.write(f"!{digits}{crc32(digits.encode()) & 0xFFFFFFFF:08X}\n")


def main() -> None:
    """Say for ever which buzzers are down."""
    box = Box(sys.stdout.write)
    while True:
        box.look()


if __name__ == "__main__":
    main()
