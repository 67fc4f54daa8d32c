// The rules that every page is held to find what breaks them.

import assert from "node:assert/strict";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";
import { assertWhole, eventually, openPage } from "./web.mjs";

let server;
let project;

before(async () => {
  server = await sharedServer();
  project = await server.project("Shop");
});

const add = (page, html) => page.evaluate((text) => document.querySelector("main").insertAdjacentHTML("beforeend", text), html);

for (const [what, html, words] of [
  ["too wide", '<div style="width: 3000px">x</div>', /3\d\d\d px wide/],
  ["an unnamed field", '<input type="text" class="unnamed">', /label/],
  ["too little contrast", '<p class="faint" style="color: #ddd; background: #fff">faint</p>', /color-contrast/],
  ["text in the colour of its ground", '<p class="hidden" style="color: #fff; background: #fff">unseen</p>', /told from its ground/],
]) {
  test(`${what} is found`, async () => {
    const opened = await openPage(server, `/projects/${project.id}/issues`);
    try {
      await assertWhole(opened.page, "before");
      await add(opened.page, html);
      await assert.rejects(assertWhole(opened.page, "after"), words);
    } finally {
      await opened.close();
    }
  });
}

for (const [what, act, words] of [
  ["an error in the console", () => console.error("something"), /something/],
  ["a warning in the console", () => console.warn("careful"), /careful/],
  ["an exception", () => void setTimeout(() => Promise.reject(new Error("nobody catches this"))), /nobody catches this/],
  ["a dialog", () => void setTimeout(() => alert("look")), /dialog: look/],
  ["a breach of the policy", () => void fetch("https://elsewhere.example/").catch(() => undefined), /Content Security Policy/],
  ["a refused request", () => void fetch("/api/v1/projects/1/issues?query=is:nonsense"), /status of 422/],
]) {
  test(`${what} is found`, async () => {
    const opened = await openPage(server, `/projects/${project.id}/issues`);
    try {
      opened.check();
      await opened.page.evaluate(act);
      const found = () => {
        try {
          opened.check();
          return "nothing";
        } catch (error) {
          return words.test(error.message) ? what : error.message;
        }
      };
      await eventually(found, what, "what was found");
    } finally {
      await opened.close();
    }
  });
}

test("a request to another origin is found", async () => {
  const opened = await openPage(server, `/projects/${project.id}/issues`);
  try {
    opened.page.emit("request", { url: () => "https://elsewhere.example/pixel" });
    assert.throws(() => opened.check(), /elsewhere/);
  } finally {
    await opened.close();
  }
});
