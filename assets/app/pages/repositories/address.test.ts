import { expect, test } from "vitest";
import { nameIn } from "./address.ts";

test("a repository is named after its address", () => {
  expect(nameIn("https://github.com/acme/shop.git")).toBe("acme/shop");
  expect(nameIn(" git@github.com:acme/shop.git ")).toBe("acme/shop");
  expect(nameIn("ssh://git@host.example:2222/group/sub/shop")).toBe("sub/shop");
  expect(nameIn("https://git.example/shop/")).toBe("shop");
  expect(nameIn("file:///srv/git/shop.git")).toBe("git/shop");
  expect(nameIn("")).toBe("");
});
