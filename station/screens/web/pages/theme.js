// Picture Loto: what stands in the place of a number. Without a theme that is the number itself.

import { make } from "./line.js";

const pad = (number) => String(number).padStart(2, "0");

/** Where a number's picture is. */
export const picture = (number, theme) => `/theme/${encodeURIComponent(theme.key)}/${pad(number)}.png`;

/** What a number is called. */
export const word = (number, theme) => theme.words[number - 1];

/** Whether a number has a picture to show; a blank word is one that may not be seen yet. */
export const isPictured = (number, theme) => Boolean(theme && word(number, theme));

/** What a place shows of a number: with a theme its picture, its word if there is room for it, and the number, small. */
export function symbol(number, theme, { words = true } = {}) {
  if (!isPictured(number, theme)) return [String(number)];
  return [
    make("span", { class: words ? "symbol worded" : "symbol" },
      make("img", { src: picture(number, theme), alt: word(number, theme), draggable: "false" }),
      ...(words ? [make("b", {}, word(number, theme))] : []),
      make("small", {}, String(number))),
  ];
}
