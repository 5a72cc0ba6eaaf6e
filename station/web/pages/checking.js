// Judges what the station tells of a game: whether its lines stand in the signed record, and whether
// each number followed from what the record was bound to before. Pure; needs no network.

import { bytesOf, fromHex, hex, lineHash, readHead, rootBy, sha256, signedHead } from "./proving.js";
import { Night, unsealed } from "./verifying.js";

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

/** Returns a line of the record; throws where it is not as it was signed. */
function included(text, path, head, before) {
  const raw = bytesOf(text);
  let line;
  try {
    const { seq, prev } = JSON.parse(text);
    line = unsealed(raw, { seq: seq - 1, sum: prev });
  } catch {
    throw new Wrong("altered", before + 1);
  }
  if (line.seq <= before) throw new Wrong("order", line.seq);
  const way = (/^([0-9a-f]{64})*$/.test(path) ? (path.match(/.{64}/g) ?? []) : []).map(fromHex);
  const root = rootBy(way, lineHash(raw), line.seq - 1, head.size);
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
  }

  tell(done, then, seq) {
    if (done.act === "open" && "sealed" in done) this.sealed = this.night.sealed;
    else if (done.act === "shake") Object.assign(this, { called: [], proven: 0 });
    else if (done.act === "undo") this.called.pop();
    else if (done.act === "renew") this.epochs += 1;
    else if (done.act === "draw") this.called.push({ number: done.number, proven: "leaf" in done || done.again === true });
    else if (done.act === "claim") this.claims.push({ serial: String(done.serial), verdict: then.verdict, calls: then.calls, line: seq });
  }
}

/** Throws where a head that was kept is not of the same record. */
function against(kept, { origin, size, root }, line) {
  for (const text of kept) {
    const other = readHead(text);
    if (other && other.origin === origin && other.size === size && hex(other.root) !== hex(root)) {
      throw new Wrong("split", line);
    }
  }
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
    against(kept, head, head.size);
    const told = new Told(proof);
    let seq = 0;
    for (const [raw, path] of proof.lines) {
      const line = included(raw, path, head, seq);
      const before = readHead(line.head ?? "");
      if (before) against(kept, before, before.size);
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
    if (!(error instanceof Wrong)) throw error;
    return { fault: { why: error.why, line: error.line } };
  }
}

/**
 * Looks for a card in a pack's file, given as bytes. Returns `fault`: `pack`, where it is not the pack of the game,
 * `card`, where the pack has none such, or null; and then its `rows`, each with its numbers and with how many `calls`
 * it was full, 0 where it was not.
 */
export function cardIn(bytes, serial, { pack, called }) {
  if (hex(sha256(bytes)) !== pack) return { fault: "pack" };
  const wanted = serial.trim().toUpperCase();
  const line = new TextDecoder().decode(bytes).split(/\r?\n/).find((one) => one.split(",")[0].toUpperCase() === wanted);
  if (!line || !wanted) return { fault: "card" };
  const numbers = line.split(",").slice(1).map(Number);
  const calls = (row) => Math.max(...row.map((number) => called.findIndex((one) => one.number === number) + 1 || Infinity));
  const rows = [0, 5, 10].map((at) => numbers.slice(at, at + 5)).map((row) => ({ numbers: row, calls: Number.isFinite(calls(row)) ? calls(row) : 0 }));
  return { fault: null, serial: line.split(",")[0], rows };
}
