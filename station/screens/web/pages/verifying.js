// A second judge of the record, beside `station/record/audit.py`: reads nights as they lie on the
// disk, and says which line is not what a station wrote. It knows the chain, the tree with its signed
// heads, the signatures, and the proofs of the draw; it does not play the rules, count the money or read packs.

import { base64, bytesOf, fromHex, hex, hmac, joined, numbered, sha256, treeRoot } from "./proving.js";
import { Edge, leafHash, lineHash, originOf, readHead, rootBy, signedBy, signedHead } from "./proving.js";

const JOURNAL = "journal.jsonl";
const SIGNATURES = "checkpoints.jsonl";
const GENESIS = "0".repeat(64);
const LONGEST = 2 << 20;
const MOST_ADDED = 200; // characters of the hall's words
const HEX = /^[0-9a-f]{64}$/;
const WALL = /^[\x00-\x7f]{10}T[\x00-\x7f]{2}:[\x00-\x7f]{2}:[\x00-\x7f]{0,23}$/;
const FIELDS = ["at", "by", "do", "id", "mono", "prev", "seq", "sum", "then", "via"];
const LEAVES = 90;
const SIGNED = ["close", "break", "close-night"];

class Fault extends Error {
  constructor(file, line, why) {
    super(why);
    Object.assign(this, { file, line });
  }
}

class UnfitHead extends Fault {}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isWhole = (value, least) => Number.isInteger(value) && value >= least;
const only = (value, names) => isObject(value) && Object.keys(value).every((name) => names.includes(name));

// -- canonical JSON: keys rising, no spaces, as Python writes it -----------------------------------

