// What comes next, the knobs on the board, the counters in the middle, and what the company agrees on.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { sending } from "./wishes.js";

const CAVITIES = 10;
const MOST_DRAWINGS = 99;
// What is the next step where it may be done, and what of it is not wished for.
const NEXT = ["settle", "share", "replenish", "finish", "agree", "decline"];
const SECOND_BEST = ["finish", "decline"];
// What the company can agree on: always there, and says why it is not due.
const COMPANY = ["settle", "share", "replenish", "finish", "resolve", "put-away"];
const ASKED_BEFORE = ["share", "replenish", "finish"];

export class Lead {
  #tools;
  #asking;
  #told = null;

  constructor(tools, asking) {
    [this.#tools, this.#asking] = [tools, asking];
    sending($("count"), ({ counted }) => this.#do("shake", { counted: Number(counted.value) }, "done-shake", { count: counted.value }));
    sending($("knob"), async ({ number }) => {
      const typed = number.value;
      const keyed = await this.#do("draw", { number: Number(typed) }, "done-key", { number: typed });
      if (keyed && number.value === typed) number.value = ""; // not the next one, typed meanwhile
    });
  }

  show(told, view) {
    const { words, name } = this.#tools;
    this.#told = told;
    const asked = told.offer ? { ...told.offer, name: name(told.offer.seat), asked: name(told.offer.other) } : {};
    const values = { ...told, ...asked, drawer: name(told.drawer), next: told.next?.name, title: told.next?.title, drawn: told.numbers.length };
    setText($("next"), fill(words[`step-${told.step}`] ?? "", values));
    setText($("why"), this.#why(values));
    this.#count(told, view.test);
    $("knob").hidden = told.step !== "draw";
    redraw($("steps"), ...this.#steps());
    this.#answers(told);
    this.#board(told, view.theme);
    this.#sums(told);
    this.#wins(told.wins);
    setText($("change"), view.table?.change ?? "");
    $("change").hidden = !$("change").textContent;
    this.#settled(told.settled);
    redraw($("company"), ...(told.open ? this.#company() : []));
  }

  #why(values) {
    const { words } = this.#tools;
    const last = values.left === 1 ? words["last-drawing"] : values.left ? fill(words["drawings-left"], values) : "";
    const race = values.racing && values.step === "draw" ? words["why-race"] : "";
    return [fill(words[`why-${values.step}`] ?? "", values), race, values.open ? last : ""].filter(Boolean).join(" ");
  }

  #count(told, test) {
    const hidden = told.step !== "shake";
    const { counted } = $("count").elements;
    // Prefilled where nobody counts real knobs; a host who counts writes what he counted.
    if (!hidden && $("count").hidden) counted.value = test ? told.in_bag : "";
    $("count").hidden = hidden;
  }

  #do(act, details, said, values) {
    const { calls, seen } = this.#told;
    const belief = { draw: { expect: calls }, undo: { expect: calls, seen }, close: { expect: calls, seen } }[act];
    return this.#tools.does(act, details, said ? fill(this.#tools.words[said], values) : "", belief);
  }

  #steps() {
    const { words, button } = this.#tools;
    const { acts, step, next } = this.#told;
    const made = [];
    const add = (act, text, details = {}, main = false) =>
      made.push(button({ key: act, text, press: () => this.#do(act, details), refused: acts[act] ?? "", main }));
    if (step === "open") made.push(button({ key: "open", text: fill(words.open, next), press: () => this.#open(), refused: acts.open, main: true }));
    if (step === "draw") add("draw", words.draw, {}, true);
    if (step === "close") add("close", words.close, {}, true);
    if (this.#told.open) add("undo", words.undo, { why: words["undo-why"] });
    const due = this.#told.choices
      .filter(({ move, may }) => may && NEXT.includes(move.do))
      .map((choice) => this.#button(choice, !SECOND_BEST.includes(choice.move.do)));
    return [...due, ...made];
  }

  async #open() {
    if (await this.#tools.seated()) await this.#do("open", {});
  }

  /** The race: a button for each player; who has answered this number says what came of it. */
  #answers({ open, racing, choices, answers, numbers }) {
    const { words, button, does, name } = this.#tools;
    $("answers").hidden = !open || !racing || !numbers.length;
    $("answers").setAttribute("aria-label", words["who-answers"]);
    redraw($("answers"), make("p", {}, words["who-answers"]), ...choices.filter(({ move }) => move.do === "answer").map(({ seat, move, may, say }) => {
      const given = answers.find((answer) => answer.seat === seat);
      const text = given ? fill(words["answered-so"], { name: name(seat), verdict: words[`answer-${given.verdict}`] }) : fill(words["answers-now"], { name: name(seat) });
      const made = button({ key: `answer-${seat}`, text, refused: may ? "" : say, press: () => does("move", { move }) });
      if (given) made.classList.add(given.verdict);
      return made;
    }));
  }

  #board({ open, numbers }, theme) {
    const shown = numbers.slice(-CAVITIES);
    $("board").hidden = !open;
    $("board").setAttribute("aria-label", this.#tools.words.cavities);
    $("board").replaceChildren(...Array.from({ length: CAVITIES }, (_, place) => {
      const number = shown[place];
      if (number === undefined) return make("li", { class: "empty" });
      const word = theme?.words[number - 1]; // of Picture Loto
      return make("li", { class: number === numbers.at(-1) ? "newest" : null, title: word, "aria-label": word && `${number}, ${word}` }, String(number));
    }));
  }

  #sums({ seats, pool, table, reserve, in_bag: inBag, away, drawing, counted, value, open }) {
    const { words, worth } = this.#tools;
    const lines = [
      [words.pool, worth(pool)],
      table !== null && [words["on-table"], worth(table)],
      reserve !== null && [words.reserve, worth(reserve)],
      counted && [words.value, this.#tools.sum(value)],
      [words["in-bag"], away.length ? fill(words["in-bag-away"], { count: inBag, away: away.join(", ") }) : String(inBag)],
      drawing && [words.drawing, String(drawing)],
    ].filter(Boolean);
    $("sums").hidden = !open || !seats.length;
    $("sums").replaceChildren(...lines.flatMap(([text, sum]) => [make("dt", {}, text), make("dd", {}, sum)]));
  }

  #wins(wins) {
    const { words, name, sum } = this.#tools;
    $("wins").hidden = !wins.length;
    $("wins").replaceChildren(...wins.map(({ seat, stage, cards, amount }) =>
      make("li", {}, fill(words.win, { name: name(seat), stage: words[`stage-${stage}`] ?? stage, cards: cards.join(", "), sum: sum(amount) }))));
  }

  #settled(settled) {
    const { words, counters, sum } = this.#tools;
    const { in_money: inMoney, value } = this.#told;
    const prize = (units) => (inMoney ? sum(units * value) : counters(units));
    $("settled").hidden = !settled;
    if (!settled) return;
    const classes = settled.classes.map(({ name, rows }) => fill(words["settled-class"], { name, rows })).join(", ") || words["settled-none"];
    const unpaid = settled.rows.reduce((more, { won, paid }) => more + won - paid, 0);
    const which = this.#told.over ? "settled-last" : unpaid ? "settled-now" : "settled";
    const short = unpaid ? fill(words[this.#told.over ? "bankruptcy" : "not-paid-yet"], { sum: prize(unpaid) }) : "";
    setText($("settled").querySelector("summary"), [fill(words[which], { classes }), short].filter(Boolean).join(". "));
    const cells = ({ name, serial, row, class: kind, won, paid }) =>
      [name, fill(words["settled-row"], { serial, row }), kind, paid < won ? fill(words["settled-short"], { won: prize(won), paid: prize(paid) }) : prize(won)];
    const row = (settledRow) =>
      make("tr", { class: settledRow.paid < settledRow.won ? "bad" : null }, ...cells(settledRow).map((text) => make("td", {}, text)));
    $("settled").querySelector("tbody").replaceChildren(...settled.rows.filter(({ won }) => won).map(row));
  }

  /** What the company agrees on; what is not due is still there and says why not. */
  #company() {
    const { words, button } = this.#tools;
    const choices = this.#told.choices
      .filter(({ move }) => COMPANY.includes(move.do))
      .filter(({ move, may }) => (may ? !NEXT.includes(move.do) : move.do !== "put-away"));
    const breaking = button({ key: "break", text: words.break, press: () => this.#break(), refused: this.#told.acts.break });
    const joining = this.#told.table !== null ? [button({ key: "join", text: words.join, press: () => this.#join(), refused: this.#told.acts.join })] : [];
    return [...choices.map((choice) => this.#button(choice)), ...joining, breaking];
  }

  #button(choice, main = false) {
    const { words, button } = this.#tools;
    const { move, may, say } = choice;
    return button({ key: Object.values(move).join("-"), text: fill(words[move.do], move), refused: may ? "" : say, press: () => this.#agree(choice), main });
  }

  async #join() {
    const { words, does, brings } = this.#tools;
    const { seen } = this.#told; // what somebody decides by; it may be another table when he has decided
    const joins = await this.#asking.player(words["join-who"], words["join-then"], words["join-yes"]);
    const brought = joins && brings(joins.purse);
    if (brought) await does("join", { name: joins.name, ...brought }, fill(words["done-join"], joins), { seen });
  }

  async #break() {
    const { words, does } = this.#tools;
    const { seen } = this.#told;
    const why = await this.#asking.text(words["break-sure"], words["break-why"], words["break-yes"]);
    if (why) await does("break", { why }, words["done-break"], { seen });
  }

  async #agree({ move, sums = [] }) {
    const { words, does, name, worth } = this.#tools;
    const { seen } = this.#told;
    const kind = move.do;
    let asked = move;
    if (kind === "resolve") {
      const drawings = await this.#asking.many(words.resolve, words["resolve-how-many"], words["resolve-yes"], MOST_DRAWINGS);
      if (drawings === null) return;
      asked = { ...move, drawings };
    } else if (ASKED_BEFORE.includes(kind)) {
      const adds = kind === "replenish" ? [fill(words["replenish-each"], { sum: worth(this.#told.adds) })] : [];
      const lines = sums.map(([seat, more]) => fill(words[more < 0 ? "pays" : "gets"], { name: name(seat), sum: worth(Math.abs(more)) }));
      if (!(await this.#asking.sure(words[`${kind}-sure`], [...adds, ...lines], words[kind]))) return;
    }
    await does("move", { move: asked }, words[`done-${kind}`] && fill(words[`done-${kind}`], asked), { seen });
  }
}
