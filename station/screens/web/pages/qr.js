// QR codes (ISO/IEC 18004), drawn by the page itself, so that the page kept as a file has them, too: error correction L,
// long rows of digits packed as such.

import { make } from "./line.js";

const SVG = "http://www.w3.org/2000/svg";
export const QUIET = 4; // modules that stay white around it
const LARGEST = 20; // the largest version that is drawn
// of level L, by version from 1: how many bytes of correction a block has, and how many blocks there are
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];
const LEVEL_L = 1;
const [BYTES, DIGITS] = [4, 1]; // how a part is packed

const MASKS = [
  (row, column) => (row + column) % 2,
  (row) => row % 2,
  (row, column) => column % 3,
  (row, column) => (row + column) % 3,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2,
  (row, column) => ((row * column) % 2) + ((row * column) % 3),
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2,
];

// -- what stands in it ------------------------------------------------------------------------------

const bits = (number, size) => Array.from({ length: size }, (_, at) => (number >> (size - 1 - at)) & 1);

/** How many bits say how long a part is. */
const lengthBits = (mode, version) => (mode === DIGITS ? (version < 10 ? 10 : 12) : version < 10 ? 8 : 16);

function packed(text, version) {
  const told = text.split(/([0-9]{20,})/).filter(Boolean).map((part) => {
    if (/^[0-9]{20,}$/.test(part)) {
      const threes = part.match(/.{1,3}/g).flatMap((few) => bits(Number(few), 3 * few.length + 1));
      return [bits(DIGITS, 4), bits(part.length, lengthBits(DIGITS, version)), threes];
    }
    const bytes = [...new TextEncoder().encode(part)];
    return [bits(BYTES, 4), bits(bytes.length, lengthBits(BYTES, version)), bytes.flatMap((byte) => bits(byte, 8))];
  });
  return told.flat(2);
}

/** How many bytes a symbol has in all. */
function capacity(version) {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const crosses = Math.floor(version / 7) + 2;
    modules -= (25 * crosses - 10) * crosses - 55 + (version >= 7 ? 36 : 0);
  }
  return Math.floor(modules / 8);
}

/** The bytes of a text in the smallest version that has room; throws where none has. */
function contents(text) {
  for (let version = 1; version <= LARGEST; version += 1) {
    const room = 8 * (capacity(version) - CORRECTION[version - 1] * BLOCKS[version - 1]);
    const told = packed(text, version);
    if (told.length > room) continue;
    told.push(...bits(0, Math.min(4, room - told.length)));
    told.push(...bits(0, (8 - (told.length % 8)) % 8));
    for (let pad = 0xec; told.length < room; pad ^= 0xec ^ 0x11) told.push(...bits(pad, 8));
    const bytes = Array.from({ length: room / 8 }, (_, at) => Number.parseInt(told.slice(8 * at, 8 * at + 8).join(""), 2));
    return { version, bytes };
  }
  throw new RangeError("too long for a QR code");
}

// -- correction: Reed-Solomon over GF(256), x^8 + x^4 + x^3 + x^2 + 1 ---------------------------------

function multiplied(one, other) {
  let product = 0;
  for (let at = 7; at >= 0; at -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((other >> at) & 1) * one);
  }
  return product;
}

