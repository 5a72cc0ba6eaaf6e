// The seats: who sits there, the cards and counters, and what each player may ask for.

import { face } from "./desk-card.js";
import { fill, make } from "./line.js";
import { $ } from "./page.js";
import { pieces } from "./pieces.js";
import { redraw } from "./redraw.js";

export class Seats {
  #tools;
  #asking;
  #told = null;

  constructor(tools, asking) {
    [this.#tools, this.#asking] = [tools, asking];
  }

  show(told) {
    this.#told = told;
    $("seats").hidden = !told.open && !told.over;
    redraw($("seats"), ...(told.open || told.over ? told.seats.map((seat) => this.#seat(seat)) : []));
  }

  #choice(kind, seat, serial = undefined) {
    return this.#told.choices.find((choice) => choice.seat === seat && choice.move.do === kind && (serial === undefined || choice.move.serial === serial));
  }

  #seat(seat) {
    const { words, sum } = this.#tools;
    const { drawer, offer } = this.#told;
    const marks = [
      seat.seat === 1 && words.eldest,
      seat.seat === drawer && this.#told.open && words["has-bag"],
      seat.simulated && words.simulated,
    ].filter(Boolean);
    const head = make("header", {},
      make("h3", {}, `${seat.seat}. ${seat.name}`), ...marks.map((text) => make("small", {}, text)));
    const money = make("p", { class: "money" },
      make("span", { "data-testid": `hand-${seat.seat}`, "data-counters": seat.hand }, ...this.#hand(seat)),
      make("span", {}, fill(words["purse-has"], { sum: sum(seat.purse) })));
    const kind = ["part seat", seat.seat === drawer && this.#told.open && "drawer", offer && (offer.other === seat.seat) && "asked"].filter(Boolean).join(" ");
    return make("article", { class: kind, "data-seat": seat.seat, "data-purse": seat.purse },
      head, money, ...this.#offer(seat), ...(this.#told.over ? [] : [this.#cards(seat), make("div", { class: "line" }, ...this.#ofSeat(seat))]));
  }

  /** What he has won, and what lies on his cards; at the end what became of him. */
  #hand({ hand, cards, gain }) {
    const { words, sum, inPieces } = this.#tools;
    const { over, counted, value } = this.#told;
    if (over) return [fill(words[gain < 0 ? "lost" : gain ? "gained" : "even"], { sum: sum(Math.abs(gain)) })];
    if (!counted) return [fill(words.hand, { hand: sum(hand * value) })];
    const laid = cards.reduce((all, { covered }) => all + covered.length, 0);
    const lies = laid ? [make("small", {}, fill(words.laid, { count: laid }))] : [];
    return [fill(words.hand, { hand: "" }), pieces(inPieces(hand)), hand ? ` (${sum(hand * value)})` : "", ...lies];
  }

  // -- cards change hands

  #offer(seat) {
    const { words, name } = this.#tools;
    const { offer } = this.#told;
    if (!offer || offer.other !== seat.seat) return [];
    return [make("p", { class: "asking" }, fill(words.asked, { name: name(offer.seat), wanted: offer.wanted, serial: offer.serial }))];
  }

  #cards(seat) {
    return make("div", { class: "cards" }, ...seat.cards.map((card) => this.#card(seat, card)));
  }

  #card(seat, { serial, rows, covered }) {
    const { words, button } = this.#tools;
    const last = this.#told.open ? this.#told.numbers.at(-1) : null;
    const buttons = ["exchange", "throw-up"].map((kind) => {
      const choice = this.#choice(kind, seat.seat, serial);
      const press = () => (kind === "exchange" ? this.#exchange(seat, choice) : this.#throwUp(seat, choice));
      return choice && button({ key: `${kind}-${serial}`, text: words[kind], refused: choice.may ? "" : choice.say, press });
    });
    return make("figure", { class: "card", "data-serial": serial, "data-key": `card-${serial}` },
      make("figcaption", {}, make("span", { class: "serial" }, serial), ...buttons.filter(Boolean)), face(rows, covered, last));
  }

  #ofSeat(seat) {
    const { words, button, worth } = this.#tools;
    const choice = this.#choice("take", seat.seat);
    if (!choice) return [];
    const cost = -(choice.sums?.find(([who]) => who === seat.seat)?.[1] ?? 0);
    const { seen } = this.#told;
    const press = async () => {
      const line = fill(words["take-cost"], { name: seat.name, sum: worth(cost) });
      if (!(await this.#asking.sure(words["take-sure"], [line], words.take))) return;
      await this.#tools.does("move", { move: choice.move }, fill(words["done-take"], seat), { seen });
    };
    return [button({ key: `take-${seat.seat}`, text: words.take, refused: choice.may ? "" : choice.say, press })];
  }

  async #throwUp(seat, { move, sums = [] }) {
    const { words, worth, does } = this.#tools;
    const { seen } = this.#told;
    const back = sums.find(([who]) => who === seat.seat)?.[1] ?? 0;
    const line = fill(words["throw-up-back"], { name: seat.name, sum: worth(back) });
    if (await this.#asking.sure(fill(words["throw-up-sure"], move), [line], words["throw-up"])) {
      await does("move", { move }, fill(words["done-throw-up"], { ...seat, ...move }), { seen });
    }
  }

  async #exchange(seat, { move, wanted }) {
    const { words, does } = this.#tools;
    const { seen } = this.#told;
    const cards = wanted.map(([other, serial]) => ({ seat: other, serial, name: other ? this.#tools.name(other) : words["free-cards"], rows: this.#rows(serial) }));
    const chosen = await this.#asking.card(fill(words["exchange-which"], { ...seat, ...move }), cards);
    if (!chosen) return;
    const said = chosen.seat && this.#told.confirm ? fill(words["done-offer"], { name: chosen.name }) : fill(words["done-exchange"], { ...seat, ...move, wanted: chosen.serial });
    await does("move", { move: { ...move, other: chosen.seat, wanted: chosen.serial } }, said, { seen });
  }

  #rows(serial) {
    const { seats, free } = this.#told;
    return [...free, ...seats.flatMap(({ cards }) => cards)].find((card) => card.serial === serial).rows;
  }
}
