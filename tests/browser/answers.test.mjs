// What the server says with the pages of the Web app and their parts: policies, keeping, compression.

import assert from "node:assert/strict";
import { sharedServer } from "./server.mjs";
import { before, test } from "./suite.mjs";

let server;
const pages = ["/", "/setup", "/login", "/projects/1/issues", "/projects/1/releases/1.0.0", "/some/unknown/path"];

before(async () => {
  server = await sharedServer();
  const { text } = await server.raw("/", { token: null });
  assert.match(text, /<div id="app">/, "no Web app in the server: `npm --prefix assets run build`, then `cargo build`");
});

const get = (path, headers = {}) => server.raw(path, { token: null, headers });

/** The directives of a content security policy by name. */
function policyOf(headers) {
  const parts = (headers.get("content-security-policy") ?? "").split(";").map((part) => part.trim().split(/\s+/));
  return Object.fromEntries(parts.filter(([name]) => name !== "").map(([name, ...sources]) => [name, sources.sort()]));
}

/** Scripts and styles that the page names. */
async function parts() {
  const { text } = await get("/");
  const names = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  assert.ok(names.length >= 3, `${names}`);
  return names;
}

test("every page has a policy with a nonce that was never used before", async () => {
  const nonces = new Set();
  for (const path of [...pages, "/"]) {
    const { status, headers, text } = await get(path);
    assert.equal(status, 200, path);
    const policy = policyOf(headers);
    const nonce = policy["style-src"]?.map((source) => /^'nonce-([\w+/=-]{16,})'$/.exec(source)?.[1]).find(Boolean);
    assert.ok(nonce, `${path}: ${policy["style-src"]}`);
    nonces.add(nonce);
    assert.deepEqual(policy, {
      "default-src": ["'none'"],
      "script-src": ["'self'"],
      "connect-src": ["'self'"],
      "font-src": ["'self'"],
      "style-src": [`'nonce-${nonce}'`, "'self'"],
      "style-src-attr": ["'unsafe-inline'"],
      "img-src": ["'self'", "blob:", "data:"],
      "manifest-src": ["'self'"],
      "frame-src": ["'self'"],
      "frame-ancestors": ["'none'"],
      "base-uri": ["'none'"],
      "object-src": ["'none'"],
      "form-action": ["'self'"],
    }, path);
    assert.ok(text.includes(`nonce="${nonce}"`), `${path}: the page carries its nonce`);
    assert.doesNotMatch(text, /__CSP_NONCE__/);
    assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)/, `${path}: no inline script`);
    assert.match(headers.get("cache-control"), /no-store/);
    assert.equal(headers.get("etag"), null, `${path}: a page of one answer has no validator`);
  }
  assert.equal(nonces.size, pages.length + 1);
});

test("every answer forbids guessing of types, framing, and telling addresses to others", async () => {
  for (const path of [...pages, ...(await parts()), "/meta", "/api/v1/me", "/assets/none-12345678.js"]) {
    const { headers } = await get(path);
    assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    assert.equal(headers.get("x-frame-options"), "DENY", path);
    assert.equal(headers.get("referrer-policy"), "same-origin", path);
    assert.deepEqual(policyOf(headers)["default-src"], ["'none'"], path);
    assert.equal(headers.get("server"), null, path);
  }
});

test("hashed parts are kept for a year, and told apart by their content", async () => {
  for (const path of (await parts()).filter((name) => name.startsWith("/assets/"))) {
    const { status, headers } = await get(path);
    assert.equal(status, 200);
    assert.match(headers.get("cache-control"), /max-age=31536000.*immutable/, path);
    const etag = headers.get("etag");
    assert.match(etag, /^"\w+"$/, path);
    const again = await get(path, { "If-None-Match": etag });
    assert.equal(again.status, 304, path);
    assert.equal(again.text, "");
    assert.equal((await get(path, { "If-None-Match": '"other"' })).status, 200, path);
  }
});

test("parts are compressed for those who take that, and the same text either way", async () => {
  for (const path of await parts()) {
    const plain = await get(path, { "Accept-Encoding": "identity" });
    assert.equal(plain.headers.get("content-encoding"), null, path);
    for (const encoding of ["br", "gzip"]) {
      const { headers, text } = await get(path, { "Accept-Encoding": encoding });
      if (plain.text.length > 2_000) assert.equal(headers.get("content-encoding"), encoding, path);
      assert.match(headers.get("vary") ?? "", /accept-encoding/i, path);
      assert.equal(text, plain.text, path);
    }
  }
});

test("what has no hash in its name is asked for again", async () => {
  const { headers } = await get("/early.js");
  assert.match(headers.get("cache-control"), /no-cache/);
  assert.match(headers.get("content-type"), /javascript/);
  assert.equal((await get("/early.js", { "If-None-Match": headers.get("etag") })).status, 304);
});

test("the licences of what is baked in are served with it", async () => {
  const { status, headers, text } = await get("/NOTICE.txt");
  assert.equal(status, 200);
  assert.match(headers.get("content-type"), /^text\/plain/);
  for (const words of ["Inter Project Authors", "JetBrains Mono Project Authors", "SIL OPEN FONT LICENSE Version 1.1"]) {
    assert.ok(text.includes(words), words);
  }
});

test("what does not exist is 404, and not the page", async () => {
  for (const path of ["/assets/no-such-file-12345678.js", "/no-such-file.txt", "/assets/"]) {
    const { status, text } = await get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(text, /<div id="app">/, path);
  }
  const { status, headers, body } = await server.raw("/api/v1/no-such-thing");
  assert.equal(status, 404);
  assert.match(headers.get("content-type"), /^application\/json/);
  assert.equal(typeof body.detail, "string");
});

test("nothing outside of the Web app's folder can be read", async () => {
  for (const path of ["/..%2f..%2fetc/passwd", "/assets/..%2f..%2fsetup-token"]) {
    const { status, text } = await get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(text, /root:|[0-9a-f]{4}-[0-9a-f]{4}/, path);
  }
});
