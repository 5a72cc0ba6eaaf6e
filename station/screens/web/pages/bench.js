// The bench: the whole machine on one page. It shows what a person before the machine would see, and is that person's hands.

import { Bag } from "./bag.js";
import { Deck } from "./bench-cards.js";
import { Tower } from "./bench-dice.js";
import { Buzzers, Company } from "./bench-table.js";
import { Board } from "./board.js";
import { Hands } from "./hands.js";
import { benchChanges, coach, deviceNames, handNews, refusalNews, viewChanges } from "./happened.js";
import { fill, follow, loadWords, make, setText } from "./line.js";
import { Matrix } from "./matrix.js";
import { $, pageWords, ready, wordsOf } from "./page.js";
import { Preparing, testNews } from "./preparing.js";
import { ScannerHand } from "./scan.js";
import { Tables } from "./tables.js";
import { shown } from "./typed.js";
import { Voice, isMuted, soundButton } from "./voice.js";

const LOG_LINES = 80;
const LONG_MS = 3300;

const [{ language, screen }, words] = await Promise.all([loadWords(), pageWords("bench")]);
const names = deviceNames(await wordsOf("health"));
document.documentElement.lang = language;

let view = null;
let bench = null;
let stuck = false;
const stale = { board: true, bench: true };

const board = new Board($("board"), screen);
const matrix = new Matrix($("matrix"));
const hands = new Hands((request) => report(handNews(request, words)), (request, answer) => {
  report(refusalNews(answer));
  if (!answer.refused && (request.hand === "hold" || request.hand === "release")) {
    stuck = request.hand === "hold";
    drawSwitches();
  }
});
const bag = new Bag({ bag: $("bag"), reader: $("reader"), resting: $("resting"), words, hands });
const preparing = new Preparing({ orders: $("preparing"), progress: $("progress"), words, hands });
const tables = new Tables({ cards: $("cards"), players: $("players"), words, hands });
const company = new Company({ orders: $("company"), seats: $("seats"), cards: $("cards"), words, screen, hands });
const buzzers = new Buzzers($("buzzers"), words, hands);
const tower = new Tower($("tower"), words, screen, hands);
const deck = new Deck($("deck"), words, hands);
const scanner = new ScannerHand($("scan"), words, hands);
const voice = new Voice();
soundButton($("sound"), voice, screen);
voice.addEventListener("saying", () => $("speaker").classList.add("speaking"));
voice.addEventListener("heard", ({ detail }) => detail.last && $("speaker").classList.remove("speaking"));

function report(news) {
  for (const { kind, text } of news) {
    // The board and the bench may both tell why a press did nothing.
    if ($("log").firstElementChild?.textContent !== shown(text)) $("log").prepend(make("li", { class: `news-${kind}` }, text));
  }
  while ($("log").children.length > LOG_LINES) $("log").lastElementChild.remove();
}

function advise() {
  const away = stale.board || stale.bench;
  const advice = (!away && preparing.asks) || coach(view, bench, away, words);
  if (!advice) return;
  setText($("coach"), advice);
  $("coach").dataset.of = view?.seq ?? "";
}

/** Sets a switch to what its next press will do. */
function drawSwitch(id, hand, broken) {
  const button = document.querySelector(`[data-testid="${id}"]`);
  button.dataset.hand = hand;
  button.classList.toggle("broken", broken);
  setText(button, words[hand]);
}

function drawSwitches() {
  drawSwitch("cable", bench?.reader.plugged === false ? "plug" : "unplug", bench?.reader.plugged === false);
  drawSwitch("disk", bench?.disk.full ? "free-disk" : "fill-disk", bench?.disk.full === true);
  drawSwitch("stuck", stuck ? "release" : "hold", stuck);
  document.querySelector('[data-hand="kill"]').disabled = bench?.voice.alive === false;
}

function drawButtons() {
  const place = $("buttons");
  if (place.dataset.names !== bench.buttons.join()) {
    place.dataset.names = bench.buttons.join();
    // Lamps without a button are signs that stand by themselves.
    const signs = Object.keys(bench.lamps).filter((name) => !bench.buttons.includes(name));
    place.replaceChildren(...bench.buttons.map(makeButton), ...signs.map(makeSign), ...(bench.knob ? [makeKnob()] : []));
    place.classList.toggle("many", bench.buttons.length > 4);
  }
  for (const button of place.children) button.dataset.lamp = bench.lamps[button.dataset.button] ?? "off";
}

const label = (name) => words[`button-${name}`] ?? name;
// The button that switches off wants a long press.
const press = (name) => hands.move("press", name.startsWith("off") ? { button: name, ms: LONG_MS } : { button: name });

function makeSign(name) {
  return make("span", { class: "sign-lamp", "data-button": name },
    make("span", { class: "sign-cap", "aria-hidden": "true" }), make("span", { class: "dome-label" }, label(name)));
}

