// What a device asks about itself: who it is here, and what it wants of that.

import { fill, make } from "./line.js";
import { wordsOf } from "./page.js";

const AGAIN_MS = 5000;

/** Who this device is: `{answer, doors}`, or `{refused: {reason, say}}`. */
export async function whoAmI(words) {
  try {
    return await (await fetch("/pair/me", { headers: { "Accept-Language": document.documentElement.lang } })).json();
  } catch {
    return { refused: { reason: "away", say: words.away } };
  }
}

/**
 * Says at the top of a page who this device is, and leads from there to all that it opens. Where nobody is paired, as at the machine
 * itself, there is nothing to say.
 */
export async function showWho() {
  const words = await wordsOf("start");
  const { answer, refused } = await whoAmI(words);
  if (refused?.reason === "away") setTimeout(showWho, AGAIN_MS);
  if (!answer) return;
  const { name, role, seat } = answer;
  const who = fill(words[seat ? "who-seat" : "who"], { name, seat, role: words[`role-${role}`] ?? role });
  const link = make("a", { class: "who", href: "/start", "data-testid": "who-here" }, make("b", {}, who), " ", make("small", {}, words.doors));
  document.querySelector(".bar h1").after(link);
  document.querySelector(".bar").dataset.paired = "";
}

/** Sends something of a device's own, from the page that this header proves. */
export async function send(path, body, words, header = "X-Loto-Pair") {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang, [header]: "1" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    return { refused: { reason: "away", say: words.away } };
  }
}
