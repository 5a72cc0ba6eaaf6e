// A win at the table: told in the winner's own line, and celebrated once. A page that is loaded later tells it without the flourish.

import { fill, make } from "./line.js";

const SPARKS = 5;

export class Wins {
  #game = null;
  #wins = 0;

  /** Whether somebody has won since the page looked last. `game` says which game it is; `wins` counts its wins. */
  look(game, wins) {
    const isNew = game === this.#game && wins > this.#wins;
    [this.#game, this.#wins] = [game, wins];
    return isNew;
  }
}

const sparks = () => make("span", { class: "sparks", "aria-hidden": "true" }, ...Array.from({ length: SPARKS }, () => make("i")));

/** The line of a winner; `text` has a place for the name. */
export const wonLine = (text, name, fresh) =>
  make("p", { class: fresh ? "won fresh" : "won", "data-key": "won" }, sparks(), make("b", {}, fill(text, { name })), sparks());

/** The mark of a winner, where there is no room for a line of its own; `text` is read aloud. */
export const wonMark = (text, name, fresh) =>
  make("span", { class: fresh ? "won-mark fresh" : "won-mark", role: "img", "aria-label": fill(text, { name }) }, "\u2605");
