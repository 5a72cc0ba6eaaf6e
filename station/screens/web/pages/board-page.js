// The public board as a page of its own: the board, fed by the live line, and the sound button.

import { keepAwake, letSleep } from "./awake.js";
import { connected } from "./connecting.js";
import { Board } from "./board.js";
import { fullScreenButton } from "./full-screen.js";
import { keepHead } from "./heads.js";
import { follow, loadWords, setText } from "./line.js";
import { ready, wordsOf } from "./page.js";
import { shown } from "./typed.js";
import { Voice, isMuted, soundButton } from "./voice.js";

const words = await loadWords();
document.documentElement.lang = words.language;

setText(document.getElementById("rules"), words.screen.rules);

// A television that crops: /board?inset=4 leaves so many per cent dark at each edge, as [screen] inset does.
const MOST_INSET = 10;
const inset = Number(new URLSearchParams(location.search).get("inset"));
if (inset > 0 && inset <= MOST_INSET) {
  document.getElementById("board").style.padding = `${inset}vh ${inset}vw`;
  document.getElementById("board").style.boxSizing = "border-box";
}

const board = new Board(document.getElementById("board"), words.screen);
const voice = new Voice();
soundButton(document.getElementById("sound"), voice, words.screen);
const every = wordsOf("every", words.language).catch(() => ({})); // what all pages say; the board does without
every.then((told) => told["full-screen"] && fullScreenButton(document.getElementById("full-screen"), told));
// Who listens to a page wants it awake; who only has it open does not.
voice.addEventListener("change", async ({ detail: on }) => {
  if (!on) return letSleep();
  const told = await every;
  if (voice.on) keepAwake(document.body, told);
});
ready();

let seen = "";

follow("/ws", {
  view(view, late) {
    connected();
    document.title = shown(view.called.length ? `${view.called.at(-1)} · ${view.hall}` : view.hall);
    board.show(view);
    if (view.head && view.head !== seen) keepHead(view.head, view.key);
    seen = view.head;
    voice.mute(isMuted(view));
    voice.hear(view.say, { late, pace: view.auto.pace });
  },
  stale(stale) {
    connected(); // by then the board says itself that nothing has come
    board.setStale(stale);
  },
});
