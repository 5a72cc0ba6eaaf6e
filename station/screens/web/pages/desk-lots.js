// A thing that several have won: each draws a knob, and what is on it is keyed here, card by card.

import { fill, make } from "./line.js";
import { sending } from "./wishes.js";

const isKnob = (text) => /^[0-9]{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= 90;

/** A form for each thing that is still drawn for, of those who are owed something. */
export function lotsForms(owed, tools) {
  if (!tools.may("lots")) return [];
  const stages = [...new Set(owed.flatMap(({ lots }) => lots))];
  return stages.map((stage) => lotsForm(stage, owed.filter(({ lots }) => lots.includes(stage)), tools));
}

function lotsForm(stage, rivals, { does, report, words }) {
  const thing = rivals.flatMap(({ things }) => things)[0] ?? stage;
  const fields = rivals.map(({ serial, holder }) => make("label", { "data-key": serial },
    make("span", {}, [fill(words["owed-card"], { serial }), holder].filter(Boolean).join(", ")),
    make("input", { name: serial, inputmode: "numeric", maxlength: 2, required: "" })));
  const form = make("form", { class: "lots", autocomplete: "off", "data-key": `lots-${stage}` },
    make("p", {}, fill(words["lots-title"], { thing })),
    make("div", { class: "line" }, ...fields, make("button", {}, words.lots)));
  sending(form, async (elements) => {
    const typed = rivals.map(({ serial }) => [serial, elements[serial].value.trim()]);
    const wrong = typed.find(([, text]) => !isKnob(text));
    if (wrong) return report(fill(words["number-form"], { text: wrong[1] }), true);
    await does("lots", { stage, knobs: typed.map(([serial, text]) => [serial, Number(text)]) }, fill(words["done-lots"], { thing }));
    return undefined;
  });
  return make("li", { "data-key": `lots-${stage}` }, form);
}
