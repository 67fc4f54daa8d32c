//! A clock that is set forward by ten years and back, as a machine without a battery does it.

use crate::report::{Outcome, Report, broken, ensure, kept};
use crate::support::person::sign_in;
use crate::support::{Client, EMAIL, PASSWORD, Project, Server, World, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

/// Milliseconds.
const TEN_YEARS: i64 = 3_652 * 24 * 3_600 * 1_000;
/// More wrong passwords than an account may have in a quarter of an hour.
const WRONG_PASSWORDS: usize = 30;

fn set(clock: &Path, offset: i64) {
    std::fs::write(clock, offset.to_string()).unwrap();
}

/// All features keep working when the clock jumps.
fn jumps(sabotaged: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let clock = folder.path().join("clock");
    set(&clock, 0);
    let environment = [("MAYDAY_CLOCK_OFFSET", clock.to_str().unwrap()), ("MAYDAY_SABOTAGE", sabotaged)];
    let project = Project::in_world(Arc::new(World::new(Server::start_with(&environment))), "Clock");
    let anonymous = project.world.anonymous();
    let refused = (0..WRONG_PASSWORDS).any(|_| throttled(&anonymous));
    assert!(refused, "nothing is throttled");
    works(&project)?;
    for offset in [TEN_YEARS, 0, -TEN_YEARS, 0] {
        on_its_way(&project, || set(&clock, offset))?;
        works(&project)?;
        // The limit uses real time: it is neither over nor restarted.
        ensure(throttled(&anonymous), || "the throttle goes by the wall clock".to_owned())?;
    }
    let server = &project.world.server;
    let text = server.output();
    ensure(!text.contains("panicked"), || format!("a panic: {text}"))?;
    let status = server.stop();
    ensure(status.success(), || format!("ended with {status}"))?;
    Ok(Report::default().with("jumps", 4))
}

/// Whether a wrong password for an unknown account is refused without a check.
fn throttled(client: &Client) -> bool {
    sign_in(client, "nobody@example.com", "wrong").status() == 429
}

/// Runs `jump` while a request is in progress.
fn on_its_way(project: &Project, jump: impl FnOnce()) -> Result<(), String> {
    let event = project.with_key(&json!({"message": "on its way"})).to_string();
    let mut stream = TcpStream::connect(project.owner.authority()).unwrap();
    let head = format!(
        "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        event.len()
    );
    stream.write_all(&[head.as_bytes(), &event.as_bytes()[..5]].concat()).unwrap();
    // A later connection is answered, so this one waits for its body by now.
    project.world.anonymous().get("/meta").send().expect(200);
    jump();
    stream.write_all(&event.as_bytes()[5..]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    ensure(answer.starts_with("HTTP/1.1 202"), || format!("a limit goes by the wall clock: {answer}"))
}

/// Intake, digest, sign-in, reading.
fn works(project: &Project) -> Result<(), String> {
    let answer = project.post(&json!({"message": "whatever the time"}));
    ensure(answer.status() == 202, || format!("intake: {answer:?}"))?;
    let id = answer.value()["event_id"].as_str().unwrap().to_owned();
    let signed_in = sign_in(&project.world.anonymous(), EMAIL, PASSWORD);
    ensure(signed_in.status() == 200, || format!("sign-in: {signed_in:?}"))?;
    let session = project.world.bearer(signed_in.value()["access_token"].as_str().unwrap());
    let path = format!("/api/v1/events/{id}?project_id={}", project.id);
    let limit = crate::report::patience(std::time::Duration::from_secs(20));
    let found = crate::report::within(limit, "the event", || {
        let answer = session.get(&path).send();
        (answer.status() != 404).then_some(answer.status())
    })?;
    ensure(found == 200, || format!("reading the event: {found}"))?;
    for path in [project.path("/issues"), "/api/v1/me/sessions".to_owned(), "/health".to_owned()] {
        let answer = session.get(&path).send();
        ensure(answer.status() == 200, || format!("{path}: {answer:?}"))?;
    }
    // The first session may have expired by now, which the answer says.
    let old = project.owner.get("/api/v1/me").send().status();
    ensure(matches!(old, 200 | 401), || format!("an old session: {old}"))
}

#[test]
fn a_clock_that_jumps_harms_nothing() {
    kept(jumps(""));
}

#[test]
fn a_limit_on_the_wall_clock_is_noticed() {
    broken(jumps("wall_clock"), "a limit goes by the wall clock");
}
