"""Show the state: the board view, the lit cavities, how a number is called, what is next. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from station.base.nouns import CARD_LENGTH, CAVITIES, MAKE_CARDS, Style
from station.games import AnyRules
from station.night.fair import FairBag
from station.night.hall import Hall
from station.night.table.leaves import TableLeaves
from station.programme.kin import kin_keys, load_kin
from station.programme.programme import GamePlan
from station.proof.leaves import Way, short_root
from station.record.coded import CodedHead, code_text
from station.record.heads import parse_head
from station.rules.abilities import SellsCards
from station.rules.patterns import JACKPOT, Pattern, Wants, picture
from station.rules.prizes import Claim, ClaimVerdict, PrizeState, Stage, Win
from station.views.money_text import Currency
from station.views.shown import theme_shown
from station.views.table.view import Telling, table_view
from station.wire import board_view
from station.wire.board_view import BoardView, Phase
from station.wire.wording import Wording

COMING = 3  # games of the programme that are named between games
# prizes that a card may be near, and numbers that it wants for each, in one line of a screen
REASONS, NAMED = 2, 5
WHOLE_UNITS = Currency()
# signs that are said to the hall as they are: it is muted, switches off, lets a device in
SAID_TO_ALL = frozenset({"sound", "station", "pair"})
NO_DEVICES = frozenset({"cards", "wording", "journal"})
HAND_CALLING = board_view.AutoView(on=False, pace=6.0)


@dataclass(frozen=True)
class BoardContext:
    """All that a board shows in addition to the state: names, words, signs, what was said."""

    wording: Wording
    hall_name: str = ""
    currency: Currency = WHOLE_UNITS
    test: bool = False
    seq: int = 0
    head: str = ""
    key: str = ""
    pages: str = ""
    joining: board_view.JoiningView | None = None
    near: int | None = None
    near_two: int | None = None
    calling: bool = False
    signs: tuple[board_view.SignView, ...] = ()
    auto: board_view.AutoView = HAND_CALLING
    say: board_view.SayView | None = None
    notice: str = ""
    halted: str = ""
    theme: board_view.ThemeView | None = None
    telling: int | None = None  # which row of a drawing that is settled at the table is being told
    frame: bool = False  # the self-test runs
    press: str = ""  # the act that a press of the draw button asks for
    pause_until: str = ""  # when the pause ends, by the hall's clock: "20:40"; empty: not known


def board(hall: Hall, scene: BoardContext) -> board_view.BoardView:
    """Return the one object that every public screen draws."""
    scene = replace(scene, theme=theme_shown(hall, scene.theme))
    wording, table = scene.wording, _table(hall, scene)
    game = hall.last_sold
    opened: tuple[board_view.StageView, ...] = ()
    claims: tuple[board_view.ClaimView, ...] = ()
    if game is not None:
        if not game.closed:  # nothing of it can be won any more
            opened = tuple(_stage(hall, game, stage, scene) for stage in game.open)
        claims = tuple(_claim(hall, game, claim, wording) for claim in game.claims)
    coming = () if hall.game_open else hall.programme.games[hall.opened :][:COMING]
    cards, players = hall.in_play
    committed, fair = _committed(hall), hall.fair if hall.game_open else None
    told = {sign.text.lower() for sign in scene.signs}
    return board_view.BoardView(
        seq=scene.seq,
        head=scene.head,
        key=scene.key,
        code=_code(hall, scene),
        pages=scene.pages,
        joining=scene.joining if not scene.halted else None,
        test=scene.test,
        hall=scene.hall_name,
        language=wording.code,
        words=dict(wording.changed),
        night=hall.night,
        phase=board_view.Phase.HALTED if scene.halted else _phase(hall),
        game=_game(hall, wording),
        stage=opened[0] if opened else None,
        open=opened,
        prize=opened[0].prize if opened else None,
        jackpot=_jackpot(game, scene) if game is not None else None,
        called=hall.called,
        root=_root(committed),
        epoch=committed.binding.epoch if committed is not None else 0,
        repeats=fair is not None and fair.repeats,
        again=fair.again if fair is not None else None,
        wants_words=hall.wants_words,
        luck=_luck(hall, wording),
        cards=cards,
        players=players,
        near=scene.near,
        near_two=scene.near_two,
        calling=scene.calling,
        claim=claims[-1] if claims else None,
        claims=claims,
        wins=_wins(hall, game, scene) if game is not None else (),
        pause=_pause(hall, wording, scene.pause_until),
        rules=_rules(hall),
        table=table,
        theme=scene.theme,
        coming=tuple(plan.name for plan in coming),
        signs=tuple(_for_all(sign, wording) for sign in (*scene.signs, *_no_pack(hall, wording))),
        frame=scene.frame,
        auto=scene.auto,
        say=scene.say,
        press=scene.press if not scene.halted else "",
        # What a sign already says is not repeated on the screen; a notice begins with a capital.
        notice="" if scene.notice.lower() in told else scene.notice,
        procedure=wording.procedure if scene.halted else (),
    )


def _for_all(sign: board_view.SignView, wording: Wording) -> board_view.SignView:
    """Return a sign with the sentence for the hall: the caller reads what is wrong with what."""
    if sign.device in SAID_TO_ALL:
        return sign
    if sign.colour == "red":
        key = "record-fault"
    else:
        key = "station-fault" if sign.device in NO_DEVICES else "device-fault"
    return sign.model_copy(update={"hall": wording.screen[key]})


def _no_pack(hall: Hall, wording: Wording) -> Iterator[board_view.SignView]:
    """Yield the sign that there are no cards, until the hall is known to play with others."""
    known = hall.opened or hall.sales.tickets or any(plan.tickets for plan in hall.programme.games)
    if not (hall.pack.serials or known or hall.closed):
        text = wording.screen["no-pack"].format(command=MAKE_CARDS)
        yield board_view.SignView(device="cards", colour="amber", text=text)


def _phase(hall: Hall) -> board_view.Phase:
    if hall.closed:
        return board_view.Phase.CLOSED
    if hall.sold is None:
        return board_view.Phase.PLAYING if hall.game_open else board_view.Phase.BETWEEN
    return board_view.Phase.STOPPED if hall.sold.stopped else board_view.Phase.PLAYING


def _table(hall: Hall, scene: BoardContext) -> board_view.TableView | None:
    """Return the game at the table, also after its end, until another game opens."""
    if hall.table is None:
        return None
    words = scene.theme.words if scene.theme is not None else ()
    pictured = tuple(word or str(number) for number, word in enumerate(words, 1))
    telling = Telling(scene.wording, scene.currency.text, scene.telling, pictured)
    return table_view(hall.table, telling)


def _root(committed: FairBag | TableLeaves | None) -> str:
    """Return the root that is shown, 64 hex digits; empty where nothing is committed to."""
    return committed.root if committed is not None and committed.way is not Way.FRESH else ""


def _code(hall: Hall, scene: BoardContext) -> str:
    """Return what a QR code of the newest head says; empty while something is played, and where
    nothing is signed."""
    waits = hall.sold is not None and not (hall.called or hall.sold.stopped)
    if not (scene.head and scene.key) or scene.halted or (hall.game_open and not waits):
        return ""
    bag = _root(hall.fair) if waits else ""
    return code_text(CodedHead(parse_head(scene.head), scene.key, hall.opened, bag), scene.pages)


def _committed(hall: Hall) -> FairBag | TableLeaves | None:
    """Return what the next number, or where no bag is drawn from the next throw, is bound to."""
    return hall.fair or (hall.leaves if hall.at_table is not None else None)


def _luck(hall: Hall, wording: Wording) -> str:
    """Return what anybody may compare of the open game's luck; empty where there is no root."""
    fair, words = _committed(hall) if hall.game_open else None, wording.screen
    if fair is None or fair.way is Way.FRESH:
        return ""
    key = "luck-root" if isinstance(fair, FairBag) else "luck-table"
    told = [words[key].format(root=short_root(fair.root))]
    if fair.binding.epoch > 1:
        told.append(words["luck-epoch"].format(epoch=fair.binding.epoch))
    if isinstance(fair, FairBag) and fair.way is Way.SHARED:
        key = "wanted" if fair.words is None else "words" if fair.words else "waived"
        told.append(words[f"luck-{key}"].format(words=fair.words))
    return " · ".join(told)


