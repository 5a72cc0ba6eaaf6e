// The bag counted over the reader: begun and ended by a button, and how far it is.

import { fill, make } from "./line.js";
import { short } from "./preparing.js";
import { redraw } from "./redraw.js";

const KNOBS = 90;
const NAMED = 10; // more missing knobs than these are still to be laid, not looked for

/** Shows how the count gets on, in `place`; `census` is what the station tells of it, or nothing while no bag waits. */
export function showCount(place, census, { words, button, does }) {
  place.hidden = !census;
  if (!census) return;
  const { active, found, missing = [], away = [], faults = [] } = census;
  const wrong = !active && faults.length > 0;
  const next = active ? "census-end" : wrong ? "census-go-on" : "census-begin";
  const press = () => (active ? does("census-end") : does("census-begin", { go_on: wrong }));
  const of = KNOBS - away.length;
  const values = { count: of - missing.length, of, missing: missing.join(", "), faults: faults.map(short).join("; ") };
  const lines = found && [
    fill(words[wrong ? "counted-wrong" : "counted-so-far"], values),
    active && missing.length > 0 && missing.length <= NAMED && fill(words["counted-missing"], values),
  ];
  redraw(
    place,
    button({ key: next, text: words[next], press }),
    ...(lines ? [make("p", { class: "say", "data-testid": "counted-so-far" }, lines.filter(Boolean).join(" "))] : []),
  );
}
