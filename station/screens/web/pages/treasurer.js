// The night's money as it stands: takings, accounts, what is owed; counted, approved and banked here; what the record says; the report.

import { Money } from "./desk-money.js";
import { More } from "./desk-more.js";
import { Till } from "./desk-till.js";
import { fill, follow, make, setText } from "./line.js";
import { $, answers, pageWords, ready, refreshing } from "./page.js";
import { Papers } from "./papers.js";
import { showWho } from "./people.js";
import { redraw } from "./redraw.js";
import { drawTakings } from "./takings.js";
import { Books } from "./treasurer-books.js";
import { wireTo } from "./wire.js";
import { doing, pressable, report } from "./wishes.js";

const { ask, act } = wireTo("/treasurer", "X-Loto-Treasurer");
const words = await pageWords("treasurer");
showWho();
const refreshSoon = refreshing(refresh);
const NO_RIGHT = new Set(["not-your-role", "not-paired"]);
// What is done on this page: nobody sells or pays here, whatever else he may.
const ACTS = new Set(["count-cash", "bank", "approve"]);
// The kinds of account, as they are read; those of one game or one card are one kind.
const KINDS = ["purses", "game", "owed", "due", "refund", "carried", "jackpot", "vouchers", "house", "charity"];
const COLUMNS = ["sold", "counted", "to-hand-in", "difference"];

let view = null;
let money = new Money({ sign: "", decimals: 0 });
let me = { name: "", acts: [] };

const may = (name) => ACTS.has(name) && me.acts.includes(name);
const papers = new Papers({ ask, path: "/treasurer", words });
const does = doing(act, words, async () => {
  await refreshSoon();
  books.now();
});
const tools = { ask, does, report, words, may, me: () => me, papers, money: () => money };
const till = new Till(tools);
const more = new More(tools);
const books = new Books(tools);

/** What every kind of account holds; the cash in the hall is what the players paid and did not get back. */
function kinds(balances) {
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
  for (const [account, units] of Object.entries(balances)) sums[account.split(":")[0]] += units;
  return sums;
}

function drawAccounts({ balances, next_night: next }) {
  const [now, then] = [kinds(balances), kinds(next)];
  const cells = (...units) => units.map((sum) => make("td", {}, money.text(sum)));
  const rows = KINDS.filter((kind) => now[kind] || then[kind] || kind === "house").map((kind) =>
    make("tr", { "data-key": kind }, make("th", { scope: "row" }, words[`account-${kind}`]), ...cells(now[kind], then[kind])));
  const total = (sums) => Object.values(sums).reduce((sum, units) => sum + units, 0);
  redraw($("accounts-table"),
    make("thead", {}, make("tr", {}, ...["account", "now", "next-night"].map((key) => make("th", { scope: "col" }, words[key])))),
    make("tbody", {}, make("tr", { "data-key": "cash" }, make("th", { scope: "row" }, words.cash), ...cells(-now.purses, -then.purses)), ...rows),
    make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, words["account-all"]), ...cells(total(now), total(then)))));
}

function drawTotals({ sellers, owed }) {
  const sums = (key) => money.text(sellers.reduce((sum, seller) => sum + seller[key], 0));
  setText($("counted"), sellers.length ? fill(words["counted-all"], { counted: sums("counted"), expected: sums("expected") }) : words["nothing-sold"]);
  const amount = owed.reduce((sum, one) => sum + one.amount, 0);
  setText($("owed-all"), amount ? fill(words["owed-all"], { sum: money.text(amount), count: owed.length }) : "");
}

/** A call that was paid for is taken back only when two people agree. */
function drawUndo({ paid, approved }) {
  $("undo").hidden = !paid.length;
  if (!paid.length) return redraw($("undo"));
  const agree = () => does("approve", { about: "undo", who: me.name }, words["done-approve-undo"]);
  const button = pressable({ key: "approve-undo", text: words["approve-undo"], press: agree });
  const names = approved.length ? [make("p", { class: "good" }, fill(words.approved, { names: approved.join(", ") }))] : [];
  return redraw($("undo"), make("p", {}, fill(words["undo-paid"], { cards: paid.join(", ") })), ...names, ...(may("approve") ? [button] : []));
}

function drawReport() {
  const night = Number($("report").elements.night.value);
  redraw($("report-place"), papers.place({ paper: "report", ...(night && { night }) }, words["report-make"]));
}

/** Asks for everything anew: after each change of the night, whoever made it. */
async function refresh() {
  const [answer, who, night] = await Promise.all([ask("money"), ask("me"), ask("night")]);
  const opens = $("treasurer").hidden;
  if (answers(answer, words) || NO_RIGHT.has(answer.refused.reason)) $("treasurer").hidden = !answer.answer;
  if (!answer.answer) return answer;
  me = who.answer ?? me;
  money = new Money(answer.answer.currency);
  if (!me.acts.includes("report")) return shut();
  setText($("night"), night.answer ? fill(words.night, { night: night.answer.night, game: night.answer.opened, of: night.answer.games }) : "");
  const { sellers } = answer.answer;
  drawTakings($("takings"), sellers, sellers.some(({ vouchers }) => vouchers) ? [...COLUMNS, "vouchers"] : COLUMNS, tools);
  drawTotals(answer.answer);
  till.show(answer.answer);
  drawUndo(answer.answer.correction);
  drawAccounts(answer.answer);
  more.show(false);
  if (opens) drawReport();
  if (opens) books.now();
  return answer;
}

/** This page is for whoever audits; others are told so. */
function shut() {
  $("treasurer").hidden = true;
  const refused = { refused: { reason: "not-your-role" } };
  answers(refused, words);
  return refused;
}

$("again").addEventListener("click", () => {
  $("as-of").replaceChildren(); // who has it read again is told again
  books.now();
});
$("report").addEventListener("input", drawReport);
$("report").addEventListener("submit", (event) => {
  event.preventDefault();
  $("report-place").querySelector("button").click();
});

follow("/ws", {
  view(next) {
    const changed = next.seq !== view?.seq;
    view = next;
    $("test").hidden = !view.test;
    if (!changed) return;
    refreshSoon();
    books.soon();
  },
  stale(now) {
    document.body.dataset.stale = now;
    if (!now) refreshSoon();
  },
});

await refreshSoon().finally(ready);
