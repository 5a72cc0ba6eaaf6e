// A company on the bench: what its host does there, what lies before its players, and its buzzers. It knows no game.

import { drawCard } from "./board.js";
import { fill, make } from "./line.js";
import { drawLines, drawZones } from "./things.js";

const KEYS = "123456789abcdefghijklmno"; // of the buzzers, one for each of 24 seats
const PLAYERS = 6;
const IN_HEAD = ["hand", "answer", "outcome"]; // beside a player's name

export class Company {
  #orders;
  #seats;
  #cards;
  #words;
  #screen;
  #hands;

  /** `orders` gets the host's buttons, `seats` the players with what lies before them, in the place of `cards`; `screen` are the boards' words. */
  constructor({ orders, seats, cards, words, screen, hands }) {
    [this.#orders, this.#seats, this.#cards, this.#words, this.#screen, this.#hands] = [orders, seats, cards, words, screen, hands];
  }

  /** Shows what is due, and the players of this view. */
  show(view, bench) {
    const table = view?.table;
    const playing = Boolean(view?.phase === "playing" && table);
    this.#orders.hidden = !(playing || bench.table?.coming);
    this.#showOrders(playing ? this.#due(view, bench) : [this.#sit(bench)]);
    this.#seats.hidden = !table;
    this.#cards.hidden = Boolean(table) || Boolean(bench.table?.coming);
    this.#cards.closest(".cards-panel").dataset.table = this.#cards.hidden;
    this.#seats.replaceChildren(...(table?.seats ?? []).map((seat) => this.#seat(seat, table)));
  }

  // -- the host's buttons: the bag is counted by whoever presses; all else that needs no choice is a move of the game

  #due({ press }, { bag, table }) {
    if (press === "shake") return [{ name: "shake", due: true, order: ["shake", { counted: bag.length }] }];
    return (table?.moves ?? []).map((verb) => ({ name: verb, due: true, order: ["move", { move: { do: verb } }] }));
  }

  #sit({ table }) {
    const players = this.#words["host-names"].slice(0, PLAYERS).map((name) => ({ name, simulated: true }));
    return { name: "sit", due: !table?.company, order: ["sit", { players }] };
  }

  #showOrders(orders) {
    const told = JSON.stringify(orders);
    if (this.#orders.dataset.told === told) return; // a button that has the focus keeps it
    this.#orders.dataset.told = told;
    const buttons = orders.map(({ name, due, order }) => {
      const made = make("button", { "data-host": name, class: due ? "due" : false }, this.#words[`host-${name}`] ?? name);
      made.addEventListener("click", () => this.#hands.act(...order));
      return made;
    });
    this.#orders.replaceChildren(...buttons, make("a", { href: "/table", target: "_blank", rel: "noopener" }, this.#words["host-page"]));
  }

  // -- a player

  #seat({ seat, name }, { zones, leads }) {
    const words = this.#words;
    const his = zones.filter((zone) => zone.seat === seat);
    const head = his.filter(({ key }) => IN_HEAD.includes(key));
    const lies = his.filter(({ key }) => !IN_HEAD.includes(key));
    const newest = zones.flatMap(({ seat: owner, things }) => (owner ? [] : things)).find((thing) => thing.kind === "knob" && thing.newest)?.number;
    const look = { theme: null, words: this.#screen, newest };
    const faces = lies.flatMap(({ things }) => things).filter(({ kind }) => kind === "number-card").map((card) => this.#card(card, newest));
    const others = lies.map((zone) => ({ ...zone, things: zone.things.filter(({ kind }) => kind !== "number-card") }));
    const lines = drawLines(others, this.#screen);
    return make("article", { class: leads === seat ? "player has-it" : "player", "data-seat": seat },
      make("header", {}, make("b", {}, `${seat}. ${name}`), make("small", { title: leads === seat ? words["host-bag"] : null }, this.#said(head))),
      ...faces, ...drawZones(others, look), ...(lines.length ? [make("ul", { class: "lines" }, ...lines)] : []));
  }

  /** What a player has won, or how the game ended for him; and his last word. */
  #said(zones) {
    return zones.flatMap(({ things }) => things)
      .map((thing) => (thing.units < 0 ? `${this.#screen.owed} –${thing.text}` : thing.text)).join(" · ");
  }

  #card({ serial, covered, ...card }, newest) {
    const face = drawCard({ ...card, marked: covered, missing: [] });
    face.dataset.serial = serial;
    for (const cell of face.querySelectorAll("td")) cell.classList.toggle("newest", Number(cell.textContent) === newest && covered.includes(newest));
    return face;
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
