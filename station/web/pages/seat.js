// A player's seat, on his own phone: the table as he sees it, his hand, and the moves that are his.

import { benchWire, showAlone } from "./bench-seat.js";
import { Money } from "./desk-money.js";
import { fill, follow, loadWords, make, setText } from "./line.js";
import { $, answers, pageWords, refreshing } from "./page.js";
import { showWho } from "./people.js";
import { redraw } from "./redraw.js";
import { Asking } from "./table-asking.js";
import { Moves } from "./table-moves.js";
import { counters, Things } from "./table-things.js";
import { isSeen } from "./things.js";
import { wireTo } from "./wire.js";
import { doing, pressable, report } from "./wishes.js";

const NO_GAME = "not-at-table";
const alone = location.pathname !== "/seat"; // at the bench
const { ask, act } = alone ? benchWire() : wireTo("/seat", "X-Loto-Seat");
const [{ screen }, words] = await Promise.all([loadWords(), pageWords("seat")]);
showWho();
const refreshSoon = refreshing(refresh);

let view = null;
let told = null; // what the station shows this seat
let money = null;
const picked = new Set(); // cards of the hand, by their faces

const inMoney = (units) => money.text(units * told.value);

const tools = {
  words,
  does: doing(act, words, refreshSoon),
  report,
  button: pressable,
  things: new Things({ ...screen, points: words.points }, inMoney),
  name: (seat) => told.seats[seat - 1].name,
  worth: (units) => (told.counted ? fill(words.worth, { counters: counters(units, words), sum: inMoney(units) }) : inMoney(units)),
  chosen,
};
const asking = new Asking(tools);
const moves = new Moves(tools, asking);

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

function drawGame() {
  const { game, phase, test } = view;
  setText($("game"), game && phase !== "between" ? fill(words.game, game) : (words[phase] ?? ""));
  $("test").hidden = !test;
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
    make("h3", {}, name, ...marks(other)), ...zonesOf(seat).map((zone) => tools.things.zone(zone)));
}

/** What is this player's: lines, what lies before him, his hand, his moves. */
function drawOwn() {
  const me = told.seats[told.seat - 1];
  redraw($("own-name"), me.name, ...marks(me));
  const zones = zonesOf(told.seat);
  const things = zones.flatMap((zone) => zone.things);
  redraw($("own-lines"), ...things.filter((thing) => !isSeen(thing)).map((thing) => tools.things.draw(thing)));
  const held = zones.filter(({ key }) => told.held.includes(key)).flatMap((zone) => zone.things).filter(({ kind, face }) => kind === "playing-card" && face);
  redraw($("lying"), ...things.filter((thing) => isSeen(thing) && !held.includes(thing)).map(drawLying));
  $("held").setAttribute("aria-label", words.hand);
  $("held").hidden = !held.length;
  redraw($("held"), ...held.map(({ face }) => drawHeld(face)));
  const due = moves.due();
  $("moves").setAttribute("aria-label", words.moves);
  redraw($("moves"), ...[...due, ...moves.ofSeat(told.seat)].map((move) => moves.button(move, { main: move === due[0] })));
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

/** Asks for everything anew: after each change of the night, whoever made it. */
async function refresh() {
  const seq = view?.seq; // what is answered is at least as new
  const answer = await ask("hand");
  const idle = answer.refused?.reason === NO_GAME;
  const shown = answers(idle ? {} : answer, words);
  $("table").hidden = !answer.answer;
  $("idle").hidden = !(shown && idle);
  setText($("idle"), idle ? words.idle : "");
  document.body.dataset.seq = seq;
  if (!answer.answer) return answer;
  const before = told;
  told = { free: [], ...answer.answer };
  money = new Money(told.currency);
  for (const face of picked) if (!handSlots().some(({ values }) => values.includes(face))) picked.delete(face);
  // What somebody was about to decide may be another thing now: another card for sale, another trick.
  if (before && decided(before) !== decided(told) && asking.leave()) report(words.changed, true);
  keepingFocus(() => {
    tools.things.theme = view?.theme ?? null;
    moves.show(told);
    drawMiddle();
    drawOthers();
    drawOwn();
  });
  return answer;
}

const decided = ({ text, moves: offered }) => JSON.stringify([text, offered]);

follow("/ws", {
  view(next) {
    const changed = next.seq !== view?.seq || next.calling !== view?.calling;
    view = next;
    drawGame();
    if (changed) refreshSoon();
  },
  stale(now) {
    document.body.dataset.stale = now;
    if (!now) refreshSoon();
  },
});

refreshSoon();
if (alone) showAlone(words, { report, refreshSoon });
