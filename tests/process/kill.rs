//! kill -9 in the middle of a stream of errors and releases.

use crate::instance::Instance;
use crate::journal::{Journal, Load};
use crate::report::{Outcome, Random, Report, broken, ensure, is_soak, kept, p99, patience, skipped};
use crate::strace::{Strace, missing};
use crate::support::{Project, Server, World, eventually};
use rustix::process::Signal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// From the start of the process to its first answer.
const READY: Duration = Duration::from_secs(2);

struct Kills {
    kills: usize,
    /// Whether each kill is followed by one while the server recovers.
    again: bool,
    /// Delays every write to a file, so that more kills hit between two steps of the server's work.
    slow_writes: bool,
    environment: &'static [(&'static str, &'static str)],
}

/// Kills at random moments; nothing acknowledged is lost, nothing doubled, and it is soon there again.
fn kills(options: &Kills) -> Outcome {
    let mut random = Random::seeded();
    let mut instance = Instance::start_with(options.environment);
    let journal = Journal::default();
    let (mut streaming, mut ready) = (Duration::ZERO, Vec::new());
    for _ in 0..options.kills {
        let before = journal.acknowledged();
        let pause = Duration::from_millis(50 + random.below(500) as u64);
        let strace = match options.slow_writes {
            true => Some(Strace::attach(&instance.world.server, "pwrite64", "delay_enter=10000")?),
            false => None,
        };
        streaming += journal.stream(&instance, Load::MIXED, || {
            eventually("the first acknowledgements", || (journal.acknowledged() > before + 20).then_some(()));
            // The point is to hit the server at different moments of its work.
            std::thread::sleep(pause);
            instance.world.server.signal(Signal::KILL);
        });
        drop(strace);
        let mut took;
        (instance, took) = instance.after(World::kill_and_restart);
        ready.push(took);
        if options.again {
            // The server is digesting the accepted events now.
            std::thread::sleep(Duration::from_millis(random.below(60) as u64));
            (instance, took) = instance.after(World::kill_and_restart);
            ready.push(took);
        }
    }
    let ready = p99(&ready);
    ensure(ready < patience(READY), || format!("ready again after {ready:?}"))?;
    let rate = journal.check_rate(streaming)?;
    let found = journal.check(&instance)?;
    Ok(Report::default()
        .with("kills", options.kills)
        .with("rate", rate)
        .with("found", found)
        .with("ready p99 ms", ready.as_millis()))
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_by_kills() {
    let kills_of = if is_soak() { 200 } else { 20 };
    kept(kills(&Kills { kills: kills_of, again: false, slow_writes: false, environment: &[] }));
}

#[test]
fn a_second_crash_right_after_the_start_does_no_harm() {
    let kills_of = if is_soak() { 50 } else { 3 };
    kept(kills(&Kills { kills: kills_of, again: true, slow_writes: false, environment: &[] }));
}

#[test]
fn kills_between_an_answer_and_a_write_lose_nothing() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let slow = |kills_of, environment| {
        kills(&Kills { kills: kills_of, again: false, slow_writes: true, environment })
    };
    kept(slow(if is_soak() { 50 } else { 4 }, &[]));
    // A server that answers too early. Not every kill hits between an answer and its write: several tries, until one
    // does.
    let sabotaged = || slow(8, const { &[("MAYDAY_SABOTAGE", "answer_before_commit")] });
    let noticed = std::iter::repeat_with(sabotaged).take(4).find(Result::is_err);
    broken(noticed.unwrap_or_else(|| Ok(Report::default())), "are lost");
}

#[test]
fn uploads_cut_off_by_a_kill_leave_a_working_release() {
    let mut project = Project::in_world(Arc::new(World::new(Server::start())), "Uploads");
    for round in 0..3 {
        std::thread::scope(|scope| {
            let project = &project;
            for number in 0..4 {
                scope.spawn(move || {
                    let map = crate::support::maps::cart();
                    let form = crate::support::Form::new()
                        .text("release", "1")
                        .text("url", format!("~/{round}/{number}.js"));
                    let form = form.file("sourcemap", map + &" ".repeat(round * 10 + number));
                    // The answer may never arrive.
                    let _ = project.ci().post("/api/v1/sourcemaps").form(&form).try_send();
                });
            }
            std::thread::sleep(Duration::from_millis(3 + 4 * round as u64));
            project.world.server.signal(Signal::KILL);
        });
        project = again(project, World::kill_and_restart);
    }
    assert!(matches!(
        project.upload("1", crate::support::project::SCRIPT_URL, &crate::support::maps::cart()).status(),
        200 | 201
    ));
    let event = project.digest(&Project::throw(Some("1")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total");
    let temporary = project.world.server.data_dir().join("sourcemaps/tmp");
    assert_eq!(std::fs::read_dir(temporary).unwrap().count(), 0);
}

/// The project after something happened to the process of its instance.
pub(crate) fn again(project: Project, happen: impl FnOnce(World) -> World) -> Project {
    let Project { world, id, key, .. } = project;
    let world = Arc::into_inner(world).expect("nobody else holds the instance");
    let start = Instant::now();
    let world = happen(world);
    world.anonymous().get("/health").send().expect(200);
    assert!(start.elapsed() < patience(READY), "ready after {:?}", start.elapsed());
    Project { owner: world.owner.clone(), world: Arc::new(world), id, key }
}
