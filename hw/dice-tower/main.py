"""The program of a dice tower: MicroPython on an RP2040 board, such as the Raspberry Pi Pico.

Dice, or cubes that are marked on one face, fall through a light barrier and come to lie in pockets,
a colour sensor TCS34725 under the window of each, all behind one switch TCA9548A. Each face has a
colour that tells which face is on top of it (docs/dice.md says how they are wired, painted, and
learnt). Copy this file to the board under the name main.py: it starts by itself when the tower is
plugged in, and says over the USB plug what was thrown.

A throw is read when nothing has fallen for a while, and once more a little later: what differs was
touched. A colour that is like none that was learnt, or like two of them, lies askew.
"""

import json
import os
import select
import sys
from binascii import crc32, hexlify
from time import sleep_ms, ticks_diff, ticks_ms

from machine import I2C, Pin

POCKETS = 8  # from the first channel of the switch
SDA, SCL, MOUTH, CUBES = 4, 5, 6, 7  # GP numbers
REST_MS, AGAIN_MS, BEAT_MS = 1_500, 300, 400  # the station waits for a frame every half second
LEARNT = "faces.json"
EMPTY = "-"
ALIKE = 25  # percent by which a reading may differ from what was learnt
SWITCH, SENSOR = 0x70, 0x29
# Of the TCS34725: on and measuring; 24 ms for a reading; four times as sensitive.
SETTINGS = ((0x80, 0x03), (0x81, 0xF6), (0x8F, 0x01))
READING = 0xB4  # clear, red, green, blue: two bytes each, the lower first


class Pockets:
    """The sensors, and the readings of each face that were learnt: [what, reading] each.

    What is a letter, D or M, and the face that lies on top; or `EMPTY`.
    """

    def __init__(self) -> None:
        """Switch all sensors on."""
        self.bus = I2C(0, sda=Pin(SDA), scl=Pin(SCL), freq=100_000)
        for pocket in range(POCKETS):
            self.choose(pocket)
            for register, value in SETTINGS:
                self.bus.writeto_mem(SENSOR, register, bytes([value]))
        self.learnt = []
        if LEARNT in os.listdir():
            with open(LEARNT) as file:
                self.learnt = json.load(file)

    def choose(self, pocket: int) -> None:
        """Let the bus reach this pocket's sensor alone."""
        self.bus.writeto(SWITCH, bytes([1 << pocket]))

    def reading(self, pocket: int) -> list:
        """Return how much light, red, green and blue this pocket's sensor sees."""
        self.choose(pocket)
        data = self.bus.readfrom_mem(SENSOR, READING, 8)
        return [data[place] | data[place + 1] << 8 for place in range(0, 8, 2)]

    def face(self, pocket: int, kind: str) -> str:
        """Return the face on top; `EMPTY` for an empty pocket, nothing if it is not sure."""
        seen, nearest = self.reading(pocket), {}
        for what, learnt in self.learnt:
            if what == EMPTY or what[0] == kind:
                apart = sum(abs(one - other) for one, other in zip(seen, learnt))  # noqa: B905 - MicroPython has no strict
                apart = 100 * apart // (sum(learnt) + 1)
                nearest[what] = min(apart, nearest.get(what, apart))
        best = sorted((apart, what) for what, apart in nearest.items())[:2]
        if not best or best[0][0] > ALIKE or (best[1:] and best[1][0] < 2 * best[0][0]):
            return ""
        return best[0][1][-1]


class Tower:
    """What was thrown last, and what is falling."""

    def __init__(self, write: object) -> None:
        """Take all pins; `write` sends a text over the plug."""
        self.write = write
        self.pockets = Pockets()
        self.mouth = Pin(MOUTH, Pin.IN, Pin.PULL_UP)  # 0 while something is in the light
        self.cubes = Pin(CUBES, Pin.IN, Pin.PULL_UP)  # 0 while the switch says that cubes are used
        self.asking = select.poll()
        self.asking.register(sys.stdin, select.POLLIN)
        self.start = hexlify(os.urandom(2)).decode().upper()
        self.count = 0
        self.what = "N"
        self.fell = None  # when something was in the light last, until it is read
        self.say()

    def look(self) -> None:
        """Look once whether something falls, lies, was asked, or is to be said again."""
        now = ticks_ms()
        if not self.mouth.value():
            self.fell = now
        elif self.fell is not None and ticks_diff(now, self.fell) >= REST_MS:
            self.read()
        elif self.asking.poll(0):
            if sys.stdin.read(1) == "?":
                self.say()
        elif ticks_diff(now, self.said) >= BEAT_MS:
            self.say()

    def read(self) -> None:
        """Read what lies there, and say it."""
        self.say()  # what was: reading takes a while
        kind = "D" if self.cubes.value() else "M"
        first = self.lies(kind)
        sleep_ms(AGAIN_MS)
        faces = self.lies(kind)
        self.fell = None
        self.count = self.count + 1 & 0xFF
        if first != faces or not self.mouth.value():
            self.what = "T"
        elif "" in faces:
            self.what = "C"
        else:
            self.what = kind + "".join(faces) if faces else "F"
        self.say()

    def lies(self, kind: str) -> list:
        """Return the faces on top, pocket by pocket, nothing for one that is not sure."""
        faces = [self.pockets.face(pocket, kind) for pocket in range(POCKETS)]
        return [face for face in faces if face != EMPTY]

    def say(self) -> None:
        """Send a frame."""
        self.said = ticks_ms()
        said = f"{self.start}{self.count:02X}{self.what}"
        self.write(f"!{said}{crc32(said.encode()) & 0xFFFFFFFF:08X}\n")


def learn(what: str) -> None:
    """Learn what lies in the first pocket: "D3" a die with three on top, "MB" a cube with the bell
    on top, "M0" one with a blank face, "-" nothing. Each may be learnt several times."""
    pockets = Pockets()
    sleep_ms(AGAIN_MS)
    pockets.learnt.append([what, pockets.reading(0)])
    with open(LEARNT, "w") as file:
        json.dump(pockets.learnt, file)


def main() -> None:
    """Say for ever what was thrown."""
    tower = Tower(sys.stdout.write)
    while True:
        tower.look()


if __name__ == "__main__":
    main()
