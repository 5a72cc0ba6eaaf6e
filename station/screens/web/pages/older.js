// Runs before the modules of every page, in every browser, however old: ES5 syntax only. It adds what browsers lack at
// the floor (iOS 15, Chrome 100), and tells people when a browser is below it.

(function () {
  "use strict";

  var page = document;

  /** Adds a method where the browser has none. */
  function add(owner, name, method) {
    if (owner && !(name in owner)) Object.defineProperty(owner, name, { value: method, writable: true, configurable: true });
  }

  // ---- methods that came with Safari 15.4

  function at(index) {
    var whole = Math.trunc(index) || 0;
    return this[whole < 0 ? this.length + whole : whole];
  }

  function findLastIndex(wanted, self) {
    for (var index = this.length - 1; index >= 0; index -= 1) {
      if (wanted.call(self, this[index], index, this)) return index;
    }
    return -1;
  }

  function findLast(wanted, self) {
    return this[findLastIndex.call(this, wanted, self)];
  }

  var lists = [Array.prototype, window.Int8Array && Object.getPrototypeOf(window.Int8Array.prototype)];
  add(String.prototype, "at", at);
  for (var place = 0; place < lists.length; place += 1) {
    add(lists[place], "at", at);
    add(lists[place], "findLast", findLast);
    add(lists[place], "findLastIndex", findLastIndex);
  }
  add(Object, "hasOwn", function (owner, name) {
    return Object.prototype.hasOwnProperty.call(owner, name);
  });

  // ---- the button that sent a form

  var pressed = null;
  if (window.SubmitEvent && !("submitter" in window.SubmitEvent.prototype)) {
    page.addEventListener("click", function (event) {
      pressed = event.target.closest("button, input[type=submit]");
    }, true);
    Object.defineProperty(window.SubmitEvent.prototype, "submitter", {
      configurable: true,
      get: function () {
        return pressed && pressed.form === this.target ? pressed : null;
      },
    });
  }

  // ---- dialogs

  var dialogs = window.HTMLElement && window.HTMLElement.prototype;
  if (dialogs && !("showModal" in page.createElement("dialog"))) {
    root("no-dialog");
    add(dialogs, "showModal", function () {
      this.setAttribute("open", "");
      this.setAttribute("aria-modal", "true");
      if (!this.hasAttribute("role")) this.setAttribute("role", "dialog");
      var first = this.querySelector("[autofocus], input, select, textarea, button");
      if (first) first.focus();
    });
    add(dialogs, "close", function () {
      this.removeAttribute("open");
      this.dispatchEvent(new Event("close"));
    });
    if (!("open" in page.createElement("dialog"))) {
      Object.defineProperty(dialogs, "open", {
        configurable: true,
        get: function () {
          return this.hasAttribute("open");
        },
        set: function (open) {
          if (open) this.setAttribute("open", "");
          else this.removeAttribute("open");
        },
      });
    }
    page.addEventListener("keydown", function (event) {
      var open = page.querySelectorAll("dialog[open]");
      if (event.key !== "Escape" || !open.length) return;
      event.preventDefault();
      var last = open[open.length - 1];
      if (last.dispatchEvent(new Event("cancel", { cancelable: true }))) last.close();
    });
    page.addEventListener("focusin", function (event) {
      var open = page.querySelectorAll("dialog[open]");
      if (!open.length || open[open.length - 1].contains(event.target)) return;
      var first = open[open.length - 1].querySelector("input, select, textarea, button");
      if (first) first.focus();
    });
    page.addEventListener("submit", function (event) {
      if (event.target.getAttribute("method") !== "dialog") return;
      event.preventDefault();
      var around = event.target.closest("dialog[open]");
      if (around) around.close();
    });
  }

  function root(name) {
    page.documentElement.classList.add(name);
  }

  // ---- styles: without container queries the station serves them rewritten (station/screens/web/older.py)

  // The elements that have `container-type: size` in some style, outermost first.
  var CONTAINERS = ".board-frame, .board .seat, .card-place, .things";

  function lacks(value) {
    return !(window.CSS && CSS.supports && CSS.supports("width", value));
  }

  function shape(ratio) {
    if (ratio < 0.5) return "tall";
    if (ratio < 1.15) return "tall not-so-tall";
    if (ratio < 1.32) return "broad square near-square";
    if (ratio < 1.45) return "broad near-square";
    return ratio < 1.7 ? "broad near-wide" : "broad";
  }

  /** What an element has for its content on one axis, to a part of a pixel. */
  function inner(style, side, before, after) {
    var whole = parseFloat(style[side]);
    if (style.boxSizing !== "border-box") return whole;
    [before, after].forEach(function (edge) {
      whole -= parseFloat(style["padding" + edge]) + parseFloat(style["border" + edge + "Width"]);
    });
    return Math.max(0, whole);
  }

  function measure() {
    var found = page.querySelectorAll(CONTAINERS);
    var changed = false;
    for (var index = 0; index < found.length; index += 1) {
      var one = found[index];
      var style = getComputedStyle(one);
      var width = inner(style, "width", "Left", "Right");
      var height = inner(style, "height", "Top", "Bottom");
      if (one.style.getPropertyValue("--frame-width") === width + "px" && one.style.getPropertyValue("--frame-height") === height + "px") continue;
      one.style.setProperty("--frame-width", width + "px");
      one.style.setProperty("--frame-height", height + "px");
      if (one.classList.contains("board-frame")) one.setAttribute("data-shape", shape(width / height));
      changed = true;
    }
    return changed;
  }

  function tellMeasured() {
    window.dispatchEvent(new Event("measured"));
  }

  function again() {
    if (measure()) tellMeasured();
  }

  function lower() {
    var links = page.querySelectorAll("link[rel=stylesheet]");
    for (var index = 0; index < links.length; index += 1) {
      links[index].addEventListener("load", function () {
        measure();
        tellMeasured();
      });
      links[index].href = links[index].getAttribute("href").replace(/^(\/pages)?\//, "/older/");
    }
    new MutationObserver(again).observe(page.body, { childList: true, subtree: true });
    new ResizeObserver(again).observe(page.body);
    window.addEventListener("resize", again);
    again();
  }

  // ---- below the floor

  var hasModules = "noModule" in page.createElement("script");
  var runs = false;

  /** Shows one of the two sentences that every page has for this, in the reader's language. */
  function tell(id) {
    var said = page.getElementById(id);
    if (said) said.removeAttribute("hidden");
  }

  window.addEventListener("error", function (event) {
    if (runs) return;
    // A script that cannot be parsed, or calls what the browser does not have: it is too old. One that did not come: it is not.
    var came = !event.target || event.target === window;
    if (came) tell("too-old");
    else if (event.target.tagName === "SCRIPT") tell("not-whole");
  }, true);
  page.addEventListener("load", function (event) {
    if (event.target.tagName === "SCRIPT" && event.target.type === "module") runs = true;
  }, true);
  page.addEventListener("DOMContentLoaded", function () {
    if (!hasModules) tell("too-old");
    else if (lacks("1cqw") || !matchMedia("(width >= 0px)").matches) lower();
  });
})();
