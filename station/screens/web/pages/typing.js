// Keys as people and scanners press them: what is a scan, what is one key, what needs a second press. Pure: each key brings its time.

// A scanner types a code in milliseconds a key. Within this gap keys belong together, and four together are a scan.
export const GAP_MS = 30;
const LEAST_OF_A_SCAN = 4;
// Once it is a scan, a key that stutters still belongs to it; a person's hand has not come back by then.
const SCAN_GAP_MS = 200;
// A key waits this long for the next one; people do not feel it.
export const HELD_MS = GAP_MS + 5;
// A scanner that sends two line ends, or a late one, presses nothing by it.
const END_MS = 200;

// A second press is one that a person makes: not a bouncing key, and not a press long after the question.
const SOONEST_MS = 150;
const LATEST_MS = 6000;

/** The keys of the caller's page that end or switch something: each needs a second press. */
export const TWICE = new Set("ADGIJMNOPQTXY");

// Where a key would have gone without this model.
export const PAGE = "page"; // nowhere
export const FIELD = "field"; // into a text field
export const CONTROL = "control"; // to a button, a link or a list, which take Enter and blanks

const ENDS = new Set(["Enter", "Tab"]);
const SILENT = new Set(["Shift", "CapsLock", "AltGraph", "NumLock", "Control", "Alt", "Meta"]);
// A dead key writes nothing of its own: then the place of the key says which character a scanner meant.
const PLACES = { Minus: "-", Equal: "=", Quote: "'", Backquote: "`", BracketLeft: "[", BracketRight: "]", Semicolon: ";", Slash: "/" };
const byPlace = (code = "") => /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1] ?? PLACES[code] ?? "";

const isDigits = (text) => /^[0-9]+$/.test(text);

/** The character that a key writes; empty where it writes none. */
const written = ({ key, code }) => (key === "Dead" ? byPlace(code) : key.length === 1 ? key : "");

/**
 * The model. `feed` takes a key and gives `{mine, found}`: whether the browser must not see it, and what it came to. `tick` gives
 * what has come to an end by now, and `due` when to ask.
 *
 * Found are `{is: "key", key, at}`, one key that went nowhere; `{is: "digits", text}`, one digit or a few that did; `{is: "burst"}`, a
 * scan has begun, and what it wrote into a field is to be taken out; `{is: "scan", text}`, it is over; `{is: "several", keys}`, keys
 * that were pressed at once and mean nothing; `{is: "typed"}`, a person has written into a field.
 */
export class Typing {
  #keys = "";
  #last = 0;
  #held = ""; // those of them that have gone into no field
  #ended = -Infinity; // when the last scan was over

  get #isScan() {
    return this.#keys.length >= LEAST_OF_A_SCAN;
  }

  /** When these keys are over, if no other comes; null where there are none. */
  get due() {
    return this.#keys ? this.#last + (this.#isScan ? SCAN_GAP_MS : GAP_MS) + HELD_MS - GAP_MS : null;
  }

  /** Whether keys are waited for. */
  get waits() {
    return this.#keys !== "";
  }

  tick(at) {
    if (!this.#keys || at - this.#last <= (this.#isScan ? SCAN_GAP_MS : GAP_MS)) return [];
    return this.#over(at);
  }

  feed({ key, code = "", at, repeat = false, place = PAGE }) {
    if (SILENT.has(key)) return { mine: false, found: [] };
    const found = this.tick(at);
    const result = (mine, ...more) => ({ mine, found: [...found, ...more] });
    if (ENDS.has(key)) {
      const behind = at - this.#ended < END_MS;
      if (!this.#keys) return result(behind || (repeat && key === "Enter"));
      if (this.#isScan) return result(true, ...this.#over(at));
      const typed = this.#held === this.#keys && isDigits(this.#keys);
      const more = this.#over(at);
      // The digits have just gone into a field of the page: so does the key that ends them.
      return typed && key === "Enter" && place !== FIELD ? result(true, ...more, { is: "key", key, at }) : result(false, ...more);
    }
    const text = written({ key, code });
    if (!text) return result(false, ...this.#over(at));
    if (repeat) {
      const held = place !== FIELD && !(place === CONTROL && text === " ");
      return result(held || this.#isScan, ...(held ? [{ is: "key", key, repeat, at }] : []));
    }
    if (!this.#keys && text === " " && place === CONTROL) return result(false);
    if (!this.#keys) this.#held = "";
    this.#keys += text;
    this.#last = at;
    if (place !== FIELD) this.#held += text;
    return result(place !== FIELD || this.#isScan, ...(this.#keys.length === LEAST_OF_A_SCAN ? [{ is: "burst" }] : []));
  }

  #over(at) {
    const [text, isScan, held, last] = [this.#keys, this.#isScan, this.#held, this.#last];
    this.#keys = "";
    if (!text) return [];
    if (isScan) {
      this.#ended = at;
      return [{ is: "scan", text }];
    }
    if (!held) return [{ is: "typed" }];
    if (held !== text) return [{ is: "typed" }, { is: "several", keys: held }]; // the focus moved between them
    if (isDigits(text)) return [{ is: "digits", text }];
    return [text.length === 1 ? { is: "key", key: text, at: last } : { is: "several", keys: text }];
  }
}

/** What is asked for a second time before it is done. */
export class Again {
  #what = "";
  #since = 0;

  /** Whether this is the second press of the same; the first asks. */
  press(what, at) {
    const waited = at - this.#since;
    const second = what === this.#what && waited >= SOONEST_MS && waited <= LATEST_MS;
    [this.#what, this.#since] = second ? ["", 0] : [what, at];
    return second;
  }

  /** Something else was pressed. */
  forget() {
    this.#what = "";
  }
}

/** What a text in the field for a number is: nothing yet, one of 1 to 90, a card, or neither. */
export function keyed(text) {
  const trimmed = text.trim();
  if (!trimmed) return "";
  if (/^[0-9]{1,2}$/.test(trimmed)) return Number(trimmed) >= 1 && Number(trimmed) <= 90 ? "number" : "other";
  return trimmed.length > 2 && /[0-9]/.test(trimmed) ? "card" : "other";
}
