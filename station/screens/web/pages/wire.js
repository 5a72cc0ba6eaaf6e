// A page's way to the station: questions, and acts that are done once however often they are sent.

import { proven } from "./pin.js";
import { madeSure } from "./sure.js";

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The ways of the page at `path`, which proves by its `header` that it is that page: to ask, to act, and to post to any other. */
export function wireTo(path, header) {
  const post = async (way, message) => {
    try {
      const answer = await fetch(`${path}/${way}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang, [header]: "1" },
        body: JSON.stringify(message),
      });
      return await answer.json();
    } catch (error) {
      return { refused: { reason: "away", say: error.message } };
    }
  };

  /** A question: `{answer}` or `{refused: {reason, say}}`. */
  const ask = (about, details = {}) => post("ask", { about, ...details });

  /**
   * An act: `{ok, seq}` or `{refused}`. Asked a second time when the line broke, with its id, so that it is done once. `belief` is
   * what the page goes by, `{expect, seen}`: where that is not so any more, the act is refused. What cannot be taken back is asked
   * first; for whoever is sure it is a wish of its own. So it is where somebody else's PIN is wanted.
   */
  const act = async (name, details = {}, belief = {}) => {
    const order = { id: newId(), do: { act: name, ...details }, ...belief };
    const answer = await post("do", order);
    const answered = answer.refused?.reason === "away" ? await post("do", order) : answer;
    const again = (more) => act(name, details, { ...belief, ...more });
    return madeSure(await proven(answered, again), again);
  };

  return { ask, act, post };
}
