// Counters, fish and contracts as they lie before a player: a few of each kind one over the other, and how many there are.

import { make } from "./line.js";

const PILE = 4; // of one kind are drawn; the number beside them says how many there are

/** A sum as pieces; where it is one of money, as its text. What is owed has a minus, and the word for a debt. */
export function pieces(sum, owed = "") {
  const kinds = [["contract", sum.contracts], ["fish", sum.fish], ["counter", sum.singles]].filter(([, count]) => count);
  const minus = sum.units < 0 ? ["–"] : [];
  const told = minus.length ? { class: "pieces owed", role: "img", "aria-label": `${owed}: ${sum.text}`, title: `${owed}: ${sum.text}` }
    : { class: "pieces", role: "img", "aria-label": sum.text, title: sum.text };
  if (!kinds.length) {
    const text = `${minus.join("")}${!sum.counters && sum.text ? sum.text : "–"}`;
    return make("span", minus.length ? told : { class: "pieces" }, text);
  }
  return make("span", told, ...minus,
    ...kinds.map(([kind, count]) =>
      make("span", { class: "pile" },
        ...Array.from({ length: Math.min(count, PILE) }, () => make("i", { class: kind })), make("b", {}, String(count)))));
}
