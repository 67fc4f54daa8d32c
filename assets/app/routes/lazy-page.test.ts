import { expect, test, vi } from "vitest";
import { api } from "../api/client.ts";
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

test("a proxy that answers in the server's place is no answer", async () => {
  const get = vi.spyOn(api, "GET");
  for (const status of [502, 503, 504]) {
    get.mockResolvedValue({ error: "<html>Bad gateway</html>", response: new Response(null, { status }) });
    await expect(fetched(fails)).rejects.toMatchObject({ name: "ApiError", status });
  }
  get.mockResolvedValue({ data: { status: "ok" }, response: new Response() });
  await expect(fetched(fails)).rejects.toBe(missing);
  expect(get).toHaveBeenCalledWith("/health");
  get.mockRestore();
});
