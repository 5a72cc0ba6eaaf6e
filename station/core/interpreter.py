"""Answer the sender of a message in the language of the sender."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import cache

from station.base.said import PROGRAM, Sentence
from station.night.hall import Hall
from station.views.telling import teller
from station.wire.wire import Message
from station.wire.wording import Wording, languages, load_wording
from station.wire.wording.refusals import load_refusals

COMMAND = re.compile(r"[A-Za-z0-9./_-]{1,40}")  # how a sender types the program
LANGUAGES = languages()
_wording_of = cache(load_wording)


class Interpreter:
    """The languages of the people who send messages.

    Args:
        wording: the hall's own words.
        money: writes a sum of money.
        hall: returns the present state of the night.
    """

    def __init__(
        self, wording: Wording, money: Callable[[int], str], hall: Callable[[], Hall]
    ) -> None:
        self._wording = wording
        self._money = money
        self._hall = hall
        self._learnt: list[object] = []  # languages that were asked for
        load_refusals(wording.base)

    async def learn(self, language: object) -> None:
        """Read a language's files beside the game, when it is first asked for: no call waits."""
        if language in LANGUAGES and language not in self._learnt:
            readers = (_wording_of, load_refusals)
            await asyncio.gather(*(asyncio.to_thread(read, str(language)) for read in readers))
            self._learnt.append(language)

    def wording_for(self, message: Message) -> Wording:
        """Return the words of the language that a message asks for, else the hall's."""
        language = message.get("lang")
        others = language in LANGUAGES and language != self._wording.base
        return _wording_of(language) if others else self._wording

    def told(self, message: Message, sentence: Sentence) -> str:
        """Return a sentence for the sender of a message."""
        program = message.get("program")
        typed = program if isinstance(program, str) and COMMAND.fullmatch(program) else PROGRAM
        return teller(self._hall(), self.wording_for(message), self._money, typed)(sentence)
