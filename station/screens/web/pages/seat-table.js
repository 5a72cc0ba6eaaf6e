// The table as a player sees it from a seat: what comes next, the others, the own hand, and the moves that are the player's.

import { fill, make, setText } from "./line.js";
import { $ } from "./page.js";
import { redraw } from "./redraw.js";
import { Asking } from "./table-asking.js";
import { Moves } from "./table-moves.js";
import { Things } from "./table-things.js";
import { isSeen } from "./things.js";
import { wonLine, Wins } from "./winning.js";
import { pressable, report } from "./wishes.js";

let told = null; // what the station shows this seat
let game = null; // which game that is
let fresh = false; // whether its last win is told for the first time
let tools, asking, moves, words;
const wins = new Wins();
const picked = new Set(); // cards of the hand, by their faces

/**
 * Prepares the table. `does` has an act done; `inMoney` writes what so many units are worth, empty where nobody plays for money;
 * `worth` writes a sum that somebody pays or gets.
 */
export function layTable({ words: said, screen, inMoney, worth, does }) {
  words = said;
  const things = new Things({ ...screen, points: words.points }, inMoney);
  tools = { words, does, report, button: pressable, things, name: (seat) => told.seats[seat - 1].name, worth, chosen };
  asking = new Asking(tools);
  moves = new Moves(tools, asking);
}

/** Draws what a seat is shown. `of` tells one game from another; `theme` is that of Picture Loto. */
export function showTable(now, of, theme = null) {
  const before = told;
  told = { free: [], throw: null, won: [], wins: 0, ...now };
  const isNew = wins.look(of, told.wins);
  fresh = isNew || (fresh && of === game && before.wins === told.wins);
  game = of;
  for (const face of picked) if (!handSlots().some(({ values }) => values.includes(face))) picked.delete(face);
  // What somebody was about to decide may be another thing now: another card for sale, another trick.
  if (before && decided(before) !== decided(told) && asking.leave()) report(words.changed, true);
  $("own").classList.toggle("over", told.over);
  keepingFocus(() => {
    tools.things.look(told.zones, theme);
    moves.show(told);
    drawMiddle();
    drawOthers();
    drawOwn();
  });
}

/** Throws, where this seat's player is to throw. */
export function throwNow() {
  if (told?.throw && !$("dialog").open) document.querySelector('[data-key="throw"]')?.click();
}

const decided = ({ text, moves: offered }) => JSON.stringify([text, offered]);

/** What is chosen of the hand: as many cards as a slot wants, or all where it wants all; nothing where it is still to be asked for. */
function chosen({ kind, values, least, most }) {
  if (kind !== "hand") return null;
  if (values.length === least) return [values];
  const some = values.filter((face) => picked.has(face));
  return some.length === picked.size && some.length >= least && some.length <= most ? [some] : null;
}

/** The slots for cards of the hand, of all that may be done now. */
const handSlots = () => told.moves.filter(({ may }) => may).flatMap(({ slots }) => slots).filter(({ kind }) => kind === "hand");

/** Takes a card up, or lays it back; where one alone is wanted, it takes the place of another. */
function pick(face) {
  const more = !picked.has(face);
  if (!more || handSlots().every(({ most }) => most === 1)) picked.clear();
  if (more) picked.add(face);
  drawOwn();
}

const zonesOf = (seat) => told.zones.filter((zone) => zone.seat === seat && zone.things.length);
const isNotes = ({ things }) => things.every(({ kind }) => kind === "caption");

/** What comes next, and what lies in the middle. */
function drawMiddle() {
  const own = !told.over && told.turn.includes(told.seat);
  setText($("next"), own ? fill(words["your-turn"], told) : told.text);
  $("next").closest(".part").classList.toggle("asked", own);
  const middle = zonesOf(0);
  setText($("notes"), middle.filter(isNotes).flatMap(({ things }) => things.map(({ text }) => text)).filter((text) => text !== told.text).join(" · "));
  redraw($("middle"), ...middle.filter((zone) => !isNotes(zone)).map((zone) => tools.things.zone(zone)));
}

/** The others, from the left of whose page this is on: as they sit round the table. */
function drawOthers() {
  const { seat, seats } = told;
  redraw($("others"), ...[...seats.slice(seat), ...seats.slice(0, seat - 1)].map(drawOther));
}

const marks = ({ seat, simulated }) => [told.leads === seat && words[`has-${told.has}`], simulated && words.simulated].filter(Boolean).map((text) => make("small", {}, text));

function drawOther(other) {
  const { seat, name } = other;
  return make("li", { class: told.turn.includes(seat) && !told.over ? "asked" : null, "data-seat": seat, "data-key": `seat-${seat}` },
    make("h3", {}, name, ...marks(other)), ...won(seat), ...zonesOf(seat).map((zone) => tools.things.zone(zone)));
}

const won = (seat) => (told.won.includes(seat) ? [wonLine(words.won, tools.name(seat), fresh)] : []);

/** What is this player's: lines, what lies before him, his hand, his moves. */
function drawOwn() {
  const me = told.seats[told.seat - 1];
  redraw($("own-name"), me.name, ...marks(me));
  redraw($("own-won"), ...won(told.seat));
  const zones = zonesOf(told.seat);
  const things = zones.flatMap((zone) => zone.things);
  redraw($("own-lines"), ...things.filter((thing) => !isSeen(thing)).map((thing) => tools.things.draw(thing)));
  const held = zones.filter(({ key }) => told.held.includes(key)).flatMap((zone) => zone.things).filter(({ kind, face }) => kind === "playing-card" && face);
  redraw($("lying"), ...things.filter((thing) => isSeen(thing) && !held.includes(thing)).map(drawLying));
  $("held").setAttribute("aria-label", words.hand);
  $("held").hidden = !held.length;
  redraw($("held"), ...held.map(({ face }) => drawHeld(face)));
  redraw($("throwing"), ...drawThrow());
  const due = moves.due();
  $("moves").setAttribute("aria-label", words.moves);
  redraw($("moves"), ...[...due, ...moves.ofSeat(told.seat)].map((move) => moves.button(move, { main: move === due[0] && !told.throw })));
}

/** The player's own throw: a button for the thumb, or a shake of the phone. */
function drawThrow() {
  if (!told.throw) return [];
  const { do: verb, label } = told.throw;
  return [
    pressable({ key: "throw", text: label, press: () => tools.does("move", { move: { do: verb } }), main: true }),
    make("small", { class: "shake" }, words.shake),
  ];
}

/** What lies before this player; beside a card of numbers the moves that are about it. */
function drawLying(thing) {
  const drawn = tools.things.draw(thing);
  if (thing.kind !== "number-card") return drawn;
  const buttons = moves.ofCard(told.seat, thing.serial).map((move) => moves.button(move));
  return make("figure", { class: "card", "data-key": `card-${thing.serial}` }, make("figcaption", {}, make("span", { class: "serial" }, thing.serial), ...buttons), drawn);
}

function drawHeld(face) {
  const card = tools.things.playingCard(face);
  if (!handSlots().some(({ values }) => values.includes(face))) return make("span", { class: "held-card" }, card);
  const button = make("button", { type: "button", class: "held-card", "aria-pressed": String(picked.has(face)), "data-key": `card-${face}`, "data-every-click": true }, card);
  button.onclick = () => pick(face);
  return button;
}

/** Draws anew without taking the focus away from what was pressed. */
function keepingFocus(draw) {
  const key = document.activeElement?.dataset?.key;
  draw();
  if (key && document.activeElement === document.body) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}
