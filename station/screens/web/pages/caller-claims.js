// Cards that are checked: looked at by serial, code or the numbers of a ticket, claimed at a stop, and all of this stop.

import { choose } from "./caller-asking.js";
import { drawn } from "./desk-card.js";
import { Till } from "./desk-till.js";
import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { pressable, report } from "./wishes.js";

const LARGEST = 90;

export class Claims {
  #tools;
  #looked = null; // what is shown: how it was asked for
  #ticket = null; // the newest checked, where that is a ticket: it cannot be asked about any more
  #checked = 0; // how many are, at this stop
  #turn = 0;
  #chain = Promise.resolve(); // of cards that were entered
  #till;

  constructor(tools) {
    this.#tools = tools;
    this.#till = new Till(tools);
    $("look").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = $("card");
      const [text, asks] = [field.value.trim(), field.dataset.asks];
      if (!text) return report(tools.words["which-card"], true);
      field.value = "";
      delete field.dataset.asks;
      if (!this.#isStopped) field.blur(); // the keys are the caller's again
      if (text.length === 1 && tools.letter(text)) return undefined;
      return this.enter(text, asks && (await this.#stopsFor(text)));
    });
  }

  get #isStopped() {
    return this.#tools.view()?.phase === "stopped";
  }

  /** Whether play stops for a card that was typed as a number; else it is only looked at. */
  async #stopsFor(card) {
    const { view, words } = this.#tools;
    if (view()?.phase !== "playing") return false;
    return choose({ title: fill(words["card-stop"], { card }), yes: words["card-stop-yes"], leave: words["card-look"] });
  }

  /**
   * A card that was keyed or scanned: looked at, and claimed with at a stop, or where play `stops` for it. One after the other, however
   * slow the station is.
   */
  enter(text, stops = false) {
    const claims = this.#isStopped || stops;
    const one = this.#chain.then(() => this.#one(text, claims, stops));
    this.#chain = one.catch(() => {});
    return one;
  }

  async #one(text, claims, stops) {
    const asked = meant(text);
    const found = await this.#look(asked);
    if (found && claims && (this.#isStopped || stops) && found.verdict && !found.checked) await this.#claim(asked, found);
    else if (found) report(this.#tools.sentence(found));
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
    redraw($("checked"), ...claims.map((claim) => this.#line(claim)));
    this.#follow(claims);
    await this.#prizes();
    if (this.#ticket) return this.#show(this.#ticket);
    const asked = this.#looked;
    const again = asked && (await ask(asked.about, asked));
    if (!again || asked !== this.#looked) return;
    if (again.answer) this.#show(again.answer);
    else if (again.refused.reason !== "away") this.#show((this.#looked = null));
  }

  /** A claim of this stop; its card is shown again by a press. */
  #line({ serial, numbers, verdict, say }) {
    const look = pressable({ key: `look-${serial}`, text: serial, press: () => this.#look({ about: "card", serial }) });
    return make("li", { class: verdict === "valid" ? "good" : "bad", "data-key": `checked-${serial}` }, numbers.length ? make("b", {}, serial) : look, ` ${say}`);
  }

  /** Shows the newest that was checked, whoever claimed with it, from wherever; what is looked at after that stays. */
  #follow(claims) {
    const newest = claims.at(-1);
    if (!newest && this.#ticket) this.#show((this.#ticket = null));
    else if (claims.length > this.#checked) {
      const { called } = this.#tools.view();
      const isTicket = newest.numbers.length > 0;
      this.#looked = isTicket ? null : { about: "card", serial: newest.serial };
      this.#ticket = isTicket ? { ...newest, serial: undefined, checked: true, marked: newest.numbers.filter((number) => called.includes(number)), last: called.slice(-1) } : null;
    }
    this.#checked = claims.length;
  }

  /** The night's prizes that wait to be paid, of earlier games too: by whoever may, approved where it takes two; others are told who pays. */
  async #prizes() {
    const { ask, may } = this.#tools;
    const { owed: waiting = [] } = (await ask("unpaid")).answer ?? {};
    $("prizes").hidden = !waiting.length;
    $("who-pays").hidden = may("pay");
    $("payer").hidden = !may("pay") || !waiting.some(({ needs_approval: takesTwo }) => takesTwo); // two names, then
    if (waiting.length) this.#till.show({ owed: waiting, refunds: [], due: [] });
  }

  /** Where the first prize is paid: there the focus goes; or why it does not. */
  toPay() {
    const { words } = this.#tools;
    if ($("prizes").hidden) return report(words["why-no-prize"], true);
    const button = $("owed").querySelector("button.main");
    if (button) button.focus();
    else report(words["who-pays"], true);
  }

  /** Returns what is known of it, or nothing where it was not found, which is said; shows it unless something else was asked for meanwhile. */
  async #look(asked) {
    const { ask, sentence, words } = this.#tools;
    const mine = ++this.#turn;
    if (asked.wrong) return report(fill(words["number-form"], { text: asked.wrong }), true);
    const answer = await ask(asked.about, asked);
    if (mine === this.#turn) {
      this.#ticket = null;
      this.#looked = answer.refused ? null : asked;
      this.#show(answer.answer);
    }
    if (answer.refused?.reason === "away") $("card").value ||= asked.serial ?? asked.numbers.join(" ");
    if (answer.refused) report(answer.refused.reason === "away" ? words.unasked : sentence(answer.refused), true);
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
    const buttons = claims ? [pressable({ key, text, press: () => this.#claim(this.#looked, found), main: found.verdict === "valid" })] : [];
    const later = found.checked && found.verdict === "valid" ? [make("p", { class: "say" }, words["paid-later"])] : [];
    redraw($("found"), ...drawn({ ...found, say }, words, money(), buttons), ...later);
  }

  /** Claims with what was asked for and found; a code on a card stands for its serial. */
  async #claim({ about, numbers }, { serial }) {
    const ticket = about === "ticket";
    await this.#tools.does(ticket ? "claim-ticket" : "claim", ticket ? { numbers } : { serial });
  }
}

/** What was keyed: several numbers are a ticket's, all else is a card. */
function meant(text) {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  if (parts.length < 2) return { about: "card", serial: text };
  const wrong = parts.find((part) => !/^[0-9]{1,2}$/.test(part) || Number(part) < 1 || Number(part) > LARGEST);
  return wrong ? { wrong } : { about: "ticket", numbers: parts.map(Number) };
}
