// The caller: the evening from one page, by keys or by touch. What comes next is said, and what cannot be done now says why.

import { keepAwake } from "./awake.js";
import { choose } from "./caller-asking.js";
import { Claims } from "./caller-claims.js";
import { Hold } from "./caller-hold.js";
import { nearLines } from "./caller-near.js";
import { hindrance, nextOf, stages } from "./caller-next.js";
import { Taught } from "./caller-teach.js";
import { Money } from "./desk-money.js";
import { canFill, fills, fullText, onFull, toggleFull } from "./full-screen.js";
import { deviceNames, viewChanges } from "./happened.js";
import { fill, follow, make, setText } from "./line.js";
import { listen, openDialog } from "./keys.js";
import { Ninety } from "./ninety.js";
import { $, answers, keep, kept, pageWords, ready, refreshing, wordsOf } from "./page.js";
import { showWho } from "./people.js";
import { short } from "./preparing.js";
import { redraw } from "./redraw.js";
import { Again, keyed, TWICE } from "./typing.js";
import { wireTo } from "./wire.js";
import { pressable, report, sending } from "./wishes.js";

const BACK = 5; // numbers that are said again, backwards
const TEN = 10;
const KNOBS = 90;
const MOST_NEWS = 4; // of what happened while the line was away
const PAUSE_LOOK_MS = 10_000;
const [LEAST_PACE, MOST_PACE] = [2, 60];
const DRAWS = new Set(["open", "mix", "draw", "next-night"]); // what the space bar does

const { ask, act } = wireTo("/caller", "X-Loto-Caller");
const words = await pageWords("caller");
const names = deviceNames(await wordsOf("health"));
showWho();
const refreshSoon = refreshing(refresh);
const ninety = new Ninety($("ninety"), words);
const small = matchMedia("(width < 18rem), (height < 24rem)");

let view = null;
let stale = true;
let wasAway = false; // since it was here last
let me = { name: "", acts: [] };
let money = null;
let seesFirst = false; // whether the hall lets a number be seen before it is called
let asksFirst = true; // that is not known yet, or of a station that went away since
let seeing = null; // the station is asked which number is next
let prepared = {}; // what the station tells of census and self-test, between games
let told = 0; // how many sentences
let underWay = 0; // acts that are not answered yet
let news = []; // what happened, and is not told yet
let isLite = kept("caller-lite") === "true";
const waiting = []; // for a picture that shows what was done

/** What the station says, as a sentence of its own; with what to press here, where it names a command. */
const sentence = ({ reason, say }) =>
  [`${say.charAt(0).toUpperCase()}${say.slice(1).replace(/[.]$/, "")}.`, words[`hint-${reason}`]].filter(Boolean).join(" ");

function tell(text, bad = false) {
  told += 1;
  report(text, bad);
}

/** When the page shows the journal's line `seq`; at once where it does, or the line is lost. */
const shows = (seq) => (seq > view?.seq && !stale ? new Promise((resolve) => waiting.push({ seq, resolve })) : null);

function released(all) {
  const over = waiting.filter(({ seq }) => all || !(seq > view.seq));
  for (const one of over) {
    waiting.splice(waiting.indexOf(one), 1);
    one.resolve();
  }
}

// What is decided by the numbers that are shown says which they were: two inputs at once are not two draws.
const belief = (name) => (["draw", "release", "undo", "close"].includes(name) && view && !view.table ? { expect: view.called.length } : {});

/**
 * Does it and says so, once the page shows what has become of it; a change says itself what it is. Who has heard it may press again:
 * so it is not told before the station has answered. Gives why it was refused; nothing where it was done.
 */
async function does(name, details = {}, said = "", believed = belief(name)) {
  underWay += 1;
  const before = told;
  const answer = await act(name, details, believed);
  if (!answer.refused) await shows(answer.seq);
  underWay -= 1;
  tellNews();
  if (answer.refused) {
    tell(answer.refused.reason === "away" ? words.unanswered : sentence(answer.refused), true);
    return answer.refused.reason;
  }
  if (said || (told === before && words[`did-${name}`])) tell(said || words[`did-${name}`]);
  refreshSoon();
  return "";
}

// -- a number that is seen first: in the answer to this page alone

// This tab alone knows it, also when it is loaded anew.
const SEEN = "caller-seen";

function seenBefore() {
  try {
    return { ...JSON.parse(sessionStorage.getItem(SEEN)), isHeld: false };
  } catch {
    return null;
  }
}

