// A phone that is shaken throws the dice, where its browser tells of motion. The button does the same, always.

const HARD = 16; // m/s² more or less than a moment before
const CALM_MS = 900; // one shake is one throw
const HINT = "shaken";

let onShake = () => {};
let last = null;
let thrownAt = 0;

function moved({ accelerationIncludingGravity: now }) {
  if (!now || now.x === null) return;
  document.documentElement.dataset[HINT] = "";
  const before = last;
  last = now;
  const at = Date.now();
  if (!before || at - thrownAt < CALM_MS || document.hidden) return;
  if (Math.abs(now.x - before.x) + Math.abs(now.y - before.y) + Math.abs(now.z - before.z) < HARD) return;
  thrownAt = at;
  onShake();
}

/** Calls `work` at each shake from now on. */
export function whenShaken(work) {
  onShake = work;
  addEventListener("devicemotion", moved);
}

/** Asks for motion where a browser wants that; it does so only while somebody presses something. */
export async function askForMotion() {
  try {
    await window.DeviceMotionEvent?.requestPermission?.();
  } catch {
    // Not over plain http, or not wanted: the button remains.
  }
}
