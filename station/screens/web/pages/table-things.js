// What lies on the table, on the host's page: pictures as everywhere, and sums with what they are worth.

import { fill, make } from "./line.js";
import { pieces } from "./pieces.js";
import { cardName, drawLine, drawThing, isSeen, markName } from "./things.js";

const BLANK = "blank"; // as rules say that no cube shows its mark

/** A sum of counters, counted out in a page's words. */
export function counters(count, words) {
  return [[Math.floor(count / 100), "contract"], [Math.floor((count % 100) / 10), "fish"], [count % 10, "counter"]]
    .filter(([many]) => many)
    .map(([many, kind]) => fill(words[many === 1 ? `${kind}-1` : `${kind}-n`], { count: many }))
    .join(", ") || words["no-counters"];
}

/** Whether a pile is one of counters: money has no pieces. */
const counted = ({ contracts, fish, singles }) => contracts + fish + singles > 0;

/** The number that was drawn last, of what lies in the middle. */
export const newestOf = (zones) => zones.filter(({ seat }) => !seat).flatMap(({ things }) => things).find(({ newest }) => newest)?.number ?? null;

export class Things {
  #words;
  #worth;
  theme = null; // of Picture Loto
  newest = null; // number that was drawn

  /** The hall's `words`; `worth` writes what so many of the game's units are worth, in money; empty where nothing. */
  constructor(words, worth) {
    [this.#words, this.#worth] = [words, worth];
  }

  /** Looks which number was drawn last, and what theme there is. */
  look(zones, theme) {
    this.theme = theme;
    this.newest = newestOf(zones);
  }

  /** One thing. */
  draw(thing) {
    if (isSeen(thing)) return drawThing(thing, { words: this.#words, theme: this.theme, newest: this.newest });
    if (thing.kind === "pile") return make("span", { class: thing.units < 0 ? "sum owed" : "sum" }, ...this.pile(thing));
    const { kind, text, mood, marked, label } = thing;
    if (kind === "caption") return make("p", { class: ["caption", mood].filter(Boolean).join(" ") }, text);
    const line = drawLine(thing, label || this.#words.points, this.#words);
    return make("span", { class: marked ? "score marked" : "score" }, ...line.childNodes);
  }

  /** A playing card by its face, and what it is called. */
  playingCard(face) {
    return this.draw({ kind: "playing-card", face });
  }

  /** A cube that shows its mark, or none of it. */
  cube(mark) {
    return this.draw({ kind: "cube", mark: mark === BLANK ? "" : mark });
  }

  markName(mark) {
    return markName(mark === BLANK ? "" : mark, this.#words);
  }

  cardName(face) {
    return cardName(face, this.#words);
  }

  /** A pile as it lies there, and what its counters are worth. */
  pile(pile) {
    const worth = counted(pile) ? this.#worth(Math.abs(pile.units)) : "";
    return [pieces(pile, this.#words.owed), ...(worth ? [` (${worth})`] : [])];
  }

  /** A pile in words. */
  said(pile) {
    const worth = counted(pile) ? this.#worth(Math.abs(pile.units)) : "";
    const text = worth ? `${pile.text} (${worth})` : pile.text;
    return pile.units < 0 ? `${this.#words.owed}: ${text}` : text;
  }

  /** A zone: what stands beside it, and its things. */
  zone({ key, label, things }) {
    return make("div", { class: "zone", "data-zone": key, "data-key": `zone-${key}` },
      ...(label ? [make("p", { class: "zone-label" }, label)] : []), ...things.map((thing) => this.draw(thing)));
  }
}
