// The cards at the tables: who holds them, what is marked, who has it. What a card has the station says; nothing is judged here.

import { drawCard } from "./board.js";
import { fill, make, setText } from "./line.js";

export class Tables {
  #place;
  #players;
  #words;
  #hands;
  #made = new Map();
  #winner = "";

  /** `place` gets the cards, each with its holder and a way to claim; `players` the names of all who play. */
  constructor({ cards, players, words, hands }) {
    [this.#place, this.#players, this.#words, this.#hands] = [cards, players, words, hands];
  }

  /** Shows the cards of this bench, marked as far as the view has called. */
  show({ cards, players, winners }, view) {
    this.#lay(cards);
    for (const card of cards) this.#mark(this.#made.get(name(card)), card, view);
    this.#showPlayers(players);
    this.#bringUp(winners?.[0]?.serial ?? "");
  }

  /** Puts the cards in their order. One that stays is not touched: a button must not go from under the finger that presses it. */
  #lay(cards) {
    const made = new Map(cards.map((card) => [name(card), this.#made.get(name(card)) ?? this.#player(card)]));
    for (const child of [...this.#place.children]) if (![...made.values()].includes(child)) child.remove();
    [...made.values()].forEach((player, place) => {
      if (this.#place.children[place] !== player) this.#place.insertBefore(player, this.#place.children[place] ?? null);
    });
    if (!cards.length) this.#place.append(make("p", { class: "hint" }, this.#words["no-cards"]));
    this.#made = made;
  }

  #player(card) {
    const words = this.#words;
    const label = `${words.claim} ${card.serial} ${card.holder ?? ""}`.trim();
    const button = make("button", { class: "claim-button", "aria-label": label }, words.claim);
    button.addEventListener("click", () => this.#hands.act("claim", { serial: card.serial }));
    return make(
      "article", { class: "player", "data-serial": card.serial },
      make("header", {}, make("b", {}, card.holder ?? card.serial), make("small"), button),
      drawCard({ ...card, marked: [], missing: [] }),
    );
  }

  #mark(player, card, view) {
    player.classList.toggle("has-it", card.mark === "has");
    const said = this.#words[`mark-${card.mark}`];
    setText(player.querySelector("small"), [card.holder ? card.serial : "", said].filter(Boolean).join(" · "));
    for (const cell of player.querySelectorAll("td:not(:empty)")) {
      cell.className = view?.called.includes(Number(cell.textContent)) ? "marked" : "open";
    }
  }

  #showPlayers({ named, more, nobody, tickets }) {
    const words = this.#words;
    const others = Object.entries({ "players-more": more, "players-nobody": nobody, "players-tickets": tickets });
    const all = [...named.map(([player, count]) => `${player}\u00a0${count}`), ...others.filter(([, count]) => count).map(([key, count]) => fill(words[key], { count }))];
    setText(this.#players, all.length ? `${words.players} ${all.join(" · ")}` : "");
    this.#players.hidden = !all.length;
  }

  /** A card that has it newly is seen at once, wherever the list of cards stood. */
  #bringUp(serial) {
    if (serial !== this.#winner && serial) {
      const [card, list] = [this.#place.querySelector(`[data-serial="${CSS.escape(serial)}"]`), this.#place];
      const [inner, outer] = [card.getBoundingClientRect(), list.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top;
    }
    this.#winner = serial;
  }
}

const name = ({ serial, holder }) => `${serial} ${holder ?? ""}`;
