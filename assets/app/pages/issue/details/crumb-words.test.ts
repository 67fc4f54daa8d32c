import { expect, test } from "vitest";
import { parseExact } from "../../../api/exact-json.ts";
import type { Crumb } from "../../../api/schema.d.ts";
import { crumbWords, hasMore } from "./crumb-words.ts";

const crumb = (some: Partial<Crumb>): Crumb => ({
  category: null,
  data: null,
  level: null,
  message: null,
  timestamp: null,
  type: null,
  ...some,
});
const page = "https://shop.example/cart?step=2";
const words = (some: Partial<Crumb>) => crumbWords(crumb(some), page).text;

test("a request is described by method, address, status and duration", () => {
  const data = { method: "GET", url: "/api/search", status_code: 200, duration: 580 };
  for (const category of ["fetch", "xhr", "http", "http.client"])
    expect(words({ category, data })).toBe("GET /api/search 200 · 580 ms");
  expect(words({ type: "http", data })).toBe("GET /api/search 200 · 580 ms");
  expect(words({ category: "fetch", data: { ...data, method: "post", status_code: "503", duration: 1_240 } })).toBe(
    "POST /api/search 503 · 1.2 s",
  );
  expect(
    words({
      category: "xhr",
      data: { "http.request.method": "GET", "url.full": "/a", "http.response.status_code": 404 },
    }),
  ).toBe("GET /a 404");
  expect(words({ category: "fetch", data: { url: "/a", status: 0 } })).toBe("/a no answer");
  // Recognized by its data, although no category names it.
  expect(words({ category: "rest", data: { url: "/a", status: 201 } })).toBe("/a 201");
});

test("addresses of the page's own origin are shortened, and others are not", () => {
  const told = (url: string) => words({ category: "fetch", data: { method: "GET", url } });
  expect(told("https://shop.example/api/rates?a=1")).toBe("GET /api/rates?a=1");
  expect(told("https://shop.example")).toBe("GET /");
  expect(told("https://shop.example.evil/api")).toBe("GET https://shop.example.evil/api");
  expect(crumbWords(crumb({ category: "fetch", data: { url: "https://shop.example/a" } })).text).toBe(
    "https://shop.example/a",
  );
});

test("the message of a request is kept with the details that it lacks", () => {
  expect(words({ category: "fetch", message: "GET /rates", data: { status: 500 } })).toBe("GET /rates · 500");
  expect(words({ category: "fetch", message: "GET /rates failed", data: { url: "/rates", status: 500 } })).toBe(
    "GET /rates failed · 500",
  );
  expect(words({ category: "fetch", message: "timed out", data: { method: "GET", url: "/rates" } })).toBe(
    "GET /rates · timed out",
  );
  expect(words({ category: "fetch", message: "/rates", data: { method: "GET", url: "/rates" } })).toBe("GET /rates");
});

