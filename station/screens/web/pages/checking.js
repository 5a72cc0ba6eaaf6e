// Judges what the station tells of a game: whether its lines stand in the signed record, and whether
// each number followed from what the record was bound to before. Pure; needs no network.

import { base64, bytesOf, entryHash, hasGrown, hashesIn, hex, readCode, readHead } from "./proving.js";
import { rootBy, sha256, signedHead } from "./proving.js";
import { Night, readEntry } from "./verifying.js";

const FORM = "loto-station game 1";

/** What is wrong: a word for why, and the line of the record; 0 where it is no line. */
class Wrong extends Error {
  constructor(why, line = 0) {
    super(why);
    Object.assign(this, { why, line });
  }
}

const isLine = (one) => Array.isArray(one) && one.length === 2 && one.every((text) => typeof text === "string");

function readProof(text) {
  try {
    const proof = JSON.parse(text);
    const { form, key, night, game, head, lines } = proof;
    const whole = form === FORM && /^[0-9a-f]{64}$/.test(key) && [night, game].every(Number.isInteger);
    if (whole && typeof head === "string" && Array.isArray(lines) && lines.every(isLine)) return proof;
  } catch {
    // told below
  }
  throw new Wrong("form");
}

/** Returns a line of the record from its entry; throws where it is not as it was signed. */
function included(entry, path, head, before) {
  let line;
  try {
    line = readEntry(entry);
  } catch {
    throw new Wrong("altered", before + 1);
  }
  if (line.seq <= before) throw new Wrong("order", line.seq);
  const root = rootBy(hashesIn(path) ?? [], entryHash(bytesOf(entry)), line.seq - 1, head.size);
  if (!root || hex(root) !== hex(head.root)) throw new Wrong("foreign", line.seq);
  return line;
}

/** What a game's lines tell; each is taken in order. */
class Told {
  constructor({ night, game }) {
    this.night = new Night(night);
    Object.assign(this.night, { opening: { night }, games: game - 1 });
    Object.assign(this, { game, called: [], proven: 0, epochs: 1, pack: "", claims: [], sealed: null });
  }

  take(line) {
    const { do: done, then, seq } = line;
    const opens = done.act === "open";
    const first = opens || done.act === "take-sealed";
    if (first !== !this.pack || (opens && then.opening?.game !== this.game)) throw new Wrong("order", seq);
    if (opens) this.pack = then.opening.pack;
    try {
      this.night.follow(line, done);
    } catch {
      throw new Wrong("draw", seq);
    }
    this.tell(done, then, seq);
    // A number that was keyed opens no leaf: its count alone shows that it is of this game, and that none before it is gone.
    const counted = ["draw", "undo"].includes(done.act) && Number.isInteger(then.calls);
    if (counted && then.calls !== this.called.length) throw new Wrong("order", seq);
  }

  tell(done, then, seq) {
    if (done.act === "open" && "sealed" in done) this.sealed = this.night.sealed;
    else if (done.act === "shake") Object.assign(this, { called: [], proven: 0 });
    else if (done.act === "undo") this.called.pop();
    else if (done.act === "renew") this.epochs += 1;
    else if (done.act === "draw") this.called.push({ number: done.number, proven: "leaf" in done || done.again === true });
    else if (done.act === "claim") this.claims.push({ serial: String(done.serial), verdict: then.verdict, stage: String(then.stage), calls: then.calls, line: seq });
  }
}

const read = (heads) => heads.map(readHead).filter(Boolean);

/** Throws where a head that was seen before is not of the same record. */
function against(seen, head, line) {
  const other = seen.find(({ origin, size, root }) => origin === head.origin && size === head.size && hex(root) !== hex(head.root));
  if (other) throw Object.assign(new Wrong("split", line), { heads: [other.text, head.text] });
}

/** Throws where the head that ends before a line was seen, and the line has the signature of another. */
function mustFollow(seen, head, { seq, prev }) {
  const before = seen.filter(({ origin, size }) => origin === head.origin && size === seq - 1);
  const other = before.find(({ signature }) => base64(signature.slice(4)) !== prev);
  if (other) throw Object.assign(new Wrong("split", seq - 1), { heads: [other.text, head.text] });
}

/**
 * Judges what a head's code says against the heads that were `kept`.
 *
 * Returns `fault`, as `judged` does, or null; and then what `readCode` does, with the `receipt` read; null for none.
 */
export function judgedCode(text, kept) {
  try {
    const told = readCode(text);
    if (!told) throw new Wrong("code");
    if (!signedHead(told.head, told.key)) throw new Wrong("head");
    const receipt = told.receipt ? readReceipt(told) : null;
    if (told.receipt && !receipt) throw new Wrong("code");
    against(read(kept), told.head, told.head.size);
    return { fault: null, ...told, receipt };
  } catch (error) {
    return { fault: blamed(error) };
  }
}

/** What is to be told of an error; throws what is none of these. */
function blamed(error) {
  if (!(error instanceof Wrong)) throw error;
  return { why: error.why, line: error.line, heads: error.heads ?? [] };
}

/** The two heads that were kept of a night which stand next to one, as pairs with it: the shorter first. */
export function besides(kept, head) {
  const others = read(kept).filter(({ origin }) => origin === head.origin).sort((one, other) => one.size - other.size);
  const before = others.findLast(({ size }) => size < head.size);
  const after = others.find(({ size }) => size > head.size);
  return [before && [before, head], after && [head, after]].filter(Boolean);
}

