// What the record says of the night's money: what was paid and by whom, what was taken back, what nobody claimed.

import { fill, make, setText } from "./line.js";
import { $, inTurn } from "./page.js";
import { redraw } from "./redraw.js";

const EVERY_MS = 20_000; // the record is read anew at most so often, but for what is done on this page
const BOOKS = { paper: "books" };

export class Books {
  #tools;
  #read = inTurn(() => this.#anew());
  #at = 0; // when it was read last
  #timer;

  constructor(tools) {
    this.#tools = tools;
  }

  /** Reads the record anew, now, and shows it. */
  now() {
    clearTimeout(this.#timer);
    return this.#read();
  }

  /** Reads it anew, but not too often. */
  soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.now(), Math.max(0, this.#at + EVERY_MS - Date.now()));
  }

  async #anew() {
    const { papers, ask, words } = this.#tools;
    this.#at = Date.now();
    $("record").setAttribute("aria-busy", "true");
    const say = (text) => setText($("as-of"), text);
    // It is read by itself: what hinders that stands here, and is no answer to what was just done.
    const told = await papers.read(BOOKS, () => say(words["record-reading"]), say);
    $("record").setAttribute("aria-busy", "false");
    if (!told) return undefined;
    const books = await whole(ask, told.line);
    if (!books) return say(words["record-away"]);
    setText($("as-of"), fill(words["record-as-of"], { line: told.line }));
    this.#draw(books);
    return undefined;
  }

  #draw({ payments, corrections, sleepers }) {
    this.#list($("payments"), payments, (row) => this.#payment(row), "no-payments");
    this.#list($("corrections"), corrections, (row) => this.#correction(row), "no-corrections");
    this.#list($("sleepers"), sleepers, (row) => this.#sleeper(row), "no-sleepers");
  }

  /** The newest first; of what is not among them, how many there are. */
  #list(place, { rows, of }, line, nothing) {
    const { words } = this.#tools;
    const lines = rows.map(line).reverse();
    if (of > rows.length) lines.push(make("li", { class: "hint" }, fill(words["record-more"], { count: of - rows.length })));
    redraw(place, ...(lines.length ? lines : [make("li", { class: "hint" }, words[nothing])]));
  }

  #payment({ at, what, serial, amount, means, by, proof, approved, agreed, line }) {
    const { words, money, papers } = this.#tools;
    const sum = money().text(Math.abs(amount));
    const parts = [
      clock(at),
      words[`what-${what.replace(/[^a-z]+/g, "-")}`] ?? what,
      serial && fill(words["owed-card"], { serial }),
      means === "voucher" ? fill(words["as-voucher"], { sum }) : sum,
      fill(words["paid-by"], { name: named(by, proof, words) }),
      approved && fill(words.approved, { names: named(approved, agreed || "typed", words) }),
    ];
    const receipt = what === "prize" && serial ? [" ", papers.place({ paper: "receipt", serial }, words.receipt)] : [];
    return make("li", { "data-key": `line-${line}` }, parts.filter(Boolean).join(" · "), ...receipt);
  }

  #correction({ game, number, why, at, by, approved, agreed }) {
    const { words } = this.#tools;
    const parts = [
      clock(at),
      fill(words.correction, { game, number }),
      why,
      fill(words["taken-by"], { name: by }),
      approved && fill(words.approved, { names: named(approved, agreed || "typed", words) }),
    ];
    return make("li", {}, parts.filter(Boolean).join(" · "));
  }

  #sleeper({ game, stage, serial, holder, call }) {
    const { words } = this.#tools;
    return make("li", {}, [fill(words.sleeper, { game, stage, serial, call }), holder].filter(Boolean).join(" · "));
  }
}

/** Names with how each is proven: "Dora (PIN), Eve (own device)". */
function named(names, proofs, words) {
  const proven = proofs ? proofs.split(", ") : [];
  // A name may have a comma in it; then the proofs stand behind all of them.
  const each = names.split(", ");
  const told = proven.map((proof) => words[`proof-${proof}`] ?? proof);
  if (each.length !== told.length) return told.length ? `${names} (${told.join(", ")})` : names;
  return each.map((name, place) => `${name} (${told[place]})`).join(", ");
}

/** When it was, by the clock of whoever looks; with a question mark where the station's was not set. */
function clock(at) {
  const time = new Date(`${at.slice(0, 19).replace(" ", "T")}Z`);
  return `${time.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" })}${at.endsWith("?") ? " ?" : ""}`;
}

/** The books, put together from their pieces; null where the station went away meanwhile. */
async function whole(ask, line) {
  let [text, at] = ["", 0];
  while (at !== null) {
    const { answer } = await ask("paper", { ...BOOKS, line, at });
    if (!answer?.data) return null;
    text += atob(answer.data);
    at = answer.next;
  }
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
}
