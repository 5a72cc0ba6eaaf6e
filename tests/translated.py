"""Files of translations: each English text of the code with its translation, in a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path


def completed(told: Mapping[str, str], wanted: Iterable[str]) -> dict[str, str]:
    """A language's texts and those that it lacks, which are empty. One that is left over stays with
    its translation, which may serve the text that came in its place."""
    translated = {one for one in told if told[one]}
    return {one: told.get(one, "") for one in sorted({*translated, *wanted})}


def written(data: object) -> str:
    """Data as a file of texts has them: a line each."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def complete(file: Path, wanted: Iterable[str]) -> None:
    """Put the texts that a file lacks into it; begin it where there is none."""
    told = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    file.write_text(written(completed(told, wanted)), "utf-8")
