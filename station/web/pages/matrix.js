// The LED board: exactly the pixels that the matrix's own bytes make, as round red LEDs.

const COLUMNS = 80;
const ROWS = 16;
const PITCH = 16; // canvas pixels from LED to LED; the page scales the canvas
const CAVITY = 8; // columns to a cavity
const WALL = 12; // canvas pixels of wood between two cavities
const WIDTH = COLUMNS * PITCH + (COLUMNS / CAVITY - 1) * WALL;

/** One LED, drawn once: 1280 copies of a picture are quicker than 1280 gradients. */
function led(stops, radius) {
  const size = PITCH * 2;
  const canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext("2d");
  const gradient = context.createRadialGradient(PITCH, PITCH, 0, PITCH, PITCH, radius);
  for (const [at, colour] of stops) gradient.addColorStop(at, colour);
  context.fillStyle = gradient;
  context.fillRect(0, 0, size, size);
  return canvas;
}

const GLOW = [[0, "rgba(255,60,30,0.55)"], [0.5, "rgba(255,40,20,0.18)"], [1, "rgba(255,30,10,0)"]];
const LIT = [[0, "#fff0dc"], [0.35, "#ff8a66"], [0.75, "#ff3a22"], [0.98, "#e02010"], [1, "rgba(224,32,16,0)"]];
const DARK = [[0, "#47211c"], [0.9, "#2d1512"], [1, "rgba(45,21,18,0)"]];

export class Matrix {
  #context;
  #glow = led(GLOW, PITCH);
  #lit = led(LIT, PITCH * 0.4);
  #dark = led(DARK, PITCH * 0.34);

  constructor(canvas) {
    canvas.width = WIDTH;
    canvas.height = ROWS * PITCH;
    this.#context = canvas.getContext("2d");
    this.show([]);
  }

  /** Draws a picture: 16 strings of 80 characters, `#` for lit. */
  show(picture) {
    const context = this.#context;
    context.fillStyle = "#120a09";
    context.fillRect(0, 0, WIDTH, ROWS * PITCH);
    const left = (column) => column * PITCH + Math.floor(column / CAVITY) * WALL;
    const stamp = (sprite, column, row) => context.drawImage(sprite, left(column) - PITCH / 2, (row - 0.5) * PITCH);
    const each = (wanted, sprite) => {
      for (let row = 0; row < ROWS; row++) {
        for (let column = 0; column < COLUMNS; column++) {
          if ((picture[row]?.[column] === "#") === wanted) stamp(sprite, column, row);
        }
      }
    };
    each(false, this.#dark);
    each(true, this.#glow);
    each(true, this.#lit);
    context.fillStyle = "#7a4a24";
    for (let column = CAVITY; column < COLUMNS; column += CAVITY) context.fillRect(left(column) - WALL + 3, 0, WALL - 6, ROWS * PITCH);
  }
}
