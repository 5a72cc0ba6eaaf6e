// The cards at the tables: who holds them, what is marked, who has it.

import { drawCard } from "./board.js";
import { make, setText } from "./line.js";

const ROWS_WANTED = { row: 1, "two-rows": 2, full: 3 };

/** The rows of a card all of whose numbers were called. */
function fullRows(card, view) {
  return card.rows.filter((row) => row.length > 0 && row.every((number) => view.called.includes(number)));
}

/** Whether a card has all that the stage asks for. */
function hasIt(card, view) {
  if (!view?.stage || view.phase === "closed" || view.phase === "between") return false;
  return fullRows(card, view).length >= ROWS_WANTED[view.stage.key];
}

/** The cards that have it on the last number called, and have not been checked in this stop or won this stage. */
export function winners(cards, view) {
  const won = (view?.wins ?? []).filter(({ stage }) => stage === view.stage?.name);
  const done = new Set([...(view?.claims ?? []), ...won].map(({ serial }) => serial));
  const onTime = (card) => fullRows(card, view).some((row) => row.includes(view.called.at(-1)));
  return cards.filter((card) => hasIt(card, view) && onTime(card) && !done.has(card.serial));
}

export class Tables {
  #place;
  #words;
  #hands;
  #cards = "";

  /** `place` gets the cards, each with its holder and a way to claim. */
  constructor(place, words, hands) {
    [this.#place, this.#words, this.#hands] = [place, words, hands];
  }

  /** Shows these cards, marked as far as the view has called. */
  show(cards, view) {
    // Made anew only for other cards: a button must not be replaced under the finger that presses it.
    const same = JSON.stringify(cards);
    if (same !== this.#cards) {
      this.#cards = same;
      this.#place.replaceChildren(...(cards.length ? cards.map((card) => this.#player(card)) : [make("p", { class: "hint" }, this.#words["no-cards"])]));
    }
    for (const [index, card] of cards.entries()) this.#mark(this.#place.children[index], card, view);
  }

  #player(card) {
    const words = this.#words;
    const label = `${words.claim} ${card.serial} ${card.holder ?? ""}`.trim();
    const button = make("button", { class: "claim-button", "aria-label": label }, words.claim);
    button.addEventListener("click", () => this.#hands.act("claim", { serial: card.serial }));
    return make(
      "article", { class: "player", "data-serial": card.serial },
      make("header", {}, make("b", {}, card.holder ?? card.serial), make("small"), button),
      drawCard({ rows: card.rows, marked: [], missing: [] }),
    );
  }

  #mark(player, card, view) {
    const wins = hasIt(card, view);
    player.classList.toggle("has-it", wins);
    setText(player.querySelector("small"), wins ? this.#words["has-it"] : card.serial);
    for (const cell of player.querySelectorAll("td:not(:empty)")) {
      cell.className = view?.called.includes(Number(cell.textContent)) ? "marked" : "open";
    }
  }
}