test("failed requests stand out", () => {
  const failed = (status: unknown) => crumbWords(crumb({ category: "fetch", data: { url: "/a", status } })).failed;
  expect([200, 304, 399, 400, 500, "503", 0, null, "ok"].map(failed)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(crumbWords(crumb({ category: "navigation", data: { to: "/a", status: 500 } })).failed).toBe(false);
});

test("a navigation is described by its start and its target", () => {
  expect(words({ category: "navigation", data: { from: "/a", to: "/b" } })).toBe("/a → /b");
  expect(words({ type: "navigation", data: { from: "https://shop.example/a", to: "https://pay.example/b" } })).toBe(
    "/a → https://pay.example/b",
  );
  expect(words({ category: "navigation", data: { to: "/b" } })).toBe("→ /b");
  expect(words({ category: "navigation", message: "to the cart" })).toBe("to the cart");
});

test("an interaction is described by the visible text and the element", () => {
  expect(words({ category: "ui.click", message: "body > button#buy" })).toBe("body > button#buy");
  expect(words({ category: "ui.click", data: { selector: "button#buy", label: "Buy now" } })).toBe(
    "“Buy now” button#buy",
  );
  expect(words({ category: "ui.input", data: { selector: "input#email" } })).toBe("input#email");
  expect(words({ category: "ui.click", message: "button.buy", data: { "ui.component_name": "BuyButton" } })).toBe(
    "“BuyButton” button.buy",
  );
  expect(words({ type: "user", message: "signed in", data: {} })).toBe("signed in");
});

test("a console message is described by its arguments if the message lost them", () => {
  expect(words({ category: "console", message: "total 3", data: { logger: "console", arguments: ["total", 3] } })).toBe(
    "total 3",
  );
  expect(words({ category: "console", data: { arguments: ["total", 3, { sku: "TEA" }, null] } })).toBe(
    'total 3 {"sku":"TEA"} null',
  );
  expect(
    words({ category: "console", message: "cart [object Object]", data: { arguments: ["cart", { sku: "TEA" }] } }),
  ).toBe('cart {"sku":"TEA"}');
});

test("queries and errors are described", () => {
  expect(words({ category: "query", message: "select 1", data: { duration: 12 } })).toBe("select 1 · 12 ms");
  expect(words({ type: "query", data: { "db.statement": "select 1" } })).toBe("select 1");
  expect(words({ type: "error", data: { type: "TypeError", value: "it is not there" } })).toBe(
    "TypeError: it is not there",
  );
  expect(words({ category: "exception", message: "TypeError: gone", data: { type: "TypeError" } })).toBe(
    "TypeError: gone",
  );
});

test("unknown breadcrumbs are described by their first values, if any", () => {
  expect(words({ category: "app.lifecycle", data: { state: "foreground" } })).toBe("state: foreground");
  expect(words({ category: "cache", data: { a: 1, b: [2], c: null, d: true, e: "x", f: "y" } })).toBe(
    "a: 1 · b: [2] · d: true · e: x · …",
  );
  expect(words({ category: "cache", data: "hit" })).toBe("data: hit");
  expect(words({ category: "cache", data: {}, message: " " })).toBeUndefined();
});

test("data is offered if the line does not show all of it", () => {
  const more = (some: Partial<Crumb>) => hasMore(crumb(some), words(some), page);
  expect(more({ category: "fetch", data: { method: "get", url: "https://shop.example/a", status_code: 200 } })).toBe(
    false,
  );
  expect(more({ category: "fetch", data: { url: "/a", request_body_size: 1_200 } })).toBe(true);
  expect(more({ category: "fetch", data: { url: "/a", duration: 1_234 } })).toBe(true);
  expect(more({ category: "console", message: "total 3", data: { logger: "console", arguments: ["total", 3] } })).toBe(
    false,
  );
  expect(more({ category: "ui.click", message: "button", data: null })).toBe(false);
  expect(more({ category: "x", message: "y", data: Array.from({ length: 100 }, () => "y") })).toBe(true);
});

test("any data results in a line", () => {
  for (const data of [
    null,
    undefined,
    7,
    "",
    "text",
    [],
    [[]],
    { url: {} },
    { url: null, method: 7 },
    { from: {}, to: [] },
    { arguments: "no" },
    { __proto__: null },
  ]) {
    for (const category of ["fetch", "navigation", "ui.click", "console", "query", "error", "constructor", null]) {
      const told = crumbWords(crumb({ category, data: data as Crumb["data"] }), "not an address");
      expect(typeof told.text === "string" ? told.text.trim() : undefined, JSON.stringify([category, data])).not.toBe(
        "",
      );
    }
  }
});

test("numbers that no double holds are told as they were sent", () => {
  const data = parseExact('{"id":9007199254740993,"label":12345678901234567890}') as Crumb["data"];
  expect(words({ category: "order", data })).toBe("id: 9007199254740993 · label: 12345678901234567890");
  expect(words({ category: "click", data })).toBe("“12345678901234567890” 9007199254740993");
  expect(hasMore(crumb({ data }), "id: 9007199254740993 · label: 12345678901234567890")).toBe(false);
  expect(hasMore(crumb({ data }), "id: 9007199254740993")).toBe(true);
  const alone = parseExact("9007199254740993") as Crumb["data"];
  expect(words({ category: "order", data: alone })).toBe("data: 9007199254740993");
});
