// Texts name keys only while somebody uses keys. In a page's words "[on a keyboard|by touch]" has both forms; one of them may be empty.

const FORMS = /\[([^[\]|]*)(?:\|([^[\]]*))?\]/g;
const LABEL = /\{([\w-]+)\}/g;
const ALONE_MS = 60; // a scanner or a paste sends its next key sooner
const TOUCH = "touch";
const KEYS = "keys";

let before = 0; // when the last key went down
let pending = 0;

/** Whether texts name keys now. */
export const namesKeys = () => document.documentElement.dataset.input !== TOUCH;

/** Return the text for keys or for touch; "{undo}" in the form for touch is the label of that button, as `words` has it. */
export function hinted(text, words, byKeys) {
  return text.replace(FORMS, (_, keys, touch = "") => (byKeys ? keys : touch.replace(LABEL, (whole, key) => words[key] ?? whole)));
}

/** Return these words so that each text comes in the form for the input that is in use when it is read. */
export function withHints(words) {
  return new Proxy(words, {
    get: (all, key) => (typeof all[key] === "string" && all[key].includes("[") ? hinted(all[key], all, namesKeys()) : all[key]),
  });
}

function use(input) {
  const { dataset } = document.documentElement;
  if (dataset.input === input) return;
  dataset.input = input;
  document.dispatchEvent(new Event("input-changed"));
}

/** Follows what is in use: a finger, or a key that somebody pressed outside a field. A scanner's burst of keys is no keyboard in use. */
export function followInput() {
  use(matchMedia("(pointer: coarse)").matches ? TOUCH : KEYS);
  document.addEventListener("pointerdown", ({ pointerType }) => pointerType === TOUCH && use(TOUCH), true);
  document.addEventListener("keydown", ({ target, timeStamp, repeat }) => {
    const burst = timeStamp - before < ALONE_MS;
    before = timeStamp;
    clearTimeout(pending);
    if (!(burst || repeat || target.matches("input, textarea, select"))) pending = setTimeout(use, ALONE_MS, KEYS);
  }, true);
}
