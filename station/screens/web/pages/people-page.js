// An admin lets people in from a page: who asks, who is let in, and who has a PIN. The station is asked every other second.

import { fill, make, setText } from "./line.js";
import { typedName } from "./naming.js";
import { $, answers, inTurn, pageWords, ready } from "./page.js";
import { showWho, whoAmI } from "./people.js";
import { redraw } from "./redraw.js";
import { isSure } from "./sure.js";
import { wireTo } from "./wire.js";
import { doing, pressable, report, sending } from "./wishes.js";

const LOOK_MS = 2000;
const ROLE = "role-";

const { act, post } = wireTo("/people", "X-Loto-People");
const words = await pageWords("people");
showWho();
const refreshSoon = inTurn(refresh);
const does = doing(act, words, refreshSoon);
let timer;
let asking = null; // who asks now, as the station told last

const roleOf = ({ role, seat }) => (seat ? fill(words["seat-n"], { seat }) : words[ROLE + role]);

/** Sends what is no act, as `doing` does what is one; `known` are the reasons for which the page has words of its own. */
async function says(way, message, said, known = {}) {
  const answer = await post(way, message);
  await refreshSoon();
  const { reason, say } = answer.refused ?? {};
  if (!reason) report(said);
  else report(known[reason]?.() ?? (reason === "away" ? words.unanswered : say), true);
  return answer;
}

function drawDoor({ asks, closed }) {
  setText($("who-asks"), closed ? words.closed : asks ? fill(words.asks, asks) : words["nobody-asks"]);
  setText($("tries"), asks ? fill(words["asks-more"], asks) : "");
  $("tries").hidden = !asks;
  $("let-in").hidden = !asks;
  const other = asks?.name !== asking?.name;
  if (other) $("let-in").reset();
  asking = asks;
  showSeat();
  if (asks && other) takeForPlayer(asks.name);
  const open = () => says("pair", { do: "open" }, words.opened);
  redraw($("again"), ...(closed ? [pressable({ key: "open", text: words["open-again"], press: open, main: true })] : []));
}

/** Who asks by the name of somebody who sits at the table is taken for him, until something else is chosen. */
async function takeForPlayer(name) {
  const { answer } = await post("ask", { about: "table" });
  const place = answer?.company?.findIndex((one) => plain(one.name) === plain(name)) ?? -1;
  const { role, seat } = $("let-in").elements;
  if (place < 0 || role.value || asking?.name !== name) return;
  [role.value, seat.value] = ["seat", place + 1];
  showSeat();
}

/** A seat alone says where it is. */
function showSeat() {
  const { role, seat } = $("let-in").elements;
  $("seat").hidden = role.value !== "seat";
  seat.required = role.value === "seat";
}

async function letIn({ digits, name, role, seat }, button) {
  if (button?.name === "refuse") {
    await says("pair", { do: "refuse" }, words["turned-away"]);
    return;
  }
  const typed = digits.value.replaceAll(" ", "");
  const one = { role: role.value, seat: role.value === "seat" ? seat.valueAsNumber : 0 };
  const called = name.value.trim() || asking?.name;
  const wrong = () => fill(words["wrong-digits"], { digits: typed, tries: asking?.tries ?? 0 });
  const known = { "wrong-digits": wrong, "nobody-asks": () => words.late, "pairing-closed": () => words.closed };
  const message = { do: "confirm", digits: typed, ...one, ...(name.value.trim() ? { name: name.value.trim() } : {}) };
  const { refused } = await says("pair", message, fill(words["was-let-in"], { name: called, role: roleOf(one) }), known);
  if (!refused) $("let-in").reset();
  else if (refused.reason === "wrong-digits") digits.select();
}

function ago(seconds) {
  if (seconds === null) return words["not-used"];
  if (seconds < 60) return words["used-now"];
  const hours = seconds >= 3600;
  return fill(words[hours ? "used-h" : "used-min"], { count: Math.floor(seconds / (hours ? 3600 : 60)) });
}

async function rename({ key, name: before }) {
  const name = await typedName(words, before);
  if (name && name !== before) await does("rename", { key, name }, fill(words.renamed, { before, name }));
}

