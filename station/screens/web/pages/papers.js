// Papers that the station makes: a report, a receipt. One is asked for, followed while it is made, and opened as a PDF.

import { fill, make } from "./line.js";
import { redraw } from "./redraw.js";
import { pressable, report } from "./wishes.js";

const LOOK_MS = 400;

const keyOf = (asked) => `paper-${Object.values(asked).join("-")}`;

/** The papers of the page at `path`; `words` has `paper-…` for what is told while one is made. */
export class Papers {
  #ask;
  #path;
  #words;
  #made = new Map(); // by key: how far it is, and when it is ready where

  constructor({ ask, path, words }) {
    [this.#ask, this.#path, this.#words] = [ask, path, words];
  }

  /** What was made is of the past: its place offers it anew. */
  forget(asked) {
    this.#made.delete(keyOf(asked));
  }

  /** A place on the page for the paper that `asked` names: its button, or how far it is, or the way to it. */
  place(asked, text) {
    const place = make("span", { class: "paper", "data-key": keyOf(asked) });
    this.#draw(place, asked, text);
    return place;
  }

  #draw(place, asked, text) {
    const { key } = place.dataset;
    const state = this.#made.get(key);
    const press = () => this.#begin(key, asked, text);
    const button = pressable({ key, text: state?.address ? this.#words["paper-again"] : text, press });
    const bar = make("progress", { max: state?.of || null, value: state?.of ? state.done : null, "aria-label": this.#words["paper-making"] });
    const link = state?.address && make("a", { class: "open", href: state.address, target: "_blank", rel: "noopener" }, fill(this.#words["paper-open"], { name: state.name }));
    redraw(place, ...(link ? [link] : []), button, ...(state?.making ? [bar] : []));
  }

  /** Has it made, and shows how far it is wherever its place is drawn by then. */
  async #begin(key, asked, text) {
    const show = (state) => {
      this.#made.set(key, state);
      const place = document.querySelector(`[data-key="${CSS.escape(key)}"].paper`);
      if (place) this.#draw(place, asked, text);
    };
    show({ making: true });
    const told = await this.read(asked, (step) => show({ making: true, ...step }));
    if (!told) return show({});
    const query = new URLSearchParams({ ...asked, line: told.line });
    query.delete("paper");
    show({ address: `${this.#path}/${asked.paper}.pdf?${query}`, name: told.name });
    return report(fill(this.#words["paper-ready"], { name: told.name }));
  }

  /** The answer about a paper that is ready; null where it cannot be made, which `fail` is told. */
  async read(asked, follow = () => {}, fail = (say) => report(say, true)) {
    let line;
    for (;;) {
      const { answer, refused } = await this.#ask("paper", { ...asked, ...(line && { line }) });
      if (refused) {
        fail(refused.say);
        return null;
      }
      if (answer.size !== undefined) return answer;
      line = answer.line;
      follow(answer);
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS);
      });
    }
  }
}
