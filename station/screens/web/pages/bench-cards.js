// A pack of real playing cards on the bench, in the place of the bag: cards are laid on the reader, and stay with whom they were dealt to.

import { make, setText } from "./line.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const PACK = Object.keys(SUITS).flatMap((suit) => RANKS.map((rank) => rank + suit));
const LYING_MS = 400;
const named = (face) => `${face.slice(0, -1)}${SUITS[face.slice(-1)]}`;

export class Deck {
  #place;
  #words;
  #hands;
  #stock = [];
  #held = new Map(); // of each seat, the cards that were dealt to it
  #laid = ""; // the card that was laid last
  #counts = [];
  #lies = make("small", { "data-testid": "card-lies" }, "");
  #lifting = 0; // the timer of the card that lies there

  /** `place` gets the pack and the hands. */
  constructor(place, words, hands) {
    [this.#place, this.#words, this.#hands] = [place, words, hands];
    this.#shuffle();
  }

  /** Two cards, or one, that are not dealt. */
  some(count) {
    return this.#stock.slice(-count);
  }

  /** Shows the pack where real cards are played with; returns whether they are. */
  show(view, bench) {
    const real = Boolean(bench.table?.real && view?.table);
    this.#place.hidden = !real;
    if (real) this.#follow(view.table);
    setText(this.#lies, (bench.reader.cards ?? []).map(named).join(" + "));
    return real;
  }

  #shuffle() {
    this.#stock = PACK.map((face) => [Math.random(), face]).sort().map(([, face]) => face);
    this.#held.clear();
    this.#counts = [];
    this.#place.dataset.told = "";
  }

  /** A hand that has grown has the card that was laid; one that is shorter has lost it. */
  #follow({ seats, zones }) {
    const counts = seats.map(({ seat }) => zones.filter((zone) => zone.seat === seat && ["held", "cards"].includes(zone.key)).flatMap(({ things }) => things).length);
    counts.forEach((count, place) => {
      const [had, seat] = [this.#counts[place] ?? 0, place + 1];
      const mine = this.#held.get(seat) ?? [];
      if (count < had) this.#held.set(seat, mine.filter((face) => face !== this.#laid));
    });
    counts.forEach((count, place) => {
      const [had, seat] = [this.#counts[place] ?? 0, place + 1];
      if (count > had && this.#laid) this.#held.set(seat, [...(this.#held.get(seat) ?? []), this.#laid]);
    });
    this.#counts = counts;
    const told = JSON.stringify([this.#stock.length, [...this.#held], seats.map(({ name }) => name)]);
    if (this.#place.dataset.told === told) return; // a button that has the focus keeps it
    this.#place.dataset.told = told;
    const hands = seats.map(({ seat, name }) => make("div", { class: "line", "data-hand-of": seat },
      make("small", {}, name), ...(this.#held.get(seat) ?? []).map((face) => this.#card(face))));
    const next = this.#button("next-card", () => this.#stock.length && this.#lay(this.#stock.pop()));
    this.#place.replaceChildren(make("div", { class: "line" }, next, this.#button("shuffle-pack", () => this.#shuffle()), this.#button("other-pack", () => this.#other()), this.#lies), ...hands);
  }

  #button(word, press) {
    const made = make("button", { "data-cards": word }, "");
    setText(made, this.#words[word]);
    made.addEventListener("click", press);
    return made;
  }

  #card(face) {
    const made = make("button", { "data-card": face, class: "HD".includes(face.slice(-1)) ? "red-card" : null }, named(face));
    made.addEventListener("click", () => this.#lay(face));
    return made;
  }

  #lay(face) {
    this.#laid = face;
    this.#drop({ card: face });
  }

  /** Lays a card down, and lifts it again: the same card may be laid by the next player. */
  #drop(card) {
    clearTimeout(this.#lifting);
    this.#hands.move("drop", card).then(() => {
      this.#lifting = setTimeout(() => this.#hands.move("lift", card), LYING_MS);
    });
  }

  #other() {
    this.#drop({ card: PACK[0], pack: "red" });
  }
}
