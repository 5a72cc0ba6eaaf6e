// Keeps the screen on while somebody works with a page. A browser lets a page ask for that over TLS and on the station itself; where it
// does not, the page says once what to set on the device.

import { make } from "./line.js";

const SEEN = "awake-seen";

let isWanted = false;
let isAsked = false;
let lock = null;

const canKeep = () => "wakeLock" in navigator;

/** Asks for it, unless the browser has granted it already. It takes it back whenever the page is out of sight. */
async function ask() {
  if (!isWanted || isAsked || lock || document.hidden) return;
  isAsked = true;
  try {
    const granted = await navigator.wakeLock.request("screen");
    granted.addEventListener("release", () => {
      if (lock === granted) lock = null;
    });
    lock = granted;
    if (!isWanted) letSleep();
  } catch {
    // The battery is low, or the browser wants a press first: asked again then.
  } finally {
    isAsked = false;
  }
}

if (canKeep()) {
  document.addEventListener("visibilitychange", ask);
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, ask, { capture: true, passive: true });
}

/** Keeps the screen on from now on; or shows in `place` what to set, with `words`, until somebody has seen that on this device. */
export function keepAwake(place, words) {
  isWanted = true;
  if (canKeep()) ask();
  else advise(place, words);
}

/** The screen may go dark again. */
export function letSleep() {
  isWanted = false;
  lock?.release();
  lock = null;
}

function advise(place, words) {
  if (!words.awake || wasSeen() || document.getElementById("awake")) return;
  const button = make("button", { type: "button", "data-testid": "awake-seen", "data-at-once": "" }, words["awake-seen"]);
  const note = make("p", { id: "awake", class: "awake", "data-testid": "awake" }, words.awake, " ", button);
  button.addEventListener("click", () => {
    note.remove();
    try {
      localStorage.setItem(SEEN, "true");
    } catch {
      // A browser that keeps nothing shows it again.
    }
  });
  place.prepend(note);
}

function wasSeen() {
  try {
    return localStorage.getItem(SEEN) === "true";
  } catch {
    return false;
  }
}
