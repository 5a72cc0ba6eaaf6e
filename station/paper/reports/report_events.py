"""List what happened in a night besides its games: census, self-test, approvals, lots. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from station.base.tongue import Tongue, key, tr
from station.night.acts import Census, parse_act
from station.night.readiness import census_faults
from station.paper.reports.record import NightRecord, moment
from station.paper.reports.sheets import Table, table
from station.wire.wording.refusals import load_refusals

WAIVED = {"census": key("census"), "faults": key("faults"), "words": key("the hall's words")}


def events(record: NightRecord) -> Table:
    """Return every census and test, every fault, and all other acts but those of play, in order."""
    rows = []
    for stamp, do, _ in record.acts:
        if found := _event(do):
            rows.append((moment(stamp), *found, stamp.by, stamp.seq))
    title = tr("Census, self-test, faults and what else happened")
    columns = "at:at | about:about | what:what | by:by | #line:line"
    return table("events", title, columns, rows, "" if rows else tr("Nothing besides the games."))


def _event(do: Mapping[str, object]) -> tuple[str, str] | None:
    match do["act"]:
        case "note":
            return str(do["about"]), str(do["what"])
        case "census":
            act = parse_act(do)
            faults = census_faults(act) if isinstance(act, Census) else ()
            told = "; ".join(fault.told(load_refusals(Tongue.code)) for fault in faults)
            return tr("census"), told or tr("ninety of ninety")
        case "self-test":
            parts = do["parts"] if isinstance(do["parts"], list) else []
            failed = ", ".join(str(part["what"]) for part in parts if part["result"] == "fault")
            passed = tr("passed, {count} parts", count=len(parts))
            return tr("self-test"), tr("a fault in {parts}", parts=failed) if failed else passed
        case "waive":
            about = WAIVED[str(do.get("about", "census"))]
            return tr("waived"), f"{tr(about)}: {do['who']}: {do['why']}"
        case "mix" | "renew" | "commit":
            return _of_luck(do)
        case "break" | "skip" as act:
            return tr("abandoned" if act == "break" else "skipped"), str(do["why"])
        case "approve":
            payment = do.get("about", "pay") == "pay"
            if payment:
                told = tr("payment to card {serial}, by {who}", serial=do["serial"], who=do["who"])
            else:
                told = tr("a correction after a payment, by {who}", who=do["who"])
            return tr("approved"), told
        case "lots":
            knobs = do["knobs"] if isinstance(do["knobs"], list) else []
            drawn = ", ".join(
                tr("card {serial} drew {knob}", serial=serial, knob=knob) for serial, knob in knobs
            )
            return tr("lots"), f"{do['stage']}: {drawn}"
    return None


def _of_luck(do: Mapping[str, object]) -> tuple[str, str]:
    if do["act"] == "mix":
        return tr("the hall's words"), str(do["words"])
    luck = do.get("luck")
    what, said = (tr("the table"), luck) if isinstance(luck, Mapping) else (tr("the bag"), do)
    return what, tr("the rest was committed to anew, as epoch {epoch}", epoch=said["epoch"])
