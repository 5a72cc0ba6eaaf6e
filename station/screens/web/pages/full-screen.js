// A page that fills the screen, where the browser can do that. Safari on a tablet has the same under a name of its own.

const root = document.documentElement;

export const canFill = () => Boolean(document.fullscreenEnabled ?? document.webkitFullscreenEnabled);
export const fills = () => Boolean(document.fullscreenElement ?? document.webkitFullscreenElement);

/** Fills the screen, or leaves it; only a press may. */
export async function toggleFull() {
  if (fills()) await (document.exitFullscreen ?? document.webkitExitFullscreen).call(document);
  else await (root.requestFullscreen ?? root.webkitRequestFullscreen).call(root);
}

/** Calls `heard` whenever the page fills the screen or no longer does. */
export function onFull(heard) {
  for (const kind of ["fullscreenchange", "webkitfullscreenchange"]) document.addEventListener(kind, heard);
}

/** What the button says now. */
export const fullText = (words) => words[fills() ? "leave-full-screen" : "full-screen"];

/** Makes `button` do it, with a sign alone on it; without the ability it stays hidden. */
export function fullScreenButton(button, words) {
  const draw = () => {
    button.setAttribute("aria-label", fullText(words));
    button.title = fullText(words);
    button.setAttribute("aria-pressed", String(fills()));
  };
  button.replaceChildren(Object.assign(document.createElement("span"), { className: "full-icon" }));
  button.hidden = !canFill();
  button.addEventListener("click", () => toggleFull().catch(() => {})); // somebody has pressed twice: it is what it is
  onFull(draw);
  draw();
}
