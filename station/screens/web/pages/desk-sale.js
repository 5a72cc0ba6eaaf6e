// Sale: cards by serial and range, the price before it is taken, what each seller has and hands in.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { sending } from "./wishes.js";

const PAUSE_MS = 250;

export class Sale {
  #tools;
  #fields = $("sell").elements;
  #timer;
  #turn = 0;

  constructor(tools) {
    this.#tools = tools;
    $("sell").addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#price(), PAUSE_MS);
    });
    sending($("sell"), (_, button) => this.#deal(button?.value === "return"));
  }

  /** What the coming game has, and the sellers. */
  show({ next, sellers }) {
    const { words, money } = this.#tools;
    setText($("coming"), next ? fill(words.coming, { ...next, sold: next.sold + next.tickets, price: money().text(next.price) }) : words["no-coming"]);
    $("sellers").replaceChildren(...sellers.map(({ name }) => make("option", { value: name })));
    this.#takings(sellers);
    this.#price();
  }

  get #asked() {
    const { cards, games, tickets } = this.#fields;
    return { named: cards.value.split(/\s+/).filter(Boolean), games: Number(games.value) || 1, tickets: Number(tickets.value) || 0 };
  }

  #what({ count }, tickets) {
    const { words } = this.#tools;
    const many = (number, what) => (number ? fill(words[`${what}-${number === 1 ? 1 : "n"}`], { count: number }) : "");
    return [many(count, "cards"), many(tickets, "tickets")].filter(Boolean).join(words.and);
  }

  async #price() {
    const [asked, turn] = [this.#asked, ++this.#turn];
    if (!asked.named.length && !asked.tickets) return setText($("price"), "");
    const { answer, refused } = await this.#tools.ask("cards", { words: asked.named });
    // Only the newest counts: an answer to what was typed before says nothing of what stands there now.
    if (turn !== this.#turn) return undefined;
    const what = answer && this.#what(answer, asked.tickets);
    return setText($("price"), answer ? fill(this.#tools.words.price, { what, sum: this.#sum(answer, asked) }) : refused.say);
  }

  #sum({ count, prices }, { games, tickets }) {
    const each = prices.slice(0, games).reduce((sum, price) => sum + price, 0);
    return this.#tools.money().text(each * (count + tickets));
  }

  async #deal(back) {
    const { does, report, words, money } = this.#tools;
    const asked = this.#asked;
    if (!asked.named.length && !asked.tickets) return report(words["which-cards"], true);
    const typed = { cards: this.#fields.cards.value, tickets: this.#fields.tickets.value, vouchers: this.#fields.vouchers.value };
    const vouchers = typed.vouchers.trim() ? money().read(typed.vouchers) : 0;
    if (vouchers === null) return report(fill(words["sum-form"], { text: typed.vouchers, example: money().example }), true);
    const { answer: chosen, refused } = await this.#tools.ask("cards", { words: asked.named });
    if (refused) return report(refused.say, true);
    const [to, by] = [this.#fields.to.value.trim(), this.#fields.by.value.trim()];
    const { serials, ranges } = chosen;
    const some = { serials, ...(ranges.length && { ranges }), ...(asked.tickets && { tickets: asked.tickets }), ...(by && { by }) };
    const details = back ? some : { ...some, games: asked.games, ...(to && { to }), ...(vouchers && { vouchers }) };
    const what = this.#what(chosen, asked.tickets);
    const before = back ? await this.#cash() : 0;
    const said = back ? "" : fill(words["done-sell"], { what, sum: this.#sum(chosen, asked) });
    if (!(await does(back ? "return" : "sell", details, said))) return undefined;
    this.#clear(typed);
    if (back) report(fill(words["done-return"], { what, sum: money().text(before - (await this.#cash())) }));
    return undefined;
  }

  /** For the next customer; what was typed meanwhile stays. */
  #clear(typed) {
    for (const [name, text] of Object.entries(typed)) {
      if (this.#fields[name].value === text) this.#fields[name].value = name === "tickets" ? 0 : "";
    }
    if (document.activeElement.tagName === "BUTTON") this.#fields.cards.focus();
    this.#price();
  }

  async #cash() {
    return (await this.#tools.ask("money")).answer?.cash ?? 0;
  }

  #takings(sellers) {
    const { words, money } = this.#tools;
    const table = $("takings");
    table.hidden = !sellers.length;
    const head = ["seller", "sold", "to-hand-in", "difference"].map((key) => make("th", { scope: "col" }, words[key]));
    redraw(table, make("thead", {}, make("tr", {}, ...head, make("th"))), make("tbody", {}, ...sellers.map((seller) => this.#taken(seller, money()))));
  }

  #taken({ name, sold, returned, expected, difference }, money) {
    const { words, report, does } = this.#tools;
    const field = make("input", { name: "sum", inputmode: "decimal", maxlength: 20, "aria-label": fill(words["count-sum"], { name }) });
    const form = make("form", { class: "line", autocomplete: "off", "data-key": `count-${name}` }, field, make("button", {}, words.count));
    sending(form, async ({ sum }) => {
      const amount = money.read(sum.value);
      if (amount === null) return report(fill(words["sum-form"], { text: sum.value, example: money.example }), true);
      const said = fill(words["done-count"], { name, counted: money.text(amount), expected: money.text(expected) });
      if (await does("count-cash", { by: name, amount }, said)) sum.value = "";
      return undefined;
    });
    const cells = [money.text(sold - returned), money.text(expected), difference ? money.text(difference) : ""];
    return make("tr", { "data-key": `seller-${name}` }, make("th", { scope: "row" }, name), ...cells.map((text) => make("td", {}, text)), make("td", {}, form));
  }
}
