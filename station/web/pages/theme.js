// Picture Loto: what stands in the place of a number. Without a theme that is the number itself.

import { make } from "./line.js";

const pad = (number) => String(number).padStart(2, "0");

/** Where a number's picture is. */
export const picture = (number, theme) => `/theme/${encodeURIComponent(theme.key)}/${pad(number)}.png`;

/** What a number is called. */
export const word = (number, theme) => theme.words[number - 1];

/** What a place shows of a number: with a theme its picture, its word if there is room for it, and the number, small. */
export function symbol(number, theme, { words = true } = {}) {
  if (!theme || !word(number, theme)) return [String(number)]; // a blank word: not to be seen yet
  return [
    make("span", { class: words ? "symbol worded" : "symbol" },
      make("img", { src: picture(number, theme), alt: word(number, theme), draggable: "false" }),
      ...(words ? [make("b", {}, word(number, theme))] : []),
      make("small", {}, String(number))),
  ];
}
