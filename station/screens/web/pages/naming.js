// Whose something is, typed in a dialog.

import { fill, make } from "./line.js";

/** The name that was typed, beginning with the one `before`; null where it was left. */
export function typedName(words, before) {
  return new Promise((resolve) => {
    const field = make("input", { maxlength: 60, required: "", value: before, autocomplete: "off", "aria-labelledby": "naming-title", "data-testid": "new-name" });
    const leave = make("button", { type: "button" }, words["sure-leave"]);
    const form = make("form", {}, field, make("div", { class: "line" }, make("button", { class: "main" }, words.rename), leave));
    const dialog = make("dialog", { class: "dialog sure", "aria-labelledby": "naming-title", "data-testid": "naming" },
      make("h2", { id: "naming-title" }, fill(words["rename-title"], { name: before })), form);
    const end = (name) => {
      dialog.close();
      dialog.remove();
      resolve(name);
    };
    leave.addEventListener("click", () => end(null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      end(field.value.trim() || null);
    });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(null);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.select();
  });
}
