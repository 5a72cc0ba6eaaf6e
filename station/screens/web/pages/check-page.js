// The page that checks, as the station serves it.

import { begin } from "./check.js";
import { $, pageWords } from "./page.js";
import { fromHex } from "./proving.js";

const words = await pageWords("check");

async function load(game) {
  $("keep").hidden = true;
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

/** The hashes that show that a night's record went on from one head to another; "cut" where the station has fewer lines than it had signed, null where it does not say. */
async function grow(night, small, size) {
  try {
    const answer = await fetch(`/check/grown/${night}/${small}/${size}.json`);
    const told = await answer.json();
    if (answer.ok) return told.path.map(fromHex);
    return told.refused?.reason === "unreadable" ? "cut" : null;
  } catch {
    return null;
  }
}

try {
  const view = await (await fetch("/api/board")).json();
  if (view.game) $("game").value = view.game.number;
} catch {
  // the first game, then
}
begin(words, load, grow);
