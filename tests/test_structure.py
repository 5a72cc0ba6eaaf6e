"""The rooms and what each may touch, held by tests: imports, docstrings, commands and their examples, habits of tests."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
import typer

from station import __version__, bundle
from station.cli import app

PROJECT = Path(__file__).resolve().parent.parent
STANDARD = sys.stdlib_module_names


def modules(*folders: str) -> dict[str, Path]:
    """The modules of packages by dotted name."""
    found = {}
    for folder in folders:
        for path in sorted((PROJECT / folder).rglob("*.py")):
            parts = path.relative_to(PROJECT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


CODE = modules("station", "drivers")
TESTS = modules("tests")


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(path: Path) -> set[str]:
    """All that a module imports, also inside functions; `from station import wire` is `station.wire`."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & CODE.keys()
            # A package whose only imported names are modules of it is not itself used.
            found |= inside if len(inside) == len(node.names) else inside | {str(node.module)}
    return found - {"__future__"}


IMPORTS = {name: imports(path) for name, path in CODE.items()}

# The pure centre: no clock, no threads, no sockets, no processes, and no luck but what is passed in. Everything each imports.
NOUNS = "collections.abc dataclasses enum typing"
PURE = {
    "station.errors": "collections.abc enum",
    "station.spreadsheet": "collections.abc csv re typing",
    "station.typed": "collections.abc re unicodedata",
    "station.untrusted": "collections.abc json math pathlib re station.errors station.typed tomllib typing",
    "station.table": "collections.abc dataclasses functools re station.errors",
    "station.packs": "",
    "station.packs.card_arrays": "numpy numpy.typing station.table",
    "station.cards": "collections collections.abc functools hashlib numpy numpy.typing pathlib random re station.errors "
    "station.packs station.packs.card_arrays station.packs.pack_files station.packs.pack_layouts station.packs.serials "
    "station.packs.strips station.table station.untrusted typing",
    "station.packs.pack_files": "codecs collections collections.abc csv io itertools numpy numpy.typing re station.errors "
    "station.packs.card_arrays station.packs.pack_layouts station.table",
    "station.packs.pack_layouts": "collections.abc enum numpy station.packs.card_arrays station.table",
    "station.packs.layouts": "dataclasses functools itertools math numpy numpy.typing station.packs.strip_tables station.table",
    "station.planes": "collections.abc numpy numpy.typing typing station.table",
    "station.announcing": "collections.abc station.acts station.hall station.readiness station.rules.loto_first_state "
    "station.rules.patterns station.parlour.announcing station.table station.views",
    "station.losses": "collections.abc dataclasses typing station.acts station.hall station.parlour.game station.pools "
    "station.rules.loto_first station.table",
    "station.parlour.announcing": "collections.abc dataclasses typing station.acts station.hall station.parlour.box "
    "station.parlour.game station.parlour.methods station.parlour.plan station.parlour.second_view station.parlour.settlement "
    "station.rules.loto_parlour station.rules.loto_second station.table",
    "station.parlour.view": "collections.abc typing station.boardview station.parlour.first_view station.parlour.game "
    "station.parlour.plan station.parlour.second_view station.parlour.telling station.wording",
    "station.parlour.telling": "collections.abc dataclasses station.boardview station.parlour.box station.wording",
    "station.parlour.second_view": "station.boardview station.parlour.box station.parlour.company station.parlour.game "
    "station.parlour.settlement station.parlour.telling station.rules.loto_second station.table",
    "station.parlour.first_view": "collections.abc station.boardview station.parlour.company station.parlour.game "
    "station.parlour.telling station.rules.loto_parlour",
    "station.marks": "collections.abc itertools numpy numpy.typing typing station.cards station.planes station.rules.patterns "
    "station.table",
    "station.packs.serials": "collections.abc dataclasses hashlib hmac numpy re station.errors",
    "station.packs.strip_tables": "collections dataclasses functools itertools numpy numpy.typing pathlib",
    "station.packs.strips": "collections.abc dataclasses fractions functools hashlib numpy numpy.typing station.packs.layouts "
    "station.packs.strip_tables station.table",
    "station.rules": "typing station.errors station.rules.game station.rules.loto_first station.rules.loto_parlour "
    "station.rules.loto_second",
    "station.rules.game": NOUNS,
    "station.rules.notations": "re station.errors",
    "station.rules.loto_first": "collections.abc dataclasses re typing station.errors station.rules.game "
    "station.rules.loto_first_actions station.rules.loto_first_claims station.rules.loto_first_notation "
    "station.rules.loto_first_state station.rules.patterns station.table",
    "station.rules.loto_first_actions": "dataclasses enum typing",
    "station.rules.loto_first_claims": "collections.abc dataclasses typing station.rules.loto_first_state station.rules.patterns "
    "station.table",
    "station.rules.loto_first_notation": "collections.abc dataclasses re urllib.parse station.errors "
    "station.rules.loto_first_state station.rules.notations station.rules.patterns",
    "station.rules.loto_first_state": "collections.abc dataclasses enum station.rules.patterns station.table",
    "station.rules.loto_parlour": "collections.abc typing station.errors station.rules.game station.rules.loto_parlour_actions "
    "station.rules.loto_parlour_calling station.rules.loto_parlour_notation station.rules.loto_parlour_state "
    "station.rules.seating station.table",
    "station.rules.loto_parlour_actions": "dataclasses enum typing",
    "station.rules.loto_parlour_calling": "collections.abc dataclasses station.errors station.rules.loto_first_state "
    "station.rules.loto_parlour_actions station.rules.loto_parlour_state station.table",
    "station.rules.loto_parlour_notation": "collections.abc functools re station.errors station.rules.loto_parlour_actions "
    "station.rules.loto_parlour_calling station.rules.loto_parlour_state station.rules.notations station.table",
    "station.rules.loto_parlour_state": "collections.abc dataclasses enum functools station.rules.loto_first_state "
    "station.rules.loto_parlour_actions station.rules.patterns station.rules.seating station.table",
    "station.rules.loto_second": "collections.abc typing station.errors station.rules.game station.rules.loto_second_actions "
    "station.rules.loto_second_cards station.rules.loto_second_drawing station.rules.loto_second_notation "
    "station.rules.loto_second_state station.rules.seating station.table",
    "station.rules.loto_second_actions": "dataclasses enum typing",
    "station.rules.loto_second_cards": "dataclasses station.errors station.rules.loto_second_actions "
    "station.rules.loto_second_drawing station.rules.loto_second_state station.rules.seating",
    "station.rules.loto_second_drawing": "dataclasses station.errors station.rules.loto_second_actions "
    "station.rules.loto_second_state station.rules.seating station.table",
    "station.rules.loto_second_notation": "re station.errors station.rules.loto_second_actions station.rules.loto_second_state "
    "station.rules.notations station.rules.seating",
    "station.rules.loto_second_state": "collections collections.abc dataclasses enum station.rules.loto_second_actions "
    "station.table",
    "station.rules.seating": "collections.abc re station.errors station.table",
    "station.odds": "",
    "station.odds.second": "collections.abc fractions functools math typing station.errors station.rehearsal.exact "
    "station.rules.loto_second_state station.table",
    "station.odds.first": "dataclasses fractions functools math numpy station.errors station.odds.second station.rehearsal.exact "
    "station.rules.patterns station.table",
    "station.odds.trials": "collections.abc dataclasses math numpy numpy.typing station.errors station.odds.second "
    "station.rehearsal.ranks station.rules.loto_second_state station.rules.patterns station.table",
    "station.odds.answers_first": "collections.abc dataclasses fractions typing station.cards station.odds.first "
    "station.odds.second station.odds.trials station.rehearsal.ranks station.rules.patterns station.table",
    "station.odds.answers_second": "collections.abc dataclasses fractions math numpy station.cards station.errors "
    "station.odds.second station.odds.trials station.rehearsal.ranks station.rules.loto_second_state station.table",
    "station.odds.words": "collections.abc dataclasses fractions typing",
    "station.odds.programmes": "collections.abc dataclasses station.odds.answers_first station.odds.answers_second "
    "station.odds.second station.programme station.rules.patterns",
    "station.parlour.box": "dataclasses itertools station.errors",
    "station.parlour.settling": "collections.abc dataclasses numpy numpy.typing station.planes station.rules.loto_second_state "
    "station.table",
    "station.rules.patterns": "collections.abc dataclasses functools itertools re station.errors station.table typing",
    "station.tables": "collections.abc json station.errors station.reports.table_record station.table typing",
    "station.kin": "collections.abc functools pathlib pydantic station.errors station.untrusted typing",
    "station.plan_parts": "pydantic typing",
    "station.parlour.plan": "collections.abc pydantic typing station.plan_parts station.rules.loto_second_state",
    "station.programme": "collections collections.abc functools hashlib itertools json pathlib pydantic reprlib typing "
    "station.errors station.kin station.plan_parts station.rules.loto_first station.rules.patterns station.parlour.plan "
    "station.untrusted",
    "station.act_parts": "collections.abc pydantic typing unicodedata station.errors station.table station.typed",
    "station.acts": "pydantic typing station.act_parts station.errors station.programme station.table",
    "station.readiness": "collections.abc dataclasses enum station.acts station.table",
    "station.census": "collections.abc dataclasses enum station.acts station.readiness station.table",
    "station.register": "bisect collections.abc dataclasses functools numpy operator station.cards",
    "station.pools": "dataclasses typing station.programme station.rules.loto_first station.rules.patterns station.table",
    "station.hall_state": "collections.abc dataclasses enum functools hashlib json typing station.act_parts station.cards "
    "station.parlour.company station.parlour.game station.pools station.programme station.readiness station.register "
    "station.rules.loto_first station.table",
    "station.parlour.company": "collections.abc dataclasses station.act_parts station.parlour.plan",
    "station.parlour.methods": "collections.abc dataclasses typing station.errors station.parlour.plan "
    "station.parlour.settlement station.rules.game station.rules.loto_parlour station.rules.loto_second "
    "station.rules.loto_second_drawing station.rules.loto_second_state station.rules.seating station.table",
    "station.parlour.game": "collections.abc dataclasses functools json pydantic typing station.errors station.parlour.company "
    "station.parlour.methods station.parlour.plan station.parlour.settlement station.programme station.rules.seating "
    "station.table",
    "station.parlour.settlement": "collections.abc dataclasses station.parlour.box station.rules.loto_second "
    "station.rules.seating",
    "station.parlour.hosting": "collections.abc dataclasses hashlib station.act_parts station.acts station.errors "
    "station.hall_state station.parlour.company station.parlour.game station.parlour.methods station.pools station.programme "
    "station.table",
    "station.parlour.then": "typing station.hall_state station.parlour.game station.parlour.settlement",
    "station.selling": "collections.abc dataclasses hashlib json station.acts station.cards station.errors station.hall_state "
    "station.pools station.register station.table",
    "station.payments": "dataclasses station.act_parts station.acts station.errors station.hall_state station.pools "
    "station.table",
    "station.hall": "collections.abc dataclasses typing station.acts station.errors station.hall_state station.parlour.hosting "
    "station.parlour.then station.payments station.pools station.programme station.readiness station.rules.loto_first "
    "station.selling station.table",
    "station.opening": "collections.abc pydantic re typing station.errors station.hall station.programme station.table",
    "station.bag": "collections.abc dataclasses hashlib json random secrets station.errors station.rules.loto_first "
    "station.table station.untrusted",
    "station.access": "collections.abc dataclasses enum station.errors",
    "station.readers": "collections.abc dataclasses enum typing station.table",
    "station.parlour.buzzing": "collections.abc typing station.act_parts",
    "station.setup_buzzers": "collections.abc typing station.parlour.buzzing",
    "station.parlour.race": "collections.abc dataclasses enum station.rules.loto_parlour_actions",
    "station.fingers": "collections.abc station.presses",
    "station.presses": "re typing station.acts station.errors station.hall station.parlour.game",
    "station.scan": "collections.abc dataclasses enum itertools typing station.cards station.errors station.hall "
    "station.packs.serials",
    "station.checking": "collections.abc typing station.errors station.hall station.packs.serials station.rules.loto_first "
    "station.rules.patterns station.scan station.table",
    "station.balance": "collections.abc typing station.hall station.payments station.pools station.packs.serials station.scan "
    "station.table",
    "station.sums": "re station.act_parts station.errors station.views",
    "station.questions": "collections.abc types typing station.access station.balance station.checking station.errors "
    "station.hall station.packs.serials station.scan station.parlour.told station.views",
    "station.parlour.choices": "collections.abc dataclasses typing station.errors station.parlour.plan station.rules.game "
    "station.rules.loto_parlour station.rules.loto_second station.rules.seating",
    "station.parlour.told": "collections.abc itertools typing station.act_parts station.acts station.errors station.hall "
    "station.hall_state station.parlour.choices station.parlour.company station.parlour.game station.parlour.methods "
    "station.parlour.plan station.parlour.settlement station.programme station.rules station.rules.loto_parlour "
    "station.rules.loto_second",
    "station.boardview": "enum pydantic typing",
    "station.views": "collections.abc dataclasses enum typing station.boardview station.hall station.parlour.plan "
    "station.packs station.parlour.telling station.parlour.view station.programme station.rules station.rules.loto_first_claims "
    "station.rules.loto_first_state station.rules.patterns station.table station.wording",
    "station.billboard": "station.announcing station.hall station.rules.loto_first_state station.rules.patterns "
    "station.parlour.view station.views station.wording",
    "station.wording": "collections.abc dataclasses pathlib re string types typing station.errors station.untrusted",
    "station.themes": "collections.abc dataclasses functools pathlib re station.errors station.table station.untrusted types "
    "typing unicodedata",
    "station.reports.sheets": "collections.abc dataclasses enum io station.spreadsheet station.views typing",
    "station.reports.record": "collections.abc dataclasses station.errors station.reports.table_record typing",
    "station.reports.table_record": "collections.abc dataclasses typing",
    "station.reports.table_words": "collections.abc station.rules.loto_second_state typing",
    "station.reports.report_table": "collections collections.abc station.act_parts station.reports.record station.reports.sheets "
    "station.reports.table_record station.reports.table_words station.rules.loto_second_state",
    "station.reports.report_events": "collections.abc station.acts station.readiness station.reports.record "
    "station.reports.sheets",
    "station.reports.sleepers": "collections.abc dataclasses numpy numpy.typing station.rules.patterns station.table",
    "station.programme_check": "collections collections.abc dataclasses difflib itertools pathlib pydantic typing station.errors "
    "station.parlour.plan station.programme station.rules.patterns station.themes",
    "station.programme_sheet": "collections.abc dataclasses typing station.pools station.programme station.reports.sheets "
    "station.rules station.rules.patterns station.parlour.plan station.views station.wording",
    "station.reports.report_money": "collections collections.abc dataclasses station.reports.record station.reports.sheets "
    "typing",
    "station.rehearsal": "",
    "station.rehearsal.exact": "collections.abc dataclasses fractions functools math station.errors station.table",
    "station.rehearsal.ranks": "collections.abc hashlib numpy numpy.typing station.rules.patterns station.table",
    "station.rehearsal.stages": "collections.abc dataclasses numpy numpy.typing station.errors station.rehearsal.ranks "
    "station.rules.patterns",
    "station.rehearsal.money": "collections.abc dataclasses itertools station.pools station.programme station.rehearsal.ranks "
    "station.rules.loto_first_claims station.rules.loto_first_state station.rules.patterns station.table",
    "station.rehearsal.night": "collections.abc dataclasses functools itertools numpy numpy.typing station.errors "
    "station.programme station.rehearsal.money station.rehearsal.ranks station.rehearsal.stages station.rules.patterns",
    "station.rehearsal.outlook": "collections.abc dataclasses math numpy numpy.typing typing station.errors "
    "station.packs.strip_tables station.packs.strips station.rehearsal.exact station.rehearsal.night station.rehearsal.ranks "
    "station.rehearsal.stages station.rules.patterns station.table",
}  # fmt: skip
# Luck is a parameter there: a pack's, and the virtual bag's.
MAY_HAVE_LUCK = {"station.cards", "station.bag"}

