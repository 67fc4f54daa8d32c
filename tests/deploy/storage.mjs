// S3-compatible storage: moto.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "./programs.mjs";
import { install } from "./venv.mjs";

/** Starts it with the bucket `backups`, on all addresses of this host. */
export async function startStorage() {
  const programs = install();
  const port = await freePort();
  const moto = spawn(join(programs, "moto_server"), ["-H", "0.0.0.0", "-p", String(port)], { stdio: "ignore" });
  const address = `http://127.0.0.1:${port}`;
  const isUp = () => fetch(`${address}/backups`, { method: "PUT" }).then((answer) => answer.ok, () => false);
  for (const until = Date.now() + 60_000; !(await isUp()); ) {
    if (Date.now() > until) {
      moto.kill("SIGKILL");
      throw new Error("the storage did not start");
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    port,
    address,
    /** The keys of what is there. */
    list: async () => [...(await (await fetch(`${address}/backups?list-type=2`)).text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key),
    stop: () => moto.kill("SIGKILL"),
  };
}
