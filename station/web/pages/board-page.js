// The public board as a page of its own: the board, fed by the live line, and the sound button.

import { Board } from "./board.js";
import { keepHead } from "./heads.js";
import { follow, loadWords, setText } from "./line.js";
import { shown } from "./typed.js";
import { Voice, isMuted, soundButton } from "./voice.js";

const words = await loadWords();
document.documentElement.lang = words.language;

setText(document.getElementById("rules"), words.screen.rules);

const board = new Board(document.getElementById("board"), words.screen);
const voice = new Voice();
soundButton(document.getElementById("sound"), voice, words.screen);

let seen = "";

follow("/ws", {
  view(view) {
    document.title = shown(view.called.length ? `${view.called.at(-1)} · ${view.hall}` : view.hall);
    board.show(view);
    if (view.head && view.head !== seen) keepHead(view.head, view.key);
    seen = view.head;
    voice.mute(isMuted(view));
    voice.hear(view.say);
  },
  stale: (stale) => board.setStale(stale),
});