function keepSeen(seen) {
  try {
    sessionStorage.setItem(SEEN, JSON.stringify(seen));
  } catch {
    // A browser may keep nothing for a page: then it is the next number all the same.
  }
}

const showSeen = (seen) => {
  view = { ...view, seen };
  keepSeen(seen);
  draw();
};

/** What was seen and is neither called nor put back, as far as can be told from a picture. */
const stillSeen = (seen, { night, game, called }) =>
  (seen && seen.night === night && seen.game === game?.number && called.length >= seen.calls && !called.includes(seen.number) ? seen : null);

async function see() {
  const { number, refused } = await act("hold");
  if (refused) {
    hold.drop();
    return tell(refused.reason === "away" ? words.unanswered : sentence(refused), true);
  }
  const seen = stillSeen({ number, night: view.night, game: view.game?.number, calls: 0 }, view);
  if (!seen) return hold.drop(); // somebody has called it meanwhile
  showSeen({ ...seen, calls: view.called.length, isHeld: true });
  tell(fill(words["did-hold"], { number }));
}

/** Ends a hold as `how` says, once the station has told the number; not where it told none. */
async function ends(how) {
  await seeing;
  if (!view.seen?.isHeld) return;
  showSeen({ ...view.seen, isHeld: false });
  await how(view.seen);
}

const hold = new Hold("#main .big", {
  may: () => seesFirst && nextOf(view, stale, words).act === "draw" && !document.querySelector("dialog[open]"),
  begins: () => (seeing = see()),
  calls: () => ends(() => does("release")),
  leaves: () => ends(({ number }) => stale || does("hold", { on: false }, fill(words["did-wait"], { number }))),
});

// -- what can be pressed, each with its key

const control = (key, name, press, more = {}) => ({ key, name, text: words[name], press, why: () => hindrance(name, view, stale, words), ...more });

async function takeBack() {
  const believed = belief("undo"); // the number that is asked about, whatever is called meanwhile
  const number = view.called.at(-1);
  const title = fill(words["undo-title"], { number });
  const becomes = view.repeats ? "undo-again" : view.table ? "" : "undo-any";
  const lines = becomes ? [fill(words[becomes], { number })] : [];
  const why = await choose({ title, lines, choices: words["undo-reasons"], field: words["own-reason"], yes: words.undo, leave: words.leave });
  if (why === null) return tell(words["sure-left"]);
  if ((await does("undo", { why }, "", believed)) !== "paid-already") return;
  // A win of that call was paid: two people answer for it.
  const who = await choose({ title: words["approve-title"], lines: [words["approve-line"]], field: words["waive-who"], yes: words.approve, leave: words.leave });
  if (who !== null) await does("approve", { about: "undo", who }, fill(words["did-approve"], { who }));
}

const drawnFor = () => (view?.wins ?? []).filter(({ draws }) => draws);

/** Who of several gets a thing that cannot be split: the knob that each drew is keyed, card by card. */
async function drawLots() {
  const [{ key: stage, prize }] = drawnFor();
  const knobs = [];
  for (const { serial, label, holder } of drawnFor().filter(({ key }) => key === stage)) {
    const title = fill(words["lots-title"], { thing: prize.thing, who: [holder, label].filter(Boolean).join(", ") });
    const knob = await choose({ title, field: words["lots-knob"], yes: words["lots-next"], leave: words.leave });
    if (knob === null) return tell(words["sure-left"]);
    if (!isNumber(knob)) return tell(fill(words["number-form"], { text: knob }), true);
    knobs.push([serial, Number(knob)]);
  }
  await does("lots", { stage, knobs });
}

async function breakOff() {
  const why = await choose({ title: words["break-title"], choices: words["break-reasons"], field: words["own-reason"], yes: words.break, leave: words.leave });
  if (why === null) return tell(words["sure-left"]);
  await does("break", { why });
}

async function skipGame() {
  const title = fill(words["skip-title"], { name: view.coming[0] });
  const why = await choose({ title, choices: words["skip-reasons"], field: words["own-reason"], yes: words.skip, leave: words.leave });
  if (why === null) return tell(words["sure-left"]);
  await does("skip", { why });
}

async function isMeant(title, lines, yes) {
  const meant = await choose({ title, lines, yes, leave: words.leave });
  if (!meant) tell(words["sure-left"]);
  return meant;
}

