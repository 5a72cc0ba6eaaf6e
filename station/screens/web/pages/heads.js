// The ends of the record that this phone has seen, each as the station signed it: whoever is shown another record
// later finds out.

const KEPT = "heads"; // under which they are kept
const KEY = "heads-key"; // of the station that signed the last of them
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

/** Keeps a head, as it was signed, and the public key that signed it. */
export function keepHead(head, key) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...heads().filter((one) => one !== head), head].slice(-MOST)));
    if (key) localStorage.setItem(KEY, key);
  } catch {
    // a browser that keeps nothing checks all the same
  }
}

/** The public key of the station that signed the last head which was kept, 64 hex digits; empty for none. */
export function headKey() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
