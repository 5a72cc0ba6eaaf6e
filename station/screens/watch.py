"""Show the board in a terminal, for people at the other end of a cable: `loto watch`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table

from station.base.errors import WireError
from station.base.nouns import KNOBS
from station.base.terminal import Terminal, framed, json_text, mixed, styled
from station.screens.in_letters import line_text, zone_text
from station.wire.board_view import BoardView, ClaimView, Phase, TableView
from station.wire.wire import STALE_S, Client
from station.wire.wording import Wording
from station.wire.zones import CaptionThing, PileThing, ScoreThing

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0
# As on the other boards: what was called is light, the newest is yellow.
CALLED, LAST = "bold black on bright_white", "bold black on bright_yellow"
# Places that a screen knows. Everything else is told by kind of thing.
OF_A_SEAT = ("hand", "answer", "outcome")
PLACES = ("board", "settlement", "notes", "offer", "change")


def draw(view: BoardView | None, wording: Wording, *, stale: bool = False) -> RenderableType:
    """Return a picture of the board for rich to print."""
    wording = wording.labelled(view.words) if view is not None else wording
    words = wording.screen
    if view is None:
        return framed(styled(words["stale"], "bold yellow"), "loto")
    parts: list[RenderableType] = []
    if stale:
        parts.append(styled(words["stale"], "bold black on yellow"))
    if view.test:
        parts.append(styled(words["test"], "bold black on bright_white"))
    parts.append(_head(view, wording))
    if view.table is not None:
        parts += draw_table(view.table, wording)
    else:
        parts += [_claim(view.claim, wording)] if view.claim is not None else []
        parts.append(_ninety(view))
    parts += [
        styled(f"✗ {sign.text}", "bold red" if sign.colour == "red" else "yellow")
        for sign in view.signs
    ]
    parts += [styled(f"{step}. {line}", "bold") for step, line in enumerate(view.procedure, 1)]
    parts += [styled(text, "italic") for text in (view.luck, view.notice) if text]
    return framed(
        Group(*parts), f"{view.hall} · {words['game']} {view.game.number if view.game else '-'}"
    )


def _head(view: BoardView, wording: Wording) -> RenderableType:
    words = wording.screen
    grid = Table.grid(padding=(0, 3))
    last = styled(f"  {_name(view, view.last)}  ", LAST)
    others = " ".join(str(number) for number in view.last_ten[1:])
    stopped = view.game.stopped if view.game is not None else ""
    phase = {
        Phase.STOPPED: stopped or words["stopped"],
        Phase.HALTED: words["halted"],
        Phase.BETWEEN: words["played" if view.game and not view.coming else "between"],
        Phase.CLOSED: words["closed"],
    }
    grid.add_row(words["last-number"], last, others)
    grid.add_row(
        words["calls"], f"{len(view.called)}/{KNOBS}", styled(phase.get(view.phase, ""), "bold red")
    )
    if view.game is not None:
        grid.add_row(words["game"], f"{view.game.number}/{view.game.of}", view.game.name)
    for place, stage in enumerate(view.open):
        label = "" if place else words["open" if len(view.open) > 1 else "stage"]
        grid.add_row(
            label, stage.name, f"{words['prize']} {stage.prize.text}" if stage.prize else ""
        )
    if view.jackpot is not None:
        grid.add_row("", "", styled(view.jackpot.text, "bold yellow"))
    counts = (("near", view.near), ("near-two", view.near_two))
    near = ", ".join(words[key].format(count=count) for key, count in counts if count is not None)
    grid.add_row(words["cards"], str(view.cards), f"{words['players']} {view.players}  {near}")
    for win in view.wins:
        grid.add_row(
            words["winners"],
            f"{win.label} {win.holder or ''}",
            f"{win.stage}: {win.prize.text} {win.status}",
        )
    if view.pause is not None:
        grid.add_row(words["break"], view.pause.text, view.pause.follows)
        for number, sentence in enumerate(view.pause.rules, 1):
            grid.add_row(words["rules"] if number == 1 else "", view.pause.title, sentence)
    if view.coming:
        grid.add_row(words["next-game"], *view.coming[:1], " · ".join(view.coming[1:]))
    return grid


def _name(view: BoardView, number: int | None) -> str:
    """Return a number, with what stands in its place in Picture Loto."""
    if number is None:
        return "–"
    return str(number) if view.theme is None else f"{view.theme.words[number - 1]} {number}".strip()


def _claim(claim: ClaimView, wording: Wording) -> RenderableType:
    lines: list[RenderableType] = []
    for row in claim.rows or (claim.numbers,):
        line = mixed()
        for number in row:
            style = "bold black on bright_green" if number in claim.marked else ""
            line.append(
                f"{number:>4}", style=f"{style} underline" if number in claim.winning else style
            )
        lines.append(line)
    verdict = wording.screen[claim.verdict]
    lines.append(
        styled(f"{verdict}: {claim.text}", "bold green" if not claim.missing else "bold red")
    )
    return framed(Group(*lines), f"{claim.label} {claim.holder or ''}", expand=False)


def draw_table(table: TableView, wording: Wording) -> list[RenderableType]:
    """Draw the company: who leads, what lies where, and how the last drawing was settled."""
    words = wording.screen
    middle = [zone for zone in table.zones if not zone.seat and zone.things]
    sums = [zone for zone in middle if all(isinstance(one, PileThing) for one in zone.things)]
    others = [zone for zone in middle if zone not in sums and zone.key not in PLACES]
    grid = Table.grid(padding=(0, 3))
    for seat in table.seats:
        zones = [zone for zone in table.zones if zone.seat == seat.seat]
        told = {zone.key: zone_text(zone, words) for zone in zones}
        lies = (told[zone.key] for zone in zones if zone.key not in OF_A_SEAT)
        grid.add_row(
            "➤" if seat.seat == table.leads else "",
            seat.name,
            "   ".join(text for text in lies if text),
            told.get("hand", ""),
            told.get("answer") or told.get("outcome", ""),
        )
    settled = [
        " · ".join(
            line_text(one, words)
            for one in zone.things
            if isinstance(one, CaptionThing | ScoreThing)
        )
        for zone in middle
        if zone.key == "settlement"
    ]
    lines = [
        zone_text(zone, words) for key in ("offer", "change") for zone in middle if zone.key == key
    ]
    return [
        styled(table.text, "bold yellow"),
        *([styled(" · ".join(zone_text(zone, words) for zone in sums))] if sums else []),
        grid,
        *(styled(text) for text in (*(zone_text(zone, words) for zone in others), *settled)),
        *(styled(line, "bold") for line in lines),
    ]


def draw_step(
    place: str, told: Iterable[str], rule: str, table: TableView, wording: Wording
) -> Iterator[RenderableType]:
    """Yield a step of a lesson: which it is, what happened, the rule that decides, the table."""
    yield styled(f"\n{place}", "bold")
    yield from map(styled, told)
    if rule:
        yield styled(f"→ {rule}", "italic")
    yield from draw_table(table, wording)


def _ninety(view: BoardView) -> RenderableType:
    called = frozenset(view.called)
    grid = Table.grid(padding=(0, 1))
    for first in range(1, KNOBS + 1, 10):
        row = []
        for number in range(first, first + 10):
            style = LAST if number == view.last else CALLED if number in called else "bright_black"
            row.append(styled(f" {number:>2} ", style))
        grid.add_row(*row)
    return grid


async def watch(
    socket: Path,
    wording: Wording,
    *,
    as_json: bool = False,
    once: bool = False,
    console: Terminal | None = None,
) -> int:
    """Show the board until interrupted; connect again when the station comes back.

    Args:
        as_json: prints each view as one line instead.
        once: ends after the first view.

    Raises:
        WireError: with `once`, when no station is there.
    """
    console = console or Terminal(soft_wrap=False)
    pause = FIRST_PAUSE_S
    drawn = Live(draw(None, wording), console=console, auto_refresh=False, transient=once)
    with nullcontext() if as_json else drawn as live:
        while True:
            try:
                async with await Client.open(socket, kind="terminal") as client:
                    pause = FIRST_PAUSE_S
                    if await _follow(client, live, wording, once, console):
                        return 0
            except WireError:
                if once:
                    raise
            if live is not None:
                live.update(draw(None, wording), refresh=True)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)


async def _follow(
    client: Client, live: Live | None, wording: Wording, once: bool, console: Terminal
) -> bool:
    """Show each view until the line ends; return whether one was enough. Without `live` each is
    printed as a line."""
    view: BoardView | None = None
    messages = client.__aiter__()
    while True:
        try:
            async with asyncio.timeout(STALE_S):
                message = await anext(messages)
        except TimeoutError:
            if live is not None:
                live.update(draw(view, wording, stale=True), refresh=True)
            messages = client.__aiter__()
            continue
        except StopAsyncIteration:
            return False
        if "view" not in message:
            continue
        view = BoardView.model_validate(message["view"])
        if live is None:
            console.file.write(json_text(message["view"]) + "\n")
            console.file.flush()
        else:
            live.update(draw(view, wording), refresh=True)
        if once and live is not None:
            live.stop()
            console.print(draw(view, wording))
        if once:
            return True
