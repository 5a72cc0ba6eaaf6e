// A game at the table: the company round the felt, cards with counters on them, the board of ten, pool and table.

import { fill, make } from "./line.js";
import { pieces } from "./pieces.js";
import { symbol } from "./theme.js";

const FLIGHT_MS = 650;
const MOST_FLIGHTS = 40;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How many sit at each side, from the dealer's left round: he sits at the left end, and faces the company. */
export function sides(players) {
  const aside = players <= 10 ? 0 : players <= 16 ? 2 : 4;
  const top = Math.ceil((players - 2 * aside) / 2);
  return { top, right: aside, bottom: players - 2 * aside - top, left: aside };
}

/** How many of a player's cards are shown: those that matter. */
const shown = (players) => (players <= 2 ? 4 : players <= 16 ? 2 : 1);

/** How many counters lie on a card's best row. */
const best = ({ rows, covered }) => Math.max(...rows.map((row) => row.filter((number) => covered.includes(number)).length));

export class Table {
  element = make("div", { class: "parlour", "data-testid": "table" });
  #words;
  #before = null;

  constructor(words) {
    this.#words = words;
  }

  /** Draws the table of this view; nothing where nobody plays at one. */
  show(view) {
    const table = view.table;
    if (!table) {
      this.element.replaceChildren();
      this.#before = null;
      return;
    }
    const told = table.settlement?.telling ?? null;
    const row = told === null ? null : table.settlement.rows[told];
    const draw = (seat) => this.#seat(seat, view, row);
    const { top, right, bottom } = sides(table.seats.length);
    const round = [table.seats.slice(0, top), table.seats.slice(top, top + right), table.seats.slice(top + right, top + right + bottom), table.seats.slice(top + right + bottom)];
    // The styles go round: along the bottom from right to left, and up the left side.
    this.element.dataset.players = table.seats.length;
    this.element.dataset.aside = right > 0;
    this.element.dataset.columns = right > 2 ? 2 : 1;
    this.element.replaceChildren(
      ...["top", "right", "bottom", "left"].map((side, index) =>
        make("ol", { class: `side-${side}` }, ...round[index].map(draw))),
      this.#felt(view, row),
    );
    this.#fly(view);
    this.#before = { called: view.called, table };
  }

  // -- a player

