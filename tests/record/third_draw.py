"""The third verifier's draw: the numbers, throws, shuffles and hidden parts of a night."""

from collections.abc import Mapping
from typing import Any

from tests.record import third_values as form
from tests.record.third_luck import Luck, SealedGame
from tests.record.third_values import canonical, fits, need, sha

Fields = Mapping[str, Any]


class Bag:
    """A bag of numbers."""

    def __init__(self, luck: Luck, away: list[int]) -> None:
        """Start with all numbers in the bag that are not away."""
        self.away, self.called, self.given, self.due = away, list[int](), set[int](), list[int]()
        self.commit(luck)

    def commit(self, luck: Luck) -> None:
        """Begin an epoch."""
        self.luck, self.used, self.words = luck, 0, None if luck.way == "shared" else ""

    def inside(self) -> list[int]:
        """Return the numbers in the bag, rising."""
        return [number for number in range(1, 91) if number not in self.away + self.called]

    def next_due(self) -> int | None:
        """Return the number that comes next without a new leaf."""
        return next((number for number in reversed(self.due) if number in self.inside()), None)

    def open_leaf(self, leaf: Any, number: int) -> None:
        """Open the next leaf for a number."""
        inside, words = self.inside(), self.words
        need(fits(leaf, form.LEAF) and words is not None and self.next_due() is None)
        need(leaf["at"] == self.used and self.luck.holds(leaf) and inside)
        need(number == inside[self.luck.below("draw", leaf, len(inside), 0, words or "")])
        self.used += 1
        self.given.add(number)

    def draw(self, do: Fields, number: int, via: str) -> None:
        """Call a number."""
        if do.get("leaf") is not None:
            self.open_leaf(do["leaf"], number)
        else:
            by_hand = self.luck.way != "sealed" and via.partition(":")[0] not in ("auto", "button")
            need(number == self.next_due() if do.get("again") is True else by_hand)
            self.due = [each for each in self.due if each != number]
        self.called.append(number)

    def follow(self, do: Fields, via: str) -> None:
        """Follow a line."""
        number = do.get("number", 0)
        match do["act"]:
            case "draw":
                self.draw(do, number, via)
            case "see":
                self.open_leaf(do.get("leaf"), number)
                self.due.append(number)
            case "undo" if self.called:
                last = self.called.pop()
                self.due += [last] if last in self.given else []
            case "renew":
                need(self.luck.way != "sealed" and do.get("epoch", 0) == self.luck.epoch + 1)
                need(fits(do.get("bag"), str) and do["bag"] != self.luck.root)
                self.commit(self.luck._replace(root=do["bag"], epoch=do["epoch"]))
            case "mix":
                need(self.words is None and fits(do.get("words"), ".{1,200}"))
                self.words = do["words"]
            case "waive" if do.get("about") == "words":
                need(self.words is None)
                self.words = ""


