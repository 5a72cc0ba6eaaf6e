// What is asked before something is done: a reason, one tap each or in one's own words; or whether it is meant.

import { make } from "./line.js";

let shown = null;

/**
 * One of `choices`, by a tap or by its place as a key; or what was written, where `field` names a line for it. Null where it was left.
 */
export function choose({ title, lines = [], choices = [], field = "", yes = "", leave }) {
  shown?.end(null);
  return new Promise((resolve) => {
    const dialog = make("dialog", { class: "dialog sure", "aria-labelledby": "choose-title", "data-testid": "choose" });
    const end = (value) => {
      if (shown?.dialog === dialog) shown = null;
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const button = (text, value, attributes = {}) => {
      const made = make("button", { type: "button", ...attributes }, text);
      made.addEventListener("click", (event) => event.detail < 2 && end(typeof value === "function" ? value() : value));
      return made;
    };
    const ways = choices.map((choice, index) => {
      const made = button(choice, choice, { class: "way" });
      made.append(make("kbd", {}, String(index + 1)));
      return made;
    });
    const text = make("input", { maxlength: 200, autocomplete: "off", "aria-label": field, "data-testid": "reason" });
    const written = () => text.value.trim() || null;
    const done = yes ? [button(yes, field ? written : true, { "data-testid": "yes" })] : [];
    const left = button(leave, null, { class: "main", "data-testid": "leave" });
    dialog.append(
      make("h2", { id: "choose-title" }, title), ...lines.map((line) => make("p", {}, line)),
      ...(ways.length ? [make("div", { class: "line ways" }, ...ways)] : []),
      ...(field ? [make("label", {}, make("span", {}, field), text)] : []),
      make("div", { class: "line" }, ...done, left));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(null);
    });
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the key that answers is none of the page's
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target === text) {
        if (event.key !== "Enter" || !written()) return;
        event.preventDefault();
        end(written());
      }
    });
    dialog.addEventListener("one-key", ({ detail }) => !detail.repeat && ways[Number(detail.key) - 1]?.click());
    shown = { dialog, end };
    document.body.append(dialog);
    dialog.showModal();
    (ways[0] ?? left).focus();
  });
}
