// The ends of the record that this phone has seen, each as the station signed it: whoever is shown another record
// later finds out.

const KEPT = "heads"; // under which they are kept
const MOST = 200;

/** The heads that this phone has seen, the newest last. */
export function heads() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Keeps a head, as it was signed. */
export function keepHead(head) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...heads().filter((one) => one !== head), head].slice(-MOST)));
  } catch {
    // a browser that keeps nothing checks all the same
  }
}