/** One question, which names what would be lost: who is sure after that is asked nothing more. */
async function closeNight() {
  const { answer, refused } = await ask("closing");
  if (refused) return tell(refused.reason === "away" ? words.unanswered : sentence(refused), true);
  const lost = answer.say ? [sentence(answer)] : [];
  const meant = await isMeant(words["close-night-title"], [...lost, words["close-night-line"]], words["close-night"]);
  if (meant) await does("close-night", {}, "", { seen: answer.seen, sure: true });
}

async function switchOff() {
  if (await isMeant(words["off-title"], [words["off-line"]], words.off)) await does("off");
}

async function setPace(step) {
  const pace = Math.min(Math.max(view.auto.pace + step, LEAST_PACE), MOST_PACE);
  await does("auto", { pace }, fill(words["did-pace"], { pace }));
}

async function setAuto() {
  const on = !view.auto.on;
  await does("auto", { on }, fill(words[on ? "did-auto-on" : "did-auto-off"], view.auto));
}

function drawNear(lines) {
  $("nearest").hidden = !lines.length;
  redraw($("nearest"), make("h3", {}, words["near-title"]), ...lines.map(({ text, isComplete }) => make("p", { class: isComplete ? "complete" : null }, text)));
}

async function showNear() {
  const { answer, refused } = await ask("nearest");
  if (refused) return tell(sentence(refused), true);
  const lines = nearLines(answer, words, BACK);
  drawNear(lines);
  tell(lines[0]?.text ?? words["near-nobody"]);
}

/** What makes the list of near cards another one, beside the numbers. */
const nearOf = ({ phase, game, claims, wins, open }) => JSON.stringify([phase, game?.number, claims, wins, open.map(({ key }) => key)]);

/** Asks again for the list of near cards while it is shown: a card has won, a prize is open no longer. */
async function renewNear() {
  if ($("nearest").hidden) return;
  const { answer } = await ask("nearest");
  if (!$("nearest").hidden) drawNear(answer ? nearLines(answer, words, BACK) : []);
}

/** What is counted or tested goes before the next game; of a pause the page counts the minutes itself. */
function showUnderWay() {
  const { left_s: left } = prepared.pause ?? {};
  const pauseEnds = Number.isFinite(left) ? performance.now() + 1000 * left : null;
  if (view) view = { ...view, pauseEnds, underWay: census().active ? "counting" : trial().active ? "testing" : "" };
}

const census = () => prepared.census ?? {};
const trial = () => prepared["self-test"] ?? {};
const isMuted = () => view?.signs.some(({ device }) => device === "sound") ?? false;

async function countKnobs() {
  const { active, faults = [] } = census();
  await (active ? does("census-end") : does("census-begin", { go_on: faults.length > 0 }));
}

async function waive(about) {
  const who = await choose({ title: words["waive-title"], lines: [words[`waive-line-${about}`]], field: words["waive-who"], yes: words.waive, leave: words.leave });
  if (who === null) return tell(words["sure-left"]);
  await does("waive", { about, who, why: words["waive-why"] }, about === "words" ? words["did-waive-words"] : "");
}

/** What nobody could know before the bag was committed to. */
async function mix() {
  const added = await choose({ title: words["mix-title"], lines: [words["mix-line"]], field: words["mix-field"], yes: words["mix-yes"], leave: words.leave });
  if (added === null) return tell(words["sure-left"]);
  await does("mix", { words: added });
}

const isUnready = () => view?.phase === "between" && view.press !== "open" && view.coming.length > 0;

