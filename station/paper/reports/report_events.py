"""List what happened in a night besides its games: census, self-test, approvals, lots. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from station.night.acts import Census, parse_act
from station.night.readiness import census_faults
from station.paper.reports.record import NightRecord, moment
from station.paper.reports.sheets import Table, table


def events(record: NightRecord) -> Table:
    """Return every census and test, every fault, and all other acts but those of play, in order."""
    rows = []
    for stamp, do, _ in record.acts:
        if found := _event(do):
            rows.append((moment(stamp), *found, stamp.by, stamp.seq))
    title = "Census, self-test, faults and what else happened"
    columns = "at:at | about:about | what:what | by:by | #line:line"
    return table("events", title, columns, rows, "" if rows else "Nothing besides the games.")


def _event(do: Mapping[str, object]) -> tuple[str, str] | None:
    match do["act"]:
        case "note":
            return str(do["about"]), str(do["what"])
        case "census":
            act = parse_act(do)
            faults = census_faults(act) if isinstance(act, Census) else ()
            return "census", "; ".join(map(str, faults)) or "ninety of ninety"
        case "self-test":
            parts = do["parts"] if isinstance(do["parts"], list) else []
            failed = ", ".join(str(part["what"]) for part in parts if part["result"] == "fault")
            return "self-test", f"a fault in {failed}" if failed else f"passed, {len(parts)} parts"
        case "waive":
            return "waived", f"{do.get('about', 'census')}: {do['who']}: {do['why']}"
        case "break":
            return "broken off", str(do["why"])
        case "approve":
            payment = do.get("about", "pay") == "pay"
            about = f"payment to card {do['serial']}" if payment else "a correction after a payment"
            return "approved", f"{about}, by {do['who']}"
        case "lots":
            knobs = do["knobs"] if isinstance(do["knobs"], list) else []
            drawn = ", ".join(f"card {serial} drew {knob}" for serial, knob in knobs)
            return "lots", f"{do['stage']}: {drawn}"
    return None
