// What is asked before something is done: whether it shall be, how many, or which card.

import { face } from "./desk-card.js";
import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";

export const LONGEST_NAME = 40;

export class Asking {
  #tools;
  #answer = () => {};

  constructor(tools) {
    this.#tools = tools;
    $("dialog").addEventListener("cancel", (event) => {
      event.preventDefault(); // it is closed with its answer
      this.#end(null);
    });
  }

  /** Whether it shall be done; `lines` say what follows from it. */
  sure(title, lines, yes) {
    return this.#ask(title, lines.map((line) => make("p", {}, line)), [this.#choose(yes, true, "main")]);
  }

  /** A whole number, 1 at least; null when it was left. */
  async many(title, line, yes, most) {
    const field = make("input", { type: "number", min: 1, max: most, value: 1, inputmode: "numeric", "aria-label": title });
    const given = await this.#ask(title, [make("p", {}, line), field], [this.#choose(yes, true, "main")]);
    return given && field.checkValidity() ? Number(field.value) : null;
  }

  /** A line of text; null when it was left, or nothing was written. */
  async text(title, line, yes) {
    const field = make("input", { maxlength: 200, "aria-label": line });
    const given = await this.#ask(title, [make("label", {}, make("span", {}, line), field)], [this.#choose(yes, true, "main")]);
    return given ? field.value.trim() || null : null;
  }

  /** Who joins, `{name, purse}` as they were written; null when it was left, or nobody is named. */
  async player(title, line, yes) {
    const { words } = this.#tools;
    const [name, brings] = [make("input", { maxlength: LONGEST_NAME }), make("input", { maxlength: 20, inputmode: "decimal" })];
    const fields = [["name", name], ["purse", brings]].map(([word, input]) => make("label", {}, make("span", {}, words[word]), input));
    const given = await this.#ask(title, [make("p", {}, line), ...fields], [this.#choose(yes, true, "main")]);
    return given && name.value.trim() ? { name: name.value.trim(), purse: brings.value.trim() } : null;
  }

  /** One of some cards, `{seat, name, serial, rows}` each; null when it was left. */
  card(title, cards) {
    const { words } = this.#tools;
    const groups = grouped(cards);
    const body = [...groups].map(([name, some]) =>
      make("section", { class: "choice" }, make("h3", {}, name), ...some.map((card) => {
        const label = fill(words["wanted-card"], card);
        const button = make("button", { type: "button", class: "card-choice", "data-serial": card.serial, "aria-label": label }, make("b", {}, card.serial), face(card.rows));
        button.addEventListener("click", () => this.#end(card));
        return button;
      })));
    return this.#ask(title, body, []);
  }

  #choose(text, value, kind) {
    const button = make("button", { type: "button", class: kind }, text);
    button.addEventListener("click", () => this.#end(value));
    return button;
  }

  #ask(title, body, buttons) {
    this.#end(null);
    setText($("dialog-title"), title);
    $("dialog-body").replaceChildren(...body);
    $("dialog-buttons").replaceChildren(...buttons, this.#choose(this.#tools.words.leave, null, ""));
    $("dialog").showModal();
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  #end(value) {
    const answer = this.#answer;
    this.#answer = () => {};
    if ($("dialog").open) $("dialog").close();
    answer(value);
  }
}

function grouped(cards) {
  const groups = new Map();
  for (const card of cards) groups.set(card.name, [...(groups.get(card.name) ?? []), card]);
  return groups;
}
