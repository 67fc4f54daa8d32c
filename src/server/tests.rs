//! Runs the whole server in one process, and examines what SQLite does for every route of the API, for the
//! digest and for the jobs. No statement may scan a growing table.

mod agents;
mod connections;
mod requests;
mod snapshot;

use super::*;
use crate::config::Source;
use crate::crypto::token;
use crate::event::record::{AcceptedRecord, ERROR};
use crate::ids::ProjectId;
use crate::set_aside::{self, NewSetAside};
use crate::store::{Transaction, plans};
use crate::time::Timestamp;
use axum::body::Body;
use axum::http::{Request, header};
use http_body_util::BodyExt as _;
use requests::REQUESTS;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::net::UnixStream;
use std::path::Path;
use tokio::sync::oneshot;
use tower::ServiceExt as _;

/// How often background work is polled, every 10 ms: a minute in total.
const LOOKS: usize = 6_000;

/// Steps of plans that may scan a whole table or a project's events: a part of the statement, the step, and
/// why.
const ALLOWED: [(&str, &str, &str); 9] = [
    (
        "select id from events where project_id = ?1 order by id limit",
        "SEARCH events USING COVERING INDEX events_by_project (project_id=?)",
        "a project is deleted some events at a time",
    ),
    (
        "delete from projects where id = ?1",
        "SEARCH events USING COVERING INDEX events_by_project (project_id=?)",
        "its events are gone by then",
    ),
    (
        "f.disk_size from source_maps m",
        "SCAN m USING INDEX source_maps_by_file",
        "the usage of the disk is measured beside requests, and source maps only after a change of them",
    ),
    (
        "f.disk_size from style_sheets s",
        "SCAN s USING INDEX style_sheets_by_file",
        "style sheets are measured with them",
    ),
    ("sign_in_tests where created_at <", "SCAN sign_in_tests", "administrators' tests of a day"),
    ("from audit_log where 1", "SCAN audit_log", "the instance's log, the newest first, cut by its age"),
    (
        "select count(*) from audit_log where 1",
        "SCAN audit_log USING COVERING INDEX audit_log_by_time",
        "how many pages that log has",
    ),
    (
        "and exists (select 1 from memberships where user_id = u.id",
        "SCAN u",
        "an announcement is for everybody",
    ),
    ("from project_keys k join projects p", "SCAN k", "the directory holds every key of the instance"),
];

/// A running server that gets its requests without a socket.
struct TestServer {
    app: Arc<App>,
    /// The values for `{name}` in paths and bodies.
    known: BTreeMap<String, String>,
    /// Lines with an unexpected answer.
    wrong: Vec<String>,
    /// Operations of the document that were requested.
    routes: BTreeSet<String>,
    stop: oneshot::Sender<()>,
    serving: tokio::task::JoinHandle<Result<()>>,
}

impl TestServer {
    async fn start(directory: &Path) -> Self {
        Self::try_start(directory).await.unwrap()
    }

