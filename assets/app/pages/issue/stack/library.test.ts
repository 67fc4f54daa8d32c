import { expect, test } from "vitest";
import { languageOf } from "./language.ts";
import { libraryOf, libraryWords } from "./library.ts";

test.each([
  ["webpack://app/node_modules/react-dom/cjs/react-dom.production.js", "react-dom"],
  ["../node_modules/.pnpm/immer@10/node_modules/@scope/immer/dist/immer.mjs", "@scope/immer"],
  ["/usr/lib/python3/site-packages/django/core/handlers/base.py", "django"],
  ["/var/lib/gems/3.2.0/gems/rack-attack-6.7.0/lib/x.rb", "rack-attack"],
  ["/root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go", "gin"],
  ["/srv/app/vendor/laravel/framework/src/Foo.php", "laravel/framework"],
  ["/root/.cargo/registry/src/index.crates.io-6f/tokio-1.38.0/src/task.rs", "tokio"],
  ["node:internal/process/task_queues", "Node.js"],
  ["src/cart.ts", undefined],
  [undefined, undefined],
])("the package of %s is %s", (file, name) => {
  expect(libraryOf(file)).toBe(name);
});

test("of many packages two are named", () => {
  expect(libraryWords(5, ["a", "b", "c", "d", undefined])).toBe("5 frames of a, b and 2 more");
  expect(libraryWords(2, [undefined])).toBe("2 library frames");
});

test("languages are recognized by extension", () => {
  expect(["a.ts", "b/c.mjs?v=1", "D.PY", "Makefile", "x.constructor", undefined].map(languageOf)).toEqual([
    "typescript",
    "tsx",
    "python",
    undefined,
    undefined,
    undefined,
  ]);
});
