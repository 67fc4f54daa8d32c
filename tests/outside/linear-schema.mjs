// Linear's GraphQL schema, out of the types that its own SDK is published with: they are generated from the schema, and
// keep all of it but its descriptions' form and which types are interfaces.

import { buildSchema } from "graphql";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const roots = ["Query", "Mutation"];

export function linearSchema() {
  return buildSchema(schemaText(declarations()), { assumeValidSDL: true });
}

/** The declarations, whose file has a name of its own in each version. */
function declarations() {
  const folder = dirname(createRequire(import.meta.url).resolve("@linear/sdk"));
  const files = readdirSync(folder).filter((name) => name.endsWith(".d.mts"));
  const found = files.map((name) => readFileSync(join(folder, name), "utf8")).find((text) => text.includes("\ntype Scalars = {"));
  if (!found) throw new Error(`No file of ${folder} declares the types of Linear's schema: ${files.join(", ")}`);
  return found;
}

function schemaText(text) {
  const { objects, unions, enums, scalars } = read(text);
  const outputs = reachable(objects, roots, (field) => field.names.flatMap((name) => unions.get(name) ?? [name]));
  const lower = new Map([...objects.keys()].map((name) => [name.toLowerCase(), name]));
  const argsOf = (type, field) => lower.get(`${type}${field}args`.toLowerCase());
  const args = [...outputs].flatMap((type) => [...objects.get(type).keys()].flatMap((field) => argsOf(type, field) ?? []));
  const inputs = reachable(objects, args, (field) => field.names);
  for (const name of args) inputs.delete(name);
  const given = (type, field) => {
    const own = argsOf(type, field);
    return own ? `(${[...objects.get(own)].map(([name, one]) => `${name}: ${one.type}`).join(", ")})` : "";
  };
  const body = (fields, parameters) => [...fields].map(([name, { type }]) => `  ${name}${parameters(name)}: ${type}`).join("\n") || "  _: Boolean";
  return [
    ...scalars.map((name) => `scalar ${name}`),
    ...[...enums].map(([name, values]) => `enum ${name} { ${values.join(" ")} }`),
    ...[...unions].filter(([, members]) => members.every((one) => outputs.has(one))).map(([name, members]) => `union ${name} = ${members.join(" | ")}`),
    ...[...inputs].map((name) => `input ${name} {\n${body(objects.get(name), () => "")}\n}`),
    ...[...outputs].map((name) => `type ${name} {\n${body(objects.get(name), (field) => given(name, field))}\n}`),
  ].join("\n");
}

function read(text) {
  const objects = new Map();
  for (const [, name, fields] of text.matchAll(/^type (\w+) = (?:\w+ & )*\{\n([\s\S]*?)^\};/gm)) {
    const own = [...fields.matchAll(/^ {2}(\w+)(\??): ([^{}]+?);$/gm)].filter(([, field]) => field !== "__typename");
    objects.set(name, new Map(own.map(([, field, optional, type]) => [field, { type: typeText(type, optional !== ""), names: type.replace(/Scalars\["\w+"\]/g, "").match(/\w+/g) ?? [] }])));
  }
  const names = (pattern, split) => new Map([...text.matchAll(pattern)].map(([, name, all]) => [name, [...all.matchAll(split)].map(([, one]) => one)]));
  const usual = ["ID", "String", "Boolean", "Int", "Float"];
  const scalars = [...objects.get("Scalars").keys(), ...scalarNames(text)].filter((name) => !usual.includes(name));
  return {
    objects,
    unions: names(/^type (\w+) =((?:\s+\|? ?\w+)+(?: \| \w+)+);/gm, /(\w+)/g),
    enums: names(/^declare enum (\w+) \{\n([\s\S]*?)^\}/gm, /= "(\w+)"/g),
    scalars: [...new Set(scalars)],
  };
}

/** Those that TypeScript has a longer type for. */
function scalarNames(text) {
  return [...text.matchAll(/Scalars\["(\w+)"\]/g)].map(([, name]) => name);
}

/** `Maybe<Array<Issue>>` as `[Issue!]`. */
function typeText(type, isOptional) {
  const [, nullable] = /^(?:Input)?Maybe<([\s\S]+)>$/.exec(type) ?? [];
  const given = nullable ?? type;
  const [, item] = /^Array<([\s\S]+)>$/.exec(given) ?? [];
  const [, scalar] = /^Scalars\["(\w+)"\]$/.exec(given) ?? [];
  const name = item ? `[${typeText(item, false)}]` : (scalar ?? given);
  return nullable || isOptional ? name : `${name}!`;
}

/** The names of the objects that fields lead to from some of them. */
function reachable(objects, from, leads) {
  const found = new Set();
  const open = [...from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || !objects.has(name)) continue;
    found.add(name);
    open.push(...[...objects.get(name).values()].flatMap(leads));
  }
  return found;
}
