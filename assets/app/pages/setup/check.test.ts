import { expect, test } from "vitest";
import { problemsOf, tokenFrom } from "./check.ts";

const good = {
  setup_token: "0123-4567-89ab-cdef-0123-4567-89ab-cdef",
  email: "ada@example.com",
  password: "p".repeat(12),
  organization_name: "Acme",
};

test("a complete form has no problems", () => {
  expect(problemsOf(good)).toEqual({});
  expect(problemsOf({ ...good, password: "p".repeat(256) })).toEqual({});
});

test("every invalid field is reported by name", () => {
  const empty = { setup_token: "", email: "", password: "", organization_name: "" };
  expect(Object.keys(problemsOf(empty)).sort()).toEqual(Object.keys(good).sort());
});

test("a malformed token is reported before sending", () => {
  for (const setup_token of [
    "0123",
    good.setup_token.toUpperCase(),
    `${good.setup_token}-0000`,
    good.setup_token.replaceAll("-", ""),
  ]) {
    expect(problemsOf({ ...good, setup_token })).toHaveProperty("setup_token");
  }
});

test("a password counts in characters, not in UTF-16 units", () => {
  expect(problemsOf({ ...good, password: "🔑".repeat(11) }).password).toContain("this has 11");
  expect(problemsOf({ ...good, password: "🔑".repeat(12) })).toEqual({});
  expect(problemsOf({ ...good, password: "p".repeat(257) }).password).toContain("this has 257");
});

test("a name may be missing, and is not too long", () => {
  expect(problemsOf({ ...good, name: "" })).toEqual({});
  expect(problemsOf({ ...good, name: "n".repeat(129), organization_name: "o".repeat(129) })).toEqual({
    name: "Use at most 128 characters; this has 129.",
    organization_name: "Use at most 128 characters; this has 129.",
  });
});

test("the token is found in a pasted link, or line of output", () => {
  const token = good.setup_token;
  expect(tokenFrom(token)).toBe(token);
  expect(tokenFrom(`https://mayday.example/setup#token=${token}`)).toBe(token);
  expect(tokenFrom(`Claim this instance: http://localhost:8000/setup#token=${token}\n`)).toBe(token);
});
