// What the pages of the person at the station have in common: their words, what was just done, and asking anew.

import { setText } from "./line.js";

export const $ = (id) => document.getElementById(id);

/** The words of a page, put wherever one of its elements names one. */
export async function pageWords(page) {
  // The token has done its work (a cookie stands for it now): it must not be read off the screen or out of a bookmark.
  if (location.search) history.replaceState(null, "", location.pathname);
  const words = await (await fetch(`/pages/${page}.en.json`)).json();
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words[element.dataset.word];
  return words;
}

/** One line about what was just done, or why it was not. */
export function report(text, bad = false) {
  setText($("done"), text);
  $("done").hidden = !text;
  $("done").classList.toggle("bad", bad);
}

/** Does with `act`, says so, and gives whether it was done. What is shown follows by itself: the station tells of each change. */
export const doing = (act) => async (name, details = {}, said = "", expect = undefined) => {
  const answer = await act(name, details, expect);
  report(answer.refused ? answer.refused.say : said, Boolean(answer.refused));
  return !answer.refused;
};

/** Does `work` whenever it is called, one at a time: a burst of calls is one more, not ten. */
export function inTurn(work) {
  let [now, again] = [null, false];
  return function soon() {
    if (now) again = true;
    else {
      now = work().finally(() => {
        now = null;
        if (again) [again] = [false, soon()];
      });
    }
  };
}

/** Shows whether the station answers this page, and gives whether it does. */
export function answers({ refused }, words) {
  setText($("away"), refused ? words[refused.reason === "not-your-role" ? "not-yours" : "away"] : "");
  $("away").hidden = !refused;
  return !refused;
}
