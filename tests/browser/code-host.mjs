// A stand-in for GitHub, written by us: the four addresses that a sign-in uses, in the shapes that
// GitHub documents, with a page that asks for leave. It is no proof that GitHub answers so.

import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";

const client = { id: "mayday", secret: "a-secret-of-the-code-host" };

export class CodeHost {
  #http;
  #people = new Map();
  #codes = new Map();
  #tokens = new Map();

  static async start() {
    const host = new CodeHost();
    host.#http = createServer((request, response) => {
      host.#answer(request, response).catch((error) => {
        console.error("the code host of the tests failed:", error);
        response.writeHead(500).end();
      });
    });
    await new Promise((done) => host.#http.listen(0, "127.0.0.1", done));
    host.origin = `http://127.0.0.1:${host.#http.address().port}`;
    return host;
  }

  /** The variables of a server that signs in here. */
  variables(more = {}) {
    return {
      HOST_OAUTH_CLIENT_ID: client.id,
      HOST_OAUTH_CLIENT_SECRET: client.secret,
      SERVICE_HOST_OAUTH_AUTHORIZE_URL: `${this.origin}/login/oauth/authorize`,
      SERVICE_HOST_OAUTH_TOKEN_URL: `${this.origin}/login/oauth/access_token`,
      SERVICE_HOST_OAUTH_API_URL: `${this.origin}/api`,
      ...more,
    };
  }

  /** Somebody there, by the login that the page asks for: `id`, `name`, `emails` as the API lists them. */
  person(login, { id, name = null, emails = [] }) {
    this.#people.set(login, { id, login, name, emails });
  }

  close() {
    return new Promise((done) => {
      this.#http.close(done);
      this.#http.closeAllConnections();
    });
  }

  async #answer(request, response) {
    const url = new URL(request.url, this.origin);
    const route = `${request.method} ${url.pathname}`;
    if (route === "GET /login/oauth/authorize") return this.#ask(url, response);
    if (route === "POST /login/oauth/authorize") return this.#allow(url, await formOf(request), response);
    if (route === "POST /login/oauth/access_token") return json(response, this.#redeem(await formOf(request)));
    const person = this.#tokens.get(request.headers.authorization?.replace(/^Bearer /, ""));
    if (url.pathname.startsWith("/api/") && !person) return json(response, { message: "Bad credentials" }, 401);
    if (route === "GET /api/user") return json(response, { id: person.id, login: person.login, name: person.name, email: null });
    if (route === "GET /api/user/emails") return json(response, person.emails);
    return response.writeHead(url.pathname === "/favicon.ico" ? 204 : 404).end();
  }

  #ask({ searchParams }, response) {
    const ok = searchParams.get("client_id") === client.id && searchParams.get("code_challenge_method") === "S256";
    response.writeHead(ok ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><title>Code host</title><h1>Authorize</h1><form method="post">
<label>Login <input name="login" autofocus></label> <button name="do" value="allow">Authorize</button> <button name="do" value="cancel">Cancel</button></form>`);
  }

  #allow({ searchParams }, form, response) {
    const back = new URL(searchParams.get("redirect_uri"));
    if (form.get("do") === "allow") {
      const code = randomUUID();
      this.#codes.set(code, { person: this.#people.get(form.get("login")), challenge: searchParams.get("code_challenge"), back: back.href });
      back.searchParams.set("code", code);
    } else {
      back.searchParams.set("error", "access_denied");
    }
    back.searchParams.set("state", searchParams.get("state"));
    response.writeHead(302, { Location: back.href }).end();
  }

  /** GitHub answers 200 with `error` in it when it refuses. */
  #redeem(form) {
    if (form.get("client_id") !== client.id || form.get("client_secret") !== client.secret) return { error: "incorrect_client_credentials" };
    const known = this.#codes.get(form.get("code"));
    this.#codes.delete(form.get("code"));
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
    if (!known?.person || known.challenge !== challenge || known.back !== form.get("redirect_uri")) return { error: "bad_verification_code" };
    const token = `gho_${randomUUID()}`;
    this.#tokens.set(token, known.person);
    return { access_token: token, token_type: "bearer", scope: "read:user,user:email" };
  }
}

async function formOf(request) {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return new URLSearchParams(text);
}

function json(response, body, status = 200) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Says yes on the host's page. */
export async function authorize(page, login) {
  await page.getByLabel("Login").fill(login);
  await page.getByRole("button", { name: "Authorize" }).click();
}
