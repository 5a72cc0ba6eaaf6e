// Sale: cards by serial and range, the price before it is taken, what each seller has and hands in.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { drawTakings } from "./takings.js";
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
  show({ next, game, sellers }) {
    const { words, money } = this.#tools;
    setText($("coming"), next ? fill(words.coming, { ...next, sold: next.sold + next.tickets, price: money().text(next.price) }) : words[game?.open ? "last-open" : "no-coming"]);
    $("sellers").replaceChildren(...sellers.filter(({ name }) => name).map(({ name }) => make("option", { value: name })));
    drawTakings($("takings"), sellers, ["sold", "to-hand-in", "difference"], this.#tools);
    this.#price();
  }

  /** Puts a card that was scanned on the list of those to be sold. Gives whether it was not there yet, and what to say. */
  list(card) {
    const { words } = this.#tools;
    const there = this.#asked.named.some((one) => one.toUpperCase() === card.toUpperCase());
    if (!there) {
      this.#fields.cards.value = [...this.#asked.named, card, ""].join(" ");
      $("sell").dispatchEvent(new Event("input"));
    }
    return [!there, fill(words[there ? "scan-twice" : "scan-listed"], { card, count: this.#asked.named.length })];
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
    return setText($("price"), answer ? this.#asking(answer, asked) : refused.say);
  }

  /** The price of what is typed, and of what was given for it the change. */
  #asking(answer, asked) {
    const { words, money } = this.#tools;
    const cash = this.#cash(answer, asked);
    const given = money().read(this.#fields.given.value);
    const values = { what: this.#what(answer, asked.tickets), sum: money().text(cash), change: money().text(Math.abs((given ?? cash) - cash)) };
    return fill(words[given === null ? "price" : given < cash ? "price-short" : "price-change"], values);
  }

  /** What is to be taken in cash: the price, less what is paid in vouchers. */
  #cash({ count, prices }, { games, tickets }) {
    const each = prices.slice(0, games).reduce((sum, price) => sum + price, 0);
    return each * (count + tickets) - (this.#tools.money().read(this.#fields.vouchers.value) ?? 0);
  }

  async #deal(back) {
    const { does, report, words, money } = this.#tools;
    const asked = this.#asked;
    if (!asked.named.length && !asked.tickets) return report(words["which-cards"], true);
    const typed = { cards: this.#fields.cards.value, tickets: this.#fields.tickets.value, vouchers: this.#fields.vouchers.value, given: this.#fields.given.value };
    const vouchers = typed.vouchers.trim() ? money().read(typed.vouchers) : 0;
    if (vouchers === null) return report(fill(words["sum-form"], { text: typed.vouchers, example: money().example }), true);
    const given = money().read(typed.given);
    if (!back && typed.given.trim() && given === null) return report(fill(words["sum-form"], { text: typed.given, example: money().example }), true);
    const { answer: chosen, refused } = await this.#tools.ask("cards", { words: asked.named });
    if (refused) return report(refused.say, true);
    const [to, by] = [this.#fields.to.value.trim(), this.#fields.by.value.trim()];
    const { serials, ranges } = chosen;
    const some = { serials, ...(ranges.length && { ranges }), ...(asked.tickets && { tickets: asked.tickets }), ...(by && { by }) };
    const details = back ? some : { ...some, games: asked.games, ...(to && { to }), ...(vouchers && { vouchers }) };
    const what = this.#what(chosen, asked.tickets);
    const before = back ? await this.#inTheTill() : 0;
    const cash = this.#cash(chosen, asked);
    const sums = { what, sum: money().text(cash), change: money().text(Math.abs((given ?? cash) - cash)) };
    // Whoever has keyed what a customer gives has not got the rest yet.
    if (!back && given !== null && given < cash) return report(fill(words["sell-short"], sums), true);
    const named = (text) => (to ? fill(words["done-to"], { name: to, text }) : text);
    const said = back ? "" : named(fill(words[given === null || given <= cash ? "done-sell" : "done-sell-change"], sums));
    if (!(await does(back ? "return" : "sell", details, said))) return undefined;
    this.#clear(typed);
    if (back) report(fill(words["done-return"], { what, sum: money().text(before - (await this.#inTheTill())) }));
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

  async #inTheTill() {
    return (await this.#tools.ask("money")).answer?.cash ?? 0;
  }
}
