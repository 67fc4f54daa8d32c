import { chromium } from "playwright-core";
const base = process.env.BASE ?? "http://localhost:8114";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell" });
const out = "/tmp/shots-words";
const only = process.argv[2];
async function session(width, height, scheme, signedIn = true) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  if (signedIn) {
    await page.goto(`${base}/login`);
    await page.getByLabel("E-mail").fill("demo@example.com");
    await page.getByLabel("Password", { exact: true }).fill("demo demo demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/issues/);
  }
  return { context, page };
}
const btn = (page, name) => page.getByRole("button", { name }).first().click();
const states = {
  "settings-general": ["/projects/1/settings/general"],
  "settings-keys": ["/projects/1/settings/keys"],
  "settings-key-new": ["/projects/1/settings/keys", async (p) => { await btn(p, "New key…"); await p.getByLabel("Custom").check(); }],
  "settings-key-bad": ["/projects/1/settings/keys", async (p) => { await btn(p, "New key…"); await p.getByLabel("Custom").check(); await p.getByLabel(/^Environment/).fill("Prod!"); await p.getByRole("dialog").getByLabel("Name").fill(""); await p.getByRole("checkbox", { name: /^Send events/ }).uncheck(); await btn(p, "Create key"); }],
  "settings-key-revoke": ["/projects/1/settings/keys", (p) => p.getByRole("button", { name: /^Revoke/ }).first().click()],
  "settings-limits": ["/projects/1/settings/limits"],
  "settings-scrubbing": ["/projects/1/settings/scrubbing"],
  "settings-quarantine": ["/projects/1/settings/set-aside"],
  "settings-delete": ["/projects/1/settings/general", (p) => btn(p, "Delete project…")],
  account: ["/account"],
  "account-password": ["/account", async (p) => { await btn(p, "Change password"); await p.getByLabel("New password").fill("short"); await btn(p, "Change password"); }],
  "account-email": ["/account", (p) => btn(p, "Change e-mail address…")],
  "account-sessions": ["/account/sessions"],
  "account-sessions-end": ["/account/sessions", (p) => btn(p, "Sign out everywhere else…")],
  "account-tokens": ["/account/tokens"],
  "account-token-new": ["/account/tokens", (p) => btn(p, "New token…")],
  org: ["/organizations/1/settings"],
  "org-members": ["/organizations/1/settings/members"],
  "org-keys": ["/organizations/1/settings/keys"],
  "org-sign-in": ["/organizations/1/settings/sign-in"],
  "org-audit": ["/organizations/1/settings/audit"],
  start: ["/projects/1/start"],
  "new-project": ["/projects/new", (p) => btn(p, "Create project")],
  logs: ["/projects/1/logs"],
  "logs-help": ["/projects/1/logs", (p) => btn(p, "How to search")],
  "logs-entry": ["/projects/1/logs", (p) => p.locator("[data-entry] button").first().click()],
  "logs-none": ["/projects/1/logs?query=zzzz"],
};
const outside = {
  login: ["/login"],
  "login-error": ["/login?error=unreachable"],
  forgot: ["/forgot-password"],
  "forgot-sent": ["/forgot-password", async (p) => { await p.getByLabel("E-mail").fill("a@example.com"); await btn(p, "Send link"); }],
  reset: ["/reset-password#token=abc"],
  "reset-none": ["/reset-password"],
  confirm: ["/confirm-email#token=abc"],
  register: ["/register"],
  setup: ["/setup"],
  missing: ["/nothing/here"],
};
for (const [w, h, scheme] of [[1440, 900, "light"], [390, 844, "light"]]) {
  for (const [set, signedIn] of [[states, true], [outside, false]]) {
    const { context, page } = await session(w, h, scheme, signedIn);
    for (const [name, [path, act]] of Object.entries(set)) {
      if (only && !new RegExp(only).test(name)) continue;
      try {
        await page.goto(base + path);
        await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => {});
        await page.waitForTimeout(300);
        if (act) await act(page);
        await page.waitForTimeout(500);
        await page.screenshot({ path: `${out}/${name}-${w}.png`, fullPage: !act });
      } catch (error) { console.log(name, w, String(error).slice(0, 300)); await page.screenshot({ path: `${out}/${name}-${w}-failed.png` }).catch(() => {}); }
    }
    await context.close();
  }
}
await browser.close();
