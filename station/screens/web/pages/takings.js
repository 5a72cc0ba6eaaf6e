// What each seller took and hands in: a table, with a form a seller for whoever counts.

import { fill, make } from "./line.js";
import { redraw } from "./redraw.js";
import { sending } from "./wishes.js";

// What a column shows of a seller.
const COLUMNS = {
  sold: ({ sold, returned }) => sold - returned,
  vouchers: ({ vouchers }) => vouchers,
  counted: ({ counted }) => counted,
  "to-hand-in": ({ expected }) => expected,
  difference: ({ difference }) => difference || null,
};

/** Draws the sellers into `table`; `columns` of them, and where cash may be counted the forms. */
export function drawTakings(table, sellers, columns, tools) {
  const { words, may } = tools;
  table.hidden = !sellers.length;
  const head = ["seller", ...columns].map((key) => make("th", { scope: "col" }, words[key]));
  const counts = may("count-cash");
  const rows = sellers.map((seller) => row(seller, columns, counts, tools));
  redraw(table, make("thead", {}, make("tr", {}, ...head, ...(counts ? [make("td")] : []))), make("tbody", {}, ...rows));
}

function row(seller, columns, counts, tools) {
  const name = calledBy(seller, tools);
  const units = columns.map((key) => COLUMNS[key](seller));
  const cells = units.map((sum) => make("td", {}, sum === null ? "" : tools.money().text(sum)));
  const form = counts ? [make("td", { class: "counts" }, countForm(seller, tools))] : [];
  return make("tr", { "data-key": `seller-${seller.name ?? ""}` }, make("th", { scope: "row" }, name), ...cells, ...form);
}

/** A seller's name; what was sold without one is nobody's by name. */
const calledBy = ({ name }, { words }) => name ?? words["holder-none"];

function countForm(seller, tools) {
  const { words, report, does, money } = tools;
  const [name, { expected }] = [calledBy(seller, tools), seller];
  const field = make("input", { name: "sum", inputmode: "decimal", maxlength: 20, "aria-label": fill(words["count-sum"], { name }) });
  const form = make("form", { class: "line", autocomplete: "off", "data-key": `count-${seller.name ?? ""}` }, field, make("button", {}, words.count));
  sending(form, async ({ sum }) => {
    const amount = money().read(sum.value);
    if (amount === null) return report(fill(words["sum-form"], { text: sum.value, example: money().example }), true);
    const said = fill(words["done-count"], { name, counted: money().text(amount), expected: money().text(expected) });
    if (await does("count-cash", { ...(seller.name && { by: seller.name }), amount }, said)) sum.value = "";
    return undefined;
  });
  return form;
}
