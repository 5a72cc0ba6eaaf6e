// The page that checks, as the station serves it.

import { begin } from "./check.js";
import { $, pageWords } from "./page.js";

const words = await pageWords("check");

async function load(game) {
  try {
    const answer = await fetch(`/check/${game}.json?lang=${document.documentElement.lang}`);
    if (answer.ok) {
      const text = await answer.text();
      $("keep").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      $("keep").download = `game-${game}.json`;
      $("keep").hidden = false;
      return { text };
    }
    return { say: (await answer.json()).refused.say };
  } catch {
    return { say: words.away };
  }
}

try {
  const view = await (await fetch("/api/board")).json();
  if (view.game) $("game").value = view.game.number;
} catch {
  // the first game, then
}
begin(words, load);
