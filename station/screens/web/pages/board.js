// The players' screen: draws one board view, whole, into an element of any size.

import { Table } from "./board-table.js";
import { COLUMNS, column } from "./columns.js";
import { fit, isCut } from "./fit.js";
import { fill, make, setText } from "./line.js";
import { drawCode } from "./qr.js";
import { addressOf, untilShut } from "./table-open.js";
import { symbol } from "./theme.js";

const LONG = 11; // letters of a fact that take two lines
const SMALL = 0.75; // of its size, a text that is one of many
const SMALLEST = 0.5; // and one that must be there

export class Board {
  #words;
  #parts = {};
  #view = null;
  #table;
  #theme = null;
  #wins = { told: [], near: [] };
  #open = untilShut((seconds) => this.#showCode(seconds));

  /** `frame` becomes the board's frame: all sizes are parts of its width and height. */
  constructor(frame, words) {
    this.#words = words;
    this.#table = new Table(words);
    frame.append(this.#build());
    const again = () => this.#fit();
    new ResizeObserver(again).observe(frame);
    document.fonts.addEventListener("loadingdone", again);
    window.addEventListener("measured", again); // by older.js, where the browser has no container units
  }

  /** Draws this view. */
  show(view) {
    this.#tell(this.#view, view);
    this.#view = view;
    const { board } = this.#parts;
    board.dataset.phase = view.phase;
    board.dataset.seq = view.seq;
    board.dataset.started = view.called.length > 0;
    board.dataset.panel = panel(view);
    this.#showHead(view);
    this.#open.show(view);
    this.#showCalls(view);
    this.#showFacts(view);
    this.#showClaim(view);
    this.#showPause(view);
    this.#showFoot(view);
    this.#showFrame(view);
    this.#table.show(view);
    this.#fit();
  }

  /** Says, over everything, that the picture may be old; or no longer. */
  setStale(stale) {
    this.#parts.board.dataset.stale = stale;
    setText(this.#parts.stale, stale ? this.#words.stale : "");
  }

  /** Sets smaller what is too long for its place: from afar nobody can scroll. */
  #fit() {
    const { waiting, pause, procedure, claim, open, facts, wins } = this.#parts;
    const { told, near } = this.#wins;
    wins.replaceChildren(...told, ...near); // first: while there are none, the plates beside it are wider
    fit([waiting, pause, procedure, claim, open, ...facts.children], SMALLEST);
    for (let count = told.length; count >= 0; count--) {
      const more = count < told.length ? [make("li", {}, `+${told.length - count}`)] : [];
      wins.replaceChildren(...told.slice(0, count), ...more, ...near);
      fit([wins], count > 2 ? SMALL : SMALLEST);
      if (count < 2 || !isCut(wins)) return; // the newest is there in any case
    }
  }

  #part(name, tag, attributes = {}, ...children) {
    this.#parts[name] = make(tag, { class: name, ...attributes }, ...children);
    return this.#parts[name];
  }

