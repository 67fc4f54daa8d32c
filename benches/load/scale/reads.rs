//! Every question that the Web app asks about a project.

use crate::Result;
use crate::client::{Connection, Request};
use crate::drive::percentile;
use crate::events::{release, words};
use crate::instance::Instance;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::task::LocalSet;

/// Requests of one read, and the time that they may take.
const SAMPLES: usize = 400;
const TIME: Duration = Duration::from_millis(1_500);
/// Issues that are opened: the most frequent and some of all the others.
const ISSUES: usize = 24;
/// Views whose issues are counted, the most in one answer.
const VIEWS: u64 = 20;

/// How long a read took, in milliseconds.
pub(crate) struct Timed {
    pub(crate) name: &'static str,
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
}

/// A question with the paths that it is asked by in turn.
struct Read {
    name: &'static str,
    paths: Vec<String>,
    stream: bool,
}

/// What the paths need to know of the data.
struct Known {
    issues: Vec<i64>,
    events: Vec<(i64, String)>,
    now: String,
    week_ago: String,
}

/// Times each read with so many connections.
pub(crate) async fn measure(
    instance: &mut Instance,
    project: i64,
    issues: usize,
    connections: usize,
) -> Result<Vec<Timed>> {
    let known = known(instance, project).await?;
    keep_views(instance, project).await?;
    let mut reads = lists(project, issues, &known);
    reads.extend(details(project, &known));
    reads.extend(views(project));
    reads.extend(others(instance.api.organization, project));
    let mut timed = Vec::new();
    for read in &reads {
        timed.push(time(instance.server.address, &instance.api.token, read, connections).await?);
    }
    Ok(timed)
}

async fn known(instance: &mut Instance, project: i64) -> Result<Known> {
    let mut issues = Vec::new();
    for query in ["sort=events&limit=12", "sort=last_seen&limit=6", "sort=first_seen&limit=6&offset=700"] {
        let list = instance.api.get(&format!("/api/v1/projects/{project}/issues?{query}")).await?;
        let page = list["issues"].as_array().ok_or("no issues")?;
        issues.extend(page.iter().filter_map(|issue| issue["id"].as_i64()));
    }
    let mut events = Vec::new();
    for issue in issues.iter().take(ISSUES) {
        let list =
            instance.api.get(&format!("/api/v1/projects/{project}/issues/{issue}/events?limit=5")).await?;
        let page = list["events"].as_array().ok_or("no events")?;
        events.extend(
            page.iter().filter_map(|event: &Value| Some((*issue, event["event_id"].as_str()?.to_owned()))),
        );
    }
    let time = |ago: i64| {
        let now = jiff::Timestamp::now();
        now.checked_sub(jiff::SignedDuration::from_hours(ago)).map(|time| time.to_string())
    };
    Ok(Known { issues, events, now: time(0)?, week_ago: time(24 * 7)? })
}

