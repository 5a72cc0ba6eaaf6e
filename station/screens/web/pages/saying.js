// Decides which announcements a page speaks: one that comes too late is not news any more.

// The station sends something every second. After a longer silence the page slept, or its line was down.
const GAP_MS = 2500;
// What comes in closer than this after such a gap was sent meanwhile.
export const SETTLE_MS = 300;

/** When a message came, and whether it is one of those that a page finds when it wakes; `before` is the message before it. */
export const arrival = (before, now) => ({
  at: now,
  late: now - before.at > GAP_MS || (before.late && now - before.at < SETTLE_MS),
});

/**
 * What to do with the announcements that wait, oldest first, each with the time `at` which it came and whether it came `late`:
 * the `next` to speak, or none; the `rest` that still wait; and in how many milliseconds to ask again, if there is none now.
 * The newest is always spoken. An older one is dropped when it came late, or has waited longer than a `pace`.
 */
export function nextToSay(waiting, now, pace) {
  const newest = waiting.length - 1;
  const kept = waiting.filter(({ at, late }, index) => index === newest || (!late && now - at <= pace));
  if (!kept.length) return { next: null, rest: [], wait: null };
  const [next, ...rest] = kept;
  const settles = next.late ? SETTLE_MS - (now - next.at) : 0;
  return settles > 0 ? { next: null, rest: kept, wait: settles } : { next, rest, wait: null };
}
