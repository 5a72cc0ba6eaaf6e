"""Hears what a page plays: which clips its audio clock was given, when, and how long each is.

Works on any page that plays fetched clips through Web Audio; the page knows nothing of it. Use
`put_in(page)` before the page is opened, `heard(page)` afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

# Follows the bytes of a clip from its address to the audio clock: answer → buffer → decoded buffer
# → start().
_SCRIPT = """
(() => {
  const address = new WeakMap();
  const ear = { starts: [] };
  Object.defineProperty(window, "__ear", { value: ear });
  const read = Response.prototype.arrayBuffer;
  Response.prototype.arrayBuffer = async function () {
    const bytes = await read.call(this);
    address.set(bytes, this.url);
    return bytes;
  };
  const decode = BaseAudioContext.prototype.decodeAudioData;
  BaseAudioContext.prototype.decodeAudioData = async function (bytes, ...rest) {
    const url = address.get(bytes);
    const buffer = await decode.call(this, bytes, ...rest);
    address.set(buffer, url);
    return buffer;
  };
  const Gain = window.GainNode;
  window.GainNode = class extends Gain {
    constructor(...given) {
      super(...given);
      ear.volume = this;
    }
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
    const { buffer, context } = this;
    const now = context.currentTime;
    ear.starts.push({ url: address.get(buffer), when, length: buffer.duration, now });
    return start.call(this, when, ...rest);
  };
})();
"""


@dataclass(frozen=True, slots=True)
class Played:
    """One clip: its name, when the audio clock was to start it, its length; in seconds."""

    clip: str
    when: float
    length: float


def put_in(page: Page) -> None:
    """Puts the ear into the page; before it is opened."""
    page.add_init_script(_SCRIPT)


def heard(page: Page) -> list[Played]:
    """What has been given to the audio clock, in order."""
    starts = page.evaluate("() => window.__ear.starts")
    name = [start["url"].rpartition("/")[2].rpartition(".")[0] for start in starts]
    return [
        Played(clip, start["when"], start["length"])
        for clip, start in zip(name, starts, strict=True)
    ]


def volume(page: Page) -> float:
    """How loud all is that the page plays: 0.0 is silence."""
    return float(page.evaluate("() => window.__ear.volume.gain.value"))