class Table:
    """The leaves of a night's tables."""

    def __init__(self) -> None:
        """Start without a commitment."""
        self.luck: Luck | None = None
        self.used = 0
        self.hidden: dict[str, tuple[int, Luck, Fields]] = {}

    def next_leaf(self, place: int) -> Luck:
        """Use the next leaf, which has this place; return its commitment."""
        need(self.luck and place == self.used)
        self.used += 1
        assert self.luck
        return self.luck

    def follow(self, do: Fields, then: Fields, night: int, games: int) -> None:
        """Follow a line."""
        act, luck = do["act"], do.get("luck")
        need(not self.hidden or act not in ("open", "close-night"))
        if act in ("sit", "commit"):
            before = self.luck.epoch if self.luck else 0
            need(fits(luck, form.TABLE) and luck["epoch"] == before + 1)
            self.luck, self.used = Luck(**luck, night=night, game=games, drawing=0), 0
            return
        if act == "open" and do.keys() & {"leaf", "deal"}:
            leaf, deal = do.get("leaf"), do.get("deal")
            need(fits(leaf, form.LEAF) and fits(deal, (str, form.MANY)))
            own = self.next_leaf(leaf["at"])
            need(own.holds(leaf) and deal == own.shuffle(leaf, sorted(deal)))
        if act == "move" and do.keys() & {"chance", "later"}:
            self.move(do.get("move"), do.get("chance"), do.get("later"))
        if "unsealed" in then:
            self.unseal(then["unsealed"])

    def move(self, move: Any, chance: Any, later: Any) -> None:
        """Follow a move that chance has decided, or decides when its part is opened."""
        need(fits(move, dict) and (chance is None) != (later is None))
        if later is None:
            need(fits(chance, form.DECIDED))
            self.next_leaf(chance["leaf"]["at"]).check(chance, move)
        else:
            need(fits(later, int) and fits(move.get("sealed"), str))
            need(move["sealed"] not in self.hidden)
            self.hidden[move["sealed"]] = (later, self.next_leaf(later), move)

    def unseal(self, parts: Any) -> None:
        """Open all hidden leaves."""
        need(fits(parts, (form.PART, form.MANY)))
        for part in parts:
            chance = part.get("chance", {"leaf": {"path": ""}, "law": {}})
            need(chance and "path" in chance["leaf"] and None not in chance["law"].values())
            written = [canonical(part[name], True) for name in ("fields", "chance") if name in part]
            digest = sha(b"\n".join([part["salt"].encode(), *written])).hex()
            if digest in self.hidden:
                place, luck, move = self.hidden.pop(digest)
                need("chance" in part and chance["leaf"]["at"] == place)
                luck.check(chance, {**move, **part["fields"]})
        need(not self.hidden)


class Draw:
    """The draw of one night."""

    def __init__(self, night: int) -> None:
        """Start before the second line."""
        self.night, self.games, self.drawings, self.table = night, 0, 0, Table()
        self.sealed: SealedGame | None = None
        self.bag: Bag | None = None
        self.stations: list[tuple[int, str]] = []

    def follow(self, row: Fields) -> None:
        """Follow a line; raise Fault or ValueError if it does not follow from those before."""
        do, act = row["do"], row["do"]["act"]
        self.table.follow(do, row["then"], self.night, self.games)
        if act in ("sit", "commit"):
            self.stations.append((row["seq"], do["luck"]["station"]))
        if act in ("open", "skip"):
            self.games, self.drawings, self.bag = self.games + 1, 0, None
        self.follow_sealed(do, act, row["at"]["wall"])
        named = do.get("luck") is not None or do.get("bag") not in (None, "")
        some = named or (self.bag and act != "open")
        if act in ("open", "shake") and some:
            self.fill(row["seq"], do, act)
        elif act in ("draw", "mix") or (act in ("undo", "see", "renew", "waive") and some):
            need(self.bag)
            assert self.bag
            self.bag.follow(do, row["via"])

    def follow_sealed(self, do: Fields, act: str, wall: str) -> None:
        """Follow a line of a sealed game."""
        game, luck = do.get("game"), do.get("luck")
        way = luck.get("way") if fits(luck, dict) else None
        opens = act == "open" and ("sealed" in do or way == "sealed")
        need(self.sealed or not (opens or act == "take-keys"))
        if act == "take-sealed":
            self.sealed = None if game is None else SealedGame(game)
        elif act == "take-keys" and self.sealed:
            self.sealed.check_keys(do.get("first"), do.get("keys"))
        elif opens and self.sealed:
            self.sealed.check_opening(do, wall)

    def fill(self, seq: int, do: Fields, act: str) -> None:
        """Follow a line that opens a game, or shakes the bag."""
        away, luck, name = do.get("away", []), do.get("luck"), do.get("bag")
        need(fits(away, (int, form.MANY)))
        if self.bag and self.bag.luck.root == name:
            self.bag.away = away
            return
        need(fits(luck, form.LUCK) and fits(name, str))
        need(act == "open" or luck["way"] != "sealed")
        self.drawings += 1
        where = (self.night, self.games, self.drawings)
        if luck["way"] == "sealed":
            where = (0, 0, 1)
        else:
            self.stations.append((seq, luck["station"]))
        three = (luck["way"], luck["station"], luck["leaves"])
        self.bag = Bag(Luck(*three, name, 1, *where), away)
