import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import addresses from "./api/action-urls.json" with { type: "json" };
import { makeRouter } from "./routes.ts";

const router = makeRouter(new QueryClient());

/** Whether an address leads to a page for signed-in people. */
function leads(address: string): boolean {
  const matches = router.matchRoutes(new URL(address, "https://mayday.example").pathname, {});
  return matches.length > 2 && matches.every(({ paramsError }) => paramsError === undefined);
}

test("notifications lead to pages of this app", () => {
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => !leads(address))).toEqual([]);
  expect(["/nowhere/at/all", "/instance/nothing", "/projects/x/issues/1"].filter(leads)).toEqual([]);
});
