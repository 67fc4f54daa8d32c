// What the server asks of Linear, and what our stand-ins for Linear answer, held to Linear's own schema.

import assert from "node:assert/strict";
import { test } from "node:test";
import { execute, parse, validate } from "graphql";
import { linear } from "../browser/outside.mjs";
import { exchanges, holdAll } from "./exchanges.mjs";
import { linearSchema } from "./linear-schema.mjs";

const schema = linearSchema();
// What is refused before it is read is answered by none of it.
const known = exchanges().filter(({ path, status }) => path === "/graphql" && status === 200);

/** What is wrong with a request and its answer. */
function problems({ body: { query, variables }, answer }) {
  const document = parse(query);
  const unknown = validate(schema, document).map(({ message }) => message);
  if (unknown.length > 0) return unknown;
  if (answer.errors) return answer.errors.filter(({ message }) => typeof message !== "string").map(() => "an error without a message");
  // A run of the request over the answer takes of it what the schema knows, and complains of what is of another type.
  const { data, errors = [] } = execute({ schema, document, rootValue: answer.data, variableValues: variables });
  const wrong = errors.map(({ message, path = [] }) => `${path.join(".")}: ${message}`);
  return wrong.length > 0 || isSame(data, answer.data) ? wrong : [`the schema makes of the answer ${JSON.stringify(data)}`];
}

const isSame = (one, other) => {
  try {
    assert.deepEqual(JSON.parse(JSON.stringify(one)), other);
    return true;
  } catch {
    return false;
  }
};

test("what is asked of Linear and answered in its place is in its schema", () => {
  holdAll(known, problems);
});

test("what stands in for Linear beside the Web app answers so, too", () => {
  const answer = linear();
  const isOfPages = ({ body }) => /\b(viewer|teams|issueCreate)\b|\bissue\(id: \$id\) \{ id /.test(body.query);
  const answered = known.filter(isOfPages).map((one) => ({ ...one, answer: { data: answer(one.body) } })).filter((one) => one.answer.data);
  assert.notEqual(answered.length, 0);
  holdAll(answered, problems);
});

test("ids that are chosen here are of the form that Linear wants", () => {
  const chosen = known.map(({ body }) => body.variables.input?.id).filter((id) => id !== undefined);
  assert.notEqual(chosen.length, 0);
  for (const id of chosen) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test("all that is asked of Linear was tried", () => {
  const fields = known.flatMap(({ body }) => parse(body.query).definitions[0].selectionSet.selections.map(({ name }) => name.value));
  const tried = ["comment", "commentCreate", "issue", "issueCreate", "issueUpdate", "organization", "teams", "viewer"];
  assert.deepEqual([...new Set(fields)].sort(), tried);
});

test("what the schema does not know is noticed", () => {
  const query = "query($id: String!) { issue(id: $id) { id state { name } } }";
  const issue = { id: "1", state: { name: "Todo" } };
  const held = (change) => problems({ body: { query, variables: { id: "1" } }, answer: { data: { issue } }, ...change });
  assert.deepEqual(held({}), []);
  for (const [what, change] of Object.entries({
    "a field": { body: { query: query.replace("name", "naem"), variables: { id: "1" } } },
    "an argument": { body: { query: query.replace("(id:", "(key:"), variables: { id: "1" } } },
    "a missing variable": { body: { query, variables: {} } },
    "one of another type": { body: { query, variables: { id: 1 } } },
    "a missing answer": { answer: { data: { issue: { id: "1" } } } },
    "an answer of another type": { answer: { data: { issue: { id: "1", state: { name: {} } } } } },
    "one more answer": { answer: { data: { issue: { ...issue, title: "x" } } } },
  })) {
    assert.notDeepEqual(held(change), [], what);
  }
});
