//! One project fills the disk, another one sends now and then.

use crate::disk_full::Ballast;
use crate::instance::{Instance, METRICS, Target};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, sabotage, skipped, within};
use crate::support::disk::can_mount;
use crate::support::{Server, Value, json};
use std::time::Duration;

/// MiB.
const DISK: u32 = 416;
const FLOOR: (&str, &str) = ("SERVICE_DISK_FLOOR_MB", "96");
/// The disk is to be filled in no time.
const ANY_RATE: (&str, &str) = ("SERVICE_RATE_LIMIT_KILOBYTES_PER_SECOND", "0");
/// MiB: below twice the floor.
const LEFT: u64 = 176;
/// Events that the other project sends after each of the flood.
const OTHERS: usize = 2;
/// From when there is room again.
const BACK: Duration = Duration::from_secs(5);

/// A project sends until it is refused; the other one's events are accepted all the time.
fn shared(rounds: usize, environment: &[(&str, &str)]) -> Outcome {
    let environment = [&[FLOOR, ANY_RATE, METRICS], environment].concat();
    let instance = Instance::of(Server::start_on_disk(DISK, &environment));
    let [heavy, light, ..] = &instance.targets[..] else { unreachable!("there are three") };
    let mut sent = 0;
    for _ in 0..rounds {
        let ballast = Ballast::leaving(&instance.world.server, LEFT);
        sent += flood(&instance, heavy, light)?;
        ensure(refused(&instance, heavy), || "settings do not say that the project is refused".to_owned())?;
        ensure(!refused(&instance, light), || "the other project is refused, say the settings".to_owned())?;
        let named = format!("mayday_disk_share_exceeded{{project=\"{}\"}}", heavy.id);
        ensure(instance.metric(&named)? == 1.0, || "/metrics do not name the project".to_owned())?;
        for _ in 0..20 {
            small(&instance, light)?;
        }
        ballast.remove();
        within(patience(BACK), "the project to be taken again", || {
            (!refused(&instance, heavy) && post(&instance, heavy, "x") == 202).then_some(())
        })?;
    }
    Ok(Report::default().with("rounds", rounds).with("events of the flood", sent))
}

/// Sends for one project until it is refused, and for the other one meanwhile; returns how many were accepted.
fn flood(instance: &Instance, heavy: &Target, light: &Target) -> Result<usize, String> {
    for sent in 0..1_000 {
        match post(instance, heavy, &noise(900 << 10)) {
            202 => {}
            503 => return small(instance, light).map(|()| sent),
            status => return Err(format!("an event of the flood: {status}")),
        }
        for _ in 0..OTHERS {
            small(instance, light)?;
        }
    }
    Err("the flood is taken for ever".to_owned())
}

fn small(instance: &Instance, target: &Target) -> Result<(), String> {
    let status = post(instance, target, "now and then");
    ensure(status == 202, || format!("the other project is refused: {status}"))
}

fn post(instance: &Instance, target: &Target, filler: &str) -> u16 {
    let event = json!({"api_key": target.key, "message": "of the flood", "exception": {"type": "E", "stack": filler}});
    instance.world.anonymous().post("/api/v1/errors").json(&event).send().status()
}

fn refused(instance: &Instance, target: &Target) -> bool {
    let path = format!("/api/v1/projects/{}/limits", target.id);
    let limits: Value = instance.world.owner.get(&path).send().expect(200);
    limits["disk"]["refused"].is_string()
}

/// Letters that do not compress.
pub(crate) fn noise(bytes: usize) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'a' + (state % 26) as u8)
    };
    (0..bytes).map(|_| letter()).collect()
}

#[test]
fn the_project_that_fills_the_disk_is_refused_first() {
    if can_mount() {
        kept(shared(if is_soak() { 10 } else { 1 }, &[]));
    } else {
        skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
}

#[test]
fn refusing_everybody_at_the_floor_is_noticed() {
    if can_mount() {
        broken(shared(1, &sabotage("no_shares_of_disk")), "the other project is refused");
    }
}
