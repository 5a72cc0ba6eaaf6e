// Cards that are checked: looked at by serial, code or the numbers of a ticket, claimed at a stop, and all of this stop.

import { drawn } from "./desk-card.js";
import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { pressable, report } from "./wishes.js";

const LARGEST = 90;

export class Claims {
  #tools;
  #looked = null; // what is shown: how it was asked for
  #turn = 0;

  constructor(tools) {
    this.#tools = tools;
    $("look").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = $("card");
      const text = field.value.trim();
      if (!text) return report(tools.words["which-card"], true);
      field.value = "";
      field.blur(); // the keys are the caller's again
      const stopped = tools.view()?.phase === "stopped";
      const found = await this.#look(meant(text));
      if (!found) return;
      if (stopped && found.verdict && !found.checked) await this.#claim();
      else report(tools.sentence(found));
    });
  }

  /** Says what Enter does here now. */
  draw() {
    const { view, words } = this.#tools;
    const stopped = view()?.phase === "stopped";
    setText($("claims-title"), words[stopped ? "claims-stopped" : "claims"]);
    setText($("look-button"), words[stopped ? "check" : "look"]);
  }

  /** Shows what has become of it after each change. */
  async refresh() {
    const { ask, view } = this.#tools;
    const stopped = view()?.phase === "stopped";
    const { claims = [] } = stopped ? (await ask("claims")).answer ?? {} : {};
    const lines = claims.map(({ serial, verdict, say }) => make("li", { class: verdict === "valid" ? "good" : "bad" }, make("b", {}, serial), ` ${say}`));
    redraw($("checked"), ...lines);
    const asked = this.#looked;
    const again = asked && (await ask(asked.about, asked));
    if (!again || asked !== this.#looked) return;
    if (again.answer) this.#show(again.answer);
    else if (again.refused.reason !== "away") this.#show((this.#looked = null));
  }

  /** What is known of it; nothing where it was not found, which is said, or something else was asked for meanwhile. */
  async #look(asked) {
    const { ask, sentence, words } = this.#tools;
    const mine = ++this.#turn;
    if (asked.wrong) return report(fill(words["number-form"], { text: asked.wrong }), true);
    const answer = await ask(asked.about, asked);
    if (mine !== this.#turn) return null;
    this.#looked = answer.refused ? null : asked;
    this.#show(answer.answer);
    if (answer.refused) report(sentence(answer.refused), true);
    return answer.answer;
  }

  #show(found) {
    const { words, money, view } = this.#tools;
    $("found").hidden = !found;
    if (!found) return redraw($("found"));
    const claims = found.verdict && !found.checked && ["playing", "stopped"].includes(view()?.phase);
    const text = words[view()?.phase === "stopped" ? "claim-more" : "claim"];
    const key = `claim-${found.serial ?? found.numbers.join("-")}`;
    const say = found.say.replace(/^checked already at this stop: /, ""); // it is checked here
    redraw($("found"), ...drawn({ ...found, say }, words, money(), claims ? [pressable({ key, text, press: () => this.#claim(), main: found.verdict === "valid" })] : []));
  }

  /** Claims with what is shown; a code on a card stands for its serial. */
  async #claim() {
    const { ask, does } = this.#tools;
    const { about, serial, numbers } = this.#looked;
    const details = about === "ticket" ? { numbers } : { serial: (await ask("card", { serial })).answer?.serial ?? serial };
    await does(about === "ticket" ? "claim-ticket" : "claim", details);
  }
}

/** What was keyed: several numbers are a ticket's, all else is a card. */
function meant(text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  if (parts.length < 2) return { about: "card", serial: text };
  const wrong = parts.find((part) => !/^[0-9]{1,2}$/.test(part) || Number(part) < 1 || Number(part) > LARGEST);
  return wrong ? { wrong } : { about: "ticket", numbers: parts.map(Number) };
}
