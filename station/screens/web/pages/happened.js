// What just happened, in sentences: from one picture to the next, and from what the hands were answered.

import { fill } from "./line.js";

/** What the health page calls the devices, of its words: it has a name for each in the reader's language. */
export const deviceNames = (words) => Object.fromEntries(Object.entries(words).filter(([key]) => key.startsWith("item-")));

/** What a person calls the device of a sign; where it has no name, what its sign said was wrong. */
function nameOf({ device, text }, names) {
  const [kind, ...rest] = device.split("-");
  const name = names[`item-${kind}`];
  return name && rest.every((part) => /^[0-9]+$/.test(part)) ? [name, ...rest].join(" ") : text.split(": ")[0].replace(/[.।]$/, "");
}

/** Sentences for what changed from one board view to the next, oldest first. `kind` chooses their colour; `names` are of devices. */
export function viewChanges(before, after, words, names = {}) {
  const news = [];
  const add = (kind, key, values = {}) => news.push({ kind, text: fill(words[key], values) });
  if (before.phase !== after.phase) add("phase", `log-phase-${after.phase}`);
  const sameGame = before.game?.number === after.game?.number && before.night === after.night;
  const gone = before.called.filter((number) => !after.called.includes(number));
  // A new game has no calls yet; and a table whose board is cleared for the next drawing has taken nothing back.
  const cleared = after.table && gone.length > 1;
  for (const number of sameGame && !cleared ? gone : []) add("back", "log-taken-back", { number });
  for (const number of after.called.filter((number) => !before.called.includes(number))) add("call", "log-called", { number });
  if (after.claim && JSON.stringify(after.claim) !== JSON.stringify(before.claim)) add("claim", "log-checked", after.claim);
  const known = (wins, win) => wins.some(({ key, serial }) => key === win.key && serial === win.serial);
  for (const win of after.wins.filter((win) => !known(before.wins, win))) {
    add("win", "log-won", { who: win.holder ?? win.label, stage: win.stage, prize: win.prize.text });
  }
  const shown = (signs, sign) => signs.some(({ text }) => text === sign.text);
  for (const sign of after.signs.filter((sign) => !shown(before.signs, sign))) add("trouble", "log-sign", sign);
  for (const sign of before.signs.filter(({ device }) => !after.signs.some((other) => other.device === device))) add("back", "log-sign-gone", { device: nameOf(sign, names) });
  if (after.say && after.say.text && after.say.token !== before.say?.token) add("voice", "log-said", after.say);
  else if (after.notice && after.notice !== before.notice) news.push({ kind: "phase", text: sentence(after.notice) });
  return news;
}

/** Sentences for what changed before the machine, where nobody did it by hand; and why a press did nothing. */
export function benchChanges(before, after, words) {
  const news = after.refused.count === before.refused.count ? [] : refusalNews(after);
  if (before.voice.alive === after.voice.alive) return news;
  return [...news, { kind: after.voice.alive ? "back" : "trouble", text: words[after.voice.alive ? "log-voice-back" : "log-voice-gone"] }];
}

/** Why a hand could not do it. What it did shows in the views. */
export function refusalNews({ refused }) {
  if (!refused) return [];
  return [{ kind: "refused", text: sentence(refused.say) }];
}

/** Reasons come as they follow a colon; here they stand alone. */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a hand does, told before what follows from it. */
export function handNews(request, words) {
  const text = words[`log-you-${request.hand}${request.card || request.cards ? "-card" : ""}`];
  if (!text) return [];
  const button = words[`button-${request.button}`] ?? request.button;
  return [{ kind: "you", text: fill(text, { ...request, button, knobs: (request.knobs ?? request.cards)?.join(" + ") }) }];
}

/**
 * What to do next, for somebody who sees this for the first time. Nothing while the bench is behind the board, or its cards are
 * being looked at: nobody is told to go on before it is known whether somebody has won.
 */
export function coach(view, bench, stale, words) {
  if (stale && view?.say?.clips.includes("switching-off")) return words["coach-off"];
  if (stale || !view) return words["coach-away"];
  if (view.phase === "halted") return words["coach-halted"];
  if (!view.table && ["playing", "stopped"].includes(view.phase)) {
    if (!bench || bench.seq < view.seq || !bench.winners) return null;
    const [winner] = bench.winners;
    if (winner) return fill(words[winner.holder ? "coach-claim" : "coach-claim-nobody"], winner);
  }
  switch (view.phase) {
    case "stopped":
      return words["coach-stopped"];
    case "playing": {
      if (view.table) {
        const racing = bench?.table?.racing && view.press === "draw" && view.called.length;
        const { text } = view.table;
        return fill(words[racing ? "coach-table-race" : `coach-table-${view.press}`] ?? text, { text });
      }
      if (!view.stage) return words["coach-won"];
      if (view.called.length === 90) return words["coach-empty"];
      if (view.called.length === 0) return words["coach-first"];
      if (view.called.length < 3) return words["coach-second"];
      return fill(words["coach-playing"], { stage: view.open.length > 1 ? words["coach-any"] : view.stage.name.toLowerCase() });
    }
    case "closed":
      return words["coach-closed"];
    default:
      if (!view.coming.length && !bench?.table?.coming) return words["coach-all-played"];
      return words[bench?.table?.coming ? (bench.table.company ? "coach-table-open" : "coach-table-sit") : "coach-between"];
  }
}
