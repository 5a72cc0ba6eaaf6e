// A second judge of what leaves the record as files and on paper, beside `station/record/sealed_games.py` and
// `loto report check`: a sealed game, a hall's opening of it, its organiser's keys, a receipt. Pure.

import { cardIn, readReceipt } from "./checking.js";
import { bytesOf, entryHash, fromHex, hashesIn, hex, readCode, readHead } from "./proving.js";
import { rootBy, signedBy, signedHead, treeRoot } from "./proving.js";
import { Canonical, isObject, readEntry, readLine } from "./verifying.js";
import { SealedGame, splitLines, without } from "./verifying.js";

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

/**
 * Reads what a hall sends when it has opened a sealed game: its line, with the path to the signed
 * head that ends with it. Throws where it is none, or not of this game.
 */
export function readOpening(bytes, game) {
  const told = JSON.parse(decoder.decode(bytes));
  const named = isObject(told) && Object.keys(told).sort().join() === "entry,form,head,key,path";
  const texts = named && Object.values(told).every((value) => typeof value === "string");
  if (!texts || told.form !== "loto-station opening 1") throw new Error("no opening");
  const { entry, key, path } = told;
  const [line, head, hashes] = [readEntry(entry), readHead(told.head), hashesIn(path)];
  if (!/^[0-9a-f]{64}$/.test(key) || !head || !hashes || line.do.act !== "open") throw new Error("no opening");
  game.mustOpen(line.do, line.at.wall);
  const root = rootBy(hashes, entryHash(bytesOf(entry)), line.seq - 1, head.size);
  const same = head.size === line.seq && root && hex(root) === hex(head.root);
  if (!same || !signedHead(head, key)) throw new Error("not signed");
  if (game.halls && !game.halls.match(/.{64}/g).includes(key)) throw new Error("for other halls");
  return { key, head };
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
  const read = splitLines(journal).map((raw) => readLine(decoder.decode(raw.subarray(0, -1))));
  const [lines, leaves] = [read.map(({ line }) => line), read.map(({ entry }) => entryHash(entry))];
  const isRoot = (size, root) =>
    size > 0 && size <= leaves.length && hex(treeRoot(leaves.slice(0, size))) === root;
  if (!isRoot(head.size, hex(head.root))) return "split";
  const { night, seq, root } = receipt.end;
  if (night !== receipt.night || lines[0].do.night !== night || !isRoot(seq, root)) return "end";
  const of = winsIn(lines).filter((win) => win.game === receipt.game && win.serial.toUpperCase() === receipt.serial.toUpperCase());
  const won = of.find((win) => win.digest === receipt.digest && win.called.length === receipt.calls);
  if (!won) return "not-won";
  if (numbersOf(won.called) !== receipt.called.join()) return "called";
  const card = cardIn(pack, won.serial, won);
  const numbers = card.fault ? won.tickets[won.serial] : card.rows.flatMap((row) => row.numbers);
  return numbers?.join() === receipt.numbers.join() ? null : "card";
}
