// Hashes and signatures in plain JavaScript, for pages that come over http, where browsers offer
// none: SHA-256 and SHA-512 (FIPS 180-4), HMAC (RFC 2104), Ed25519 (RFC 8032), trees (RFC 6962).

const encoder = new TextEncoder();

export const bytesOf = (text) => encoder.encode(text);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export function joined(...parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns whole numbers as unsigned bytes, the highest first, so many for each. */
export function numbered(size, ...numbers) {
  const bytes = new Uint8Array(size * numbers.length);
  numbers.forEach((number, place) => {
    for (let byte = size - 1, left = number; byte >= 0; byte -= 1, left = Math.floor(left / 256)) {
      bytes[place * size + byte] = left % 256;
    }
  });
  return bytes;
}

// -- SHA-2: the constants are the first bits of the roots of the first primes -----------------------

const primes = [];
for (let number = 2; primes.length < 80; number += 1) {
  if (primes.every((prime) => number % prime)) primes.push(number);
}

/** Returns the first 64 bits after the point of the nth root of a prime. */
function rootBits(prime, nth) {
  let root = 0n;
  for (let bit = 1n << 68n; bit; bit >>= 1n) {
    if ((root | bit) ** nth <= BigInt(prime) << (64n * nth)) root |= bit;
  }
  return root & 0xffffffffffffffffn;
}

const CUBES = primes.map((prime) => rootBits(prime, 3n));
const SQUARES = primes.slice(0, 8).map((prime) => rootBits(prime, 2n));
const K256 = Int32Array.from(CUBES.slice(0, 64), (bits) => Number(bits >> 32n));
const H256 = Int32Array.from(SQUARES, (bits) => Number(bits >> 32n));

function padded(data, block) {
  const size = Math.ceil((data.length + 1 + block / 8) / block) * block;
  const bytes = new Uint8Array(size);
  bytes.set(data);
  bytes[data.length] = 128;
  bytes.set(numbered(8, data.length * 8), size - 8);
  return bytes;
}

export function sha256(data) {
  const view = new DataView(padded(data, 64).buffer);
  const state = Int32Array.from(H256);
  const words = new Int32Array(64);
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  for (let start = 0; start < view.byteLength; start += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(start + 4 * at);
    for (let at = 16; at < 64; at += 1) {
      const [old, young] = [words[at - 15], words[at - 2]];
      const small = turn(old, 7) ^ turn(old, 18) ^ (old >>> 3);
      const large = turn(young, 17) ^ turn(young, 19) ^ (young >>> 10);
      words[at] = (words[at - 16] + small + words[at - 7] + large) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at += 1) {
      const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + mixed + ((e & f) ^ (~e & g)) + K256[at] + words[at]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, place) => {
      state[place] += word;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => out.setInt32(4 * place, word));
  return new Uint8Array(out.buffer);
}

export function hmac(key, data) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), data));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

const WORD = (1n << 64n) - 1n;

export function sha512(data) {
  const view = new DataView(padded(data, 128).buffer);
  const turn = (word, by) => ((word >> by) | (word << (64n - by))) & WORD;
  let state = SQUARES;
  for (let start = 0; start < view.byteLength; start += 128) {
    const words = Array.from({ length: 16 }, (_, at) => view.getBigUint64(start + 8 * at));
    for (let at = 16; at < 80; at += 1) {
      const [old, young] = [words[at - 15], words[at - 2]];
      const small = turn(old, 1n) ^ turn(old, 8n) ^ (old >> 7n);
      const large = turn(young, 19n) ^ turn(young, 61n) ^ (young >> 6n);
      words.push((words[at - 16] + small + words[at - 7] + large) & WORD);
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 80; at += 1) {
      const mixed = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
      const one = h + mixed + ((e & f) ^ (~e & WORD & g)) + CUBES[at] + words[at];
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & WORD, c, b, a, (one + two) & WORD];
    }
    state = [a, b, c, d, e, f, g, h].map((word, place) => (state[place] + word) & WORD);
  }
  return joined(...state.map((word) => fromHex(word.toString(16).padStart(16, "0"))));
}

// -- Ed25519 ----------------------------------------------------------------------------------------

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (number, by = P) => ((number % by) + by) % by;

function power(base, exponent) {
  let [result, square] = [1n, mod(base)];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);
const ZERO = [0n, 1n, 1n, 0n];

