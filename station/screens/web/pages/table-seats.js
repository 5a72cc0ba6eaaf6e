// The seats: who sits there, what lies before him, and what he may ask for.

import { face } from "./desk-card.js";
import { fill, make } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";

// Zones of a seat that have a place of their own; a purse is told beside the hand.
const PLACED = ["hand", "outcome", "answer", "purse"];

export class Seats {
  #tools;
  #moves;
  #things;
  #told = null;

  constructor(tools, moves, things) {
    [this.#tools, this.#moves, this.#things] = [tools, moves, things];
  }

  show(told) {
    this.#told = told;
    $("seats").hidden = !told.open && !told.over;
    redraw($("seats"), ...(told.open || told.over ? told.seats.map((seat) => this.#seat(seat)) : []));
  }

  #seat(seat) {
    const { words, sum } = this.#tools;
    const { open, over, leads, has, turn, zones } = this.#told;
    const own = zones.filter((zone) => zone.seat === seat.seat);
    const leading = open && seat.seat === leads;
    const marks = [seat.seat === 1 && words.eldest, leading && words[`has-${has}`], seat.simulated && words.simulated].filter(Boolean);
    const head = make("header", {},
      make("h3", {}, `${seat.seat}. ${seat.name}`), ...marks.map((text) => make("small", {}, text)));
    const money = make("p", { class: "money" },
      make("span", { "data-testid": `hand-${seat.seat}`, "data-counters": own.find(({ key }) => key === "hand")?.things[0]?.units }, ...this.#hand(own)),
      make("span", {}, fill(words["purse-has"], { sum: sum(seat.purse) })));
    const kind = ["part seat", leading && "drawer", open && turn.includes(seat.seat) && "asked"].filter(Boolean).join(" ");
    return make("article", { class: kind, "data-seat": seat.seat, "data-purse": seat.purse }, head, money, ...(over ? [] : this.#body(seat.seat, own)));
  }

  /** What he has won, and how much lies on his cards; at the end what became of him. */
  #hand(own) {
    const { words } = this.#tools;
    const of = (key) => own.filter((zone) => zone.key === key).flatMap(({ things }) => things);
    const [outcome, piles] = [of("outcome"), of("hand")];
    if (outcome.length) return [outcome.map(({ text }) => text).join(" · ")];
    const laid = own.flatMap(({ things }) => things).reduce((all, { covered = [] }) => all + covered.length, 0);
    return [
      ...(piles.some(({ units }) => units >= 0) ? [fill(words.hand, { hand: "" })] : []),
      ...piles.map((pile) => this.#things.draw(pile)),
      ...(laid ? [make("small", {}, fill(words.laid, { count: laid }))] : []),
    ];
  }

  #body(seat, own) {
    const zones = own.filter(({ key, things }) => !PLACED.includes(key) && things.length);
    const answers = own.filter(({ key }) => key === "answer").flatMap(({ things }) => things);
    const moves = this.#moves.ofSeat(seat).map((move) => this.#moves.button(move));
    return [
      ...answers.map((answer) => this.#things.draw(answer)),
      ...zones.map((zone) => this.#zone(seat, zone)),
      make("div", { class: "line" }, ...moves),
    ];
  }

  #zone(seat, zone) {
    if (!zone.things.every(({ kind }) => kind === "number-card")) return this.#things.zone(zone);
    return make("div", { class: "cards", "data-zone": zone.key }, ...(zone.label ? [make("h4", {}, zone.label)] : []), ...zone.things.map((card) => this.#card(seat, card)));
  }

  #card(seat, { serial, rows, covered, tens_last: tensLast }) {
    const buttons = this.#moves.ofCard(seat, serial).map((move) => this.#moves.button(move));
    return make("figure", { class: "card", "data-serial": serial, "data-key": `card-${serial}` },
      make("figcaption", {}, make("span", { class: "serial" }, serial), ...buttons), face(rows, covered, this.#things.newest, tensLast));
  }
}
