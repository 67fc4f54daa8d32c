//! Full disks, and writes that fail.

use crate::instance::{Instance, Target};
use crate::journal::{Journal, Load};
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, skipped, within};
use crate::strace::{Strace, missing};
use crate::support::disk::can_mount;
use crate::support::person::sign_in;
use crate::support::{Client, EMAIL, Form, PASSWORD, Server, json};
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// MiB.
const DISK: u32 = 64;
const FLOOR: [(&str, &str); 1] = [("SERVICE_DISK_FLOOR_MB", "16")];
/// From when there is room again.
const BACK: Duration = Duration::from_secs(5);
/// Far more than the interval at which the server checks its disk.
const NOTICED: Duration = Duration::from_secs(5);

/// A file that fills the server's disk.
pub(crate) struct Ballast(PathBuf);

impl Ballast {
    /// Fills the disk except for so many MiB.
    pub(crate) fn leaving(server: &Server, mebibytes: u64) -> Self {
        let path = server.data_dir().join("ballast");
        let mut file = File::options().create(true).append(true).open(&path).unwrap();
        let piece = vec![b'x'; 64 << 10];
        while free(server) > mebibytes << 20 && file.write_all(&piece).is_ok() {}
        if mebibytes == 0 {
            // To the last page.
            while file.write_all(&[b'x'; 4_096]).is_ok() {}
        }
        Self(path)
    }

    pub(crate) fn remove(self) {
        std::fs::remove_file(self.0).unwrap();
    }
}

/// Bytes.
pub(crate) fn free(server: &Server) -> u64 {
    let found = rustix::fs::statvfs(server.data_dir()).unwrap();
    found.f_bavail * found.f_frsize
}

/// Fills the disk repeatedly while events are sent.
fn full(rounds: usize) -> Outcome {
    let instance = Instance::of(Server::start_on_disk(DISK, &FLOOR));
    let journal = Journal::default();
    let mut outcome = Ok(());
    let streaming = journal.stream(&instance, Load::MIXED, || {
        outcome = (0..rounds).try_for_each(|number| round(&instance, &journal, number));
    });
    outcome?;
    let rate = journal.check_rate(streaming)?;
    let found = journal.check(&instance)?;
    let report = Report::default().with("rounds", rounds).with("rate", rate).with("found", found);
    Ok(report.with("told to come again", journal.told_to_come_again()))
}

fn round(instance: &Instance, journal: &Journal, number: usize) -> Result<(), String> {
    let server = &instance.world.server;
    let before = journal.acknowledged();
    within(patience(Duration::from_secs(20)), "intake", || {
        (journal.acknowledged() > before + 50).then_some(())
    })?;
    let doomed = doom(instance, number)?;
    // Under the floor.
    let ballast = Ballast::leaving(server, 12);
    refuses(journal)?;
    reads(instance)?;
    let signed_in = sign_in(&instance.world.anonymous(), EMAIL, PASSWORD).status();
    ensure(signed_in == 200, || format!("signing in on a nearly full disk: {signed_in}"))?;
    delete(instance, &doomed)?;
    // To the last byte.
    Ballast::leaving(server, 0);
    std::thread::sleep(Duration::from_millis(500));
    ensure(!server.has_ended(), || "the process ended on a full disk".to_owned())?;
    reads(instance)?;
    journal.check_answers()?;
    ballast.remove();
    let before = journal.acknowledged();
    within(patience(BACK), "intake to come back", || (journal.acknowledged() > before).then_some(()))
}

/// Waits until every event is refused with the reason.
fn refuses(journal: &Journal) -> Result<(), String> {
    within(patience(NOTICED), "intake to be refused", || {
        let (refused, taken) = (journal.told_to_come_again(), journal.acknowledged());
        std::thread::sleep(Duration::from_millis(300));
        (journal.acknowledged() == taken && journal.told_to_come_again() > refused).then_some(())
    })?;
    journal.check_answers()
}

fn reads(instance: &Instance) -> Result<(), String> {
    let target = &instance.targets[0];
    for path in
        [format!("/api/v1/projects/{}/issues", target.id), "/api/v1/me".to_owned(), "/meta".to_owned()]
    {
        let status = instance.world.owner.get(&path).send().status();
        ensure(status == 200, || format!("reading {path} on a full disk: {status}"))?;
    }
    Ok(())
}

/// Paths of a project, an issue and a release that are there to be deleted.
fn doom(instance: &Instance, number: usize) -> Result<Vec<String>, String> {
    let owner = &instance.world.owner;
    let projects = format!("{}/projects", instance.world.organization_path());
    let made = owner.post(&projects).json(&json!({"name": format!("Doomed {number}")})).send().expect(201);
    let id = made["id"].as_i64().unwrap();
    let project = format!("/api/v1/projects/{id}");
    let key = owner.post(&format!("{project}/api-keys")).json(&json!({"name": "x"})).send().expect(201);
    let target = Target { id, key: key["key"].as_str().unwrap().to_owned() };
    let anonymous: Client = instance.world.anonymous();
    for message in ["one", "two"] {
        anonymous
            .post("/api/v1/errors")
            .json(&json!({"api_key": target.key, "message": message}))
            .send()
            .expect(202);
    }
    let form = Form::new().text("version", "doomed");
    anonymous.bearer(&target.key).post("/api/v1/releases").form(&form).send().expect(201);
    let issue = within(patience(Duration::from_secs(20)), "an issue", || {
        let list = owner.get(&format!("{project}/issues")).send().expect(200);
        (list["total"] == 2).then(|| list["issues"][0]["id"].clone())
    })?;
    Ok(vec![format!("{project}/issues/{issue}"), format!("{project}/releases/doomed"), project])
}

fn delete(instance: &Instance, paths: &[String]) -> Result<(), String> {
    for path in paths {
        let answer = instance.world.owner.delete(path).send();
        ensure(matches!(answer.status(), 200 | 204), || {
            format!("deleting on a nearly full disk: {answer:?}")
        })?;
    }
    Ok(())
}

#[test]
fn a_full_disk_refuses_new_events_and_recovers_by_itself() {
    if can_mount() {
        kept(full(if is_soak() { 20 } else { 2 }));
    } else {
        skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
}

/// Some writes fail with ENOSPC under load; then the process is killed.
fn failing_writes(rounds: usize, environment: &[(&str, &str)]) -> Outcome {
    let mut instance = Instance::start_with(environment);
    let journal = Journal::default();
    let mut streaming = Duration::ZERO;
    for _ in 0..rounds {
        let strace = Strace::attach(&instance.world.server, "pwrite64", "error=ENOSPC:when=3+5")?;
        streaming += journal.stream(&instance, Load::MIXED, || std::thread::sleep(Duration::from_secs(1)));
        drop(strace);
        instance.world = instance.world.try_kill_and_restart()?;
    }
    let rate = journal.check_rate(streaming)?;
    ensure(journal.told_to_come_again() > 0, || "no write failed".to_owned())?;
    let found = journal.check(&instance)?;
    let report = Report::default().with("rounds", rounds).with("rate", rate).with("found", found);
    Ok(report.with("told to come again", journal.told_to_come_again()))
}

#[test]
fn a_failed_write_affects_nothing_else() {
    match missing() {
        Some(why) => skipped(why),
        None => kept(failing_writes(if is_soak() { 30 } else { 2 }, &[])),
    }
}

#[test]
fn going_on_behind_a_torn_write_is_noticed() {
    match missing() {
        Some(why) => skipped(why),
        None => broken(failing_writes(1, &[("MAYDAY_SABOTAGE", "keep_torn_group")]), "ended at its start"),
    }
}
