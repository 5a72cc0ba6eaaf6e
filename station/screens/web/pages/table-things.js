// Things that lie on a table, each kind drawn once, for all games.

import { face } from "./desk-card.js";
import { fill, make } from "./line.js";
import { pieces } from "./pieces.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RED = "HD";
const PIPS = "⚀⚁⚂⚃⚄⚅";

/** Whether a pile is one of counters: money has no pieces. */
const counted = ({ contracts, fish, singles }) => contracts + fish + singles > 0;

export class Things {
  #words;
  #worth;

  /** `worth` writes what so many of the game's units are worth, in money. */
  constructor(words, worth) {
    [this.#words, this.#worth] = [words, worth];
  }

  /** One thing. Of a number card `last` is the knob that came last. */
  draw(thing, last = null) {
    return {
      knob: () => make("span", { class: thing.newest ? "knob-thing newest" : "knob-thing" }, String(thing.number)),
      "number-card": () => face(thing.rows, thing.covered, last),
      "playing-card": () => this.playingCard(thing),
      die: () => make("span", { class: "die", role: "img", "aria-label": fill(this.#words.die, thing) }, PIPS[thing.spots - 1]),
      cube: () => make("span", { class: "cube", role: "img", "aria-label": thing.mark || this.#words.blank }, thing.mark),
      "check-card": () => checkCard(thing),
      pile: () => make("span", { class: thing.units < 0 ? "sum owed" : "sum" }, ...this.pile(thing)),
      score: () => make("span", { class: thing.marked ? "score marked" : "score" }, `${thing.label || this.#words.points} `, make("b", {}, String(thing.points))),
      caption: () => make("p", { class: ["caption", thing.mood].filter(Boolean).join(" ") }, thing.text),
    }[thing.kind]?.() ?? "";
  }

  playingCard({ face: value }) {
    const name = this.cardName(value);
    if (!value) return make("span", { class: "playing-card back", role: "img", "aria-label": name });
    const suit = value.at(-1);
    return make("span", { class: RED.includes(suit) ? "playing-card red" : "playing-card", role: "img", "aria-label": name }, `${value.slice(0, -1)}\n${SUITS[suit] ?? suit}`);
  }

  /** What a playing card is called: "the 10 of hearts". */
  cardName(value) {
    const [rank, suit] = [value.slice(0, -1), value.at(-1)];
    const words = this.#words;
    return value ? fill(words["card-name"], { rank: words[`rank-${rank}`] ?? rank, suit: words[`suit-${suit}`] ?? suit }) : words["card-back"];
  }

  /** A pile as it lies there, and what its counters are worth. */
  pile(pile) {
    if (!counted(pile)) return [pile.text];
    return [pieces({ ...pile, counters: pile.units }), ` (${this.#worth(pile.units)})`];
  }

  /** A pile in words. */
  said(pile) {
    return counted(pile) ? fill(this.#words.worth, { counters: pile.text, sum: this.#worth(pile.units) }) : pile.text;
  }

  /** A zone: what stands beside it, and its things. */
  zone({ key, label, things }, last = null) {
    return make("div", { class: "zone", "data-zone": key, "data-key": `zone-${key}` },
      ...(label ? [make("h4", {}, label)] : []), ...things.map((thing) => this.draw(thing, last)));
  }
}

function checkCard({ faces, checked }) {
  let place = 0;
  const row = (numbers) => make("tr", {}, ...numbers.map((number) => make("td", { class: checked.includes(place++) ? "marked" : null }, String(number))));
  return make("table", { class: "face check-card" }, make("tbody", {}, ...faces.map(row)));
}
