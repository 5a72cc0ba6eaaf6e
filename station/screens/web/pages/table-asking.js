// What is asked before something is done: whether it shall be, and what is still to be chosen of a move.

import { face } from "./desk-card.js";
import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { squareSign } from "./things.js";

export const LONGEST_NAME = 40;

/** The check card that lies before the player who moves. */
const cardOf = ({ seat }, told) => told.zones.filter((zone) => zone.seat === seat).flatMap(({ things }) => things).find(({ kind }) => kind === "check-card");

export class Asking {
  #tools;
  #answer = () => {};
  #fits = () => true; // whether what was chosen may be taken

  constructor(tools) {
    this.#tools = tools;
    $("dialog").addEventListener("cancel", (event) => {
      event.preventDefault(); // it is closed with its answer
      this.#end(null);
    });
    $("dialog").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("input:not([type=checkbox])")) return;
      event.preventDefault(); // what is asked next would take the same key for its answer
      $("dialog-buttons").querySelector(".main").click();
    });
  }

  /** Puts away what is asked: it is not to be decided any more. Gives whether something was. */
  leave() {
    const asked = $("dialog").open;
    this.#end(null);
    return asked;
  }

  /** Whether it shall be done; what stands behind the question, and `lines`, say what follows from it. */
  sure(question, lines, yes) {
    const [title, ...more] = question.replaceAll("? ", "?\n").split("\n");
    return this.#ask(title, [...more, ...lines].map((line) => make("p", {}, line)), [this.#choose(yes, true, "main")]);
  }

  /**
   * What is to stand in a slot of a move: a value for each of its names; null when it was left. What is chosen from is drawn as it
   * lies on the table.
   */
  slot(title, slot, move, told) {
    const { words } = this.#tools;
    const ask = make("p", {}, slot.ask || words[`ask-${slot.kind}`] || words["ask-one-of"]);
    const ways = slot.values.map((value) => (Array.isArray(value) ? value : [value]));
    const choices = (some) => this.#ask(title, [ask, this.#choices(some, (way) => this.says(slot, way, move, told))], []);
    switch (slot.kind) {
      case "serial":
        return this.#ask(title, [ask, ...this.#cards(ways, told)], []);
      case "hand":
      case "cubes":
        return this.#several(title, ask, slot);
      case "square":
        return cardOf(move, told) ? this.#ask(title, [ask, this.#squares(ways, cardOf(move, told))], []) : choices(ways);
      case "number":
        return ways.length ? choices(ways) : this.#number(title, ask, slot);
      case "seat":
        return choices(ways.length ? ways : told.seats.map(({ seat }) => [seat]));
      case "yes-no":
        return choices([[true], [false]]);
      default:
        return choices(ways);
    }
  }

  /** What stands in a slot, in words: a player by his name, a square by its number. */
  says({ kind }, way, move, told) {
    const { words, name } = this.#tools;
    if (kind === "seat") return name(way[0]);
    if (kind === "yes-no") return words[way[0] ? "yes" : "no"];
    if (kind === "square") return this.#square(way, move, told);
    if (kind === "hand") return way[0].map((face) => this.#tools.things.cardName(String(face))).join(" · ");
    if (kind === "cubes") return way[0].map((mark) => this.#tools.things.markName(mark)).join(" · ");
    return kind === "serial" ? String(way.at(-1)) : way.join(" · ");
  }

  /** A whole number between its bounds. */
  async #number(title, ask, { least, most }) {
    const { words } = this.#tools;
    const field = make("input", { type: "number", min: least, max: most, value: least, inputmode: "numeric", required: true, "aria-label": ask.textContent });
    const steps = [["fewer", "−", () => field.stepDown()], ["more", "+", () => field.stepUp()]].map(([word, sign, step]) => {
      const button = make("button", { type: "button", "aria-label": words[word], "data-every-click": "" }, sign);
      button.addEventListener("click", step);
      return button;
    });
    const label = make("label", {}, field, make("small", {}, fill(words.bounds, { least, most })));
    const given = await this.#ask(title, [ask, make("div", { class: "stepped" }, steps[0], label, steps[1])], [this.#choose(words.choose, true, "main")], () => field.reportValidity());
    return given && [Number(field.value)];
  }

  /** Some cards of a hand, or marks of cubes, from least to most. */
  async #several(title, ask, { kind, values, least, most }) {
    const { words, things } = this.#tools;
    const ticks = values.map((value) => {
      const tick = make("input", { type: "checkbox" });
      return { value, tick, label: make("label", { class: "hand-card" }, tick, things[kind === "cubes" ? "cube" : "playingCard"](String(value))) };
    });
    const chosen = () => ticks.filter(({ tick }) => tick.checked).map(({ value }) => value);
    const fits = () => chosen().length >= least && chosen().length <= most;
    const bounds = make("small", { role: "status" }, fill(words[least === most ? "bounds-exactly" : kind === "cubes" ? "bounds" : "bounds-cards"], { least, most }));
    const given = await this.#ask(title, [ask, make("div", { class: "line" }, ...ticks.map(({ label }) => label)), bounds], [this.#choose(words.choose, true, "main")], fits);
    return given && [chosen()];
  }

  /** The number on a square of a check card that lies before the player; else which square it is. */
  #square(way, move, told) {
    const place = way.at(-1);
    return String(cardOf(move, told)?.faces.flat()[place] ?? place + 1);
  }

  /** A check card, with a button for each square that may be chosen; each says its number, its row and its column. */
  #squares(ways, { faces, checked }) {
    const sign = squareSign(faces);
    const columns = faces[0].length;
    const open = new Map(ways.map((way) => [way.at(-1), way]));
    const cells = faces.flat().map((face, place) => {
      const way = open.get(place);
      if (!way) return make("span", { class: checked.includes(place) ? "square covered" : "square" }, sign(face));
      const button = make("button", { type: "button", class: "square", "aria-label": `${face} (${Math.floor(place / columns) + 1}/${(place % columns) + 1})` }, sign(face));
      button.addEventListener("click", () => this.#end(way));
      return button;
    });
    const card = make("div", { class: "squares" }, ...cells);
    card.style.setProperty("--columns", columns);
    return card;
  }

  /** One button a way. */
  #choices(ways, text) {
    return make("div", { class: "line" }, ...ways.map((way) => this.#choose(text(way), way, "")));
  }

  /** The cards from which one is chosen, with their faces, by whose they are. */
  #cards(ways, told) {
    const { words, name } = this.#tools;
    const lies = new Map(told.free.map((card) => [card.serial, { ...card, seat: 0 }]));
    for (const { seat, things } of told.zones) for (const thing of things) if (thing.rows) lies.set(thing.serial, { ...thing, seat });
    const groups = new Map();
    for (const way of ways) {
      const card = way.map((value) => lies.get(value)).find(Boolean) ?? { serial: String(way.at(-1)), seat: 0 };
      const whose = card.seat ? name(card.seat) : words["free-cards"];
      groups.set(whose, [...(groups.get(whose) ?? []), { way, card }]);
    }
    return [...groups].map(([whose, some]) => make("section", { class: "choice" }, make("h3", {}, whose), ...some.map(({ way, card: { serial, rows, tens_last: tensLast } }) => {
      const button = make("button", { type: "button", class: "card-choice", "data-serial": serial, "aria-label": fill(words["wanted-card"], { serial, name: whose }) },
        make("b", {}, serial), ...(rows ? [face(rows, [], null, tensLast)] : []));
      button.addEventListener("click", () => this.#end(way));
      return button;
    })));
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

  #choose(text, value, kind) {
    const button = make("button", { type: "button", class: kind || null }, text);
    button.addEventListener("click", () => (value === null || this.#fits() ? this.#end(value) : null));
    return button;
  }

  #ask(title, body, buttons, fits = () => true) {
    this.#end(null);
    setText($("dialog-title"), title);
    $("dialog-body").replaceChildren(...body);
    $("dialog-buttons").replaceChildren(...buttons, this.#choose(this.#tools.words.leave, null, ""));
    this.#fits = fits;
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
