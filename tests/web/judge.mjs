// The page's judge at a terminal: a line of JSON with `keys`, heads that were `kept` and the `nights`'
// files in base64 comes
// in, a line with the fault goes out.
import { createInterface } from "node:readline";

const { unlike, verify } = await import(process.argv[2]);
const bytes = (text) => (text === null ? null : new Uint8Array(Buffer.from(text, "base64")));
for await (const asked of createInterface({ input: process.stdin })) {
  const { keys, kept, nights } = JSON.parse(asked);
  const read = nights.map(({ journal, checkpoints }) => ({
    journal: bytes(journal),
    checkpoints: bytes(checkpoints),
  }));
  const { heads, fault } = verify(read, keys);
  process.stdout.write(`${JSON.stringify(fault ?? unlike(read, heads, kept, keys))}\n`);
}
