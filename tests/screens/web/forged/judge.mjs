// The page's judge at a terminal: a line of JSON comes in, with `what` is to be judged, bytes in base64; a line with
// what is wrong goes out, null where nothing is.
import { createInterface } from "node:readline";

const from = (name) => import(`${process.argv[2]}/${name}.js`);
const [{ unlike, verify }, { judged, judgedCode, receiptFound }] = [await from("verifying"), await from("checking")];
const { readGame, readOpening, readRelease, receiptWrong } = await from("auditing");
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const unpacked = (files) => Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)]));

/** What a telephone says of a receipt and the game that the station tells it. */
function onPhone(text, proof) {
  const told = judgedCode(text, []);
  if (told.fault) return told.fault.why;
  const game = judged(proof, []);
  if (game.fault) return game.fault.why;
  const found = told.receipt ? receiptFound(told.receipt, game) : "code";
  return ["good", "ticket"].includes(found) ? null : found;
}

function failing(work) {
  try {
    work();
    return null;
  } catch (error) {
    return error.message;
  }
}

const JUDGES = {
  nights({ nights, keys, kept }) {
    const read = nights.map(unpacked);
    const { nights: found, fault } = verify(read, keys);
    return fault ?? unlike(found, kept, keys);
  },
  proof: ({ text, keys, kept }) => judged(text, kept, keys).fault,
  receipt: ({ text, proof, files, keys }) => ({ phone: onPhone(text, proof), record: receiptWrong(text, unpacked(files), keys) }),
  game: ({ game }) => failing(() => readGame(bytes(game))),
  opening: ({ game, file }) => failing(() => readOpening(bytes(file), readGame(bytes(game)))),
  release: ({ game, file }) => failing(() => readRelease(bytes(file), readGame(bytes(game)))),
};

process.stdout.on("error", () => process.exit()); // nobody listens any more
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(JUDGES[asked.what](asked))}\n`);
}
