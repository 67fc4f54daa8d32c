import { expect, test } from "vitest";
import { ApiError } from "../api/error.ts";
import { fetched } from "./lazy-page.ts";

const missing = new TypeError("Failed to fetch dynamically imported module: /assets/LogsPage.js");
const fails = () => Promise.reject(missing);

test("code that is there is loaded without asking the server", async () => {
  let asked = 0;
  const ask = () => {
    asked += 1;
  };
  expect(await fetched(() => Promise.resolve("code"), ask)).toBe("code");
  expect(asked).toBe(0);
});

test("code that cannot be loaded is out of reach while the server does not answer, else missing", async () => {
  const silent = new ApiError(0, "You are offline.");
  await expect(fetched(fails, () => Promise.reject(silent))).rejects.toBe(silent);
  await expect(fetched(fails, () => Promise.resolve())).rejects.toBe(missing);
});