function generator(size) {
  const made = [...new Array(size - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < size; step += 1, root = multiplied(root, 2)) {
    for (let at = 0; at < size; at += 1) made[at] = multiplied(made[at], root) ^ (made[at + 1] ?? 0);
  }
  return made;
}

function corrected(data, divisor) {
  let rest = new Array(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest = [...rest.slice(1), 0].map((one, at) => one ^ multiplied(divisor[at], factor));
  }
  return rest;
}

/** Deals bytes to blocks, corrects each, and takes from them by turns. */
function dealt(bytes, version) {
  const [many, size] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const short = Math.floor(bytes.length / many);
  const longer = bytes.length % many; // so many blocks at the end have one byte more
  const divisor = generator(size);
  let at = 0;
  const blocks = Array.from({ length: many }, (_, block) => bytes.slice(at, (at += short + (block >= many - longer ? 1 : 0))));
  const byTurns = (all) => Array.from({ length: Math.max(...all.map((one) => one.length)) }, (_, place) => all.map((one) => one[place])).flat();
  return [...byTurns(blocks), ...byTurns(blocks.map((block) => corrected(block, divisor)))].filter((byte) => byte !== undefined);
}

// -- the picture ------------------------------------------------------------------------------------

function crossings(version, size) {
  if (version === 1) return [];
  const many = Math.floor(version / 7) + 2;
  const step = Math.ceil((4 * version + 4) / (2 * many - 2)) * 2;
  return [6, ...Array.from({ length: many - 1 }, (_, at) => size - 7 - step * (many - 2 - at))];
}

/** What a number has left when it is divided by another, bit by bit; both stand in its bits. */
function remainder(number, divisor, size) {
  let rest = number;
  for (let at = 0; at < size; at += 1) rest = (rest << 1) ^ ((rest >> (size - 1)) * divisor);
  return (number << size) | rest;
}

class Drawing {
  constructor(version) {
    this.size = 4 * version + 17;
    this.dark = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.fixed = this.dark.map((row) => [...row]);
    this.#patterns(version);
  }

  set(row, column, dark) {
    this.dark[row][column] = Boolean(dark);
    this.fixed[row][column] = true;
  }

  #patterns(version) {
    const { size } = this;
    for (let at = 0; at < size; at += 1) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
    for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) this.#square(row, column, 4, [2, 4]);
    const places = crossings(version, size);
    const last = places.length - 1;
    for (const [down, row] of places.entries()) {
      for (const [right, column] of places.entries()) {
        const corner = (down === 0 && right === 0) || (down === 0 && right === last) || (down === last && right === 0);
        if (!corner) this.#square(row, column, 2, [1]);
      }
    }
    this.format(0);
    if (version < 7) return;
    const told = remainder(version, 0x1f25, 12);
    for (let at = 0; at < 18; at += 1) {
      const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
      this.set(far, near, (told >> at) & 1);
      this.set(near, far, (told >> at) & 1);
    }
  }

  /** Rings around a place, dark but those so far from it. */
  #square(row, column, reach, light) {
    for (let down = -reach; down <= reach; down += 1) {
      for (let right = -reach; right <= reach; right += 1) {
        const [y, x] = [row + down, column + right];
        if (y >= 0 && x >= 0 && y < this.size && x < this.size) this.set(y, x, !light.includes(Math.max(Math.abs(down), Math.abs(right))));
      }
    }
  }

  /** Which mask it has, and how much is corrected: twice. */
  format(mask) {
    const { size } = this;
    const told = remainder((LEVEL_L << 3) | mask, 0x537, 10) ^ 0x5412;
    for (let at = 0; at < 15; at += 1) {
      const dark = (told >> at) & 1;
      const along = at < 6 ? at : at < 8 ? at + 1 : size - 15 + at;
      const back = at < 8 ? size - 1 - at : at < 9 ? 15 - at : 14 - at;
      this.set(along, 8, dark);
      this.set(8, back, dark);
    }
    this.set(size - 8, 8, true);
  }

  /** Writes bytes in pairs of columns, from the right, up and down by turns. */
  fill(bytes) {
    let at = 0;
    for (let right = this.size - 1, up = true; right > 0; right -= 2, up = !up) {
      if (right === 6) right -= 1;
      for (let step = 0; step < this.size; step += 1) {
        const row = up ? this.size - 1 - step : step;
        for (const column of [right, right - 1]) {
          if (this.fixed[row][column]) continue;
          this.dark[row][column] = Boolean(((bytes[at >> 3] ?? 0) >> (7 - (at % 8))) & 1);
          at += 1;
        }
      }
    }
  }

  masked(mask) {
    const other = Object.assign(Object.create(Drawing.prototype), this);
    other.dark = this.dark.map((row, down) => row.map((dark, right) => (this.fixed[down][right] ? dark : dark !== (MASKS[mask](down, right) === 0))));
    other.format(mask);
    return other;
  }

  /** How hard it is to read: long runs, squares, what looks like a corner, too much of one colour. */
  get penalty() {
    const lines = [...this.dark, ...this.dark.map((_, column) => this.dark.map((row) => row[column]))];
    const texts = lines.map((line) => line.map(Number).join(""));
    const runs = texts.flatMap((text) => text.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
    const corners = texts.reduce((sum, text) => sum + (text.match(/(?=00001011101|10111010000)/g) ?? []).length, 0);
    let squares = 0;
    let dark = 0;
    for (let row = 0; row < this.size; row += 1) {
      for (let column = 0; column < this.size; column += 1) {
        dark += this.dark[row][column];
        const four = [[0, 1], [1, 0], [1, 1]].map(([down, right]) => this.dark[row + down]?.[column + right]);
        squares += four.every((one) => one === this.dark[row][column]);
      }
    }
    return runs + 3 * squares + 40 * corners + 10 * Math.floor(Math.abs((20 * dark) / this.size ** 2 - 10));
  }
}

/** The modules of a text's code, row by row, true for a dark one; throws where it is too long. */
export function qrRows(text) {
  const { version, bytes } = contents(text);
  const drawing = new Drawing(version);
  drawing.fill(dealt(bytes, version));
  const tried = MASKS.map((_, mask) => drawing.masked(mask));
  const penalties = tried.map((one) => one.penalty);
  return tried[penalties.indexOf(Math.min(...penalties))].dark;
}

/** A picture of a text's code, with the white that belongs around it; `label` says what it is. */
export function drawCode(text, label) {
  const rows = qrRows(text);
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) =>
    [...row.map(Number).join("").matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`));
  const picture = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" })) {
    picture.setAttribute(name, value);
  }
  for (const [tag, attributes] of [["rect", { width: size, height: size, fill: "#fff" }], ["path", { d: path.join(""), fill: "#000" }]]) {
    const part = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
    picture.append(part);
  }
  return make("figure", { class: "qr", "data-code": text }, picture);
}
