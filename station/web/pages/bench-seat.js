// Whoever plays alone at the bench: his telephone is one of its hands, and what is open ends when he begins.

import { Hands } from "./hands.js";
import { $ } from "./page.js";
import { madeSure } from "./sure.js";
import { pressable } from "./wishes.js";

const hands = new Hands(() => {}, () => {});

/** As `wireTo`, for the telephone at the bench. */
export const benchWire = () => ({
  ask: () => hands.move("seat"),
  act: (act, details = {}) => hands.move("seat", { do: { act, ...details } }),
});

/** Begins a game of practice: `wanted` is `{game, names}`, without it the last one is played again. All that would be lost is asked first. */
export async function playAlone(wanted) {
  const order = wanted ? { do: wanted } : {};
  const again = async (sure) => madeSure(await hands.move("alone", { ...order, ...sure }), again);
  return again({});
}

/** Shows what somebody may do on his telephone beside his moves. */
export function showAlone(words, { report, refreshSoon }) {
  const done = async (work) => {
    const { refused } = await work();
    await refreshSoon();
    report(refused ? refused.say : "", Boolean(refused));
  };
  const button = (key, press) => pressable({ key, text: words[key], press: () => done(press) });
  $("alone").append(
    button("again", () => playAlone()),
    button("give-up", () => hands.act("break", { why: words["give-up"] })));
  $("alone").hidden = false;
}
