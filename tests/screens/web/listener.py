"""Hears what a screen reader is told: what changes within the live regions of Chromium's
accessibility tree.

It goes by what assistive technology goes by: https://www.w3.org/TR/wai-aria-1.2/#attrs_liveregions.
A text that was there before is told again only where it is a new node of the tree, or a changed
one. A polite region that comes into the tree together with its text tells nothing, for nobody
listened to it; an alert does. An atomic region is told whole.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from tests.screens.web.fakes import LIMIT_S


@dataclass
class Region:
    """A live region as it is now: whether it is an alert, whether it is told whole, and its texts
    by the node that each stands in."""

    alert: bool
    atomic: bool
    texts: dict[int, str] = field(default_factory=dict)


class Listener:
    """Listens to a page from now on."""

    def __init__(self, page: Page) -> None:
        self._line = page.context.new_cdp_session(page)
        self._line.send("Accessibility.enable")
        self._before, _ = self._regions()

    def told(self) -> list[str]:
        """What was told since the last time, in the order of the page."""
        now, asked = self._regions()
        before = self._before
        # Behind an open dialog the page is out of the tree; it is there again as it was.
        self._before = {**before, **now} if asked else now
        told = []
        for key, region in now.items():
            known = before[key].texts if key in before else {}
            if key not in before and not region.alert:
                continue
            new = [text for node, text in region.texts.items() if known.get(node) != text]
            if new:
                told.append(" ".join(region.texts.values() if region.atomic else new))
        return told

    def until(self, last: str) -> list[str]:
        """All that is told until this was told; what was told by then, where it is not."""
        limit = time.monotonic() + LIMIT_S
        all_told: list[str] = []
        while last not in all_told and time.monotonic() < limit:
            all_told += self.told()
        return all_told

    def _regions(self) -> tuple[dict[int, Region], bool]:
        """The live regions by the node of each, and whether a dialog is open over the page."""
        nodes = self._line.send("Accessibility.getFullAXTree")["nodes"]
        tree = {node["nodeId"]: node for node in nodes}
        regions: dict[int, Region] = {}

        def walk(node: dict[str, Any], region: Region | None) -> None:
            said = properties(node)
            if region is None and said.get("live") in ("polite", "assertive"):
                region = Region(said["live"] == "assertive", bool(said.get("atomic")))
                regions[node["backendDOMNodeId"]] = region
            if region is not None and node["role"]["value"] == "StaticText":
                region.texts[node["backendDOMNodeId"]] = node["name"]["value"]
            for child in node.get("childIds", ()):
                if child in tree:
                    walk(tree[child], region)

        walk(nodes[0], None)
        return regions, any(properties(node).get("modal") for node in nodes)


def properties(node: dict[str, Any]) -> dict[str, Any]:
    """What is known of a node of the tree, by name."""
    return {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
