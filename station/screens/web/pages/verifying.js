// A second judge of the record, beside `station/record/audit.py`: reads nights as they lie on the
// disk, and says which line is not what a station wrote. `docs/record.md` describes the format. It
// checks lines, signatures, kept heads, copies and the draw, but not the rules or the money.

import { base64, bytesOf, Edge, entryHash, fromHex, hashesIn, headNote, hex } from "./proving.js";
import { hmac, joined, leafHash, numbered, readHead, readHeads, rootBy } from "./proving.js";
import { sha256, signedBy, signedHead, treeRoot, unbase64 } from "./proving.js";

const JOURNAL = "journal.jsonl";
const KEPT_HEADS = "heads.txt";
const LONGEST = 2 << 20;
const MOST_ADDED = 200; // characters of the hall's words
const MOST_BYTES = 2 ** 32 - 1; // of a whole number in four bytes
const HEX = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
const WALL = /^[\x00-\x7f]{10}T[\x00-\x7f]{2}:[\x00-\x7f]{2}:[\x00-\x7f]{0,23}$/;
const COPY = /^(?:pack|programme|tags)-([0-9a-f]{16})\.(?:csv|json|toml)$/;
const ENTRY = ["at", "by", "do", "id", "mono", "prev", "seq", "then", "via"];
const LINE = ["at", "by", "do", "id", "mono", "prev", "seq", "signature", "then", "via"];
const TEXTS = ["by", "id", "prev", "signature", "via"];
const LEAVES = 90;

class Fault extends Error {
  constructor(file, line, why, night) {
    super(why);
    Object.assign(this, { file, line, night });
  }
}

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

// -- lines -----------------------------------------------------------------------------------------

function formed(reader, fields) {
  const line = reader.whole();
  if (!isObject(line) || Object.keys(line).join() !== fields.join()) throw new Error("no journal line");
  const texts = fields.filter((name) => TEXTS.includes(name)).every((name) => typeof line[name] === "string");
  const objects = [line.at, line.do, line.then].every(isObject);
  if (!texts || !objects || typeof line.mono !== "number") throw new Error("no journal line");
  const [follows, signed] = [line.prev, line.signature ?? ""].map((text) => text === "" || SIGNATURE.test(text));
  if (!follows || !signed || line.signature === "") throw new Error("no signature");
  if (!Number.isInteger(line.seq)) throw new Error("no whole number");
  return line;
}

/** Returns a line from its entry, the text without its signature; throws where it is none. */
export function readEntry(text) {
  const line = formed(new Canonical(text), ENTRY);
  if (!areWhole(line)) throw new Error("no whole number");
  return line;
}

/** Returns a line from its text, and its entry as bytes; throws where it is none. */
export function readLine(text) {
  const reader = new Canonical(text);
  return { line: formed(reader, LINE), entry: bytesOf(without(reader, "signature")) };
}

/** Returns a line and the end of the record with it; throws if it does not follow the end before. */
function unsealed(raw, { edge, signature }) {
  const { line, entry } = readLine(decoder.decode(raw));
  if (line.seq !== edge.size + 1) throw new Error("lines are missing, doubled or out of order");
  if (line.prev !== signature) throw new Error("it does not follow the line before");
  const leaf = entryHash(entry);
  return { line, leaf, edge: edge.grown(leaf), signature: line.signature };
}

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

// -- signatures ------------------------------------------------------------------------------------

const good = new Set(); // heads that are known to be signed: a signature takes the longest by far

function isSigned(head, key) {
  const asked = `${key} ${head.text}`;
  if (!good.has(asked) && !signedHead(head, key)) return false;
  good.add(asked);
  return true;
}

/**
 * Returns the number of the first line that the night's key has not signed as it is; 0 for none.
 *
 * A line that was altered makes all signatures from its own on wrong, so the first is found by halves.
 */
function firstUnsigned(lines) {
  const { key, night } = lines[0]?.line.do ?? {};
  const named = typeof key === "string" && HEX.test(key) && isWhole(night, 1) && night <= MOST_BYTES;
  const signed = (count) => {
    const { edge, signature } = lines[count - 1];
    return named && isSigned(readHead(headNote(key, night, edge, unbase64(signature))), key);
  };
  if (!lines.length || signed(lines.length)) return 0;
  let [low, high] = [0, lines.length]; // the first `low` lines are good, the first `high` are not
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (signed(middle)) low = middle;
    else high = middle;
  }
  return high;
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
  const found = rootBy(hashesIn(path), leaf, at, leaves);
  return found !== null && hex(found) === root;
}

