//! Scheduled backups of the server.

use super::{accounts, done, mayday, names, restore, verify};
use crate::report::{patience, skipped, within};
use crate::strace::missing;
use crate::support::server::{RunToEnd as _, command};
use crate::support::{Server, Value, World};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

const MINUTE: i64 = 60 * 1_000;
const DAY: i64 = 24 * 60 * MINUTE;
const TOKEN: &str = "a token for the metrics of tests";
/// Makes each write so many microseconds slower.
const SLOWLY: &str = "inject=pwrite64:delay_enter=100000";

/// Where backups go, and a clock that can be set.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("backups")).unwrap();
        let place = Self { folder };
        place.set_clock(0);
        place
    }

    fn backups(&self) -> std::path::PathBuf {
        self.folder.path().join("backups")
    }

    fn set_clock(&self, offset: i64) {
        fs::write(self.folder.path().join("clock"), offset.to_string()).unwrap();
    }

    /// Starts the server again at another time. The clock is set while it is down: one that is still running could
    /// find that a backup is due.
    fn restart_at(&self, offset: i64, world: World) -> World {
        assert!(world.server.stop().success());
        self.set_clock(offset);
        world.restart()
    }

    fn environment(&self) -> Vec<(String, String)> {
        let text = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
        [
            ("SERVICE_BACKUP_SCHEDULE", schedule()),
            ("SERVICE_BACKUP_TO", text(self.backups())),
            ("SERVICE_BACKUP_KEEP", "2".to_owned()),
            ("SERVICE_METRICS_TOKEN", TOKEN.to_owned()),
            ("MAYDAY_CLOCK_OFFSET", text(self.folder.path().join("clock"))),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

/// Daily, far from now, so that only the clock brings it about.
fn schedule() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    format!("0 {} * * *", (now.as_secs() / 3_600 + 12) % 24)
}

fn borrowed(environment: &[(String, String)]) -> Vec<(&str, &str)> {
    environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

fn seen(world: &World) -> Value {
    world.owner.get("/api/v1/instance/backups").send().expect(200)
}

/// Waits until so many runs have ended by themselves, and returns the newest; runs that a stop interrupted do not count.
#[track_caller]
fn ended(world: &World, count: usize) -> Value {
    let look = || {
        let mut runs = seen(world)["runs"].as_array().unwrap().clone();
        runs.retain(|run| run["outcome"] != "stopped");
        let is_done = runs.len() == count && runs.iter().all(|run| run["outcome"] != "running");
        is_done.then(|| runs[0].clone())
    };
    within(patience(Duration::from_secs(20)), &format!("{count} runs"), look).unwrap()
}

fn figures(world: &World) -> String {
    world.bearer(TOKEN).get("/metrics").send().text()
}

#[test]
fn a_missed_backup_is_made_once_and_the_newest_are_kept() {
    let place = Place::new();
    let environment = place.environment();
    let foreign = ["mayday-0123456789ab-20200101T030000Z.tar.zst", "notes.txt"];
    for name in foreign {
        fs::write(place.backups().join(name), "of somebody else").unwrap();
    }
    let mut world = World::new(Server::start_with(&borrowed(&environment)));
    let first = ended(&world, 1);
    assert_eq!(first["outcome"], "succeeded", "{first}");
    let path = |run: &Value| place.backups().join(run["name"].as_str().unwrap());
    assert!(done(&verify(&path(&first))).contains("whole"));
    assert_eq!(fs::metadata(path(&first)).unwrap().len(), first["size_bytes"]);

    // Days in which the server was down are one backup.
    let mut runs = vec![first];
    for days in [3, 4] {
        world = place.restart_at(days * DAY, world);
        runs.push(ended(&world, runs.len() + 1));
    }
    let seen = seen(&world);
    let kept: Vec<&Value> = seen["kept"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(kept, [&runs[2]["name"], &runs[1]["name"]], "{seen}");
    assert!(!path(&runs[0]).exists() && path(&runs[1]).exists());
    for name in foreign {
        assert!(place.backups().join(name).exists(), "{name} was not ours");
    }
    assert_eq!(names(&place.backups()).len(), 4);
    assert_eq!(seen["last_success"], runs[2]);
    let schedule = &seen["schedule"];
    // An hour may have begun since.
    let (_, cron) = environment.iter().find(|(name, _)| name == "SERVICE_BACKUP_SCHEDULE").unwrap();
    assert_eq!((&schedule["cron"], &schedule["time_zone"]), (&cron.as_str().into(), &"UTC".into()));
    assert_eq!((&schedule["keep"], &schedule["secrets"]), (&2.into(), &"included".into()));
    assert!(schedule["next_run_at"].as_str().unwrap().ends_with(":00:00.000Z"), "{schedule}");
    let figures = figures(&world);
    assert!(figures.contains("mayday_job_failures_total{job=\"backup\"} 0\n"), "{figures}");
    assert!(
        figures.contains(&format!("mayday_backup_size_bytes {}.0\n", runs[2]["size_bytes"])),
        "{figures}"
    );

    let elsewhere = place.folder.path().join("elsewhere");
    done(&restore(&path(&runs[2]), &elsewhere, &[]));
    assert!(accounts(&elsewhere).contains("ada@example.com"));
}

#[test]
fn a_failure_is_reported_and_removes_nothing() {
    let place = Place::new();
    let environment = [place.environment(), vec![("SERVICE_BACKUP_KEEP".into(), "1".into())]].concat();
    let world = World::new(Server::start_with(&borrowed(&environment)));
    let first = ended(&world, 1);
    let aside = place.folder.path().join("aside");
    fs::rename(place.backups(), &aside).unwrap();
    let world = place.restart_at(DAY, world);
    let failed = ended(&world, 2);
    assert_eq!(failed["outcome"], "failed");
    let error = failed["error"].as_str().unwrap();
    assert!(error.contains("backups") && error.contains("No such file"), "{error}");
    let told = seen(&world);
    assert_eq!((&told["last_success"], &told["kept"]), (&first, &Value::Null), "{told}");
    assert!(told["kept_error"].as_str().unwrap().contains("No such file"), "{told}");
    // By a day, the clock has passed the time of the next one.
    assert!(told["schedule"]["overdue_since"].is_string(), "{told}");
    let late = status(&world, &environment, &[]);
    assert_eq!(late.status.code(), Some(1), "{late:?}");
    let text = String::from_utf8(late.stdout).unwrap();
    assert!(text.starts_with("error: overdue since ") && text.contains("No such file"), "{text}");
    let figures = figures(&world);
    assert!(figures.contains("mayday_job_failures_total{job=\"backup\"} 1\n"), "{figures}");
    assert!(world.server.output().contains("a job failed"), "{}", world.server.output());
    assert!(aside.join(first["name"].as_str().unwrap()).exists());

    // Back again; it is tried after a pause, whether the server was restarted or not.
    fs::rename(&aside, place.backups()).unwrap();
    let world = place.restart_at(DAY + MINUTE, world);
    assert_eq!(ended(&world, 2)["outcome"], "failed");
    let world = place.restart_at(DAY + 6 * MINUTE, world);
    let made = ended(&world, 3);
    assert_eq!(made["outcome"], "succeeded", "{made}");
    assert_eq!(names(&place.backups()), [made["name"].as_str().unwrap()]);
    let told: Value = serde_json::from_str(&done(&status(&world, &environment, &["--json"]))).unwrap();
    assert_eq!((&told["level"], &told["last_success"]), (&"ok".into(), &made), "{told}");
    assert_eq!(told["last_failure"], failed);
    assert_eq!(told["schedule"], seen(&world)["schedule"]);
}

/// The output of `mayday backup --status` while the server runs.
fn status(world: &World, environment: &[(String, String)], options: &[&str]) -> Output {
    let mut command = mayday(world.server.data_dir(), &["backup", "--status"]);
    command.args(options).envs(environment.iter().cloned()).run()
}

/// A server on the data directory of a stopped one that writes slowly, in the middle of its first backup.
fn slow(place: &Place, data: &Path) -> Child {
    let serve = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    let mut strace = Command::new("strace");
    // The process that is traced is our child.
    strace.args(["-D", "-f", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", SLOWLY]);
    strace.arg(serve.get_program()).args(serve.get_args()).arg(data).env_clear();
    strace.envs(serve.get_envs().filter_map(|(name, value)| Some((name, value?))));
    strace.env("PATH", std::env::var_os("PATH").unwrap_or_default()).envs(place.environment());
    let child = strace.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    within(patience(Duration::from_secs(20)), "the copy to begin", || {
        let work = names(&place.backups()).into_iter().find(|name| name.ends_with(".mayday-unfinished"))?;
        place.backups().join(work).join("snapshot/logs.db").exists().then_some(())
    })
    .unwrap();
    child
}

/// Lets a server that was slow be as fast as others.
fn end_tracer(child: &Child) {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:")?.trim().parse().ok());
    if let Some(tracer) = tracer.and_then(Pid::from_raw) {
        // It may have exited with the server.
        let _ = kill_process(tracer, Signal::KILL);
    }
}

#[test]
fn a_server_that_stops_leaves_nothing_and_makes_it_after_the_next_start() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let place = Place::new();
    let world = World::new(Server::start());
    assert!(world.server.stop().success());
    let mut child = slow(&place, world.server.data_dir());
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    // The server has received the signal by then. It must finish its writes within seconds, however busy the machine
    // is.
    std::thread::sleep(Duration::from_secs(1));
    end_tracer(&child);
    assert!(child.wait().unwrap().success());
    assert_eq!(names(&place.backups()), Vec::<String>::new());
    let world = world.restart_with(&borrowed(&place.environment()));
    let made = ended(&world, 1);
    assert_eq!(
        (&made["outcome"], &seen(&world)["runs"][1]["outcome"]),
        (&"succeeded".into(), &"stopped".into())
    );
    assert_eq!(names(&place.backups()), [made["name"].as_str().unwrap()]);
}

#[test]
fn a_killed_server_leaves_nothing_that_looks_like_a_backup() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let place = Place::new();
    let world = World::new(Server::start());
    assert!(world.server.stop().success());
    let mut child = slow(&place, world.server.data_dir());
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    let left = names(&place.backups());
    assert!(
        left.iter().all(|name| name.starts_with('.') && name.ends_with(".mayday-unfinished")),
        "{left:?}"
    );
    place.set_clock(6 * MINUTE);
    let world = world.restart_with(&borrowed(&place.environment()));
    let killed = ended(&world, 1);
    let error = killed["error"].as_str().unwrap();
    assert!(killed["outcome"] == "failed" && error.contains("the server ended"), "{killed}");
    let world = place.restart_at(12 * MINUTE, world);
    let made = ended(&world, 2);
    assert_eq!(made["outcome"], "succeeded", "{made}");
    assert_eq!(names(&place.backups()), [made["name"].as_str().unwrap()]);
}

#[test]
fn a_backup_by_hand_and_the_scheduled_one_wait_for_each_other() {
    let place = Place::new();
    let world = World::new(Server::start_with(&borrowed(&place.environment())));
    // While the first one is being made, or right after it.
    let path = place.folder.path().join("by hand.tar.zst");
    done(&super::backup(world.server.data_dir(), &path, &[]));
    done(&verify(&path));
    assert_eq!(ended(&world, 1)["outcome"], "succeeded");
}

#[test]
fn a_server_with_an_impossible_schedule_does_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("data/backups");
    let inside = inside.to_str().unwrap();
    for (values, part) in [
        (
            &[("SERVICE_BACKUP_SCHEDULE", "at night"), ("SERVICE_BACKUP_TO", "/backups")][..],
            "SERVICE_BACKUP_SCHEDULE=\"at night\"",
        ),
        (&[("SERVICE_BACKUP_SCHEDULE", "0 3 * * *")], "SERVICE_BACKUP_TO is not"),
        (
            &[("SERVICE_BACKUP_SCHEDULE", "0 3 * * *"), ("SERVICE_BACKUP_TO", inside)],
            "outside SERVICE_DATA_DIR",
        ),
    ] {
        let mut serve = command(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
        let output = serve.arg(folder.path().join("data")).envs(values.iter().copied()).run();
        let said = super::failed(&output);
        assert!(said.contains(part), "{said}");
    }
}
