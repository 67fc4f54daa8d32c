//! kill -9 at the n-th sync: at every step of the server's work on its disk.

use crate::instance::Instance;
use crate::journal::{Journal, Load};
use crate::report::{Outcome, Report, broken, is_soak, kept, skipped, within};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::server::command;
use crate::support::{Server, World};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Far longer than a server under load takes for several hundred syncs.
const REACHED: Duration = Duration::from_mins(1);

/// The thread that appends to the journal, and the one that applies digested events, which syncs twenty times a
/// second.
const INTAKE: &str = "write intake";
const MAIN: &str = "write main";

/// A thread, and the sync at which it is killed.
type Kill = (&'static str, usize);

/// For each kill one life of the server.
fn kills_at_syncs(kills: &[Kill], environment: &[(&str, &str)]) -> Outcome {
    let mut instance = Instance::start_with(environment);
    let journal = Journal::default();
    let mut streaming = Duration::ZERO;
    for kill in kills {
        let mut outcome = Ok(());
        streaming += journal.stream(&instance, Load::MIXED, || outcome = kill_at(&instance, *kill));
        outcome?;
        (instance, _) = instance.after(World::kill_and_restart);
    }
    let rate = journal.check_rate(streaming)?;
    let found = journal.check(&instance)?;
    Ok(Report::default().with("kills", kills.len()).with("rate", rate).with("found", found))
}

fn kill_at(instance: &Instance, (thread, number): Kill) -> Result<(), String> {
    let server = &instance.world.server;
    let _strace = Strace::attach_to(server, &[thread], SYNCS, &format!("signal=KILL:when={number}"))?;
    let reached =
        within(REACHED, &format!("sync {number} of `{thread}`"), || server.has_ended().then_some(()));
    if reached.is_err() {
        server.signal(Signal::KILL);
    }
    reached
}

#[test]
fn kills_at_any_sync_lose_and_double_nothing() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let short =
        [(INTAKE, 1), (MAIN, 1), (INTAKE, 2), (MAIN, 2), (INTAKE, 5), (MAIN, 3), (INTAKE, 13), (MAIN, 6)];
    let intake = (1..=400).map(|number| (INTAKE, number));
    let long: Vec<Kill> = intake.chain((1..=60).map(|number| (MAIN, number))).collect();
    kept(kills_at_syncs(if is_soak() { &long } else { &short }, &[]));
}

#[test]
fn a_position_kept_beside_the_commit_is_noticed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let kills: Vec<Kill> = (1..=10).map(|number| (MAIN, number)).collect();
    // Repeated events are recognized nevertheless, unless that is broken, too.
    let environment = [("MAYDAY_SABOTAGE", "position_beside_commit,no_dedup")];
    broken(kills_at_syncs(&kills, &environment), "doubled");
}

/// Kills during the very first start, at each sync until there are no more: the next start repairs it.
#[test]
fn a_first_start_that_is_cut_off_anywhere_is_mended_by_the_next() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let most = if is_soak() { 40 } else { 8 };
    let cut_off = (1..=most).take_while(|number| cut_off_start(*number)).count();
    eprintln!("{cut_off} starts were cut off");
    assert!(cut_off > 3, "a first start has more syncs than that");
}

/// Whether the start was cut off at that sync; then the next one must work.
fn cut_off_start(number: usize) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let serve = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    let mut traced = Command::new("strace");
    // `-D`: the server is our child, and strace its.
    traced.args(["-D", "-f", "-o", "/dev/null", "-e", &format!("trace={SYNCS}"), "-e"]);
    traced.arg(format!("inject={SYNCS}:signal=KILL:when={number}"));
    traced.arg(serve.get_program()).args(serve.get_args()).arg(folder.path()).current_dir(folder.path());
    let mut child = traced.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
    if greeting.is_empty() {
        child.wait().unwrap();
        World::new(Server::start_in(folder)).owner.get("/api/v1/me").send().expect(200);
        return true;
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    child.wait().unwrap();
    false
}