function makeKnob() {
  const turn = (steps, sign) => {
    const button = make("button", { "aria-label": fill(words["knob-turn"], { steps: sign }) }, sign);
    button.addEventListener("click", () => hands.move("turn", { steps }));
    return button;
  };
  return make("span", { class: "turner" }, turn(-1, "−"), make("span", { class: "dome-label" }, words["knob-pace"]), turn(1, "+"));
}

function makeButton(name, index) {
  const button = make("button", { class: index === 0 ? "dome big" : "dome", "data-button": name },
    make("span", { class: "dome-cap", "aria-hidden": "true" }), make("span", { class: "dome-label" }, label(name)));
  // Down is when the contact closes. A click without a pointer is the keyboard's, or a screen reader's.
  button.addEventListener("pointerdown", (event) => event.button === 0 && press(name));
  button.addEventListener("click", (event) => event.detail === 0 && press(name));
  return button;
}

/** Marks the order that is due: the others still answer, with the reason why not. */
function drawOrders() {
  const won = view.table ? view.press === "close" : !view.stage || view.called.length === 90;
  const allPlayed = !view.coming.length && !bench?.table?.coming;
  const between = allPlayed ? "close-night" : "open";
  const due = { between, stopped: "play-on", playing: won ? "close" : "", closed: "next-night" }[view.phase];
  const ofNights = { "close-night": "between", "next-night": "closed" }; // each stands there when it can be done
  for (const button of document.querySelectorAll("[data-act]")) {
    const { act } = button.dataset;
    button.classList.toggle("due", act === due);
    if (act === "skip") button.hidden = view.phase !== "between" || allPlayed;
    if (act in ofNights) button.hidden = view.phase !== ofNights[act];
  }
}

/** The cards at the tables: those that were sold, or those that lie open before a company. */
function drawTables() {
  tables.show(bench, view);
  company.show(view, bench);
  buzzers.show(view, bench);
  tower.show(view, bench);
  $("bag").hidden = deck.show(view, bench);
}

function drawSaid() {
  const text = bench?.voice.alive === false ? words["voice-dead"] : view?.say?.text || words["voice-quiet"];
  setText($("said"), text);
  $("speaker").classList.toggle("dead", bench?.voice.alive === false);
}

const FAULTS = {
  two: () => ($("deck").hidden ? { knobs: bag.some(2) } : { cards: deck.some(2) }),
  damage: () => ({ knob: bag.some(1)[0] }),
  unplug: () => ({ device: "reader" }),
  plug: () => ({ device: "reader" }),
  bounce: () => ({ button: bench.buttons[0] }),
  hold: () => ({ button: bench.buttons[0] }),
  release: () => ({ button: bench.buttons[0] }),
  kill: () => ({ device: "speech" }),
};

document.querySelector(".table").addEventListener("click", ({ target }) => {
  const { hand, act } = target.closest("button")?.dataset ?? {};
  if (hand) {
    if (hand === "two" || hand === "damage" || hand === "foreign") bag.clear();
    hands.move(hand, FAULTS[hand]?.());
  } else if (act) {
    hands.act(act, ["undo", "skip"].includes(act) ? { why: "tried at the bench" } : {});
  }
});

const setAuto = () => hands.act("auto", { on: $("auto").checked, pace: Number($("pace").value) });
const drawPace = () => setText($("pace-text"), fill(words.pace, { seconds: Number($("pace").value) }));
$("auto").addEventListener("change", setAuto);
$("pace").addEventListener("input", drawPace);
$("pace").addEventListener("change", () => $("auto").checked && setAuto());

follow("/ws", {
  view(next, late) {
    if (view) report(viewChanges(view, next, words, names));
    view = next;
    board.show(view);
    voice.mute(isMuted(view));
    voice.hear(view.say, { late, pace: view.auto.pace });
    $("auto").checked = view.auto.on;
    if (document.activeElement !== $("pace")) $("pace").value = view.auto.pace;
    drawPace();
    drawSaid();
    drawOrders();
    matrixAlt();
    if (bench) drawTables();
    advise();
  },
  stale(now) {
    stale.board = now;
    board.setStale(now);
    report([{ kind: now ? "trouble" : "back", text: words[now ? "log-stale" : "log-back"] }]);
    advise();
  },
});

follow("/bench/ws", {
  bench(next) {
    if (bench) report([...benchChanges(bench, next, words), ...testNews(bench, next, words)]);
    bench = next;
    preparing.show(bench);
    scanner.show(bench);
    matrix.show(bench.matrix, bench.colours);
    bag.show(bench);
    drawButtons();
    drawSwitches();
    drawSaid();
    drawTables();
    advise();
  },
  stale(now) {
    stale.bench = now;
    document.body.dataset.stale = now;
    advise();
  },
});

function matrixAlt() {
  $("matrix").setAttribute("aria-label", fill(words["matrix-alt"], { numbers: view.called.slice(-10).reverse().join(", ") }));
}

$("pace").setAttribute("aria-label", words["pace-label"]);
drawSwitches();
drawPace();
advise();
ready();
