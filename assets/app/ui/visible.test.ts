import { expect, test } from "vitest";
import { oneLine, visible } from "./visible.ts";

test("characters that reorder text are written out", () => {
  expect(visible("user\u202egnp.exe")).toBe("user[U+202E]gnp.exe");
  expect(visible("a\u2066b\u2069c\u200bd\u0000e\u001b[31m")).toBe("a[U+2066]b[U+2069]c[U+200B]d[U+0000]e[U+001B][31m");
});

test("right-to-left text, emoji and layout characters are kept", () => {
  for (const text of ["שגיאה בתשלום", "خطأ في الدفع", "👩‍💻 \u200f", "a\tb\nc", "naïve café"])
    expect(visible(text)).toBe(text);
});

test("a title is one line", () => {
  expect(oneLine("  Error:\n\tno \u202e way ")).toBe("Error: no [U+202E] way");
});