# The shell: what of the station each may import. `cli` may import all.
CENTRE = set(PURE)
SHELL = {
    "station": "",
    "station.commands": "",
    "station.parlour": "",
    "station.prints": "",
    "station.reports": "",
    "station.clock": "",
    "station.notify": "",
    "station.audit": "station station.chain station.checkpoint station.disk station.errors station.examining station.folders "
    "station.journal station.nights station.opening station.traces",
    "station.traces": "station.bag station.chain station.checkpoint station.disk station.errors station.journal station.opening",
    "station.folders": "station.chain station.disk station.errors station.journal station.opening station.traces",
    "station.examining": "station.chain station.checkpoint station.disk station.errors station.folders station.journal "
    "station.traces",
    "station.chain": "",
    "station.packs.cards_key": "station.disk station.errors station.packs.serials",
    "station.checkpoint": "station.chain station.disk station.errors",
    "station.export": "station.audit station.disk station.errors station.folders station.journal station.spreadsheet "
    "station.tables station.untrusted",
    "station.disk": "",
    "station.journal": "station.chain station.disk station.errors",
    "station.terminal": "station.typed",
    "station.tags": "station.disk station.errors station.table station.untrusted",
    "station.wire": "station.errors station.untrusted",
    "station.reports.copies": "station.cards station.disk station.errors station.journal station.opening station.programme",
    "station.nights": "station station.bag station.cards station.chain station.checkpoint station.disk station.errors "
    "station.examining station.folders station.hall station.journal station.opening station.programme station.readiness "
    "station.reports.copies station.table station.traces",
    "station.drill.flood": "",
    "station.drill.web_flood": "station.drill.course station.drill.flood station.drill.real station.drill.rig station.errors "
    "station.launch station.wire",
    "station.drill.settle_kill": "station.audit station.drill.course station.drill.real station.drill.rig "
    "station.drill.table_paper station.errors station.journal station.table station.wire",
    "station.drill.table_machine": "station.drill.beside station.drill.beside_machine station.drill.course station.drill.evening "
    "station.drill.table_paper station.hall station.parlour.game station.parlour.plan station.programme station.session "
    "station.table",
    "station.drill.table_paper": "",
    "station.drill.beside_machine": "station.drill.beside station.drill.course station.session",
    "station.drill.beside": "station.access station.cards station.drill.course station.drill.evening station.drill.memory_disk "
    "station.errors station.hall station.nights station.programme station.session",
    "station.session": "station.access station.act_parts station.bag station.checkpoint station.clock station.errors "
    "station.hall station.losses station.nights station.opening station.parlour.game station.presses station.readiness",
    "station.asking": "drivers station.announcing station.front station.hall station.losses station.session",
    "station.errands": "",
    "station.halves": "station.disk station.errors station.folders station.packs",
    "station.shelf": "station.access station.acts station.audit station.cards station.checkpoint station.config station.disk "
    "station.errors station.folders station.hall station.halves station.hands station.machine station.nights station.opening "
    "station.programme station.programme_check station.readers station.session station.state_check station.table station.tags",
    "station.evening": "station.desk station.errands station.errors station.nights station.packs.serials station.session "
    "station.shelf",
    "station.config": "drivers station.parlour.buzzing station.errors station.programme station.readers station.scan "
    "station.views",
    "station.parlour.answering": "drivers station.access station.front station.parlour.buzzing station.parlour.players "
    "station.parlour.race station.session station.wording",
    "station.parlour.players": "drivers station.access station.parlour.choices station.parlour.game station.parlour.plan "
    "station.rules.loto_parlour station.rules.loto_second station.session",
    "station.parlour.buzzer_hands": "drivers.simulated drivers.simulated_buzzers station.parlour.buzzing station.errors",
    "station.counter": "station.access station.cards station.packs.cards_key station.errors station.front station.scan "
    "station.packs.serials station.session",
    "station.front": "drivers station.acts station.announcing station.billboard station.boardview station.clock station.hall "
    "station.naming station.nearness station.presses station.readers station.scan station.session station.themes.shown "
    "station.views station.wording",
    "station.parlour.recital": "station.acts station.front station.parlour.announcing station.parlour.game "
    "station.parlour.second_view station.parlour.settlement station.session",
    "station.themes.shown": "station.boardview station.errors station.programme station.table station.themes "
    "station.themes.lamps",
    "station.desk": "drivers station.access station.announcing station.asking station.automatic station.boardview station.clock "
    "station.counter station.drawn station.errands station.errors station.fingers station.front station.hall station.heard "
    "station.knobs station.nearness station.parlour.answering station.parlour.recital station.preparing station.presses "
    "station.readers station.selftest station.session station.switches station.tags station.trouble",
    "station.automatic": "station.boardview station.errors station.front station.hall station.heard station.pace station.session",
    "station.preparing": "drivers station.access station.acts station.announcing station.census station.front station.hall "
    "station.knobs station.parlour.game station.presses station.readers station.readiness station.selftest station.session "
    "station.table station.tags station.trouble",
    "station.selftest": "drivers station.acts station.front station.table",
    "station.switches": "drivers station.access station.boardview station.front station.session",
    "station.trouble": "station.boardview station.front station.readers",
    "station.drawn": "station.hall station.session",
    "station.knobs": "drivers station.drawn station.front station.hall_state station.readers station.rules.loto_first "
    "station.session station.trouble",
    "station.heard": "drivers station.announcing station.front station.knobs station.session station.table",
    "station.nearness": "station.acts station.hall station.marks station.rules.loto_first_claims station.rules.loto_first_state "
    "station.session station.views station.wording",
    "station.cards_seen": "station.hall station.marks station.nearness station.register station.rules.loto_first "
    "station.rules.loto_first_claims station.rules.loto_first_state station.wire",
    "station.naming": "station.acts station.announcing station.hall station.programme station.rules.loto_first_state "
    "station.rules.patterns station.table station.parlour.announcing station.themes.shown station.themes station.views "
    "station.wording",
    "station.voices": "drivers drivers.voicepack station.wording",
    "station.pace": "station.boardview station.errors",
    "station.watchdog": "",
    "station.state_check": "station.errors station.packs",
    "station.devices": "drivers station.boardview",
    "station.drill.rig": "station.drill.course station.errors station.halves station.launch station.wire",
    "station.machine": "drivers station.checkpoint station.clock station.disk station.state_check",
    "station.drill.virtual_time": "drivers drivers.sleeper station.errors",
    "station.drill.virtual_devices": "drivers drivers.simulated drivers.simulated_board drivers.speech station.drill.evening",
    "station.drill.virtual_lines": "drivers drivers.buzzer_box drivers.simulated drivers.simulated_buzzers drivers.sleeper "
    "station.drill.virtual_devices station.drill.virtual_time",
    "station.drill.fingers": "drivers station.drill.notebook station.drill.world",
    "station.drill.screens": "station.wire",
    "station.drill.world": "drivers drivers.buzzer_box drivers.rfid drivers.simulated_board drivers.sleeper station.clock "
    "station.config station.daemon station.disk station.drill.evening station.drill.memory_disk station.drill.screens "
    "station.drill.virtual_devices station.drill.virtual_lines station.drill.virtual_time station.errors station.machine "
    "station.packs station.programme station.session station.table station.tags station.wire",
    "station.drill.notebook": "drivers drivers.geometry drivers.picture drivers.simulated_board station.audit station.clock "
    "station.drill.course station.drill.evening station.drill.memory_disk station.drill.virtual_devices station.drill.world "
    "station.errors station.journal station.wire",
    "station.drill.caller": "station.drill.evening station.drill.notebook station.drill.world station.table station.wire "
    "station.wording",
    "station.drill.devices": "drivers.frames drivers.simulated station.drill.caller station.drill.course station.drill.fingers "
    "station.drill.memory_disk station.drill.notebook station.drill.virtual_time station.drill.world station.errors "
    "station.table",
    "station.drill.live_devices": "drivers drivers.simulated_buzzers station.audit station.config station.daemon "
    "station.drill.course station.drill.notebook station.drill.real station.drill.rig station.errors station.hall "
    "station.halves station.hands station.journal station.machine station.programme_check station.session station.table "
    "station.wire",
    "station.drill.real": "station.audit station.boardview station.drill.course station.drill.rig station.errors "
    "station.journal station.wire",
    "station.drill.straits": "station.audit station.cards station.drill.course station.drill.real station.drill.rig "
    "station.errors station.journal station.nights station.packs station.wire",
    "station.hands": "station.parlour.buzzer_hands drivers drivers.frames drivers.rfid drivers.simulated drivers.simulated_board "
    "drivers.simulated_lines drivers.simulated_pixels drivers.simulated_readers station.access station.cards_seen station.disk "
    "station.errors station.hall station.readers station.scan station.session station.table station.parlour.told station.wire",
    "station.daemon": "drivers station.access station.boardview station.cards station.config station.counter station.desk "
    "station.devices station.errors station.evening station.front station.halves station.hands station.machine station.nights "
    "station.notify station.packs station.packs.serials station.parlour.buzzing station.programme station.questions "
    "station.readers station.scan station.selftest station.session station.shelf station.tags station.voices station.watchdog "
    "station.wire station.wording",
    "station.findings": "station.config station.inventory",
    "station.inventory": "station.state_check station.system",
    "station.doctor": "station.config station.doctor_devices station.doctor_machine station.findings station.inventory",
    "station.doctor_devices": "station.errors station.findings station.inventory station.parlour.buzzing station.readers "
    "station.scan station.table station.tags",
    "station.doctor_machine": "station.errors station.findings station.inventory station.packs station.state_check",
    "station.setup_file": "station.config station.disk station.errors station.parlour.buzzing station.readers",
    "station.setup_questions": "drivers.buzzer_frames drivers.frames station.config station.errors station.inventory "
    "station.parlour.buzzing station.readers station.setup_buzzers station.setup_file station.typed station.views "
    "station.wording",
    "station.enrolment": "drivers station.readers station.table station.tags",
    "station.players": "station.boardview station.errors station.hall_state station.rules.patterns station.table "
    "station.parlour.host station.wire",
    "station.parlour.host": "station.boardview station.errors",
    "station.launch": "station.errors station.players station.wire",
    "station.watch": "station.boardview station.errors station.table station.terminal station.wire station.wording",
    "station.bundle": "station.archives station.errors station.signing",
    "station.signing": "station.disk station.errors station.untrusted",
    "station.delivery": "station.archives station.bundle station.disk station.errors station.releases station.signing "
    "station.system station.tar_members",
    "station.system": "station.disk station.errors",
    "station.releases": "station.bundle station.errors station.system",
    "station.tvoff": "station.disk station.errors station.system",
    "station.install": "station.bundle station.config station.delivery station.disk station.errors station.hotspot "
    "station.programme station.releases station.system station.tags station.tvoff station.update",
    "station.update": "station.bundle station.config station.delivery station.errors station.folders "
    "station.halves station.journal station.releases station.signing station.system",
    "station.hotspot": "station.disk station.errors station.system",
    "station.sticks": "station.errors station.state_check",
    "station.backup": "station station.archives station.chain station.checkpoint station.disk station.errors station.folders "
    "station.journal station.tar_members station.untrusted",
    "station.restore": "station.audit station.backup station.disk station.errors station.folders station.halves station.journal "
    "station.system",
    "station.tar_members": "station.errors",
    "station.archives": "station.disk station.errors station.tar_members",
    "station.testing": "station.errors",
    "station.drill": "",
    "station.drill.memory_disk": "station.disk",
    "station.drill.plain": "",
    "station.drill.course": "station.errors",
    "station.drill.evening": "station.access station.cards station.checkpoint station.clock station.disk "
    "station.drill.memory_disk station.errors station.folders station.hall station.journal station.nights station.parlour.game "
    "station.parlour.plan station.programme station.rules.loto_first station.session station.table",
    "station.drill.crash": "station.drill.course station.drill.evening station.drill.memory_disk station.errors station.hall "
    "station.nights",
    "station.drill.cut": "station.chain station.checkpoint station.disk station.drill.course station.drill.evening "
    "station.drill.memory_disk station.errors station.hall station.journal",
    "station.drill.fail": "station.drill.course station.drill.evening station.drill.memory_disk station.errors station.session",
    "station.drill.damage": "station.audit station.drill.course station.drill.evening station.errors station.journal",
    "station.drill.answers": "drivers.frames drivers.pn532_frames station.drill.course",
    "station.drill.frames": "drivers.frames station.drill.course",
    "station.drill.boxes": "drivers.buzzer_frames station.drill.course",
    "station.drill.keys": "drivers.frames drivers.wedge station.drill.course",
    "station.drill.hall_rig": "station.cards station.drill.beside station.drill.course station.drill.evening station.drill.plain "
    "station.programme station.session station.table",
    "station.drill.machine": "station.drill.beside_machine station.drill.hall_rig station.drill.plain station.session",
    "station.drill.year": "station.drill.course station.drill.hall_rig station.drill.plain station.session",
    "station.drill.courses": "station.drill.answers station.drill.boxes station.drill.course station.drill.crash "
    "station.drill.cut station.drill.damage station.drill.devices station.drill.fail station.drill.frames station.drill.keys "
    "station.drill.live_devices station.drill.machine station.drill.real station.drill.settle_kill station.drill.straits "
    "station.drill.table_machine station.drill.web_flood station.drill.year",
    "station.drill.tally": "station station.disk station.drill.course station.errors station.launch",
    "station.drill.report": "station.drill.course station.drill.tally",
    "station.odds.picture": "station.odds.words",
    "station.rehearsal.cores": "station station.errors station.rehearsal.night",
    "station.rehearsal.plot": "station.errors station.rehearsal.cores station.rehearsal.night station.rehearsal.outlook "
    "station.table",
    "station.prints.paper": "station.errors station.typed station.wiring.pen",
    "station.prints.card_layouts": "station.errors station.prints.paper station.table",
    "station.prints.card_pieces": "station.prints.card_layouts station.prints.paper station.table",
    "station.prints.card_pictures": "station.prints.card_layouts station.prints.paper station.table station.themes",
    "station.prints.cardprint": "station.cards station.errors station.packs.card_arrays station.prints.card_layouts "
    "station.prints.card_pictures station.prints.card_pieces station.prints.paper station.table station.untrusted",
    "station.prints.score_sheet": "station.prints.paper station.table station.wording",
    "station.prints.printing": "station.errors station.prints.paper station.table station.wiring.pen station.wiring.shopping "
    "station.wording",
    "station.prints.sheet_paper": "station.errors station.prints.paper station.reports.sheets station.table station.typed "
    "station.views",
    "station.prints.programme_paper": "station.prints.sheet_paper station.programme station.programme_sheet "
    "station.rules.patterns station.views station.wording",
    "station.reports.report": "station.cards station.chain station.programme station.programme_sheet station.reports.record "
    "station.register station.reports.report_events station.reports.report_money station.reports.report_table "
    "station.rules.loto_first station.rules.patterns station.reports.sheets station.reports.sleepers station.views "
    "station.wording",
    "station.reports.report_source": "station.audit station.cards station.chain station.errors station.journal station.opening "
    "station.register station.reports.copies station.reports.record station.reports.report",
    "station.prints.report_paper": "station.reports.record station.reports.report station.prints.sheet_paper station.table "
    "station.views",
    "station.reports.receipts": "station.errors station.prints.paper station.prints.sheet_paper station.reports.record "
    "station.reports.report station.table station.views",
    "station.themes.lamps": "station.table station.themes",
    "station.themes.pictures": "station.table station.themes",
    "station.wiring": "",
    "station.wiring.pen": "station.typed",
    "station.wiring.pins": "station.parlour.buzzing station.errors station.readers station.wiring.pen",
    "station.wiring.parts": "station.wiring.pen station.wiring.pins",
    "station.wiring.power": "drivers.geometry station.untrusted station.wiring.pins",
    "station.wiring.controls": "station.wiring.parts station.wiring.pen station.wiring.pins",
    "station.wiring.reading": "station.wiring.parts station.wiring.pen station.wiring.pins",
    "station.wiring.board": "drivers.geometry station.wiring.parts station.wiring.pen station.wiring.pins station.wiring.power",
    "station.wiring.cutting": "drivers.geometry station.errors station.prints.paper station.untrusted station.wiring.parts "
    "station.wiring.pen",
    "station.wiring.buzzers": "station.parlour.buzzing station.wiring.parts station.wiring.pen station.wiring.pins",
    "station.wiring.overview": "station.wiring.board station.wiring.buzzers station.wiring.controls station.wiring.parts "
    "station.wiring.pen station.wiring.pins station.wiring.power station.wiring.reading",
    "station.wiring.shopping": "station.parlour.buzzing station.wiring.board station.wiring.buzzers station.wiring.pins "
    "station.wiring.power station.untrusted",
    "station.__main__": "station.cli",
}
SCREENS = {"station.boardview", "station.errors", "station.typed", "station.untrusted", "station.wire", "station.wording"}
# A command may use all there is: it is what puts the rooms together.
COMMANDS = {"station.cli", *(name for name in CODE if name.startswith("station.commands."))}

