"""The first start of a card that was flashed: the questions of `loto setup`, asked on a page."""
