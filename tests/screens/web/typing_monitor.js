// Random hands on the pure model of the keyboard, and a monitor that knows nothing of it but the times of the keys. Evaluated in a page:
// `monitor(model, seed, sequences)` gives what it found wrong, and how much it has seen.
({ Typing, Again, TWICE, GAP_MS }, seed, sequences) => {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (most) => Math.floor(random() * most);
  const pick = (some) => some[below(some.length)];
  const between = (least, most) => least + below(most - least + 1);
  const [LETTERS, DIGITS] = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"];
  const text = (from, count) => Array.from({ length: count }, () => pick(from)).join("");

  /** The keys of one evening of a few seconds: `{key, at, place, repeat}`. */
  function hands() {
    const keys = [];
    let at = between(0, 1000);
    const press = (key, gap, place, repeat = false) => {
      at += gap;
      keys.push({ key, at, place, repeat });
    };
    for (let gestures = between(2, 9); gestures > 0; gestures -= 1) {
      const place = pick(["page", "page", "field", "control"]);
      at += pick([0, 10, 40, 100, 300, 1000, 7000]);
      const kind = below(8);
      if (kind === 0) for (const key of text(LETTERS + DIGITS + " ", between(1, 8))) press(key.toLowerCase(), between(40, 400), place);
      else if (kind === 1 || kind === 2) {
        const code = pick([text(LETTERS, 1) + text(DIGITS, 6) + "-" + text(LETTERS + DIGITS, 4), text(LETTERS + DIGITS, 10), text(DIGITS, between(4, 8)), ";" + text(DIGITS, 5)]);
        const gap = between(1, GAP_MS);
        for (const key of code) press(key, gap, place);
        for (const key of pick([["Enter"], ["Tab"], [], ["Enter", "Enter"]])) press(key, gap, place);
      } else if (kind === 3) press(pick(LETTERS + " +-="), between(40, 400), place);
      else if (kind === 4) {
        const key = pick(LETTERS);
        press(key, between(40, 200), place);
        press(key, pick([5, 40, 100, 149, 150, 151, 400, 5999, 6001]), place);
      } else if (kind === 5) {
        const key = pick(LETTERS + DIGITS);
        press(key, between(40, 200), place);
        for (let times = between(1, 12); times > 0; times -= 1) press(key, between(20, 40), place, true);
      } else if (kind === 6) press(pick(["Shift", "Escape", "ArrowDown", "PageDown", "Backspace", "F5", "Enter", "Tab"]), between(1, 300), place);
      else for (const key of text(LETTERS + DIGITS, between(2, 3))) press(key, between(1, 25), place);
    }
    return keys;
  }

  /** The runs of characters that follow one another within the gap: what is a scan, by the clock alone. */
  function runs(keys) {
    const found = [];
    let run = [];
    const over = () => {
      if (run.length) found.push(run);
      run = [];
    };
    for (const one of keys) {
      if (one.key === "Shift" || one.repeat) continue;
      if (one.key.length > 1) over();
      else {
        const scan = run.length >= 4 ? 200 : GAP_MS;
        if (run.length && one.at - run[run.length - 1].at > scan) over();
        if (!run.length && one.key === " " && one.place === "control") continue; // the browser's own
        run.push(one);
      }
    }
    over();
    return found;
  }

  const wrong = [];
  const seen = { keys: 0, scans: 0, acts: 0, asked: 0 };
  for (let sequence = 0; sequence < sequences && wrong.length < 5; sequence += 1) {
    const keys = hands();
    const [typing, again] = [new Typing(), new Again()];
    const [scans, singles, native, acts, burst] = [[], [], [], [], []];
    const settle = (found, now) => {
      for (const one of found) {
        if (one.is === "scan") {
          scans.push(one.text);
          again.forget();
        } else if (one.is === "burst") burst.push(now);
        else if (one.is === "typed") again.forget();
        else if (one.is === "digits" || one.is === "several") {
          singles.push(...(one.text ?? one.keys));
          again.forget();
        } else if (one.is === "key" && !one.repeat && one.key !== "Enter") {
          singles.push(one.key);
          if (!TWICE.has(one.key.toUpperCase())) again.forget();
          else if (again.press(one.key.toUpperCase(), one.at)) acts.push({ key: one.key.toUpperCase(), at: one.at });
          else seen.asked += 1;
        }
      }
    };
    for (const one of keys) {
      const { mine, found } = typing.feed(one);
      settle(found, one.at);
      if (!mine && one.key.length === 1 && !one.repeat) native.push(one);
      seen.keys += 1;
    }
    settle(typing.tick(1e9), 1e9);
    const say = (what) => wrong.push({ what, keys: keys.map(({ key, at, place, repeat }) => `${key}@${at}${place[0]}${repeat ? "r" : ""}`).join(" "), scans, singles, acts });
    const all = runs(keys);
    const long = all.filter((run) => run.length >= 4).map((run) => run.map(({ key }) => key).join(""));
    seen.scans += long.length;
    seen.acts += acts.length;
    if (long.join("|") !== scans.join("|")) say(`scans are not ${long.join("|")}`);
    if (burst.length !== scans.length) say("not each scan was told when it began");
    // Nothing is lost, nothing counts twice: what is no scan was one key, or went where it was typed.
    const rest = all.filter((run) => run.length < 4).flat();
    const told = rest.filter(({ place }) => place !== "field").map(({ key }) => key).join("");
    if (told !== singles.join("")) say(`single keys are not ${told}`);
    const written = native.filter(({ place }) => place === "field").length;
    const meant = all.reduce((sum, run) => sum + run.slice(0, 3).filter(({ place }) => place === "field").length, 0);
    if (written !== meant) say(`${written} characters in fields, not ${meant}`);
    for (const { key, at } of acts) {
      const presses = keys.filter((one) => !one.repeat && one.key !== "Shift" && one.at <= at && one.place !== "field");
      const last = presses.filter((one) => one.key.toUpperCase() === key).slice(-2);
      const gap = last.length === 2 ? last[1].at - last[0].at : 0;
      const inScan = all.some((run) => run.length > 1 && run.some((one) => last.includes(one)));
      if (!(gap >= 150 && gap <= 6000) || inScan) say(`${key} was done at ${at} without its second press`);
    }
  }
  return { wrong, seen };
}
