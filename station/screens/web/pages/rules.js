// The rules of the games in short, the one that is played now, or comes next, before the others.

import { make } from "./line.js";
import { $, pageWords } from "./page.js";

const words = await pageWords("rules");

async function had(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

const [told, view] = await Promise.all([had(`/rules.json?lang=${document.documentElement.lang}`), had("/api/board")]);
const now = view?.rules;

function game({ name, title, sentences }) {
  const mark = name === now ? [make("small", {}, words.now)] : [];
  return make("details", { open: name === now, "data-testid": `rules-${name}` },
    make("summary", {}, title, ...mark),
    make("ol", {}, ...sentences.map((sentence) => make("li", {}, sentence))));
}

const games = told?.games ?? [];
const first = games.filter(({ name }) => name === now);
const others = games.filter(({ name }) => name !== now);
$("rules").replaceChildren(...(told ? [...first, ...others].map(game) : [make("p", {}, words.away)]));