const low = (bytes) =>
  bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** Returns the point of 32 bytes; null if there is none. */
function point(bytes) {
  const y = low(bytes) & ((1n << 255n) - 1n);
  if (y >= P) return null;
  const [top, bottom] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  const ratio = mod(top * power(bottom, P - 2n));
  let x = power(ratio, (P + 3n) / 8n);
  if (mod(x * x - ratio)) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x - ratio) || (!x && bytes[31] >> 7)) return null;
  if (Number(x & 1n) !== bytes[31] >> 7) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function added([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
  const [c, d] = [mod(2n * t1 * t2 * D), mod(2n * z1 * z2)];
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(number, base) {
  let [sum, doubled] = [ZERO, base];
  for (let left = number; left; left >>= 1n) {
    if (left & 1n) sum = added(sum, doubled);
    doubled = added(doubled, doubled);
  }
  return sum;
}

const BASE = point(Uint8Array.of(0x58, ...new Array(31).fill(0x66)));

/** Returns whether a signature of 64 bytes over a message is by this public key of 32 bytes. */
export function signedBy(key, message, signature) {
  const [r, s] = [signature.slice(0, 32), low(signature.slice(32))];
  const a = key.length === 32 && signature.length === 64 ? point(key) : null;
  if (!a || s >= ORDER) return false;
  const k = low(sha512(joined(r, key, message))) % ORDER;
  const [x, y, z] = added(times(s, BASE), times(k, [P - a[0], a[1], a[2], P - a[3]]));
  const inverse = power(z, P - 2n);
  const right = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
  return low(r) === right;
}

// -- trees ------------------------------------------------------------------------------------------

export const leafHash = (data) => sha256(joined(Uint8Array.of(0), data));
export const nodeHash = (left, right) => sha256(joined(Uint8Array.of(1), left, right));

/** Returns the root over the hashes of leaves; what has no neighbour on a level goes up as it is. */
export function treeRoot(leaves) {
  let level = leaves;
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at + 1 < level.length; at += 2) above.push(nodeHash(level[at], level[at + 1]));
    level = level.length % 2 ? [...above, level.at(-1)] : above;
  }
  return level[0];
}

/** Returns the hashes of a path, given in hex one after the other; null where it is none. */
export function hashesIn(path) {
  return /^([0-9a-f]{64})*$/.test(path) ? (path.match(/.{64}/g) ?? []).map(fromHex) : null;
}

