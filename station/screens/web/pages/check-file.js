// The page that checks, as a file of its own: its words in all languages stand in it.

import { begin } from "./check.js";
import { make, setText } from "./line.js";

const all = JSON.parse(document.getElementById("words").textContent);
const fits = (wanted) => Object.keys(all).find((code) => wanted === code || wanted.startsWith(`${code}-`));
const code = navigator.languages.map(fits).find(Boolean) ?? "en";
const choose = (chosen) => {
  document.documentElement.lang = chosen;
  const told = { ...all[chosen], "from-station": all[chosen]["from-file"] };
  for (const element of document.querySelectorAll("[data-word]")) setText(element, told[element.dataset.word]);
  Object.assign(words, told);
};
const words = {};
const names = (one) => new Intl.DisplayNames(one, { type: "language" }).of(one);
const select = make("select", { class: "language", "data-testid": "language" },
  ...Object.keys(all).map((one) => make("option", { value: one, lang: one, selected: one === code }, names(one))));
select.addEventListener("change", () => {
  choose(select.value);
  select.setAttribute("aria-label", words.language);
});
choose(code);
select.setAttribute("aria-label", words.language);
document.querySelector(".bar").append(select);
begin(words);
