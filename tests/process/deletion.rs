//! A project's deletion, interrupted by kill -9 at every step: afterwards the project is complete or gone.

use crate::kill::again;
use crate::logs::stream::now;
use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, skipped, within};
use crate::strace::{SYNCS, Strace, missing};
use crate::support::project::SCRIPT_URL;
use crate::support::{Bundle, Project, World, json, maps};
use rustix::process::Signal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The threads that write `main.db` and `logs.db`.
const MAIN: &str = "write main";
const LOGS: &str = "write logs";
/// The writes of a deletion before it is committed.
const WRITES: &str = "pwrite64";
/// How long data of a deleted project may remain after a start.
const GONE: Duration = Duration::from_secs(10);

/// The call of a thread at which the server is killed. A deletion syncs `main.db` when it marks the project, for its
/// events, facets and issues, and for its row, and in between `logs.db` when it closes the project there, and for its
/// entries.
type Kill = (&'static str, &'static str, usize);

/// One project and one server process for each kill. `gone` is the time limit for each deletion after the restart.
fn deletions_cut_off(kills: &[Kill], gone: Duration, environment: &[(&str, &str)]) -> Outcome {
    let mut world = Arc::new(World::start_with(environment));
    let (mut cut_off, mut whole) = (0, 0);
    for (round, kill) in kills.iter().enumerate() {
        let project = filled_project(world, round);
        let is_answered = delete_under(&project, *kill)?;
        cut_off += usize::from(!is_answered);
        let project = again(project, World::kill_and_restart);
        if is_whole(&project)? {
            ensure(!is_answered, || "a deletion that was acknowledged did not happen".to_owned())?;
            whole += 1;
            project.owner.delete(&project.path("")).send().expect(204);
        }
        check_gone(&project, round, gone)?;
        world = project.world;
    }
    ensure(cut_off == kills.len(), || format!("only {cut_off} deletions were cut off"))?;
    ensure(whole > 0 && whole < cut_off, || format!("{whole} of {cut_off} projects were whole"))?;
    Ok(Report::default().with("cut off", cut_off).with("whole", whole).with("gone", cut_off - whole))
}

fn name(round: usize) -> String {
    format!("Shop {round}")
}

/// A project with some of everything, all of it to be found.
fn filled_project(world: Arc<World>, round: usize) -> Project {
    let project = Project::in_world(world, &name(round));
    // A content of its own, so that no other project shares the file.
    project.upload("1", SCRIPT_URL, &(maps::cart() + &" ".repeat(round))).expect(201);
    let manifest = json!({"release": "1", "files": [], "styles": [{"url": "~/a.css", "file": "a"}]});
    let styles = Bundle::new().manifest(&manifest).file("a", format!("a{{}} /* {round} */"));
    project.upload_bundle(styles.encode()).expect(201);
    let entry = json!({"timestamp": now(), "level": "info", "message": "hello"});
    let logs = json!({"api_key": project.key, "logs": [entry]});
    project.world.anonymous().post("/api/v1/logs/batch").json(&logs).send().expect(202);
    project.digest(&json!({"message": "hello"}));
    project.digest(&Project::throw(Some("1")));
    within(patience(GONE), "the log entry", || (found_logs(&project) == 1).then_some(())).unwrap();
    project
}

fn found_logs(project: &Project) -> u64 {
    let found = project.owner.get(&project.path("/logs?search=hello")).send().expect(200);
    found["total"].as_u64().unwrap()
}

/// Deletes the project while the server is killed; whether that was answered.
fn delete_under(project: &Project, (thread, calls, number): Kill) -> Result<bool, String> {
    let server = &project.world.server;
    let _strace = Strace::attach_to(server, &[thread], calls, &format!("signal=KILL:when={number}"))?;
    let answer = project.owner.delete(&project.path("")).try_send();
    if let Ok(answer) = &answer {
        ensure(answer.status() == 204, || format!("{answer:?}"))?;
    }
    // If the deletion succeeded, there was no such step.
    server.signal(Signal::KILL);
    Ok(answer.is_ok())
}

/// Whether the project is complete; if it is not, it must not be found.
fn is_whole(project: &Project) -> Result<bool, String> {
    let answer = project.owner.get(&project.path("")).send();
    if answer.status() == 200 {
        let event = project.digest(&Project::throw(Some("1")));
        let function = &event["exception"]["frames"][0]["resolved"]["function"];
        let issues = project.issues("");
        let found = (function.as_str(), issues["total"].as_u64(), found_logs(project));
        ensure(found == (Some("total"), Some(2), 1), || format!("only a part is left: {found:?}"))?;
        let style = project.path("/stylesheets?release=1&url=https://cdn.example/a.css");
        let style = project.owner.get(&style).send();
        ensure(style.status() == 200, || format!("its style sheet is gone: {style:?}"))?;
        return Ok(true);
    }
    ensure(answer.status() == 403, || format!("{answer:?}"))?;
    for path in ["/issues", "/logs", "/releases"] {
        let answer = project.owner.get(&project.path(path)).send();
        ensure(answer.status() == 403, || format!("{path} of a deleted project: {answer:?}"))?;
    }
    let sent = project.post(&json!({"message": "late"}));
    ensure(sent.status() == 401, || format!("a deleted project takes events: {sent:?}"))?;
    let list = format!("{}/projects", project.world.organization_path());
    let list = project.owner.get(&list).send().expect(200);
    ensure(list["total"] == 0, || format!("a deleted project is listed: {list}"))?;
    Ok(false)
}

/// Waits until nothing is left of it: source map and style sheet go last, and its name is free again.
fn check_gone(project: &Project, round: usize, limit: Duration) -> Result<(), String> {
    let folder = project.world.server.data_dir().join("sourcemaps");
    within(limit, "the rest of a deleted project to go", || (stored_maps(&folder) == 0).then_some(()))?;
    let path = format!("{}/projects", project.world.organization_path());
    let again = project.owner.post(&path).json(&json!({"name": name(round)})).send().expect(201);
    project.owner.delete(&format!("/api/v1/projects/{}", again["id"])).send().expect(204);
    ensure(again["slug"] == format!("shop-{round}"), || format!("its name is still in use: {again}"))
}

/// Files in directories such as `sourcemaps/a0`.
fn stored_maps(folder: &Path) -> usize {
    let folders = std::fs::read_dir(folder).unwrap().flatten();
    let of_content = folders.filter(|entry| entry.file_name().len() == 2);
    of_content.map(|entry| std::fs::read_dir(entry.path()).unwrap().count()).sum()
}

#[test]
fn a_deletion_interrupted_anywhere_leaves_a_complete_project_or_none() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let main = (1..=5).map(|number| (MAIN, SYNCS, number));
    let logs = (1..=2).map(|number| (LOGS, SYNCS, number));
    let kills: Vec<Kill> = [(MAIN, WRITES, 1)].into_iter().chain(main).chain(logs).collect();
    kept(deletions_cut_off(&kills, patience(GONE), &[]));
}

#[test]
fn a_deletion_that_is_never_resumed_is_noticed() {
    if let Some(why) = missing() {
        return skipped(why);
    }
    let outcome =
        deletions_cut_off(&[(MAIN, SYNCS, 2)], Duration::from_secs(3), &sabotage("forget_deletions"));
    broken(outcome, "the rest of a deleted project");
}
