// Keys of a presenter, taught on the page and kept by the browser: what draws, what says the number again, what stops.

import { choose } from "./caller-asking.js";
import { openDialog } from "./keys.js";
import { fill, setText } from "./line.js";
import { keep, kept } from "./page.js";

const KEPT = "caller-keys";
// What may be taught, in the order of the words: each acts as this key of the page. None of them ends or switches anything.
const ACTS = [" ", "R", "S"];
// Keys that have a use of their own, on this page or in fields and dialogs.
const OWN = /^([\p{L}0-9 +=-]|Enter|Tab|Shift|Control|Alt|AltGraph|Meta|CapsLock|Backspace|Delete|Dead|Unidentified|Process)$/u;

/** A key as people read it: "Page Down". */
const called = (key) => key.replace(/([a-z])([A-Z])/g, "$1 $2");

function remembered() {
  try {
    const keys = JSON.parse(kept(KEPT) ?? "{}");
    return new Map(Object.entries(keys).filter(([key, act]) => !OWN.test(key) && ACTS.includes(act)));
  } catch {
    return new Map();
  }
}

export class Taught {
  #keys = remembered();
  #heard = null; // who waits for a key to be taught
  #tools;

  /** `press(key)` does what a key of the page does. */
  constructor({ words, tell, press }) {
    this.#tools = { words, tell, press };
  }

  /** Takes a key before all others: one that is being taught, or one that was. Gives whether it did. */
  takes({ key, repeat, target }) {
    if (this.#heard) return this.#hears(key);
    if (!this.#keys.has(key) || key.length === 1) return false;
    if (key === "Escape" && (openDialog() || target.matches?.("input"))) return false; // leaves it
    if (!openDialog() && !repeat) this.does(key);
    return true; // also where it does nothing: F5 must not load the page anew
  }

  /** Does what a key was taught. Gives whether it was taught anything. */
  does(key) {
    const act = this.#keys.get(key);
    if (act) this.#tools.press(act);
    return Boolean(act);
  }

  #hears(key) {
    const { words } = this.#tools;
    if (key === "Enter" || key === "Tab" || key === "Shift") return false; // of the dialog's own button
    const text = document.querySelector("dialog[open] p:last-of-type");
    if (OWN.test(key)) setText(text, fill(words["teach-own"], { key: called(key) }));
    else this.#heard(key);
    return true;
  }

  /** Asks what a key shall do, and which. */
  async teach() {
    const { words, tell } = this.#tools;
    const told = [...this.#keys].map(([key, act]) => fill(words["did-teach"], { key: called(key), what: words["teach-acts"][ACTS.indexOf(act)] }));
    const what = await choose({ title: words["teach-title"], lines: told, choices: words["teach-acts"], leave: words.leave });
    if (what === null) return tell(words["sure-left"]);
    const act = ACTS[words["teach-acts"].indexOf(what)];
    if (!act) return this.#keep(new Map(), words["did-forget"]);
    const pressed = new Promise((resolve) => (this.#heard = resolve));
    const left = choose({ title: words["teach-press"], lines: [what, words["teach-line"]], leave: words.leave });
    const key = await Promise.race([pressed, left]);
    this.#heard = null;
    openDialog()?.dispatchEvent(new Event("cancel", { cancelable: true }));
    if (!key) return tell(words["sure-left"]);
    return this.#keep(new Map([...this.#keys, [key, act]]), fill(words["did-teach"], { key: called(key), what }));
  }

  #keep(keys, said) {
    this.#keys = keys;
    keep(KEPT, JSON.stringify(Object.fromEntries(keys)));
    this.#tools.tell(said);
  }
}
