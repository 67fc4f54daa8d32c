//! A person with ten thousand unread notifications: each is there once, in order, and counted; the last page is as
//! fast as the first; and all are marked as read at once while the server accepts errors.

use crate::report::{Outcome, Report, ensure, is_soak, kept, patience, within};
use crate::support::person::Person;
use crate::support::{Client, Project, Stream, Value, World, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PATH: &str = "/api/v1/notifications";
/// Members whose role changes, at the same time.
const MEMBERS: usize = 5;
/// How long until the last change is in the list.
const TOLD: Duration = Duration::from_mins(1);
/// The limit of an answer: far over its usual time, and far below that of one that scans everything for each row.
const ANSWERED: Duration = Duration::from_secs(1);

#[test]
fn ten_thousand_unread_notifications_are_listed_counted_and_marked_as_read() {
    kept(unread(10_000));
}

fn unread(count: usize) -> Outcome {
    let project = Project::in_world(Arc::new(World::start_with(&[])), "Shop");
    let world = &project.world;
    // People who join later get no notification of its issue.
    project.digest(&json!({"message": "the same"}));
    let members: Vec<Person> = (0..MEMBERS).map(|_| world.member()).collect();
    let reader = world.admin().client;
    change_roles(world, &members, count / MEMBERS);
    within(patience(TOLD), "everything to be told", || (counted(&reader) == count).then_some(()))?;
    let took = lists(&reader, count)?;
    let mut stream = Stream::open(&reader, "/api/v1/me/stream", &[]);
    ensure(stream.next().is_some_and(|first| first.data["unread_count"] == count), || {
        "the stream counts others".to_owned()
    })?;
    let reading = reads_all(&project, &reader, count)?;
    stream.until("that all are read", |message| message.data["unread_count"] == 0);
    let longest = took.into_iter().chain([reading]).max().unwrap_or_default();
    ensure(longest < promised(ANSWERED), || format!("an answer took {longest:?}"))?;
    Ok(Report::default().with("unread", count).with("longest ms", longest.as_millis()))
}

/// Under `make test-long` other tests have the machine, too.
fn promised(time: Duration) -> Duration {
    if is_soak() { time } else { 10 * time }
}

/// The owner changes the role of each member so often; each time all other admins are notified.
fn change_roles(world: &World, members: &[Person], times: usize) {
    std::thread::scope(|scope| {
        for member in members {
            let (owner, path) = (world.owner.clone(), world.member_path(member.id));
            scope.spawn(move || {
                for time in 0..times {
                    let role = if time % 2 == 0 { "admin" } else { "member" };
                    owner.patch(&path).json(&json!({"role": role})).send().expect(200);
                }
            });
        }
    });
}

fn counted(client: &Client) -> usize {
    let count = client.get(&format!("{PATH}/unread-count")).send().expect(200)["count"].as_u64();
    usize::try_from(count.unwrap()).unwrap()
}

/// How long each page took; together the pages have each notification once, newest first.
fn lists(client: &Client, count: usize) -> Result<Vec<Duration>, String> {
    let (mut took, mut ids) = (Vec::new(), Vec::new());
    for skip in (0..count).step_by(100) {
        let started = Instant::now();
        let page = client.get(&format!("{PATH}?unread_only=true&limit=100&skip={skip}")).send().expect(200);
        took.push(started.elapsed());
        ensure(page["total"] == count && page["has_more"] == (skip + 100 < count), || {
            format!("at {skip}: {} of {}, more: {}", page["total"], count, page["has_more"])
        })?;
        ids.extend(page["notifications"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()));
    }
    ensure(ids.len() == count && ids.windows(2).all(|pair| pair[0] > pair[1]), || {
        format!("{} ids, not each once and in order", ids.len())
    })?;
    let of_errors = client.get(&format!("{PATH}?category=error")).send().expect(200);
    ensure(of_errors["total"] == 0, || format!("{of_errors}"))?;
    Ok(took)
}

/// How long it took to read all, while errors were accepted.
fn reads_all(project: &Project, client: &Client, count: usize) -> Result<Duration, String> {
    let one = client.get(&format!("{PATH}?limit=1")).send().expect(200)["notifications"][0]["id"].clone();
    client.patch(&format!("{PATH}/{one}/read")).send().expect(200);
    ensure(counted(client) == count - 1, || "one that was read counts".to_owned())?;
    let took = std::thread::scope(|scope| {
        let sending = scope.spawn(|| (0..20).map(|number| send(project, number)).collect::<Vec<_>>());
        let started = Instant::now();
        let read = client.post(&format!("{PATH}/mark-all-read")).send().expect(200);
        let took = started.elapsed();
        ensure(sending.join().unwrap().iter().all(|status| *status == 202), || {
            "an error was refused".into()
        })?;
        ensure(read == json!({"success": true, "count": count - 1}), || read.to_string())?;
        Ok::<_, String>(took)
    })?;
    let left = client.get(&format!("{PATH}?unread_only=true&category=team")).send().expect(200);
    ensure(left["total"] == 0, || format!("{left}"))?;
    let all = client.get(&format!("{PATH}?category=team&skip={}", count - 1)).send().expect(200);
    ensure(all["total"] == count && all["notifications"][0]["read_at"].is_string(), || format!("{all}"))?;
    Ok(took)
}

fn send(project: &Project, number: usize) -> u16 {
    let body: Value =
        project.with_key(&json!({"message": "the same", "event_id": format!("event-{number}")}));
    project.world.anonymous().post("/api/v1/errors").json(&body).send().status()
}
