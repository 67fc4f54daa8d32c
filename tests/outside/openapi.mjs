// Holds requests and answers to an OpenAPI 3.0 document.

import Ajv from "ajv";
import addFormats from "ajv-formats";

/** A schema of OpenAPI 3.0 as JSON Schema has it. `change` may change each schema. */
function translate(schema, change) {
  if (Array.isArray(schema)) return schema.map((one) => translate(one, change));
  if (schema === null || typeof schema !== "object") return schema;
  const { nullable, ...rest } = change.before(schema);
  const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, name === "enum" ? value : translate(value, change)]));
  const changed = change.after(own);
  return nullable ? { anyOf: [changed, { type: "null" }] } : changed;
}

/** What the document does not know is wrong; in part, what it wants may be missing: a stand-in leaves out what nobody reads. */
const closed = (document, { inPart }) => ({
  before({ allOf, oneOf, ...schema }) {
    if (oneOf) return inPart ? { ...schema, anyOf: oneOf } : { ...schema, oneOf };
    if (!allOf) return schema;
    // As one, since each alone would refuse what the others know.
    const members = allOf.map((one) => resolve(document, one));
    const required = members.flatMap((one) => one.required ?? []);
    return { ...schema, type: "object", required, properties: Object.assign({}, ...members.map((one) => one.properties)) };
  },
  after({ required, ...schema }) {
    const open = inPart || !required ? schema : { ...schema, required };
    const isClosed = schema.type === "object" && typeof schema.properties === "object" && schema.additionalProperties === undefined && !schema.anyOf;
    return isClosed ? { ...open, additionalProperties: false } : open;
  },
});

const resolve = (document, one) => (one?.$ref ? one.$ref.slice(2).split("/").reduce((at, part) => at[part], document) : one);

export class Document {
  #text;
  #wholly;
  #inPart;

  constructor(document) {
    this.#text = document;
    this.#wholly = compiler(document, closed(document, { inPart: false }));
    this.#inPart = compiler(document, closed(document, { inPart: true }));
  }

  /** What is wrong with an exchange, as a list of sentences; nothing if all is well. */
  problems({ method, path, body, status, answer }) {
    const [place, query] = path.split("?");
    const found = this.#operation(method, place);
    if (!found) return ["there is no such operation"];
    const { name, operation } = found;
    const problems = [...this.#query(operation, new URLSearchParams(query)), ...this.#body(operation, body)];
    const response = this.#resolve(operation.responses[status]);
    // Said of each operation in the text, and in few of their lists.
    if (!response && ![401, 404, 502].includes(status)) return [...problems, `${name} never answers ${status}`];
    const schema = response?.content?.["application/json"]?.schema ?? { $ref: "#/components/schemas/basic-error" };
    return [...problems, ...this.#inPart(schema, answer).map((problem) => `answer of ${name}: ${problem}`)];
  }

  /** `GET /repos/{owner}/{repo}`, of a request. */
  operation({ method, path }) {
    return this.#operation(method, path.split("?")[0])?.name;
  }

  #operation(method, place) {
    const parts = place.split("/");
    const fits = (template) => {
      const own = template.split("/");
      return own.length === parts.length && own.every((part, at) => part === parts[at] || part.startsWith("{"));
    };
    const braces = (template) => template.split("{").length;
    const templates = Object.keys(this.#text.paths).filter(fits).sort((a, b) => braces(a) - braces(b));
    const template = templates.find((one) => this.#text.paths[one][method.toLowerCase()]);
    return template && { name: `${method} ${template}`, operation: this.#text.paths[template][method.toLowerCase()] };
  }

  #resolve(one) {
    return resolve(this.#text, one);
  }

  #query(operation, given) {
    const known = new Map();
    for (const one of (operation.parameters ?? []).map((each) => this.#resolve(each))) if (one.in === "query") known.set(one.name, one);
    return [...given].flatMap(([name, text]) => {
      const parameter = known.get(name);
      if (!parameter) return [`takes no ${name} in its query`];
      const { type } = this.#resolve(parameter.schema);
      const value = type === "integer" ? Number(text) : type === "boolean" ? text === "true" : text;
      return this.#wholly(parameter.schema, value).map((problem) => `${name} in the query: ${problem}`);
    });
  }

  #body(operation, body) {
    const schema = this.#resolve(operation.requestBody)?.content?.["application/json"]?.schema;
    if (!schema) return body === null ? [] : ["takes no body"];
    return this.#wholly(schema, body).flatMap((problem) => `body: ${problem}`);
  }
}

/** Answers a function that says what is wrong with a value. */
function compiler(document, change) {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true, discriminator: false, logger: false }));
  const components = translate({ schemas: document.components.schemas }, change);
  ajv.addSchema({ $id: "document:", components });
  const compiled = new Map();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    if (!compiled.has(key)) {
      compiled.set(key, ajv.compile(JSON.parse(JSON.stringify(translate(schema, change)).replaceAll('"#/', '"document:#/'))));
    }
    const check = compiled.get(key);
    if (check(value)) return [];
    return check.errors.map(({ instancePath, message, params }) => `${instancePath || "it"} ${message} ${JSON.stringify(params)}`);
  };
}
