// The bag and the reader: knobs to click, drag, or reach with the arrow keys.

import { fill, make, setText } from "./line.js";

const DRAG_FROM_PX = 6;
const COLUMNS = 10;

export class Bag {
  #words;
  #hands;
  #reader;
  #resting;
  #knobs;
  #left = new Set();
  #lying = [];
  #dragged = false;

  /** `bag` gets ninety knobs, `reader` takes them, `resting` is where they lie on it. */
  constructor({ bag, reader, resting, words, hands }) {
    [this.#reader, this.#resting, this.#words, this.#hands] = [reader, resting, words, hands];
    this.#knobs = Array.from({ length: 90 }, (_, index) => this.#knob(index + 1));
    bag.setAttribute("aria-label", words.bag);
    bag.append(...this.#knobs);
    bag.addEventListener("keydown", (event) => this.#steer(event));
  }

  /** Shows which knobs are left, which lie on the reader, and which a census has ticked off. */
  show({ bag, reader, census }) {
    this.#left = new Set(bag);
    const counted = new Set(census?.active ? census.found : []);
    this.#lying = reader.resting;
    const lying = new Set(reader.resting);
    for (const [index, knob] of this.#knobs.entries()) {
      const gone = !this.#left.has(index + 1) || lying.has(index + 1);
      knob.classList.toggle("gone", gone);
      knob.classList.toggle("counted", counted.has(index + 1));
      knob.disabled = gone;
    }
    this.#keepOneTabStop();
    this.#reader.dataset.plugged = reader.plugged;
    const words = this.#words;
    const numbers = reader.resting.join(", ");
    // Only when others lie there: a knob must not be replaced under the finger that lifts it.
    if (this.#resting.dataset.numbers !== numbers) {
      this.#resting.dataset.numbers = numbers;
      this.#resting.replaceChildren(...reader.resting.map((number) => this.#restingKnob(number)));
    }
    setText(document.getElementById("bag-count"), fill(words["bag-count"], { count: bag.length }));
    const state = reader.plugged ? (reader.resting.length ? "reader-on-it" : "reader-empty") : "reader-unplugged";
    setText(document.getElementById("reader-state"), fill(words[state], { numbers }));
  }

  /** Some knobs of the bag, for a fault that needs any. */
  some(count) {
    const left = [...this.#left].filter((number) => !this.#lying.includes(number));
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
  }

  /** Clears the reader first: a hand that puts a knob down has taken the last one away. */
  clear() {
    if (this.#lying.length) this.#hands.move("lift");
  }

  #drop(number) {
    this.clear();
    this.#hands.move("drop", { knob: number });
  }

  #knob(number) {
    const knob = make("button", { class: "knob", "data-knob": number, "aria-label": fill(this.#words.knob, { number }), tabindex: "-1" }, String(number));
    knob.addEventListener("click", () => {
      if (!this.#dragged) this.#drop(number);
    });
    knob.addEventListener("pointerdown", (event) => this.#grasp(event, knob, number));
    return knob;
  }

  #restingKnob(number) {
    const label = fill(this.#words["reader-on-it"], { numbers: number });
    const knob = make("button", { class: "knob", "aria-label": label, "data-resting": number }, String(number));
    knob.addEventListener("click", () => this.#hands.move("lift"));
    return knob;
  }

  #grasp(down, knob, number) {
    this.#dragged = false;
    // A finger that moves wants to scroll; fingers tap.
    if (down.button !== 0 || down.pointerType === "touch") return;
    knob.setPointerCapture(down.pointerId);
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      this.#dragged ||= Math.hypot(x, y) > DRAG_FROM_PX;
      if (!this.#dragged) return;
      knob.classList.add("carried");
      knob.style.translate = `${x}px ${y}px`;
      this.#reader.classList.toggle("wanted", this.#isOver(event));
    };
    const end = (event) => {
      knob.removeEventListener("pointermove", move);
      knob.classList.remove("carried");
      knob.style.translate = "";
      this.#reader.classList.remove("wanted");
      if (event.type === "pointerup" && this.#dragged && this.#isOver(event)) this.#drop(number);
    };
    knob.addEventListener("pointermove", move);
    knob.addEventListener("pointerup", end, { once: true });
    knob.addEventListener("pointercancel", end, { once: true });
  }

  #isOver({ clientX, clientY }) {
    const box = this.#reader.getBoundingClientRect();
    return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  }

  // One stop for the Tab key, arrows within: ninety stops would bury the rest of the page.
  #keepOneTabStop() {
    if (this.#knobs.some((knob) => knob.tabIndex === 0 && !knob.disabled)) return;
    for (const knob of this.#knobs) knob.tabIndex = -1;
    const first = this.#knobs.find((knob) => !knob.disabled);
    if (first) first.tabIndex = 0;
  }

  #steer(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key];
    const from = this.#knobs.indexOf(document.activeElement);
    if (step === undefined || from < 0) return;
    event.preventDefault();
    let to = from + step;
    while (this.#knobs[to]?.disabled) to += step;
    if (!this.#knobs[to]) return;
    this.#knobs[from].tabIndex = -1;
    this.#knobs[to].tabIndex = 0;
    this.#knobs[to].focus();
  }
}
