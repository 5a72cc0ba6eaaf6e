// Counters, fish and contracts as they lie before a player: a few of each kind one over the other, and how many there are.

import { make } from "./line.js";

const PILE = 4; // of one kind are drawn; the number beside them says how many there are

/** A sum of the board view as pieces; where it is one of money, as its text. */
export function pieces(sum) {
  const kinds = [["contract", sum.contracts], ["fish", sum.fish], ["counter", sum.singles]].filter(([, count]) => count);
  if (!kinds.length) return make("span", { class: "pieces" }, sum.counters === 0 && sum.text ? sum.text : "–");
  return make("span", { class: "pieces", role: "img", "aria-label": sum.text, title: sum.text },
    ...kinds.map(([kind, count]) =>
      make("span", { class: "pile" },
        ...Array.from({ length: Math.min(count, PILE) }, () => make("i", { class: kind })), make("b", {}, String(count)))));
}
