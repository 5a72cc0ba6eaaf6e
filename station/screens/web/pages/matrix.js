// The LED board: exactly the pixels that the board's own bytes make, as round LEDs in their colours, and the bars of its plate.

const PITCH = 16; // canvas pixels from LED to LED; the page scales the canvas
const BARRED = 8; // columns of a cavity whose plate has a bar before the last: without it two numbers are read as one
const CAVITY_ROWS = 16;
const EMPTY = Array(CAVITY_ROWS).fill(".".repeat(80)); // before the first news

/** One LED, drawn once: 1280 copies of a picture are quicker than 1280 gradients. */
function led(stops, radius) {
  const size = PITCH * 2;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  const gradient = context.createRadialGradient(PITCH, PITCH, 0, PITCH, PITCH, radius);
  for (const [at, colour] of stops) gradient.addColorStop(at, colour);
  context.fillStyle = gradient;
  context.fillRect(0, 0, size, size);
  return canvas;
}

const HEART = [255, 240, 220]; // the colour in the middle of a lit LED

/** A share of a colour, "#rrggbb", and the rest of the LED's heart. */
function mixed(colour, share) {
  const parts = HEART.map((part, index) => Math.round(parseInt(colour.slice(1 + 2 * index, 3 + 2 * index), 16) * share + part * (1 - share)));
  return `rgb(${parts.join(",")})`;
}

const glow = (colour) => led([[0, `${colour}8c`], [0.5, `${colour}2e`], [1, `${colour}00`]], PITCH);
const lit = (colour) =>
  led([[0, mixed(colour, 0.3)], [0.35, mixed(colour, 0.75)], [0.75, colour], [0.98, colour], [1, `${colour}00`]], PITCH * 0.4);
const DARK = [[0, "#47211c"], [0.9, "#2d1512"], [1, "rgba(45,21,18,0)"]];

export class Matrix {
  #canvas;
  #context;
  #dark = led(DARK, PITCH * 0.34);
  #sprites = new Map(); // by colour

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.show(EMPTY, {});
  }

  /** Draws a picture: strings of signs, row by row, `.` for dark; `colours` has a CSS colour for each other sign. */
  show(picture, colours) {
    const context = this.#context;
    const [columns, rows] = [picture[0].length, picture.length];
    const cavity = columns / (rows > CAVITY_ROWS ? 5 : 10);
    const [width, height] = [columns * PITCH, rows * PITCH];
    if (this.#canvas.width !== width || this.#canvas.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#canvas.style.aspectRatio = `${width} / ${height}`;
    }
    context.fillStyle = "#120a09";
    context.fillRect(0, 0, width, height);
    const each = (draw) => picture.forEach((signs, row) => [...signs].forEach((sign, column) => draw(sign, (column - 0.5) * PITCH, (row - 0.5) * PITCH)));
    each((sign, x, y) => sign === "." && context.drawImage(this.#dark, x, y));
    each((sign, x, y) => sign !== "." && context.drawImage(this.#sprite(colours[sign]).glow, x, y));
    each((sign, x, y) => sign !== "." && context.drawImage(this.#sprite(colours[sign]).lit, x, y));
    context.fillStyle = "#7a4a24";
    if (cavity === BARRED) for (let column = cavity; column < columns; column += cavity) context.fillRect((column - 1) * PITCH, 0, PITCH, height);
  }

  #sprite(colour) {
    if (!this.#sprites.has(colour)) this.#sprites.set(colour, { glow: glow(colour), lit: lit(colour) });
    return this.#sprites.get(colour);
  }
}
