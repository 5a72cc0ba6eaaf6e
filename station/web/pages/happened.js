// What just happened, in sentences: from one picture to the next, and from what the hands were answered.

import { fill } from "./line.js";
import { winners } from "./tables.js";

/** Sentences for what changed from one board view to the next, oldest first. `kind` chooses their colour. */
export function viewChanges(before, after, words) {
  const news = [];
  const add = (kind, key, values = {}) => news.push({ kind, text: fill(words[key], values) });
  if (before.phase !== after.phase) add("phase", `log-phase-${after.phase}`);
  const lost = before.called.filter((number) => !after.called.includes(number));
  // Another game is not ninety corrections: within a game only the last call can be taken back.
  for (const number of lost.length === 1 ? lost : []) add("back", "log-taken-back", { number });
  for (const number of after.called.filter((number) => !before.called.includes(number))) add("call", "log-called", { number });
  if (after.claim && JSON.stringify(after.claim) !== JSON.stringify(before.claim)) add("claim", "log-checked", after.claim);
  const known = (wins, win) => wins.some(({ stage, serial }) => stage === win.stage && serial === win.serial);
  for (const win of after.wins.filter((win) => !known(before.wins, win))) {
    add("win", "log-won", { who: win.holder ?? win.serial, stage: win.stage, prize: win.prize.text });
  }
  const shown = (signs, sign) => signs.some(({ text }) => text === sign.text);
  for (const sign of after.signs.filter((sign) => !shown(before.signs, sign))) add("trouble", "log-sign", sign);
  for (const sign of before.signs.filter(({ device }) => !after.signs.some((other) => other.device === device))) add("back", "log-sign-gone", sign);
  if (after.say && after.say.text && after.say.token !== before.say?.token) add("voice", "log-said", after.say);
  else if (after.notice && after.notice !== before.notice) news.push({ kind: "phase", text: after.notice });
  return news;
}

/** Sentences for what changed before the machine, where nobody did it by hand. */
export function benchChanges(before, after, words) {
  if (before.voice.alive === after.voice.alive) return [];
  return [{ kind: after.voice.alive ? "back" : "trouble", text: words[after.voice.alive ? "log-voice-back" : "log-voice-gone"] }];
}

/** What a hand did, or why not. A command that was carried out shows in the views. */
export function handNews(request, answer, words) {
  if (answer.refused) return [{ kind: "refused", text: answer.refused.say }];
  const text = words[`log-you-${request.hand}`];
  if (!text) return [];
  const button = words[`button-${request.button}`] ?? request.button;
  return [{ kind: "you", text: fill(text, { ...request, button, knobs: request.knobs?.join(" + ") }) }];
}

/** What to do next, for somebody who sees this for the first time. */
export function coach(view, bench, stale, words) {
  if (stale || !view) return words["coach-away"];
  switch (view.phase) {
    case "halted":
      return words["coach-halted"];
    case "stopped":
      return words["coach-stopped"];
    case "playing": {
      const [winner] = winners(bench?.cards ?? [], view);
      if (winner) return fill(words["coach-claim"], { holder: winner.holder ?? winner.serial, serial: winner.serial });
      if (view.called.length === 0) return words["coach-first"];
      if (view.called.length < 3) return words["coach-second"];
      return fill(words["coach-playing"], { stage: view.stage?.name.toLowerCase() ?? "" });
    }
    default:
      return words["coach-between"];
  }
}
