"""Read the sentences of refusals in a language: a file for each has every English template as it
stands where something is refused, and its translation.

English has no file. A language without one is told refusals in English, and so is a sentence that a
file lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from station.base.catalogues import translations
from station.wire.wording import REFERENCE

FOLDER = Path(__file__).parent


def load_refusals(language: str = REFERENCE) -> Mapping[str, str]:
    """Return a language's sentences, by the English templates.

    Args:
        language: the code of one that has a wording.

    Raises:
        Unreadable: its file has faults.
    """
    return translations(FOLDER, language)
