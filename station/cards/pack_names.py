"""Know the column of serials by its name, in the languages of halls and data tools."""

from __future__ import annotations

from station.cards.pack_cells import fold_name
from station.cards.pack_layouts import SERIALS

# Names of the column of serials, the surest first; as `fold_name` writes them.
_SURE = frozenset(
    {"seriennummer", "serienummer", "numerodeserie", "numerodiserie", "numserie"}
    | {"serial", "serialno", "serialnumber", "serialnr", "serialnum", "serialid", "seri"}
)
_CARDS = (
    *("ticket", "card", "perm", "cartella", "cartone", "tessera", "carton", "cartao", "cartela"),
    *(
        "kart",
        "karten",
        "kartela",
        "karte",
        "los",
        "schein",
        "blatt",
        "grille",
        "kaart",
        "boleto",
        "strip",
    ),
    *("bingocard", "bilet", "билет", "карточка", "карта", "टिकट", "कार्ड"),
)
_ENDS = (
    *("", "id", "no", "nr", "n", "num", "nro", "number", "nummer", "numero", "code", "serial"),
    *("ref", "номер", "संख्या"),
)
_CARD_NAMES = frozenset(
    name for card in _CARDS for end in _ENDS for name in (card + end, end + card, f"{end}de{card}")
)
_LOOSE = frozenset(
    {
        *("id", "code", "codice", "codigo", "nr", "no", "n", "num", "nro", "number", "numero"),
        *("nummer", "номер", "संख्या", "ref", "reference", "key", "name", "barcode", "uid"),
        *("uuid", "label", "cid", "tid"),
    }
)
_INDEX = frozenset({"", "unnamed0", "index", "level0"})
RANKS = 3


def rank_of(name: str) -> int:
    """Return how surely a column of this name has the serials: 0 surely, 2 perhaps, 3 hardly."""
    folded = fold_name(name)
    if folded in _SURE or name in SERIALS.values():
        return 0
    return 1 if folded in _CARD_NAMES else 2 if folded in _LOOSE else RANKS


def names_index(name: str) -> bool:
    """Return whether data tools give this name to a column that only counts the lines."""
    return fold_name(name) in _INDEX
