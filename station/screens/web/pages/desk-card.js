// A card or a ticket that was looked at: its verdict in large letters, its face with the marks, what it wants and what it won.

import { COLUMNS, column } from "./columns.js";
import { fill, make } from "./line.js";

/** The face of a card, three rows of nine cells; `last` is the number just called, `winning` are those that complete what the card wins. */
export function face(rows, marked = [], last = null, tensLast = false, winning = []) {
  const cell = (number) => {
    if (number === undefined) return make("td");
    const isMarked = marked.includes(number);
    const kinds = [isMarked && "marked", isMarked && number === last && "last", winning.includes(number) && "winning"].filter(Boolean);
    return make("td", { class: kinds.join(" ") || null }, String(number));
  };
  const line = (row) => {
    const cells = new Array(COLUMNS).fill(undefined);
    for (const number of row) cells[column(number, tensLast)] = number;
    return make("tr", {}, ...cells.map(cell));
  };
  return make("table", { class: winning.length ? "face won-face" : "face" }, make("tbody", {}, ...rows.map(line)));
}

/** Everything about what was looked at, with its buttons. */
export function drawn(found, words, money, buttons) {
  const last = found.last?.[0] ?? null;
  const verdict = found.verdict ?? "none";
  const won = "still" in found; // in this game, before: then it claims nothing wrongly
  const bad = !won && found.verdict && found.verdict !== "valid"; // its sentence begins as its large letters do
  const good = won || found.verdict === "valid";
  const parts = [
    make("p", { class: `verdict ${good ? "good" : bad ? "bad" : "none"}`, "data-testid": "verdict" }, words[`verdict-${won ? "won" : verdict}`]),
    make("p", { class: "say" }, won ? found.still : bad && !found.checked ? found.say.replace(/^[^:]*: /, "") : found.say),
  ];
  if (found.rows) parts.push(make("h3", {}, ...whose(found, words)), face(found.rows, found.marked, last, found.tens_last, found.winning));
  else parts.push(make("p", { class: "balls" }, ...found.numbers.map((number) => ball(number, found.marked, last))));
  for (const win of found.won ?? []) {
    const what = [win.name, win.amount ? money.text(win.amount) : "", win.thing].filter(Boolean).join(", ");
    parts.push(make("p", { class: "won" }, fill(words.won, { what }), win.amount || win.thing ? ` (${words[win.paid ? "paid" : "unpaid"]})` : ""));
  }
  if (buttons.length) parts.push(make("div", { class: "line" }, ...buttons));
  return parts;
}

const ball = (number, marked, last) =>
  make("span", { class: `ball ${marked.includes(number) ? "marked" : "missing"} ${number === last ? "last" : ""}` }, String(number));

function whose({ serial, holder, seller, sold }, words) {
  const who = sold ? (holder ?? words["holder-none"]) : words["not-sold"];
  return [make("span", { class: "serial" }, serial), ` ${who}`, seller ? make("small", {}, ` ${fill(words["sold-by"], { name: seller })}`) : ""];
}
