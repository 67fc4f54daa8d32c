import { expect, test } from "vitest";
import { takeOver } from "./views.ts";

const [newest, wrong, oldest] = [
  { name: "Newest", query: "is:new" },
  { name: "Wrong", query: "relase:1" },
  { name: "Oldest", query: "cart" },
];

test("views of the browser are moved in order, and refused ones stay", async () => {
  const kept: string[] = [];
  const refusal = new Error("query: there is no field `relase`");
  const { left, why } = await takeOver([newest, wrong, oldest], async ({ name }) => {
    if (name === "Wrong") throw refusal;
    kept.push(name);
  });
  expect(kept).toEqual(["Oldest", "Newest"]);
  expect(left).toEqual([wrong]);
  expect(why).toBe(refusal);
});

test("when all views were moved, none is left", async () => {
  expect(await takeOver([newest, oldest], async () => {})).toEqual({ left: [], why: undefined });
});
