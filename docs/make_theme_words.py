"""Write what Geographical Loto says of each capital, "la capital de Perú", with the names of the
countries from Unicode's CLDR.

.venv/bin/pip install babel==2.18.0
.venv/bin/python docs/make_theme_words.py

Babel (BSD-3-Clause) carries CLDR's data (Unicode License v3). English, Italian and French stand in
the theme's file as they were written by hand, with their articles; the others are written here.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "station/programme/themes/geographical/theme.toml"

# What stands round a country's name, and of whom it is another: by the country's code.
PLAIN = {
    "es": "la capital de {}",
    "de": "die Hauptstadt von {}",
    "nl": "de hoofdstad van {}",
    "pt": "a capital da {}",
    "ru": "столица страны {}",
    "hi": "{} की राजधानी",
}
OTHERWISE = {
    "es": {"la capital del {}": "GB LB"},
    "de": {
        "die Hauptstadt der {}": "SK TR UA MN PH US",
        "die Hauptstadt des {}": "GB LB OM IR",
    },
    "nl": {"de hoofdstad van het {}": "GB", "de hoofdstad van de {}": "PH US"},
    "pt": {
        "a capital de {}": "PT ES MT CY BB OM MA AO MZ CU FJ",
        "a capital do {}": "GB JP VN KH LA PK BD NP BT IR QA LB UZ AZ EG KE UG RW GH ZW CA MX PE"
        " CL UY BR",
        "a capital das {}": "PH",
        "a capital dos {}": "US",
    },
}
# CLDR's names that bend after an article, or are longer than a caller says them.
BENT = {
    "de": {
        "GB": "Vereinigten Königreichs",
        "US": "Vereinigten Staaten",
        "LB": "Libanon",
        "OM": "Oman",
        "IR": "Iran",
    },
}
CODES = {"pt": "pt_PT"}


def said(language: str, country: str) -> str:
    """Return the line that is said of a country's capital."""
    locale = import_module("babel").Locale.parse(CODES.get(language, language))
    name = BENT.get(language, {}).get(country) or str(locale.territories[country])
    others = OTHERWISE.get(language, {}).items()
    form = next((form for form, those in others if country in those.split()), PLAIN[language])
    return form.format(name)


def main() -> None:
    """Write the lines anew; all else in the file stays as it is."""
    text = FILE.read_text("utf-8")

    def with_all(found: re.Match[str]) -> str:
        own, country = found[1], found[2]
        lines = {
            language: json.dumps(said(language, country), ensure_ascii=False) for language in PLAIN
        }
        added = "".join(f", {language} = {line}" for language, line in lines.items())
        return f'say = {{ {own}{added} }}\nsource = "world-countries 5.1.0, {country}:'

    by_hand = 'en = "[^"]*", it = "[^"]*", fr = "[^"]*"'
    written = rf'say = \{{ ({by_hand}).*\}}\nsource = "world-countries 5\.1\.0, (..):'
    FILE.write_text(re.sub(written, with_all, text), "utf-8")


if __name__ == "__main__":
    main()
