// A runner that speaks the protocol over HTTP and does what a test tells it, step by step.

import { until } from "./server.mjs";

export class ScriptedRunner {
  constructor(server, token) {
    Object.assign(this, { server, token, sequence: 0 });
  }

  #post(path, body, expect = 200) {
    return this.server.post(`/api/runners/self/${path}`, body, { token: this.token, expect });
  }

  /** Says that it is there, without waiting for work. */
  claim(more = {}) {
    return this.#post("claim", { version: "1.0.0", platform: "linux/x86_64", capacity: 2, ...more }, [200, 204]);
  }

  /** Says that it has a mirror of a repository. */
  mirror(mirror) {
    return this.#post("mirrors", mirror);
  }

  /** Waits until there is a session for it. */
  async take() {
    this.job = await until("a session for the runner", async () => (await this.claim())?.job);
    this.sequence = 0;
    return this.job;
  }

  #ofJob(what, body) {
    const { session_id, lease } = this.job;
    return this.#post(`sessions/${session_id}/${what}`, { lease, ...body });
  }

  /** What the agent writes: `[role, text, stream]` each. */
  write(...entries) {
    return this.tell(...entries.map(([role, content, stream = null]) => ({ role, content, stream })));
  }

  /** Entries as they are. */
  async tell(...entries) {
    this.sequence = (await this.#ofJob("output", { sequence: this.sequence, entries })).next;
  }

  /** What people want, and said. */
  renew(more = {}) {
    return this.#ofJob("renew", more);
  }

  finish(outcome, more = {}) {
    return this.#ofJob("finish", { outcome, exit_code: outcome === "completed" ? 0 : 1, ...more });
  }
}
