"""Check a programme for the person who wrote it: every fault in plain words, and advice on what
nobody can have meant.

A fault is what the station refuses. Advice is about a programme that it would play: a jackpot that
nothing feeds, a stage that everybody has already when it opens. Both name their place as people
count, from one: "game 2 (Tombola), stage 3".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from station.base.errors import SettingsError, Unreadable
from station.base.tongue import key, tr
from station.programme.fields import Remark
from station.programme.programme import (
    GamePlan,
    JackpotPlan,
    OwnPattern,
    PausePlan,
    Programme,
    Shares,
    StagePlan,
    hundredths,
    read_toml,
)
from station.programme.table import TablePlan, fitting, ranges
from station.programme.themes import cached_theme
from station.rules.patterns import Pattern, PatternPart
from station.rules.seating import SEATS

Fault: TypeAlias = Mapping[str, Any]  # as pydantic tells it

SHOWN = 40  # characters of what was given
TABLES: Mapping[str, type[BaseModel]] = {
    "games": GamePlan,
    "stages": StagePlan,
    "shares": Shares,
    "jackpot": JackpotPlan,
    "pause": PausePlan,
    "table": TablePlan,
    "pattern": OwnPattern,
}
_WHOLE = key(
    "it is {given}; write a whole number without sign or point (sums are in pence, cents or"
    " counters)"
)
_NUMBER = key("it is {given}; write a number: per cent, such as 25 or 12.5")
_TRUTH = key("it is {given}; write true or false, without quotation marks")
_TOO_LONG = key("it is too long: {max_length} is the most")
_CHOICE = key("it is {given}; it is one of {expected}")
_TABLE = key("it is {given}; a table of settings stands here, as in [{key}]")
_LIST = key("it is {given}; a list stands here, each in a table of its own, as in [[{key}]]")
# what is wrong, by the kind of a fault as pydantic names it
PLAIN: Mapping[str, str] = {
    "missing": key("is missing"),
    "greater_than_equal": key("it is {given}; {ge:g} is the least"),
    "less_than_equal": key("it is {given}; {le:g} is the most"),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _TRUTH),
    "string_type": key("it is {given}; write words in quotation marks"),
    "string_too_short": key("it is empty"),
    **dict.fromkeys(("string_too_long", "too_long"), _TOO_LONG),
    "too_short": key("there is none; it takes at least {min_length}"),
    "string_pattern_mismatch": key(
        "it is {given}; write 1 to 32 small letters, digits and hyphens, a letter first"
    ),
    **dict.fromkeys(("enum", "literal_error"), _CHOICE),
    **dict.fromkeys(("model_type", "dict_type"), _TABLE),
    **dict.fromkeys(("tuple_type", "list_type"), _LIST),
    "value_error": "{error}",
}
OTHER = key("{msg} (it is {given})")
ONE_OF = {
    "games": key("game {number}"),
    "stages": key("stage {number}"),
    "pictures": key("picture {number}"),
}


# -- faults ----------------------------------------------------------------------------------------


def check(data: Mapping[str, Any]) -> tuple[Programme | None, tuple[Remark, ...]]:
    """Check a programme's tables and themes; return the programme, or None, and all remarks."""
    try:
        programme = Programme.model_validate(data)
        themes = tuple(_of_themes(programme))
        return None if themes else programme, themes
    except ValidationError as error:
        found = [fault for fault in error.errors() if not _beside_the_point(fault, error.errors())]
        return None, tuple(Remark(_place(fault["loc"], data), _told(fault)) for fault in found)


def _of_themes(programme: Programme) -> Iterator[Remark]:
    """Yield what is wrong with the themes that its games name."""
    for number, game in enumerate(programme.games, 1):
        place = _of_game(number, game)
        try:
            if game.theme is not None and not cached_theme(game.theme).spelt and game.letters:
                yield Remark(
                    f"{place}, letters",
                    tr(
                        "the words of {theme} are not spelt; take a theme whose words are: spelling"
                        " is one",
                        theme=game.theme,
                    ),
                )
        except SettingsError as error:
            for fault in error.faults:
                told = tr("it is {given}; {fault}", given=game.theme, fault=fault)
                yield Remark(f"{place}, theme", told)
        except Unreadable as error:
            yield Remark(f"{place}, theme", str(error))


def _of_game(number: int, game: GamePlan) -> str:
    return f"{tr('game {number}', number=number)} ({game.name})"


def load_programme(path: Path) -> Programme:
    """Read a programme file.

    Raises:
        SettingsError: it has faults; each is named with its place.
    """
    programme, faults = check(read_toml(path))
    if programme is None:
        raise SettingsError(str(path), [str(fault) for fault in faults])
    return programme


