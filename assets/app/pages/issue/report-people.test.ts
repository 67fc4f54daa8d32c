import { expect, test } from "vitest";
import type { Event } from "../../api/schema.d.ts";
import { leavingOut, naming, withoutBegin } from "./report-people.ts";

const bob: Event["user"] = {
  id: "u-7",
  name: "Bob  Miller",
  username: "bmiller",
  email: "bob.miller@example.com",
  ip_address: null,
};
const without = leavingOut(bob);

test("people are left out of addresses, where they are percent-encoded", () => {
  const at = "https://x.example/";
  expect(without(`${at}?mail=bob.miller%40example.com&n=Bob%20Miller`)).toBe(`${at}?mail=[e-mail]&n=[name]`);
  expect(without(`${at}?n=Bob+Miller&again=Bob%20%20Miller#bob%2emiller%40example%2Ecom`)).toBe(
    `${at}?n=[name]&again=[name]#[e-mail]`,
  );
  expect(without(`${at}?to=%2Fa%3Fmail%3dbob.miller%40example.com%26n%3DBob%2BMiller%26b=1`)).toBe(
    `${at}?to=%2Fa%3Fmail%3d[e-mail]%26n%3D[name]%26b=1`,
  );
  expect(without(`${at}?to=%253Fmail%253Dbob.miller%2540example.com%2526n%253DBob%2520Miller`)).toBe(
    `${at}?to=%253Fmail%253D[e-mail]%2526n%253D[name]`,
  );
});

test("whoever they are", () => {
  expect(without("?mail=ada%2Bshop%40example.org&x=1")).toBe("?mail=[e-mail]&x=1");
  expect(without("?to=%2F%3Fmail%3Dada%40example.org%26x=1")).toBe("?to=%2F%3Fmail%3D[e-mail]%26x=1");
  expect(without("?mail=j%C3%BCrgen%40m%c3%bcller.de")).toBe("?mail=[e-mail]");
  expect(without("50%bob@example.org, 100%25bob@example.org")).toBe("50%[e-mail], 100%25[e-mail]");
  expect(without("/npm/vite%408.3.8/index.js?a=%40 @scope/name")).toBe("/npm/vite%408.3.8/index.js?a=%40 @scope/name");
});

test("names are left out in any case, and in any script", () => {
  expect(without("who: bob miller, BOB\tMILLER, BMiller, Bob.Miller@Example.com")).toBe(
    "who: [name], [name], [name], [e-mail]",
  );
  const another = leavingOut({ id: null, name: "Jürgen (Ünal) O'Neil", username: null, email: null, ip_address: null });
  expect(another("jürgen (ünal) o'neil, J%c3%bcrgen%20%28%C3%9Cnal%29+O%27Neil")).toBe("[name], [name]");
});

test("what is left of an encoded address at the end of a cut text is left out, too", () => {
  const long = `${"x".repeat(200)} `;
  for (const end of ["ada%40", "ada%40exam", "ada%2Bx%40example%2", "ada%2540ex%"])
    expect(withoutBegin(`${long}${end}`), end).toBe(`${long}[e-mail]`);
});

test("a name is left out whatever joins its words, and not where it is part of another word", () => {
  expect(without("bob.miller, Bob-Miller, bob_miller, Bob%2DMiller")).toBe("[name], [name], [name], [name]");
  const named = (username: string) => leavingOut({ id: null, name: null, username, email: null, ip_address: null });
  expect(named("error")("TypeError: an Error")).toBe("TypeError: an [name]");
  expect(named("+ %20 -")("a + b %20 -")).toBe("a + b %20 -");
  expect(without("ada\\u0040example.org, ada&#64;example.org")).toBe("[e-mail], [e-mail]");
});

test("a value is known as one part of a name, of three letters or more, in any case", () => {
  const parts = (name: string | null, username: string | null, values: string[]) =>
    values.filter(naming({ id: null, name, username, email: null, ip_address: null }));
  const all = ["Bob", " miller\n", "BOB", "Bobby", "Bob Jones", "", "x", "Miller, and others"];
  expect(parts("Bob  Miller", null, all)).toEqual(["Bob", " miller\n", "BOB"]);
  expect(parts("Miller, Bob (he)", null, ["miller", "bob", "he"])).toEqual(["miller", "bob"]);
  expect(parts("Anne-Marie O'Neil", null, ["anne-marie", "Marie", "o'neil", "Neil", "O"])).toHaveLength(4);
  expect(parts("Ju\u0308rgen", null, ["j\u00fcrgen"])).toHaveLength(1);
  expect(parts("Al Yu 2024", "eve", ["Al", "yu", "2024", "Eve"])).toEqual(["Eve"]);
  expect(parts(null, null, ["", "null", "undefined"])).toEqual([]);
  expect(parts("- , .", " ", ["", "-", " "])).toEqual([]);
});

test("no name and no text make looking for people take for ever", { timeout: 20_000 }, () => {
  const names = ["+ + + + + + x", "+ john", "%20 %20 x", "a a a a b", "%41%41 a", "Bob  Miller"];
  const signs = ["%41", "%25", "25", "%3D", "a%", "%2", ".", "a%40", "b", "%40", "+", " ", "%20", "a ", "a+", "-"];
  for (const name of names) {
    const leave = leavingOut({ id: null, name, username: null, email: null, ip_address: null });
    const isName = naming({ id: null, name: name.repeat(5_000), username: null, email: null, ip_address: null });
    for (const sign of signs) {
      const text = sign.repeat(60_000 / sign.length);
      leave(text);
      isName(text);
      withoutBegin(text);
    }
  }
});
