// Somebody else than whose device this is answers for a sum: by typing the own PIN, which goes with the act.

import { make } from "./line.js";
import { words } from "./page.js";

/** The six digits that were typed; null where it was left. `say` says who is asked, and for what. */
function typedPin(say) {
  return new Promise((resolve) => {
    const field = make("input", { name: "pin", type: "password", inputmode: "numeric", pattern: "[0-9]{6}", maxlength: 6, required: "", autocomplete: "off",
      "aria-label": words["pin-field"], placeholder: words["pin-field"], "data-testid": "pin" });
    const leave = make("button", { type: "button", "data-testid": "pin-leave" }, words["sure-leave"]);
    const form = make("form", { class: "line", autocomplete: "off" }, field, make("button", { class: "main" }, words["pin-yes"]), leave);
    const dialog = make("dialog", { class: "dialog sure", "aria-labelledby": "pin-title", "aria-describedby": "pin-say" },
      make("h2", { id: "pin-title" }, words["pin-title"]), make("p", { id: "pin-say" }, say), form);
    const end = (pin) => {
      dialog.close();
      dialog.remove();
      resolve(pin);
    };
    leave.addEventListener("click", () => end(null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      end(field.value);
    });
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(null);
    });
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
  });
}

/** An answer as it came; where a PIN is wanted, that of `again({pin})` for what was typed, and for others that nothing was done. */
export async function proven(answer, again) {
  const { reason, say } = answer.refused ?? {};
  if (reason !== "pin-wanted" && reason !== "wrong-pin") return answer;
  const pin = await typedPin(say);
  return pin === null ? { refused: { reason: "left", say: words["sure-left"] } } : again({ pin });
}
