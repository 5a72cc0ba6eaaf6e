"""Name the rule book's ways to win the pool."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from station.rules.patterns import FULL, ROW, TWO_ROWS
from station.rules.prizes import Division


class Stakes(StrEnum):
    """The rule book's ways to win the pool."""

    QUARTERS = "quarters"
    WHOLE = "whole"


# The pool goes to the first full card; or a quarter to a row, a quarter to two rows, the rest to
# the full card.
STAKES: Mapping[str, Division] = {
    Stakes.QUARTERS: ((ROW, 25), (TWO_ROWS, 25), (FULL, None)),
    Stakes.WHOLE: ((FULL, None),),
}
