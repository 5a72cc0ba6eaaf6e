// What the pages of the person at the station have in common: their words, and asking anew.

import { connected, sayConnecting } from "./connecting.js";
import { followInput, withHints } from "./key-hints.js";
import { make, setText } from "./line.js";

export const $ = (id) => document.getElementById(id);

/** The words of the page that this is, once they are there. */
export let words = {};

followInput();

// The language that stands in for what another lacks.
const REFERENCE = "en";
// What all pages say.
const EVERY = "every";
const CHOSEN = "language";
const AGAIN_MS = 1000;

/** The words of a page, in the language of whoever sits before it, put wherever one of its elements names one. */
export async function pageWords(page) {
  // The token has done its work (a cookie stands for it now): it must not be read off the screen or out of a bookmark.
  if (location.search) history.replaceState(null, "", location.pathname);
  const { hall, pages } = await fetched("/languages.json");
  const has = pages[page];
  const language = languageOf(has, hall);
  const [own, every] = await Promise.all([page, EVERY].map((name) => wordsOf(name, language)));
  words = withHints({ ...every, ...own });
  sayConnecting(words, language);
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) setText(element, words[element.dataset.word]);
  if (has.length > 1) document.querySelector(".bar")?.append(chooser(has, language));
  return words;
}

/** The words that a page has in a language; that of the page which this is, when it has its words. */
export async function wordsOf(page, language = document.documentElement.lang) {
  // Under every other language lies English: what is not translated yet, or cannot be had, is there all the same.
  const own = language === REFERENCE ? {} : fetched(`/pages/${page}.${language}.json`).catch(() => ({}));
  return { ...(await fetched(`/pages/${page}.${REFERENCE}.json`)), ...(await own) };
}

const fetched = async (path) => (await fetch(path)).json();

/** Of the languages that a page has: the person's choice, else the browser's first, else the hall's, else English. */
function languageOf(has, hall) {
  const fits = (wanted) => has.find((code) => code === wanted) ?? has.find((code) => wanted?.startsWith(`${code}-`));
  return [kept(CHOSEN), ...navigator.languages, hall].map(fits).find(Boolean) ?? REFERENCE;
}

// A browser may keep nothing for a page, and says so by an error; it then lasts as long as the page's place in its history.

/** What was kept under this name on any page of the station; nothing where nothing was. */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return history.state?.[name];
  }
}

/** Keeps a text for all pages of the station. */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    history.replaceState({ ...history.state, [name]: text }, "");
  }
}

function choose(language) {
  keep(CHOSEN, language);
  location.reload();
}

/** Where a language is chosen, each under its own name. */
function chooser(has, language) {
  const name = (code) => new Intl.DisplayNames(code, { type: "language" }).of(code);
  const options = has.map((code) => make("option", { value: code, lang: code, selected: code === language }, name(code)));
  const select = make("select", { class: "language", "aria-label": words.language, "data-testid": "language" }, ...options);
  select.addEventListener("change", () => choose(select.value));
  return select;
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

/** As `inTurn`, of work that gives what the station answered: one answer may be lost where the line is not, so it is asked for again. */
export function refreshing(work) {
  let timer;
  const soon = inTurn(async () => {
    clearTimeout(timer);
    const { refused } = await work();
    if (refused?.reason === "away") timer = setTimeout(soon, AGAIN_MS);
  });
  return soon;
}

// What the page has words of its own for; all else is said in the station's.
const SAID_HERE = { "not-your-role": "not-yours", away: "away" };

/** Shows whether the station answers this page, and gives whether it does. */
export function answers({ refused }, words) {
  connected();
  setText($("away"), refused ? (words[SAID_HERE[refused.reason]] ?? refused.say) : "");
  $("away").hidden = !refused;
  return !refused;
}

/** The page's scripts hear from now on: what was pressed before is done now. */
export const ready = () => window.pageIsReady?.();
