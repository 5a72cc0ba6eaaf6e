// A second judge of what leaves the record as files and on paper, beside `station/record/sealed_games.py` and
// `loto report check`: a sealed game, a hall's opening of it, its organiser's keys, a receipt. Pure.

import { cardIn, readReceipt } from "./checking.js";
import { bytesOf, Edge, fromHex, hex, lineHash, readCode, signedBy, signedHead } from "./proving.js";
import { Canonical, isObject, readPoint, SealedGame, splitLines, unsealed, without } from "./verifying.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the one line of a file; throws where it is written in any other way. */
function readFile(bytes) {
  const text = decoder.decode(bytes);
  if (!text.endsWith("\n")) throw new Error("it has no end");
  const reader = new Canonical(text.slice(0, -1));
  return { reader, value: reader.whole() };
}

/** Reads a sealed game's file; throws where it is not what its organiser signed. */
export function readGame(bytes) {
  return new SealedGame(readFile(bytes).value);
}

/** Reads what a hall sends when it has opened a sealed game: its line and the signature. Throws where it is none, or not of this game. */
export function readOpening(bytes, game) {
  const lines = splitLines(bytes);
  if (lines.length !== 2) throw new Error("no opening");
  const raw = lines[0].subarray(0, -1);
  const { seq, prev } = JSON.parse(decoder.decode(raw));
  const line = unsealed(raw, { seq: seq - 1, sum: prev });
  const point = readPoint(lines[1]);
  if (line.do.act !== "open") throw new Error("no opening");
  game.mustOpen(line.do, line.at.wall);
  if (point.seq !== line.seq || point.sum !== line.sum) throw new Error("not signed");
  if (game.halls && !game.halls.match(/.{64}/g).includes(point.key)) throw new Error("for other halls");
  return point;
}

/** Reads the keys that an organiser gave out for a game; throws where they are not his, or one opens nothing. */
export function readRelease(bytes, game) {
  const { reader, value } = readFile(bytes);
  if (!isObject(value) || Object.keys(value).join() !== "keys,openings,sealed,signature") throw new Error("no keys");
  const { keys, sealed, signature } = value;
  if (sealed !== game.digest || !/^([0-9a-f]{32})*$/.test(keys) || !/^[0-9a-f]{128}$/.test(signature)) throw new Error("no keys");
  const message = bytesOf(`loto-station sealed keys 1\n${without(reader, "signature")}`);
  if (!signedBy(fromHex(game.station), message, fromHex(signature))) throw new Error("not signed");
  if (keys) game.mustTake({ first: 1, keys });
  return value;
}

/** Returns the wins of a night that stand at its end, from its lines: the game, the card, and what a receipt says of them. */
function winsIn(lines) {
  const wins = [];
  const game = { number: 0, called: [], pack: "", tickets: {} };
  for (const { do: done, then } of lines) {
    if (done.act === "open") Object.assign(game, { number: game.number + 1, called: [], pack: then.opening.pack, tickets: {} });
    else if (done.act === "skip") Object.assign(game, { number: game.number + 1, called: [], tickets: {} });
    else if (then.ticket) game.tickets[then.ticket] ??= done.numbers;
    else if (done.act === "draw") game.called.push({ number: done.number });
    else if (done.act === "undo") game.called.pop();
    const lost = done.act === "lots" ? [] : (then.lost ?? []); // whose lot lost has won all the same
    for (const [stage, serial] of lost) {
      wins.splice(wins.findIndex((win) => win.game === game.number && win.stage === stage && win.serial === serial), 1);
    }
    for (const [stage, serial] of then.won ?? []) {
      wins.push({ ...game, called: [...game.called], game: game.number, stage, serial, digest: then.digest });
    }
  }
  return wins;
}

const numbersOf = (called) => called.map(({ number }) => number).join();

/**
 * Returns a word for what is wrong with a receipt's code beside the record of its night, which was verified; null where nothing is.
 *
 * `journal` and `pack` are the night's files as bytes, `keys` the public keys that may have signed.
 */
export function receiptWrong(text, { journal, pack }, keys) {
  const told = readCode(text);
  const receipt = told && readReceipt(told);
  if (!receipt) return "code";
  if (!receipt.fits) return "other";
  const { head, key } = told;
  if (!keys.includes(key) || !signedHead(head, key)) return "head";
  const raw = splitLines(journal).map((line) => line.subarray(0, -1));
  const edge = raw.slice(0, head.size).reduce((one, line) => one.grown(lineHash(line)), new Edge());
  if (edge.size !== head.size || hex(edge.root) !== hex(head.root)) return "split";
  const lines = raw.map((line) => JSON.parse(decoder.decode(line)));
  const { night, seq, sum } = receipt.end;
  if (night !== receipt.night || lines[0].do.night !== night || lines[seq - 1]?.sum !== sum) return "end";
  const of = winsIn(lines).filter((win) => win.game === receipt.game && win.serial.toUpperCase() === receipt.serial.toUpperCase());
  const won = of.find((win) => win.digest === receipt.digest && win.called.length === receipt.calls);
  if (!won) return "not-won";
  if (numbersOf(won.called) !== receipt.called.join()) return "called";
  const card = cardIn(pack, won.serial, won);
  const numbers = card.fault ? won.tickets[won.serial] : card.rows.flatMap((row) => row.numbers);
  return numbers?.join() === receipt.numbers.join() ? null : "card";
}
