"""Read the sentences of refusals in a language: a TOML file for each, with every English template
as it stands where something is refused, and its translation.

English has no file. A language without one is told refusals in English, and so is a sentence that a
file lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from station.base.errors import Unreadable
from station.base.tongue import tr
from station.base.untrusted import read_toml
from station.wire.wording import REFERENCE

FOLDER = Path(__file__).parent


@cache
def load_refusals(language: str = REFERENCE) -> Mapping[str, str]:
    """Return a language's sentences, by the English templates.

    Args:
        language: the code of one that has a wording.

    Raises:
        Unreadable: its file has faults.
    """
    file = FOLDER / f"{language}.toml"
    found = read_toml(file).get("sentence", []) if file.is_file() else []
    try:
        return MappingProxyType({str(one[REFERENCE]): str(one[language]) for one in found})
    except (KeyError, TypeError) as error:
        why = tr(
            "each [[sentence]] has its English as {english}, and {code}",
            english=REFERENCE,
            code=language,
        )
        raise Unreadable(f"{file}: {why}") from error