# Libraries that belong to one room.
LIBRARIES = {
    "cryptography": ("station.checkpoint", "station.drill.evening", "station.signing"),
    "fastapi": ("station.web",),
    "gpiozero": ("drivers",),
    "hypothesis": ("station.drill.beside_machine", "station.drill.machine", "station.drill.table_machine"),
    "luma": ("drivers",),
    "msgspec": ("station.chain",),
    "pygame": ("station.screen", "drivers.voice_worker", "drivers.voiceoutputs"),
    "pyttsx3": ("drivers",),
    "reportlab": ("station.prints.paper",),
    "serial": ("drivers",),
    "starlette": ("station.web",),
    "typer": ("station.cli", "station.commands", "station.testing"),
    "uvicorn": ("station.web",),
}


def ours(names: set[str]) -> set[str]:
    return {name for name in names if name.partition(".")[0] in ("station", "drivers", "hw", "setup", "tests")}


def in_room(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


@pytest.mark.parametrize("module", PURE)
def test_the_pure_centre_imports_only_this(module):
    """Each of its modules imports what its line says, no more; a line that says too much is wrong, too."""
    assert IMPORTS[module] == set(PURE[module].split())


def test_the_pure_centre_has_no_clock_and_no_luck():
    """No line above lets in time, luck, threads, processes, the network or the system."""
    impure = {
        "time",
        "datetime",
        "os",
        "sys",
        "threading",
        "asyncio",
        "socket",
        "subprocess",
        "multiprocessing",
        "select",
        "signal",
    }
    for module, line in PURE.items():
        used = {name.partition(".")[0] for name in line.split()}
        assert not used & impure, module
        assert module in MAY_HAVE_LUCK or not used & {"random", "secrets"}, module
        assert used & {"station"} <= {"station"}
        assert used - STANDARD <= {"station", "numpy", "pydantic"}, module
        assert ours(set(line.split())) <= CENTRE, f"{module} reaches out of the pure centre"


@pytest.mark.parametrize("module", sorted(CODE.keys() - PURE.keys() - COMMANDS))
def test_a_room_imports_only_what_it_may(module):
    """Drivers import drivers; screen and web the wire, the board view and words; every other module what its line says."""
    inside = ours(IMPORTS[module])
    if in_room(module, "drivers"):
        foreign = {name for name in inside if not in_room(name, "drivers")}
    elif in_room(module, "station.web") or in_room(module, "station.screen"):
        room = ".".join(module.split(".")[:2])
        foreign = {name for name in inside if not in_room(name, room)} - SCREENS
    else:
        assert module in SHELL, f"{module} is new: say here what it may import"
        foreign = inside - set(SHELL[module].split())
    assert not foreign, f"{module} may not import {', '.join(sorted(foreign))}"


def test_every_line_is_of_a_module_there_is():
    """No line outlives its module."""
    assert PURE.keys() | SHELL.keys() | COMMANDS <= CODE.keys()


def test_nothing_imports_in_a_circle():
    """The modules can be put in an order in which each imports only those before it (a circle raises `CycleError`)."""
    graph = {module: {name for name in names if name in CODE and name != module} for module, names in IMPORTS.items()}
    # A package's own file stands before its modules, or is made of them.
    order = [*TopologicalSorter(graph).static_order()]
    assert (
        order.index("station.errors") < order.index("station.table") < order.index("station.hall") < order.index("station.daemon")
    )
    assert order.index("station.daemon") < order.index("station.cli")


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_stays_in_its_room(library):
    """Devices are the drivers', pygame the screen's and the voice's, typer the command line's, and so on."""
    users = {module for module, names in IMPORTS.items() if any(name.partition(".")[0] == library for name in names)}
    assert users, f"nobody uses {library} any more"
    assert not {user for user in users if not any(in_room(user, room) for room in LIBRARIES[library])}


# Where else TOML and JSON are parsed, and why that is not what somebody else wrote.
PARSES_ITSELF = {
    "station.untrusted": "it is the place",
    "station.chain": "lines of the journal, whose sums are checked; a faster parser, with the same bounds of its own",
    "station.audit": "lines of the journal",
    "station.checkpoint": "a signed file beside the journal, of few bytes",
    "station.install": "what the installation wrote, as root",
    "station.bundle": "this program's own pyproject.toml",
    "station.reports.copies": "a night's copy, whose digest is in its name; pydantic's parser has its own bounds",
    "station.parlour.game": "a move that was read and checked already, once more by the strict rules for JSON",
    "station.drill": "what a drill wrote itself",
    "drivers.picture": "a table of this program's own",
    "drivers.voice_worker": "orders of the station's own process",
    "drivers.voiceoutputs": "the answer of a process of ours",
    "drivers.speech": "the answers of a process of ours",
    "drivers.voicenames": "orders of the station's own process",
    "drivers.voicepack": "drivers import nothing of the station; pydantic's parser has its own bounds, and the file is measured",
    "setup.prepare": "before there is an environment; what cannot be read there is read again, and told, by the station",
    "setup.check_wheels": "what the installer of packages wrote",
}
PARSERS = {("json", "load"), ("json", "loads"), ("tomllib", "load"), ("tomllib", "loads")}


def parses(tree: ast.Module) -> bool:
    """Whether a module reads TOML or JSON by itself, by whatever name it knows the parser."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=library), attr=name) if (library, name) in PARSERS:
                return True
            case ast.Attribute(attr="model_validate_json" | "raw_decode" | "validate_json"):
                return True
            case ast.ImportFrom(module="json" | "tomllib" | "msgspec" | "pickle" | "marshal" | "shelve" | "yaml"):
                return True
            case ast.Import(names=names) if {alias.name for alias in names} & {"msgspec", "pickle", "marshal", "shelve", "yaml"}:
                return True
            case ast.Import(names=names) if any(alias.asname and alias.name in ("json", "tomllib") for alias in names):
                return True
    return False


def test_what_others_wrote_is_parsed_in_one_place():
    """TOML and JSON from outside come in through `station.untrusted`; each other module that parses has its reason above."""
    found = {name for name, path in modules("station", "drivers", "setup").items() if parses(parsed(path))}
    assert {name for name in found if not any(in_room(name, place) for place in PARSES_ITSELF)} == set()


@pytest.mark.parametrize(
    "line",
    [
        "import json\njson.loads('')",
        "import tomllib\ntomllib.load(file)",
        "import json as j",
        "from tomllib import loads",
        "Manifest.model_validate_json(text)",
        "import pickle",
        "read = json.loads",
    ],
)
def test_a_parser_of_one_s_own_would_be_found(line):
    """The check above is one."""
    assert parses(ast.parse(line))
    assert not parses(ast.parse("import json\njson.dumps({})"))


# The one writer of each way out on which what people typed goes: whoever else had one could read markup or formulas in a name.
WRITERS = {
    ("rich.console", "Console"): {"station.terminal"},
    ("rich.text", "*"): {"station.terminal"},
    ("rich.panel", "*"): {"station.terminal"},
    ("rich.prompt", "*"): {"station.terminal"},
    ("rich.markup", "*"): set(),
    ("rich", "print"): set(),
    ("rich.progress", "Progress"): {"station.terminal", "station.commands.install", "station.commands.enrol"},  # as a type
    ("rich.progress", "TextColumn"): {"station.terminal"},
    ("rich.progress", "track"): set(),
    ("csv", "*"): {"station.spreadsheet", "station.packs.pack_files"},  # the latter reads
    ("reportlab.platypus", "*"): set(),
    ("reportlab.pdfgen.canvas", "Canvas"): {"station.prints.paper"},
}


def writers(tree: ast.Module) -> set[tuple[str, str]]:
    """Which of the writers a module names."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = {(str(node.module), alias.name) for alias in node.names} | {(str(node.module), "*")}
            names |= {(f"{node.module}.{alias.name}", "*") for alias in node.names}
            found |= names & WRITERS.keys()
        elif isinstance(node, ast.Import):
            found |= {(alias.name, "*") for alias in node.names} & WRITERS.keys()
            # By its whole name a library could have any of them.
            found |= {key for key in WRITERS for alias in node.names if alias.name.split(".")[0] in ("rich", "reportlab")}
    return found


def test_each_way_out_has_one_writer():
    """Nobody makes a console, a panel, a prompt, a CSV writer or a paragraph of his own."""
    wrong = {(name, *key) for name, path in CODE.items() for key in writers(parsed(path)) if key[1] and name not in WRITERS[key]}
    assert wrong == set()


@pytest.mark.parametrize(
    "line",
    [
        "from rich.console import Console",
        "import rich.console",
        "from rich import print",
        "from rich.text import Text",
        "from rich import markup",
        "import csv",
        "from csv import writer",
        "from reportlab.platypus import Paragraph",
    ],
)
def test_a_writer_of_one_s_own_would_be_found(line):
    """The check above is one."""
    assert writers(ast.parse(line))


def test_nobody_turns_markup_on():
    """No call says markup=True or emoji=True, and nothing is written to a terminal beside the two consoles and typer."""
    found = []
    for name, path in CODE.items():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call):
                on = {keyword.arg for keyword in node.keywords if isinstance(keyword.value, ast.Constant) and keyword.value.value}
                found += [f"{name}:{node.lineno}"] * bool(on & {"markup", "emoji"})
            if isinstance(node, ast.Attribute) and node.attr == "from_markup":
                found.append(f"{name}:{node.lineno}")
    assert found == []


