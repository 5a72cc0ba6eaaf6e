// A game alone, among simulated players. The web keeps it; it goes on when this page asks, and ends no game of the hall.

import { keepAwake } from "./awake.js";
import { connected } from "./connecting.js";
import { fill, loadWords, make, setText } from "./line.js";
import { $, keep, kept, pageWords, ready, wordsOf } from "./page.js";
import { redraw } from "./redraw.js";
import { layTable, showTable, throwNow } from "./seat-table.js";
import { askForMotion, whenShaken } from "./shake.js";
import { counters } from "./table-things.js";
import { wireTo } from "./wire.js";
import { doing, pressable, report, sending } from "./wishes.js";

const [GAME, NAME] = ["play-game", "play-name"];
const AGAIN_MS = 2000;
const PATIENCE_MS = 2000; // longer than so a button leads on before
const LINES = 3; // of what happened

const { post } = wireTo("/play", "X-Loto-Play");
const [{ screen }, own] = await Promise.all([loadWords(), pageWords("play")]);
const words = { ...(await wordsOf("seat")), ...own };
const { names } = await wordsOf("table"); // of simulated players
const form = $("begin").elements;

let now = null; // the game, as the station showed it last
let timer;
let line = Promise.resolve();

/** Sends a wish after those before it, and shows what became of the game; a second time where the line broke: `at` has it done once. */
function wish(body) {
  const sent = line.then(async () => {
    clearTimeout(timer);
    let answer = await post("do", body);
    if (answer.refused?.reason === "away" && body.do !== "begin") answer = await post("do", body);
    connected();
    if (answer.answer) show(answer.answer);
    else if (answer.refused?.reason === "no-game") leave(answer.refused.say);
    else schedule();
    return answer;
  });
  line = sent.catch(() => {});
  return sent;
}

const act = async (_, { move }) => {
  const { refused } = await wish({ do: "move", id: now.id, at: now.at, move });
  return refused ? { refused } : { ok: true };
};

layTable({
  words,
  screen,
  inMoney: () => "", // nobody plays for money here
  worth: (units) => (now.hand.counted ? counters(units, words) : String(units)),
  does: doing(act, words, async () => {}),
});
whenShaken(throwNow);

function show(answer) {
  now = answer;
  keep(GAME, now.id);
  document.body.dataset.on = "";
  Object.assign(document.body.dataset, { at: now.at, next: now.next });
  setText($("game"), now.title);
  setText($("away"), "");
  $("away").hidden = $("begin").hidden = true;
  $("table").hidden = $("end").hidden = false;
  showTable(now.hand, now.id);
  redraw($("told"), ...now.told.flat().slice(-LINES).map((text) => make("li", {}, text)));
  $("told").scrollTop = $("told").scrollHeight; // the newest is in view
  redraw($("after"), ...(now.next === "over" ? [
    pressable({ key: "again", text: words.again, press: again, main: true }),
    pressable({ key: "another", text: words.another, press: end }),
  ] : now.after_ms > PATIENCE_MS ? [pressable({ key: "on", text: words.on, press: goOn })] : []));
  schedule();
}

/** Has the game go on by itself after its pause, while somebody looks. */
function schedule(after = now?.after_ms) {
  clearTimeout(timer);
  if (now?.next === "by-itself" && !document.hidden) timer = setTimeout(goOn, after);
}

async function goOn() {
  const { refused } = await wish({ do: "go-on", id: now.id, at: now.at });
  if (!refused || !now) return;
  setText($("away"), refused.reason === "away" ? words.away : refused.say);
  $("away").hidden = false;
  schedule(AGAIN_MS);
}

/** Puts the game away, and offers a new one; `why` says what became of it. */
function leave(why = "") {
  clearTimeout(timer);
  now = null;
  keep(GAME, "");
  delete document.body.dataset.on;
  setText($("game"), words.title);
  setText($("away"), why);
  $("away").hidden = !why;
  $("table").hidden = $("end").hidden = true;
  $("begin").hidden = false;
}

async function end() {
  await wish({ do: "leave", id: now.id });
  leave();
  form.game.focus();
}

async function begin(game, company) {
  const { refused } = await wish({ do: "begin", game, names: company });
  if (!refused) return;
  setText($("away"), refused.reason === "away" ? words.away : refused.say);
  $("away").hidden = false;
}

async function again() {
  const { game, hand } = now;
  await wish({ do: "leave", id: now.id });
  report("");
  await begin(game, hand.seats.map(({ name }) => name));
}

/** The company of so many: the person, and simulated players of other names. */
function company(count) {
  const mine = form.name.value.trim();
  const others = names.filter((one) => one.toLowerCase() !== mine.toLowerCase());
  return [mine, ...others.slice(0, count - 1)];
}

async function offerGames() {
  const answer = await (await fetch("/play/games.json", { headers: { "Accept-Language": document.documentElement.lang } })).json();
  if (answer.refused) return leave(answer.refused.say);
  const { games } = answer.answer;
  form.game.replaceChildren(...games.map(({ name, title }) => make("option", { value: name }, title)));
  const bound = () => {
    const { least, most, usual } = games.find(({ name }) => name === form.game.value);
    Object.assign(form.players, { min: least, max: most });
    if (!form.players.value || !form.players.validity.valid) form.players.value = usual;
  };
  const wanted = location.hash.slice(1);
  if (games.some(({ name }) => name === wanted)) form.game.value = wanted;
  form.game.addEventListener("change", bound);
  bound();
}

form.name.value = kept(NAME) ?? "";
sending($("begin"), async () => {
  askForMotion();
  keep(NAME, form.name.value.trim());
  await begin(form.game.value, company(Number(form.players.value)));
});
$("end").addEventListener("click", end);
document.addEventListener("visibilitychange", () => schedule());
keepAwake(document.querySelector("main"), words);

await offerGames();
if (kept(GAME)) await wish({ do: "look", id: kept(GAME) });
else leave();
if (!now && $("begin").hidden) leave(words.away);
connected();
ready();
