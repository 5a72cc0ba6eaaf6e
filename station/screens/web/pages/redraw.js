// Draws a part of a page anew, and keeps what can be kept: what is replaced under a finger loses its click, its focus and its text.

/**
 * Makes `made` the children of `place`. What stands there already and is of the same kind and `data-key` (without one: comes next in
 * its kind) stays; it gets the attributes and the children of what was made, and does when it is clicked or sent what that would.
 */
export function redraw(place, ...made) {
  const fragment = new DocumentFragment();
  fragment.append(...made);
  const before = [...place.childNodes];
  const now = [...fragment.childNodes].map((wanted) => {
    const found = before.findIndex((node) => isAlike(node, wanted));
    return found < 0 ? wanted : become(before.splice(found, 1)[0], wanted);
  });
  for (const gone of before) gone.remove();
  let next = place.firstChild;
  for (const node of now) {
    // Not even put back into its place: to the browser that is a removal too.
    if (node === next) next = node.nextSibling;
    else place.insertBefore(node, next);
  }
}

const isAlike = (one, other) => one.nodeName === other.nodeName && one.dataset?.key === other.dataset?.key;

function become(kept, wanted) {
  if (!(kept instanceof Element)) {
    if (kept.data !== wanted.data) kept.data = wanted.data;
    return kept;
  }
  for (const { name } of [...kept.attributes]) if (!wanted.hasAttribute(name)) kept.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
  [kept.onclick, kept.onsubmit] = [wanted.onclick, wanted.onsubmit];
  redraw(kept, ...wanted.childNodes);
  return kept;
}
