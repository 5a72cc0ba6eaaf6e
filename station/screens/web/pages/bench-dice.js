// The dice tower on the bench: what lies in it, and a hand that throws, with all that goes wrong with dice. It knows no game.

import { make } from "./line.js";
import { drawThings } from "./things.js";

const FAULTS = ["askew", "missing", "touched"];
const MARKS = { B: "bell", H: "hammer", 0: "" }; // the others are as they are said

/** What the tower says lies there, "D36" or "MB0", as things. */
const things = ([kind, ...faces]) => faces.map((face) => (kind === "M" ? { kind: "cube", mark: MARKS[face] ?? face } : { kind: "die", spots: Number(face) }));

export class Tower {
  #place;
  #words;
  #screen;
  #hands;
  #told = "";

  /** `place` gets what lies in the tower, and the buttons; `screen` are the boards' words. */
  constructor(place, words, screen, hands) {
    [this.#place, this.#words, this.#screen, this.#hands] = [place, words, screen, hands];
    place.setAttribute("aria-label", words.tower);
  }

  /** Shows the tower at a table whose game has dice: while they are thrown, and as long as some lie there. */
  show(view, { tower }) {
    const there = view?.table && tower && (tower.due || tower.lies !== "N" || !tower.plugged);
    this.#place.hidden = !there;
    const told = JSON.stringify(tower);
    if (!there || told === this.#told) return; // a button that has the focus keeps it
    const focused = this.#place.contains(document.activeElement) ? document.activeElement.dataset : null;
    this.#told = told;
    const cable = tower.plugged ? "unplug-tower" : "plug-tower";
    this.#place.replaceChildren(
      make("output", { class: "dice" }, this.#lies(tower.lies)),
      this.#button("throw", tower.due ? { class: "due" } : {}, () => this.#hands.move("throw")),
      ...FAULTS.map((fault) => this.#button(fault, {}, () => this.#hands.move("throw", { fault }))),
      this.#button(cable, {}, () => this.#hands.move(cable)));
    if (focused) this.#place.querySelector(`[data-dice="${focused.dice}"]`)?.focus();
  }

  #lies(lies) {
    const wrong = this.#words[`tower-lies-${lies}`]; // nothing, or what cannot be read
    return wrong ?? drawThings(things(lies), { words: this.#screen });
  }

  #button(name, look, press) {
    const button = make("button", { "data-dice": name, ...look }, this.#words[`tower-${name}`]);
    button.addEventListener("click", press);
    return button;
  }
}
