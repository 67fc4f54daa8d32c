// An OpenID Connect provider in the test process: the certified `oidc-provider`, with one client that
// has to use PKCE, a sign-in page where a name is enough, and a consent page. Beside that it can go
// wrong in the ways that providers do.

import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { arrived, button, visit } from "./people.mjs";

const client = { id: "mayday", secret: "a-secret-of-the-tests-0123456789abcdef" };

/** Where a `Provider` keeps sessions, codes and grants. */
class Memory {
  static #kept = new Map();
  constructor(model) {
    this.model = model;
  }
  #key = (id) => `${this.model}:${id}`;
  async upsert(id, payload) {
    Memory.#kept.set(this.#key(id), payload);
  }
  async find(id) {
    return Memory.#kept.get(this.#key(id));
  }
  async findByUid(uid) {
    return [...Memory.#kept.values()].find((payload) => payload.uid === uid);
  }
  async findByUserCode() {}
  async consume(id) {
    Memory.#kept.get(this.#key(id)).consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id) {
    Memory.#kept.delete(this.#key(id));
  }
  async revokeByGrantId(grantId) {
    for (const [key, payload] of Memory.#kept) if (payload.grantId === grantId) Memory.#kept.delete(key);
  }
}

function newKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), alg: "RS256", use: "sig" };
}

export class IdentityProvider {
  #http;
  #provider;
  #keys = [newKey()];
  #redirects = [];
  #asked = [];
  /** By subject: what the provider says of somebody. */
  #people = new Map();
  /** How it goes wrong; see `misbehave`. */
  #ways = {};

