// A mailbox for the tests: a real SMTP server that tells what it was given.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { python } from "./programs.mjs";
import { until } from "./server.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** A certificate for `localhost`, which is its own authority. */
export const certificate = join(here, "..", "fixtures", "keys", "localhost.pem");

export class MailSink {
  mails = [];
  #child;

  /** `tls`: `smtps` or `starttls`, with the certificate of the tests. */
  static async start({ tls } = {}) {
    const sink = new MailSink();
    const options = tls ? [tls, certificate, certificate.replace(".pem", ".key.pem")] : [];
    sink.#child = spawn(python, [join(here, "mail-sink.py"), ...options], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: sink.#child.stdout });
    await new Promise((done, failed) => {
      sink.#child.once("error", failed);
      sink.#child.once("exit", (code) => failed(new Error(`the mail sink ended with ${code}`)));
      lines.on("line", (line) => {
        const told = JSON.parse(line);
        if (told.port === undefined) sink.mails.push(told);
        else {
          sink.port = told.port;
          done();
        }
      });
    });
    return sink;
  }

  /** The variables of a server that sends its mail here. */
  variables(more = {}) {
    return { SERVICE_MAIL_SMTP_URL: `smtp://127.0.0.1:${this.port}`, MAIL_FROM_EMAIL: "Mayday <mayday@example.com>", ...more };
  }

  /** Mails to somebody about something, the oldest first. */
  to(address, subject = /./) {
    return this.mails.filter(({ to, headers }) => to.includes(address) && subject.test(headers.Subject));
  }

  /** Waits for the mail to somebody about something after the first `known` of these. */
  next(address, subject, known = 0) {
    return until(`mail ${known + 1} to ${address} about ${subject}`, async () => this.to(address, subject)[known]);
  }

  /** Ends it. */
  close() {
    this.#child.stdin.end();
    return new Promise((done) => this.#child.once("exit", done));
  }
}

/** The one link in a mail. */
export function linkIn({ text }) {
  const links = text.match(/https?:\/\/\S+/g) ?? [];
  assert.equal(links.length, 1, `one link in: ${text}`);
  return new URL(links[0]);
}
