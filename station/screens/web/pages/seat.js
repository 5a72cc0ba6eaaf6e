// A player's seat, on the player's own phone: the table as it is seen from there, the hand, and the moves of that seat.

import { keepAwake } from "./awake.js";
import { Money } from "./desk-money.js";
import { fill, follow, loadWords, setText } from "./line.js";
import { $, answers, pageWords, ready, refreshing } from "./page.js";
import { showWho } from "./people.js";
import { layTable, showTable, throwNow } from "./seat-table.js";
import { askForMotion, whenShaken } from "./shake.js";
import { counters } from "./table-things.js";
import { wireTo } from "./wire.js";
import { doing } from "./wishes.js";

const NO_GAME = "not-at-table";
const { ask, act } = wireTo("/seat", "X-Loto-Seat");
const [{ screen }, words] = await Promise.all([loadWords(), pageWords("seat")]);
showWho();
keepAwake(document.querySelector("main"), words);
const refreshSoon = refreshing(refresh);

let view = null;
let told = null; // what the station shows this seat
let money = null;

const inMoney = (units) => money.text(units * told.value);
layTable({
  words,
  screen,
  inMoney,
  worth: (units) => (told.counted ? fill(words.worth, { counters: counters(units, words), sum: inMoney(units) }) : inMoney(units)),
  does: doing(act, words, refreshSoon),
});
whenShaken(throwNow);
$("throwing").addEventListener("click", askForMotion, { once: true });

function drawGame() {
  const { game, phase, test } = view;
  setText($("game"), game && phase !== "between" ? fill(words.game, game) : (words[phase] ?? ""));
  $("test").hidden = !test;
}

/** Asks for everything anew: after each change of the night, whoever made it. */
async function refresh() {
  const seq = view?.seq; // what is answered is at least as new
  const answer = await ask("hand");
  const idle = answer.refused?.reason === NO_GAME;
  const shown = answers(idle ? {} : answer, words);
  $("table").hidden = !answer.answer;
  $("idle").hidden = !(shown && idle);
  ready();
  setText($("idle"), idle ? words.idle : "");
  document.body.dataset.seq = seq;
  if (!answer.answer) return answer;
  told = answer.answer;
  money = new Money(told.currency);
  showTable(told, `${view?.night} ${view?.game?.number}`, view?.theme ?? null);
  return answer;
}

follow("/ws", {
  view(next) {
    const changed = next.seq !== view?.seq || next.calling !== view?.calling;
    view = next;
    drawGame();
    if (changed) refreshSoon();
  },
  stale(now) {
    document.body.dataset.stale = now;
    if (!now) refreshSoon();
  },
});

refreshSoon();
