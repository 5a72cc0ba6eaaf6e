// The desk: a card is looked at and claims, cards are sold, prizes are paid. The person at the station keys or scans.

import { keepAwake } from "./awake.js";
import { drawn } from "./desk-card.js";
import { Money } from "./desk-money.js";
import { More } from "./desk-more.js";
import { Sale } from "./desk-sale.js";
import { Till } from "./desk-till.js";
import { act, ask } from "./desk-wire.js";
import { fullScreenButton } from "./full-screen.js";
import { listen } from "./keys.js";
import { fill, follow, make, setText } from "./line.js";
import { $, answers, pageWords, ready, refreshing } from "./page.js";
import { Papers } from "./papers.js";
import { showWho } from "./people.js";
import { redraw } from "./redraw.js";
import { doing, pressable, report } from "./wishes.js";

const words = await pageWords("desk");
showWho();
fullScreenButton($("full-screen"), words);
keepAwake(document.querySelector("main"), words);
const refreshSoon = refreshing(refresh);
const CASHIER = "cashier";
const NO_RIGHT = new Set(["not-your-role", "not-paired"]);
const does = doing(act, words, refreshSoon);

let view = null;
let money = new Money({ sign: "", decimals: 0 });
let looked = null; // what is shown: how it was asked for
let turn = 0; // of the newest that was looked at
let me = { name: "", acts: [] };

const may = (act) => me.acts.includes(act);
const papers = new Papers({ ask, path: "/desk", words });
const tools = { ask, does, report, words, may, me: () => me, papers, money: () => money, look: (serial) => lookAt({ about: "card", serial }) };
const sale = new Sale(tools);
const till = new Till(tools);
const more = new More(tools);

// -- cards and claims

async function lookAt(asked) {
  const mine = ++turn;
  const answer = await ask(asked.about, asked);
  // Scanned on meanwhile: what is claimed and paid is what was scanned last, whichever answer comes first.
  if (mine !== turn) return false;
  looked = answer.refused ? null : asked;
  report(answer.refused?.say ?? "", true);
  $("found").replaceChildren(); // the same card once more is told once more
  show(answer.answer);
  return Boolean(looked);
}

/** Shows what was looked at; nothing where there is nothing. */
function show(found) {
  $("found").hidden = !found;
  redraw($("found"), ...(found ? drawn(found, words, money, buttonsFor(found)) : []));
}

function buttonsFor(found) {
  const buttons = [];
  const which = found.serial ?? found.numbers.join("-");
  if (found.verdict && !found.checked && may("claim")) {
    const text = words[view?.phase === "stopped" ? "claim-more" : "claim"];
    buttons.push(pressable({ key: `claim-${which}`, text, press: claimIt, main: found.verdict === "valid" }));
  }
  if (found.owed && may("pay")) {
    const text = fill(words.pay, { sum: money.text(found.owed) });
    buttons.push(pressable({ key: till.key(found), text, press: () => till.pay(found.serial, found.owed) }));
  }
  return buttons;
}

async function claimIt() {
  const { about, serial, numbers, stage, name } = looked;
  const ticket = about === "ticket";
  const details = ticket ? { numbers, ...(stage && { stage }), ...(name && { name }) } : { serial: (await ask("card", { serial })).answer?.serial ?? serial };
  await does(ticket ? "claim-ticket" : "claim", details, "");
}

async function drawChecked() {
  const { claims = [] } = (await ask("claims")).answer ?? {};
  const lines = claims.map(({ serial, verdict, say }) => make("li", { class: verdict === "valid" ? "good" : "bad" }, make("b", {}, serial), ` ${say}`));
  const over = pressable({ key: "play-on", text: words["play-on"], press: () => does("play-on") });
  redraw($("checked"), ...lines, ...(view?.phase === "stopped" && may("play-on") ? [make("li", { class: "over", "data-key": "over" }, over)] : []));
}

const numbersIn = (text) => text.split(/[\s,;]+/).filter(Boolean);

$("look").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = $("card");
  // Selected, so that the next scan writes over it.
  if (field.value.trim() && (await lookAt({ about: "card", serial: field.value })) && document.activeElement === field) field.select();
});

