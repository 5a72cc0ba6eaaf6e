// A game told by an example, step by step: with the buttons, or the arrow keys. Then it may be played alone.

import { connected } from "./connecting.js";
import { Board } from "./board.js";
import { fill, loadWords, make, setText } from "./line.js";
import { $, pageWords, ready } from "./page.js";

const words = await pageWords("learn");
const board = new Board($("board"), (await loadWords()).screen);
board.setStale(false);
let at = { game: location.hash.slice(1), step: 1, of: 1 };

async function step(game, number) {
  try {
    const headers = { "Accept-Language": document.documentElement.lang };
    return await (await fetch(`/learn/step.json?${new URLSearchParams({ game, step: number })}`, { headers })).json();
  } catch {
    return {};
  }
}

async function show(game, number = 1) {
  const { answer, refused } = await step(game, number);
  if (!answer) return setText($("rule"), refused?.say ?? words.away);
  at = answer;
  $("game").replaceChildren(...answer.games.map(([name, title]) => make("option", { value: name, selected: name === answer.game }, title)));
  setText($("step"), fill(words.step, answer));
  $("lines").replaceChildren(...answer.told.map((line) => make("li", {}, line)));
  setText($("rule"), answer.rule);
  $("back").disabled = answer.step <= 1;
  $("next").disabled = answer.step >= answer.of;
  $("alone").href = `/play#${answer.game}`;
  return board.show(answer.view);
}

function go(steps) {
  const number = at.step + steps;
  if (number >= 1 && number <= at.of) show(at.game, number);
}

$("game").setAttribute("aria-label", words.game);
$("game").addEventListener("change", () => show($("game").value));
$("back").addEventListener("click", () => go(-1));
$("next").addEventListener("click", () => go(1));
addEventListener("keydown", ({ key, target }) => {
  if (!target.closest("select, input")) go({ ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0);
});

await show(at.game);
connected();
ready();
