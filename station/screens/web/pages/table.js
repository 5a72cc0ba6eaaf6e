// The table: the host sits the company down, counts and shakes, and does what players ask for.

import { keepAwake } from "./awake.js";
import { Money } from "./desk-money.js";
import { listen } from "./keys.js";
import { fill, follow, loadWords, setText } from "./line.js";
import { $, answers, pageWords, ready, refreshing } from "./page.js";
import { showWho } from "./people.js";
import { drawCode } from "./qr.js";
import { Asking } from "./table-asking.js";
import { showCount } from "./table-counting.js";
import { Joining } from "./table-joining.js";
import { Lead } from "./table-lead.js";
import { Moves } from "./table-moves.js";
import { addressOf } from "./table-open.js";
import { Seats } from "./table-seats.js";
import { Sitting } from "./table-sitting.js";
import { counters, Things } from "./table-things.js";
import { wireTo } from "./wire.js";
import { doing, pressable, report } from "./wishes.js";

const { ask, act, post } = wireTo("/table", "X-Loto-Table");
const [{ screen }, words] = await Promise.all([loadWords(), pageWords("table")]);
showWho();
keepAwake(document.querySelector("main"), words);
const refreshSoon = refreshing(refresh);
const does = doing(act, words, refreshSoon);

let view = null;
let told = null; // what the station says of the table
let money = null;

/** What is written of a purse, as an act takes it: nothing where nothing is; null, and said, where it is no sum. */
function brings(text) {
  const purse = text ? money.read(text) : undefined;
  if (purse === null) report(fill(words["sum-form"], { text, example: money.example }), true);
  return purse === null ? null : purse === undefined ? {} : { purse };
}

const inMoney = (units) => money.text(units * told.value);

const tools = {
  words,
  does,
  report,
  button: pressable,
  things: new Things({ ...screen, points: words.points }, inMoney),
  sum: (units) => money.text(units),
  brings,
  seated: () => sitting.ready(),
  name: (seat) => told.seats[seat - 1].name,
  worth: (units) => (told.counted ? fill(words.worth, { counters: counters(units, words), sum: inMoney(units) }) : inMoney(units)),
};
const asking = new Asking(tools);
const moves = new Moves(tools, asking);
const lead = new Lead(tools, asking, moves, tools.things);
const seats = new Seats(tools, moves, tools.things);
const sitting = new Sitting(tools);
const joining = new Joining(tools, post);

/** Shows where a seat's telephone asks to be let in; nothing where no telephone could get there, and beside no other code. */
function showDoor() {
  const address = view.joining ? "" : addressOf(view, "/pair");
  if ($("let-in").dataset.address === address) return;
  $("let-in").dataset.address = address;
  $("let-in").hidden = !address;
  $("let-in-code").replaceChildren(...(address ? [drawCode(address, words["let-in-code"])] : []));
}

/** Draws anew without taking the focus away from what was pressed. */
function keepingFocus(draw) {
  const key = document.activeElement?.dataset?.key;
  draw();
  if (key && document.activeElement === document.body) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

function drawGame() {
  const { game, phase, test } = view;
  setText($("game"), game && phase !== "between" ? fill(words.game, game) : (words[phase] ?? ""));
  $("test").hidden = !test;
  document.body.dataset.phase = phase;
}

/** Asks for everything anew: after each change of the night, whoever made it. */
async function refresh() {
  const currency = money ? {} : await ask("currency");
  if (currency.answer) money = new Money(currency.answer);
  const answer = currency.refused ? currency : await ask("table");
  $("table").hidden = !answers(answer, words);
  if (!answer.answer || !view) return answer;
  told = answer.answer;
  const census = told.step === "shake" ? (await ask("census")).answer : null;
  keepingFocus(() => {
    showCount($("over-reader"), census, tools);
    tools.things.look(told.zones, view.theme);
    moves.show(told);
    lead.show(told, view);
    seats.show(told);
    sitting.show(told);
  });
  await joining.show(told);
  ready();
  return answer;
}

/** A card that was scanned answers the question for one; else no card is asked for on this page. */
function scanned(card, { dialog }) {
  const choices = [...(dialog?.querySelectorAll("button[data-serial]") ?? [])];
  const chosen = choices.find(({ dataset }) => dataset.serial.toUpperCase() === card.toUpperCase());
  if (chosen) chosen.click();
  else report(fill(words["scan-none"], { card }), true);
}

listen({
  scan: scanned,
  digits(text) {
    const { number } = $("knob").elements;
    if (!number.offsetParent) return;
    number.focus();
    number.value = text;
  },
});

follow("/ws", {
  view(next) {
    const counted = told?.step === "shake" && next.notice !== view?.notice; // a knob passed the reader: no line of the journal
    const changed = next.seq !== view?.seq || next.calling !== view?.calling || counted;
    view = next;
    drawGame();
    showDoor();
    joining.view(next);
    if (changed) refreshSoon();
  },
  stale(now) {
    document.body.dataset.stale = now;
    if (!now) refreshSoon();
  },
});

refreshSoon();
