"""Make and read packs of cards: draw strips, number cards, read and write printed series.
`station.cards.pack` is the door."""

PACK_FILE = "pack.csv"  # in a state folder's `packs`: the one in use
