//! For tests: which statements ran, and which steps of their plans scan a whole table.

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tables that do not grow: they have one or a few rows however long the server runs, or rows that people
/// create one by one, or of which only some are kept.
const SMALL: [&str; 16] = [
    "alert_channels",
    "alert_rules",
    "backup_runs",
    "instance",
    "anonymous_heartbeat",
    "release_feed",
    "heartbeat",
    "digest",
    // While many events wait: at most a row for each project.
    "digest_ahead",
    "dictionaries",
    "organizations",
    "projects",
    "deleted_projects",
    "retained",
    "signal_consumers",
    // At most 50 of an organization.
    "runners",
];

static WATCHED: Mutex<Option<PathBuf>> = Mutex::new(None);
static RUN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches every connection to a database in this directory that is opened from now on. There is one such
/// directory per process.
pub(crate) fn watch(directory: &Path) {
    *locked(&WATCHED) = Some(directory.to_owned());
}

/// Every statement that the watched connections have run.
pub(crate) fn run() -> BTreeSet<String> {
    locked(&RUN).clone()
}

/// Called with each connection as it is set up.
pub(super) fn opened(connection: &Connection) {
    let watched = locked(&WATCHED);
    let path = connection.path().map(Path::new);
    if let (Some(directory), Some(path)) = (&*watched, path)
        && path.starts_with(directory)
    {
        connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(remember));
    }
}

fn remember(event: TraceEvent<'_>) {
    if let TraceEvent::Stmt(statement, _) = event {
        locked(&RUN).insert(statement.sql().into_owned());
    }
}

/// The tables of a database that grow.
fn growing(connection: &Connection) -> Vec<String> {
    let mut statement = connection
        .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
        .unwrap();
    let names = statement.query_map((), |row| row.get::<_, String>(0)).unwrap();
    names.map(Result::unwrap).filter(|name| !SMALL.contains(&name.as_str())).collect()
}

/// The table that a plan calls `name`, which may be its alias in the statement.
fn table<'a>(tables: &'a [String], sql: &str, name: &str) -> Option<&'a str> {
    let words: Vec<&str> = sql.split([' ', '\n', ',', '(', ')']).filter(|word| !word.is_empty()).collect();
    let is_alias = |table: &str| {
        let named = |pair: &[&str]| pair[0] == table && pair[1] == name;
        words.windows(2).any(named) || words.windows(3).any(|w| w[0] == table && w[1] == "as" && w[2] == name)
    };
    tables.iter().find(|table| *table == name || is_alias(table)).map(String::as_str)
}

/// The steps of a statement's plan.
pub(crate) fn steps(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("explain query plan {sql}")).unwrap();
    let mut rows = statement.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get(3).unwrap());
    }
    steps
}

/// The steps of a statement's plan that scan a growing table, or a whole index of one; and those that scan
/// all events of a project.
pub(crate) fn scans(connection: &Connection, sql: &str) -> Vec<String> {
    let tables = growing(connection);
    let mut found = Vec::new();
    for step in steps(connection, sql) {
        let mut words = step.split(' ');
        let (verb, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Some(table) = table(&tables, sql, name) else { continue };
        if verb == "SCAN" || (table == "events" && step.ends_with("(project_id=?)")) {
            found.push(step);
        }
    }
    found
}