fn lists(project: i64, issues: usize, known: &Known) -> Vec<Read> {
    let [common, second, _] = words(7);
    let rare = words(issues - 3).map(|word| word.to_owned()).join("%20");
    let list = |name, queries: &[String]| {
        let path = |query: &String| {
            let limit = if query.contains("limit=") { "" } else { "limit=50" };
            format!("/api/v1/projects/{project}/issues?{limit}{query}")
        };
        Read { name, paths: queries.iter().map(path).collect(), stream: false }
    };
    let open = |rest: &str| format!("&query=is:unresolved{rest}");
    let one = |name, query: String| list(name, &[query]);
    let versions: Vec<String> = (40..60).map(|at| open(&format!("%20release:{}", release(at)))).collect();
    let users: Vec<String> = (0..20).map(|at| open(&format!("%20user:user-{at:06x}"))).collect();
    let mails: Vec<String> = (0..20).map(|at| open(&format!("%20user:buyer.{at:06x}@example.com"))).collect();
    let accounts: Vec<String> = (0..20).map(|at| open(&format!("%20account:acct-{at}"))).collect();
    vec![
        one("issues", open("")),
        one("issues by first seen", open("&sort=first_seen")),
        one("issues by events", open("&sort=events")),
        one("issues by users", open("&sort=users")),
        one("issues of every status", String::new()),
        one("issues, page 100", open(&format!("&offset={}", issues / 10))),
        one("issues, the last page", open(&format!("&sort=events&offset={}", issues * 6 / 10))),
        one("issues: resolved", "&query=is:resolved".to_owned()),
        one("issues: count", open("&limit=1")),
        one("issues: mine", open("%20is:mine")),
        one("issues: unassigned", open("%20is:unassigned")),
        one("issues: new this week", "&query=is:new".to_owned()),
        one("issues: came back", "&query=is:regressed".to_owned()),
        one("issues: getting worse", "&query=is:escalating".to_owned()),
        one("issues: of a level", open("%20level:fatal")),
        one("issues: of a priority", open("%20priority:high")),
        one("issues: of a type", open("%20type:TypeError")),
        one("issues: of an environment", open("&environment=staging")),
        list("issues: of a release", &versions),
        one("issues: first in a release", open(&format!("%20first_release:{}", release(50)))),
        one("issues: with a tag", open("%20tag.region:eu-west")),
        one("issues: with a tag, by events", open("%20tag.region:eu-west&sort=events")),
        one("issues: having a tag", open("%20has:tag.plan")),
        list("issues: of a user", &users),
        list("issues: of a user's e-mail", &mails),
        list("issues: of an account", &accounts),
        one("issues: of a time", open(&format!("&start_time={}&end_time={}", known.week_ago, known.now))),
        one("issues: a common word", open(&format!("%20{common}"))),
        one("issues: two words", open(&format!("%20{common}%20{second}"))),
        one("issues: rare words", open(&format!("%20{rare}"))),
        one("issues: no such word", open("%20nowhere-to-be-found")),
        one("issues: without a word", open(&format!("%20-{common}"))),
    ]
}

fn details(project: i64, known: &Known) -> Vec<Read> {
    let of_issues = |name, rest: &str| {
        let path = |issue: &i64| format!("/api/v1/projects/{project}/issues/{issue}{rest}");
        Read { name, paths: known.issues.iter().map(path).collect(), stream: false }
    };
    let of_events = |name, path: &dyn Fn(&(i64, String)) -> String| Read {
        name,
        paths: known.events.iter().map(path).collect(),
        stream: false,
    };
    vec![
        of_issues("issue", ""),
        of_issues("issue: its newest event", "/events?limit=1"),
        of_issues("issue: events", "/events?limit=100"),
        of_issues("issue: events, page 10", "/events?limit=100&offset=1000"),
        of_issues("issue: the newest event with frames", "/event"),
        of_events("issue: an event with frames", &|(issue, id)| {
            format!("/api/v1/projects/{project}/issues/{issue}/event?id={id}")
        }),
        of_events("event by its id", &|(_, id)| format!("/api/v1/events/{id}")),
        of_events("event by its id and project", &|(_, id)| {
            format!("/api/v1/events/{id}?project_id={project}")
        }),
        of_issues("issue: tags", "/tags"),
        of_issues("issue: activity", "/activity?limit=50"),
        of_issues("issue: comments", "/comments"),
        of_issues("issue: trend of a day", "/trend?hours=24"),
        of_issues("issue: trend of 30 days", "/trend?hours=720"),
    ]
}

/// As many views as are counted in one answer, unless they are there. Every second one asks for something else.
async fn keep_views(instance: &mut Instance, project: i64) -> Result<()> {
    let path = format!("/api/v1/projects/{project}/views");
    let kept = instance.api.get(&format!("{path}?counts=false")).await?["total"].as_u64().unwrap_or_default();
    let [common, ..] = words(7);
    for number in kept..VIEWS {
        let query = match number % 10 {
            0 => "is:unresolved is:unassigned".to_owned(),
            2 => "is:unresolved level:fatal".to_owned(),
            4 => "is:unresolved tag.region:eu-west".to_owned(),
            6 => format!("is:unresolved {common}"),
            8 => "is:unresolved type:TypeError".to_owned(),
            _ => "is:unresolved".to_owned(),
        };
        instance.api.post(&path, &json!({ "name": format!("View {number}"), "query": query })).await?;
    }
    Ok(())
}

