"""A ten-cavity board on a simulated bus, of any chips and shape, with its events and its clock."""

from drivers import BoardShown
from drivers.making import make_driver
from drivers.simulated.board import RecordingBus, RecordingPixels
from tests.drivers.board_reader import read_board
from tests.drivers.clockwork import LIMIT_S, Inbox

NEVER = 3600.0  # a refresh that no test lives to see
SOON = 0.01
BUSES = {"matrix": RecordingBus, "ws2812": RecordingPixels}
GEOMETRIES = ("80x16", "160x16", "two-rows")
KINDS = [(name, geometry) for name in BUSES for geometry in GEOMETRIES]


class Wall:
    """The board, its bus and its events. Options are the driver's."""

    def __init__(self, name="matrix", **options):
        self.bus = BUSES[name].of(options)
        self.board = make_driver(name, **({"bus": self.bus, "refresh_s": NEVER} | options))
        self.events = Inbox()

    def __enter__(self):
        """Open it."""
        self.board.open(self.events)
        return self

    def __exit__(self, *_):
        """Close it."""
        self.board.close()

    def show(self, *cavities, token=1):
        """Show it, and wait until it is on the bus: what a person reads."""
        self.board.show(cavities, token)
        event = self.events.next()
        assert (type(event), event.token) == (BoardShown, token)
        return read_board(self.bus.picture())

    def wait_for(self, seen):
        assert self.bus.wait_for(seen, LIMIT_S), "\n".join(self.bus.picture())
