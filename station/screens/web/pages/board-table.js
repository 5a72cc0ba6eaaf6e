// A game at the table: the company round the felt, and what lies before each and in the middle. It draws zones and knows no game.

import { make } from "./line.js";
import { pieces } from "./pieces.js";
import { symbol } from "./theme.js";
import { drawLines, drawNumberCard, drawZones, isSeen, points } from "./things.js";
import { wonMark, Wins } from "./winning.js";

const FLIGHT_MS = 650;
const MOST_FLIGHTS = 40;
const HAND_FLIGHTS = 6;
const CAVITIES = 10;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Places that a screen knows. Everything else is drawn by kind of thing.
const OF_A_SEAT = new Set(["answer", "outcome"]);
const IN_THE_MIDDLE = new Set(["board", "settlement", "notes", "offer", "change"]);

const TABLE = 24; // more than so sit in rows, the felt below them

/** How many sit at each side, from the dealer's left round: he sits at the left end, and faces the company. */
export function sides(players) {
  if (players > TABLE) return { top: players, right: 0, bottom: 0, left: 0 };
  const aside = players <= 10 ? 0 : players <= 16 ? 2 : 4;
  const top = Math.ceil((players - 2 * aside) / 2);
  return { top, right: aside, bottom: players - 2 * aside - top, left: aside };
}

/** How many of a player's cards are shown: those that matter. */
const shown = (players) => (players <= 2 ? 4 : players <= 16 ? 2 : 1);

/** How many counters lie on a card's best row. */
const best = ({ rows, covered }) => Math.max(...rows.map((row) => row.filter((number) => covered.includes(number)).length));

const named = (zones, key) => zones.find((zone) => zone.key === key);
const ofKind = (zone, kind) => zone?.things.filter((thing) => thing.kind === kind) ?? [];
const texts = (zone) => ofKind(zone, "caption").map(({ text }) => text);
const isSum = (zone) => zone.things.length > 0 && zone.things.every(({ kind }) => kind === "pile");

/** All that a board needs to know of a table: its zones by place, and the newest knob. */
function sorted(table) {
  const middle = table.zones.filter(({ seat }) => !seat);
  const knobs = ofKind(named(middle, "board"), "knob");
  return {
    middle,
    knobs,
    cavities: Boolean(named(middle, "board")),
    newest: knobs.find(({ newest }) => newest)?.number,
    settlement: knobs.length ? undefined : named(middle, "settlement"),
    sums: middle.filter(isSum),
    others: middle.filter((zone) => zone.things.length && !IN_THE_MIDDLE.has(zone.key) && !isSum(zone)),
    answers: table.zones.filter(({ key, seat }) => key === "answer" && seat),
    of: (seat) => table.zones.filter((zone) => zone.seat === seat),
    over: table.zones.some(({ key }) => key === "outcome"),
  };
}

export class Table {
  element = make("div", { class: "parlour", "data-testid": "table" });
  #words;
  #before = null;
  #wins = new Wins();

  constructor(words) {
    this.#words = words;
  }