const PLACES = {
  "call-keys": () => [
    control("U", "undo", takeBack),
    control("R", "repeat", () => does("repeat")),
    control("B", "back", () => does("repeat", { count: BACK })),
    control("A", "auto", setAuto, { text: words[view?.auto.on ? "auto-off" : "auto-on"], on: view?.auto.on }),
    [control("-", "slower", () => setPace(1), { every: true }), control("+", "faster", () => setPace(-1), { every: true })],
  ],
  "game-keys": () => [
    control("P", "play-on", () => does("play-on")),
    control("G", "close", () => does("close")),
    view?.phase === "between" && view.coming.length ? control("X", "skip", skipGame) : control("X", "break", breakOff),
    view?.phase === "closed" ? control("N", "next-night", () => does("next-night")) : control("N", "close-night", closeNight),
    control("W", "near", showNear),
    ...(view?.wants_words ? [control("I", "waive-words", () => waive("words"))] : []),
    ...(drawnFor().length ? [control("D", "lots", drawLots)] : []),
  ],
  "station-keys": () => [
    control("M", "mute", () => does("mute", { on: !isMuted() }, words[isMuted() ? "did-unmute" : "did-mute"]), { text: words[isMuted() ? "unmute" : "mute"], on: isMuted() }),
    control("Q", "census-begin", countKnobs, { text: words[census().active ? "census-end" : census().faults?.length ? "census-go-on" : "census-begin"] }),
    control("T", "self-test-begin", () => does(trial().active ? "self-test-end" : "self-test-begin"), { text: words[trial().active ? "self-test-end" : "self-test-begin"] }),
    ...(isUnready() && ["faulty", "none"].includes(census().state) ? [control("I", "waive-census", () => waive("census"))] : []),
    ...(isUnready() && trial().state === "faulty" ? [control("J", "waive-faults", () => waive("faults"))] : []),
    control("O", "off", switchOff),
    ...(canFill() ? [control("F", "full-screen", toggleFull, { text: fullText(words), on: fills(), why: () => "" })] : []),
    control("K", "teach", () => taught.teach()),
  ],
};

const DOES = { open: () => does("open"), mix, draw: () => does("draw"), "play-on": () => does("play-on"), close: () => does("close"), "close-night": closeNight, "next-night": () => does("next-night") };
const KEY_OF = { open: "Space", mix: "Space", draw: "Space", "next-night": "Space", "play-on": "P", close: "G", "close-night": "N" };

function mainControls() {
  const { act: next, line } = nextOf(view, stale, words);
  const big = { key: KEY_OF[next] ?? "Space", name: "big", text: words[`big-${next || "none"}`], press: DOES[next], why: () => (next ? "" : line), big: true };
  const stop = control("S", "stop", () => does("stop"), { stops: true });
  return [big, stop];
}

function buttonFor(one) {
  // To open and to draw are two wishes, though of one button: the second need not wait until the first is answered.
  const made = pressable({ key: one.big ? `big-${one.text}` : one.name, text: one.text, press: one.press, refused: one.why() });
  made.append(make("kbd", {}, one.key === "Space" ? words.space : one.key));
  if (one.big) made.setAttribute("aria-describedby", "next");
  for (const kind of ["big", "stops", "on"]) if (one[kind]) made.classList.add(kind);
  if ("on" in one) made.setAttribute("aria-pressed", String(Boolean(one.on)));
  if (one.every) made.setAttribute("data-every-click", "");
  made.dataset.testid = one.name;
  return made;
}

/** The pace, between what makes it slower and what makes it faster. */
const paceBetween = (slower, faster) => make("div", { class: "pace" }, buttonFor(slower), make("span", { "data-testid": "pace" }, view ? fill(words.pace, view.auto) : ""), buttonFor(faster));

/** Draws all that can be pressed, and keeps what stands under a finger. */
function drawControls() {
  const seen = view?.seen?.isHeld ? [make("div", { class: "held", "data-testid": "held" }, make("strong", {}, String(view.seen.number)), make("span", {}, words.held))] : [];
  const noCall = hindrance("draw", view, stale, words);
  $("key").querySelector("button").classList.toggle("off", Boolean(noCall));
  $("key").querySelector("button").setAttribute("aria-disabled", String(Boolean(noCall)));
  redraw($("main"), ...seen, ...mainControls().map(buttonFor));
  for (const [place, made] of Object.entries(PLACES)) redraw($(place), ...made().map((one) => (Array.isArray(one) ? paceBetween(...one) : buttonFor(one))));
}

// -- what is shown

function drawNow() {
  const called = view?.called ?? [];
  setText($("number"), called.length ? called.at(-1) : "–");
  setText($("count"), called.length ? fill(words.count, { count: called.length }) : "");
  ninety.show(called);
  $("ten-title").classList.toggle("none", called.length < 2);
  redraw($("ten"), ...called.slice(-TEN - 1, -1).reverse().map((number) => make("li", {}, String(number))));
  setText($("next"), nextOf(view, stale, words).line);
  if (!view) return;
  const { game, phase } = view;
  const playing = game && ["playing", "stopped"].includes(phase);
  setText($("game"), [playing ? fill(words.game, game) : (words[phase] ?? ""), playing ? stages(view) : "", playing && view.prize ? view.prize.text : ""].filter(Boolean).join(" · "));
  setText($("notice"), view.notice);
  setText($("luck"), view.luck);
  $("test").hidden = !view.test;
  $("to-table").hidden = !view.table;
  Object.assign(document.body.dataset, { phase, seq: view.seq });
  redraw($("signs"), ...view.signs.map(({ text, colour }) => make("li", { class: colour }, text)));
  $("procedure").hidden = !view.procedure.length;
  redraw($("procedure"), ...view.procedure.map((step) => make("li", {}, step)));
}

