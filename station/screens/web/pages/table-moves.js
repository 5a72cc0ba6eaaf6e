// The moves that may be made now: a button of each, what it asks for first, and what follows from it.

import { fill } from "./line.js";

const isRace = ({ slots }) => slots.some(({ kind }) => kind === "race");

/** What a move says that is settled already, but for the seat whose it is. */
const settled = ({ fields }) => Object.entries(fields).filter(([name]) => name !== "seat").map(([, value]) => value);

export class Moves {
  #tools;
  #asking;
  #told = null;

  constructor(tools, asking) {
    [this.#tools, this.#asking] = [tools, asking];
  }

  show(told) {
    this.#told = told;
  }

  /** The move in which several race, where there is one. */
  get race() {
    return this.#told.moves.find(isRace);
  }

  /** Those that somebody is waited for: the company where chance has no say, and the seats whose turn it is; nobody waits for what goes aside, as a fault that is declared. */
  due() {
    const { chance, turn } = this.#told;
    return this.#all().filter((move) => move.may && !move.aside && !this.#card(move) && (move.seat ? turn.includes(move.seat) : !chance));
  }

  /** What the company may ask for besides; what may not be done now says why, but for one of many of its kind. */
  company() {
    const due = this.due();
    return this.#all().filter((move) => !move.seat && !due.includes(move) && (move.may || !settled(move).length));
  }

  /** What the player of a seat may ask for, besides what is asked for at one of his cards. */
  ofSeat(seat) {
    const due = this.due();
    return this.#all().filter((move) => move.seat === seat && !due.includes(move) && !this.#card(move));
  }

  /** What may be asked for with a card that lies there. */
  ofCard(seat, serial) {
    return this.#all().filter((move) => move.seat === seat && this.#card(move) === serial);
  }

  /** All but those of the race and of chance, which have buttons of their own. */
  #all() {
    const { chance, moves } = this.#told;
    return moves.filter((move) => move.do !== this.race?.do && !(move.do === chance?.do && !move.slots.length));
  }

  /** The serial of the card that lies before the player and that the move is about. */
  #card(move) {
    const lies = this.#told.zones.filter(({ seat }) => seat && seat === move.seat).flatMap(({ things }) => things.map(({ serial }) => serial));
    return settled(move).find((value) => typeof value === "string" && lies.includes(value));
  }

  button(move, { main = false, whose = false } = {}) {
    const { name, button } = this.#tools;
    const text = this.#text(move);
    const key = [move.do, ...Object.values(move.fields)].join("-");
    return button({ key, text: whose ? `${name(move.seat)}: ${text}` : text, refused: move.may ? "" : move.say, press: () => this.#make(move), main });
  }

  /** What a move is called, and what was chosen for it beforehand; where something is still to be asked for, that it is. */
  #text(move) {
    if (move.reader) return move.label;
    const chosen = move.slots.map((slot) => this.#beforehand(slot));
    if (chosen.includes(null)) return `${move.label}…`;
    const said = move.slots.map((slot, place) => slot.values.length > slot.least && this.#asking.says(slot, chosen[place], move, this.#told));
    return [move.label, ...said.filter(Boolean)].join(" · ");
  }

  /** What was chosen for a slot before its move was pressed, where the page has a place for that. */
  #beforehand(slot) {
    return this.#tools.chosen?.(slot) ?? null;
  }

  /** Asks for what is open in a move and whether it shall be, then has it done. */
  async #make(move) {
    const { seen } = this.#told; // what somebody decides by; it may be another table when he has decided
    const { words, name, does } = this.#tools;
    const title = [move.seat && name(move.seat), move.label, ...settled(move)].filter(Boolean).join(" · ");
    const [chosen, said] = [{}, []];
    for (const slot of move.reader ? [] : move.slots) { // real cards are laid on the reader
      const values = this.#beforehand(slot) ?? (await this.#asking.slot(title, slot, move, this.#told));
      if (values === null) return;
      slot.names.forEach((field, place) => (chosen[field] = values[place]));
      said.push(this.#asking.says(slot, values, move, this.#told));
    }
    if (!(await this.#sure(move))) return;
    const what = [move.label, ...settled(move), ...said].join(" · ");
    if (move.reader) return does("move", { move: { do: move.do, ...move.fields } }, "", { seen });
    const done = fill(words[move.seat ? "done-move-of" : "done-move"], { name: move.seat && name(move.seat), move: what });
    await does("move", { move: { do: move.do, ...move.fields, ...chosen } }, done, { seen });
  }

  /** Whether it shall be: asked where the game's words have a question, or somebody pays. */
  async #sure({ sure, label, sums }) {
    const { words, name, worth } = this.#tools;
    if (!sure && !sums.some(([, more]) => more < 0)) return true;
    const lines = sums.map(([seat, more]) => fill(words[more < 0 ? "pays" : "gets"], { name: name(seat), sum: worth(Math.abs(more)) }));
    return this.#asking.sure(sure || fill(words["sure-move"], { move: label }), lines, label);
  }
}
