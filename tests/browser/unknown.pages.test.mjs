// What is not known is not shown as none, and what is missing not as done.

import assert from "node:assert/strict";
import { fill } from "./seed.mjs";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { eventually, matrix, onPage } from "./web.mjs";

let server;
let project;

before(async () => {
  server = await sharedServer();
  project = await server.project("Unknown");
  await fill(project, 2, (index) => (index === 0 ? {} : { user: { id: "u-1" } }));
  await project.release("1.0.0", "~/", []);
  await project.createRelease("1.1.0");
});

const users = (row) => row.getByRole("cell").nth(4);

test("users that no event names are not told as none", async () => {
  await onPage(server, `/projects/${project.id}/issues`, {}, async (page) => {
    const row = (words) => page.getByRole("row").filter({ hasText: words });
    const [nobody, somebody] = [row("number 0 is"), row("number 1 is")];
    await eventually(async () => (await users(nobody).innerText()).trim(), "–\nunknown", "users of an issue whose events name nobody");
    assert.equal((await users(somebody).innerText()).trim(), "1");
    await nobody.getByRole("link").click();
    const facts = page.locator("main header dl");
    await eventually(async () => /Users\s+–/.test(await facts.innerText()), true, "users on the issue's page");
  });
});

test("a finalized release without source maps is not shown as complete", async () => {
  await onPage(server, `/projects/${project.id}/releases`, {}, async (page) => {
    const row = (version) => page.getByRole("row").filter({ hasText: version });
    await row("1.0.0").getByText("no source maps").waitFor();
    await row("1.1.0").getByText("open", { exact: true }).waitFor();
    assert.equal(await page.locator("main [data-done]").count(), 0, "nothing is marked as done");
  });
});

test("releases with and without source maps", async () => {
  await matrix("releases-without-maps", server, `/projects/${project.id}/releases`);
});
