// What a page shows until the station has answered it for the first time. The server has put it there, in the browser's language.

import { setText } from "./line.js";

const place = () => document.getElementById("connecting");

/** Says it in the language in which somebody reads the page. */
export function sayConnecting(words, language) {
  if (!place() || place().lang === language) return;
  place().lang = language;
  for (const one of place().querySelectorAll("[data-every]")) setText(one, words[one.dataset.every]);
}

/** The station has answered, whatever it said. */
export const connected = () => place()?.remove();