PAGE_FILES = sorted((PROJECT / "station" / "web" / "pages").rglob("*.js")) + sorted(
    (PROJECT / "station" / "web" / "pages").rglob("*.html")
)
READS_HTML = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|createContextualFragment|srcdoc"
    r"|javascript:|setHTML|\son[a-z]+=\"",
)
SETS_TEXT = re.compile(r"textContent\s*=[^=]|innerText|createTextNode|nodeValue|document\.title = (?!shown\()")


@pytest.mark.parametrize("page", PAGE_FILES, ids=lambda path: path.name)
def test_pages_set_text_and_never_html(page):
    """What a page shows it sets as text: no file of the pages has a word that reads HTML or code out of a string.

    One file sets it, with signs for what nobody would see.
    """
    script = page.read_text(encoding="utf-8")
    assert READS_HTML.findall(script) == []
    assert page.name == "line.js" or SETS_TEXT.findall(script) == []


def test_the_command_line_starts_light():
    """`loto --help` loads no device, screen, web or number library's weight: those come with the command that needs them."""
    heavy = ["pygame", "fastapi", "uvicorn", "gpiozero", "serial", "luma", "pyttsx3", "reportlab", "matplotlib", "distributed"]
    code = f"import station.cli, sys; print(*[name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []


def undocumented(body: list[ast.stmt], where: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None:
                yield f"{where}.{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, f"{where}.{node.name}")


@pytest.mark.parametrize("module", CODE)
def test_every_public_thing_is_explained(module):
    """A module's first line says what it is for; each public class, function and method has a docstring."""
    tree = parsed(CODE[module])
    text = ast.get_docstring(tree)
    assert text or module == "hw", f"{module} does not say what it is for"
    assert text.splitlines()[0].strip().endswith((".", ":", "?")), f"{module}: its first line is not a sentence"
    assert [*undocumented(tree.body, module)] == []


@pytest.mark.parametrize("module", [name for name in TESTS if name.rpartition(".")[2].startswith("test_")])
def test_every_test_says_what_must_be_true(module):
    """A docstring in each test, and in the file."""
    tree = parsed(TESTS[module])
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert ast.get_docstring(tree)
    assert [test.name for test in tests if test.name.startswith("test_") and not ast.get_docstring(test)] == []


# The one helper that puts stand-ins for hardware libraries where Python looks for modules.
STANDS_IN = {"tests.drivers.pins"}
# Its loop's time is turned by hand: nothing waits.
OWN_TIME = {"tests.support", "tests.drill.test_world", "tests.test_faults", "tests.test_preparing_table"}


@pytest.mark.parametrize("module", TESTS)
def test_tests_neither_sleep_nor_mock(module):
    """Time is injected and waits have a limit; fakes have hands and memory; `sys.modules` is one helper's."""
    found = []
    for node in ast.walk(parsed(TESTS[module])):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr="sleep")):
                found.append("time.sleep")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr="sleep"), args=[ast.Constant(value=0)]):
                pass  # lets others run; waits for nothing
            case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio" | "trio" | "anyio"), attr="sleep")):
                found.append("asyncio.sleep")
            case ast.ImportFrom(module="time", names=names) if any(alias.name == "sleep" for alias in names):
                found.append("time.sleep")
            case ast.ImportFrom(module="unittest") | ast.ImportFrom(module="unittest.mock"):
                found.append("unittest.mock")
            case ast.Import(names=names) if any(alias.name.split(".")[0] in ("unittest", "mock") for alias in names):
                found.append("unittest.mock")
            case ast.Name(id="MagicMock" | "Mock" | "AsyncMock"):
                found.append("a mock")
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"), ctx=ast.Store() | ast.Del()):
                found.append("sys.modules")
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="sys"), attr="modules"), attr=name)):
                found += ["sys.modules"] * (name in ("update", "pop", "setdefault", "clear"))
            case ast.Call(func=ast.Attribute(attr="setitem" | "delitem"), args=[ast.Attribute(attr="modules"), *_]):
                found.append("sys.modules")
    allowed = {what for what, where in (("sys.modules", STANDS_IN), ("asyncio.sleep", OWN_TIME)) if module in where}
    assert [what for what in found if what not in allowed] == []


