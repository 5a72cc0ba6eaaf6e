// Text that others write is as long as it is, and its place is not: it is set smaller until all of it stands there.

const STEP = 0.05;

/**
 * Sets `--fit` of each of these, the share of its letters' size, so that nothing is cut; never less than `least`. What scrolls
 * keeps its size.
 */
export function fit(all, least) {
  for (const one of all) one.style.setProperty("--fit", 1);
  for (const one of all.filter((some) => getComputedStyle(some).overflowY !== "auto")) {
    for (let share = 1 - STEP; share >= least && isCut(one); share -= STEP) one.style.setProperty("--fit", share.toFixed(2));
  }
}

/** Whether it, or a line in it, is larger than its place. */
export function isCut(one) {
  return one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1 || [...one.children].some(isTooWide);
}

/** To a part of a pixel, for so little takes the last letters and puts dots there. */
function isTooWide(line) {
  const range = document.createRange();
  range.selectNodeContents(line);
  return range.getBoundingClientRect().width > line.getBoundingClientRect().width + 0.01;
}
