// What people typed is text: signs for characters that nobody would see. The same table as in station/base/typed.py; a test compares them.

const MOST_MARKS = 4; // accents over one letter
const PLAIN = /^[ -~]*$/;
const MARK = /[\p{Mn}\p{Me}]/u;
// Controls, but for ends of lines and tabs (a page makes blanks of them), halves of characters, what turns text round, what has no width.
const FOUL = new RegExp(
  "[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e" +
    "\\u2060-\\u206f\\u2800\\u3164\\ud800-\\udfff\\ue000-\\uf8ff\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\u{13430}-\\u{13440}" +
    "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\u{f0000}-\\u{10ffff}]",
  "u",
);
const JOINERS = "\u200c\u200d";
const SELECTORS = "\ufe0e\ufe0f";
// Scripts in which letters are joined, and what emoji are put together from.
const JOINED = new RegExp(
  "[\\u0600-\\u08ff\\u0900-\\u0dff\\u1000-\\u109f\\u1780-\\u17ff\\u1800-\\u18af\\u2190-\\u21ff\\u2600-\\u27bf\\u2b00-\\u2bff" +
    "\\ufb50-\\ufdff\\ufe0f\\ufe70-\\ufefc\\u{1f000}-\\u{1faff}]",
  "u",
);
const sign = (letter) => `«U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}»`;

/** The text with a sign for each character that could not be seen for what it is: `neB«U+202E»`. */
export function shown(text) {
  if (PLAIN.test(text)) return text;
  const letters = [...text];
  let marks = 0;
  return letters
    .map((letter, place) => {
      marks = MARK.test(letter) ? marks + 1 : 0;
      return isFoul(letter, letters[place - 1] ?? "", letters[place + 1] ?? "", marks) ? sign(letter) : letter;
    })
    .join("");
}

function isFoul(letter, before, after, marks) {
  if (JOINERS.includes(letter)) return !(JOINED.test(before) && JOINED.test(after));
  if (SELECTORS.includes(letter)) return !((before || letter) >= "\u2000" || after === "\u20e3");
  return marks > MOST_MARKS || FOUL.test(letter);
}
