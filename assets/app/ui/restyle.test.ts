import { expect, test } from "vitest";
import { restyle } from "./restyle.ts";

const answers = () => Promise.resolve();
const isSilent = () => Promise.reject(new Error("no answer"));

/** Links, in whose places others come, which load or not; those that do not are recorded as in the page. */
function linksOf(...loads: boolean[]): Set<HTMLLinkElement> {
  const links = new Set<HTMLLinkElement>();
  for (const isLoaded of loads) {
    const copy = { onload: () => undefined, onerror: () => undefined };
    const fail = () => {
      links.add(copy as unknown as HTMLLinkElement);
      copy.onerror();
    };
    links.add({
      href: "/assets/ReleasesPage.css",
      cloneNode: () => copy,
      replaceWith: () => setTimeout(isLoaded ? () => copy.onload() : fail),
    } as unknown as HTMLLinkElement);
  }
  return links;
}

test("a style sheet that could not be loaded is loaded again, once", async () => {
  const links = linksOf(true, true);
  await restyle(links, answers);
  expect(links.size).toBe(0);
});

test("one that a server which answers does not have is an error once", async () => {
  const links = linksOf(true, false);
  await expect(restyle(links, answers)).rejects.toThrow("Unable to preload CSS for /assets/");
  expect(links.size).toBe(0);
  await restyle(links, answers);
});

test("one that cannot be loaded while the server does not answer is loaded later", async () => {
  const links = linksOf(false);
  await expect(restyle(links, isSilent)).rejects.toThrow("no answer");
  expect(links.size).toBe(1);
});

test("a page that loads meanwhile waits for the same style sheets", async () => {
  const done: string[] = [];
  const links = linksOf(true);
  const first = restyle(links, answers).then(() => done.push("style"));
  const second = restyle(links, answers).then(() => done.push("page"));
  await Promise.resolve();
  expect(done).toEqual([]);
  await Promise.all([first, second]);
  expect(done).toEqual(["style", "page"]);
  const failing = linksOf(false);
  const both = await Promise.allSettled([restyle(failing, answers), restyle(failing, answers)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