/** A card that was scanned is looked at; where the sale has the focus, it goes on its list as well. */
async function scanned(text, { from, dialog }) {
  const isSale = from.form === $("sell") && may("sell");
  const [listed, said] = isSale ? sale.list(text) : [false, ""];
  $("card").value = text;
  if (dialog) return report(fill(words["scan-waits"], { card: text }), true);
  const found = await lookAt({ about: "card", serial: text });
  if (found && isSale) report(said, !listed);
  if (!isSale && [document.body, $("card")].includes(document.activeElement)) $("card").select();
  return undefined;
}

/** What was typed nowhere begins a card. */
function typedNowhere(text) {
  $("card").focus();
  $("card").value = text;
  return true;
}

listen({
  scan: scanned,
  digits: typedNowhere,
  paste: typedNowhere,
  key: ({ key, repeat }) => !repeat && /^[a-z]$/i.test(key) && typedNowhere(key),
  several: typedNowhere,
});

$("ticket").addEventListener("submit", (event) => {
  event.preventDefault();
  const { numbers, name, stage } = event.target.elements;
  const typed = numbersIn(numbers.value);
  const wrong = typed.find((text) => !/^[0-9]{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 90);
  if (wrong !== undefined) report(fill(words["number-form"], { text: wrong }), true);
  else if (typed.length) lookAt({ about: "ticket", numbers: typed.map(Number), stage: stage.value || null, name: name.value.trim() });
});

// -- what is shown always

function drawGame() {
  const { game, phase, called } = view;
  const name = game && fill(words.game, { ...game, calls: called.length });
  const playing = phase === "playing" || phase === "stopped";
  const stages = (view.open?.length ? view.open : [view.stage]).filter(Boolean);
  const text = playing ? [name, stages.map((stage) => stage.name).join(", "), phase === "stopped" ? words.stopped : ""] : [words[phase] ?? phase];
  setText($("game"), text.filter(Boolean).join(" · "));
  $("test").hidden = !view.test;
  document.body.dataset.phase = phase;
  const select = $("ticket").elements.stage;
  const keys = stages.map(({ key }) => key).join();
  if (select.dataset.keys === keys) return;
  select.dataset.keys = keys;
  const option = ({ key, name: text }) => make("option", { value: key }, text);
  select.replaceChildren(make("option", { value: "" }, words["any-stage"]), ...stages.map(option));
}

/** Shows the desk or puts it away. It opens with the cursor where a scanner types, and never takes it from anybody later. */
function open(shown) {
  const opens = shown && $("desk").hidden;
  $("desk").hidden = !shown;
  if (opens && document.activeElement === document.body) $("card").focus();
}

/** Leaves on the desk what this person may do. Who sells here by name is who the device belongs to. */
function fit() {
  if (me.role === CASHIER) {
    const by = $("sell").elements.by;
    if ($("desk").dataset.of !== me.name) by.value ||= me.name;
    $("desk").dataset.of = me.name;
    $("who").placeholder = me.name;
  }
  $("ticket").closest("details").hidden = !may("claim-ticket");
  $("sale").hidden = !may("sell");
  $("who").closest("label").hidden = !may("pay");
  more.show(["playing", "stopped"].includes(view?.phase));
}

/** Asks for everything anew: after each change of the night, whoever made it. */
async function refresh() {
  const [answer, who] = await Promise.all([ask("money"), ask("me")]);
  // What is being keyed stays where it is while the station is only away for a moment.
  if (answers(answer, words) || NO_RIGHT.has(answer.refused.reason)) open(Boolean(answer.answer));
  if (!answer.answer) return answer;
  me = who.answer ?? me;
  fit();
  money = new Money(answer.answer.currency);
  sale.show(answer.answer);
  till.show(answer.answer);
  await drawChecked();
  if (looked) await lookAgain();
  return answer;
}

async function lookAgain() {
  const asked = looked;
  const answer = await ask(asked.about, asked);
  if (asked !== looked) return;
  if (answer.answer) show(answer.answer);
  else if (answer.refused.reason !== "away") {
    looked = null; // a ticket that was claimed with: from then on it stands among those checked
    show(null);
  }
}

follow("/ws", {
  view(next) {
    const changed = next.seq !== view?.seq;
    view = next;
    drawGame();
    if (changed) refreshSoon();
  },
  stale(now) {
    document.body.dataset.stale = now;
    if (!now) refreshSoon();
  },
});

await refresh().finally(ready);