TEXTS = [path for path in bundle.project_files(PROJECT) if path.suffix not in (".png", ".ogg", ".whl", ".ttf", ".lock", ".npz")]


def test_no_file_knows_the_machine_it_was_written_on():
    """No folder of a person or of a workshop, and nothing outside the project."""
    # Put together here, so that this file does not hold them.
    foreign = re.compile("|".join((r"(?<![\w.-])/wor" + "k/", r"\.\./" + "shared", "bash" + "_jobs", r"(?<![\w`/])/ro" + "ot/")))
    found = []
    for path in TEXTS:
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if foreign.search(line):
                found.append(f"{path.relative_to(PROJECT)}:{number}: {line.strip()[:80]}")
    assert found == []


def test_the_version_is_one():
    """What is built and what the program says of itself are one version."""
    with (PROJECT / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["version"] == __version__


# -- the command line --------------------------------------------------------------------------------------------------

ROOT = typer.main.get_command(app)


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group below one, by the words that call it."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from commands(inner, (*path, name))


COMMAND_LIST = [*commands(ROOT)]


def parse_line(line: str) -> None:
    """Parses a command line as `loto` would, running nothing. Raises the library's own error for a wrong one."""
    words = shlex.split(line, comments=True)
    assert words[0] in ("loto", "./loto")
    command, context, rest = ROOT, None, words[1:]
    while True:
        context = command.make_context(words[0], list(rest), parent=context)
        if not hasattr(command, "resolve_command"):
            return
        rest = [*getattr(context, "_protected_args", ()), *context.args]
        if not rest and command.invoke_without_command:
            return
        _, command, rest = command.resolve_command(context, rest)


def examples(text: str) -> list[str]:
    """The command lines of a help text, without the remark that stands behind two spaces."""
    return [re.split(r" {2,}", line.strip().removeprefix("Example: "))[0] for line in text.splitlines() if "Example: " in line]


@pytest.mark.parametrize(("path", "command"), COMMAND_LIST, ids=[" ".join(path) or "loto" for path, _ in COMMAND_LIST])
def test_every_command_is_explained_by_an_example(path, command):
    """A help text, in it an example of this very command, and the example can be typed."""
    assert command.help, f"loto {' '.join(path)} has no help"
    if not hasattr(command, "commands"):
        shown = examples(command.help)
        assert shown, f"loto {' '.join(path)}: its help has no example"
        for line in shown:
            assert line.startswith(" ".join(("loto", *path))), line
            parse_line(line)


def readme_lines() -> list[str]:
    """The command lines of the README's `sh` blocks."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    parts = [part.strip().removeprefix("sudo ") for line in lines for part in line.split("&&")]
    return [part for part in parts if part.startswith("./loto")]


def test_the_readme_begins_with_two_commands():
    """Run and test are shown, first of all."""
    assert readme_lines()[:2] == ["./loto run", "./loto test"]


@pytest.mark.parametrize("line", readme_lines())
def test_every_command_of_the_readme_can_be_typed(line):
    """The command exists and takes these words."""
    parse_line(line)


def document_lines() -> list[tuple[str, str]]:
    """The command lines in the documents' code blocks, each with its document; a remark stands behind two spaces."""
    found = []
    for path in sorted((PROJECT / "docs").glob("*.md")):
        for block in re.findall(r"^ *```[a-z]*\n(.*?)^ *```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            lines = [line.strip().removeprefix("$ ").removeprefix("sudo ") for line in block.splitlines()]
            found += [(path.name, re.split(r" {2,}", line)[0]) for line in lines if line.startswith(("loto ", "./loto "))]
    return found


@pytest.mark.parametrize("document", sorted({name for name, _ in document_lines()}))
def test_every_command_of_the_documents_can_be_typed(document):
    """As for the README: the commands exist and take these words."""
    for name, line in document_lines():
        if name == document:
            parse_line(line)


@pytest.mark.parametrize("line", ["loto fly", "loto run --wings", "loto pack fly", "loto do", "loto run --games 0"])
def test_a_wrong_line_would_be_found(line):
    """The check above is one: unknown commands, options and missing words do not pass it."""
    with pytest.raises(Exception, match=r"(?i)no such|missing|range|greater than"):
        parse_line(line)


def test_every_word_of_the_programs_texts_that_names_a_command_is_one():
    """`./loto …` in any sentence of the program, in the documents too, is a command that there is."""
    known = {path for path, _ in COMMAND_LIST} | {("--help",), ("--version",)}
    wrong = []
    for path in TEXTS:
        if path.suffix in (".py", ".md", ".toml", ".html", ".js", ".service") and "tests" not in path.parts:
            for words in re.findall(r"\./loto ((?:[a-z-]+ ?){1,2})", path.read_text(encoding="utf-8")):
                first, *second = words.split()
                group = any(known_path[:1] == (first,) and len(known_path) == 2 for known_path in known)
                inner = bool(second) and not second[0].startswith("-")  # an option of the group's own is no command
                if (first,) not in known or (group and inner and (first, second[0]) not in known):
                    wrong.append(f"{path.relative_to(PROJECT)}: ./loto {words}")
    assert wrong == []
