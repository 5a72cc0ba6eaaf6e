// Before an evening: the knobs are counted and the machine tries itself. Two buttons, and what comes of them.

import { fill, make, setText } from "./line.js";

// A reader wants to have heard a knob before the next one lies there.
const LAY_MS = 200;
const KNOBS = 90;
const IDLE = { active: false };

export class Preparing {
  #words;
  #hands;
  #buttons;
  #progress;
  #census = IDLE;
  #test = IDLE;
  #plugged = true;

  constructor({ orders, progress, words, hands }) {
    [this.#words, this.#hands, this.#progress] = [words, hands, progress];
    const button = (name, press) => {
      const made = make("button", { "data-ready": name });
      made.addEventListener("click", press);
      return made;
    };
    this.#buttons = {
      census: button("census", () => this.#switchCensus()),
      lay: button("lay", () => this.#layTheRest()),
      test: button("test", () => this.#switchTest()),
    };
    orders.append(...Object.values(this.#buttons));
  }

  /** Shows how the two get on. */
  show({ census = IDLE, "self-test": test = IDLE, reader }) {
    [this.#census, this.#test, this.#plugged] = [census, test, reader.plugged];
    const { census: count, lay, test: trial } = this.#buttons;
    const words = this.#words;
    setText(count, words[census.active ? "census-end" : this.#mending ? "census-go-on" : "census-begin"]);
    setText(lay, words["census-lay"]);
    lay.hidden = !census.active;
    setText(trial, words[test.active ? "test-end" : "test-begin"]);
    for (const [button, { active }] of [[count, census], [trial, test]]) button.classList.toggle("due", active);
    setText(this.#progress, [this.#censusText(), this.#testText()].filter(Boolean).join(" "));
    this.#progress.hidden = !this.#progress.textContent;
  }

  /** What a person has to do now, or null. */
  get asks() {
    const words = this.#words;
    if (this.#test.active) return this.#test.asks ? fill(words["coach-test-asks"], { asks: this.#test.asks }) : words["coach-test"];
    return this.#census.active ? words["coach-census"] : null;
  }

  get #mending() {
    return Boolean(this.#census.faults?.length);
  }

  #censusText() {
    const { active, missing = [], away = [], faults = [] } = this.#census;
    if (!active && !("found" in this.#census)) return "";
    const of = KNOBS - away.length; // at the table some may be put away
    const values = { count: of - missing.length, of, faults: faults.map(short).join("; ") };
    return fill(this.#words[active ? "census-active" : faults.length ? "census-faults" : "census-good"], values);
  }

  #testText() {
    const { active, parts = [] } = this.#test;
    const faults = parts.filter(({ result }) => result === "fault").map(({ what }) => what);
    const values = { count: parts.length, faults: faults.join(", ") };
    if (active) return fill(this.#words["test-active"], values);
    return parts.length ? fill(this.#words[faults.length ? "test-faults" : "test-good"], values) : "";
  }

  #switchCensus() {
    if (this.#census.active) this.#hands.act("census-end");
    else this.#hands.act("census-begin", { go_on: this.#mending });
  }

  #switchTest() {
    this.#hands.act(this.#test.active ? "self-test-end" : "self-test-begin");
  }

  /** The hand that lays what has not passed yet, one knob after the other; it stops when the count or the reader does. */
  async #layTheRest() {
    this.#buttons.lay.disabled = true;
    for (const number of this.#census.missing ?? []) {
      if (!this.#census.active || !this.#plugged) break;
      this.#hands.move("lift");
      await this.#hands.move("drop", { knob: number });
      await new Promise((resolve) => setTimeout(resolve, LAY_MS));
    }
    await this.#hands.move("lift");
    this.#buttons.lay.disabled = false;
  }
}

/** Sentences for what the self-test has tried since the last picture. */
export function testNews(before, after, words) {
  const [old, now] = [before["self-test"]?.parts ?? [], after["self-test"]?.parts ?? []];
  const fresh = now.length < old.length ? now : now.slice(old.length);
  return fresh.map(({ what, result, say }) => ({ kind: result === "fault" ? "trouble" : "phase", text: fill(words[`log-test-${result}`], { what, say }) }));
}

/** Ninety numbers in a row tell nobody anything. */
export const short = (fault) => (fault.length > 70 ? `${fault.slice(0, fault.lastIndexOf(",", 70))} …` : fault);
