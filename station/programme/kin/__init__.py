"""Describe the kin of Loto: games played as the First Method is, with prizes of their own. Pure.

A kin is a short file beside this one: its title, the language of its words, and its stages, each a
pattern, the word that is shown and spoken for it, and its usual share of the prize fund. A
programme names it, `kin = "tombola"`, and has its stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.base.untrusted import read_toml
from station.programme.fields import Data

SHIPPED = Path(__file__).parent
# what a game gives of these stands in place of the usual share
_INSTEAD = frozenset({"share", "prize", "thing"})


class KinStage(Data):
    """One prize of a kin.

    Attributes:
        pattern: what must be covered, one of the station's by name.
        name: the word that the hall calls it by.
        names: that word in other languages, by their codes; where one lacks, `name` stands.
        share: its usual part of the prize fund, per cent; None takes what the others leave.
        extra: it is played for only where a game gives it a prize.
    """

    pattern: str
    name: str
    names: Mapping[str, str] = {}
    share: float | None = None
    extra: bool = False

    @property
    def word(self) -> str:
        """Return the stage's name as a programme writes it.

        >>> KinStage(pattern="two-rows", name="Double quine").word
        'double-quine'
        """
        return self.name.casefold().replace(" ", "-")


class Kin(Data):
    """One of the kin of Loto.

    Attributes:
        title: what it is called where it is at home.
        language: of its words, as the wordings call it.
        at_once: all its stages are open from the first call; else one after the other.
    """

    title: str
    language: str
    at_once: bool = False
    stages: Annotated[tuple[KinStage, ...], Field(min_length=1)]

    @property
    def words(self) -> tuple[str, ...]:
        """Return the prizes as a programme writes them."""
        return tuple(stage.word for stage in self.stages)

    def told(self, name: str, language: str) -> str:
        """Return a prize's name in a language; what is none of this kin's names stays as it is.

        >>> load_kin("tambola").told("Top line", "hi")
        'टॉप लाइन'
        >>> load_kin("tambola").told("Grandma's prize", "hi")
        "Grandma's prize"
        """
        found = (stage.names.get(language) for stage in self.stages if stage.name == name)
        return next(found, None) or name

    def written_out(self, prizes: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the stages as a programme's file would give them.

        Args:
            prizes: what a game gives for some of them, by their words: `{"ambo": {"share": 10}}`. A
                share, a prize or a thing stands in place of the usual share; a least sum or another
                name is given in addition.

        Raises:
            Unreadable: it has no such prize, or what is given for one is no table, or changes what
                must be covered.
        """
        for word, given in prizes.items():
            if word not in self.words:
                known = ", ".join(self.words)
                raise Unreadable(
                    tr(
                        "prizes: {kin} has no {word!r}; it has {words}",
                        kin=self.title,
                        word=word,
                        words=known,
                    )
                )
            if not isinstance(given, Mapping):
                why = tr(
                    "it is {given!r}; a table stands here, such as {such_as}",
                    given=given,
                    such_as="{ share = 10 }",
                )
                raise Unreadable(f"prizes, {word}: {why}")
            if "pattern" in given:
                why = tr(
                    "{kin} says what must be covered; write the stages out to change it",
                    kin=self.title,
                )
                raise Unreadable(f"prizes, {word}: {why}")
        return [*self._stages(prizes)]

    def _stages(self, prizes: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for stage in self.stages:
            given = prizes.get(stage.word, {})
            if given or not stage.extra:
                stands = stage.share is not None and not _INSTEAD & given.keys()
                usual = {"share": stage.share} if stands else {}
                yield {"pattern": stage.pattern, "name": stage.name, **usual, **given}


@cache
def kin_keys() -> tuple[str, ...]:
    """Return the kin that ship with the station.

    >>> kin_keys()
    ('bingo', 'quine', 'tambola', 'tombola')
    """
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


@cache
def load_kin(key: str) -> Kin:
    """Load one of the kin.

    >>> load_kin("quine").words
    ('quine', 'double-quine', 'carton-plein')

    Raises:
        Unreadable: there is none of this name, or its file is damaged.
    """
    if key not in kin_keys():
        known = ", ".join(kin_keys())
        raise Unreadable(
            tr(
                "there is no kin {kin!r}; there are {known}, or write the stages out",
                kin=key,
                known=known,
            )
        )
    path = SHIPPED / f"{key}.toml"
    try:
        return Kin.model_validate(read_toml(path))
    except (OSError, Unreadable, ValidationError) as error:
        raise Unreadable(
            tr("{file} cannot be read, install the station again: {error}", file=path, error=error)
        ) from error
