// What a phone checks of a game, in its own JavaScript: the same on the station's page and in the file that was kept.

import { besides, cardIn, grownWrong, judged, judgedCode, receiptFound } from "./checking.js";
import { headKey, heads, keepHead } from "./heads.js";
import { fill, make, setText } from "./line.js";
import { headDigits, originOf, readCode, readHead } from "./proving.js";
import { drawCode } from "./qr.js";

const $ = (id) => document.getElementById(id);

const groups = (text, size) => text.match(new RegExp(`.{1,${size}}`, "g")).join(" ");

/** Makes the page work, with its words; `load` gives the text of a game from the station, `grow` the path from one of its heads to another, where there is one. */
export function begin(words, load = null, grow = null) {
  let good = null;
  let receipt = null;

  const told = (lines) => lines.map((line) => make("li", {}, line));

  function clear() {
    good = null;
    $("facts").replaceChildren();
    $("card-part").hidden = true;
    $("evidence").hidden = true;
    setText($("receipt-said"), "");
  }

  function say(text, kind = "done") {
    $("verdict").className = kind;
    setText($("verdict"), text);
  }

  /** Says what is wrong; two heads that cannot both be true are there to be kept. */
  function fault({ why, line, heads: both }) {
    const at = line ? ` ${fill(words["bad-line"], { line: String(line) })}` : "";
    say(`${words.bad} ${words[`bad-${why}`]}${at}`, "done bad");
    $("evidence").hidden = !both?.length;
    if (both?.length) $("evidence-file").href = URL.createObjectURL(new Blob([both.join("\n")], { type: "text/plain" }));
  }

  /** What a stage is called: of "full-2" the second full house; a programme's own pattern has its own name. */
  function stageWord(stage) {
    const [, name, which] = /^(.*?)(-\d+)?$/.exec(stage);
    return `stage-${name}` in words ? words[`stage-${name}`] + (which ?? "").replace("-", " ") : stage;
  }

  function facts({ night, game, lines, called, epochs, claims, sealed, key, head }) {
    const proven = called.filter((one) => one.proven).length;
    const numbers = { night, game, lines, size: readHead(head).size, proven, calls: called.length, epochs };
    const put = (name) => fill(words[name], numbers);
    const rows = [put("is-lines"), put("is-drawn")];
    if (proven < called.length) rows.push(words["is-by-hand"]);
    if (epochs > 1) rows.push(put("is-epochs"));
    rows.push(`${words["is-called"]} ${called.map((one) => one.number).join(", ") || "–"}`);
    for (const claim of claims) {
      const stage = stageWord(claim.stage);
      rows.push(fill(words[claim.verdict === "valid" ? "is-won" : "is-claimed"], { ...claim, stage }));
    }
    if (sealed) rows.push(fill(words["is-sealed"], { name: sealed.name, key: groups(sealed.organiser, 8) }));
    rows.push(`${words["is-key"]} ${groups(key, 8)}`);
    return rows;
  }

  /** What is wrong between a head and those of its night that were kept: null where nothing is, `unknown` where nobody answers. */
  async function wrongBeside(pairs) {
    for (const pair of pairs) {
      const path = grow ? await grow(pair[0].night, pair[0].size, pair[1].size) : null;
      if (path === null) return { why: "unknown" };
      const wrong = path === "cut" ? { why: "cut", line: 0, heads: pair.map(({ text }) => text) } : grownWrong(pair, path);
      if (wrong) return wrong;
    }
    return null;
  }

  function keep(head, key) {
    keepHead(head, key);
    showHeads();
  }

  async function check(text) {
    if (readCode(text)) return compare(text);
    clear();
    const result = judged(text, heads());
    if (result.fault) return fault(result.fault);
    good = result;
    const pairs = besides(heads(), readHead(result.head));
    keep(result.head, result.key);
    say(fill(words.good, { night: result.night, game: result.game }));
    $("facts").replaceChildren(...told(facts(result)));
    $("card-part").hidden = false;
    setText($("card-said"), "");
    showReceipt();
    const wrong = await wrongBeside(pairs);
    return wrong && wrong.why !== "unknown" && good === result ? fault(wrong) : null;
  }

  /** Compares a head that another telephone, a screen or a paper shows with what this one has seen. */
  async function compare(text) {
    clear();
    const result = judgedCode(text, heads());
    if (result.fault) return fault(result.fault);
    const { head, key, game, bag } = result;
    const seen = heads().includes(head.text);
    const pairs = seen ? [] : besides(heads(), head);
    say(words.wait);
    $("verdict").scrollIntoView({ block: "center" }); // whoever comes from his camera sees this first
    const wrong = await wrongBeside(pairs);
    if (wrong && wrong.why !== "unknown") return fault(wrong);
    keep(head.text, key);
    const found = wrong ? "unknown" : seen ? "same" : pairs.length ? "grown" : "first";
    say(fill(words[`head-${found}`], head));
    const rows = [...(bag ? [fill(words["is-bag"], { game, root: groups(bag, 4) })] : []), `${words["is-key"]} ${groups(key, 8)}`];
    $("facts").replaceChildren(...told(rows));
    ({ receipt } = result);
    return receipt && load ? fetchGame(receipt.game) : showReceipt();
  }

  /** Says whether the receipt that was read is in the game that was checked. */
  function showReceipt() {
    if (!receipt) return;
    const found = good ? receiptFound(receipt, good) : "other";
    setText($("receipt-said"), fill(words[`receipt-${found}`], receipt));
    $("receipt-said").className = found === "good" || found === "ticket" ? "done" : "done bad";
    $("serial").value = receipt.serial;
  }

  async function fetchGame(game) {
    say(words.wait);
    const { text, say: refused } = await load(game);
    if (refused) say(refused, "done bad");
    else await check(text);
    if (!good) showReceipt();
  }

  function showCode() {
    const key = headKey();
    const own = heads().map(readHead).filter((head) => key && head?.origin === originOf(key, head.night));
    const newest = own.sort((one, other) => one.night - other.night || one.size - other.size).at(-1);
    $("compare").hidden = !newest;
    if (!newest) return;
    const page = location.protocol.startsWith("http") ? `${location.origin}${location.pathname}#` : "";
    $("code").replaceChildren(drawCode(page + headDigits(newest, key), words["compare-label"]));
  }

  function showHeads() {
    const kept = heads().map(readHead).filter(Boolean).reverse().slice(0, 20);
    const line = ({ night, size, root }) =>
      fill(words["head-line"], { night, size, root: groups(Array.from(root.slice(0, 10), (byte) => byte.toString(16).padStart(2, "0")).join(""), 4) });
    $("heads").replaceChildren(...told(kept.map(line)));
    $("heads-none").hidden = kept.length > 0;
    showCode();
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
  $("one-card").addEventListener("submit", (event) => {
    event.preventDefault();
    card();
  });
  if (load) {
    $("fetch").addEventListener("submit", async (event) => {
      event.preventDefault();
      receipt = null;
      clear(); // what is told of another game must not stand under a refusal
      await fetchGame($("game").value);
    });
  }
  const scanned = () => readCode(location.hash) && compare(location.hash);
  window.addEventListener("hashchange", scanned); // another one, in the same window
  showHeads();
  document.body.dataset.ready = "yes";
  window.pageIsReady?.();
  scanned();
}