  /** Draws the table of this view; nothing where nobody plays at one. */
  show(view) {
    const table = view.table;
    if (!table) {
      this.element.replaceChildren();
      this.#before = null;
      return;
    }
    const lies = sorted(table);
    lies.fresh = this.#wins.look(`${view.night} ${view.game?.number}`, table.wins ?? 0);
    const look = { theme: view.theme, words: this.#words, newest: lies.newest };
    const draw = (seat) => this.#seat(seat, table, lies, look);
    const { top, right, bottom } = sides(table.seats.length);
    const round = [table.seats.slice(0, top), table.seats.slice(top, top + right), table.seats.slice(top + right, top + right + bottom), table.seats.slice(top + right + bottom)];
    // The styles go round: along the bottom from right to left, and up the left side.
    this.element.dataset.players = table.seats.length;
    this.element.dataset.aside = right > 0;
    this.element.dataset.throng = table.seats.length > TABLE;
    this.element.dataset.bag = lies.cavities;
    this.element.dataset.columns = right > 2 ? 2 : 1;
    this.element.replaceChildren(
      ...["top", "right", "bottom", "left"].map((side, index) =>
        make("ol", { class: `side-${side}` }, ...round[index].map(draw))),
      this.#felt(view, lies, look),
    );
    this.#fly(lies);
    this.#before = lies;
  }

  // -- a player

  #seat({ seat, name }, table, lies, look) {
    const zones = lies.of(seat);
    const outcome = named(zones, "outcome");
    const [said] = [...ofKind(named(zones, "answer"), "caption"), ...ofKind(outcome, "caption")];
    const [answer] = ofKind(named(zones, "answer"), "caption");
    const [won] = outcome ? [] : ofKind(named(zones, "hand"), "pile");
    const inHead = won && won.units >= 0;
    const rest = zones.filter(({ key }) => !OF_A_SEAT.has(key) && !(key === "hand" && (inHead || outcome)));
    const all = rest.flatMap((zone) => ofKind(zone, "number-card"));
    const seen = new Set([...all]
      .sort((one, other) => (other.told > 0) - (one.told > 0) || best(other) - best(one) || other.covered.length - one.covered.length)
      .slice(0, shown(table.seats.length)));
    const hidden = all.length - seen.size;
    const lying = rest.map((zone) => ({ ...zone, things: zone.things.filter((thing) => thing.kind !== "number-card" || seen.has(thing)) }));
    return make("li", { class: "seat", "data-seat": seat, "data-leads": String(table.leads === seat), "data-awaited": String(table.turn.includes(seat)), "data-mood": answer?.mood },
      make("h2", {}, make("span", { class: "name" }, name), table.won?.includes(seat) ? wonMark(this.#words["table-won"], name, lies.fresh) : "", hidden ? make("span", { class: "hidden-cards" }, `+${hidden}`) : "",
        make("span", { class: "hand", "data-testid": `hand-${seat}`, "data-counters": won?.units }, inHead ? pieces(won) : "")),
      said ? make("p", { class: "seat-text", "data-mood": said.mood || false }, said.text) : "",
      ...this.#before_him(lying, look));
  }

  /** What lies before a player: cards with rows alone as large as there is room for, else all kinds of things side by side. */
  #before_him(zones, look) {
    const pictures = zones.flatMap(({ things }) => things.filter(isSeen));
    const lines = drawLines(zones, this.#words);
    const plain = pictures.every(({ kind }) => kind === "number-card");
    const cards = plain ? make("div", { class: "table-cards" }, ...pictures.map((card) => drawNumberCard(card, look)))
      : make("div", { class: "lying" }, ...drawZones(zones, look));
    if (!lines.length) return [cards];
    return [...(pictures.length ? [cards] : []), make("ul", { class: pictures.length ? "lines" : "lines alone" }, ...lines)];
  }

  // -- the middle

  #felt(view, lies, look) {
    const { table, theme } = view;
    const { newest, settlement, cavities, others } = lies;
    const now = newest === undefined ? make("p", { class: "turn" }, table.text)
      : make("output", { class: theme ? "newest pictured" : "newest", "data-testid": "table-last" }, ...symbol(newest, theme));
    const board = settlement ? [this.#settlement(settlement, theme)]
      : [...(cavities ? [this.#cavities(lies, theme)] : []), ...(others.length ? [this.#others(others, look)] : [])];
    return make("div", { class: "felt", "data-settled": String(Boolean(settlement)), "data-sums": String(lies.sums.length + lies.answers.length > 0) },
      make("div", { class: "felt-now" }, now),
      make("div", { class: "felt-board" },
        board.length > 1 ? make("div", { class: "felt-both" }, ...board) : (board[0] ?? ""),
        make("p", { class: "felt-text" }, newest === undefined ? "" : table.text)),
      make("div", { class: "felt-sums" }, ...this.#sums(lies), ...this.#answers(lies, table)),
      make("p", { class: "felt-line" }, this.#line(view, lies)));
  }

  /** Under all: at the end the next game, then how the bank must change, else the notes. */
  #line({ coming }, { middle, knobs, over }) {
    if (over) return coming.slice(0, 1).map((name) => `${this.#words["next-game"]}: ${name}`).join("");
    const change = knobs.length ? [] : texts(named(middle, "change"));
    return (change.length ? change : texts(named(middle, "notes"))).join(" · ");
  }

  /** The ten cavities, as their knobs are given; of more than ten the last ones, newest first. */
  #cavities({ knobs }, theme) {
    const ten = knobs.length > CAVITIES ? knobs.slice(-CAVITIES).reverse() : knobs;
    return make("ol", { class: "cavities", "data-testid": "cavities" },
      ...Array.from({ length: CAVITIES }, (_, place) => {
        const knob = ten[place];
        if (knob === undefined) return make("li");
        return make("li", { class: knob.newest ? "knob fresh" : "knob" }, ...symbol(knob.number, theme, { words: false }));
      }));
  }

  #settlement(zone, theme) {
    return make("div", { class: "settlement", "data-testid": "settlement" },
      make("p", { class: "settled-text" }, texts(zone).join(" · ")),
      make("ul", { class: "classes" }, ...ofKind(zone, "score").map((score, place) =>
        make("li", { "data-told": String(score.marked) }, make("b", { "data-testid": `class-${place + 1}` }, points(score)), make("span", {}, score.label)))),
      make("ol", { class: "came" }, ...ofKind(zone, "knob").map(({ number }) => make("li", {}, ...symbol(number, theme, { words: false })))));
  }

  #others(zones, look) {
    const pictures = zones.some(({ things }) => things.some(isSeen));
    const lines = drawLines(zones, this.#words);
    return make("div", { class: "felt-things" }, ...(pictures ? [make("div", { class: "lying" }, ...drawZones(zones, look))] : []),
      ...(lines.length ? [make("ul", { class: pictures ? "lines" : "lines alone" }, ...lines)] : []));
  }

  #sums({ sums }) {
    const { owed } = this.#words;
    return sums.flatMap(({ key, label, things }) => things.map((sum) => [key, label, sum])).map(([key, label, sum], place) =>
      make("div", { class: place ? "sum" : "sum first-sum" }, make("h2", {}, [label, sum.units < 0 ? owed : ""].filter(Boolean).join(", ")),
        make("p", { "data-testid": `sum-${key}`, "data-counters": sum.units }, pieces(sum, owed))));
  }

  #answers({ answers }, { seats }) {
    if (!answers.length) return [];
    const name = (place) => seats.find(({ seat }) => seat === place)?.name ?? "";
    return [make("ol", { class: "answers", "data-testid": "answers" }, ...answers.flatMap((zone) => ofKind(zone, "caption").map(({ text, mood }) =>
      make("li", { "data-mood": mood }, make("b", {}, name(zone.seat)), ` ${text}`))))];
  }

  // -- counters that move

  #fly(lies) {
    const before = this.#before;
    if (still.matches || document.hidden || !before) return;
    const from = this.element.querySelector(".felt-sums > div");
    if (lies.newest !== undefined && lies.newest !== before.newest) {
      this.#flights(from, [...this.element.querySelectorAll(`td[data-number="${lies.newest}"].covered`)]);
      return;
    }
    this.#flights(from, [...this.element.querySelectorAll(".seat")].flatMap((seat) => {
      const place = Number(seat.dataset.seat);
      const more = gained(before.of(place), lies.of(place));
      return Array(Math.min(HAND_FLIGHTS, more)).fill(seat.querySelector(".hand"));
    }));
  }

  #flights(from, targets) {
    if (!from) return;
    const frame = this.element.getBoundingClientRect();
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
    };
    const [x, y] = middle(from);
    for (const [index, target] of targets.slice(0, MOST_FLIGHTS).entries()) {
      const [toX, toY] = middle(target);
      const flying = make("i", { class: "counter flying", "aria-hidden": "true" });
      this.element.append(flying);
      const way = [{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${toX}px, ${toY}px)` }];
      flying.animate(way, { duration: FLIGHT_MS, delay: 25 * index, easing: "ease-in-out", fill: "backwards" })
        .finished.then(() => flying.remove(), () => flying.remove());
    }
  }
}

/** How many counters a player has more than before; of a row that is told what is laid on it. */
function gained(before, now) {
  const units = (zones) => ofKind(named(zones, "hand"), "pile")[0]?.units ?? 0;
  const told = (zones) => ofKind(named(zones, "cards"), "number-card").filter((card) => card.told).map((card) => `${card.serial} ${card.told}`).join();
  if (told(now)) return told(now) === told(before) ? 0 : HAND_FLIGHTS;
  return told(before) ? 0 : Math.max(0, units(now) - units(before));
}
