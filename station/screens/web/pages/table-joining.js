// The host opens the table: for a minute players join on their own phones, each with a name.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { drawCode } from "./qr.js";
import { redraw } from "./redraw.js";
import { addressOf, untilShut } from "./table-open.js";

const OPEN_S = 60; // as the station has it

export class Joining {
  #tools;
  #post;
  #open;
  #joined = [];

  constructor(tools, post) {
    this.#tools = tools;
    this.#post = post;
    this.#open = untilShut(() => this.#draw());
  }

  /** Follows the board: it says whether the table is open. */
  view(view) {
    this.#open.show(view);
    const { words } = this.#tools;
    const address = this.#open.seconds ? addressOf(view, "/join") : "";
    if ($("joining-code").dataset.address === address) return;
    $("joining-code").dataset.address = address;
    $("joining-code").replaceChildren(...(address ? [drawCode(address, words["join-code"]), make("p", {}, address)] : []));
  }

  /** Shows who has joined; between games alone, before one that is played at the table. */
  async show({ open, step }) {
    const joinable = !open && ["sit", "open"].includes(step);
    $("joining").hidden = !joinable;
    if (!joinable) return;
    const { answer } = await this.#post("join", { do: "show" });
    if (answer) this.#tell(answer);
  }

  #tell({ joined, taken, seats }) {
    this.#joined = joined;
    setText($("join-seats"), fill(this.#tools.words["join-seats"], { taken, seats }));
    this.#draw();
  }

  #draw() {
    const { words } = this.#tools;
    const { seconds } = this.#open;
    setText($("join-left"), seconds ? fill(words["join-left"], { seconds }) : "");
    redraw($("join-steps"), ...(seconds ? [this.#button("again", "open"), this.#button("shut", "shut")] : [this.#button("open", "open", true)]));
    setText($("joined-title"), this.#joined.length ? words["join-joined"] : seconds ? words["join-nobody"] : "");
    redraw($("joined"), ...this.#joined.map((name, at) => make("li", { "data-key": `joined-${at}` }, name)));
  }

  #button(name, what, main = false) {
    const text = fill(this.#tools.words[`join-${name}`], { seconds: OPEN_S });
    return this.#tools.button({ key: `join-${name}`, text, main, press: () => this.#hold(what) });
  }

  async #hold(what) {
    const { words, report } = this.#tools;
    const { answer, refused } = await this.#post("join", { do: what });
    if (refused) {
      report(refused.reason === "away" ? words.away : refused.say, true);
      return;
    }
    report(fill(words[`done-join-${what}`], { seconds: OPEN_S }));
    this.#tell(answer);
  }
}
