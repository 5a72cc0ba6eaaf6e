// A press that is held: the large button shows the next number while a finger, a mouse or the space bar is down on it, and calls it when that comes up.

const LONG_MS = 300; // what is up again before is a press as ever

/** A press of the button that `selector` finds. */
export class Hold {
  #by = null; // the pointer that is down, or "space"
  #timer = 0; // until the press is a long one
  #isLong = false;
  #swallows = false; // the click that ends a long press

  /** `may()`: whether a long press means something now. Then `begins()`, and either `calls()` or, where it was left, `leaves()`. */
  constructor(selector, { may, begins, calls, leaves }) {
    Object.assign(this, { selector, may, begins, calls, leaves });
    document.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", ({ pointerId, clientX, clientY }) => {
      if (pointerId === this.#by && !document.elementFromPoint(clientX, clientY)?.closest(selector)) this.leave();
    });
    document.addEventListener("pointerup", ({ pointerId }) => pointerId === this.#by && this.#up());
    document.addEventListener("pointercancel", ({ pointerId }) => pointerId === this.#by && this.leave());
    document.addEventListener("contextmenu", (event) => this.#by !== null && event.preventDefault());
    window.addEventListener("click", (event) => this.#clicked(event), true); // before all others
    document.addEventListener("visibilitychange", () => document.hidden && this.leave());
    window.addEventListener("blur", () => this.leave());
    document.addEventListener("keyup", (event) => {
      if (event.key !== " " || this.#by !== "space") return;
      event.preventDefault();
      // Of a short one the button is pressed now; by a pointer the browser does that.
      if (!this.#up()) document.querySelector(selector).click();
    });
  }

  /** Takes a key that goes down, and gives whether it was about a press that is held. */
  keyed(event) {
    const isSpace = event.key === " " && (!event.target.matches("button, a") || event.target.matches(this.selector));
    const isOurs = this.#by === null ? isSpace && !event.repeat && this.may() : event.key === "Escape" || event.key === " ";
    if (!isOurs) return false;
    event.preventDefault();
    if (event.key === "Escape") this.leave();
    else if (this.#by === null) this.#begin("space");
    return true;
  }

  /** The space bar is down, wherever the focus is. Gives whether that begins a press that may be held. */
  press() {
    if (this.#by !== null || !this.may()) return false;
    this.#begin("space");
    return true;
  }

  /** The finger went elsewhere: nothing is called. */
  leave() {
    if (this.#end()) this.leaves();
  }

  /** Ends it where there is nothing to be called any more. */
  drop() {
    this.#end();
  }

  #down(event) {
    this.#swallows = false;
    if (this.#by === null && event.isPrimary && event.button === 0 && event.target.closest(this.selector) && this.may()) this.#begin(event.pointerId);
  }

  #begin(by) {
    this.#by = by;
    this.#timer = setTimeout(() => {
      this.#isLong = true;
      this.#swallows = by !== "space";
      this.begins();
    }, LONG_MS);
  }

  #up() {
    const isLong = this.#end();
    if (isLong && this.may()) this.calls();
    else if (isLong) this.leaves();
    return isLong;
  }

  #end() {
    const isLong = this.#isLong;
    clearTimeout(this.#timer);
    [this.#by, this.#isLong] = [null, false];
    return isLong;
  }

  // One that is pressed by a script or a key has no detail.
  #clicked(event) {
    if (!this.#swallows || !event.detail) return;
    this.#swallows = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