  #build() {
    const cells = Array.from({ length: 90 }, (_, index) => make("li", {}, String(index + 1)));
    return this.#part(
      "board", "section", { "data-panel": "numbers", "data-started": "false" },
      make("header", { class: "head" },
        this.#part("hall", "h1"), this.#part("game", "p"), this.#part("test", "p", { hidden: true }, this.#words.test)),
      make("div", { class: "now" },
        this.#part("waiting", "p"),
        make("div", { class: "plate" }, make("h2", {}, this.#words["last-number"]), this.#part("count", "p"), this.#part("last", "p", { "data-testid": "last" }))),
      make("div", { class: "side" },
        this.#part("ninety", "ol", { "data-testid": "ninety", "aria-hidden": "true" }, ...cells),
        this.#part("claim", "div", { "data-testid": "claim" }),
        this.#part("pause", "div", { "data-testid": "pause" })),
      this.#part("procedure", "div", { role: "alert" }),
      this.#part("ten", "ol", { "aria-label": this.#words["last-ten"], "data-testid": "last-ten" }),
      make("div", { class: "info" },
        this.#part("open", "ul", { "aria-label": this.#words.open }), this.#part("facts", "dl"), this.#part("wins", "ul", { "aria-label": this.#words.winners })),
      this.#table.element,
      this.#part("code", "div", { "data-testid": "code" }),
      make("footer", { class: "foot" }, this.#part("notice", "p"), make("div", { class: "troubles", role: "status" }, this.#part("signs", "ul"))),
      this.#part("called", "ol", { class: "unseen", "data-testid": "called" }),
      this.#part("told", "p", { class: "unseen", role: "status", "data-testid": "told" }),
      this.#part("edges", "div", { "data-testid": "edges" }),
      this.#part("stale", "p", { role: "alert", "data-testid": "stale" }),
    );
  }

  /**
   * Tells whoever does not see the board what has changed on it: the number, who is checked, what the station says. It is told in one
   * place that is always there, for a screen reader does not hear what appears together with its place.
   */
  #tell(before, view) {
    if (!before) return;
    const { called, theme, claim, notice } = view;
    const number = called.at(-1);
    const drawn = called.length > before.called.length ? [theme?.words[number - 1], number] : [];
    const checked = claim && JSON.stringify(claim) !== JSON.stringify(before.claim) ? [`${claim.label}: ${this.#words[claim.verdict]}.`, claim.text] : [];
    // The number that is said again stands in the notice, in the same words as before.
    const again = view.say?.clips[0] === "last-number" && view.say.token !== before.say?.token;
    const text = [...drawn, ...checked, notice === before.notice && !again ? "" : notice].filter(Boolean).join(" ");
    if (text) this.#parts.told.replaceChildren(make("span", {}, text)); // a new element: what is said twice is told twice
  }

  #showHead(view) {
    const { hall, game, test, waiting } = this.#parts;
    setText(hall, view.hall);
    setText(game, view.game ? `${fill(this.#words["game-of"], view.game)} · ${view.game.name}` : "");
    test.hidden = !view.test;
    const between = view.game && !view.coming.length ? "played" : "between";
    const waits = { closed: "closed", between, playing: "eyes-down", stopped: "stopped", halted: "halted" };
    setText(waiting, (view.phase === "stopped" && view.game?.stopped) || this.#words[waits[view.phase]]);
  }

  /** In quiet moments, the newest head of the record, for a telephone; while the table is open, where players join it. */
  #showCode(seconds) {
    if (!this.#view) return;
    const { code: place } = this.#parts;
    const join = seconds ? addressOf(this.#view, "/join") : "";
    const code = join || (this.#view.phase === "halted" ? "" : this.#view.code);
    this.#parts.board.dataset.coded = Boolean(code);
    if (place.dataset.says !== code) {
      place.dataset.says = code;
      place.replaceChildren(...(code ? [drawCode(code, join || this.#words.code), make("p", {}, join ? "" : this.#words.code)] : []));
    }
    if (join) setText(place.querySelector("p"), fill(this.#words["join-here"], { address: join, seconds }));
  }

  #showCalls({ called, theme }) {
    const { board, count, last, ten, ninety, called: order } = this.#parts;
    setText(count, called.length ? fill(this.#words["calls-of"], { count: called.length }) : "");
    if (theme?.key !== this.#theme?.key || theme?.words.some((word, index) => word !== this.#theme.words[index])) {
      board.dataset.pictured = Boolean(theme);
      for (const [index, cell] of [...ninety.children].entries()) cell.replaceChildren(...symbol(index + 1, theme, { words: false }));
    }
    this.#theme = theme;
    if (theme) last.replaceChildren(...(called.length ? symbol(called.at(-1), theme) : []));
    else setText(last, called.length ? String(called.at(-1)) : "");
    ten.replaceChildren(...called.slice(-10).reverse().map((number) => make("li", {}, make("b", {}, ...symbol(number, theme)))));
    const all = new Set(called);
    for (const [index, cell] of [...ninety.children].entries()) {
      cell.className = index + 1 === called.at(-1) ? "lit newest" : all.has(index + 1) ? "lit" : "";
    }
    order.replaceChildren(...called.map((number) => make("li", {}, `${number} `)));
  }

  #showFacts(view) {
    const words = this.#words;
    const several = view.open.length > 1;
    const open = several ? view.open : [];
    this.#parts.board.dataset.several = open.length > 2;
    this.#parts.open.replaceChildren(
      ...open.map(({ name, prize, picture }) => make("li", {}, drawPattern(picture), make("span", {}, make("b", {}, name), ` ${prize?.text ?? ""}`))),
    );
    const stage = !several && view.stage ? [drawPattern(view.stage.picture), view.stage.name] : [];
    const facts = [
      ["stage", stage],
      ["prize", !several && view.prize ? [view.prize.text] : []],
      ["jackpot", view.jackpot ? [view.jackpot.text] : []],
      ["next-game", view.coming.slice(0, view.pause ? 0 : 1)],
      ["cards", [String(view.cards)]],
      ["players", several ? [] : [String(view.players)]], // the prizes want the room
    ];
    this.#parts.facts.replaceChildren(
      ...facts.filter(([, says]) => says.length).map(([key, says]) => make("div", { class: `fact-${key}` }, make("dt", {}, words[key]), make("dd", { "data-long": String(says.at(-1).length > LONG) }, ...says))),
    );
    const told = [...view.wins].reverse().map((win) => {
      const who = win.holder ? `${win.label} ${win.holder}` : win.label;
      return make("li", {}, make("b", {}, win.stage), ` ${who} · ${win.prize.text} · ${win.status}`);
    });
    const near = [["near", view.near], ["near-two", view.near_two]].filter(([, count]) => count !== null);
    const line = near.map(([key, count]) => fill(words[key], { count })).join(" · ");
    this.#wins = { told, near: line ? [make("li", { class: "near" }, line)] : [] };
  }

  #showClaim({ claim, claims }) {
    const words = this.#words;
    if (claim === null) {
      this.#parts.claim.replaceChildren();
      return;
    }
    const title = claim.label + (claim.holder ? ` · ${fill(words.holder, { name: claim.holder })}` : "");
    const others = claims.filter((other) => other.serial !== claim.serial);
    this.#parts.claim.replaceChildren(
      make("h2", {}, title),
      make("p", { class: "verdict", "data-verdict": claim.verdict, "data-testid": "verdict" },
        make("span", { class: "verdict-sign", "aria-hidden": "true" }, claim.verdict === "valid" ? "✓" : "✗"), words[claim.verdict]),
      claim.rows.length ? drawCard(claim, this.#theme) : claim.numbers.length ? drawTicket(claim) : "",
      make("p", { class: "verdict-text" }, claim.text),
      make("ul", { class: "others" }, ...others.map((other) => make("li", {}, `${other.numbers.length ? other.label : other.serial} ${words[other.verdict]}`))),
    );
  }

  #showPause({ pause, coming }) {
    if (!pause) {
      this.#parts.pause.replaceChildren();
      return;
    }
    this.#parts.pause.dataset.ruled = pause.rules.length > 0;
    const [next, ...later] = coming;
    const games = [["next-game", next], ["next-games", later.join(" · ")]].filter(([, text]) => text);
    this.#parts.pause.replaceChildren(
      make("h2", {}, pause.text || this.#words.break),
      ...(pause.follows ? [make("p", {}, pause.follows)] : []),
      make("dl", {}, ...games.map(([key, text]) => make("div", {}, make("dt", {}, this.#words[key]), make("dd", {}, text)))),
      ...(pause.rules.length ? [make("h3", {}, pause.title), make("ol", { class: "short-rules" }, ...pause.rules.map((sentence) => make("li", {}, sentence)))] : []),
    );
  }

  /** While the self-test runs: the edges, so that people see what a television crops. */
  #showFrame({ frame, notice }) {
    this.#parts.board.dataset.frame = Boolean(frame);
    this.#parts.edges.replaceChildren(...(frame ? [make("p", {}, fill(this.#words["test-frame"], { setting: "[screen] inset" })), make("p", {}, notice)] : []));
  }

  #showFoot(view) {
    const { notice, signs, procedure } = this.#parts;
    const luck = view.phase === "halted" ? "" : view.luck; // the six steps want the room
    setText(notice, view.called.length ? view.notice || luck : [view.notice, luck].filter(Boolean).join(" · "));
    notice.dataset.long = Math.min(2, Math.floor(notice.textContent.length / 110)); // a settlement takes many sentences
    // In the hall's words, each sentence once: what is wrong with which device is the caller's.
    const told = new Map(view.signs.map(({ hall, text, colour }) => [hall || text, colour]));
    signs.replaceChildren(...[...told].map(([text, colour]) => make("li", { "data-colour": colour }, text)));
    const steps = view.procedure.map((step) => make("li", {}, step));
    procedure.replaceChildren(...(view.phase === "halted" ? [make("h2", {}, this.#words.halted), make("ol", {}, ...steps)] : []));
  }
}

/** What stands in the large part of the frame. */
function panel(view) {
  if (view.phase === "halted") return "halted";
  if (view.table) return "table";
  return view.claim ? "claim" : view.pause ? "pause" : "numbers";
}

/** What must be covered, as a small card of three rows of five. */
function drawPattern(picture) {
  const spots = [...picture.join("")].map((sign) => make("i", { class: sign === "#" ? "on" : false }));
  return make("span", { class: "pattern", "aria-hidden": "true" }, ...spots);
}

/** A card with its marks: three rows of nine columns. */
export function drawCard({ rows, marked, missing, winning = [], tens_last: tensLast = false }, theme = null) {
  const placed = rows.map((row) => row.map((number) => [column(number, tensLast), number]));
  return drawTable(placed, COLUMNS, { marked, missing, winning }, theme);
}

/** A ticket that the station knows by its numbers only: five side by side. */
function drawTicket({ numbers, marked, missing }) {
  const starts = numbers.map((_, index) => index).filter((index) => index % 5 === 0);
  const rows = starts.map((start) => numbers.slice(start, start + 5).map((number, index) => [index, number]));
  return drawTable(rows, 5, { marked, missing });
}

function drawTable(rows, columns, { marked, missing, winning = [] }, theme = null) {
  const isMarked = new Set(marked);
  const isMissing = new Set(missing);
  const wins = new Set(winning);
  const lines = rows.map((row) => {
    const cells = Array.from({ length: columns }, () => make("td"));
    for (const [place, number] of row) {
      cells[place].replaceChildren(...symbol(number, theme, { words: false }));
      cells[place].className = isMarked.has(number) ? "marked" : isMissing.has(number) ? "missing" : "open";
      if (wins.has(number)) cells[place].classList.add("winning");
    }
    return make("tr", {}, ...cells);
  });
  return make("table", { class: "card" }, make("tbody", {}, ...lines));
}