/** What is wrong between two heads of a night, by the path that shows that one goes on from the other: null where nothing is. */
export function grownWrong([small, large], path) {
  const good = hasGrown(path, small.size, small.root, large.size, large.root);
  return good ? null : { why: "split", line: large.size, heads: [small.text, large.text] };
}

const RECEIPT = /^LOTO1\+N(\d+)\+G(\d+)\+S([^+]*)\+C(\d+)\+D([0-9A-F]{64})\+K(\d*)\+B(\d*)\+H(\d+):(\d+):([0-9A-F]{64})$/i;

/** Returns a text in which bytes stand as "%41"; null where they are no text. */
function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const twos = (digits) => (digits.match(/../g) ?? []).map(Number);

/**
 * What the receipt says that stands in a code after the head, as `readCode` gives both; null if it is none.
 *
 * Returns night, game, card, calls, numbers called, those of the card, the digest after the win, the record's `end` on paper,
 * the `key` that signed the head, and whether the receipt `fits` that head: nobody signs the game and the bag's root beside it.
 */
export function readReceipt({ receipt, head, key, game: shown, bag }) {
  const found = RECEIPT.exec(receipt);
  const serial = found && plain(plain(found[3]) ?? "%"); // once for the address, once for its signs
  if (!serial) return null;
  const [night, game, calls, of, seq] = [1, 2, 4, 8, 9].map((place) => Number(found[place]));
  const [digest, root] = [found[5], found[10]].map((text) => text.toLowerCase());
  const fits = night === head.night && game === shown && !bag;
  const [numbers, called, end] = [twos(found[6]), twos(found[7]), { night: of, seq, root }];
  return { night, game, calls, digest, numbers, called, end, serial, key, fits };
}

const TICKET = /^ticket(-\d+){2,}$/i; // from elsewhere: in its line stands a name, which is told to nobody

/** What a receipt is beside a game that was judged good: `good`, a `ticket` that nothing is told of, or a word for what is wrong. */
export function receiptFound(receipt, { night, game, key, claims, called }) {
  if (!receipt.fits || receipt.key !== key || receipt.night !== night || receipt.game !== game) return "other";
  const won = claims.some(({ serial, verdict, calls }) => serial.toUpperCase() === receipt.serial.toUpperCase() && verdict === "valid" && calls === receipt.calls);
  if (!won && !TICKET.test(receipt.serial)) return "not-won";
  const same = receipt.called.join() === called.slice(0, receipt.calls).map(({ number }) => number).join();
  return !same ? "called" : won ? "good" : "ticket";
}

/**
 * Judges a game's proof, a text. `kept`: heads that were seen before, `keys` those that may have signed; any when empty.
 *
 * Returns `fault`, with `why` and `line`, or null; and then `night`, `game`, `key`, `head`, `lines`, the numbers
 * `called` in order, each with whether it was `proven`, `epochs`, `claims`, the digest of the `pack`, and of a `sealed` game its `name` and `organiser`, or null.
 */
export function judged(text, kept = [], keys = []) {
  try {
    const proof = readProof(text);
    const head = readHead(proof.head);
    if (!head || head.night !== proof.night) throw new Wrong("head");
    if (keys.length && !keys.includes(proof.key)) throw new Wrong("key");
    if (!signedHead(head, proof.key)) throw new Wrong("head");
    const seen = read(kept);
    against(seen, head, head.size);
    const told = new Told(proof);
    let seq = 0;
    for (const [raw, path] of proof.lines) {
      const line = included(raw, path, head, seq);
      mustFollow(seen, head, line);
      told.take(line);
      ({ seq } = line);
    }
    if (!told.pack) throw new Wrong("form");
    const stranger = [...told.night.stations].find(([station]) => station !== proof.key);
    if (stranger) throw new Wrong("key", stranger[1]);
    const { key, night, game } = proof;
    const { called, epochs, claims, pack, sealed } = told;
    const drawn = { called, epochs, claims, pack, sealed: sealed && { name: sealed.name, organiser: sealed.station } };
    return { fault: null, key, night, game, head: proof.head, lines: proof.lines.length, ...drawn };
  } catch (error) {
    return { fault: blamed(error) };
  }
}

/** A serial as people say it: in capitals, without signs, accents and zeros before a number. */
const spoken = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase()
  .replace(/(^|[^0-9])0+(?=[0-9])/g, "$1").replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Looks for a card in a pack's file, given as bytes. Returns `fault`: `pack`, where it is not the pack of the game,
 * `card`, where the pack has none such, or null; and then its `rows`, each with its numbers and with how many `calls`
 * it was full, 0 where it was not.
 */
export function cardIn(bytes, serial, { pack, called }) {
  if (hex(sha256(bytes)) !== pack) return { fault: "pack" };
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/).slice(1);
  const found = (read) => lines.filter((one) => read(serial) && read(one.split(",")[0]) === read(serial));
  const [line, other] = [found((text) => text.trim()), found(spoken)].find((some) => some.length) ?? [];
  if (!line || other) return { fault: "card" };
  const numbers = line.split(",").slice(1).map(Number);
  const calls = (row) => Math.max(...row.map((number) => called.findIndex((one) => one.number === number) + 1 || Infinity));
  const rows = [0, 5, 10].map((at) => numbers.slice(at, at + 5)).map((row) => ({ numbers: row, calls: Number.isFinite(calls(row)) ? calls(row) : 0 }));
  return { fault: null, serial: line.split(",")[0], rows };
}
