// What a device asks about itself: who it is here, and what it wants of that.

/** Who this device is: `{answer, doors}`, or `{refused: {reason, say}}`. */
export async function whoAmI(words) {
  try {
    return await (await fetch("/pair/me", { headers: { "Accept-Language": document.documentElement.lang } })).json();
  } catch {
    return { refused: { reason: "away", say: words.away } };
  }
}

/** Sends something of a device's own. */
export async function send(path, body, words) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang, "X-Loto-Pair": "1" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch {
    return { refused: { reason: "away", say: words.away } };
  }
}