    async fn try_start(directory: &Path) -> Result<Self> {
        let folder = directory.to_str().unwrap().to_owned();
        let variables = [
            ("SERVICE_DATA_DIR", folder.as_str()),
            ("SERVICE_LISTEN", "127.0.0.1:0"),
            ("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "0"),
            ("SERVICE_RATE_LIMIT_PLATFORM_PER_MINUTE", "0"),
            ("SERVICE_RATE_LIMIT_SESSIONS_PER_MINUTE", "0"),
            // Nothing listens there, so mail waits.
            ("SERVICE_MAIL_SMTP_URL", "smtp://127.0.0.1:1"),
            ("MAIL_FROM_EMAIL", "mayday@example.com"),
            ("HOST_OAUTH_CLIENT_ID", "id"),
            ("HOST_OAUTH_CLIENT_SECRET", "secret"),
            ("SERVICE_HOST_OAUTH_TOKEN_URL", "http://127.0.0.1:1/token"),
            ("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", "http://127.0.0.1:1/heartbeat"),
            ("SERVICE_UPDATE_FEED_URL", "http://127.0.0.1:1/releases"),
            ("SERVICE_DESKTOP_RELEASES_URL", "http://127.0.0.1:1"),
        ];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let config = Config::read(&Source::new(None, variables, []).unwrap()).unwrap();
        let secrets = Secrets::load(&config).unwrap();
        let data_dir = DataDir::take(directory).unwrap();
        let server = Server::start(config, secrets, data_dir).await?;
        let socket = directory.join(crate::control::FILE);
        UnixStream::connect(socket).expect("whoever is told that it listens can ask by the socket");
        let mut known = BTreeMap::new();
        known.extend(server.setup_token.clone().map(|token| ("setup_token".to_owned(), token)));
        known.insert("now".to_owned(), Timestamp::now().to_string());
        known.insert("notification_id".to_owned(), "999999".to_owned());
        known.insert("trace_id".to_owned(), format!("{:032}", 1));
        let (stop, stopped) = oneshot::channel();
        let app = server.app.clone();
        let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
        Ok(Self { app, known, wrong: Vec::new(), routes: BTreeSet::new(), stop, serving })
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.serving.await.unwrap().unwrap();
    }

    fn fill(&self, text: &str) -> String {
        let known = self.known.iter();
        known.fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    /// Sends a line such as `me POST /path/{id}?query body`, in which `{name}` is replaced by a known value,
    /// and the first word says whose token to use.
    async fn ask(&mut self, line: &str) -> (u16, Value) {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (who, method, template, body) = (word(), word(), word(), word());
        self.routes.insert(format!("{method} {}", template.split('?').next().unwrap()));
        let body = self.fill(body);
        let form = body.starts_with("--");
        let kind = if form { "multipart/form-data; boundary=x" } else { "application/json" };
        let mut request = Request::builder().method(method).uri(self.fill(template));
        if let Some(token) = self.known.get(who) {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if template.ends_with("/logs/batch") {
            request = request.header("idempotency-key", format!("of {} bytes", body.len()));
        }
        if template == "/mcp" {
            request = request
                .header(header::ACCEPT, "application/json, text/event-stream")
                .header(header::HOST, "localhost");
        }
        if template.starts_with("/webhooks/") {
            let signature = token::signature(self.known["webhook_secret"].as_bytes(), body.as_bytes());
            request = request.header("x-signature", token::hex(&signature));
        }
        let request = request.header(header::CONTENT_TYPE, kind).body(Body::from(body)).unwrap();
        let answer = routes::router(Shared(self.app.clone())).oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        if template.ends_with("/stream") || template.ends_with("/tail") {
            return (status, Value::Null);
        }
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    /// Sends a line that must get this status, and keeps values for later lines.
    async fn expect(&mut self, status: u16, line: &str, takes: &[(&str, &str)]) {
        let (got, answer) = self.ask(line).await;
        if got != status {
            self.wrong.push(format!("{got}, not {status}: {} {answer}", self.fill(line)));
        }
        for (name, pointer) in takes {
            let Some(value) = answer.pointer(pointer) else {
                self.wrong.push(format!("{line}: no {pointer} in {answer}"));
                continue;
            };
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let text = text.rsplit_once("token=").map_or(text.clone(), |(_, token)| token.to_owned());
            self.known.insert((*name).to_owned(), text);
        }
    }

    /// As if an event could not be digested.
    async fn set_aside(&self) {
        let project = ProjectId(self.known["project_id"].parse().unwrap());
        let add = move |tx: &Transaction<'_>| {
            let record = AcceptedRecord { form: ERROR, body: b"\x05\x00asidenonsense".to_vec() };
            let (event_id, reason) = ("aside", "on purpose");
            set_aside::sql::add(tx, &NewSetAside { project, event_id, received_at: 0, record, reason })
        };
        self.app.main.write(add).await.unwrap();
    }

    /// Runs retention, by which some of the project's data is beyond its limits.
    async fn remove_by_retention(&self) {
        let jobs = jobs::registry(&self.app).unwrap();
        for name in ["retention", "usage", "pull_request_states"] {
            jobs.run(name).await.unwrap();
        }
    }

    /// Waits until the project has this many events.
    async fn digested(&mut self, events: i64) {
        for _ in 0..LOOKS {
            let list = self.ask("me GET /api/v1/projects/{project_id}/issues").await.1;
            let issues = list["issues"].as_array().unwrap();
            if issues.iter().map(|issue| issue["event_count"].as_i64().unwrap()).sum::<i64>() >= events {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the events are not digested");
    }

    /// The requests left these signals, with what they are about.
    async fn assert_signals(&self) {
        let read = self.app.main.read(|c| {
            let mut rows = c.prepare(
                "select kind, sum(organization_id is null), sum(project_id is null), sum(issue_id is null),
                     sum(user_id is null), sum(actor_id is null)
                 from signals where id > 0 group by kind",
            )?;
            let rows = rows.query_map((), |row| {
                let gaps = (1..6).map(|index| row.get::<_, i64>(index)).collect::<Result<Vec<_>, _>>()?;
                Ok((row.get::<_, String>(0)?, gaps.into_iter().map(|gaps| gaps > 0).collect::<Vec<_>>()))
            })?;
            Ok(rows.collect::<Result<BTreeMap<_, _>, _>>()?)
        });
        let (yes, no) = (true, false);
        // Whether organization, project, issue, user and actor are missing.
        let expected = [
            ("account.password_changed", [yes, yes, yes, no, no]),
            ("alert.fired", [no, no, no, yes, yes]),
            ("connection.failed", [no, yes, yes, yes, no]),
            ("instance.announced", [yes, yes, yes, yes, no]),
            ("invitation.accepted", [no, yes, yes, no, no]),
            ("invitation.sent", [no, yes, yes, yes, no]),
            ("issue.assigned", [no, no, no, yes, no]),
            ("issue.created", [no, no, no, yes, yes]),
            ("issue.ignored", [no, no, no, yes, no]),
            ("issue.prioritized", [no, no, no, yes, no]),
            ("issue.resolved", [no, no, no, yes, no]),
            ("issue.unignored", [no, no, no, yes, yes]),
            ("member.joined", [no, yes, yes, no, no]),
            ("member.role_changed", [no, yes, yes, no, no]),
        ];
        let expected = expected.map(|(kind, gaps)| (kind.to_owned(), gaps.to_vec()));
        assert_eq!(read.await.unwrap(), BTreeMap::from(expected));
    }

    /// Waits until a rule has reported the newest issue, and counts for the others.
    async fn told_of(&mut self) {
        jobs::registry(&self.app).unwrap().run("alert_counts").await.unwrap();
        for _ in 0..LOOKS {
            let list = self.ask("me GET /api/v1/projects/{project_id}/alert-deliveries").await.1;
            let lines = list["deliveries"].as_array().unwrap();
            if lines.iter().any(|line| line["rule_name"] == "New") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no rule has told of the issue");
    }

    /// Waits until a log entry of the project can be searched.
    async fn indexed(&mut self) {
        for _ in 0..LOOKS {
            let list = self.ask("me GET /api/v1/projects/{project_id}/logs").await.1;
            if list["total"].as_i64().is_some_and(|total| total > 0) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the log entries are not indexed");
    }
}

/// Every operation of the document.
fn operations() -> BTreeSet<String> {
    let document = routes::document::openapi();
    let paths = document["paths"].as_object().unwrap().clone();
    let of_path = |(path, operations): (String, Value)| {
        let methods: Vec<String> = operations.as_object().unwrap().keys().cloned().collect();
        methods.into_iter().map(move |method| format!("{} {path}", method.to_uppercase()))
    };
    paths.into_iter().flat_map(of_path).collect()
}

/// The steps that are not allowed, of every statement that ran.
fn faults(directory: &Path) -> Vec<String> {
    let databases =
        [("main.db", include_str!("../../schema.sql")), ("logs.db", include_str!("../../schema-logs.sql"))];
    let databases = databases.map(|(name, schema)| {
        assert!(directory.join(name).exists());
        let connection = store::Connection::open_in_memory().unwrap();
        connection.execute_batch(schema).unwrap();
        connection
    });
    let (mut faults, mut met) = (Vec::new(), BTreeSet::new());
    for sql in plans::run() {
        let word = sql.split_whitespace().next().unwrap_or_default().to_lowercase();
        // SQLite's own statements gather statistics.
        let is_ours = !sql.contains("sqlite_stat");
        if !is_ours || !["select", "insert", "update", "delete", "with"].contains(&word.as_str()) {
            continue;
        }
        // The database that has its tables; tables in both are small.
        let database = databases.iter().find(|database| database.prepare(&sql).is_ok());
        let database = database.unwrap_or_else(|| panic!("of no database: {sql}"));
        for step in plans::scans(database, &sql) {
            match ALLOWED.iter().position(|(part, allowed, _)| sql.contains(part) && step == *allowed) {
                Some(allowed) => drop(met.insert(allowed)),
                None => faults.push(format!("{step}\n    {sql}")),
            }
        }
    }
    let unmet = ALLOWED.iter().enumerate().filter(|(at, _)| !met.contains(at));
    faults.extend(unmet.map(|(_, (part, ..))| format!("allowed, and not met any more: {part}")));
    faults
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_route_goes_through_a_growing_table() {
    let directory = tempfile::tempdir().unwrap();
    plans::watch(directory.path());
    let mut asked = TestServer::start(directory.path()).await;
    for (status, line, takes) in REQUESTS {
        if let Some(events) = line.strip_prefix("wait ") {
            asked.digested(events.parse().unwrap()).await;
        } else if *line == "set aside" {
            asked.set_aside().await;
        } else if *line == "remove" {
            asked.remove_by_retention().await;
        } else if *line == "run the alerts" {
            asked.told_of().await;
        } else if *line == "call the automations" {
            asked.called().await;
        } else if *line == "connect a tracker" {
            asked.connect().await;
        } else if *line == "run the agents" {
            asked.run_agents().await;
        } else if *line == "index the logs" {
            asked.indexed().await;
        } else {
            asked.expect(*status, line, takes).await;
        }
    }
    assert!(asked.wrong.is_empty(), "{}", asked.wrong.join("\n"));
    let jobs = jobs::registry(&asked.app).unwrap();
    for name in jobs.names() {
        jobs.run(name).await.unwrap();
    }
    asked.assert_signals().await;
    let missing: Vec<String> = operations().difference(&asked.routes).cloned().collect();
    assert_eq!(missing, Vec::<String>::new(), "src/server/tests/requests.rs must ask for every route");
    asked.stop().await;
    // Again, on the existing data.
    TestServer::start(directory.path()).await.stop().await;
    let ran = plans::run().len();
    assert!(ran > 200, "only {ran} statements were seen");
    let faults = faults(directory.path());
    assert!(faults.is_empty(), "{} statements go through whole tables:\n{}", faults.len(), faults.join("\n"));
}

/// Deleting a parent looks for its children; without an index, that scans the whole table. The server never
/// deletes accounts.
#[test]
fn every_foreign_key_can_be_followed_from_its_parent() {
    let connection = store::Connection::open_in_memory().unwrap();
    connection.execute_batch(include_str!("../../schema.sql")).unwrap();
    let mut statement = connection
        .prepare(
            "select m.name, f.\"from\" from sqlite_schema m join pragma_foreign_key_list(m.name) f
             where m.type = 'table' and f.\"table\" not in ('users')
                 and not exists (
                     select 1 from pragma_index_list(m.name) l join pragma_index_info(l.name) i
                     where i.seqno = 0 and i.name = f.\"from\")
                 and not exists (
                     select 1 from pragma_table_info(m.name) t where t.name = f.\"from\" and t.pk = 1)",
        )
        .unwrap();
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let without: Vec<(String, String)> = rows.map(std::result::Result::unwrap).collect();
    assert_eq!(without, []);
}
