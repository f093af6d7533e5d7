// Prints what tree-sitter's CLI makes of a grammar.js: the rules of its grammar.json.
const rule = (value) => {
  if (typeof value === "string") return { type: "STRING", value };
  if (value instanceof RegExp) return { type: "PATTERN", value: value.source };
  return value;
};
const members = (type) => (...values) => ({ type, members: values.map(rule) });
const content = (type, more) => (value) => ({ type, content: rule(value), ...more });
Object.assign(globalThis, {
  seq: members("SEQ"),
  choice: members("CHOICE"),
  repeat: content("REPEAT"),
  repeat1: content("REPEAT1"),
  optional: (value) => ({ type: "CHOICE", members: [rule(value), { type: "BLANK" }] }),
  field: (name, value) => ({ type: "FIELD", name, content: rule(value) }),
  prec: (value, inner) => ({ type: "PREC", value, content: rule(inner) }),
  token: Object.assign(content("TOKEN"), { immediate: content("IMMEDIATE_TOKEN") }),
  alias: (value, as) =>
    typeof as === "string"
      ? { type: "ALIAS", content: rule(value), named: false, value: as }
      : { type: "ALIAS", content: rule(value), named: true, value: as.name },
  grammar: ({ rules }) => {
    const $ = new Proxy({}, { get: (_, name) => ({ type: "SYMBOL", name }) });
    return Object.fromEntries(Object.entries(rules).map(([name, make]) => [name, rule(make($))]));
  },
});
process.stdout.write(JSON.stringify(require(process.argv[2])));
