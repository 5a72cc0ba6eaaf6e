// All ninety numbers: which have been called in this game, and which of them is the newest. Folded on a phone.

import { fill, make, setText } from "./line.js";
import { keep, kept } from "./page.js";

const NUMBERS = 90;
const OPEN = "caller-ninety";
const ROOMY = "(min-width: 40rem)";

export class Ninety {
  #place;
  #words;
  #cells = [];

  /** `place` is a `details`. Whether it is open is kept; a phone has it folded until somebody opens it. */
  constructor(place, words) {
    [this.#place, this.#words] = [place, words];
    this.#cells = Array.from({ length: NUMBERS }, (_, index) => make("li", {}, String(index + 1)));
    place.append(
      make("summary", {}, make("span", { "data-testid": "ninety-count" })),
      make("ol", { class: "cells", "aria-hidden": "true", "data-testid": "ninety" }, ...this.#cells),
      make("p", { class: "unseen", "data-testid": "ninety-read" }));
    place.open = kept(OPEN) ? kept(OPEN) === "true" : matchMedia(ROOMY).matches;
    place.addEventListener("toggle", () => keep(OPEN, String(place.open)));
  }

  /** Shows these calls, the last one set off. */
  show(called) {
    const all = new Set(called);
    for (const [index, cell] of this.#cells.entries()) {
      const kind = index + 1 === called[called.length - 1] ? "called newest" : all.has(index + 1) ? "called" : "";
      if (cell.className !== kind) cell.className = kind;
    }
    const count = { count: called.length };
    setText(this.#place.querySelector("summary span"), fill(this.#words["ninety-count"], count));
    const inOrder = [...called].sort((one, other) => one - other).join(", ");
    setText(this.#place.querySelector(".unseen"), called.length ? fill(this.#words["ninety-read"], { numbers: inOrder, last: called[called.length - 1] }) : "");
  }
}