function drawPrepared() {
  const { active, missing = [], faults = [], away = [], found } = census();
  const of = KNOBS - away.length;
  const counted = (active || found) && fill(words[active ? "census-active" : faults.length ? "census-faults" : "census-good"], { count: of - missing.length, of, faults: faults.map(short).join("; ") });
  const { active: tries, asks, parts = [] } = trial();
  const wrong = parts.filter(({ result }) => result === "fault").map(({ what }) => what);
  const tried = tries ? fill(words[asks ? "test-asks" : "test-active"], { asks, count: parts.length }) : parts.length ? fill(words[wrong.length ? "test-faults" : "test-good"], { faults: wrong.join(", ") }) : "";
  const text = view?.phase === "between" ? [counted, tried].filter(Boolean).join(" ") : "";
  $("prepared").hidden = !text;
  setText($("prepared"), text);
}

function drawLite() {
  const on = isLite || small.matches;
  document.body.dataset.lite = on;
  redraw($("lite"), make("span", {}, words[on ? "full" : "lite"]), make("kbd", {}, "L"));
  $("lite").setAttribute("aria-pressed", String(on));
  $("lite").hidden = false;
}

function draw() {
  if (!hold.may()) hold.leave();
  drawNow();
  drawControls();
  drawPrepared();
  claims.draw();
  document.body.dataset.stale = stale;
}

/** Asks for what no picture has: who this is, what was checked, how far the knobs are counted. */
async function refresh() {
  const told = await ask("me");
  const may = told.answer && !told.answer.acts.includes("draw") ? { refused: { reason: "not-your-role" } } : told;
  // Asked before the station went away, answered after it was told: it is away all the same.
  const mine = stale && view ? { refused: { reason: "away" } } : may;
  const heard = answers(mine, words);
  if (!heard && mine.refused.reason !== "away") $("caller").hidden = true;
  if (!heard) return told;
  me = told.answer;
  if (asksFirst) {
    const { answer } = await ask("press");
    if (answer) [seesFirst, asksFirst] = [answer.sees_first, false];
  }
  const opens = $("caller").hidden;
  $("caller").hidden = false; // not before: a long press would be a short one, which calls
  money ??= new Money((await ask("currency")).answer ?? { sign: "", decimals: 0 });
  prepared = {};
  if (view?.phase === "between") for (const about of ["census", "self-test", ...(view.pause ? ["pause"] : [])]) prepared[about] = (await ask(about)).answer;
  showUnderWay();
  await claims.refresh();
  // The board's view has the table's sentence in the hall's language; this answer is in the page's.
  const { answer: table } = view?.table ? await ask("table") : {};
  if (table?.text && view?.table) view = { ...view, table: { ...view.table, text: table.text } };
  draw();
  if (opens && view) focusCard(null);
  return told;
}

// What is done here with a prize that was won; a receipt, a voucher that comes back and all else is the desk's.
const OF_A_PRIZE = new Set(["pay", "approve"]);

const claims = new Claims({
  ask, words, sentence, view: () => view, money: () => money, me: () => me,
  may: (name) => OF_A_PRIZE.has(name) && me.acts.includes(name),
  does: async (...wish) => !(await does(...wish)),
  letter: (text) => {
    const one = controlOf(text.toUpperCase());
    if (one) press(one);
    return Boolean(one);
  },
});

// -- keys

const isNumber = (text) => keyed(text) === "number";
const again = new Again();
let isTouched = false; // the last press was a finger's
const taught = new Taught({
  words, tell,
  press(key) {
    again.forget();
    if (key === " ") pressSpace();
    else press(controlOf(key));
  },
});

/** What was typed as a number is a card: it goes on in the field for cards. */
function asCard(text) {
  $("keyed").value = "";
  $("card").value = text;
  $("card").dataset.asks = "stop";
  $("card").focus();
  tell(words["is-card"]);
}

