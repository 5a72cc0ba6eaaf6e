"""Make `docs/pictures/dice-keno.png`: what the public screen shows of a game of Dice Keno, in the
middle of a card, with throws that are always the same.

.venv/bin/python -m docs.make_dice_keno_picture [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from docs.make_screen_pictures import COMPANY, MANY, calling, picture, small_png
from station.night.table.alone import TableLuck, company, to_the_end
from station.views.table.telling import Telling
from station.views.table.view import table_view
from station.wire.board_view import BoardView, GameView
from station.wire.wording import load_wording
