// How the station is: each thing with a sign, a word and a sentence, asked for every few seconds; self-test and census.

import { fill, make, setText } from "./line.js";
import { $, answers, inTurn, pageWords, ready } from "./page.js";
import { showWho } from "./people.js";
import { short } from "./preparing.js";
import { redraw } from "./redraw.js";
import { wireTo } from "./wire.js";
import { doing, pressable } from "./wishes.js";

const LOOK_MS = 5000;
const BUSY_MS = 1000; // while something is tried or counted
const KNOBS = 90;
const MARKS = { good: "✓", fault: "✗", unknown: "?" };

// What the self-test calls a part, and this page by another name.
const TRIED = { voice: "speech", board: "matrix", lamp: "lamps" };

const { ask, act } = wireTo("/health", "X-Loto-Health");
const words = await pageWords("health");
showWho();
const refreshSoon = inTurn(refresh);
const does = doing(act, words, refreshSoon);
let timer;

/** What a person calls it: the second reader of the settings, `reader-3`, is Reader 3. */
function nameOf(key) {
  const [kind, ...rest] = key.split("-");
  return [words[`item-${kind}`] ?? kind, ...rest].join(" ");
}

function drawItems(items) {
  const faults = items.filter(({ result }) => result === "fault");
  const values = { count: faults.length, faults: faults.map(({ key }) => nameOf(key)).join(", ") };
  const text = faults.length === 1 ? "faults-1" : faults.length ? "faults-n" : "all-good";
  setText($("summary"), fill(words[text], values));
  $("summary").classList.toggle("bad", faults.length > 0);
  const rest = items.filter(({ result }) => result !== "fault");
  redraw($("items"), ...[...faults, ...rest].map(({ key, result, say }) => make("li", { class: result, "data-key": key, "data-testid": `item-${key}` },
    make("span", { class: "mark", "aria-hidden": "true" }, MARKS[result]),
    make("b", {}, nameOf(key)),
    make("span", { class: "state" }, words[result]),
    make("p", { class: "say" }, say))));
}

/** The same of a part of the self-test: `button next` is one of the buttons. */
function triedName(what) {
  const [kind, ...rest] = what.split(" ");
  return [nameOf(TRIED[kind] ?? kind), ...rest].join(" ");
}

/** One test in its place: its button, and what came of it. */
function drawTry(place, key, active, press, text) {
  const button = pressable({ key, text: words[key], press, main: active });
  redraw(place, button);
  redraw($(`${place.id}-told`), ...(text ? [make("p", {}, text)] : []));
}

function drawTest({ active, parts = [] }) {
  const faults = parts.filter(({ result }) => result === "fault").map(({ what }) => triedName(what));
  const values = { count: parts.length, faults: faults.join(", ") };
  const text = active ? "test-active" : parts.length ? (faults.length ? "test-faults" : "test-good") : "";
  const press = () => does(active ? "self-test-end" : "self-test-begin");
  drawTry($("test"), active ? "test-end" : "test-begin", active, press, text && fill(words[text], values));
}

function drawCensus({ active, found, missing = [], away = [], faults = [] }) {
  const wrong = faults.length > 0;
  const of = KNOBS - away.length; // at the table some may be put away
  const values = { count: of - missing.length, of, faults: faults.map(short).join("; ") };
  const text = active ? "census-active" : found ? (wrong ? "census-faults" : "census-good") : "";
  const key = active ? "census-end" : wrong ? "census-go-on" : "census-begin";
  const press = () => (active ? does("census-end") : does("census-begin", { go_on: wrong }));
  drawTry($("census"), key, active, press, text && fill(words[text], values));
}

function drawAsks(test, census) {
  const asks = test.active ? test.asks && fill(words.asks, { asks: test.asks }) : census.active && words["census-asks"];
  setText($("asks"), asks || "");
  $("asks").hidden = !asks;
}

function ago(seconds) {
  if (seconds === null) return words["not-used"];
  if (seconds < 60) return words["used-now"];
  const hours = seconds >= 3600;
  return fill(words[hours ? "used-h" : "used-min"], { count: Math.floor(seconds / (hours ? 3600 : 60)) });
}

function drawPeople(people) {
  const lines = people.map(({ name, role, seat, unused_s: unused }) => {
    const what = seat ? fill(words.seat, { seat }) : words[`role-${role}`];
    return make("li", {}, fill(words.person, { name, role: what, when: ago(unused) }));
  });
  redraw($("people"), ...(lines.length ? lines : [make("li", {}, words.nobody)]));
}

function drawNewest(lines) {
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const time = (at) => (Number.isNaN(Date.parse(at)) ? "" : clock.format(new Date(at)));
  redraw($("newest"), ...lines.map(({ at, what, by }) => make("li", {},
    make("time", { datetime: at }, time(at)), make("span", {}, what), make("span", { class: "by" }, by))));
}

/** What the web says of itself: another process than the station, and of another version until it is started again. */
async function aboutWeb() {
  const { version, browsers: count } = await (await fetch("/healthz")).json();
  return { key: "web", result: "good", say: fill(words["web-says"], { version, count }) };
}

/** Asks for everything anew, and again in a while. What is not known any more is not left standing. */
async function refresh() {
  clearTimeout(timer);
  const asked = ["health", "self-test", "census"].map((about) => ask(about));
  const [web, health, test, census] = await Promise.all([aboutWeb().catch(() => null), ...asked]);
  const refused = [health, test, census].find((answer) => answer.refused);
  $("health").hidden = !answers(refused ?? {}, words);
  if (!refused) {
    drawItems([...health.answer.items, ...(web ? [web] : [])]);
    drawTest(test.answer);
    drawCensus(census.answer);
    drawAsks(test.answer, census.answer);
    drawPeople(health.answer.people);
    drawNewest(health.answer.newest);
  }
  clearTimeout(timer);
  timer = setTimeout(refreshSoon, test.answer?.active || census.answer?.active ? BUSY_MS : LOOK_MS);
}

$("again").addEventListener("click", async () => {
  const before = $("summary").textContent;
  await refreshSoon();
  if ($("summary").textContent === before) $("summary").replaceChildren(before); // who looks again is told again
});
await refreshSoon().finally(ready);