  /** Starts it on a free port. It is reached by another name than the server, as a provider is. */
  static async start() {
    const idp = new IdentityProvider();
    idp.#http = createServer((request, response) => {
      idp.#answer(request, response).catch((error) => {
        console.error("the provider of the tests failed:", error);
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    await new Promise((done) => idp.#http.listen(0, "127.0.0.1", done));
    idp.issuer = `http://127.0.0.1:${idp.#http.address().port}`;
    idp.#build();
    return idp;
  }

  /** The variables of a server that signs in here. */
  variables(more = {}) {
    return {
      SSO_ENABLED: "true",
      SSO_OIDC_ISSUER_URL: this.issuer,
      SSO_OIDC_CLIENT_ID: client.id,
      SSO_OIDC_CLIENT_SECRET: client.secret,
      SSO_OIDC_ALLOW_PRIVATE_PROVIDER_URLS: "true",
      SSO_DISPLAY_NAME: "Acme login",
      ...more,
    };
  }

  /** Lets a server's callback be come back to. */
  trust(server) {
    this.#redirects.push(`${server.origin}/api/v1/auth/callback`);
    this.#build();
  }

  /** What it says of a subject: `email`, `email_verified`, `name`; what is left out it does not say. */
  person(subject, claims) {
    this.#people.set(subject, { sub: subject, ...claims });
  }

  /** Signs with a new key from now on; the old one is gone from its key set. */
  rotateKeys() {
    this.#keys = [newKey()];
    this.#build();
  }

  /**
   * `issuer`: what discovery says of itself; `lifetime`: of ID tokens, in seconds, below zero for the
   * past; `userInfo: false`: without that endpoint, all in the ID token; `userInfoSubject`: of whom the
   * user info is; `stops`: it does not send the browser back, and keeps the address in `stoppedAt`.
   * Called with nothing it behaves again.
   */
  misbehave(ways = {}) {
    this.#ways = ways;
    this.#build();
  }

  /** Paths that were asked for so far. */
  requests(pattern = /./) {
    return this.#asked.filter((path) => pattern.test(path));
  }

  close() {
    return new Promise((done) => {
      this.#http.close(done);
      this.#http.closeAllConnections();
    });
  }

  #build() {
    const userInfo = this.#ways.userInfo !== false;
    this.#provider = new Provider(this.issuer, {
      adapter: Memory,
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: this.#redirects.length > 0 ? this.#redirects : [`${this.issuer}/nowhere`],
          grant_types: ["authorization_code"],
          response_types: ["code"],
        },
      ],
      pkce: { required: () => true, methods: ["S256"] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      // As the standard has it: claims are in the ID token only where there is no user info.
      conformIdTokenClaims: userInfo,
      features: { devInteractions: { enabled: false }, userinfo: { enabled: userInfo } },
      jwks: { keys: this.#keys },
      cookies: { keys: ["only for tests"] },
      ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 3600, IdToken: () => this.#ways.lifetime ?? 300, Interaction: 600, Session: 3600 },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      renderError: (context, { error, error_description: told }) => {
        context.type = "text";
        context.body = `${error}: ${told}`;
      },
      findAccount: (_, id) => {
        const claims = this.#people.get(id);
        return claims && { accountId: id, claims: async () => claims };
      },
    });
    this.#provider.use(async (context, next) => {
      await next();
      const { issuer, userInfoSubject, stops } = this.#ways;
      if (context.oidc?.route === "discovery" && issuer) context.body = { ...context.body, issuer };
      if (context.oidc?.route === "userinfo" && userInfoSubject) context.body = { ...context.body, sub: userInfoSubject };
      const back = context.response.get("Location");
      if (stops && this.#redirects.some((redirect) => back.startsWith(redirect))) {
        this.stoppedAt = back;
        context.status = 200;
        context.body = "Stopped here.";
      }
    });
  }

  async #answer(request, response) {
    const { pathname } = new URL(request.url, this.issuer);
    this.#asked.push(pathname);
    if (pathname === "/favicon.ico") return response.writeHead(204).end();
    if (!pathname.startsWith("/interaction/")) return this.#provider.callback()(request, response);
    const details = await this.#provider.interactionDetails(request, response);
    if (request.method !== "POST") return this.#show(details, response);
    const form = new URLSearchParams(await bodyOf(request));
    const result = await this.#decided(details, form);
    return this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  #show({ prompt: { name }, params }, response) {
    const ask =
      name === "login"
        ? `<label>Account <input name="subject" autofocus></label> <button name="do" value="login">Log in</button>`
        : `<p>${escaped(params.client_id)} asks for: ${escaped(params.scope)}</p> <button name="do" value="consent">Allow</button>`;
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(`<!doctype html><title>Provider</title><h1>${name === "login" ? "Log in" : "Allow"}</h1>
<form method="post">${ask} <button name="do" value="cancel">Cancel</button></form>`);
  }

  async #decided({ prompt, params, session, grantId }, form) {
    switch (form.get("do")) {
      case "login":
        return { login: { accountId: form.get("subject") } };
      case "consent": {
        const { Grant } = this.#provider;
        const grant = grantId ? await Grant.find(grantId) : new Grant({ accountId: session.accountId, clientId: params.client_id });
        if (prompt.details.missingOIDCScope) grant.addOIDCScope(prompt.details.missingOIDCScope.join(" "));
        if (prompt.details.missingOIDCClaims) grant.addOIDCClaims(prompt.details.missingOIDCClaims);
        return { consent: { grantId: await grant.save() } };
      }
      default:
        return { error: "access_denied", error_description: "The person said no." };
    }
  }
}

async function bodyOf(request) {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  return text;
}

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.codePointAt(0)};`);

/** Logs in at the provider, on its page, and allows what is asked for. */
export async function logIn(page, subject) {
  await page.getByRole("textbox", { name: "Account" }).fill(subject);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
}

/** What a provider says of somebody whose address it has verified. */
export const proven = (email, more = {}) => ({ email, email_verified: true, ...more });

/** Goes to a page as somebody who is not signed in, and on to the provider. */
export function throughProvider(idp, server, subject, then, path = "/login") {
  const act = async (page, context, opened) => {
    await button(page, "Continue with Acme login").click();
    await logIn(page, subject);
    await then(page, context, opened);
  };
  return visit(server, path, act, { others: [idp.issuer] });
}

export const getsInThroughProvider = (idp, server, subject, email, then = async () => undefined) =>
  throughProvider(idp, server, subject, async (page, context, opened) => {
    await arrived(server, page, context, email);
    await then(page, context, opened);
  });
