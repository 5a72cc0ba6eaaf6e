// The hand that holds a card before a scanner: its serial, its code, or anything else that a scanner may read.

import { make, setText } from "./line.js";

export class ScannerHand {
  #place;
  #names = "";

  /** `place` is a form; it is filled and shown where the machine has a scanner. */
  constructor(place, words, hands) {
    this.#place = place;
    this.words = words;
    place.addEventListener("submit", (event) => {
      event.preventDefault();
      const { code, scanner } = place.elements;
      if (!code.value.trim()) return;
      hands.move("scan", { code: code.value.trim(), scanner: scanner.value });
      code.select();
    });
  }

  /** Shows the scanners there are. */
  show({ scanners = {} }) {
    const names = Object.keys(scanners);
    this.#place.hidden = !names.length;
    if (names.join() === this.#names) return;
    this.#names = names.join();
    const code = make("input", { name: "code", maxlength: 128, spellcheck: "false", "aria-label": this.words["scan-code"], placeholder: this.words["scan-code"] });
    const which = make("select", { name: "scanner", hidden: names.length < 2, "aria-label": this.words.scanner }, ...names.map((name) => make("option", { value: name }, name)));
    const press = make("button");
    setText(press, this.words.scan);
    this.#place.replaceChildren(code, which, press);
  }
}
