// The live line from the station, and small things that all pages need.

import { arrival } from "./saying.js";
import { shown } from "./typed.js";

// The station speaks once a second. Two beats missed: what is shown may be old, and is said to be.
const STALE_MS = 2500;
// Nothing at all for so long: the line itself is dead, though the browser has not noticed (a phone that changed its network).
const DEAD_MS = 6000;
const PAUSES_MS = [250, 500, 1000, 2000, 4000];

/**
 * Keeps a line up for ever. `heard.view` / `heard.bench` get each new picture, `heard.stale` is told true or false.
 * A view that was sent while the page slept, or while its line was down, comes with `true`.
 * The line is stale until something has been heard.
 */
export function follow(path, heard) {
  let failures = 0;
  let came = { at: Date.now(), late: false };
  let stale = null;
  let staleTimer;

  const setStale = (now) => {
    if (now !== stale) {
      stale = now;
      heard.stale(now);
    }
  };

  const dial = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    let deadTimer;
    const listen = () => {
      clearTimeout(staleTimer);
      clearTimeout(deadTimer);
      staleTimer = setTimeout(() => setStale(true), STALE_MS);
      deadTimer = setTimeout(hangUp, DEAD_MS);
    };
    const hangUp = () => {
      clearTimeout(deadTimer);
      socket.onmessage = socket.onclose = null;
      socket.close();
      // A thousand phones must not come back in the same instant.
      const pause = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)];
      setTimeout(dial, pause * (0.5 + Math.random()));
    };
    deadTimer = setTimeout(hangUp, DEAD_MS);
    socket.onclose = hangUp;
    socket.onmessage = ({ data }) => {
      failures = 0;
      listen();
      came = arrival(came, Date.now());
      const message = JSON.parse(data);
      if ("stale" in message) setStale(message.stale);
      else if ("alive" in message) setStale(false);
      else if ("view" in message) heard.view(message.view, came.late);
      else if ("bench" in message) heard.bench(message.bench);
    };
  };

  staleTimer = setTimeout(() => setStale(true), STALE_MS);
  dial();
}

/** The words on the boards, in the hall's language. */
export async function loadWords() {
  return (await fetch("/words.json")).json();
}

/** A sentence with its {names} filled in. */
export const fill = (text, values) => text.replace(/\{([\w-]+)\}/g, (whole, name) => values[name] ?? whole);

// What these say is read by somebody, or to somebody; all other attributes are for programs, which want them as they are.
const READ = new Set(["aria-label", "title", "placeholder", "alt"]);

/** An element: `make("p", { class: "notice" }, "Eyes down")`. Text is never read as HTML; what nobody could see in it has a sign. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, READ.has(name) ? shown(value) : value);
  }
  element.append(...children.map((child) => (typeof child === "string" ? shown(child) : child)));
  return element;
}

/** Sets a text only where it differs: a live region must not be read out again for nothing. */
export function setText(element, text) {
  const seen = shown(String(text ?? ""));
  if (element.textContent !== seen) element.textContent = seen;
}
