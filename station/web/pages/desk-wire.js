// The desk's way to the station: questions, and acts that are done once however often they are sent.

const HEADERS = { "Content-Type": "application/json", "X-Loto-Desk": "1" };

async function post(path, message) {
  try {
    const answer = await fetch(path, { method: "POST", headers: HEADERS, body: JSON.stringify(message) });
    return await answer.json();
  } catch (error) {
    return { refused: { reason: "away", say: error.message } };
  }
}

/** A question: `{answer}` or `{refused: {reason, say}}`. */
export const ask = (about, details = {}) => post("/desk/ask", { about, ...details });

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** An act: `{ok, seq}` or `{refused}`. Asked a second time when the line broke, with its id, so that it is done once. */
export async function act(name, details = {}) {
  const order = { id: newId(), do: { act: name, ...details } };
  const answer = await post("/desk/do", order);
  return answer.refused?.reason === "away" ? post("/desk/do", order) : answer;
}