def _game(hall: Hall, wording: Wording) -> board_view.GameView | None:
    plan = hall.plan
    if plan is None or hall.skipped:
        return None
    return board_view.GameView(
        number=hall.opened,
        of=len(hall.programme.games),
        name=plan.name,
        method=wording.title_of(plan.method) or plan.rules.title,
        stakes=plan.divided,
        stopped=own_word(plan.rules, "stopped", wording),
    )


def own_word(rules: AnyRules, key: str, wording: Wording) -> str:
    """Return what a game says in place of the house's word of that key; empty for no own word.

    >>> from station.games import GAMES
    >>> from station.wire.wording import load_wording
    >>> own_word(GAMES["keno"], "claim", load_wording())
    'Keno!'
    """
    own = rules.words.get(key) if isinstance(rules, SellsCards) else None
    return wording.screen[own] if own is not None else ""


def stage_name(plan: GamePlan | None, key: str, wording: Wording) -> str:
    """Return the hall's name for a stage: the programme's, else one in the hall's language.

    Args:
        key: the stage's key, or the jackpot's.
    """
    if key == JACKPOT or plan is None:
        return wording.screen.get(key, key)
    stage = plan.plans[plan.keys.index(key)]
    if stage.name is not None:
        known = plan.kin in kin_keys()
        return load_kin(plan.kin).told(stage.name, wording.base) if known else stage.name
    pattern = stage.wanted()
    name = wording.screen[pattern.key] if pattern.known else pattern.title
    return name if key == pattern.key else f"{name} {key.removeprefix(pattern.key).strip('-')}"