/** The number that was keyed is called, when it is confirmed; a reader would have read it. */
sending($("key"), async ({ number }) => {
  const text = number.value.trim();
  if (keyed(text) === "card") return asCard(text);
  const why = hindrance("draw", view, stale, words) || (view.phase === "stopped" ? nextOf(view, stale, words).line : "");
  if (why || !isNumber(text)) {
    number.value = "";
    number.blur();
    return tell(why || fill(words["number-form"], { text: text || "–" }), true);
  }
  if (!again.press(`call ${Number(text)}`, performance.now())) {
    return tell(fill(words["call-again"], { number: Number(text), button: words.key }));
  }
  number.value = "";
  number.blur();
  return does("draw", { number: Number(text) });
});

function pressSpace() {
  const { act: next, line } = nextOf(view, stale, words);
  if (DRAWS.has(next) || !next) $("main").querySelector(".big").click();
  else tell(`${words["space-draws"]} ${line}`, true);
}

const controlOf = (wanted) => [...mainControls(), ...Object.values(PLACES).flatMap((made) => made().flat())].find((one) => one.key === wanted);
const press = (one) => document.querySelector(`[data-testid="${CSS.escape(one.name)}"]`).click();

/** Digits that went nowhere are a card's at a stop, else a number's. */
function typedDigits(text) {
  const field = view?.phase === "stopped" || keyed(text) === "card" ? $("card") : $("keyed");
  if (!field.offsetParent) return tell(words["why-lite"], true);
  if (field === $("card") && view?.phase !== "stopped") return asCard(text);
  field.focus();
  field.value = text;
  return undefined;
}

/** One key that went into no field. Gives whether it means something here. */
function pressed({ key, repeat = false, isDown, at }) {
  const wanted = key === "=" ? "+" : key.toUpperCase();
  const one = controlOf(wanted);
  if (repeat && !one?.every) return false;
  if (taught.does(key)) return true;
  if (key === " ") {
    again.forget();
    if (!(isDown && hold.press())) pressSpace();
    return true;
  }
  const what = one?.text ?? { Y: words["to-pay"] }[wanted] ?? "";
  if (!(one || "CLY".includes(wanted))) return false;
  if (!TWICE.has(wanted) || one?.why() || (wanted === "Y" && $("prizes").hidden)) again.forget();
  else if (!again.press(`${wanted} ${what}`, at)) return tell(fill(words["press-again"], { key: wanted, what })) ?? true;
  if (one) press(one);
  else if (wanted === "L") $("lite").click();
  else if (wanted === "C") $("card").focus();
  else claims.toPay();
  return true;
}

/** A card that was scanned: looked at, claimed with at a stop; kept in its field where it cannot be. */
function scanned(text, { dialog }) {
  again.forget();
  const line = nextOf(view, stale, words).line;
  if (!dialog && view && !stale) {
    $("card").value = "";
    if (view.phase !== "stopped" && document.activeElement === $("card")) $("card").blur(); // the keys are the caller's again
    return claims.enter(text);
  }
  $("card").value = text;
  return tell(fill(words["scan-waits"], { card: text, why: dialog ? words["scan-question"] : line }), true);
}

/** Follows what is written into the fields for a number and a card. */
function followField(field) {
  again.forget();
  if (field === $("card") && !field.value) delete field.dataset.asks;
  if (field === $("keyed") && keyed(field.value) === "card") asCard(field.value.trim());
  const one = field === $("card") && view?.phase === "stopped" && controlOf(field.value.toUpperCase());
  if (one && /^[a-z]$/i.test(field.value)) tell(fill(words["enter-again"], { key: one.key, what: one.text }));
}

listen({
  scan: scanned,
  key: pressed,
  digits: typedDigits,
  several: (keys) => tell(fill(words["several-keys"], { keys }), true),
  typed: followField,
  paste: (text) => {
    if (view?.phase === "stopped" || keyed(text) !== "number") asCard(text);
    else typedDigits(text);
    return true;
  },
  before: (event) => taught.takes(event),
  blank: true,
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || openDialog()) return;
  if (!target.matches("input") && hold.keyed(event)) return;
  if (!target.matches("input")) return;
  if (key === "Escape") {
    if (target === $("keyed")) target.value = ""; // a number that is not called after all
    target.blur();
  }
  if (event.repeat && target === $("keyed") && key.length === 1) event.preventDefault(); // one digit, however long it is held
  if (key !== " " || target !== $("card") || target.value) return;
  event.preventDefault(); // no card begins with a blank
  pressSpace();
});