/** Ends a pairing for whoever has read what would be lost by it. */
async function end(one, people) {
  const { key, name, role, own } = one;
  const last = role === "admin" && people.filter((other) => other.role === "admin").length === 1;
  const values = { name, role: roleOf(one) };
  const lost = ["lost", own && "lost-own", last && "lost-last"].filter(Boolean).map((text) => fill(words[text], values));
  if (!(await isSure(lost.join(" ")))) report(words["sure-left"]);
  else if ((await does("unpair", { key }, fill(words.ended, values))) && own) location.replace("/");
}

/** A name as names are compared: one person spelt differently is not two. */
const plain = (name) => name.normalize("NFKC").replace(/\p{Cf}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();

/** How the answers of a person's device are proven, and those on others' devices. */
function proofOf(name, { pins, locked }) {
  const pin = pins.find((one) => plain(one.name) === plain(name));
  return words[!pin ? "by-device" : locked || pin.locked ? "by-locked" : "by-pin"];
}

function drawPeople(people, pins) {
  const lines = people.map((one) => {
    const { key, name, since, own, unused_s: unused } = one;
    const about = [fill(words.since, { night: since }), ago(unused), proofOf(name, pins)].join(" · ");
    return make("li", { "data-key": key },
      make("p", {}, make("b", { class: "name" }, name), `, ${roleOf(one)}`, own ? ` · ${words.own}` : ""),
      make("p", {}, about),
      make("div", { class: "line" },
        pressable({ key: `rename-${key}`, text: words.rename, press: () => rename(one) }),
        pressable({ key: `end-${key}`, text: words.end, press: () => end(one, people) })));
  });
  redraw($("people"), ...(lines.length ? lines : [make("li", {}, words.nobody)]));
  redraw($("names"), ...[...new Set(people.map(({ name }) => name))].map((name) => make("option", { value: name, "data-key": name })));
}

function drawPins({ pins, locked }) {
  const lines = pins.map((one) => {
    const shut = locked || one.locked;
    return make("li", { class: shut ? "locked" : null, "data-key": one.name }, fill(words[shut ? "pin-locked" : "pin-there"], one));
  });
  redraw($("pins"), ...(lines.length ? lines : [make("li", {}, words["no-pins"])]));
  const free = () => says("pins", { do: "free" }, words.freed);
  const shut = locked || pins.some((one) => one.locked);
  redraw($("free"), ...(locked ? [make("p", { class: "say" }, words["all-locked"])] : []),
    pressable({ key: "free", text: words.free, press: free, refused: shut ? "" : words["none-locked"] }));
}

async function makePin({ name: field }) {
  const name = field.value.trim();
  const { pin } = await says("pins", { do: "make", name }, fill(words["pin-made"], { name }));
  if (!pin) return;
  const away = pressable({ key: "pin-away", text: words["pin-away"], press: async () => $("pin").replaceChildren() });
  $("pin").replaceChildren(make("p", {}, fill(words["pin-of"], { name })), make("b", {}, `${pin.slice(0, 3)} ${pin.slice(3)}`), make("p", {}, words["pin-once"]), away);
  $("make-pin").reset();
}

/** Asks for everything anew, and again in a while. What is not known any more is not left standing. */
async function refresh() {
  clearTimeout(timer);
  const [door, pins] = await Promise.all(["pair", "pins"].map((way) => post(way, { do: "show" })));
  const refused = [door, pins].find((answer) => answer.refused);
  $("parts").hidden = !answers(refused ?? {}, words);
  if (!refused) {
    drawDoor(door.answer);
    drawPeople(door.answer.people, pins.answer);
    drawPins(pins.answer);
  }
  clearTimeout(timer);
  timer = setTimeout(refreshSoon, LOOK_MS);
}

const roles = Object.keys(words).filter((key) => key.startsWith(ROLE));
// None beforehand: what nobody chose lets nobody in.
$("let-in").elements.role.append(make("option", { value: "" }), ...roles.map((key) => make("option", { value: key.slice(ROLE.length) }, words[key])));
$("let-in").elements.role.addEventListener("change", showSeat);
setText($("address"), (await whoAmI(words)).secured ?? `${location.origin}/pair`);
sending($("let-in"), letIn);
sending($("make-pin"), makePin);
await refreshSoon().finally(ready);
