// Presses before the page's own scripts are ready: kept in order, and done as soon as they are. Old syntax, and no module: it comes first.
(function () {
  "use strict";
  var presses = [];

  function hold(event) {
    var target = event.target;
    var button = event.type === "click" && target.closest ? target.closest("button") : null;
    if (event.type === "click" && !button) return;
    if (button && button.closest("[data-at-once]")) return; // it asks the station nothing
    if (event.type !== "change") {
      event.preventDefault();
      event.stopPropagation();
    }
    // A button that sends its form is one press; so are several clicks while nothing answers.
    var one = button || target;
    for (var at = 0; at < presses.length; at += 1) if (presses[at].of === one) return;
    presses.push({ of: one, kind: event.type });
    if (one.setAttribute) one.setAttribute("aria-busy", "true");
  }

  var kinds = ["click", "submit", "change"];
  kinds.forEach(function (kind) { document.addEventListener(kind, hold, true); });

  /** Does what was pressed; from now on the page hears for itself. */
  window.pageIsReady = function () {
    kinds.forEach(function (kind) { document.removeEventListener(kind, hold, true); });
    window.pageIsReady = function () {};
    presses.splice(0).forEach(function (press) {
      if (!press.of.isConnected) return;
      press.of.removeAttribute("aria-busy");
      if (press.kind === "click") press.of.click();
      else press.of.dispatchEvent(new Event(press.kind, { bubbles: true, cancelable: true }));
    });
  };
})();