/** Returns the root that a leaf's path leads to; null if no tree of that size has such a path. */
export function rootBy(path, leaf, place, size) {
  if (place < 0 || place >= size) return null;
  let [at, last, root] = [place, size - 1, leaf];
  for (const sibling of path) {
    if (!last) return null;
    if (at % 2 || at === last) {
      root = nodeHash(sibling, root);
      while (at % 2 === 0 && at) [at, last] = [at / 2, Math.floor(last / 2)];
    } else root = nodeHash(root, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last ? null : root;
}

/** The right edge of a tree that grows: the hashes of its largest whole subtrees from the left. */
export class Edge {
  constructor(size = 0, hashes = []) {
    Object.assign(this, { size, hashes });
  }

  grown(leaf) {
    const hashes = [...this.hashes];
    let hash = leaf;
    for (let { size } = this; size % 2; size = Math.floor(size / 2)) hash = nodeHash(hashes.pop(), hash);
    return new Edge(this.size + 1, [...hashes, hash]);
  }

  get root() {
    if (!this.size) return sha256(new Uint8Array());
    return this.hashes.reduceRight((root, left) => nodeHash(left, root));
  }
}

/** Returns whether a row of hashes shows that one tree, of one leaf at least, begins another. */
export function hasGrown(path, small, smallRoot, size, root) {
  if (small <= 0 || small > size) return false;
  if (small === size) return !path.length && hex(smallRoot) === hex(root);
  let [at, last] = [small - 1, size - 1];
  while (at % 2) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  const [first, ...rest] = at ? path : [smallRoot, ...path];
  if (!first) return false;
  let [before, after] = [first, first];
  for (const sibling of rest) {
    if (!last) return false;
    if (at % 2 || at === last) {
      [before, after] = [nodeHash(sibling, before), nodeHash(sibling, after)];
      while (at % 2 === 0 && at) [at, last] = [at / 2, Math.floor(last / 2)];
    } else after = nodeHash(after, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return !last && hex(before) === hex(smallRoot) && hex(after) === hex(root);
}

// -- heads: the forms stand in `station/record/heads.py` ---------------------------------------------

export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
export const unbase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const HEAD =
  /^(loto-station\/[0-9a-f]{16}\/night-([0-9]{4,}))\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n\n\u2014 \1 ([A-Za-z0-9+/]{91}=)\n$/;

export const originOf = (key, night) => `loto-station/${key.slice(0, 16)}/night-${String(night).padStart(4, "0")}`;

/** Returns the four bytes that tell a public key, 64 hex digits, apart from others of its name. */
const keyId = (name, key) =>
  sha256(joined(bytesOf(name), Uint8Array.of(10, 1), fromHex(key))).slice(0, 4);

/** Returns the hash of an entry, a line's bytes without its signature, in the tree of its night. */
export function entryHash(entry) {
  return leafHash(entry.length > 65535 ? bytesOf(hex(sha256(entry))) : entry);
}

/** Returns a head as text; the signature has 64 bytes. */
export function headNote(key, night, { size, root }, signature) {
  const origin = originOf(key, night);
  const signed = base64(joined(keyId(origin, key), signature));
  return `${origin}\n${size}\n${base64(root)}\n\n\u2014 ${origin} ${signed}\n`;
}

/** Reads the head of a night's tree; null if it is none. Whether it is signed is asked apart. */
export function readHead(text) {
  const found = HEAD.exec(text);
  if (!found) return null;
  const [, origin, night, size, root, signature] = found;
  const head = { text, origin, night: Number(night), size: Number(size) };
  Object.assign(head, { root: unbase64(root), signature: unbase64(signature) });
  return base64(head.root) === root && base64(head.signature) === signature ? head : null;
}

/** Reads heads that follow one another, as bytes; null where anything else is there. */
export function readHeads(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  const heads = (text.match(/(?:[^\n]*\n){5}/g) ?? []).map(readHead);
  const whole = heads.every(Boolean) && heads.map((head) => head.text).join("") === text;
  return whole ? heads : null;
}

/** Returns whether a public key, 64 hex digits, has signed a head. */
export function signedHead(head, key) {
  const [id, signature] = [head.signature.slice(0, 4), head.signature.slice(4)];
  if (head.origin !== originOf(key, head.night) || hex(keyId(head.origin, key)) !== hex(id)) return false;
  const text = bytesOf(head.text.slice(0, head.text.indexOf("\n\n") + 1));
  return signedBy(fromHex(key), text, signature);
}

// -- codes of heads: the form stands in `station/record/coded.py` ------------------------------------

const CODE = /^(?:[^#]*#)?([0-9]{300,420})(?:\/(.*))?$/s;
// form, key, night, game, number of lines, root, signature: how many bytes each has
const CODED = [1, 32, 4, 2, 4, 32, 64];

/** The digits of a head's code; the game and the root of its bag are not known to whoever keeps a head alone. */
export function headDigits(head, key) {
  const bytes = joined(Uint8Array.of(1), fromHex(key), numbered(4, head.night), numbered(2, 0), numbered(4, head.size), head.root, head.signature.slice(4));
  return BigInt(`0x${hex(bytes)}`).toString();
}

/**
 * Reads what a head's code says, or its address; null if it is none. Whether it is signed is asked apart.
 *
 * Returns `head`, the `key` that signed it, `game` (0: not told), the root of its `bag` and the text of a `receipt`; empty where there is none.
 */
export function readCode(text) {
  const found = CODE.exec(text.trim());
  if (!found) return null;
  const digits = BigInt(found[1]).toString(16);
  const bytes = fromHex(digits.length % 2 ? `0${digits}` : digits);
  const size = CODED.reduce((sum, part) => sum + part);
  if (bytes.length !== size + (bytes[0] === 2 ? 32 : 0) || ![1, 2].includes(bytes[0])) return null;
  let at = 0;
  const [, key, night, game, lines, root, signature] = CODED.map((part) => hex(bytes.slice(at, (at += part))));
  const [of, many] = [night, lines].map((part) => Number.parseInt(part, 16));
  const head = readHead(headNote(key, of, { size: many, root: fromHex(root) }, fromHex(signature)));
  return head && { head, key, game: Number.parseInt(game, 16), bag: hex(bytes.slice(size)), receipt: found[2] ?? "" };
}
