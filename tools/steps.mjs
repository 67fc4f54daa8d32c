#!/usr/bin/env node
// Runs commands one after the other, as the continuous integration does:
//
//   tools/steps.mjs --within MINUTES  MINUTES[?] 'COMMAND'  [MINUTES[?] 'COMMAND'...]
//
// Each command has its own limit and its own process group, and all of them share one limit. One whose limit has a question
// mark begins only if that much time is left: on a slow machine it is left out, and the table says so. Their output goes to files,
// printed as they grow: a process that outlives its command holds no pipe open. What a command leaves running (daemons leave
// their group and their parent) is named, ended, and counts as a failure. The last lines are a table.

import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count } from "./step-results.mjs";

const MARK = "MAYDAY_STEP";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Seconds between asking a command to end and ending it. */
const GRACE = 20;
/** Seconds in which what a command started may still end by itself. */
const LINGER = 3;

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const say = (text) => process.stdout.write(`${text}\n`);

function usage() {
  console.error("usage: tools/steps.mjs --within MINUTES  MINUTES[?] 'COMMAND'  [MINUTES[?] 'COMMAND'...]");
  process.exit(2);
}

function read() {
  const [flag, within, ...rest] = process.argv.slice(2);
  const steps = [];
  while (rest.length > 0) {
    const limit = rest.shift();
    steps.push({ seconds: Number(limit.replace(/\?$/, "")) * 60, isOptional: limit.endsWith("?"), command: rest.shift() });
  }
  const isWrong = ({ seconds, command }) => !(seconds > 0) || !command;
  if (flag !== "--within" || !(Number(within) > 0) || steps.length === 0 || steps.some(isWrong)) usage();
  return { until: Date.now() + Number(within) * 60_000, steps };
}

const field = (pid, name) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
};

/** Runs a command as the parent of whoever loses its own below it, which perl can ask the kernel for. Forwards signals. */
const REAPER = `
my ($call, @command) = @ARGV;
my $child;
for my $name (qw(INT TERM HUP)) { $SIG{$name} = sub { kill $name, $child if $child } }
syscall($call, 36, 1, 0, 0, 0) == 0 or warn "no subreaper: $!\\n";
# Whoever ends the outer program ends this one.
syscall($call, 1, 15, 0, 0, 0);
$child = fork // die "fork: $!\\n";
if (!$child) { $SIG{$_} = "DEFAULT" for qw(INT TERM HUP); exec @command or exit 127 }
while (1) {
  my $pid = waitpid(-1, 0);
  next if $pid == -1 && $!{EINTR};
  exit 1 if $pid == -1;
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if $pid == $child;
}`;
const PRCTL = { x64: 157, arm64: 167 }[process.arch];
/** The reaper; its children beside this program are orphans. Not asked for later: it may have ended, and another be the parent. */
const reaper = process.env.MAYDAY_REAPED === "yes" && process.ppid > 1 ? process.ppid : undefined;

/** This program once more, below the reaper; its exit code. */
function reaped() {
  const words = ["-e", REAPER, "--", String(PRCTL), process.execPath, ...process.argv.slice(1)];
  const child = spawn("perl", words, { stdio: "inherit", env: { ...process.env, MAYDAY_REAPED: "yes" } });
  for (const name of SIGNALS) process.on(name, () => signal(child.pid, name));
  return new Promise((done) => child.once("exit", (code) => done(code ?? 1)));
}

/** What a command has started: the processes that carry its mark, their descendants (a container has an environment of its
 * own), those that lost their parent, and whoever was seen as one before its parent ended. */
class Started {
  constructor(mark) {
    this.mark = `${MARK}=${mark}`;
    /** When each began, so that another process of the same id is none of them. */
    this.seen = new Map();
  }

  /** Looks at all processes of this machine; those that run. */
  look() {
    const all = new Map();
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number)) {
      const [state, parent, ...rest] = field(pid, "stat").split(") ").at(-1).split(" ");
      if (pid !== process.pid && state && state !== "Z") all.set(pid, { parent: Number(parent), begun: rest[17] });
    }
    for (const [pid, begun] of this.seen) if (all.get(pid)?.begun !== begun) this.seen.delete(pid);
    const add = (pid) => this.seen.set(pid, all.get(pid).begun);
    const isOrphan = ({ parent }) => parent === reaper && process.ppid === reaper;
    const isMarked = (pid) => field(pid, "environ").split("\0").includes(this.mark);
    for (const [pid, one] of all) if (!this.seen.has(pid) && (isOrphan(one) || isMarked(pid))) add(pid);
    for (let size = -1; size !== this.seen.size; ) {
      size = this.seen.size;
      for (const [pid, { parent }] of all) if (this.seen.has(parent) && !this.seen.has(pid)) add(pid);
    }
    return [...this.seen.keys()];
  }
}

const named = (pid) => `${pid} ${field(pid, "cmdline").replaceAll("\0", " ").trim().slice(0, 160)}`;

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Prints a file from where it was printed last. */
class Printed {
  constructor(path) {
    this.file = openSync(path, "r");
    this.at = 0;
  }

  more() {
    const piece = Buffer.alloc(1 << 16);
    for (let size; (size = readSync(this.file, piece, 0, piece.length, this.at)) > 0; this.at += size) process.stdout.write(piece.subarray(0, size));
  }

