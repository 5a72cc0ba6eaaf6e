// Where a paired device begins: who it is here, and its doors.

import { connected } from "./connecting.js";
import { fill, make, setText } from "./line.js";
import { $, pageWords, ready } from "./page.js";
import { send, whoAmI } from "./people.js";
import { isSure } from "./sure.js";

const words = await pageWords("start");

function door(name) {
  const key = name === "board" ? "board-door" : name;
  return make("a", { href: `/${name}`, "data-testid": `door-${name}` }, words[key], make("small", {}, words[`${key}-what`]));
}

const { answer, doors, refused } = await whoAmI(words);
connected();
setText($("why"), refused?.say ?? "");
$("why").hidden = !refused;
if (answer) {
  const { name, role, seat } = answer;
  setText($("who"), fill(words[seat ? "who-seat" : "who"], { name, seat, role: words[`role-${role}`] ?? role }));
  $("doors").replaceChildren(...doors.map(door));
  $("doors").setAttribute("aria-label", words.doors);
}

$("start").hidden = false;
$("forget").addEventListener("click", async () => {
  if (answer?.role === "admin" && !(await isSure(words["forget-admin"]))) return;
  const { ok, refused: why } = await send("/pair/forget", {}, words);
  setText($("why"), why?.say ?? "");
  $("why").hidden = !why;
  if (ok) location.replace("/");
});
ready();
