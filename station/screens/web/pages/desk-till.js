// Payment: who is owed what, by two people where it takes two; and what every account has.

import { lotsForms } from "./desk-lots.js";
import { fill, make } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { pressable, sending } from "./wishes.js";

const MOST_RECEIPTS = 12;

export class Till {
  #tools;
  #receipts = []; // what was handed out on this page, the last first

  constructor(tools) {
    this.#tools = tools;
  }

  show(told) {
    if ($("accounts")) this.#accounts(told);
    const { words, money } = this.#tools;
    const lines = [...lotsForms(told.owed, this.#tools), ...told.owed.map((owed) => this.#owed(owed))];
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
    const who = $("who")?.value.trim();
    const paid = await does("pay", { serial: answer?.serial ?? serial, amount, means, ...(who && { who }) }, fill(words["done-pay"], { serial, sum }));
    if (paid) this.#keepReceipt(answer?.serial ?? serial, sum);
    return paid;
  }

  /** Of what was paid here a receipt is offered, to be printed. */
  #keepReceipt(serial, sum) {
    const { papers, words, may } = this.#tools;
    if (!may("receipt")) return;
    this.#receipts = [{ serial, sum }, ...this.#receipts.filter((one) => one.serial !== serial)].slice(0, MOST_RECEIPTS);
    papers.forget({ paper: "receipt", serial }); // one of before does not say that this was paid
    const lines = this.#receipts.map((one) =>
      make("li", { "data-key": `receipt-${one.serial}` }, fill(words["receipt-of"], one), " ", papers.place({ paper: "receipt", serial: one.serial }, words.receipt)));
    $("receipts").hidden = false;
    redraw($("receipts"), ...lines);
  }

  #owed({ serial, holder, amount, things, needs_approval: needs, approved }) {
    const { words, money, may } = this.#tools;
    const sum = money().text(amount);
    const what = [amount ? sum : "", ...things].filter(Boolean).join(words.and);
    const text = [make("b", {}, fill(words["owed-card"], { serial })), holder ? ` ${holder}` : "", " ", make("span", { class: "sum" }, what)];
    const way = (means, said, main) => pressable({ key: this.key({ serial, owed: amount }, means), text: said, press: () => this.pay(serial, amount, means), main });
    const parts = [make("p", {}, ...text)];
    if (may("pay")) {
      const buttons = [way("cash", amount ? fill(words.pay, { sum }) : words["hand-out"], true)];
      if (amount) buttons.push(way("voucher", words.voucher, false));
      parts.push(make("div", { class: "line" }, ...buttons));
    }
    if (needs) parts.splice(1, 0, this.#approval(serial, amount, approved));
    return make("li", { "data-serial": serial, "data-key": `owed-${serial}` }, ...parts);
  }

  #approval(serial, amount, approved) {
    const { does, words, money, may, me } = this.#tools;
    const sum = money().text(amount);
    const agree = (who) => does("approve", { serial, who, amount }, fill(words["done-approve"], { who, sum, serial }));
    if (approved.length) return make("p", { class: "good" }, fill(words.approved, { names: approved.join(", ") }));
    const why = make("small", {}, words["needs-approval"]);
    if (!may("approve")) return make("div", { class: "second" }, why);
    // Whoever pays wants another person; whoever does not is that other person.
    if (!may("pay")) return make("div", { class: "second" }, why, pressable({ key: `approve-${serial}-${amount}`, text: fill(words["approve-sum"], { sum }), press: () => agree(me().name), main: true }));
    const name = make("input", { name: "who", maxlength: 60, "aria-label": words.approver, placeholder: words.approver });
    const form = make("form", { class: "line", autocomplete: "off", "data-key": `approve-${serial}` }, name, make("button", {}, words.approve));
    sending(form, async ({ who: field }) => {
      const who = field.value.trim();
      if (who) await agree(who);
    });
    return make("div", { class: "second" }, why, form);
  }

  #due({ serial, amount }) {
    const { does, words, money, may } = this.#tools;
    const sum = money().text(amount);
    if (!may("recover")) return make("li", { class: "note" }, fill(words.due, { serial, sum }));
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
