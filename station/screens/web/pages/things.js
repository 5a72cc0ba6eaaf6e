// The things that lie on a table, drawn once for all games. Each is told in words, too, for those who do not see it.

import { fill, make } from "./line.js";
import { pieces } from "./pieces.js";
import { isPictured, symbol } from "./theme.js";

const SVG = "http://www.w3.org/2000/svg";
const CARD_WIDE = 0.72; // of a playing card's height
const NUMBERS_WIDE = 2.5; // of a card with rows, at most
const ROWS = 4; // of things, at most
const SUITS = {
  S: ["spades", "M50 3C58 22 94 40 94 61A21 21 0 0 1 55 70C57 84 63 92 68 97H32C37 92 43 84 45 70A21 21 0 0 1 6 61C6 40 42 22 50 3Z"],
  H: ["hearts", "M50 95C14 66 4 48 4 31A23 23 0 0 1 50 24A23 23 0 0 1 96 31C96 48 86 66 50 95Z"],
  D: ["diamonds", "M50 3 87 50 50 97 13 50Z"],
  C: ["clubs", "M50 4A22 22 0 0 1 66 41A22 22 0 1 1 56 72C58 84 63 92 68 97H32C37 92 42 84 44 72A22 22 0 1 1 34 41A22 22 0 0 1 50 4Z"],
};
// Pictures on cards and cubes, as polygons in a square of 100. The hall's screen has the same table (emblems.py).
const EMBLEMS = {
  "white-horse": ["26,95 28,82 40,70 46,56 42,50 30,56 22,66 12,64 7,54 14,40 26,26 34,18 38,5 48,15 62,18 74,28 83,44 87,64 87,84 85,95"],
  inn: ["8,44 50,10 92,44 86,52 50,23 14,52", "20,54 50,30 80,54 80,92 62,92 62,62 38,62 38,92 20,92"],
  bell: ["50,6 57,9 58,18 70,27 77,44 79,62 92,76 92,82 8,82 8,76 21,62 23,44 30,27 42,18 43,9", "41,86 59,86 57,93 50,97 43,93"],
  hammer: ["10,34 40,6 48,14 45,19 60,34 66,31 72,38 42,66 34,58 38,53 22,37 17,42", "53,49 60,42 95,84 86,93"],
  "bell-with-hammer": ["26,9 30,11 30,16 37,21 41,31 42,41 50,49 50,52 2,52 2,49 10,41 11,31 15,21 22,16 22,11", "21,54 31,54 30,58 26,60 22,58", "50,57 66,41 71,46 69,49 78,57 81,55 84,59 68,75 63,70 65,68 56,59 54,62", "74,65 78,62 97,85 92,90"],
};
const RANKS = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", J: "jack", Q: "queen", K: "king" };
const SPOTS = { 1: [5], 2: [1, 9], 3: [1, 5, 9], 4: [1, 3, 7, 9], 5: [1, 3, 5, 7, 9], 6: [1, 3, 4, 6, 7, 9] };

/** Whether a thing is a picture; else it is a line: a pile, points, a caption. */
export const isSeen = ({ kind }) => kind in DRAWN;

/** A picture of a thing. `look` has the words, the theme, and the newest number. */
export const drawThing = (thing, look) => DRAWN[thing.kind](thing, look);

/** The pictures of some things, as large as the box carries: see things.css. */
export function drawThings(things, look) {
  const wide = Math.max(...things.map(width));
  const rows = make("div", { class: "rows" }, ...things.map((thing) => {
    const one = drawThing(thing, look);
    one.style.setProperty("--own", width(thing));
    return one;
  }));
  for (let count = 1; count <= ROWS; count++) rows.style.setProperty(`--across-${count}`, Math.ceil(things.length / count) * wide);
  return make("div", { class: "things" }, rows);
}

/** How wide a picture is that is 1 high. */
export const width = (thing) => WIDTHS[thing.kind]?.(thing) ?? 1;

const WIDTHS = {
  "number-card": () => NUMBERS_WIDE,
  "playing-card": () => CARD_WIDE,
  "picture-card": () => CARD_WIDE,
  "check-card": ({ faces }) => Math.max(...faces.map((row) => row.length)) / faces.length,
};

/** What is told in letters: a sum, points, a line of text. */
export function drawLine(thing, label, words) {
  const text = { pile: () => pieces(thing, words.owed), score: () => points(thing), caption: () => thing.text }[thing.kind]();
  return make("li", { class: thing.kind, "data-mood": thing.mood || false, "data-marked": thing.marked ? "true" : false },
    ...(label ? [make("span", { class: "label" }, label), " "] : []), make("b", { class: "value" }, text));
}

/** Points, those below zero with a dash that is as wide as a digit. */
export const points = (score) => (score.points < 0 ? `–${-score.points}` : String(score.points));

/** What is told in letters of some zones, each with its label. A debt is said to be one. */
export function drawLines(zones, words) {
  return zones.flatMap((zone) => {
    const labelled = zone.things.some(isSeen);
    return zone.things.filter((thing) => !isSeen(thing)).map((thing) =>
      drawLine(thing, [thing.label || (labelled ? "" : zone.label), thing.units < 0 ? words.owed : ""].filter(Boolean).join(", "), words));
  });
}

