//! kill -9 in the middle of a stream of errors.

use crate::journal::Journal;
use crate::support::{Project, Server, World, eventually};
use rustix::process::Signal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Kills of an ordinary run, and of `make soak`, which sets MAYDAY_SOAK.
const KILLS: usize = 5;
const KILLS_SOAK: usize = 100;
/// From the start of the process to its first answer, on a machine that does other things as well.
const READY: Duration = Duration::from_secs(10);

/// Milliseconds before each kill, 50 to 550: the same in every run.
fn pauses() -> impl Iterator<Item = u64> {
    let kills = if std::env::var_os("MAYDAY_SOAK").is_some() { KILLS_SOAK } else { KILLS };
    let next = |state: &u64| {
        Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    };
    std::iter::successors(Some(7), next).skip(1).map(|state| 50 + (state >> 33) % 500).take(kills)
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_by_kills() {
    let mut project = Project::in_world(Arc::new(World::new(Server::start())), "Under fire");
    let journal = Journal::default();
    let mut streaming = Duration::ZERO;
    for pause in pauses() {
        let before = journal.acknowledged();
        let client = project.world.anonymous();
        streaming += journal.stream(&client, &project.key, || {
            eventually("the first acknowledgements", || (journal.acknowledged() > before + 20).then_some(()));
            // The point is to hit the server at different moments of its work.
            std::thread::sleep(Duration::from_millis(pause));
            project.world.server.signal(Signal::KILL);
        });
        project = again(project, World::kill_and_restart);
    }
    journal.check_rate(streaming);
    journal.check(&project);
}

#[test]
fn a_second_crash_right_after_the_start_does_no_harm() {
    let mut project = Project::in_world(Arc::new(World::new(Server::start())), "Under fire");
    let journal = Journal::default();
    let streaming = journal.stream(&project.world.anonymous(), &project.key, || {
        eventually("some acknowledgements", || (journal.acknowledged() > 300).then_some(()));
        project.world.server.signal(Signal::KILL);
    });
    // What was accepted is being digested when it is killed again, and again.
    for _ in 0..4 {
        project = again(project, World::kill_and_restart);
    }
    journal.check_rate(streaming);
    journal.check(&project);
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
                    // The answer may never come.
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
    assert!(start.elapsed() < READY, "ready after {:?}", start.elapsed());
    Project { owner: world.owner.clone(), world: Arc::new(world), id, key }
}