fn views(project: i64) -> Vec<Read> {
    let counted = |name, query| Read {
        name,
        paths: vec![format!("/api/v1/projects/{project}/views?{query}")],
        stream: false,
    };
    vec![
        counted("views: names alone", "counts=false"),
        counted("views: 20 counted", ""),
        counted("views: 20 counted in an environment", "environment=staging"),
        counted("views: 20 counted in a week", "period=7d"),
        counted("views: 20 counted in an environment's week", "environment=staging&period=7d"),
    ]
}

fn others(organization: i64, project: i64) -> Vec<Read> {
    let one = |name, path: String| Read { name, paths: vec![path], stream: false };
    let of_project = |name, rest: &str| one(name, format!("/api/v1/projects/{project}{rest}"));
    let of_organization = |name, rest: &str| one(name, format!("/api/v1/organizations/{organization}{rest}"));
    let of_releases = |name, rest: &str| {
        let path = |at| format!("/api/v1/projects/{project}/releases/{}{rest}", release(at));
        Read { name, paths: (90..100).map(path).collect(), stream: false }
    };
    vec![
        of_project("project", ""),
        of_project("project: limits", "/limits"),
        of_project("project: keys", "/api-keys"),
        of_project("releases", "/releases?limit=50"),
        of_project("releases: with a part", "/releases?limit=50&query=4.9"),
        of_releases("release", ""),
        of_releases("release: source maps", "/sourcemaps?limit=500"),
        of_releases("release: unresolved frames", "/unresolved"),
        Read {
            name: "live: the stream's first bytes",
            paths: vec![format!("/api/v1/projects/{project}/stream")],
            stream: true,
        },
        one("me", "/api/v1/me".to_owned()),
        one("me: sessions", "/api/v1/me/sessions".to_owned()),
        one("me: tokens", "/api/v1/me/tokens".to_owned()),
        one("organizations", "/api/v1/organizations".to_owned()),
        of_organization("organization", ""),
        of_organization("organization: projects", "/projects"),
        of_organization("organization: invitations", "/invitations"),
        of_organization("organization: keys", "/api-keys"),
        of_organization("organization: audit", "/audit"),
        of_organization("organization: sign-in", "/sign-in"),
        one("meta", "/meta".to_owned()),
        one("health", "/health".to_owned()),
    ]
}

async fn time(address: SocketAddr, token: &str, read: &Read, connections: usize) -> Result<Timed> {
    let requests: Rc<Vec<Vec<u8>>> = Rc::new(read.paths.iter().map(|path| request(path, token)).collect());
    let (times, next) = (Rc::new(RefCell::new(Vec::new())), Rc::new(Cell::new(0)));
    let failed: Rc<RefCell<Option<String>>> = Rc::default();
    let tasks = LocalSet::new();
    let until = Instant::now() + TIME;
    // Each path once before, so that the page cache is as it is in use.
    let samples = SAMPLES.max(requests.len() * 2) + requests.len();
    for _ in 0..connections {
        let (requests, times, next) = (requests.clone(), times.clone(), next.clone());
        let (failed, stream) = (failed.clone(), read.stream);
        tasks.spawn_local(async move {
            let Ok(mut connection) = Connection::open(address).await else { return };
            while next.get() < samples && (Instant::now() < until || times.borrow().is_empty()) {
                let number = next.replace(next.get() + 1);
                let (request, started) = (&requests[number % requests.len()], Instant::now());
                let status = match stream {
                    true => match Connection::open(address).await {
                        Ok(mut own) => own.start_stream(request).await,
                        Err(error) => Err(error),
                    },
                    false => connection.send(request).await,
                };
                match status {
                    Ok(200) if number >= requests.len() => {
                        times.borrow_mut().push(started.elapsed().as_micros() as u32);
                    }
                    Ok(200) => {}
                    other => {
                        failed.replace(Some(format!("{other:?}")));
                        return;
                    }
                }
            }
        });
    }
    tasks.await;
    if let Some(error) = failed.take() {
        return Err(format!("{} ({}): {error}", read.name, read.paths[0]).into());
    }
    let mut times = times.take();
    times.sort_unstable();
    let [p50, p99, p999] = [0.5, 0.99, 0.999].map(|part| percentile(&times, part) / 1e3);
    Ok(Timed { name: read.name, p50, p99, p999 })
}

fn request(path: &str, token: &str) -> Vec<u8> {
    Request { method: "GET", path, bearer: Some(token), content_type: "text/plain", body: b"" }.bytes()
}