/** Zones with their pictures side by side, each under its label. */
export function drawZones(zones, look) {
  return zones.map((zone) => [zone, zone.things.filter(isSeen)]).filter(([, things]) => things.length).map(([zone, things]) => {
    const box = make("section", { class: "zone", "data-key": zone.key }, ...(zone.label ? [make("h4", {}, zone.label)] : []), drawThings(things, look));
    box.style.setProperty("--share", things.reduce((sum, thing) => sum + width(thing), 0));
    return box;
  });
}

/** What a playing card is called: "king of hearts"; its back says that it lies face down. */
export function cardName(face, words) {
  if (!face) return words["card-down"];
  const suit = SUITS[face.at(-1)];
  const rank = RANKS[face.slice(0, -1)];
  if (!suit || !rank) return face;
  return fill(words["card-named"], { rank: words[`rank-${rank}`], suit: words[`suit-${suit[0]}`] });
}

// -- each kind

/** A card with rows on the table, five numbers side by side: there is more room for the digits so than in nine columns. */
export function drawNumberCard({ serial, rows, covered, told }, { theme, newest }) {
  const lines = rows.map((row, place) =>
    make("tr", { class: place + 1 === told ? "told" : false }, ...row.map((number) => {
      const lies = covered.includes(number);
      const state = lies ? ["covered", ...(number === newest ? ["fresh"] : []), ...(isPictured(number, theme) ? ["has-picture"] : [])] : [];
      return make("td", { "data-number": number, class: state.join(" ") || false }, ...symbol(number, theme, { words: false }));
    })));
  return make("div", { class: "card-place" }, make("table", { class: "table-card", "data-serial": serial }, make("tbody", {}, ...lines)));
}

function drawPlayingCard({ face }, { words }) {
  const suit = SUITS[face.at(-1)];
  const card = make("span", { class: face ? "playing-card" : "playing-card back", role: "img", "aria-label": cardName(face, words), "data-suit": suit?.[0] });
  if (face) card.append(make("b", {}, suit ? face.slice(0, -1) : face), ...(suit ? [drawSuit(suit[1])] : []));
  return card;
}

function drawSuit(way) {
  const sign = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  sign.setAttribute("viewBox", "0 0 100 100");
  path.setAttribute("d", way);
  sign.append(path);
  return sign;
}

const pips = (spots) => SPOTS[spots].map((place) => make("i", { class: `at-${place}` }));

const drawDie = ({ spots }, { words }) =>
  make("span", { class: "die", role: "img", "aria-label": fill(words.die, { spots }) }, ...pips(spots));

/** A card with its picture; its name where the picture is not known. */
const drawPictureCard = ({ picture, name }) => make("span", { class: "picture-card", role: "img", "aria-label": name, title: name }, ...marked(picture, name));

/** A picture by its name; the text in its place for one that is not known. */
function marked(name, text) {
  if (!(name in EMBLEMS)) return [text];
  const sign = document.createElementNS(SVG, "svg");
  sign.setAttribute("viewBox", "0 0 100 100");
  for (const points of EMBLEMS[name]) {
    const part = document.createElementNS(SVG, "polygon");
    part.setAttribute("points", points);
    sign.append(part);
  }
  return [sign];
}

/** What is on a cube, in words. */
export const markName = (mark, words) => (mark ? fill(words.cube, { mark: words[`emblem-${mark}`] ?? mark }) : words["cube-blank"]);

const drawCube = ({ mark }, { words }) => make("span", { class: "cube", role: "img", "aria-label": markName(mark, words) }, ...marked(mark, mark));

const ofDice = (faces) => faces.flat().every((face) => face in SPOTS);

/** What draws the sign on a square of a check card: pips, if all are faces of dice. */
export function squareSign(faces) {
  const dice = ofDice(faces);
  return (face) => (dice ? make("span", { class: "pips", role: "img", "aria-label": String(face) }, ...pips(face)) : String(face));
}

function drawCheckCard({ faces, checked, choice = [] }, { words }) {
  const starts = faces.map((_, row) => faces.slice(0, row).reduce((sum, line) => sum + line.length, 0));
  const flat = faces.flat();
  const sign = squareSign(faces);
  const lines = faces.map((row, index) => make("tr", {}, ...row.map((face, place) =>
    make("td", { class: checked.includes(starts[index] + place) ? "covered" : choice.includes(starts[index] + place) ? "choice" : false }, sign(face)))));
  const table = make("table", { class: ofDice(faces) ? "check-card of-dice" : "check-card", "aria-label": fill(words["squares-checked"], { numbers: checked.map((place) => flat[place]).join(", ") || "–" }) },
    make("tbody", {}, ...lines));
  table.style.setProperty("--rows", faces.length);
  return table;
}

const drawKnob = ({ number, newest }, { theme }) => make("span", { class: newest ? "knob fresh" : "knob" }, ...symbol(number, theme, { words: false }));

// How each kind is drawn. What is not here is a line.
const DRAWN = {
  "number-card": drawNumberCard,
  "playing-card": drawPlayingCard,
  "picture-card": drawPictureCard,
  die: drawDie,
  cube: drawCube,
  "check-card": drawCheckCard,
  knob: drawKnob,
};