function mustBeLeaf(leaf) {
  if (!only(leaf, ["at", "secret", "path"]) || !isWhole(leaf.at, 0) || leaf.at > MOST_BYTES) throw new Error("no leaf");
  const { secret, path = "" } = leaf;
  const hexes = [secret, path].every((text) => typeof text === "string");
  if (!hexes || !HEX.test(secret) || !/^([0-9a-f]{64}){0,16}$/.test(path)) throw new Error("no leaf");
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
    if (typeof root !== "string" || this.way === "sealed" || epoch !== this.place.epoch + 1 || root === this.root) throw new Error("not the next epoch");
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

const risingly = (one, other) => (one === other ? 0 : rises(one, other) ? -1 : 1);

/** Returns a value in canonical form, with every character that is not printable ASCII escaped. */
function ascii(value) {
  if (Array.isArray(value)) return `[${value.map(ascii)}]`;
  if (isObject(value)) {
    const fields = Object.keys(value).sort(risingly).map((name) => `${ascii(name)}:${ascii(value[name])}`);
    return `{${fields}}`;
  }
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped);
}

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

/** Throws if a hidden part's chance is not written as stations write it: whole, without fields that say nothing. */
function mustBeDecided(chance) {
  if (!only(chance, ["leaf", "law"])) throw new Error("no leaf");
  mustBeLeaf(chance.leaf);
  mustBeLaw(chance.law);
  if (!("path" in chance.leaf) || Object.values(chance.law).includes(null)) throw new Error("no leaf");
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
    if (!Array.isArray(deal) || !deal.every((text) => typeof text === "string")) throw new Error("no deal");
    const rising = [...deal].sort(risingly);
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
    if (!Array.isArray(parts)) throw new Error("no sealed parts");
    for (const part of parts) {
      const whole = only(part, ["salt", "fields", "chance"]) && isObject(part.fields) && /^[0-9a-f]{32}$/.test(part.salt);
      if (!whole) throw new Error("no sealed part");
      if ("chance" in part) mustBeDecided(part.chance);
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
const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Returns a moment in microseconds; throws if it is none, or if no calendar has it. */
function momentOf(text) {
  const [, day, time, part = ".", sign = "+", hours = "0", minutes = "0"] = MOMENT.exec(text) ?? [];
  const moment = Date.parse(`${day}T${time}Z`);
  const exists = Number.isFinite(moment) && new Date(moment).toISOString().startsWith(`${day}T${time}`);
  if (!exists || hours > 23 || minutes > 59) throw new Error("no moment");
  const east = Number(`${sign}1`) * (60 * hours + Number(minutes));
  return (moment - 60_000 * east) * 1000 + Number(part.slice(1, 7).padEnd(6, "0"));
}

export class SealedGame {
  constructor(game) {
    if (!isObject(game) || Object.keys(game).join() !== SEALED.join()) throw new Error("no sealed game");
    if (!Object.values(game).every((value) => typeof value === "string")) throw new Error("no sealed game");
    const hexes = HEX.test(game.organiser) && ALL.test(game.leaves) && ALL.test(game.sealed);
    const window = [game.begins, game.until];
    const named = game.name && [...game.name].length <= 60 && /^([0-9a-f]{64}){0,10000}$/.test(game.halls);
    const whole = window.every((moment) => moment.length === 25 && !moment.endsWith("Z"));
    if (!hexes || !named || !whole) throw new Error("no sealed game");
    [this.begins, this.until] = window.map(momentOf);
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
    const just = only(done.luck, ["way", "station", "leaves"]);
    if (!same || !just || way !== "sealed" || leaves !== LEAVES) throw new Error("another sealed game");
    const now = momentOf(wall);
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

/** Returns whether an act opens a night; its number and key are known to be such, for they have signed it. */
function isOpening({ act, version, test, last_number: last, copies, strict = false }) {
  const flags = [test, last, strict].every((flag) => typeof flag === "boolean");
  const texts = Array.isArray(copies) && [version, ...copies].every((text) => typeof text === "string");
  return flags && texts && act === "open-night" && copies.every((name) => COPY.test(name));
}

export class Night {
  constructor(number) {
    Object.assign(this, { number, games: 0, drawings: 0, fair: null, sealed: null, opening: null });
    Object.assign(this, { table: new Table(), stations: new Map() });
  }

  take(line) {
    const { do: done, at, seq } = line;
    const dated = typeof at.trust === "string" && at.trust && typeof at.wall === "string" && WALL.test(at.wall);
    if (typeof done.act !== "string" || !dated) throw new Error("no station writes such a line");
    if (!areWhole(line)) throw new Error("no whole number");
    if (seq === 1) {
      if (!isOpening(done)) throw new Error("it opens no night");
      this.opening = done;
      return;
    }
    const station = this.table.take(done, line.then, this.opening.night, this.games);
    if (station !== null && !this.stations.has(station)) this.stations.set(station, seq);
    this.follow(line, done);
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
      const { away = [] } = done;
      if (!Array.isArray(away)) throw new Error("no numbers");
      if (this.fair && this.fair.root === done.bag) this.fair.away = away;
      else {
        const shaken = done.act === "shake" && luck?.way === "sealed";
        if (typeof done.bag !== "string" || shaken) throw new Error("no bag");
        this.drawings += 1;
        const place = { night: this.opening.night, game: this.games, drawing: this.drawings };
        this.fair = new FairBag(done.bag, luck, place, away);
        if (luck.way !== "sealed" && !this.stations.has(luck.station)) this.stations.set(luck.station, seq);
      }
    } else if (this.fair) this.play(done, via.split(":")[0]);
    else if (["draw", "mix"].includes(done.act) || (committed && ["undo", "see", "renew", "waive"].includes(done.act))) throw new Error("no bag");
  }

  play(done, via) {
    if (done.act === "draw") {
      const leaf = done.leaf ?? undefined;
      const again = done.again === true;
      if (leaf === undefined && !again && ["auto", "button"].includes(via)) throw new Error("no leaf");
      this.fair.draw(done.number ?? 0, leaf, again);
    } else if (done.act === "see") this.fair.see(done.number ?? 0, done.leaf ?? undefined);
    else if (done.act === "renew") this.fair.renew(done.bag, done.epoch ?? 0);
    else if (done.act === "mix") this.fair.mix(done.words || undefined);
    else if (done.act === "waive" && done.about === "words") this.fair.mix("");
    else if (done.act === "undo") this.fair.undo();
  }
}

/** Returns whether what follows the last good line can be the rest of one that was being written. */
function canBeOneLine(torn, signature) {
  if (torn.length > LONGEST) return false;
  const text = Array.from(torn, (byte) => String.fromCharCode(byte)).join("");
  if (text.indexOf('{"at":{"trust":"', 1) >= 0) return false;
  const links = Array.from(text.matchAll(/"prev":"([A-Za-z0-9+/=]{88}|)","seq":/g));
  return links.every(([, last]) => last === signature);
}

/**
 * Returns the good lines of a journal, each with its `leaf`, the `edge` of the tree and where it
 * ends, and how many torn bytes follow; as `station/record/journal.py read` does.
 */
function readJournal(bytes, previous) {
  const lines = [];
  let [head, end, why] = [{ edge: new Edge(), signature: previous }, 0, ""];
  for (const raw of splitLines(bytes)) {
    try {
      if (raw.at(-1) !== 10 || raw.length > LONGEST) throw new Error("it has no end");
      head = unsealed(raw.subarray(0, -1), head);
    } catch (error) {
      why = error.message;
      break;
    }
    end += raw.length;
    lines.push({ ...head, end });
  }
  const unsigned = firstUnsigned(lines);
  if (unsigned) [lines.length, why] = [unsigned - 1, "the station's key has not signed it"];
  const last = lines.at(-1) ?? { end: 0, signature: previous };
  const torn = bytes.subarray(last.end);
  if (torn.length && !canBeOneLine(torn, last.signature)) throw new Fault(JOURNAL, lines.length + 1, why);
  return { lines, torn: torn.length };
}

/** Returns the night that these lines tell of. */
function played(lines, number) {
  const night = new Night(number);
  for (const { line } of lines) {
    try {
      night.take(line);
    } catch (error) {
      throw new Fault(JOURNAL, line.seq, error.message);
    }
  }
  return night;
}

/** Returns the heads that were kept beside a journal; throws where they were altered. */
function keptHeads(bytes, night, key) {
  const heads = readHeads(bytes);
  const whole = heads?.every((head, at) => {
    const rising = !at || heads[at - 1].size < head.size;
    return rising && head.night === night && isSigned(head, key);
  });
  if (!whole) throw new Fault(KEPT_HEADS, 0, "it was altered");
  return heads;
}

/** Throws where a night's lines do not fit its number, the key, or the files beside it. */
function compare({ number, opening, stations }, lines, keys, files) {
  const { key, night, copies } = opening;
  if (night !== number) throw new Fault(JOURNAL, 1, "another night's");
  if (keys.length && !keys.includes(key)) throw new Fault(JOURNAL, 1, "another key");
  for (const { size, signature } of keptHeads(files[KEPT_HEADS] ?? new Uint8Array(), number, key)) {
    if (lines[size - 1]?.signature === base64(signature.slice(4))) continue;
    throw new Fault(JOURNAL, Math.min(size, lines.length + 1), "the line whose head was kept is gone");
  }
  const found = Object.keys(files).filter((name) => COPY.test(name));
  for (const name of [...new Set([...copies, ...found])].sort()) {
    const digest = name in files ? hex(sha256(files[name])).slice(0, 16) : "";
    if (digest !== COPY.exec(name)[1]) throw new Fault(name, 0, "the copy is gone or was altered");
  }
  const stranger = [...stations].find(([station]) => station !== key);
  if (stranger) throw new Fault(JOURNAL, stranger[1], "committed to for another station");
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
 * Returns the fault of good nights, oldest first, as `verify` gives them, where they do not go on
 * from heads that somebody kept: `night`, `file` and `line`, from which on one is not as it was
 * signed; null if they do. Heads that no key has signed are none.
 */
export function unlike(nights, kept, keys) {
  const shown = kept.map(readHead).filter((head) => head && keys.some((key) => isSigned(head, key)));
  for (const night of [...new Set(shown.map((head) => head.night))].sort((one, other) => one - other)) {
    const leaves = nights[night - 1]?.leaves ?? [];
    const line = firstUnlike(shown.filter((head) => head.night === night), leaves);
    if (line) return { night, file: JOURNAL, line, why: "it is not as it was signed, or it is gone" };
  }
  return null;
}

/** Verifies the next night; returns it, null where the last one had not begun. */
function verified(files, number, { previous, keys, last }) {
  if (!last && !(JOURNAL in files)) throw new Fault(JOURNAL, 0, "the journal is gone");
  const { lines, torn } = readJournal(files[JOURNAL] ?? new Uint8Array(), previous);
  if (!last && (torn || !lines.length)) throw new Fault(JOURNAL, lines.length + 1, "damaged");
  if (!lines.length && KEPT_HEADS in files) throw new Fault(JOURNAL, 1, "the journal is gone");
  if (!lines.length) return null;
  const night = played(lines, number);
  compare(night, lines, keys, files);
  const { line, signature } = lines.at(-1);
  const leaves = lines.map(({ leaf }) => leaf);
  return { key: night.opening.key, leaves, signature, closed: line.do.act === "close-night" };
}

/**
 * Verifies nights, the oldest first; each is its files by their names, as bytes.
 *
 * Returns the good `nights`, each with the `leaves` of its tree, and the `fault`: `night`, `file`,
 * `line` (0: the file as a whole) and `why`; null if all is whole. `keys`: the public keys that may
 * have signed; that of the first night when empty.
 */
export function verify(nights, keys = []) {
  const found = [];
  for (const [index, files] of nights.entries()) {
    const before = found.at(-1);
    const known = keys.length || !before ? keys : [before.key];
    try {
      const [previous, last] = [before?.signature ?? "", index === nights.length - 1];
      const night = verified(files, index + 1, { previous, keys: known, last });
      if (!night) break;
      const open = before && !before.closed;
      if (open) throw new Fault(JOURNAL, before.leaves.length, "it was not closed", index);
      found.push(night);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { night = index + 1, file, line, message: why } = error;
      return { nights: found, fault: { night, file, line, why } };
    }
  }
  return { nights: found, fault: null };
}
