// A company on the bench: what its host does there, the cards that lie before it, and its buzzers.

import { drawCard } from "./board.js";
import { fill, make, setText } from "./line.js";

const KEYS = "123456789abcdefghijklmno"; // of the buzzers, one for each of 24 seats
const PLAYERS = 6;

export class Company {
  #orders;
  #seats;
  #cards;
  #words;
  #hands;

  /** `orders` gets the host's buttons, `seats` the players with their cards, in the place of `cards`. */
  constructor({ orders, seats, cards, words, hands }) {
    [this.#orders, this.#seats, this.#cards, this.#words, this.#hands] = [orders, seats, cards, words, hands];
    const order = (name, press) => {
      const made = make("button", { "data-host": name }, words[`host-${name}`]);
      made.addEventListener("click", press);
      return made;
    };
    const move = (kind) => () => hands.act("move", { move: { do: kind } });
    orders.append(
      order("sit", () => hands.act("sit", { players: words["host-names"].slice(0, PLAYERS).map((name) => ({ name, simulated: true })) })),
      order("shake", () => hands.act("shake", { counted: this.#inBag })),
      ...["settle", "replenish", "finish", "agree", "decline", "share"].map((kind) => order(kind, move(kind))),
      make("a", { href: "/table", target: "_blank", rel: "noopener" }, words["host-page"]),
    );
  }

  #inBag = 0;

  /** Shows what is due, and the players of this view. */
  show(view, bench) {
    const table = view?.table;
    const playing = view?.phase === "playing" && table;
    this.#inBag = bench.bag.length;
    this.#orders.hidden = !(playing || bench.table?.coming);
    const due = playing ? { answer: ["agree", "decline"], add: ["replenish", "finish"] }[table.step] ?? [table.step] : ["sit"];
    for (const button of this.#orders.querySelectorAll("[data-host]")) {
      button.hidden = !due.includes(button.dataset.host);
      button.classList.toggle("due", button.dataset.host !== "sit" || !bench.table?.company);
    }
    this.#seats.hidden = !table;
    this.#cards.hidden = Boolean(table) || Boolean(bench.table?.coming);
    this.#seats.replaceChildren(...(table?.seats ?? []).map((seat) => this.#seat(seat, view.called.at(-1))));
  }

  #seat({ seat, name, cards, hand, drawer }, last) {
    const words = this.#words;
    const head = make("header", {}, make("b", {}, `${seat}. ${name}`), make("small", { title: drawer ? words["host-bag"] : null }, hand.text));
    const faces = cards.map(({ serial, rows, covered }) => {
      const face = drawCard({ rows, marked: covered, missing: [] });
      face.dataset.serial = serial;
      for (const cell of face.querySelectorAll("td")) cell.classList.toggle("newest", Number(cell.textContent) === last && covered.includes(last));
      return face;
    });
    return make("article", { class: drawer ? "player has-it" : "player", "data-seat": seat }, head, ...faces);
  }
}

export class Buzzers {
  #place;
  #words;
  #hands;
  #lines = [];
  #names = "";

  /** `place` gets one button for each buzzer; the keys 1 to 9 and a to o press them too. */
  constructor(place, words, hands) {
    [this.#place, this.#words, this.#hands] = [place, words, hands];
    place.setAttribute("aria-label", words.buzzers);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the buzzers where only the first to answer covers. */
  show(view, { buzzers = {}, table }) {
    const racing = view?.table && table?.racing;
    const [box] = Object.values(buzzers);
    this.#place.hidden = !racing || !box;
    if (this.#place.hidden) return;
    this.#lines = box.lines.slice(0, KEYS.length);
    const seats = view.table.seats;
    const names = JSON.stringify([this.#lines, seats.map(({ name }) => name)]);
    if (names !== this.#names) {
      this.#names = names;
      this.#place.replaceChildren(...this.#lines.map((line) => this.#button(line, seats[line - 1]?.name)));
    }
    for (const [place, button] of [...this.#place.children].entries()) button.classList.toggle("down", box.down.includes(this.#lines[place]));
  }

  #button(line, name = "") {
    const label = fill(this.#words[name ? "buzzer-of" : "buzzer"], { seat: line, name });
    const button = make("button", { "aria-label": label, title: label, "data-buzzer": line, class: name ? null : "nobody" }, make("b", {}, KEYS[line - 1]));
    button.addEventListener("pointerdown", (event) => event.button === 0 && this.#press(line));
    button.addEventListener("click", (event) => event.detail === 0 && this.#press(line));
    return button;
  }

  #press(line) {
    this.#hands.move("buzz", { lines: [line] });
  }

  #key({ key, repeat, target, ctrlKey, altKey, metaKey }) {
    const place = KEYS.indexOf(key);
    if (this.#place.hidden || place < 0 || repeat || ctrlKey || altKey || metaKey || /^(input|select|textarea)$/i.test(target.tagName)) return;
    const line = place + 1;
    if (this.#lines.includes(line)) this.#press(line);
  }
}
