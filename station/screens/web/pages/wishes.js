// What the person at desk or table wishes: each is done once, however quick the hands and however slow the station; and none is
// dropped without a word.

import { fill, make } from "./line.js";
import { $, words } from "./page.js";

const MOST_LINES = 4;

const underWay = new Set(); // by key, while the station has not answered
let reports = 0;
let lines = []; // what was said of the acts that were under way together
let notDone = ""; // what was pressed meanwhile, and is to be pressed again
let isCrowded = false; // several were under way at once
let lastClicked = ""; // the key of the button that was clicked last

const keyOf = (button) => button.dataset.key ?? button.form?.dataset.key ?? "";
const labelOf = (button) => [...button.childNodes].filter(({ nodeName }) => nodeName !== "KBD").map(({ textContent }) => textContent).join(" ").trim();

// The second click of a double click is no second wish, and by then something else may stand under the pointer: the next prize to be
// paid, the end of what the first click began. Where somebody means every click, the button says so.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button:not([data-every-click])");
  if (!button) return;
  const isSame = keyOf(button) === lastClicked;
  lastClicked = keyOf(button);
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // Of one button a double click is one wish, while its answer is awaited: nothing was lost.
  if (!(isSame && underWay.has(keyOf(button))) && button.closest("main")) refuse(words["not-done-close"], labelOf(button));
}, true);

/** Says that something was not done, beside what is said of the act that hinders it. */
function refuse(text, what) {
  notDone = fill(text, { what });
  draw();
}

/** Does `work` unless what goes by this key is being done: until then its buttons wait, and what was said before is of the past. */
async function once(key, work, what) {
  if (underWay.has(key)) {
    refuse(words["not-done"], what);
    return;
  }
  if (!underWay.size) [lines, isCrowded] = [[], false];
  else isCrowded = true;
  notDone = "";
  underWay.add(key);
  showWaiting(key);
  $("done").classList.add("past");
  try {
    await work();
  } finally {
    underWay.delete(key);
    showWaiting(key);
  }
}

/** Not `disabled`: that would take the focus away from who presses by keyboard. */
function showWaiting(key) {
  for (const one of document.querySelectorAll(`button[data-key="${CSS.escape(key)}"], form[data-key="${CSS.escape(key)}"] button`)) {
    one.setAttribute("aria-busy", underWay.has(key));
  }
}

/**
 * A button; `press` is not done a second time while the station has not answered the first. `key` finds it again when it is drawn
 * anew. One that may not be pressed now is there all the same, and says when it is pressed why it is `refused`.
 */
export function pressable({ key, text, press, refused = "", main = false }) {
  const classes = [main ? "main" : "", refused ? "off" : ""].filter(Boolean).join(" ");
  const made = make("button", {
    type: "button", class: classes || null, "data-key": key, title: refused || null, "aria-disabled": refused ? "true" : null, "aria-busy": String(underWay.has(key)),
  }, text);
  made.onclick = () => (refused ? report(refused, true) : once(key, press, text));
  return made;
}

/** Has a form, known by its `data-key`, do `send(fields, button)` when it is sent: not a second time before the first was answered. */
export function sending(form, send) {
  form.onsubmit = (event) => {
    event.preventDefault();
    const button = event.submitter ?? form.querySelector("button");
    once(form.dataset.key, () => send(event.currentTarget.elements, event.submitter), button ? labelOf(button) : "");
  };
  for (const button of form.querySelectorAll("button")) button.setAttribute("aria-busy", underWay.has(form.dataset.key));
  return form;
}

/** One line about what was just done, or why it was not; of acts that were under way together, one each. */
export function report(text, bad = false) {
  reports += 1;
  if (!underWay.size) notDone = ""; // it was said beside the answer that it belongs to
  const line = { text, bad };
  lines = isCrowded && text ? [...lines, line].slice(-MOST_LINES) : [line];
  draw();
}

function draw() {
  const told = [...lines.filter(({ text }) => text), ...(notDone ? [{ text: notDone, bad: true }] : [])];
  // A new element each time: what is said twice in the same words is told twice.
  $("done").replaceChildren(...told.flatMap(({ text }, place) => [...(place ? [" "] : []), make("span", {}, text)]));
  $("done").className = told.some(({ bad }) => bad) ? "done bad" : "done";
}

/**
 * Does with `act`, says so once the page shows what has become of it (`shown` waits for that), and gives whether it was done: the
 * next wish goes by what is so by then.
 */
export const doing = (act, words, shown) => async (name, details = {}, said = "", belief = {}) => {
  const before = reports;
  const { refused } = await act(name, details, belief);
  await shown();
  if (refused) report(refused.reason === "away" ? words.unanswered : refused.say, true);
  else if (said || reports === before) report(said); // what was said meanwhile is not put away for nothing
  return !refused;
};
