import { hashKey } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { newestQuery } from "../start/arrival.ts";
import { newestIssuesQuery } from "./newest-issues.ts";

test("the issues to choose from are not kept where the start page keeps its newest one", () => {
  const keys = [newestIssuesQuery(1), newestQuery(1)].map(({ queryKey }) => hashKey(queryKey));
  expect(new Set(keys).size).toBe(2);
});
