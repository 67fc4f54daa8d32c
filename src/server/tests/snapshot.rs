//! A snapshot taken while errors and logs arrive, and a server started on it.

use super::*;
use crate::digest::sql::position;
use crate::events;
use crate::store::Stop;
use crate::store::snapshot::Sources;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::task::JoinSet;

const PAUSE: Duration = Duration::from_millis(10);
/// Acknowledgements of each sort before a snapshot, and after it.
const ENOUGH: usize = 200;
/// How often asynchronous results are polled: a minute in total.
const LOOKS: usize = 6_000;

/// What is sent, and what was acknowledged.
struct Load {
    router: axum::Router,
    key: String,
    acknowledged: Mutex<Acknowledged>,
    stop: AtomicBool,
}

#[derive(Clone, Default)]
struct Acknowledged {
    events: BTreeSet<String>,
    entries: BTreeSet<String>,
}

impl Load {
    fn acknowledged(&self) -> Acknowledged {
        self.acknowledged.lock().unwrap().clone()
    }

    /// Waits until this many more of both kinds are acknowledged.
    async fn grow(&self) {
        let before = self.acknowledged();
        for _ in 0..LOOKS {
            let now = self.acknowledged();
            if now.events.len() >= before.events.len() + ENOUGH
                && now.entries.len() >= before.entries.len() + ENOUGH
            {
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("intake takes nothing any more");
    }

    async fn send_events(self: Arc<Self>, sender: usize) {
        for number in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let id = format!("e{sender}-{number}");
            let event = serde_json::json!({"api_key": self.key, "event_id": id, "message": "under load",
                "extra": {"pad": pad()}});
            if self.send("/api/v1/errors", &event).await {
                self.acknowledged.lock().unwrap().events.insert(id);
            }
        }
    }

    async fn send_entries(self: Arc<Self>, sender: usize) {
        for number in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let messages: Vec<String> = (0..5).map(|nth| format!("l{sender}-{number}-{nth}")).collect();
            let now = Timestamp::now();
            let entry = |message| serde_json::json!({"timestamp": now, "level": "info", "message": message});
            let logs: Vec<Value> = messages.iter().map(entry).collect();
            let batch = serde_json::json!({"api_key": self.key, "logs": logs});
            if self.send("/api/v1/logs/batch", &batch).await {
                self.acknowledged.lock().unwrap().entries.extend(messages);
            }
        }
    }

    /// Whether it was acknowledged; otherwise the server was overloaded.
    async fn send(&self, path: &str, body: &Value) -> bool {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        let request = request.body(Body::from(body.to_string())).unwrap();
        let status = self.router.clone().oneshot(request).await.unwrap().status().as_u16();
        if status != 202 {
            assert!(matches!(status, 429 | 503), "{status}");
            tokio::time::sleep(PAUSE).await;
        }
        status == 202
    }
}

/// Text that does not become shorter: some tens of events fill a file of the journal.
fn pad() -> String {
    let mut bytes = [0; 1_500];
    getrandom::fill(&mut bytes).unwrap();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs a server under load until `snapshot` is done, and some time longer; returns what was acknowledged before.
async fn under_load(
    directory: &Path,
    snapshot: impl AsyncFnOnce(Arc<App>, &Load),
) -> (BTreeMap<String, String>, Acknowledged) {
    let mut asked = TestServer::start(directory).await;
    for (status, line, takes) in &REQUESTS[5..9] {
        asked.expect(*status, line, takes).await;
    }
    assert!(asked.wrong.is_empty(), "{}", asked.wrong.join("\n"));
    let (router, key) = (routes::router(Shared(asked.app.clone())), asked.known["ci"].clone());
    let load = Arc::new(Load { router, key, acknowledged: Mutex::default(), stop: AtomicBool::new(false) });
    let mut senders = JoinSet::new();
    for sender in 0..3 {
        senders.spawn(load.clone().send_events(sender));
        senders.spawn(load.clone().send_entries(sender));
    }
    load.grow().await;
    let before = load.acknowledged();
    snapshot(asked.app.clone(), &load).await;
    load.grow().await;
    load.stop.store(true, Ordering::Relaxed);
    while let Some(sent) = senders.join_next().await {
        sent.unwrap();
    }
    let known = asked.known.clone();
    asked.stop().await;
    (known, before)
}

fn sources(app: &App) -> Sources<'_> {
    Sources {
        instance: &app.main.instance,
        main: &app.main.readers,
        logs: &app.logs.db.readers,
        journal: app.intake.store.journal(),
        maps: &app.maps.blobs,
        replays: &app.replays.files.blobs,
    }
}