def _beside_the_point(fault: Fault, others: Sequence[Fault]) -> bool:
    """Return whether a fault follows from another one, or is about a pattern's other form."""
    loc, given = fault["loc"], fault["input"]
    below = any(
        len(other["loc"]) > len(loc) and other["loc"][: len(loc)] == loc for other in others
    )
    if fault["type"] == "too_short" and below:
        return True
    of_names = fault["type"] == "string_type" and isinstance(given, dict)
    of_tables = fault["type"] == "model_type" and isinstance(given, str)
    return "pattern" in loc[-2:] and (of_names or of_tables)


def _place(loc: Sequence[str | int], data: Any) -> str:
    """Return a place as people count: `("games", 1, "price")` is "game 2 (its name), price"."""
    words: list[str] = []
    for step in loc:
        if isinstance(step, int):
            data = data[step] if isinstance(data, Sequence) and step < len(data) else None
            name = data.get("name") if isinstance(data, Mapping) else None
            one = ONE_OF.get(words[-1], f"{words[-1]} {{number}}")
            words[-1] = tr(one, number=step + 1) + (f" ({_shown(name)})" if name else "")
        elif step.isidentifier() and step not in ("OwnPattern",):
            data = data.get(step) if isinstance(data, Mapping) else None
            words.append(step)
    return ", ".join(words)


def _shown(given: object) -> str:
    text = given if isinstance(given, str) else repr(given)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _told(fault: Fault) -> str:
    return _meant(fault["loc"]) if fault["type"] == "extra_forbidden" else plain(fault)


def plain(fault: Fault, words: Mapping[str, str] = PLAIN) -> str:
    """Return what is wrong, for somebody who never programmed.

    Args:
        words: what is said of each kind of fault, as pydantic names it.
    """
    value, key = fault["input"], str(fault["loc"][-1]) if fault["loc"] else ""
    given = f"“{_shown(value)}”" if isinstance(value, str) else _shown(value)
    told = {**fault.get("ctx", {}), "given": given, "key": key, "msg": fault["msg"]}
    first, _, last = str(told.get("expected", "")).rpartition(" or ")  # as pydantic lists them
    told["expected"] = tr("{first} or {last}", first=first, last=last) if first else last
    return tr(words.get(fault["type"], OTHER), **told)


def _meant(loc: Sequence[str | int]) -> str:
    """Say that there is no such setting, and which one was probably meant, by its spelling; else
    those that there are."""
    table = next(
        (TABLES[step] for step in reversed(loc[:-1]) if isinstance(step, str) and step in TABLES),
        Programme,
    )
    # those of a kin are stages when it is read
    known = [*table.model_fields, *(["prizes"] if table is GamePlan else [])]
    close = get_close_matches(str(loc[-1]), known, 1)
    if close:
        return tr("there is no such setting here; did you mean {setting}?", setting=close[0])
    return tr("there is no such setting here; there are {settings}", settings=", ".join(known))


# -- advice ----------------------------------------------------------------------------------------


def advice(programme: Programme) -> tuple[Remark, ...]:
    """Return what the station would play, but its author should check."""
    return tuple(_of_the_night(programme)) + tuple(
        Remark(_of_game(number, game) + place, text)
        for number, game in enumerate(programme.games, 1)
        for place, text in (
            *_of_a_game(programme, game),
            *_of_its_company(game),
            *_of_its_money(programme, number, game),
        )
    )


def _of_the_night(programme: Programme) -> Iterator[Remark]:
    names = Counter(game.name.casefold() for game in programme.games)
    for game in programme.games:
        if (times := names.pop(game.name.casefold(), 0)) > 1:
            text = tr(
                "{count} games are called “{name}”: players will ask which one is meant",
                count=times,
                name=game.name,
            )
            yield Remark("", text)
    fed = any(programme.shares_of(game).jackpot and game.price for game in programme.games)
    played = [game for game in programme.games if game.jackpot is not None]
    if fed and not played:
        yield Remark(
            "",
            tr(
                "stakes go to the jackpot, and no game plays for it: it only grows; give one game a"
                " [games.jackpot]"
            ),
        )
    if played and not fed and not any(game.jackpot and game.jackpot.least for game in played):
        yield Remark(
            "",
            tr(
                "a jackpot is played for and nothing feeds it: give shares a jackpot, or the"
                " jackpot a least sum"
            ),
        )
    if programme.games[-1].pause is not None:
        yield Remark("", tr("there is a pause after the last game: nobody will see it"))


