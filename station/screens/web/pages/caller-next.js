// What is coming next in the evening: one act and one sentence; and why what somebody wishes is not possible now.

import { fill } from "./line.js";

const MINUTE_MS = 60_000;
const HEARS = new Set(["repeat", "back", "mute", "off"]); // what needs no record

/** What comes next, `{act, line}`: the act of the big button, and the sentence that names it. An empty act: nothing on this page. */
export function nextOf(view, stale, words) {
  if (!view || stale) return { act: "", line: words[view && isLeaving(view) ? "next-off" : "next-away"] };
  const { act, line } = coming(view, words);
  return { act, line: [...pauseOf(view, words), line].join(" ") };
}

/** The station said that it switches off. A machine that is on all the same has a sign that says so: then play can go on. */
const isLeaving = ({ say, signs }) => Boolean(say?.clips.includes("switching-off")) && !signs.some(({ device }) => device === "station");

/** A pause of the programme is told before what follows it: it begins with the end of a game, and ends when the next one is opened. */
function pauseOf({ pause, phase, pauseEnds }, words) {
  if (!pause || phase !== "between") return [];
  const { text, minutes } = pause;
  const left = pauseEnds ? Math.ceil((pauseEnds - performance.now()) / MINUTE_MS) : null;
  const when = left === null ? minutes && fill(words["pause-minutes"], { minutes }) : left > 0 ? fill(words["pause-left"], { minutes: left }) : words["pause-over"];
  return [fill(words[text ? "pause-text" : "pause"], { text: /[.!?…।]$/.test(text) ? text : `${text}.` }), ...(when ? [when] : [])];
}

function coming(view, words) {
  const say = (key, act = "") => ({ act, line: fill(words[`next-${key}`], { ...view, game: view.coming[0], number: view.called.at(-1), pace: view.auto.pace, text: view.table?.text, seen: view.seen?.number, again: view.again }) });
  if (view.phase === "halted") return say("halted");
  if (isLeaving(view)) return say("off");
  switch (view.phase) {
    case "closed":
      return say("closed", "next-night");
    case "between":
      if (view.underWay) return say(view.underWay);
      if (view.press === "open") return say("between", "open");
      return view.coming.length ? say("not-ready", "open") : say("all-played", "close-night");
    case "stopped":
      return say(view.claims.length ? "more-claims" : "stopped", "play-on");
    default:
      if (view.wants_words) return say("mix", "mix");
      if (view.seen && view.press === "draw") return say(view.seen.isHeld ? "held" : "seen", "draw");
      return view.table ? say("table", view.press === "draw" ? "draw" : "") : inGame(view, say);
  }
}

function inGame(view, say) {
  if (!view.stage) return say("won", "close");
  if (view.press !== "draw") return say("empty", "close");
  if (view.auto.on) return say("auto", "draw");
  if (view.again) return say("again", "draw");
  return say(view.called.length ? "playing" : "first", "draw");
}

/** The prizes that can be won, as one says them. */
export const stages = (view) => (view.open?.length ? view.open : [view.stage]).filter(Boolean).map(({ name }) => name).join(", ");

// In which phases an act is possible; the others are left to the station, which knows.
const PHASES = {
  draw: ["playing", "stopped"],
  stop: ["playing"],
  "play-on": ["stopped"],
  undo: ["playing", "stopped"],
  close: ["playing", "stopped"],
  break: ["playing", "stopped"],
  skip: ["between"],
  near: ["playing", "stopped"],
  "close-night": ["between"],
  "census-begin": ["between"],
  "self-test-begin": ["between"],
  "next-night": ["closed"],
};
const CALLED = new Set(["undo", "repeat", "back"]);

/** Why this is not possible now, in a sentence that ends with what comes next; empty where it is, as far as the page knows. */
export function hindrance(act, view, stale, words) {
  const { line } = nextOf(view, stale, words);
  if (!view || stale) return line;
  if (view.phase === "halted" && !HEARS.has(act)) return line;
  if (PHASES[act] && !PHASES[act].includes(view.phase)) {
    return `${words[`why-${act}-${view.phase}`] ?? words[`why-${view.phase}`]} ${line}`;
  }
  return CALLED.has(act) && !view.called.length ? `${words["why-nothing-called"]} ${line}` : "";
}
