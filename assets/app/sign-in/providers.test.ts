import { expect, test } from "vitest";
import { goesByItself, isWebAddress, providersOf } from "./providers.ts";

const sso = { enabled: true, display_name: "Acme SSO" };
const alone = { password_login: false, github: false, sso };
const fresh = { error: undefined, signedOut: false, wentAt: undefined };

test("the page redirects automatically if SSO is the only method", () => {
  expect(goesByItself(alone, fresh, 0)).toBe(true);
  expect(goesByItself({ ...alone, password_login: true }, fresh, 0)).toBe(false);
  expect(goesByItself({ ...alone, github: true }, fresh, 0)).toBe(false);
  expect(goesByItself({ ...alone, github: true, sso: { ...sso, enabled: false } }, fresh, 0)).toBe(false);
});

test("it does not redirect after an error, after signing out, or when it returns at once", () => {
  expect(goesByItself(alone, { ...fresh, error: "cancelled" }, 0)).toBe(false);
  expect(goesByItself(alone, { ...fresh, signedOut: true }, 0)).toBe(false);
  expect(goesByItself(alone, { ...fresh, wentAt: 1_000 }, 60_000)).toBe(false);
  expect(goesByItself(alone, { ...fresh, wentAt: 1_000 }, 61_000)).toBe(true);
});

test("configured methods have names", () => {
  expect(providersOf({ ...alone, github: true })).toEqual([
    { provider: "sso", name: "Acme SSO" },
    { provider: "github", name: "GitHub" },
  ]);
  expect(providersOf({ ...alone, sso: { enabled: true, display_name: " " } })[0]?.name).toBe("single sign-on");
  expect(providersOf(undefined)).toEqual([]);
});

test("a page only opens web addresses", () => {
  expect(isWebAddress("https://idp.example/authorize?x=1")).toBe(true);
  for (const address of ["javascript:alert(1)", "data:text/html,x", "/local", ""])
    expect(isWebAddress(address)).toBe(false);
});