  close() {
    this.more();
    closeSync(this.file);
  }
}

/** Ends a command that is late, saying what it was doing. */
async function end(child, started, why) {
  say(`\n${why}. Running then:`);
  for (const pid of started.look()) say(`  ${named(pid)}`);
  // Test runners say which of their tests they interrupt.
  signal(-child.pid, "SIGINT");
  for (let waited = 0; waited < GRACE && child.exitCode === null && child.signalCode === null; waited += 1) await pause(1);
  signal(-child.pid, "SIGKILL");
}

/** Ends what a command has left running; its names. */
async function sweep(started) {
  for (let waited = 0; waited < LINGER && started.look().length > 0; waited += 0.25) await pause(0.25);
  const left = started.look().map((pid) => [pid, named(pid)]);
  for (const [pid] of left) signal(pid, "SIGKILL");
  return left.map(([, name]) => name);
}

let interrupted;
for (const name of SIGNALS) process.on(name, () => (interrupted = name));

async function run({ command, seconds }, log, until) {
  const mark = `${process.pid}-${Date.now()}`;
  const begun = Date.now();
  const limit = Math.min(seconds, (until - begun) / 1000);
  const output = openSync(log, "w");
  // `timeout` is for the case that this program is ended itself.
  const words = ["--signal=INT", `--kill-after=${GRACE}`, `${Math.ceil(limit) + GRACE}`, "bash", "-c", command];
  const child = spawn("timeout", words, { detached: true, stdio: ["ignore", output, output], env: { ...process.env, MAYDAY_REAPED: "", [MARK]: mark } });
  closeSync(output);
  const started = new Started(mark);
  const printed = new Printed(log);
  const printing = setInterval(() => printed.more(), 200);
  const ended = new Promise((done) => child.once("exit", (code, by) => done(code ?? by)));
  let why;
  const looking = setInterval(() => {
    started.look();
    if (why) return;
    if (reaper && process.ppid !== reaper) interrupted ??= "the end of the reaper";
    if (interrupted) why = `${interrupted} came during ${command}`;
    else if (Date.now() - begun > limit * 1000) why = `${command} did not end within its ${limit < seconds ? "share of the time for all steps" : `${seconds / 60} minutes`}`;
    if (why) void end(child, started, why);
  }, 500);
  const code = await ended;
  clearInterval(looking);
  clearInterval(printing);
  printed.close();
  const left = await sweep(started);
  return { command, code, why, left, seconds: Math.round((Date.now() - begun) / 1000), ...count(readFileSync(log, "utf8")) };
}

/** A step that was not run; whether that is a failure is in its code. */
const notRun = ({ command, isOptional }, unrun) => ({ command, unrun, code: isOptional ? 0 : 1, left: [], failures: [], seconds: 0 });
const isRed = ({ code, why, left, unrun }) => unrun === undefined && (code !== 0 || why !== undefined || left.length > 0);

function report(results) {
  for (const { command, why, code, left, failures } of results.filter(isRed)) {
    say(`\nFAILED: ${command}: ${why ?? (code === 0 ? "it left processes running" : `it ended with ${code}`)}`);
    for (const line of failures) say(`  ${line}`);
    for (const name of left) say(`  left running, and ended: ${name}`);
  }
  const cell = (value) => String(value).padStart(8);
  say(`\n${["seconds", "tests", "skipped", "flaky"].map(cell).join("")}  step`);
  for (const result of results) {
    if (result.unrun) {
      say(`${cell("-").repeat(4)}  ${result.command}  ${result.unrun}`);
      continue;
    }
    const { seconds, tests, skipped, flaky, command, untried } = result;
    say(`${[seconds, tests, skipped, flaky.length].map(cell).join("")}  ${command}${isRed(result) ? "  FAILED" : ""}`);
    for (const name of flaky) say(`${" ".repeat(34)}passed when it was run again: ${name}`);
    for (const line of untried) say(`${" ".repeat(34)}${line}`);
  }
  say(`${cell(results.reduce((sum, { seconds }) => sum + seconds, 0))}${" ".repeat(26)}in all`);
}

const { until, steps } = read();
const canReap = PRCTL && spawnSync("perl", ["-e", "1"]).status === 0;
if (canReap && process.env.MAYDAY_REAPED !== "yes") process.exit(await reaped());
const logs = mkdtempSync(join(tmpdir(), "mayday-steps-"));
const results = [];
for (const step of steps) {
  const minutes = (until - Date.now()) / 60_000;
  if (interrupted || minutes <= 0) {
    results.push(notRun({ ...step, isOptional: false }, "NOT RUN"));
  } else if (step.isOptional && minutes < step.seconds / 60) {
    results.push(notRun(step, `NOT RUN: ${Math.floor(minutes)} of its ${step.seconds / 60} minutes were left`));
  } else {
    say(`\n=== ${step.command} (${step.seconds / 60} minutes at most)`);
    results.push(await run(step, join(logs, String(results.length)), until));
    // What was compiled and started is the same for all steps: after a failure the others still say what they find.
  }
}
rmSync(logs, { recursive: true, force: true });
report(results);
process.exit(results.some((result) => result.code !== 0 || isRed(result)) ? 1 : 0);
