// What comes next, what lies in the middle, and what the company may ask for.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { Again } from "./typing.js";
import { sending } from "./wishes.js";

const CAVITIES = 10;
// Zones of the middle that have a place of their own; all others are drawn by kind of thing.
const PLACED = ["board", "notes", "offer", "change", "settlement", "rows"];

export class Lead {
  #tools;
  #asking;
  #moves;
  #things;
  #again = new Again(); // a number that is keyed is heard at once
  #told = null;
  #wantsWords = false;

  constructor(tools, asking, moves, things) {
    [this.#tools, this.#asking, this.#moves, this.#things] = [tools, asking, moves, things];
    sending($("count"), ({ counted }) => this.#do("shake", { counted: Number(counted.value) }, "done-shake", { count: counted.value }));
    sending($("knob"), async ({ number }) => {
      const typed = number.value;
      const { report, words } = this.#tools;
      if (!this.#again.press(typed, performance.now())) return report(fill(words["call-again"], { number: typed, button: words.key }));
      const keyed = await this.#do("draw", { number: Number(typed) }, "done-key", { number: typed });
      if (keyed && number.value === typed) number.value = ""; // not the next one, typed meanwhile
      return undefined;
    });
  }

  show(told, view) {
    const { words } = this.#tools;
    [this.#told, this.#wantsWords] = [told, view.wants_words];
    const values = { ...told, next: told.next?.name, title: told.next?.title, drawn: this.#in("board").length };
    setText($("next"), fill(words[`step-${told.step}`] ?? told.text, values));
    setText($("why"), this.#why(values));
    $("why").hidden = !$("why").textContent;
    this.#count(told, view.test);
    $("knob").hidden = !this.#drawing;
    redraw($("steps"), ...this.#steps());
    this.#race(told);
    this.#board(view.theme);
    this.#sums(told);
    redraw($("middle"), ...told.zones.filter((zone) => this.#isElse(zone)).map((zone) => this.#things.zone(zone)));
    this.#captions($("offer"), this.#in("offer").filter(({ text }) => text !== told.text));
    this.#captions($("change"), this.#in("change"));
    this.#settled(told);
    redraw($("company"), ...(told.open ? this.#company() : []));
  }

  /** The things of a zone of the middle. */
  #in(key) {
    return this.#told.zones.filter((zone) => !zone.seat && zone.key === key).flatMap(({ things }) => things);
  }

  #isElse({ seat, key, label, things }) {
    return !seat && !PLACED.includes(key) && things.length > 0 && !isSum({ label, things });
  }

  /** Whether knobs are drawn in this game. */
  get #knobs() {
    return this.#told.zones.some(({ key, seat }) => !seat && key === "board");
  }

  /** Whether a knob is waited for, and its bag was counted. */
  get #drawing() {
    return this.#told.chance?.kind === "knob" && this.#told.step !== "shake";
  }

  #why(values) {
    const { words } = this.#tools;
    const race = this.#drawing && this.#moves.race ? words["how-race"] : "";
    const how = this.#drawing ? fill(words[this.#wantsWords ? "how-mix" : "how-draw"], values) : "";
    return [values.over ? `${values.text}.` : "", fill(words[`why-${values.step}`] ?? "", values), how, race].filter(Boolean).join(" ");
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
    const belief = { draw: { expect: calls }, undo: { expect: calls, seen }, close: { expect: calls, seen }, move: { seen } }[act];
    return this.#tools.does(act, details, said ? fill(this.#tools.words[said], values) : "", belief);
  }

  #steps() {
    const { words, button } = this.#tools;
    const { acts, step, next, open, chance } = this.#told;
    const made = [];
    const due = this.#moves.due();
    const several = new Set(due.map(({ seat }) => seat)).size > 1;
    const add = (act, text, details = {}, main = false) =>
      made.push(button({ key: act, text, press: () => this.#do(act, details), refused: acts[act] ?? "", main }));
    if (step === "open") made.push(button({ key: "open", text: fill(words.open, next), press: () => this.#open(), refused: acts.open, main: true }));
    if (this.#drawing && this.#wantsWords) made.push(button({ key: "mix", text: words.mix, press: () => this.#mix(), main: true }));
    else if (this.#drawing) add("draw", words.draw, {}, true);
    else if (chance?.do && chance.kind !== "knob") made.push(button({ key: "chance", text: chance.label, press: () => this.#do("move", { move: { do: chance.do } }), main: true }));
    made.push(...due.map((move, place) => this.#moves.button(move, { main: !place && !chance, whose: several && move.seat > 0 })));
    if (acts.skip === "") made.push(button({ key: "skip", text: fill(words.skip, next), press: () => this.#skip() }));
    if (open && acts.close === "") add("close", words.close, {}, true);
    if (open) add("undo", words[this.#knobs ? "undo" : "undo-last"], { why: words["undo-why"] });
    return made;
  }

  /** What nobody could know before the bag was committed to. */
  async #mix() {
    const { words } = this.#tools;
    const added = await this.#asking.text(words["mix-title"], words["mix-line"], words["mix-yes"]);
    if (added) await this.#do("mix", { words: added }, "done-mix");
  }

  async #open() {
    if (await this.#tools.seated()) await this.#do("open", {});
  }

  /** The race: a button for each player; who has answered says what came of it. */
  #race({ open, seats, zones, moves }) {
    const { button, does } = this.#tools;
    const race = this.#moves.race;
    const answers = new Map(zones.filter(({ key, seat }) => seat && key === "answer").map(({ seat, things }) => [seat, things[0]]));
    $("answers").hidden = !open || !race || !(race.may || answers.size);
    if ($("answers").hidden) return redraw($("answers"));
    const { names, kind } = race.slots.find((slot) => slot.kind === "race");
    $("answers").setAttribute("aria-label", race.label);
    redraw($("answers"), make("p", {}, race.label), ...seats.map(({ seat, name }) => {
      const given = answers.get(seat);
      const move = { do: race.do, ...race.fields, [names[0]]: [seat], [names[1]]: [0] };
      const refused = moves.find((one) => one.do === race.do && one.seat === seat && !one.may)?.say;
      const made = button({ key: `${kind}-${seat}`, text: given ? `${name}: ${given.text}` : name, refused, press: () => does("move", { move }) });
      if (given?.mood) made.classList.add(given.mood);
      return made;
    }));
  }

  #board(theme) {
    const knobs = this.#in("board").slice(-CAVITIES);
    $("board").hidden = !this.#told.open || !this.#knobs;
    $("board").setAttribute("aria-label", this.#tools.words.cavities);
    $("board").replaceChildren(...Array.from({ length: CAVITIES }, (_, place) => {
      const knob = knobs[place];
      if (knob === undefined) return make("li", { class: "empty" });
      const word = theme?.words[knob.number - 1]; // of Picture Loto
      return make("li", { class: knob.newest ? "newest" : null, title: word, "aria-label": word && `${knob.number}, ${word}` }, String(knob.number));
    }));
  }

  #sums({ open, zones, counted, value, seats }) {
    const { words, sum } = this.#tools;
    const lines = zones.filter((zone) => !zone.seat && isSum(zone)).map(({ label, things }) => [label, things.map((pile) => this.#things.said(pile)).join(", ")]);
    if (counted) lines.push([words.value, sum(value)]);
    $("sums").hidden = !open || !seats.length;
    $("sums").replaceChildren(...lines.flatMap(([text, worth]) => [make("dt", {}, text), make("dd", {}, worth)]));
    setText($("notes"), this.#in("notes").map(({ text }) => text).join(" · "));
    $("notes").hidden = !open || !$("notes").textContent;
  }

  #captions(place, captions) {
    setText(place, captions.map(({ text }) => text).join(" · "));
    place.hidden = !captions.length;
  }

  /** How the last drawing was settled: the line of it, and one tap away all that came to it. */
  #settled({ zones }) {
    const settled = this.#in("settlement");
    const rows = this.#in("rows");
    const said = (kind) => settled.filter((thing) => thing.kind === kind);
    const scores = said("score").filter(({ points }) => points);
    $("settled").hidden = !zones.length || !settled.length;
    setText($("settled").querySelector("summary"), [...said("caption").map(({ text }) => text), ...scores.map(({ points, label }) => `${points} × ${label}`)].join(" · "));
    redraw($("settled-rows"), make("div", { class: "line" }, ...said("knob").map((knob) => this.#things.draw(knob))), ...rows.map((row) => this.#things.draw(row)));
  }

  /** What the company agrees on; what is not due is still there and says why not. */
  #company() {
    const { words, button } = this.#tools;
    const { acts } = this.#told;
    const joining = acts.join === undefined ? [] : [button({ key: "join", text: words.join, press: () => this.#join(), refused: acts.join })];
    const breaking = button({ key: "break", text: words.break, press: () => this.#break(), refused: acts.break });
    return [...this.#moves.company().map((move) => this.#moves.button(move)), ...joining, breaking];
  }

  async #join() {
    const { words, does, brings } = this.#tools;
    const { seen } = this.#told; // what somebody decides by; it may be another table when he has decided
    const joins = await this.#asking.player(words["join-who"], words["join-then"], words["join-yes"]);
    const brought = joins && brings(joins.purse);
    if (brought) await does("join", { name: joins.name, ...brought }, fill(words["done-join"], joins), { seen });
  }

  async #skip() {
    const { words, does } = this.#tools;
    const { seen, next } = this.#told;
    const why = await this.#asking.text(fill(words["skip-sure"], next), words["skip-why"], words["skip-yes"]);
    if (why) await does("skip", { why }, fill(words["done-skip"], next), { seen });
  }

  async #break() {
    const { words, does } = this.#tools;
    const { seen } = this.#told;
    const why = await this.#asking.text(words["break-sure"], words["break-why"], words["break-yes"]);
    if (why) await does("break", { why }, words["done-break"], { seen });
  }
}

/** Piles with a label beside them are told in lines, one below the other. */
const isSum = ({ label, things }) => Boolean(label) && things.length > 0 && things.every(({ kind }) => kind === "pile");
