import type { ErrorEvent } from "../../api/schema.d.ts";

const file = "https://shop.example/src/cart.js";
const source = [
  "function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) sum += item.price.amount;",
  "  return sum;",
  "}",
  "",
  "export function checkout(cart) {",
  '  if (!cart.items.length) throw new Error("The cart is empty");',
  "  return { sum: total(cart.items) };",
  "}",
];

/** A frame at a line and column, both from 1, with its lines of source. */
const frame = (name: string, line: number, column: number) => ({
  function: name,
  abs_path: file,
  filename: "src/cart.js",
  lineno: line,
  colno: column,
  in_app: true,
  pre_context: source.slice(Math.max(0, line - 6), line - 1),
  context_line: source[line - 1] ?? "",
  post_context: source.slice(line, line + 5),
});

/** An error as the browser of a fictional shop would send it, marked as a test; `at` is in milliseconds since the epoch. */
export function testEvent(api_key: string, at: number): ErrorEvent {
  const message = "This is a test event: its code is made up. Administrators can delete this issue.";
  return {
    api_key,
    timestamp: new Date(at).toISOString(),
    environment: "test",
    release: "1.0.0",
    platform: "javascript",
    level: "error",
    exception: {
      type: "TestError",
      message,
      stack: `TestError: ${message}\n    at total (${file}:3:47)\n    at checkout (${file}:9:17)`,
      frames: [frame("total", 3, 47), frame("checkout", 9, 17)],
      mechanism: { type: "test button", handled: false },
    },
    breadcrumbs: [
      { category: "navigation", message: "/cart", level: "info" },
      { category: "click", message: "button “Check out”", level: "info" },
    ],
    tags: { test: "sent from the first steps" },
  };
}
