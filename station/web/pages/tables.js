// The cards at the tables: who holds them, what is marked, who has it.

import { drawCard } from "./board.js";
import { make, setText } from "./line.js";

/** Which ways to complete a stage's pattern a card has with these calls, by their place in the list. */
function waysDone({ ways }, card, called) {
  const all = new Set(called);
  const numbers = card.rows.flat();
  const covered = ({ card: places }) => [...places.join("")].filter((sign, place) => sign === "#" && all.has(numbers[place])).length;
  return ways.map((way, index) => (covered(way) >= way.need ? index : -1)).filter((index) => index >= 0);
}

/** The prizes that can be won and are not for somebody else: a second house is not for the winner of the first. */
function prizesFor(card, view) {
  if (!view || view.phase === "closed" || view.phase === "between") return [];
  return view.open.filter(({ pattern }) => !view.wins.some((win) => win.serial === card.serial && win.pattern === pattern));
}

/** Whether a card has all that a prize asks for. */
function hasIt(card, view) {
  return prizesFor(card, view).some((stage) => waysDone(stage, card, view.called).length > 0);
}

/** The cards that have it on the last number called, and have not been checked in this stop. */
export function winners(cards, view) {
  const done = new Set((view?.claims ?? []).map(({ serial }) => serial));
  const before = view?.called.slice(0, -1);
  const justNow = (stage, card) => {
    const had = waysDone(stage, card, before);
    return waysDone(stage, card, view.called).some((way) => !had.includes(way));
  };
  return cards.filter((card) => !done.has(card.serial) && prizesFor(card, view).some((stage) => justNow(stage, card)));
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
    setText(player.querySelector("small"), wins ? this.#words["has-it"] : card.holder ? card.serial : "");
    for (const cell of player.querySelectorAll("td:not(:empty)")) {
      cell.className = view?.called.includes(Number(cell.textContent)) ? "marked" : "open";
    }
  }
}