  #seat(seat, { table, theme, called }, told) {
    const matters = [...seat.cards].sort((one, other) =>
      (other.serial === told?.serial) - (one.serial === told?.serial) || best(other) - best(one) || other.covered.length - one.covered.length);
    const seen = matters.slice(0, shown(table.seats.length)).map((card) => card.serial);
    const cards = seat.cards.filter((card) => seen.includes(card.serial));
    const answer = table.answers.find((one) => one.seat === seat.seat);
    const hidden = seat.cards.length - cards.length;
    return make("li", { class: "seat", "data-seat": seat.seat, "data-drawer": String(seat.drawer), "data-asked": String(seat.asked), "data-answer": answer?.verdict },
      make("h3", {}, make("span", { class: "name" }, seat.name), hidden ? make("span", { class: "hidden-cards" }, `+${hidden}`) : "",
        make("span", { class: "hand", "data-testid": `hand-${seat.seat}`, "data-counters": seat.hand.counters }, table.step === "open" ? "" : pieces(seat.hand))),
      answer || seat.text ? make("p", { class: "seat-text" }, answer?.text ?? seat.text) : "",
      make("div", { class: "table-cards" },
        ...cards.map((card) => drawTableCard(card, theme, called.at(-1), card.serial === told?.serial ? told.row : 0))));
  }

  // -- the middle

  #felt(view, told) {
    const { table, called, theme } = view;
    const settled = table.settlement && !called.length;
    const last = called.at(-1);
    const now = last === undefined ? make("p", { class: "turn" }, table.text)
      : make("output", { class: theme ? "newest pictured" : "newest", "data-testid": "table-last" }, ...symbol(last, theme));
    return make("div", { class: "felt", "data-settled": String(Boolean(settled)) },
      make("div", { class: "felt-now" }, now),
      make("div", { class: "felt-board" },
        settled ? this.#settlement(table, told, theme) : this.#cavities(view),
        make("p", { class: "felt-text" }, last === undefined ? "" : table.text)),
      make("div", { class: "felt-sums" }, ...this.#sums(table), ...this.#answers(table)),
      make("p", { class: "felt-line" }, this.#line(view, settled)));
  }

  /** Under all: which drawing it is, and what is in the bag; how the bank must change; at the end the next game. */
  #line({ table, coming }, settled) {
    const words = this.#words;
    if (table.step === "open") return coming.slice(0, 1).map((name) => `${words["next-game"]}: ${name}`).join("");
    if (settled && table.change) return table.change;
    return [
      table.drawing ? (table.left === 1 ? words["last-drawing"] : fill(words["drawing-number"], { number: table.drawing })) : "",
      table.left > 1 ? fill(words["drawings-left"], { count: table.left }) : "",
      fill(words["knobs-in-bag"], { count: table.in_bag }),
      table.away.length ? fill(words["knobs-away"], { numbers: table.away.join(", ") }) : "",
      table.free.length ? fill(words["cards-free"], { count: table.free.length }) : "",
    ].filter(Boolean).join(" · ");
  }

  /** The ten cavities: in the order of the draws, and of more than ten knobs the last ones, newest first. */
  #cavities({ called, table, theme }) {
    const ten = table.drawing ? called : called.slice(-10).reverse();
    return make("ol", { class: "cavities", "data-testid": "cavities" },
      ...Array.from({ length: 10 }, (_, place) => {
        const number = ten[place];
        if (number === undefined) return make("li");
        return make("li", { class: number === called.at(-1) ? "knob fresh" : "knob" }, ...symbol(number, theme, { words: false }));
      }));
  }

  #settlement({ settlement }, told, theme) {
    return make("div", { class: "settlement", "data-testid": "settlement" },
      make("p", { class: "settled-text" }, told ? told.text : settlement.text),
      make("ul", { class: "classes" }, ...settlement.classes.map(({ name, rows, laid }) =>
        make("li", { "data-told": String(told?.laid === laid) }, make("b", { "data-testid": `class-${laid}` }, String(rows)), make("span", {}, name)))),
      make("ol", { class: "came" }, ...settlement.numbers.map((number) => make("li", {}, ...symbol(number, theme, { words: false })))));
  }

  #sums({ pool, table, reserve }) {
    const words = this.#words;
    const sums = [["pool", words.pool, pool], ["table", words["on-table"], table], ["reserve", words.reserve, reserve]];
    return sums.filter(([, , sum]) => sum).map(([key, label, sum]) =>
      make("div", { class: `sum-${key}` }, make("h2", {}, label), make("p", { "data-testid": `sum-${key}`, "data-counters": sum.counters }, pieces(sum))));
  }

  #answers({ answers }) {
    if (!answers.length) return [];
    return [make("ol", { class: "answers", "data-testid": "answers" }, ...answers.map((answer) =>
      make("li", { "data-verdict": answer.verdict }, make("b", {}, answer.name), ` ${answer.text}`)))];
  }

  // -- counters that move

  #fly({ called, table }) {
    const before = this.#before;
    if (still.matches || document.hidden || !before) return;
    const last = called.at(-1);
    if (last !== undefined && last !== before.called.at(-1)) {
      const to = [...this.element.querySelectorAll(`td[data-number="${last}"].covered`)];
      this.#flights(this.element.querySelector(".sum-table, .sum-pool"), to);
      return;
    }
    const { settlement } = table;
    if (!settlement) return;
    const fresh = before.table.settlement?.drawing !== settlement.drawing;
    const told = settlement.telling !== before.table.settlement?.telling && settlement.telling !== null;
    const rows = told ? [settlement.rows[settlement.telling]] : fresh && settlement.telling === null ? settlement.rows : [];
    const hands = rows.flatMap((row) => {
      const hand = this.element.querySelector(`[data-testid="hand-${row.seat}"]`);
      return hand ? Array(Math.min(6, row.paid.contracts + row.paid.fish + row.paid.singles)).fill(hand) : [];
    });
    this.#flights(this.element.querySelector(".sum-pool"), hands);
  }

  #flights(from, targets) {
    if (!from) return;
    const frame = this.element.getBoundingClientRect();
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
    };
    const [x, y] = middle(from);
    for (const [index, target] of targets.slice(0, MOST_FLIGHTS).entries()) {
      const [toX, toY] = middle(target);
      const flying = make("i", { class: "counter flying", "aria-hidden": "true" });
      this.element.append(flying);
      const way = [{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${toX}px, ${toY}px)` }];
      flying.animate(way, { duration: FLIGHT_MS, delay: 25 * index, easing: "ease-in-out", fill: "backwards" })
        .finished.then(() => flying.remove(), () => flying.remove());
    }
  }
}

/** A card on the table, its three rows of five side by side: there is more room for the digits so than in nine columns. */
function drawTableCard({ serial, rows, covered }, theme, newest, toldRow) {
  const lines = rows.map((row, place) =>
    make("tr", { class: place + 1 === toldRow ? "told" : false }, ...row.map((number) => {
      const lies = covered.includes(number);
      return make("td", { "data-number": number, class: lies ? (number === newest ? "covered fresh" : "covered") : false }, ...symbol(number, theme, { words: false }));
    })));
  return make("div", { class: "card-place" }, make("table", { class: "table-card", "data-serial": serial }, make("tbody", {}, ...lines)));
}
