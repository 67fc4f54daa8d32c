import { expect, test } from "vitest";
import { restyle } from "./restyle.ts";

/** A link in whose place another one comes, which loads or not. */
function linkOf(loads: boolean): HTMLLinkElement {
  const copy = { onload: () => undefined, onerror: () => undefined };
  return {
    href: "/assets/ReleasesPage.css",
    cloneNode: () => copy,
    replaceWith: () => queueMicrotask(loads ? () => copy.onload() : () => copy.onerror()),
  } as unknown as HTMLLinkElement;
}

test("a style sheet that could not be loaded is loaded again, once", async () => {
  const links = new Set([linkOf(true), linkOf(true)]);
  await restyle(links);
  expect(links.size).toBe(0);
});

test("one that cannot be loaded again is an error", async () => {
  await expect(restyle(new Set([linkOf(true), linkOf(false)]))).rejects.toThrow("Unable to preload CSS for /assets/");
});
