import { expect, test } from "vitest";
import { branchPage } from "./branch.ts";

const branch = "mayday/fix #1";
const urlOf = (...asked: Parameters<typeof branchPage>) => branchPage(...asked)?.url;

test("a branch links to its page on the code host", () => {
  const shop = "https://git.example:8443/acme/shop.git";
  expect(urlOf(shop, "github", branch)).toBe("https://git.example:8443/acme/shop/tree/mayday/fix%20%231");
  expect(urlOf(shop, "gitlab", branch)).toBe("https://git.example:8443/acme/shop/-/tree/mayday/fix%20%231");
  expect(urlOf(shop, "gitea", branch)).toBe("https://git.example:8443/acme/shop/src/branch/mayday/fix%20%231");
  expect(branchPage("https://github.com/acme/shop", undefined, "main")).toEqual({
    of: "branch",
    url: "https://github.com/acme/shop/tree/main",
  });
  expect(urlOf("git@gitlab.com:a/b/shop.git", undefined, "main")).toBe("https://gitlab.com/a/b/shop/-/tree/main");
  expect(urlOf("git@Codeberg.org:acme/shop.git", undefined, "main")).toBe(
    "https://codeberg.org/acme/shop/src/branch/main",
  );
});

test("a branch on an unknown code host links to the repository's page", () => {
  const page = "https://git.example/acme/shop";
  for (const address of [
    "https://git.example/acme/shop.git",
    "https://git.example/acme/shop/",
    "git@git.example:acme/shop.git",
    "git.example:/acme/shop.git",
    "ssh://git@git.example/acme/shop.git",
    "ssh://git@git.example:2222/acme/shop.git/",
  ]) {
    expect(branchPage(address, undefined, branch), address).toEqual({ of: "repository", url: page });
  }
  expect(urlOf("https://git.example:8443/acme/shop.git", undefined, branch)).toBe("https://git.example:8443/acme/shop");
});

test("only pages by https are linked, without what may stand before the host", () => {
  for (const address of [
    "file:///srv/git/shop.git",
    "http://git.example/acme/shop.git",
    "javascript://git.example/%0aalert(1)",
    "https://git.example/",
    "ssh://git@a b/acme/shop",
    "ssh://git@a%40b/acme/shop",
    "",
  ]) {
    expect(urlOf(address, "github", branch), address).toBeUndefined();
  }
  expect(urlOf("https://ada:secret@git.example/acme/shop", "github", "main")).toBe(
    "https://git.example/acme/shop/tree/main",
  );
});
