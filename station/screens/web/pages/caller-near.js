// Who is near a prize, as the caller reads it: what a card still wants, or that it is complete and nobody has claimed with it.

import { fill } from "./line.js";

/** One line for each of the first `most` cards of each prize, in the station's order. */
export function nearLines({ stages }, words, most) {
  return stages.flatMap(({ name, cards }) => cards.slice(0, most).map((card) => {
    const holder = card.holder ?? words["holder-none"];
    const key = card.many === 0 ? "near-complete" : card.many < card.numbers.length ? "near-some" : "near-card";
    return { isComplete: card.many === 0, text: fill(words[key], { ...card, name, holder, numbers: card.numbers.join(", ") }) };
  }));
}
