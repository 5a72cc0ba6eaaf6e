// A device asks to be let in: it shows six digits until somebody of the hall has typed them.

import { connected } from "./connecting.js";
import { fill, setText } from "./line.js";
import { $, pageWords, ready } from "./page.js";
import { send, whoAmI } from "./people.js";

const POLL_MS = 1500;
const words = await pageWords("pair");
let until = 0; // when the digits are forgotten, on this page's own clock
let timer;

/** Shows what was refused, or nothing. */
function complain(say) {
  setText($("why"), say ?? "");
  $("why").hidden = !say;
}

/** Shows one of the two parts. The place of the digits is there before them: what comes with its place is not read aloud. */
function part(waits) {
  $("card").hidden = false;
  $("asking").hidden = waits;
  for (const id of ["waiting", "digits", "telling"]) $(id).hidden = !waits;
}

/** Goes where a paired device begins; gives whether this is one. Says why it is not where it waited to be. */
async function goOn() {
  const told = await whoAmI(words);
  if (told.answer) {
    location.replace(told.answer.role === "seat" ? "/seat" : "/start"); // a player is awaited at his seat
    return true;
  }
  $("elsewhere").hidden = !told.secured;
  if (told.secured) {
    $("secured").href = told.secured;
    setText($("secured"), told.secured);
  }
  // Let in, and of no use here: it must not wait any more.
  if (told.refused.reason === "only-with-tls") {
    stop(told.refused.say);
    return true;
  }
  complain(told.refused.reason === "not-paired" ? "" : told.refused.say);
  return false;
}

function stop(say) {
  clearTimeout(timer);
  until = 0;
  part(false);
  complain(say);
}

async function wait() {
  const seconds = Math.ceil((until - performance.now()) / 1000);
  if (await goOn()) return;
  if (seconds <= 0) {
    stop(words.late);
    return;
  }
  timer = setTimeout(wait, POLL_MS);
}

/** Counts down once a second; what is read aloud are the digits alone. */
function tick() {
  const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1000));
  if (until) setText($("left"), fill(words.left, { seconds }));
}

let isAsking = false; // and the station has not answered

async function askIn(name) {
  const { answer, refused } = await send("/pair/ask", { name }, words);
  complain(refused?.say);
  if (!answer) return;
  until = performance.now() + answer.seconds * 1000;
  setText($("digits"), `${answer.digits.slice(0, 3)} ${answer.digits.slice(3)}`);
  setText($("command"), fill(words.command, answer));
  tick();
  part(true);
  $("waiting").focus(); // where the field was, on which somebody has pressed Enter
  wait();
}

$("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isAsking) {
    complain(fill(words["not-done"], { what: words.ask }));
    return;
  }
  isAsking = true;
  await askIn(event.target.elements.name.value.trim());
  isAsking = false;
});

setInterval(tick, 1000);
const isIn = await goOn();
ready();
connected();
if (!isIn || $("why").textContent) {
  part(false);
  $("ask").elements.name.focus();
}
