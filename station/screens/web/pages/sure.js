// What cannot be taken back is asked first: what would be lost by it, and whether it shall be done or left.

import { make } from "./line.js";
import { words } from "./page.js";

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Whether it shall be done, by what would be `lost`; whoever only presses Enter or Escape leaves it. */
export function isSure(lost) {
  return new Promise((resolve) => {
    const leave = make("button", { type: "button", class: "main", "data-testid": "leave" }, words["sure-leave"]);
    const doIt = make("button", { type: "button", "data-testid": "do-it" }, words["sure-do"]);
    const dialog = make("dialog", { class: "dialog sure", role: "alertdialog", "aria-labelledby": "sure-title", "aria-describedby": "sure-lost", "data-testid": "sure" },
      make("h2", { id: "sure-title" }, words["sure-title"]),
      make("p", { id: "sure-lost", "data-testid": "lost" }, lost),
      make("div", { class: "line" }, doIt, leave));
    const end = (sure) => {
      dialog.close();
      dialog.remove();
      resolve(sure);
    };
    leave.addEventListener("click", () => end(false));
    // The second click of a double click, whose first one asked, is no answer.
    doIt.addEventListener("click", (event) => event.detail < 2 && end(true));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(false);
    });
    document.body.append(dialog);
    dialog.showModal();
    leave.focus();
  });
}

/** An answer as it came; where it asks, that of `again({seen, sure})` for whoever is sure, and for others that nothing was done. */
export async function madeSure(answer, again) {
  const { reason, say, seen } = answer.refused ?? {};
  if (reason !== "sure?") return answer;
  return (await isSure(sentence(say))) ? again({ seen, sure: true }) : { refused: { reason: "left", say: words["sure-left"] } };
}
