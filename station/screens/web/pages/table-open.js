// For how long the table is still open for players: the station says so now and then, pages count on.

const ALONE = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Calls `tick` with the seconds left with each view, and once a second while the table is open; `seconds` has them, too. */
export function untilShut(tick) {
  let until = 0;
  let timer;
  const open = {
    get seconds() {
      return Math.max(0, Math.ceil((until - performance.now()) / 1000));
    },
    show({ joining, phase }) {
      until = joining && phase !== "halted" ? performance.now() + joining.seconds * 1000 : 0;
      again();
    },
  };
  function again() {
    clearTimeout(timer);
    const { seconds } = open;
    tick(seconds);
    if (seconds) timer = setTimeout(again, 1000);
  }
  return open;
}

/** Where telephones find a page; empty where none could get there. */
export function addressOf(view, path) {
  const pages = view.pages || (ALONE.has(location.hostname) ? "" : location.origin);
  return pages && pages + path;
}
