// The hands before the machine: one request at a time, in the order of the clicks.

import { madeSure } from "./sure.js";

/** Sends one hand; gives `{ok: true}` or `{refused: {reason, say}}`. */
async function send(request) {
  try {
    const answer = await fetch("/bench/hand", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": document.documentElement.lang, "X-Loto-Bench": "1" },
      body: JSON.stringify(request),
    });
    return await answer.json();
  } catch (error) {
    return { refused: { reason: "away", say: error.message } };
  }
}

export class Hands {
  #chain = Promise.resolve();

  /** `begun(request)` is called before each is sent, `done(request, answer)` after it. */
  constructor(begun, done) {
    [this.begun, this.done] = [begun, done];
  }

  /** A hand: `move("press", { button: "draw" })`; gives what it was answered. */
  move(hand, details = {}) {
    const request = { hand, ...details };
    // In order: a knob is lifted before the next one is dropped, however fast the clicks.
    const moved = this.#chain.then(async () => {
      this.begun(request);
      const answer = await send(request);
      if (answer.refused?.reason !== "sure?") this.done(request, answer);
      return answer;
    });
    this.#chain = moved;
    return moved;
  }

  /** A command, as the person at the table gives it: `act("claim", { serial: "0007" })`. What cannot be taken back is asked first. */
  async act(act, details = {}) {
    const order = { do: { act, ...details } };
    const answer = await madeSure(await this.move("do", order), (sure) => this.move("do", { ...order, ...sure }));
    if (answer.refused?.reason === "left") this.done(order, answer);
    return answer;
  }
}