def _stage(hall: Hall, game: PrizeState, stage: Stage, scene: BoardContext) -> board_view.StageView:
    return board_view.StageView(
        key=stage.key,
        name=stage_name(hall.plan, stage.key, scene.wording),
        index=game.stages.index(stage) + 1,
        of=len(game.stages),
        prize=_prize(game.share_of(stage), stage.thing, scene.currency),
        pattern=stage.pattern.key,
        ways=tuple(
            board_view.WayView(card=picture(part.places), need=part.need)
            for part in stage.pattern.parts
        ),
        picture=_picture(stage.pattern),
    )


def _picture(pattern: Pattern) -> tuple[str, ...]:
    """Return one way to complete a pattern, with places apart where any will do."""
    part = pattern.parts[0]
    return picture([part.places[turn * len(part.places) // part.need] for turn in range(part.need)])


def _prize(minor: int, thing: str, currency: Currency) -> board_view.PrizeView:
    parts = [currency.text(minor)] if minor or not thing else []
    return board_view.PrizeView(
        minor=minor, text=" + ".join([*parts, thing] if thing else parts), thing=thing
    )


def _jackpot(game: PrizeState, scene: BoardContext) -> board_view.JackpotView | None:
    setup = game.setup
    if (
        not game.jackpot
        or game.stages[-1] not in game.unwon
        or len(game.called) > setup.within
        or game.closed
    ):
        return None
    prize = _prize(game.jackpot, "", scene.currency)
    text = scene.wording.screen["jackpot-within"].format(prize=prize.text, calls=setup.within)
    return board_view.JackpotView(within=setup.within, prize=prize, text=text)


def _pause(hall: Hall, wording: Wording, until: str) -> board_view.PauseView | None:
    pause = hall.plan.pause if hall.plan is not None else None
    if pause is None or hall.game_open or hall.closed or hall.skipped:
        return None
    known = pause.minutes and hall.opened < len(hall.programme.games)
    told = wording.screen["break-until" if until else "break-minutes"]
    follows = told.format(time=until, minutes=pause.minutes) if known else ""
    name = _rules(hall) if pause.rules else ""
    return board_view.PauseView(
        text=pause.text,
        minutes=pause.minutes,
        follows=follows,
        title=wording.title_of(name),
        rules=wording.rules_of(name) if name else (),
    )


def _rules(hall: Hall) -> str:
    """Return whose rules are played now, or next; empty when no game comes any more."""
    if hall.game_open and hall.plan is not None:
        return hall.plan.method
    coming = () if hall.closed else hall.programme.games[hall.opened :][:1]
    return coming[0].method if coming else ""


def _label(game: PrizeState, serial: str, wording: Wording) -> str:
    if game.ticket(serial) is None:
        return serial
    # "ticket-2-7" is the seventh that was checked in the second game.
    return wording.screen["ticket-of"].format(serial=serial.rpartition("-")[2])


def holder_of(game: PrizeState, serial: str) -> str | None:
    """Return who holds a card or a ticket by name; None if nobody does."""
    ticket = game.ticket(serial)
    return (ticket.name or None) if ticket is not None else (game.setup.holders or {}).get(serial)


def _claim(hall: Hall, game: PrizeState, claim: Claim, wording: Wording) -> board_view.ClaimView:
    card, ticket = game.setup.cards.get(claim.serial), game.ticket(claim.serial)
    paper = card if card is not None else ticket
    numbers = frozenset(paper.numbers if paper is not None else ())
    verdict = board_view.Verdict(claim.verdict.value)
    incomplete = verdict is board_view.Verdict.NOT_COMPLETE
    lacking = hall.prizes.wants(game, claim.serial) if incomplete else ()
    nearest = min((wants for _, wants in lacking), key=attrgetter("many"), default=None)
    label = _label(game, claim.serial, wording)
    named = claim.stages if len(game.open) > 1 else ()
    won = tuple(stage_name(hall.plan, key, wording) for key in named)
    return board_view.ClaimView(
        serial=claim.serial,
        holder=holder_of(game, claim.serial),
        rows=card.rows if card is not None else (),
        tens_last=card is not None and card.tens_last,
        marked=tuple(sorted(numbers.intersection(game.called))),
        missing=nearest.numbers if nearest is not None else (),
        verdict=verdict,
        text=_reason(hall, verdict, lacking, won, wording),
        label=label if ticket is not None else wording.screen["claim-of"].format(serial=label),
        numbers=ticket.numbers if ticket is not None else (),
        stages=won,
        winning=won_with(game, claim),
    )


def won_with(game: PrizeState, claim: Claim) -> tuple[int, ...]:
    """Return the numbers of a card that complete what it claims, ascending; none of a claim that is
    not valid, and none of a ticket, whose places the station does not know."""
    card = game.setup.cards.get(claim.serial)
    if card is None or claim.verdict is not ClaimVerdict.VALID:
        return ()
    keys = claim.stages or tuple(stage.key for stage in game.open)
    patterns = [stage.pattern for stage in game.stages if stage.key in keys]
    return tuple(
        sorted({one for pattern in patterns for one in pattern.winning(card, game.called)})
    )


def _reason(
    hall: Hall,
    verdict: board_view.Verdict,
    lacking: Sequence[tuple[Stage, Wants]],
    won: Sequence[str],
    wording: Wording,
) -> str:
    """Return why a claim has its result: what it wins, or what the nearest stages still need."""
    if won:
        return wording.screen["valid-for"].format(stages=", ".join(won))
    if len(lacking) == 1:
        return wording.screen["missing"].format(numbers=number_row(lacking[0][1].numbers))
    if lacking:
        nearest = sorted(lacking, key=lambda one: one[1].many)[:REASONS]
        names = (
            f"{stage_name(hall.plan, stage.key, wording)} {number_row(wants.numbers, NAMED)}"
            for stage, wants in nearest
        )
        return wording.screen["missing"].format(numbers=" · ".join(names))
    return wording.phrases["not-valid" if verdict is board_view.Verdict.NOT_COMPLETE else verdict]


def number_row(numbers: Sequence[int], most: int = CARD_LENGTH) -> str:
    """Return numbers side by side, at most `most` of them.

    >>> number_row((5, 11)), number_row(range(1, 9), 3)
    ('5, 11', '1, 2, 3, …')
    """
    return ", ".join([*map(str, numbers[:most]), *(["…"] if len(numbers) > most else [])])


def _wins(hall: Hall, game: PrizeState, scene: BoardContext) -> tuple[board_view.WinView, ...]:
    drawn = {lots.stage for lots in game.lots}
    patterns = {stage.key: stage.pattern.key for stage in game.stages}
    return tuple(
        board_view.WinView(
            stage=stage_name(hall.plan, win.stage, scene.wording),
            key=win.stage,
            pattern=patterns.get(win.stage, win.stage),
            serial=win.serial,
            holder=holder_of(game, win.serial),
            prize=_prize(win.amount, win.thing, scene.currency),
            paid=win in hall.paid,
            draws=bool(win.thing) and win.stage in game.undecided,
            label=_label(game, win.serial, scene.wording),
            status=scene.wording.screen[_status(hall, game, win)],
        )
        for win in game.wins
        # A player whose knob was lower has won nothing, unless the stage has money too.
        if win.amount or win.thing or win.stage not in drawn
    )


def _status(hall: Hall, game: PrizeState, win: Win) -> str:
    if win.thing and win.stage in game.undecided:
        return "to-draw"
    if win.thing and not win.amount:
        return "handed" if win in hall.paid else "to-hand"
    return "paid" if win in hall.paid else "to-pay"


class LitKnob(NamedTuple):
    """A knob in one of the board's cavities."""

    number: int
    newest: bool = False
    called: bool = True  # False: drawn, and not called yet


def cavities(
    called: Sequence[int], waiting: int | None = None, placement: Mapping[int, int] | None = None
) -> tuple[LitKnob | None, ...]:
    """Return what is in the board's ten cavities, None for an empty one.

    Knobs are placed from the first cavity to the tenth, then from the first again: a knob stays
    where it lies until its cavity is needed, so only one place of the board changes at a call.

    >>> cavities([5, 90])[1:3]
    (LitKnob(number=90, newest=True, called=True), None)
    >>> [lit and lit.number for lit in cavities([5, 90], 7, {90: 1, 7: 3})]
    [None, 90, None, 7, None, None, None, None, None, None]

    Args:
        waiting: the knob that is drawn and not called.
        placement: where readers know the knobs to lie, each number's cavity from 0 to 9: only these
            are lit then, and the newest in the first free cavity when no reader knows of it.
    """
    newest = called[-1] if called else None
    drawn = list(called) if waiting is None else [*called, waiting]
    if placement is None:
        # a later one lies before an earlier one
        lying = {number: place % CAVITIES for place, number in enumerate(drawn)}
    else:
        lying = {number: placement[number] for number in drawn if number in placement}
        free = (place for place in range(CAVITIES) if place not in lying.values())
        if newest is not None and newest not in lying and (place := next(free, None)) is not None:
            lying[newest] = place
    lit: list[LitKnob | None] = [None] * CAVITIES
    for number, place in lying.items():
        lit[place] = LitKnob(number, newest=number == newest, called=number != waiting)
    return tuple(lit)


def number_clips(number: int, style: Style, sayings: Container[int] = ()) -> tuple[str, ...]:
    """Return the clips that call a number; the number, or its digits, come last in any style.

    >>> number_clips(42, Style.DIGITS), number_clips(30, Style.DIGITS)
    (('number.42', 'number.4', 'number.2'), ('number.30', 'number.3', 'nought'))
    >>> number_clips(88, Style.SAYINGS, {88}), number_clips(42, Style.DOUBLE)
    (('saying.88',), ('number.42', 'pause', 'number.42'))
    >>> number_clips(30, Style.DIGITS_FIRST), number_clips(4, Style.DIGITS_FIRST)
    (('number.3', 'and', 'nought', 'number.30'), ('on-its-own', 'number.4'))

    Args:
        sayings: the numbers that the voice has a saying of.
    """
    whole = f"number.{number}"
    first, second = (f"number.{digit}" if digit else "nought" for digit in divmod(number, 10))
    match style:
        case Style.SAYINGS if number in sayings:
            return (f"saying.{number}",)
        case Style.DOUBLE:
            return (whole, "pause", whole)
        case Style.DIGITS if number > 9:
            return (whole, first, second)
        case Style.DIGITS_FIRST if number > 9:
            return (first, "and", second, whole)
        case Style.DIGITS_FIRST:
            return ("on-its-own", whole)
    return (whole,)


# -- where the evening stands, in a sentence -------------------------------------------------------


def now_said(
    view: BoardView, wording: Wording, act: str = "", before: BoardView | None = None
) -> str:
    """Return where the evening stands, in the hall's language: the last number and what is played
    for, the claims of this stop, what comes next.

    Args:
        act: what was done just now; of some acts it is said first what came of them.
        before: what was seen before it.
    """
    words = wording.screen
    match view.phase:
        case Phase.STOPPED:
            said = [words["stopped"], *(f"{claim.label}: {claim.text}" for claim in view.claims)]
        case Phase.CLOSED | Phase.HALTED as phase:
            said = [words[phase.value]]
        case _ if view.table is not None:
            said = [_call(view, wording), view.table.text]
        case Phase.BETWEEN:
            names = ", ".join(view.coming[:1])
            said = [words["between"], f"{words['next-game']}: {names}"]
            said = said if names else [words["played"]]
        case _:
            open_now = ", ".join(stage.name for stage in view.open)
            said = [_call(view, wording), f"{words['stage']}: {open_now}" if open_now else ""]
    done = _done(view, wording, act, before)
    return ". ".join(part.rstrip(".") for part in (done, *said) if part)


def _done(view: BoardView, wording: Wording, act: str, before: BoardView | None) -> str:
    """Return what came of an act: the pace, the number that was taken back, the night that began;
    nothing of others."""
    words = wording.screen
    if act == "auto":
        return _pace(view, wording)
    if act == "next-night":
        return words["night-begins"].format(night=view.night)
    # Who sends his wish again has taken nothing back by it.
    if act == "undo" and before is not None and len(view.called) < len(before.called):
        return words["undone"].format(number=before.last)
    return ""


def _pace(view: BoardView, wording: Wording) -> str:
    by_itself = wording.screen["calls-by-itself"].format(seconds=f"{view.auto.pace:g}")
    return by_itself if view.auto.on else wording.screen["waits-for-button"]


def _call(view: BoardView, wording: Wording) -> str:
    if view.last is None:
        return wording.screen["eyes-down"]
    calls = wording.screen["calls-of"].format(count=len(view.called))
    return f"{view.last}: {wording.screen['calls']} {calls}"
