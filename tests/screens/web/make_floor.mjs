// Writes floor.json: the names that browsers got after iOS 15.0 or Chrome 100.
// Source: the npm package @mdn/browser-compat-data (public domain, CC0).
//
//     npm pack @mdn/browser-compat-data && tar xzf mdn-*.tgz
//     node tests/screens/web/make_floor.mjs package/data.json > tests/screens/web/floor.json

import { readFileSync } from "node:fs";

const data = JSON.parse(readFileSync(process.argv[2], "utf8"));
const FLOOR = { safari_ios: 15, chrome: 100 };

/** The first version that has a feature without a flag or a prefix; one with gaps counts. */
function since(support) {
  const entries = [support ?? {}].flat().filter((one) => {
    return !one.flags && !one.prefix && !one.alternative_name && !one.version_removed;
  });
  const partly = [support ?? {}].flat().filter((one) => one.partial_implementation);
  const versions = [...entries, ...partly].map(({ version_added: version }) => {
    return typeof version === "string" ? parseFloat(version.replace("≤", "")) : Infinity;
  });
  return Math.min(...versions, Infinity);
}

const isNew = ({ __compat: compat }) => {
  if (!compat) return false;
  return Object.entries(FLOOR).some(([browser, least]) => {
    return since(compat.support[browser]) > least;
  });
};
const inside = (node) => Object.entries(node).filter(([name]) => name !== "__compat" && name !== "__meta");
const news = (node) => inside(node).filter(([, one]) => isNew(one)).map(([name]) => name);
const sorted = (names) => [...new Set(names)].sort();
const bare = (name) => name.replace(/_(static|event)$/, "");
const plain = (name) => /^[a-zA-Z][\w-]*$/.test(name);

/** New names of one kind of interface: whole ones, and members of old ones. */
function members(interfaces) {
  const whole = [];
  const parts = {};
  for (const [name, one] of interfaces) {
    if (isNew(one)) whole.push(name);
    const found = news(one).filter((part) => !part.endsWith("_event")).filter((part) => {
      return plain(part) && part !== name;
    });
    if (found.length) parts[name] = sorted(found);
  }
  return [sorted(whole), parts];
}

/** Names of members that an interface within the floor has, too: a method of that name says nothing. */
function old(...groups) {
  const names = groups.flat().filter(([, one]) => !isNew(one)).flatMap(([, one]) => {
    return inside(one).filter(([, part]) => !isNew(part)).map(([part]) => bare(part));
  });
  return new Set(names);
}

const { Intl, ...own } = data.javascript.builtins;
const builtins = [...inside(own), ...inside(Intl).map(([name, one]) => [`Intl.${name}`, one])];
const apis = inside(data.api);
const known = old(builtins, apis);
const [globals, methods] = members(builtins);
const [interfaces, api] = members(apis);
const unmistakable = (parts) => sorted(Object.values(parts).flat().map(bare).filter((name) => !known.has(name)));

const { css, html } = data;
const values = {};
for (const [property, one] of inside(css.properties)) {
  const found = isNew(one) ? [] : news(one).filter((name) => /^[a-z][a-z0-9-]*$/.test(name));
  if (found.length) values[property] = sorted(found);
}
const attributes = {};
for (const [element, one] of inside(html.elements)) {
  const found = isNew(one) ? [] : news(one).filter((name) => /^[a-z][a-z-]*$/.test(name));
  if (found.length) attributes[element] = sorted(found);
}
attributes["*"] = sorted(news(html.global_attributes));
const rules = inside(css["at-rules"]);
const functions = [];
(function walk(node) {
  for (const [name, one] of inside(node)) {
    if (isNew(one) && /^[a-z][a-z0-9-]*$/.test(name)) functions.push(name);
    walk(one);
  }
})(css.types);

const told = {
  globals, methods, unmistakable: unmistakable(methods),
  interfaces, api, "unmistakable-api": unmistakable(api),
  properties: sorted(news(css.properties)), values, functions: sorted(functions),
  selectors: sorted(news(css.selectors)),
  "at-rules": sorted(rules.filter(([, one]) => isNew(one)).map(([name]) => name)),
  media: sorted(news(css["at-rules"].media)),
  elements: sorted(news(html.elements)), attributes,
};
const lines = Object.entries(told).map(([key, value]) => {
  return `"${key}": ${JSON.stringify(value)}`;
});
console.log(`{\n${lines.join(",\n")}\n}`);
