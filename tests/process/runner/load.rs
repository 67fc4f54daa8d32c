//! Agents that use too many resources of the machine.

use super::Shop;
use super::machine::Machine;
use super::sandbox::{has_rooms, runs};
use crate::support::world::text;
use crate::support::{eventually, json};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Changes a file, and then has four processes of 60 MiB each.
const GROWS: &str = r#"echo mended >> src/cart.mjs
for number in 1 2 3 4; do
  perl -e '$all = "x" x (60 << 20); sleep 98765' 98765.1234 &
done
wait
"#;
const FORKS: &str = r#"echo mended >> src/cart.mjs
for number in $(seq 150); do sleep 98765.1234 & done
wait
"#;

/// Fills the folders in memory of a room, each of which may have a fourth of the session's memory.
const FILLS: &str = r#"echo mended >> src/cart.mjs
for folder in /tmp /var/tmp /dev/shm "$HOME"; do head -c 40M /dev/zero > "$folder/full"; done
exec perl -e 'sleep 98765' 98765.1234
"#;
/// Has two processes that compute until each used 0.75 s of a processor, and writes how long that took.
const COMPUTES: &str = r#"begun="$(date +%s.%N)"
for number in 1 2; do
  perl -e '1 while (times)[0] < 0.75' &
done
wait
echo "$(date +%s.%N) $begun" > "$SHOP/computed"
"#;

/// Runs an agent that is ended for its usage, in each isolation that this machine has.
fn is_ended(script: &str, arguments: &[&str], why: &str) {
    let rooms = if has_rooms() { &["none", "sandbox"][..] } else { &["none"] };
    for isolation in rooms {
        is_ended_in(isolation, script, arguments, why);
    }
}

fn is_ended_in(isolation: &str, script: &str, arguments: &[&str], why: &str) {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let arguments = [&["--isolation", isolation], arguments].concat();
    let machine = shop.machine(script, &arguments);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "failed", "{told} {}", machine.said());
    assert!(text(&told["reason"]).contains(why), "{told}");
    assert!(text(&told["patch"]).contains("+mended"), "what it did is kept: {told}");
    assert_eq!(shop.branches(), Vec::<String>::new(), "and not pushed");
    eventually("the end of all", || (!runs("98765.1234")).then_some(()));
    let left = groups_of(machine.pid());
    assert!(left.is_empty(), "{left:?}");
}

/// Whether runners of this machine have control groups for their sessions; a container may have none.
fn has_groups(machine: &Machine) -> bool {
    let said = eventually("the runner's limits", || {
        Some(machine.said()).filter(|said| said.contains("A session has"))
    });
    let has_groups = said.contains("by control groups");
    if !has_groups {
        eprintln!("SKIPPED: this machine has no control groups for runners");
    }
    has_groups
}

/// The control groups that a runner has made and not removed.
fn groups_of(runner: u32) -> Vec<PathBuf> {
    let name = format!("mayday-{runner}-*");
    let found = Command::new("find").args(["/sys/fs/cgroup", "-type", "d", "-name", &name]).output().unwrap();
    String::from_utf8(found.stdout).unwrap().lines().map(PathBuf::from).collect()
}

#[test]
fn an_agent_whose_processes_use_too_much_memory_is_ended_with_all_of_them() {
    is_ended(GROWS, &["--max-memory-mb", "150"], "more than 150.0 MiB of memory");
}

#[test]
fn an_agent_with_too_many_processes_is_ended_with_all_of_them() {
    is_ended(FORKS, &["--max-processes", "60"], "more than 60 processes");
}

/// Whether processes run in a group of a runner's that may use half a processor.
fn has_half_a_processor(runner: u32) -> bool {
    groups_of(runner).iter().any(|group| {
        let read = |file: &str| fs::read_to_string(group.join(file)).unwrap_or_default();
        let quota = read("cpu.max") + &read("cpu.cfs_quota_us");
        quota.starts_with("50000") && !read("cgroup.procs").is_empty()
    })
}

#[test]
fn files_in_memory_count_where_there_are_control_groups() {
    let shop = Shop::new();
    let machine = shop.machine("true", &[]);
    if has_rooms() && has_groups(&machine) {
        is_ended_in("sandbox", FILLS, &["--max-memory-mb", "150"], "more than 150.0 MiB of memory");
    }
}

#[test]
fn processes_together_compute_no_faster_than_they_may() {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let machine = shop.machine(COMPUTES, &["--max-cpus", "0.5"]);
    eventually("the runner's start or end", || Some(machine.said()).filter(|said| !said.is_empty()));
    if machine.said().contains("--max-cpus needs control groups") {
        return eprintln!("SKIPPED: {}", machine.said());
    }
    assert!(has_groups(&machine));
    eventually("the agent in its group", || has_half_a_processor(machine.pid()).then_some(()));
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    let computed = shop.read("computed");
    let (end, begun) = computed.trim().split_once(' ').unwrap();
    let seconds = end.parse::<f64>().unwrap() - begun.parse::<f64>().unwrap();
    // However busy the machine is, this only takes longer.
    assert!(seconds > 2.5, "1.5 seconds of half a processor take three: {seconds}");
}

#[test]
fn a_process_that_uses_up_its_processor_time_is_ended() {
    if !has_rooms() {
        return;
    }
    let mut room = Command::new("timeout");
    room.args(["120", "bwrap", "--unshare-user", "--unshare-all", "--die-with-parent"]);
    room.args(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--"]);
    room.args([env!("CARGO_BIN_EXE_mayday"), "runner-room", "--processes", "64", "--cpu-seconds", "1", "--"]);
    room.args(["/bin/sh", "-c", "ulimit -S -t; ulimit -H -t; while :; do :; done"]);
    let output = room.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n11\n", "{said}");
    assert_eq!(output.status.code(), Some(128 + 24), "SIGXCPU: {said}");
}

#[test]
fn processes_in_a_room_have_a_limit_of_processor_time_without_control_groups() {
    if !has_rooms() {
        return;
    }
    let shop = Shop::new();
    let session = shop.session(&json!({"timeLimitMinutes": 30}));
    // Whatever the capacity, a build may have a thread for each processor.
    let arguments = ["--isolation", "sandbox", "--capacity", "2"];
    let machine = shop.machine("echo \"seconds: $(ulimit -t)\"", &arguments);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    let processors = std::thread::available_parallelism().unwrap().get();
    let most = match machine.said().contains("by control groups") {
        true => "unlimited".to_owned(),
        false => (30 * 60 * processors).to_string(),
    };
    let output = shop.output(&session);
    assert!(output.contains(&format!("seconds: {most}\n")), "{most}: {output}");
}
