"""A ten-cavity board of somebody's own, as a package outside the project would bring it: it
remembers what it was told."""

from drivers import BadOption, BoardShown, Driver


class OwnBoard(Driver):
    """Shows nothing to anybody, at once.

    Args:
        rows: of lamps; a wrong option is refused as any driver does it.
    """

    def __init__(self, *, rows=32):
        if rows % 16:
            raise BadOption(f"rows {rows} is not possible: use 16, 32 …")
        self.shown, self.messages, self._deliver = [], [], None

    @property
    def running(self):
        """Between open and close."""
        return self._deliver is not None

    def open(self, deliver):
        """Takes who hears of it."""
        self._deliver = deliver

    def show(self, cavities, token=0):
        """Remembers the numbers."""
        self.shown.append([cavity and cavity.number for cavity in cavities])
        self._deliver(BoardShown(token, 0.0))

    def message(self, text):
        """Remembers the text."""
        self.messages.append(text)

    def close(self):
        """Ends."""
        self._deliver = None
