// A player joins the table with one name, while the host holds it open; until then the page waits.

import { connected } from "./connecting.js";
import { fill, follow, setText } from "./line.js";
import { $, pageWords, ready } from "./page.js";
import { send, whoAmI } from "./people.js";
import { untilShut } from "./table-open.js";

const words = await pageWords("join");
const open = untilShut(tick);
let isAsking = false; // and the station has not answered
let isOther = false; // this phone is let in for another work

/** Shows what was refused, or nothing. */
function complain(say) {
  setText($("why"), say ?? "");
  $("why").hidden = !say;
}

/** Shows whether the table is open; what somebody types meanwhile stays. */
function draw() {
  const isOpen = open.seconds > 0;
  $("card").hidden = false;
  $("elsewhere").hidden = !isOther;
  $("shut").hidden = isOther || isOpen;
  const appears = !isOther && isOpen && $("enter").hidden;
  $("enter").hidden = isOther || !isOpen;
  if (!isOther) setText($("state"), words[isOpen ? "asking" : "shut-title"]);
  if (appears) $("enter").elements.name.focus();
}

/** Counts down. */
function tick(seconds) {
  setText($("left"), fill(words.left, { seconds }));
  draw();
}

/** Goes to the seat of a phone that has one; gives whether it does. */
async function goOn() {
  const { answer } = await whoAmI(words);
  if (answer?.role === "seat" && answer.seat) {
    location.replace("/seat");
    return true;
  }
  isOther = Boolean(answer) && answer.role !== "seat";
  if (isOther) setText($("state"), fill(words["let-in"], answer));
  return false;
}

async function enter(name) {
  const { ok, answer, refused } = await send("/join/enter", { name }, words, "X-Loto-Join");
  // The answer may be lost on the way, and the seat taken: the station says so itself.
  if (!ok) {
    complain(refused?.say);
    if (refused?.reason === "away" || refused?.reason === "already-paired") await goOn();
    return;
  }
  complain("");
  $("enter").hidden = true;
  setText($("state"), fill(words.in, answer));
  location.replace("/seat");
}

$("enter").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = event.target.elements.name.value.trim();
  if (!name) return;
  if (isAsking) {
    complain(fill(words["not-done"], { what: words.join }));
    return;
  }
  isAsking = true;
  const button = event.target.querySelector("button");
  button.setAttribute("aria-busy", "true");
  await enter(name);
  button.removeAttribute("aria-busy");
  isAsking = false;
});

if (!(await goOn())) {
  ready();
  follow("/ws", {
    view(view) {
      connected();
      open.show(view);
    },
    stale(stale) {
      if (stale) complain(words.away);
      else if ($("why").textContent === words.away) complain("");
    },
  });
}
