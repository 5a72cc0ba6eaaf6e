// The keyboard of a page, as `typing.js` reads it: a scan goes to the field for cards whatever has the focus, one key to the page.

import { CONTROL, FIELD, PAGE, Typing } from "./typing.js";

const TEXT = "textarea, input:not([type=checkbox]):not([type=radio]):not([type=file]):not([type=button]):not([type=submit])";
const CONTROLS = "button, a, summary, select, input";
const BUSY_MS = 5; // keys wait to be read: then nothing is over yet

const placeOf = (target) => (!target.matches ? PAGE : target.matches(TEXT) ? FIELD : target.matches(CONTROLS) ? CONTROL : PAGE);

/** The dialog that is open over the page, if there is one. */
export const openDialog = () => document.querySelector("dialog[open]");

/** Sends a form by its own button. */
const submit = (form) => form.querySelector("button:not([type=button])")?.click();

/**
 * Reads the keyboard from now on.
 *
 * `scan(text, {from, dialog})` takes a card, with the element that had the focus. `key({key, repeat, isDown, at})` takes one key that
 * went nowhere, and gives whether it meant something. `digits(text)` takes such digits, `several(keys)` keys that were pressed at
 * once, `paste(text)` what was pasted nowhere. `typed(field)` follows what a person has written or pasted into a field.
 * `before(event)` may take a key before all others. `blank`: whether the space bar is the page's; else it scrolls.
 */
export function listen({ scan, key = () => false, digits = () => {}, several = () => {}, typed = () => {}, paste = () => false, before = () => false, blank = false }) {
  const typing = new Typing();
  const written = new Map(); // fields, as they were before the keys that are waited for
  const down = new Set();
  let from = document.body;
  let timer = 0;

  const takeOut = () => {
    for (const [field, { value, start, end }] of written) {
      if (field.value !== value) {
        field.value = value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      try {
        field.setSelectionRange(start, end);
      } catch {
        // a field for numbers has no selection
      }
    }
  };

  const settle = (found) => {
    for (const one of found) {
      if (one.is === "burst") takeOut();
      else if (one.is === "scan") scan(one.text.trim(), { from, dialog: openDialog() });
      else if (one.is === "typed") typed(document.activeElement);
      else if (one.is === "several") several(one.keys);
      else if (one.is === "digits" && !openDialog()) digits(one.text);
      else pressed({ key: one.text, ...one, isDown: down.has(one.key) });
    }
  };

  const pressed = (one) => {
    const dialog = openDialog();
    const form = document.activeElement?.form;
    if (one.key === "Enter") { // of the field into which the keys before it went
      if (form) submit(form);
    } else if (dialog) dialog.dispatchEvent(new CustomEvent("one-key", { detail: one }));
    else if (!key(one) && from.matches?.("select") && !one.repeat) typeAhead(from, one.key);
  };

  const wait = () => {
    clearTimeout(timer);
    if (typing.due !== null) timer = setTimeout(end, Math.max(0, typing.due - performance.now()));
  };

  const end = () => {
    if (navigator.scheduling?.isInputPending?.()) {
      timer = setTimeout(end, BUSY_MS);
      return;
    }
    settle(typing.tick(performance.now()));
    wait();
  };

  window.addEventListener("keydown", (event) => {
    const { key: name, code, repeat, timeStamp: at } = event;
    const isCharacter = event.getModifierState?.("AltGraph") && name.length === 1;
    if (event.isComposing || ((event.ctrlKey || event.metaKey || event.altKey) && !isCharacter)) return;
    const taken = () => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const focused = document.activeElement;
    settle(typing.tick(at));
    // What was over just now may have moved the focus: this key goes there, as the browser has it.
    const target = document.activeElement === focused ? event.target : document.activeElement;
    if (before(event)) return taken();
    if (!typing.waits) {
      written.clear();
      from = target;
    }
    const there = placeOf(target);
    const place = there === PAGE && !blank ? CONTROL : there;
    if (place === FIELD && !written.has(target)) written.set(target, { value: target.value, start: target.selectionStart, end: target.selectionEnd });
    down.add(name);
    const { mine, found } = typing.feed({ key: name, code, at, repeat, place });
    if (mine) taken();
    settle(found);
    wait();
  }, true);
  window.addEventListener("keyup", ({ key: name }) => down.delete(name), true);
  window.addEventListener("blur", () => down.clear());
  document.addEventListener("input", ({ target }) => {
    if (!typing.waits) typed(target); // pasted, or written by something else than keys
  });
  document.addEventListener("paste", (event) => {
    if (placeOf(event.target) === FIELD || openDialog()) return;
    const text = event.clipboardData?.getData("text")?.trim();
    if (text && paste(text)) event.preventDefault();
  });
}

/** Chooses in a list by its first letter, as the browser would have. */
function typeAhead(select, letter) {
  const options = [...select.options];
  const order = [...options.slice(select.selectedIndex + 1), ...options.slice(0, select.selectedIndex)];
  const found = order.find(({ text, disabled }) => !disabled && text.toLowerCase().startsWith(letter.toLowerCase()));
  if (!found) return;
  select.value = found.value;
  for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
}
