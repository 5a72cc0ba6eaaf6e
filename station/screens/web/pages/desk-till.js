// Payment: who is owed what, by two people where it takes two; and what every account has.

import { fill, make } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { pressable, sending } from "./wishes.js";

export class Till {
  #tools;
  constructor(tools) {
    this.#tools = tools;
  }

  show(told) {
    this.#accounts(told);
    const { words, money } = this.#tools;
    const lines = told.owed.map((owed) => this.#owed(owed));
    for (const { game, each, cards } of told.refunds) {
      const many = fill(words[cards === 1 ? "cards-1" : "cards-n"], { count: cards });
      lines.push(make("li", { class: "note" }, fill(words.refund, { game, cards: many, sum: money().text(each) })));
    }
    for (const due of told.due) lines.push(this.#due(due));
    if (!lines.length) lines.push(make("li", { class: "note" }, words["nothing-owed"]));
    redraw($("owed"), ...lines);
  }

  /** What is paid by one press: a card's sum, in cash or as a voucher. */
  key({ serial, owed }, means = "cash") {
    return `pay-${serial}-${owed}-${means}`;
  }

  /** Hands out all that a card is owed: the sum that was shown, and none that it has become since. */
  async pay(serial, amount, means = "cash") {
    const { ask, does, words, money } = this.#tools;
    const { answer } = await ask("owed", { serial });
    const sum = answer ? [answer.amount ? money().text(answer.amount) : "", ...answer.things].filter(Boolean).join(words.and) : "";
    const who = $("who").value.trim();
    return does("pay", { serial: answer?.serial ?? serial, amount, means, ...(who && { who }) }, fill(words["done-pay"], { serial, sum }));
  }

  #owed({ serial, holder, amount, things, needs_approval: needs, approved }) {
    const { words, money } = this.#tools;
    const sum = money().text(amount);
    const what = [amount ? sum : "", ...things].filter(Boolean).join(words.and);
    const text = [make("b", {}, fill(words["owed-card"], { serial })), holder ? ` ${holder}` : "", " ", make("span", { class: "sum" }, what)];
    const way = (means, said, main) => pressable({ key: this.key({ serial, owed: amount }, means), text: said, press: () => this.pay(serial, amount, means), main });
    const buttons = [way("cash", amount ? fill(words.pay, { sum }) : words["hand-out"], true)];
    if (amount) buttons.push(way("voucher", words.voucher, false));
    const parts = [make("p", {}, ...text), make("div", { class: "line" }, ...buttons)];
    if (needs) parts.splice(1, 0, this.#approval(serial, amount, approved));
    return make("li", { "data-serial": serial, "data-key": `owed-${serial}` }, ...parts);
  }

  #approval(serial, amount, approved) {
    const { does, words, money } = this.#tools;
    const sum = money().text(amount);
    if (approved.length) return make("p", { class: "good" }, fill(words.approved, { names: approved.join(", ") }));
    const name = make("input", { name: "who", maxlength: 60, "aria-label": words.approver, placeholder: words.approver });
    const form = make("form", { class: "line", autocomplete: "off", "data-key": `approve-${serial}` }, name, make("button", {}, words.approve));
    sending(form, async ({ who: field }) => {
      const who = field.value.trim();
      if (who) await does("approve", { serial, who, amount }, fill(words["done-approve"], { who, sum, serial }));
    });
    return make("div", { class: "second" }, make("small", {}, words["needs-approval"]), form);
  }

  #due({ serial, amount }) {
    const { does, words, money } = this.#tools;
    const sum = money().text(amount);
    const press = () => does("recover", { serial, amount }, fill(words["done-recover"], { serial, sum }));
    const back = pressable({ key: `recover-${serial}-${amount}`, text: words.brought, press });
    return make("li", { class: "note" }, fill(words.due, { serial, sum }), " ", back);
  }

  #accounts({ cash, house, charity, jackpot, carried, vouchers, game, next }) {
    const { words, money } = this.#tools;
    const all = [
      [words.cash, cash],
      [words.house, house],
      [words.charity, charity],
      [words.jackpot, jackpot],
      [words.carried, carried],
      [words["vouchers-out"], vouchers],
      [game && fill(words.prizes, game), game?.prizes],
      [next && fill(words.pot, next), next?.pot],
    ];
    // What is nothing is left out, but for cash and the house.
    const lines = all
      .filter(([, units], place) => units || place < 2)
      .flatMap(([text, units]) => [make("dt", {}, text), make("dd", {}, money().text(units))]);
    $("accounts").replaceChildren(...lines);
  }
}
