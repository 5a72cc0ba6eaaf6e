// The players' screen: draws one board view, whole, into an element of any size.

import { fill, make, setText } from "./line.js";

/** In which of a card's nine columns a number stands: units, tens, twenties … 80 to 90. */
export const column = (number) => Math.min(8, Math.floor(number / 10));

export class Board {
  #words;
  #parts = {};
  #view = null;

  /** `frame` becomes the board's frame: all sizes are parts of its width and height. */
  constructor(frame, words) {
    this.#words = words;
    frame.append(this.#build());
  }

  /** Draws this view. */
  show(view) {
    this.#view = view;
    const { board } = this.#parts;
    board.dataset.phase = view.phase;
    board.dataset.seq = view.seq;
    board.dataset.started = view.called.length > 0;
    board.dataset.panel = view.phase === "halted" ? "halted" : view.claim ? "claim" : "numbers";
    this.#showHead(view);
    this.#showCalls(view);
    this.#showFacts(view);
    this.#showClaim(view);
    this.#showFoot(view);
  }

  /** Says, over everything, that the picture may be old; or no longer. */
  setStale(stale) {
    this.#parts.board.dataset.stale = stale;
    setText(this.#parts.stale, stale ? this.#words.stale : "");
  }

  #part(name, tag, attributes = {}, ...children) {
    this.#parts[name] = make(tag, { class: name, ...attributes }, ...children);
    return this.#parts[name];
  }

  #label(key, element) {
    return make("div", { class: "labelled" }, make("h2", {}, this.#words[key]), element);
  }

  #build() {
    const cells = Array.from({ length: 90 }, (_, index) => make("li", {}, String(index + 1)));
    return this.#part(
      "board", "section", { "data-panel": "numbers", "data-started": "false" },
      make("header", { class: "head" },
        this.#part("hall", "h1"), this.#part("game", "p"), this.#part("test", "p", { hidden: true }, this.#words.test)),
      make("div", { class: "now" },
        this.#part("waiting", "p"),
        this.#label("last-number", this.#part("last", "output", { "data-testid": "last", "aria-live": "polite" })),
        this.#part("facts", "dl"), this.#part("wins", "ul", { "aria-label": this.#words.winners })),
      make("div", { class: "side" },
        make("div", { class: "numbers" },
          this.#label("last-ten", this.#part("ten", "ol", { "data-testid": "last-ten" })),
          this.#part("ninety", "ol", { "data-testid": "ninety", "aria-hidden": "true" }, ...cells)),
        this.#part("claim", "div", { "data-testid": "claim", role: "status" }),
        this.#part("procedure", "div", { role: "alert" })),
      make("footer", { class: "foot" }, this.#part("notice", "p", { "aria-live": "polite" }), this.#part("signs", "ul", { role: "status" })),
      this.#part("called", "ol", { class: "unseen", "data-testid": "called" }),
      this.#part("stale", "p", { role: "alert", "data-testid": "stale" }),
    );
  }

  #showHead(view) {
    const { hall, game, test, waiting } = this.#parts;
    setText(hall, view.hall);
    setText(game, view.game ? `${fill(this.#words["game-of"], view.game)} · ${view.game.name}` : "");
    test.hidden = !view.test;
    const waits = { closed: "closed", between: "between", playing: "eyes-down", stopped: "stopped", halted: "halted" };
    setText(waiting, this.#words[waits[view.phase]]);
  }

  #showCalls({ called }) {
    const { last, ten, ninety, called: order } = this.#parts;
    setText(last, called.length ? String(called.at(-1)) : "");
    ten.replaceChildren(...called.slice(-10).reverse().map((number) => make("li", {}, String(number))));
    const all = new Set(called);
    for (const [index, cell] of [...ninety.children].entries()) {
      cell.className = index + 1 === called.at(-1) ? "lit newest" : all.has(index + 1) ? "lit" : "";
    }
    order.replaceChildren(...called.map((number) => make("li", {}, `${number} `)));
  }

  #showFacts(view) {
    const words = this.#words;
    const facts = [
      ["stage", view.stage && view.stage.name],
      ["prize", view.prize && view.prize.text],
      ["calls", fill(words["calls-of"], { count: view.called.length })],
      ["cards", String(view.cards)],
      ["players", String(view.players)],
    ];
    this.#parts.facts.replaceChildren(
      ...facts.filter(([, text]) => text).map(([key, text]) => make("div", { class: `fact-${key}` }, make("dt", {}, words[key]), make("dd", {}, text))),
    );
    const wins = view.wins.map((win) => {
      const who = win.holder ? `${win.serial} ${win.holder}` : win.serial;
      return make("li", {}, make("b", {}, win.stage), ` ${who} · ${win.prize.text} · ${words[win.paid ? "paid" : "to-pay"]}`);
    });
    if (view.near !== null) wins.push(make("li", { class: "near" }, fill(words.near, { count: view.near })));
    this.#parts.wins.replaceChildren(...wins);
  }

  #showClaim({ claim, claims }) {
    const words = this.#words;
    if (claim === null) {
      this.#parts.claim.replaceChildren();
      return;
    }
    const title = fill(words["claim-of"], claim) + (claim.holder ? ` · ${fill(words.holder, { name: claim.holder })}` : "");
    const others = claims.filter((other) => other.serial !== claim.serial);
    this.#parts.claim.replaceChildren(
      make("h2", {}, title),
      make("p", { class: "verdict", "data-verdict": claim.verdict, "data-testid": "verdict" },
        make("span", { class: "verdict-sign", "aria-hidden": "true" }, claim.verdict === "valid" ? "✓" : "✗"), words[claim.verdict]),
      claim.rows.length ? drawCard(claim) : "",
      make("p", { class: "verdict-text" }, claim.text),
      make("ul", { class: "others" }, ...others.map((other) => make("li", {}, `${other.serial} ${words[other.verdict]}`))),
    );
  }

  #showFoot(view) {
    const { notice, signs, procedure } = this.#parts;
    setText(notice, view.notice);
    signs.replaceChildren(...view.signs.map((sign) => make("li", { "data-colour": sign.colour }, sign.text)));
    const steps = view.procedure.map((step) => make("li", {}, step));
    procedure.replaceChildren(...(view.phase === "halted" ? [make("h2", {}, this.#words.halted), make("ol", {}, ...steps)] : []));
  }
}

/** A card with its marks: three rows of nine columns. */
export function drawCard({ rows, marked, missing }) {
  const isMarked = new Set(marked);
  const isMissing = new Set(missing);
  const lines = rows.map((row) => {
    const cells = Array.from({ length: 9 }, () => make("td"));
    for (const number of row) {
      const cell = cells[column(number)];
      cell.textContent = number;
      cell.className = isMarked.has(number) ? "marked" : isMissing.has(number) ? "missing" : "open";
    }
    return make("tr", {}, ...cells);
  });
  return make("table", { class: "card" }, make("tbody", {}, ...lines));
}