/** Where a card is asked for, its field has the focus; a finger finds it, and wants no keyboard over the page. */
function focusCard(before) {
  const asks = view.phase === "stopped" && (before?.phase !== "stopped" || before.claims.length !== view.claims.length);
  const { activeElement: focused } = document;
  if (asks && !isTouched && !openDialog() && !focused?.matches("input, select")) $("card").focus();
  else if (before?.phase === "stopped" && view.phase !== "stopped" && focused === $("card") && !focused.value) focused.blur();
}

document.addEventListener("pointerdown", ({ pointerType }) => (isTouched = pointerType === "touch"), true);

// Pressed with a finger or a mouse, a button does not keep the focus: the space bar draws, and does not press it again.
document.addEventListener("click", (event) => event.detail && event.target.closest("button")?.blur());

$("lite").addEventListener("click", () => {
  if (small.matches) return tell(words["why-small"], true);
  isLite = document.body.dataset.lite !== "true";
  keep("caller-lite", String(isLite));
  drawLite();
  tell(words[isLite ? "did-lite" : "did-full"]);
});
small.addEventListener("change", drawLite);

// -- what happened, whoever did it

/** What is said once more: no line of the journal, and the same number as before. */
function saidAgain(before) {
  const { clips = [], token } = view.say ?? {};
  if (token === before.say?.token || clips[0] !== "last-number") return [];
  const numbers = clips.flatMap((clip) => /^number\.([0-9]+)$/.exec(clip)?.[1] ?? []);
  return [{ kind: "voice", text: fill(words[numbers.length > 1 ? "did-back" : "did-repeat"], { numbers: numbers.join(", "), number: numbers[0] }) }];
}

function noteChanges(before) {
  const turned = before.phase !== view.phase;
  const turn = words[`log-${before.phase}-${view.phase}`];
  for (const one of viewChanges(before, view, words, names)) {
    // A notice stands on the page anyway, and what the voice says is heard.
    if (one.kind === "voice" || (one.kind === "phase" && !turned)) continue;
    news.push(one.kind === "phase" && turn ? { ...one, text: fill(turn, { ...view.game }) } : one);
  }
  news.push(...saidAgain(before));
  if (!underWay) tellNews();
}

function tellNews() {
  const all = news.splice(0);
  const texts = [...new Set(all.map(({ text }) => text))];
  if (texts.length) tell(texts.slice(-MOST_NEWS).join(" "), all.some(({ kind }) => kind === "trouble"));
}

follow("/ws", {
  view(next) {
    const before = view;
    view = { ...next, seen: stillSeen(before ? before.seen : seenBefore(), next), underWay: before?.underWay, pauseEnds: before?.pauseEnds };
    if (before?.seen && !view.seen) {
      hold.drop();
      keepSeen(null);
    }
    const changed = next.seq !== before?.seq || next.night !== before?.night || (next.phase === "between" && next.notice !== before?.notice);
    draw();
    focusCard(before);
    if (before) noteChanges(before);
    released(next.night !== before?.night);
    if (next.called.length !== before?.called.length) $("nearest").hidden = true; // it was of another number
    else if (nearOf(next) !== nearOf(before)) renewNear();
    if (changed) refreshSoon();
    if (!stale) ready();
  },
  stale(now) {
    if (now) ready(); // to say so
    const came = wasAway && !now;
    [stale, wasAway] = [now, now];
    if (now) {
      asksFirst = true; // it may come back with other settings
      released(true);
    }
    if (now && view) answers({ refused: { reason: "away" } }, words);
    draw();
    if (now || !view) return;
    if (came) tell(words["log-here"]);
    refreshSoon();
    ready();
  },
});

// On a phone the large button and the answer are a bar at the bottom, as high as its words need: what has the focus is never under it.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--thumb", `${$("thumb").offsetHeight}px`);
  const { activeElement: focused } = document;
  if (focused !== document.body && !$("thumb").contains(focused)) focused.scrollIntoView({ block: "nearest" });
}).observe($("thumb"));

document.addEventListener("input-changed", draw);
onFull(draw);
setInterval(() => view?.pause && draw(), PAUSE_LOOK_MS);
keepAwake(document.querySelector("main"), words);
drawLite();
draw();
refreshSoon();
