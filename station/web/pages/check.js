// What a phone checks of a game, in its own JavaScript: the same on the station's page and in the file that was kept.

import { cardIn, judged } from "./checking.js";
import { heads, keepHead } from "./heads.js";
import { fill, make, setText } from "./line.js";
import { readHead } from "./proving.js";

const $ = (id) => document.getElementById(id);

const groups = (text, size) => text.match(new RegExp(`.{1,${size}}`, "g")).join(" ");

/** Makes the page work, with its words; `load` gives the text of a game from the station, where there is one. */
export function begin(words, load = null) {
  let good = null;

  const told = (lines) => lines.map((line) => make("li", {}, line));

  function fault({ why, line }) {
    const at = line ? ` ${fill(words["bad-line"], { line: String(line) })}` : "";
    $("verdict").className = "done bad";
    setText($("verdict"), `${words.bad} ${words[`bad-${why}`]}${at}`);
  }

  function facts({ night, game, lines, called, epochs, claims, sealed, key, head }) {
    const proven = called.filter((one) => one.proven).length;
    const numbers = { night, game, lines, size: readHead(head).size, proven, calls: called.length, epochs };
    const put = (name) => fill(words[name], numbers);
    const rows = [put("is-lines"), put("is-drawn")];
    if (proven < called.length) rows.push(words["is-by-hand"]);
    if (epochs > 1) rows.push(put("is-epochs"));
    rows.push(`${words["is-called"]} ${called.map((one) => one.number).join(", ") || "–"}`);
    for (const { serial, verdict, calls, line } of claims) {
      rows.push(fill(words[verdict === "valid" ? "is-won" : "is-claimed"], { serial, calls, line }));
    }
    if (sealed) rows.push(fill(words["is-sealed"], { name: sealed.name, key: groups(sealed.organiser, 8) }));
    rows.push(`${words["is-key"]} ${groups(key, 8)}`);
    return rows;
  }

  function check(text) {
    const result = judged(text, heads());
    $("facts").replaceChildren();
    good = null;
    $("card-part").hidden = true;
    if (result.fault) return fault(result.fault);
    good = result;
    keepHead(result.head);
    showHeads();
    $("verdict").className = "done";
    setText($("verdict"), fill(words.good, { night: result.night, game: result.game }));
    $("facts").replaceChildren(...told(facts(result)));
    $("card-part").hidden = false;
    setText($("card-said"), "");
    return null;
  }

  function showHeads() {
    const kept = heads().map(readHead).filter(Boolean).reverse().slice(0, 20);
    const line = ({ night, size, root }) =>
      fill(words["head-line"], { night, size, root: groups(Array.from(root.slice(0, 10), (byte) => byte.toString(16).padStart(2, "0")).join(""), 4) });
    $("heads").replaceChildren(...told(kept.map(line)));
    $("heads-none").hidden = kept.length > 0;
  }

  async function card() {
    const [file] = $("pack").files;
    if (!file || !good) return setText($("card-said"), words["card-file"]);
    const found = cardIn(new Uint8Array(await file.arrayBuffer()), $("serial").value, good);
    if (found.fault) return setText($("card-said"), words[`card-not-${found.fault}`]);
    const rows = found.rows.map(({ numbers, calls }, at) =>
      fill(words[calls ? "card-row" : "card-open"], { row: at + 1, numbers: numbers.join(" "), calls }));
    return setText($("card-said"), [fill(words["card-is"], { serial: found.serial }), ...rows].join("\n"));
  }

  $("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    check($("text").value.trim());
  });
  $("file").addEventListener("change", async () => {
    const [file] = $("file").files;
    if (file) check(await file.text());
  });
  $("card").addEventListener("submit", (event) => {
    event.preventDefault();
    card();
  });
  if (load) {
    $("fetch").addEventListener("submit", async (event) => {
      event.preventDefault();
      $("verdict").className = "done";
      setText($("verdict"), words.wait);
      const { text, say } = await load($("game").value);
      if (say) {
        $("verdict").className = "done bad";
        setText($("verdict"), say);
      } else check(text);
    });
  }
  showHeads();
  document.body.dataset.ready = "yes";
}
