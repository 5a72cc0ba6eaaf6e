// A game told by an example, step by step: with the buttons, or the arrow keys. Then it may be played alone.

import { playAlone } from "./bench-seat.js";
import { Board } from "./board.js";
import { Hands } from "./hands.js";
import { fill, loadWords, make, setText } from "./line.js";
import { $, pageWords, wordsOf } from "./page.js";

const words = await pageWords("learn");
const { names } = await wordsOf("table"); // of simulated players
const board = new Board($("board"), (await loadWords()).screen);
board.setStale(false);
const hands = new Hands(() => {}, () => {});
const { name, players } = $("alone").elements;
name.value = names[0];
let at = { game: undefined, step: 1, of: 1 };

async function show(wanted) {
  const { answer, refused } = await hands.move("learn", wanted);
  if (!answer) return setText($("rule"), refused?.say ?? "");
  const [least, most, usual] = answer.players;
  Object.assign(players, { min: least, max: most });
  if (!players.value || !players.validity.valid) players.value = usual;
  at = answer;
  $("game").replaceChildren(...answer.games.map(([name, title]) => make("option", { value: name, selected: name === answer.game }, title)));
  setText($("step"), fill(words.step, answer));
  $("lines").replaceChildren(...answer.told.map((line) => make("li", {}, line)));
  setText($("rule"), answer.rule);
  $("back").disabled = answer.step <= 1;
  $("next").disabled = answer.step >= answer.of;
  return board.show(answer.view);
}

function go(steps) {
  const step = at.step + steps;
  if (step >= 1 && step <= at.of) show({ game: at.game, step });
}

/** The company of so many: the person, and simulated players of other names. */
function company(count) {
  const own = name.value.trim();
  const others = names.filter((one) => one.toLowerCase() !== own.toLowerCase());
  return [own, ...Array.from({ length: count - 1 }, (_, place) => others[place] ?? String(place + 2))];
}

$("alone").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { refused } = await playAlone({ game: $("game").value, names: company(Number(players.value)) });
  if (refused) setText($("done"), refused.say);
  else location.assign("/bench/seat");
});

$("game").setAttribute("aria-label", words.game);
$("game").addEventListener("change", () => show({ game: $("game").value, step: 1 }));
$("back").addEventListener("click", () => go(-1));
$("next").addEventListener("click", () => go(1));
addEventListener("keydown", ({ key, target }) => {
  if (!target.closest("select, input")) go({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0);
});

await show({});
