// What is needed now and then: vouchers for cash, money that leaves the hall or comes, a game that cannot go on. Each for whoever may.

import { fill } from "./line.js";
import { $ } from "./page.js";
import { sending } from "./wishes.js";

// The forms there may be on a page, each by the act that it sends.
const FORMS = ["redeem", "bank", "break"];

export class More {
  #tools;
  #there = FORMS.filter((act) => $(act));

  constructor(tools) {
    this.#tools = tools;
    const sends = { redeem: (fields) => this.#redeem(fields), bank: (fields) => this.#bank(fields), break: (fields) => this.#break(fields) };
    for (const act of this.#there) sending($(act), sends[act]);
  }

  /** Shows what this person may do; a game is broken off only while one is open. */
  show(playing) {
    for (const act of this.#there) $(act).hidden = !this.#tools.may(act) || (act === "break" && !playing);
    if ($("more")) $("more").hidden = this.#there.every((act) => $(act).hidden);
  }

  async #redeem({ amount }) {
    await this.#sum(amount, (units, sum) => this.#tools.does("redeem", { amount: units }, fill(this.#tools.words["done-redeem"], { sum })));
  }

  async #bank({ amount, way }) {
    const { does, words } = this.#tools;
    const [account, brought] = way.value.split("-");
    await this.#sum(amount, (units, sum) => {
      const said = fill(words[brought ? "done-brought" : "done-bank"], { sum, account: words[account] });
      return does("bank", { account, amount: brought ? -units : units }, said);
    });
  }

  async #break({ why }) {
    const { does, report, words } = this.#tools;
    const text = why.value.trim();
    if (!text) return report(words["break-why-missing"], true);
    if (await does("break", { why: text }, words["done-break"])) why.value = "";
    return undefined;
  }

  /** Does it with the sum in this field, which is empty when it is done. */
  async #sum(field, act) {
    const { money, report, words } = this.#tools;
    const units = money().read(field.value);
    if (!units) return report(fill(words["sum-form"], { text: field.value, example: money().example }), true);
    if (await act(units, money().text(units))) field.value = "";
    return undefined;
  }
}