def _of_a_game(programme: Programme, game: GamePlan) -> Iterator[tuple[str, str]]:
    """Yield advice on a game's stages."""
    wanted = [stage.wanted() for stage in game.plans]
    if not game.at_once:
        for place, (before, after) in enumerate(pairwise(wanted), 2):
            if before != after and _includes(before, after):
                text = tr(
                    "whoever has {before} has {after} already: put {after} first, or set at_once ="
                    " true",
                    before=before.key,
                    after=after.key,
                )
                yield _of_stage(place), text
    elif len(set(wanted)) < len(wanted) and game.kin is None:
        twice = next(pattern.key for pattern in wanted if wanted.count(pattern) > 1)
        text = tr(
            "all stages are open at once, and {pattern} is among them twice: its first winner may"
            " claim only one of them",
            pattern=twice,
        )
        yield "", text
    if game.jackpot is not None and game.jackpot.within < wanted[-1].length:
        text = tr(
            "{pattern} takes at least {length} calls, so within {within} nobody can win it",
            pattern=wanted[-1].key,
            length=wanted[-1].length,
            within=game.jackpot.within,
        )
        yield ", jackpot", text
    if game.jackpot is not None and wanted[-1] in wanted[:-1]:
        text = tr(
            "it is for the last prize, the second one for {pattern}: whoever has the first cannot"
            " have it",
            pattern=wanted[-1].key,
        )
        yield ", jackpot", text
    placed = [pattern.key for pattern in wanted if _is_placed(pattern)]
    if game.tickets and placed:
        text = tr(
            "only the paper shows where numbers stand on a ticket from elsewhere: check it for"
            " {patterns}",
            patterns=", ".join(placed),
        )
        yield "", text
    names = Counter(stage.name.casefold() for stage in game.plans if stage.name)
    if doubled := [name for name, times in names.items() if times > 1]:
        yield "", tr("two stages are called “{name}”", name=doubled[0])


def _of_its_company(game: GamePlan) -> Iterator[tuple[str, str]]:
    """Yield advice on a game at the table that opens for fewer companies than its rules allow."""
    if game.table is None:
        return
    rules, cards, plan = game.rules, game.dealt, game.agreed
    agreed = plan.of(rules)
    fits = fitting(rules, agreed, cards, choosing=False)
    usual = fitting(rules, rules.agreed({"stake": plan.stake}), cards and SEATS, choosing=False)
    if not fits.seats:
        yield ", table", tr("it opens only if players take fewer cards: {why}", why=fits.reasons)
    elif fits.seats != usual.seats:
        told = tr(
            "it opens with {seats} players only: {why}",
            seats=ranges(fits.seats),
            why=fits.reasons,
        )
        yield ", table", told
    least = min(rules.charge(agreed, count) for count in rules.card_counts if count or not cards)
    if plan.purse is not None and plan.purse < (cost := rules.value(agreed) * least):
        told = tr(
            "each player sits down with {purse}, and the stake is {stake} at least: nobody can pay"
            " it without bringing more",
            purse=plan.purse,
            stake=cost,
        )
        yield ", table, purse", told


def _of_stage(place: object) -> str:
    return f", {tr('stage {number}', number=place)}"


def _of_its_money(programme: Programme, number: int, game: GamePlan) -> Iterator[tuple[str, str]]:
    """Yield advice on a game's fund."""
    shares, plans = programme.shares_of(game), game.plans
    taken = sum(map(hundredths, (shares.house, shares.charity, shares.jackpot)))
    bare = [
        str(place)
        for place, stage in enumerate(plans, 1)
        if not (stage.rest or stage.share or stage.prize or stage.thing)
    ]
    if bare:
        yield _of_stage(bare[0]), tr("it wins nothing: give it a share, a prize or a thing")
    if not game.price:
        if taken and game.shares is not None:
            yield ", shares", tr("its cards cost nothing, so there is nothing to take a share of")
        if game.has_fund and number == 1:
            text = tr(
                "its cards cost nothing, and it is the first game: nothing is in its fund unless a"
                " night before left something"
            )
            yield "", text
        return
    if game.has_fund and taken >= 100 * 100:
        text = tr(
            "house, charity and jackpot take all that is paid for its cards: nothing is left for"
            " its prizes"
        )
        yield "", text


def _includes(big: Pattern, small: Pattern) -> bool:
    """Return whether every card that has the big pattern also has the small one."""
    return all(
        any(_at_least(part, other) >= other.need for other in small.parts) for part in big.parts
    )


def _at_least(part: PatternPart, other: PatternPart) -> int:
    """Return how many of the other part's places are covered, at least, with this one complete."""
    return part.need - len(set(part.places) - set(other.places))


def _is_placed(pattern: Pattern) -> bool:
    """Return whether a pattern depends on numbers' places, beyond the rows they are in."""
    return not pattern.known or pattern.key.endswith(("-row", "corners"))