/// Starts a server on a copy and checks that everything acknowledged is there, and nothing twice.
async fn check(copy: &Path, known: BTreeMap<String, String>, before: &Acknowledged) -> Result<(), String> {
    let mut asked = TestServer::try_start(copy).await.map_err(|error| match error {
        Error::Internal(cause) => cause.to_string(),
        error => error.to_string(),
    })?;
    asked.known.extend(known);
    let checked = match check_events(&asked, before).await {
        Ok(()) => check_entries(&mut asked, before).await,
        lost => lost,
    };
    asked.stop().await;
    checked
}

async fn check_events(asked: &TestServer, before: &Acknowledged) -> Result<(), String> {
    let project = ProjectId(asked.known["project_id"].parse().unwrap());
    for _ in 0..LOOKS {
        if asked.app.main.read(position).await.unwrap() >= asked.app.intake.store.newest() {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    let ids = before.events.clone();
    let read = asked.app.main.read(move |c| {
        let lost =
            ids.iter().filter(|id| !matches!(events::sql::issue_of(c, project, id), Ok(Some(_)))).count();
        let there: i64 = c.query_row("select count(*) from events", (), |row| row.get(0))?;
        let counted: i64 = c.query_row("select sum(event_count) from issues", (), |row| row.get(0))?;
        Ok((lost, there, counted))
    });
    let (lost, there, counted) = read.await.unwrap();
    if lost > 0 {
        return Err(format!("{lost} of {} events are lost", before.events.len()));
    }
    // Each id is there once; an event applied twice would be counted twice.
    if there == counted { Ok(()) } else { Err(format!("{there} events were counted {counted} times")) }
}

async fn check_entries(asked: &mut TestServer, before: &Acknowledged) -> Result<(), String> {
    let mut lost = before.entries.len();
    // The index is rebuilt.
    for _ in 0..LOOKS {
        let found = entries(asked).await;
        let distinct: BTreeSet<&String> = found.iter().collect();
        if distinct.len() < found.len() {
            return Err(format!("{} entries are there twice", found.len() - distinct.len()));
        }
        lost = before.entries.iter().filter(|message| !distinct.contains(message)).count();
        if lost == 0 {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(format!("{lost} of {} entries are lost", before.entries.len()))
}

/// The messages of every entry.
async fn entries(asked: &TestServer) -> Vec<String> {
    let path = asked.fill("/api/v1/projects/{project_id}/logs/export?limit=1000000");
    let request = Request::get(path).header(header::AUTHORIZATION, asked.fill("Bearer {me}"));
    let request = request.body(Body::empty()).unwrap();
    let answer = routes::router(Shared(asked.app.clone())).oneshot(request).await.unwrap();
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    let message =
        |line: &str| serde_json::from_str::<Value>(line).unwrap()["message"].as_str().unwrap().to_owned();
    std::str::from_utf8(&body).unwrap().lines().map(message).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_under_load_has_everything_acknowledged_before_exactly_once() {
    let directory = tempfile::tempdir().unwrap();
    let (data, copy) = (directory.path().join("data"), directory.path().join("copy"));
    std::fs::create_dir(&data).unwrap();
    let into = copy.clone();
    let (known, before) = under_load(&data, async |app: Arc<App>, _: &Load| {
        let copied = tokio::task::spawn_blocking(move || sources(&app).copy_to(&into, &Stop::default()));
        assert!(copied.await.unwrap().unwrap().last > 0);
    })
    .await;
    // The caller copies this itself.
    std::fs::copy(data.join("secrets.env"), copy.join("secrets.env")).unwrap();
    check(&copy, known, &before).await.unwrap();
}

/// In the reverse order: events digested after `main.db` was copied may be gone from the journal before it is copied.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_snapshot_that_begins_with_the_database_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let (data, copy) = (directory.path().join("data"), directory.path().join("copy"));
    std::fs::create_dir(&data).unwrap();
    std::fs::create_dir(&copy).unwrap();
    let into = copy.clone();
    let mut acknowledged = Acknowledged::default();
    let late = &mut acknowledged;
    let (known, _) = under_load(&data, async |app: Arc<App>, load: &Load| {
        let (first, folder) = (app.clone(), into.clone());
        let copied =
            tokio::task::spawn_blocking(move || sources(&first).copy_databases(&folder, &Stop::default()));
        copied.await.unwrap().unwrap();
        let copied = app.main.read(position).await.unwrap();
        let mut looks = 0..LOOKS;
        // Until a file was deleted whose events are digested by now.
        let next = || app.intake.store.after(copied, 1, 1).unwrap().first().map(|next| next.position);
        while next().is_none_or(|next| next == copied + 1) {
            looks.next().expect("nothing is given up");
            tokio::time::sleep(PAUSE).await;
        }
        *late = load.acknowledged();
        tokio::task::spawn_blocking(move || sources(&app).copy_journal(&into)).await.unwrap().unwrap();
    })
    .await;
    std::fs::copy(data.join("secrets.env"), copy.join("secrets.env")).unwrap();
    let noticed = check(&copy, known, &acknowledged).await.unwrap_err();
    assert!(noticed.contains("are missing in"), "{noticed}");
}
