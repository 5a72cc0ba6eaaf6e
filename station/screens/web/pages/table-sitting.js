// The company: names, purses, cards, in the order in which they sit, from the dealer's left on.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { LONGEST_NAME } from "./table-asking.js";
import { sending } from "./wishes.js";

const MOST_SEATS = 90;

export class Sitting {
  #tools;
  #players = [];
  #next = null;
  #company = ""; // as the station has it: what is typed is not written over by the same again
  #seated = ""; // the same as it was written here
  #sent = null; // what was written when it was sent, until the station has answered
  #told = null;
  #dragged = null;

  constructor(tools) {
    this.#tools = tools;
    $("add").addEventListener("click", () => this.#add({ name: "", purse: "", takes: "", simulated: false }));
    $("add-simulated").addEventListener("click", () => this.#add({ name: this.#unusedName(), purse: "", takes: "", simulated: true }));
    sending($("sit"), () => this.#sit());
    $("players").addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) $("players").addEventListener(end, () => this.#drop());
  }

  show(told) {
    const { open, next, company } = told;
    const { words, sum } = this.#tools;
    this.#told = told;
    $("sitting").hidden = open || !next;
    if (!next) return;
    const other = this.#next?.number !== next.number;
    this.#next = next;
    setText($("sitting-title"), fill(words[company.length ? "company-for" : "sit-for"], next));
    const said = JSON.stringify(company);
    if (said === this.#company && !other) return;
    const before = JSON.parse(this.#company || "[]");
    this.#company = said;
    if (this.#sent !== null && this.#written !== this.#sent) {
      this.#seated = this.#sent; // somebody writes on while he waits: that is not taken away
      return;
    }
    const players = company.map(({ name, purse, takes, simulated }) => ({ name, purse: sum(purse), takes: takes ?? "", simulated }));
    const isMore = JSON.stringify(company.slice(0, before.length)) === JSON.stringify(before);
    if (!other && isMore && this.#sent === null && this.#written !== this.#seated) {
      this.#joins(players, players.slice(before.length)); // on their phones, while the host writes
      return;
    }
    this.#players = players;
    if (!this.#players.length) this.#players = [{ name: "", purse: "", takes: "", simulated: false }];
    this.#seated = this.#written;
    this.#draw();
  }

  /** Adds who has joined to what the host is writing, and leaves it under the host's hands. */
  #joins(company, newcomers) {
    const field = document.activeElement;
    const row = [...$("players").children].findIndex((one) => one.contains(field));
    const { name, selectionStart, selectionEnd } = field;
    this.#seated = JSON.stringify(company);
    this.#players.push(...newcomers);
    this.#draw();
    if (row < 0) return;
    const again = $("players").children[row].querySelector(`[name="${name}"]`);
    again?.focus();
    if (typeof selectionStart === "number") again?.setSelectionRange(selectionStart, selectionEnd);
  }

  /** Whether those who are written here sit there: who was written since is seated first. */
  async ready() {
    if (this.#written === this.#seated) return true;
    return $("sit").reportValidity() && this.#sit();
  }

  get #written() {
    return JSON.stringify(this.#players);
  }

  #unusedName() {
    const taken = new Set(this.#players.map(({ name }) => name));
    return this.#tools.words.names.find((name) => !taken.has(name)) ?? "";
  }

  #add(player) {
    if (this.#players.length >= MOST_SEATS) return this.#tools.report(this.#tools.words["no-seat-left"], true);
    this.#players.push(player);
    this.#draw();
    $("players").lastElementChild.querySelector("input").focus();
  }

  /** What somebody has with him who writes no purse: what he went with, if he sat there before. */
  #usual({ name }) {
    const same = (other) => other.trim().toLowerCase() === name.trim().toLowerCase();
    return this.#tools.sum(this.#told.gone.find((seat) => same(seat.name))?.purse ?? this.#next.purse);
  }

  #draw() {
    $("players").replaceChildren(...this.#players.map((player, place) => this.#player(player, place)));
  }

  #player(player, place) {
    const { words } = this.#tools;
    const field = (name, attributes) => {
      const input = make("input", { name, value: player[name], ...attributes });
      input.addEventListener("input", () => (player[name] = input.value));
      return make("label", { class: name }, make("span", {}, words[name]), input);
    };
    const name = field("name", { maxlength: LONGEST_NAME, required: true });
    const purse = field("purse", { maxlength: 20, inputmode: "decimal", placeholder: this.#usual(player) });
    name.addEventListener("input", () => (purse.querySelector("input").placeholder = this.#usual(player)));
    const takes = make("select", { name: "takes" },
      ...["", ...this.#next.takes].map((count) => make("option", { value: count, selected: String(count) === String(player.takes) }, count === "" ? words["takes-rules"] : String(count))));
    takes.addEventListener("change", () => (player.takes = takes.value));
    const simulated = make("input", { type: "checkbox", name: "simulated", checked: player.simulated });
    simulated.addEventListener("change", () => (player.simulated = simulated.checked));
    const handle = make("span", { class: "handle", title: words.drag, "aria-hidden": "true" }, "⠿");
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.#dragged = player;
      $("players").setPointerCapture(event.pointerId);
    });
    const order = [["up", -1, "↑"], ["down", 1, "↓"]].map(([name, step, sign]) =>
      this.#small(fill(words[name], { seat: place + 1 }), sign, () => this.#move(place, place + step), place + step < 0 || place + step >= this.#players.length));
    const gone = this.#small(fill(words.remove, { seat: place + 1 }), "×", () => {
      this.#players.splice(place, 1);
      this.#draw();
    });
    return make("li", { class: this.#dragged === player ? "dragged" : null },
      handle, make("b", { class: "place" }, String(place + 1)),
      name, purse,
      make("label", { class: "takes" }, make("span", {}, words.takes), takes),
      make("label", { class: "tick" }, simulated, make("span", {}, words.simulated)),
      make("span", { class: "order" }, ...order, gone));
  }

  #small(label, sign, press, disabled = false) {
    const button = make("button", { type: "button", "aria-label": label, title: label, disabled, "data-every-click": sign !== "×" }, sign);
    button.addEventListener("click", press);
    return button;
  }

  #move(from, to) {
    const [player] = this.#players.splice(from, 1);
    this.#players.splice(to, 0, player);
    this.#draw();
    const buttons = $("players").children[to].querySelectorAll(".order button");
    [...buttons].find((button, which) => which === (to < from ? 0 : 1) && !button.disabled)?.focus();
  }

  #drag({ clientY }) {
    if (this.#dragged === null) return;
    const rows = [...$("players").children];
    const over = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
    const to = over < 0 ? rows.length - 1 : over;
    const from = this.#players.indexOf(this.#dragged);
    if (to === from) return;
    this.#players.splice(from, 1);
    this.#players.splice(to, 0, this.#dragged);
    this.#draw();
  }

  #drop() {
    if (this.#dragged === null) return;
    this.#dragged = null;
    this.#draw();
  }

  async #sit() {
    const { words, does, brings } = this.#tools;
    const players = [];
    for (const { name, purse, takes, simulated } of this.#players) {
      const brought = brings(String(purse).trim());
      if (!brought) return false;
      players.push({ name: name.trim(), ...brought, ...(takes !== "" && { takes: Number(takes) }), ...(simulated && { simulated }) });
    }
    this.#sent = this.#written;
    const done = await does("sit", { players }, fill(words["done-sit"], { count: players.length }));
    if (done && this.#written === this.#sent) {
      this.#company = ""; // drawn anew, with the sums as the station has them
      this.show(this.#told);
    }
    this.#sent = null;
    return done;
  }
}
