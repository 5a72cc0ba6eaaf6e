// The hands before the machine: one request at a time, in the order of the clicks.

/** Sends one hand; gives `{ok: true}` or `{refused: {reason, say}}`. */
async function send(request) {
  try {
    const answer = await fetch("/bench/hand", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Loto-Bench": "1" },
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

  /** A hand: `move("press", { button: "draw" })`. */
  move(hand, details = {}) {
    const request = { hand, ...details };
    // In order: a knob is lifted before the next one is dropped, however fast the clicks.
    this.#chain = this.#chain.then(async () => {
      this.begun(request);
      this.done(request, await send(request));
    });
    return this.#chain;
  }

  /** A command, as the person at the table gives it: `act("claim", { serial: "0007" })`. */
  act(act, details = {}) {
    return this.move("do", { do: { act, ...details } });
  }
}
