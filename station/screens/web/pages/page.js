// What the pages of the person at the station have in common: their words, and asking anew.

import { setText } from "./line.js";

export const $ = (id) => document.getElementById(id);

/** The words of the page that this is, once they are there. */
export let words = {};

/** The words of a page, put wherever one of its elements names one. */
export async function pageWords(page) {
  // The token has done its work (a cookie stands for it now): it must not be read off the screen or out of a bookmark.
  if (location.search) history.replaceState(null, "", location.pathname);
  words = await (await fetch(`/pages/${page}.en.json`)).json();
  for (const element of document.querySelectorAll("[data-word]")) setText(element, words[element.dataset.word]);
  return words;
}

/** Does `work` whenever it is called, one at a time: a burst of calls is one more, not ten. Gives when it is done for this call. */
export function inTurn(work) {
  let [now, next] = [null, null];
  return function soon() {
    if (!now) {
      now = work().finally(() => {
        now = null;
      });
      return now;
    }
    // What is being done began before this call: it may not know yet what the call is about.
    next ??= now.finally(() => {
      next = null;
      return soon();
    });
    return next;
  };
}

/** Shows whether the station answers this page, and gives whether it does. */
export function answers({ refused }, words) {
  setText($("away"), refused ? words[refused.reason === "not-your-role" ? "not-yours" : "away"] : "");
  $("away").hidden = !refused;
  return !refused;
}
