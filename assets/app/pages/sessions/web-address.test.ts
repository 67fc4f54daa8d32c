import { expect, test } from "vitest";
import { webAddress } from "./web-address.ts";

test("an address that an agent chose says which host it leads to", () => {
  expect(webAddress("https://git.example:8443/acme/shop/pull/91?a=1#b")).toEqual({
    host: "git.example:8443",
    text: "git.example:8443/acme/shop/pull/91?a=1#b",
  });
  // What looks like a host is the name of a user.
  expect(webAddress("https://github.com@evil.example/pull/91")).toEqual({
    host: "evil.example",
    text: "evil.example/pull/91",
  });
  expect(webAddress("https://gíthub.com/pull/1")?.host).toBe("xn--gthub-zsa.com");
});

test("only a Web address becomes a link", () => {
  for (const url of ["javascript:alert(1)", "ftp://git.example/pull/1", "git.example/pull/1", "https://", ""])
    expect(webAddress(url), url).toBeUndefined();
});