/** Returns a float as Python writes it. */
function pythonFloat(number) {
  const [digits, power] = Math.abs(number).toExponential().split("e");
  const [mantissa, exponent] = [digits.replace(".", ""), Number(power)];
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    const rest = mantissa.length > 1 ? `.${mantissa.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${mantissa[0]}${rest}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${mantissa}`;
  const whole = mantissa.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${mantissa.slice(exponent + 1) || "0"}`;
}

/** Returns whether one text stands before another by the code points of its characters. */
function rises(one, other) {
  const [first, second] = [Array.from(one), Array.from(other)];
  for (let at = 0; at < first.length && at < second.length; at += 1) {
    if (first[at] !== second[at]) return first[at].codePointAt(0) < second[at].codePointAt(0);
  }
  return first.length < second.length;
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\["\\bfnrt]|\\u00(?:0[0-7be-f]|1[0-9a-f]))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?(e[+-][0-9]+)?/y;

/** Reads one canonical value; throws where it is written in any other way. */
export class Canonical {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.places = {};
  }

  whole() {
    const value = this.value(0);
    if (this.at !== this.text.length) throw new Error("something follows");
    return value;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) throw new Error("not canonical");
    this.at += found[0].length;
    return found;
  }

  is(character) {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  must(character) {
    if (!this.is(character)) throw new Error("not canonical");
  }

  value(depth, name) {
    if (this.is("{")) return this.object(depth);
    if (this.is("[")) return this.list(depth);
    if (this.text[this.at] === '"') return JSON.parse(this.take(STRING)[0]);
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const [text, point, power] = this.take(NUMBER);
    const number = Number(text);
    // The clock of a line alone is a fraction: 1.0 is another text than 1, and no count.
    if ((point || power) && !(depth === 1 && name === "mono")) throw new Error("no whole number");
    if (!point && !power && text === "-0") throw new Error("not canonical");
    if ((point || power) && pythonFloat(number) !== text) throw new Error("not canonical");
    return number;
  }

  object(depth) {
    const value = {};
    let before = null;
    if (this.is("}")) return value;
    do {
      const start = this.at;
      const name = JSON.parse(this.take(STRING)[0]);
      if (before !== null && !rises(before, name)) throw new Error("not canonical");
      before = name;
      this.must(":");
      const inner = this.value(depth + 1, name);
      Object.defineProperty(value, name, { value: inner, enumerable: true });
      if (!depth) this.places[name] = [start, this.at];
    } while (this.is(","));
    this.must("}");
    return value;
  }

  list(depth) {
    const value = [];
    if (this.is("]")) return value;
    do value.push(this.value(depth + 1));
    while (this.is(","));
    this.must("]");
    return value;
  }
}

/** Returns an object's text without one of its fields. */
export function without(reader, name) {
  const [start, end] = reader.places[name];
  const { text } = reader;
  return text[end] === "," ? text.slice(0, start) + text.slice(end + 1) : text.slice(0, start - 1) + text.slice(end);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const WHOLE = ["number", "calls", "night", "epoch", "first"];

/** Returns whether numbers, counts and money in a line are whole numbers, as `station/record/traces.py` asks it. */
function areWhole({ do: done, then }) {
  const told = [done, then].flatMap((part) => WHOLE.filter((name) => name in part).map((name) => part[name]));
  for (const [part, name] of [[done.leaf, "at"], [then.opening, "game"]]) if (isObject(part) && name in part) told.push(part[name]);
  if (isObject(then.ledger)) told.push(...Object.values(then.ledger));
  if (Array.isArray(done.away)) told.push(...done.away);
  return told.every(Number.isInteger);
}

/** Returns a line that must follow a head; throws if it does not, or is no line. */
export function unsealed(raw, head) {
  const reader = new Canonical(decoder.decode(raw));
  const line = reader.whole();
  const names = isObject(line) ? Object.keys(line).filter((name) => name !== "head") : [];
  if (names.join() !== FIELDS.join()) throw new Error("no journal line");
  if (hex(sha256(bytesOf(without(reader, "sum")))) !== line.sum) throw new Error("it was altered");
  const kinds = typeof line.id === "string" && typeof line.by === "string" && typeof line.via === "string";
  const headed = !("head" in line) || (typeof line.head === "string" && line.head);
  if (!headed || !kinds || ![line.at, line.do, line.then].every(isObject)) throw new Error("no journal line");
  if (typeof line.mono !== "number" || !areWhole(line)) throw new Error("no whole number");
  if (line.seq !== head.seq + 1) throw new Error("lines are missing, doubled or out of order");
  if (line.prev !== head.sum) throw new Error("it does not follow the line before");
  return line;
}

// -- signatures ------------------------------------------------------------------------------------

export function splitLines(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const stop = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(start, stop));
    start = stop;
  }
  return lines;
}

const POINT = ["game", "key", "night", "seq", "signature", "sum"];
const good = new Set(); // texts whose signature is known to be right: it takes the longest by far

export function readPoint(raw) {
  const text = decoder.decode(raw);
  const reader = new Canonical(text.endsWith("\n") ? text.slice(0, -1) : `${text}?`);
  const point = reader.whole();
  if (!isObject(point) || Object.keys(point).join() !== POINT.join()) throw new Error("no checkpoint");
  if (!HEX.test(point.key) || !HEX.test(point.sum) || !/^[0-9a-f]{128}$/.test(point.signature)) throw new Error("no checkpoint");
  if (![point.night, point.game, point.seq].every((number) => isWhole(number, 0))) throw new Error("no checkpoint");
  const message = bytesOf(`loto-station checkpoint 1\n${without(reader, "signature")}`);
  if (!good.has(text) && !signedBy(fromHex(point.key), message, fromHex(point.signature))) {
    throw new Error("not signed");
  }
  good.add(text);
  return point;
}

function readPoints(bytes, night, keys) {
  const points = [];
  const lines = bytes.length ? splitLines(bytes) : [bytes];
  lines.forEach((raw, index) => {
    let point;
    try {
      point = readPoint(raw);
    } catch (error) {
      throw new Fault(SIGNATURES, index + 1, error.message);
    }
    const before = points.at(-1);
    if (keys.length && !keys.includes(point.key)) throw new Fault(SIGNATURES, index + 1, "another key");
    if (point.night !== night) throw new Fault(SIGNATURES, index + 1, "another night's");
    if (before && point.seq <= before.seq) throw new Fault(SIGNATURES, index + 1, "out of order");
    points.push(point);
  });
  return points;
}

// -- the heads in the lines ------------------------------------------------------------------------

/**
 * Holds the head in each line against the tree over the lines before it. The last signature stands
 * for all lines before it: it alone is tried, and `each` only to find out which line is wrong.
 */
class Heads {
  constructor(night, keys, each) {
    Object.assign(this, { night, keys, each, last: null, edge: new Edge() });
  }

  take({ seq, head }, raw) {
    if (head) {
      this.check(seq, head);
      this.last = { seq, head };
    } else if (this.last) throw new UnfitHead(JOURNAL, seq, "the line has no head");
    this.edge = this.edge.grown(lineHash(raw));
  }

  settle() {
    if (this.last && this.keys.length && !this.signed(this.last.head)) {
      throw new UnfitHead(JOURNAL, this.last.seq, "its head is not signed");
    }
  }

  check(seq, text) {
    if (this.fits(text)) {
      if (!this.each || !this.keys.length || this.signed(text)) return;
    } else if (this.each) {
      const head = readHead(text);
      const other = head && head.night === this.night && head.size === this.edge.size && this.signed(text);
      if (other) throw new UnfitHead(JOURNAL, this.edge.size, "another line was signed");
    }
    throw new UnfitHead(JOURNAL, seq, "its head is not that of the lines before it");
  }

  fits(text) {
    const { size } = this.edge;
    const root = base64(this.edge.root);
    const begins = (key) => text.startsWith(`${originOf(key, this.night)}\n${size}\n${root}\n\n`);
    if (this.keys.length) return this.keys.some(begins);
    const head = readHead(text);
    return head !== null && head.night === this.night && head.size === size && base64(head.root) === root;
  }

  signed(text) {
    const head = readHead(text);
    if (!head) return false;
    const asked = `${this.keys} ${text}`;
    if (!good.has(asked) && !this.keys.some((key) => signedHead(head, key))) return false;
    good.add(asked);
    return true;
  }
}

// -- the draw --------------------------------------------------------------------------------------

/** Returns what the leaf at a place is bound to, as bytes. */
export function bound({ station, night, game, drawing, epoch }, place) {
  const key = station ? fromHex(station) : new Uint8Array(32);
  return joined(key, numbered(4, night, game, drawing, epoch, place));
}

/** Returns a whole number from 0 to below a count, each as likely as any other. */
function below(count, what, secret, binding, step, words = "") {
  const added = bytesOf(words);
  const asked = joined(bytesOf(`loto-station ${what} 1\n`), binding, numbered(2, added.length), added, numbered(4, step));
  const size = BigInt(count);
  const most = (1n << 64n) - ((1n << 64n) % size);
  for (let attempt = 0; ; attempt += 1) {
    const told = hmac(secret, joined(asked, numbered(4, attempt)));
    const number = BigInt(`0x${hex(told.slice(0, 8))}`);
    if (number < most) return Number(number % size);
  }
}

/** Returns the knob that a secret gives out of a bag. */
export function knobOf(secret, binding, words, bag) {
  return bag[below(bag.length, "draw", secret, binding, 0, words)];
}

/** Returns things in the order that a secret gives them. */
function shuffled(secret, binding, things) {
  const row = [...things];
  for (let [last, step] = [row.length - 1, 0]; last > 0; last -= 1, step += 1) {
    const other = below(last + 1, "shuffle", secret, binding, step);
    [row[last], row[other]] = [row[other], row[last]];
  }
  return row;
}

/** Returns whether a leaf is one of a tree, or, where each secret is made when it is used, has no path. */
function holds({ way, root, leaves }, binding, { at, secret, path = "" }) {
  if (way === "fresh") return path === "";
  const leaf = leafHash(joined(bytesOf("loto-station leaf 1\n"), binding, fromHex(secret)));
  const found = rootBy((path.match(/.{64}/g) ?? []).map(fromHex), leaf, at, leaves);
  return found !== null && hex(found) === root;
}

function mustBeLeaf(leaf) {
  if (!only(leaf, ["at", "secret", "path"]) || !isWhole(leaf.at, 0)) throw new Error("no leaf");
  if (!HEX.test(leaf.secret) || !/^([0-9a-f]{64})*$/.test(leaf.path ?? "")) throw new Error("no leaf");
}

const WAYS = ["committed", "fresh", "shared", "sealed"];

class FairBag {
  constructor(root, luck, place, away) {
    if (!only(luck, ["way", "station", "leaves"]) || !WAYS.includes(luck.way)) {
      throw new Error("no commitment");
    }
    if (!/^([0-9a-f]{64})?$/.test(luck.station) || ![0, LEAVES].includes(luck.leaves)) throw new Error("no commitment");
    Object.assign(this, { root, away, way: luck.way, leaves: luck.leaves });
    this.place = { ...place, ...(luck.way === "sealed" ? NO_NIGHT : {}), station: luck.station, epoch: 1 };
    Object.assign(this, { called: [], used: 0, given: new Set(), due: [], words: this.noneYet });
  }

  /** The hall's words of a bag that was committed to just now: none in one that is shared. */
  get noneYet() {
    return this.way === "shared" ? null : "";
  }

  get inside() {
    const knobs = Array.from({ length: 90 }, (_, index) => index + 1);
    return knobs.filter((knob) => !this.away.includes(knob) && !this.called.includes(knob));
  }

  get nextDue() {
    const inside = this.inside;
    return this.due.findLast((knob) => inside.includes(knob));
  }

  see(number, leaf) {
    mustBeLeaf(leaf);
    if (this.words === null) throw new Error("the hall has added no words");
    if (this.nextDue !== undefined) throw new Error("another number was to come first");
    if (leaf.at !== this.used) throw new Error("a leaf was skipped or used again");
    const [binding, secret] = [bound(this.place, leaf.at), fromHex(leaf.secret)];
    if (!holds(this, binding, leaf)) throw new Error("not a leaf that was committed to");
    const inside = this.inside;
    if (!inside.length || knobOf(secret, binding, this.words, inside) !== number) throw new Error("another number");
    this.used += 1;
    this.given.add(number);
    this.due.push(number);
  }

  draw(number, leaf, again) {
    if (leaf !== undefined) this.see(number, leaf);
    if ((again || leaf !== undefined) && number !== this.nextDue) throw new Error("it was not to come again");
    if (this.way === "sealed" && leaf === undefined && !again) throw new Error("not by a key");
    this.due = this.due.filter((knob) => knob !== number);
    this.called.push(number);
  }

  undo() {
    const number = this.called.pop();
    if (number !== undefined && this.given.has(number)) this.due.push(number);
  }

  renew(root, epoch) {
    if (this.way === "sealed" || epoch !== this.place.epoch + 1 || root === this.root) throw new Error("not the next epoch");
    Object.assign(this, { root, used: 0, place: { ...this.place, epoch }, words: this.noneYet });
  }

  mix(words) {
    if (this.words !== null) throw new Error("the hall has added its words already");
    if (typeof words !== "string" || [...words].length > MOST_ADDED) throw new Error("no words of a hall");
    this.words = words;
  }
}

// -- what the station throws, shuffles and deals at a table: `station/night/table/leaves.py` -------

const LAW = ["kind", "field", "dice", "faces", "things", "blank", "count"];
const OVER = ["open", "close-night"]; // no hand is on
const isWord = (value) => typeof value === "string" && [...value].length <= 64;
const isCount = (value) => isWhole(value, 1) && value <= 1000;
const areWords = (value) => Array.isArray(value) && value.length <= 1000 && value.every(isWord);
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Returns what Python's `json.dumps` writes of a value whose keys are rising. */
const ascii = (value) =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Returns the result that a secret gives by a law. */
function resultBy({ kind, dice, faces, things, blank, count }, secret, binding) {
  const die = (step) => 1 + below(faces ?? 1, "dice", secret, binding, step);
  if (kind === "dice") return Array.from({ length: dice ?? 0 }, (_, step) => die(step));
  if (kind === "shuffle") return shuffled(secret, binding, things ?? []).slice(0, count ?? undefined);
  const shown = (things ?? []).filter((_, step) => die(step) === 1);
  return shown.length ? shown : [blank ?? ""];
}

function mustBeLaw(law) {
  const given = (name, fits) => (law[name] ?? null) === null || fits(law[name]);
  const kinds = ["dice", "cubes", "shuffle"];
  const whole = only(law, LAW) && kinds.includes(law.kind) && isWord(law.field) && given("things", areWords);
  const counts = whole && ["dice", "faces", "count"].every((name) => given(name, isCount));
  if (!counts || !given("blank", isWord)) throw new Error("no law");
}

class TableLeaves {
  constructor(luck, night, games, before) {
    const named = only(luck, ["way", "station", "leaves", "root", "epoch"]) && ["committed", "fresh"].includes(luck.way);
    if (!named || !HEX.test(luck.root) || !/^([0-9a-f]{64})?$/.test(luck.station)) throw new Error("no commitment");
    if (![0, LEAVES].includes(luck.leaves) || luck.epoch !== before + 1) throw new Error("not the next epoch");
    const { way, root, leaves, station, epoch } = luck;
    Object.assign(this, { way, root, leaves, used: 0, place: { station, night, game: games, drawing: 0, epoch } });
  }

  use(at) {
    if (at !== this.used) throw new Error("a leaf was skipped or used again");
    this.used += 1;
  }

  check(leaf, wanted, result) {
    mustBeLeaf(leaf);
    const binding = bound(this.place, leaf.at);
    if (!holds(this, binding, leaf)) throw new Error("not a leaf that was committed to");
    if (!alike(result(fromHex(leaf.secret), binding), wanted)) throw new Error("another throw or order");
  }

  checkMove(chance, move) {
    if (!only(chance, ["leaf", "law"])) throw new Error("no leaf");
    mustBeLaw(chance.law);
    this.check(chance.leaf, move[chance.law.field], (secret, binding) => resultBy(chance.law, secret, binding));
  }
}

class Table {
  constructor() {
    Object.assign(this, { leaves: null, later: new Map() });
  }

  /** Takes the next line; returns the station that a line commits for, or null. */
  take(done, then, night, games) {
    const { act, luck = null } = done;
    if (OVER.includes(act) && this.later.size) throw new Error("a hidden leaf was not opened");
    if (["commit", "sit"].includes(act)) {
      this.leaves = new TableLeaves(luck, night, games, this.leaves?.place.epoch ?? 0);
      return luck.station;
    }
    if (act === "open" && ("leaf" in done || "deal" in done)) this.deal(done);
    else if (act === "move" && ("chance" in done || "later" in done)) this.move(done);
    if ("unsealed" in then) this.open(then.unsealed);
    return null;
  }

  get known() {
    if (!this.leaves) throw new Error("no leaves");
    return this.leaves;
  }

  deal({ leaf, deal }) {
    if (!areWords(deal)) throw new Error("no deal");
    const rising = [...deal].sort((one, other) => (one === other ? 0 : rises(one, other) ? -1 : 1));
    this.known.check(leaf, deal, (secret, binding) => shuffled(secret, binding, rising));
    this.known.use(leaf.at);
  }

  move({ move, chance = null, later = null }) {
    if (!isObject(move)) throw new Error("no move");
    if (chance !== null && later === null) {
      this.known.checkMove(chance, move);
      this.known.use(chance.leaf.at);
    } else {
      const digest = move.sealed;
      if (chance !== null || !isWhole(later, 0) || typeof digest !== "string" || this.later.has(digest)) throw new Error("no leaf");
      this.later.set(digest, { leaves: this.known, at: later, move });
      this.known.use(later);
    }
  }

  open(parts) {
    for (const part of parts) {
      const whole = only(part, ["salt", "fields", "chance"]) && isObject(part.fields) && /^[0-9a-f]{32}$/.test(part.salt);
      if (!whole) throw new Error("no sealed part");
      const texts = [part.fields, ...("chance" in part ? [part.chance] : [])].map(ascii);
      const digest = hex(sha256(bytesOf([part.salt, ...texts].join("\n"))));
      const hidden = this.later.get(digest);
      if (!hidden) continue; // nothing that chance decides, or opened before
      this.later.delete(digest);
      if (part.chance?.leaf?.at !== hidden.at) throw new Error("another leaf");
      hidden.leaves.checkMove(part.chance, { ...hidden.move, ...part.fields });
    }
    if (this.later.size) throw new Error("a hidden leaf was not opened");
  }
}

// -- a game that was drawn for many halls: `station/proof/sealed_game.py` has its bytes --------------

const NO_NIGHT = { night: 0, game: 0, drawing: 1 };
const SEALED = ["begins", "halls", "leaves", "name", "organiser", "sealed", "signature", "until"];
const ALL = new RegExp(`^[0-9a-f]{${64 * LEAVES}}$`);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

export class SealedGame {
  constructor(game) {
    if (!isObject(game) || Object.keys(game).join() !== SEALED.join()) throw new Error("no sealed game");
    if (!Object.values(game).every((value) => typeof value === "string")) throw new Error("no sealed game");
    const hexes = HEX.test(game.organiser) && ALL.test(game.leaves) && ALL.test(game.sealed);
    const window = [game.begins, game.until];
    if (!hexes || !window.every((moment) => MOMENT.test(moment))) throw new Error("no sealed game");
    [this.begins, this.until] = window.map(Date.parse);
    if (!(this.begins < this.until)) throw new Error("no window");
    const { signature, ...rest } = game;
    const message = bytesOf(`loto-station sealed game 1\n${JSON.stringify(rest)}`);
    if (!/^[0-9a-f]{128}$/.test(signature)) throw new Error("not signed");
    if (!signedBy(fromHex(game.organiser), message, fromHex(signature))) throw new Error("not signed");
    [this.name, this.station, this.halls] = [game.name, game.organiser, game.halls];
    this.digest = hex(sha256(bytesOf(`${JSON.stringify(game)}\n`)));
    this.leaves = game.leaves.match(/.{64}/g);
    this.sealed = game.sealed.match(/.{64}/g);
    this.root = hex(treeRoot(this.leaves.map(fromHex)));
  }

  opensBy(at, key) {
    const binding = bound({ ...NO_NIGHT, station: this.station, epoch: 1 }, at);
    const pad = hmac(fromHex(key), joined(bytesOf("loto-station seal 1\n"), binding));
    const secret = fromHex(this.sealed[at]).map((byte, place) => byte ^ pad[place]);
    return hex(leafHash(joined(bytesOf("loto-station leaf 1\n"), binding, secret))) === this.leaves[at];
  }

  mustOpen(done, wall) {
    const { way, station, leaves } = done.luck ?? {};
    const same = done.sealed === this.digest && done.bag === this.root && station === this.station;
    if (!same || way !== "sealed" || leaves !== LEAVES) throw new Error("another sealed game");
    const now = Date.parse(wall);
    if (!(this.begins <= now && now < this.until)) throw new Error("not in its window");
  }

  mustTake(done) {
    if (!isWhole(done.first, 1) || !/^([0-9a-f]{32})+$/.test(done.keys)) throw new Error("no keys");
    done.keys.match(/.{32}/g).forEach((key, place) => {
      const at = done.first - 1 + place;
      if (at >= LEAVES || !this.opensBy(at, key)) throw new Error("a key that opens nothing");
    });
  }
}

// -- a night ---------------------------------------------------------------------------------------

export class Night {
  constructor(number) {
    Object.assign(this, { number, games: 0, drawings: 0, fair: null, sealed: null, opening: null });
    Object.assign(this, { table: new Table() });
    Object.assign(this, { due: new Map(), sums: new Map(), stations: new Map() });
  }

  get vouched() {
    return this.opening !== null && "before" in this.opening;
  }

  take(line) {
    const { do: done, at, seq } = line;
    const dated = typeof at.trust === "string" && at.trust && typeof at.wall === "string" && WALL.test(at.wall);
    if (typeof done.act !== "string" || !dated) throw new Error("no station writes such a line");
    if (seq === 1) {
      if (done.act !== "open-night" || !isWhole(done.night, 1)) throw new Error("it opens no night");
      this.opening = done;
    } else {
      const station = this.table.take(done, line.then, this.opening.night, this.games);
      if (station !== null && !this.stations.has(station)) this.stations.set(station, seq);
      this.follow(line, done);
    }
    this.sums.set(seq, line.sum);
    if (done.act === "open" && "sealed" in done) this.due.set(seq, line.sum);
    if (SIGNED.includes(done.act) || "ended" in line.then || (seq === 1 && this.vouched)) this.due.set(seq, line.sum);
  }

  follow(line, done) {
    const { seq, via, at } = line;
    if (done.act === "take-sealed") this.sealed = (done.game ?? null) === null ? null : new SealedGame(done.game);
    const opens = done.act === "open" && ("sealed" in done || done.luck?.way === "sealed");
    if ((opens || done.act === "take-keys") && !this.sealed) throw new Error("no sealed game");
    if (opens) this.sealed.mustOpen(done, at.wall);
    if (done.act === "take-keys") this.sealed.mustTake(done);
    if (["open", "skip"].includes(done.act)) [this.games, this.drawings, this.fair] = [this.games + 1, 0, null];
    const luck = done.luck ?? null;
    const committed = luck !== null || (done.bag ?? "") !== "";
    if (["open", "shake"].includes(done.act) && (committed || (this.fair && done.act === "shake"))) {
      const away = done.away ?? [];
      if (this.fair && this.fair.root === done.bag) this.fair.away = away;
      else {
        this.drawings += 1;
        const place = { night: this.opening.night, game: this.games, drawing: this.drawings };
        this.fair = new FairBag(String(done.bag), luck, place, away);
        if (luck.way !== "sealed" && !this.stations.has(luck.station)) this.stations.set(luck.station, seq);
      }
    } else if (this.fair) this.play(done, via.split(":")[0]);
    else if (["draw", "mix"].includes(done.act) || (committed && ["undo", "see", "renew", "waive"].includes(done.act))) throw new Error("no bag");
  }

  play(done, via) {
    if (done.act === "draw") {
      const leaf = done.leaf ?? undefined;
      if (leaf === undefined && !done.again && ["auto", "button"].includes(via)) throw new Error("no leaf");
      this.fair.draw(done.number ?? 0, leaf, Boolean(done.again));
    } else if (done.act === "see") this.fair.see(done.number ?? 0, done.leaf ?? undefined);
    else if (done.act === "renew") this.fair.renew(String(done.bag), done.epoch ?? 0);
    else if (done.act === "mix") this.fair.mix(done.words || undefined);
    else if (done.act === "waive" && done.about === "words") this.fair.mix("");
    else if (done.act === "undo") this.fair.undo();
  }
}

/** Returns whether what follows the last good line can be the rest of one that was being written. */
function canBeOneLine(torn, head) {
  if (torn.length > LONGEST) return false;
  const text = Array.from(torn, (byte) => String.fromCharCode(byte)).join("");
  if (text.indexOf('{"at":{"trust":"', 1) >= 0) return false;
  return Array.from(text.matchAll(/"prev":"([0-9a-f]{64})","seq":/g)).every(([, sum]) => sum === head.sum);
}

/** Takes all lines of a journal; returns its head and how many torn bytes follow it. */
function walk(bytes, previous, night, heads) {
  let head = { seq: 0, sum: previous };
  let read = 0;
  for (const raw of splitLines(bytes)) {
    const text = raw.subarray(0, -1);
    let line;
    try {
      if (raw.at(-1) !== 10 || raw.length > LONGEST) throw new Error("it has no end");
      line = unsealed(text, head);
    } catch (error) {
      const torn = bytes.subarray(read);
      if (canBeOneLine(torn, head)) return { head, torn: torn.length };
      throw new Fault(JOURNAL, head.seq + 1, error.message);
    }
    heads.take(line, text);
    try {
      night.take(line);
    } catch (error) {
      throw new Fault(JOURNAL, line.seq, error.message);
    }
    head = { seq: line.seq, sum: line.sum };
    read += raw.length;
  }
  return { head, torn: 0 };
}

/** Takes all lines of a night; returns it with its head and how many torn bytes follow. */
function taken(bytes, number, previous, keys) {
  const [night, heads] = [new Night(number), new Heads(number, keys, false)];
  try {
    const walked = walk(bytes, previous, night, heads);
    heads.settle();
    return { night, ...walked };
  } catch (error) {
    if (error instanceof UnfitHead) walk(bytes, previous, new Night(number), new Heads(number, keys, true));
    throw error;
  }
}

function compare(night, points, head, keys, files, last) {
  if (night.opening.night !== night.number) throw new Fault(JOURNAL, 1, "another night's");
  for (const point of points) {
    if (night.sums.get(point.seq) !== point.sum) {
      throw new Fault(JOURNAL, Math.min(point.seq, head.seq + 1), "it is not what was signed");
    }
  }
  const signed = new Map(points.map((point) => [point.seq, point.sum]));
  for (const [seq, sum] of night.vouched ? night.due : []) {
    if (signed.get(seq) !== sum && !(last && seq === head.seq)) {
      throw new Fault(SIGNATURES, 0, `the signature of line ${seq} is gone`);
    }
  }
  const known = keys.length ? keys : points.map((point) => point.key);
  for (const [station, seq] of night.vouched ? night.stations : []) {
    if (!known.includes(station)) throw new Fault(JOURNAL, seq, "committed to for another station");
  }
}

/** Returns where the lines, as their hashes, stop to be those of kept heads; 0 if they do not. */
function firstUnlike(kept, leaves) {
  let edge = new Edge();
  for (const head of [...kept].sort((one, other) => one.size - other.size)) {
    const good = edge.size;
    for (const leaf of leaves.slice(good, head.size)) edge = edge.grown(leaf);
    if (edge.size < head.size) return edge.size + 1;
    if (hex(edge.root) !== hex(head.root)) return good + 1;
  }
  return 0;
}

/**
 * Returns the fault of good nights, oldest first, as `verify` takes them, where they do not go on
 * from heads that somebody kept: `night`, `file` and `line`, from which on one is not as it was
 * signed; null if they do. Heads that no key has signed are none.
 */
export function unlike(nights, heads, kept, keys) {
  const shown = kept.map(readHead).filter((head) => head && keys.some((key) => signedHead(head, key)));
  for (const night of [...new Set(shown.map((head) => head.night))].sort((one, other) => one - other)) {
    const count = heads[night - 1]?.seq ?? 0;
    const lines = count ? splitLines(nights[night - 1][JOURNAL]).slice(0, count) : [];
    const leaves = lines.map((line) => lineHash(line.subarray(0, -1)));
    const line = firstUnlike(shown.filter((head) => head.night === night), leaves);
    if (line) return { night, file: JOURNAL, line, why: "it is not as it was signed, or it is gone" };
  }
  return null;
}

const same = (one, other) => POINT.every((name) => one?.[name] === other?.[name]);

/**
 * Verifies nights, the oldest first; each is its files by their names, as bytes: journal and checkpoints.
 *
 * Returns the `heads` of the good nights, and the `fault`: `night`, `file`, `line` (0: the file as a
 * whole) and `why`; null if all is whole. `keys`: public keys that may have signed; any when empty.
 */
export function verify(nights, keys = []) {
  const heads = [];
  let [previous, newest, vouched] = [GENESIS, null, false];
  for (const [index, files] of nights.entries()) {
    const { [JOURNAL]: journal, [SIGNATURES]: checkpoints } = files;
    const [number, last] = [index + 1, index === nights.length - 1];
    try {
      if (!journal) throw new Fault(JOURNAL, 1, "the journal is gone");
      const points = checkpoints ? readPoints(checkpoints, number, keys) : [];
      const known = keys.length ? keys : points.map((point) => point.key);
      const { night, head, torn } = taken(journal, number, previous, known);
      if (!night.opening || (!last && torn)) throw new Fault(JOURNAL, head.seq + 1, "damaged");
      compare(night, points, head, keys, files, last);
      if (night.vouched && !same(night.opening.before, newest)) throw new Fault(JOURNAL, 1, "another before");
      if (!night.vouched && vouched) throw new Fault(JOURNAL, 1, "no checkpoint of the night before");
      [previous, newest, vouched] = [head.sum, points.at(-1) ?? newest, night.vouched];
      heads.push(head);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { heads, fault: { night: number, file: error.file, line: error.line, why: error.message } };
    }
  }
  return { heads, fault: null };
}
