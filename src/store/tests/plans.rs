//! How SQLite executes statements on tables that grow with the events: it never scans a whole table.
//!
//! The statements are captured as the functions run them.

use super::*;
use crate::digest::apply::{Outcome, Reach, apply};
use crate::digest::prepare::PreparedEvent;
use crate::digest::resolve::Resolver;
use crate::ids::{IssueId, ProjectId, ReleaseId, UserId};
use crate::intake::decode;
use crate::intake::store::{Row, Store};
use crate::issues::activity::{self, Author, Kind};
use crate::issues::sql::{Filter, Sort};
use crate::issues::texts::Texts;
use crate::issues::within::{Limits, Period};
use crate::issues::{self, spike};
use crate::releases::service::Maps;
use crate::releases::sql::{File, MapSort};
use crate::releases::{self, styles};
use crate::store::Packer;
use crate::store::plans::{scans, steps};
use crate::{events, organizations, projects};
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

const PROJECT: ProjectId = ProjectId(1);
const ISSUE: IssueId = IssueId(1);

thread_local! {
    static RUN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn remember(event: TraceEvent<'_>) {
    if let TraceEvent::Stmt(statement, _) = event {
        RUN.with_borrow_mut(|run| run.insert(statement.sql().into_owned()));
    }
}

/// The statements that `work` runs in a transaction, which is committed.
fn statements(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<()>,
) -> BTreeSet<String> {
    RUN.with_borrow_mut(BTreeSet::clear);
    let transaction = connection.transaction().unwrap();
    transaction.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(remember));
    work(&transaction).unwrap();
    transaction.trace_v2(TraceEventCodes::empty(), None);
    transaction.commit().unwrap();
    RUN.with_borrow_mut(std::mem::take)
}

#[track_caller]
fn assert_no_scan(connection: &Connection, statements: &BTreeSet<String>) {
    for sql in statements.iter().filter(|sql| !sql.starts_with("--")) {
        assert_eq!(scans(connection, sql), Vec::<String>::new(), "{sql}");
    }
}

/// A project with events, digested on our own connection.
struct Bench {
    dir: tempfile::TempDir,
    /// Kept open: when it stops, its writer gathers statistics, and for a few rows SQLite then plans to read
    /// all.
    _main: Main,
    connection: Connection,
    intake: Store,
    maps: Arc<Maps>,
    /// What digesting ran.
    digested: BTreeSet<String>,
}

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let fatal = Fatal::new().0;
    let main = Main::open(dir.path(), &fatal).unwrap();
    let maps = Arc::new(Maps::open(&dir.path().join("sourcemaps"), &main, 50 << 20).unwrap());
    let intake = Store::open(dir.path(), 0, main.packer.clone(), &fatal).unwrap();
    let connection = open(&dir.path().join("main.db"), false, &MAIN, None).unwrap();
    let mut bench = Bench { dir, _main: main, connection, intake, maps, digested: BTreeSet::new() };
    let now = Timestamp::now();
    statements(&mut bench.connection, |tx| {
        let organization = organizations::sql::create(tx, "O", now)?;
        let settings = projects::Settings::default();
        let new = projects::sql::NewProject { organization, name: "P".into(), platform: None, settings };
        projects::sql::create(tx, &new, now)?;
        tx.execute(
            "insert into users (email, name, created_at, updated_at) values ('a@b.c', 'A', 0, 0)",
            (),
        )?;
        releases::sql::create(tx, PROJECT, "1", "~/", now).map(drop)
    });
    let event = json!({"release": "1", "user": {"id": "u"}, "tags": {"k": "v"}, "exception": {"type": "E",
        "message": "x", "stack": "E: x\n    at f (https://shop.example/a.js:1:2)"}});
    bench.digest(&vec![event.clone(); 20]);
    // Again, now that it is resolved.
    let resolve = issues::Change { status: Some(issues::Status::Resolved), ..Default::default() };
    statements(&mut bench.connection, |tx| {
        issues::sql::change(tx, PROJECT, ISSUE, &resolve, None, now).map(drop)
    });
    bench.digest(&[event]);
    bench
}

impl Bench {
    fn digest(&mut self, events: &[Value]) {
        let rows = events.iter().map(|event| {
            let accepted = decode::parse(event.to_string().as_bytes()).and_then(|tree| {
                let accepted = decode::event(tree, None, Timestamp::now())?;
                Row::new(&Packer::default(), PROJECT, &accepted)
            });
            accepted.unwrap()
        });
        let rows: Vec<Row> = rows.collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(self.intake.add(rows)).unwrap();
        let position = crate::digest::sql::position(&self.connection).unwrap();
        let pending = self.intake.after(position, 100, 1 << 20).unwrap();
        let last = pending.last().unwrap().position;
        let mut resolver = Resolver::new(self.maps.clone());
        let prepare = |event| {
            let prepared =
                PreparedEvent::new(&self.connection, &Packer::default(), &mut resolver, &event).unwrap();
            Outcome::Prepared(Arc::new((prepared, event)))
        };
        let outcomes: Vec<Outcome> = pending.into_iter().map(prepare).collect();
        let run = statements(&mut self.connection, |tx| {
            apply(tx, &Texts::default(), &outcomes, &Reach::UpTo(last)).map(drop)
        });
        self.digested.extend(run);
    }

    #[track_caller]
    fn assert_no_scan(&mut self, work: impl FnOnce(&Transaction<'_>) -> Result<()>) {
        let run = statements(&mut self.connection, work);
        assert!(!run.is_empty(), "nothing was run in {}", self.dir.path().display());
        assert_no_scan(&self.connection, &run);
    }
}

const PAGE: Page = Page { limit: 25, offset: 0 };

#[test]
fn digesting_scans_no_table() {
    let bench = bench();
    assert!(bench.digested.len() > 15, "{:#?}", bench.digested);
    assert!(bench.digested.iter().any(|sql| sql.contains("insert into activity")), "{:#?}", bench.digested);
    assert!(bench.digested.iter().any(|sql| sql.contains("spike_limit")), "{:#?}", bench.digested);
    assert_no_scan(&bench.connection, &bench.digested);
}

#[test]
fn lists_of_issues_go_through_one_project() {
    let mut bench = bench();
    for sort in [Sort::LastSeen, Sort::FirstSeen, Sort::Events, Sort::Users] {
        for query in [
            "",
            "word",
            "is:escalating",
            "is:new",
            "release:1",
            "user:u",
            "tag.k:v",
            "has:tag.k",
            "-release:1",
        ] {
            bench.assert_no_scan(|tx| {
                let mut filter = Filter::of_project(PROJECT);
                filter.query(query, None)?;
                issues::sql::list(tx, &Texts::default(), &filter, (sort, PAGE), Timestamp::now()).map(drop)
            });
        }
    }
}

#[test]
fn limits_of_a_list_are_looked_up() {
    let mut bench = bench();
    let environment = || Some("production".to_owned());
    let period = || Some(Period::parse("7d").unwrap());
    for limits in
        [Limits::of(environment(), None), Limits::of(None, period()), Limits::of(environment(), period())]
    {
        bench.assert_no_scan(|tx| {
            let mut filter = Filter::of_project(PROJECT);
            filter.limit(limits);
            let page = (Sort::Events, PAGE);
            let (issues, total) = issues::sql::list(tx, &Texts::default(), &filter, page, Timestamp::now())?;
            assert!(issues.len() == 1 && total == 1, "the list reads a trend");
            assert_eq!(issues::sql::total(tx, &Texts::default(), &filter, &mut None)?, 1, "counted alone");
            Ok(())
        });
    }
    bench.assert_no_scan(|tx| issues::sql::within::environments(tx, PROJECT).map(drop));
}

#[test]
fn environments_are_read_in_order_until_there_are_enough() {
    let mut bench = bench();
    let run = statements(&mut bench.connection, |tx| {
        let found = issues::sql::within::environments(tx, PROJECT)?;
        assert_eq!(found.len(), 1);
        Ok(())
    });
    let plan: Vec<String> = run.iter().flat_map(|sql| steps(&bench.connection, sql)).collect();
    assert!(plan.iter().any(|step| step.contains("environments_by_last_seen")), "{plan:#?}");
    // Neither sorted, nor found through the issues.
    let is_dear = |step: &String| step.contains("TEMP B-TREE") || step.contains("issue_facets");
    assert!(!plan.iter().any(is_dear), "{plan:#?}");
}

#[test]
fn reads_and_changes_of_an_issue_stay_with_it() {
    let mut bench = bench();
    let now = Timestamp::now();
    bench.assert_no_scan(|tx| {
        issues::sql::get(tx, PROJECT, ISSUE, now)?;
        issues::sql::tags(tx, ISSUE)?;
        let place = events::sql::place(tx, PROJECT, ISSUE, None)?;
        events::sql::list(tx, ISSUE, place.as_ref(), PAGE)?;
        for name in ["environment:production", "user:u", "tag.k:v"] {
            issues::sql::facet_filter(tx, PROJECT, ISSUE, issues::Facet::parse(name)?)?;
        }
        let filter = events::FacetFilter { facet: "tag.k".into(), values: Vec::new(), first: now, last: now };
        events::sql::list_with_facet(tx, ISSUE, &filter, place.as_ref(), 10, 10)?;
        events::sql::each_until(tx, ISSUE, now, 10, |_| Ok(true))?;
        activity::sql::list(tx, PROJECT, ISSUE, PAGE)?;
        activity::sql::comment(tx, PROJECT, ISSUE, Author { user: UserId(1), by_token: false }, "x", now)?;
        activity::sql::comments(tx, PROJECT, ISSUE, PAGE)?;
        activity::sql::add(tx, ISSUE, &activity::New::automatic(Kind::Resolved), now)?;
        let resolve = issues::Change { status: Some(issues::Status::Resolved), ..Default::default() };
        issues::sql::change(tx, PROJECT, ISSUE, &resolve, Some(UserId(1)), now)?;
        while issues::sql::delete_some(tx, PROJECT, ISSUE)? {}
        issues::sql::delete(tx, PROJECT, ISSUE).map(drop)
    });
}

#[test]
fn releases_and_their_issues_are_found_by_their_version() {
    let mut bench = bench();
    let now = Timestamp::now();
    bench.assert_no_scan(|tx| {
        for hours in [None, Some((0, now.hour()))] {
            let filter = releases::sql::ReleaseFilter { hours, ..Default::default() };
            let (releases, total) = releases::sql::list(tx, PROJECT, &filter, PAGE)?;
            assert_eq!((releases.len(), total), (1, 1), "{hours:?}");
            let filter = releases::sql::ReleaseFilter { environment: Some("none".to_owned()), ..filter };
            assert_eq!(releases::sql::list(tx, PROJECT, &filter, PAGE)?.1, 0);
        }
        let release = releases::sql::get(tx, PROJECT, "1")?.unwrap();
        for environment in [None, Some("production")] {
            releases::sql::with_events(tx, PROJECT, true, environment)?;
            releases::sql::get_health(tx, PROJECT, "1", environment)?;
            releases::sql::hours_of(tx, (PROJECT, "1"), environment, (now.hour() - 9, now.hour()))?;
            issues::sql::project_trend(tx, PROJECT, environment, 9, now)?;
            let health =
                || -> Result<_> { Ok(releases::sql::get_health(tx, PROJECT, "1", environment)?.unwrap()) };
            releases::compare::sql::previous(tx, &health()?, environment)?;
            let found = releases::compare::sql::compare(tx, environment, health()?, Some(health()?), now)?;
            assert_eq!(found.new_issues.total, 1, "{environment:?}");
        }
        releases::sql::begin(tx, PROJECT, "1")?;
        releases::sql::list_maps(tx, release.id, "", MapSort::Uses, PAGE)?;
        releases::sql::issues_seen(tx, PROJECT, "1", 20).map(drop)
    });
}

#[test]
fn what_releases_have_that_only_events_name_is_looked_up_in_their_order() {
    let mut bench = bench();
    bench.digest(&[json!({"message": "x", "release": "2", "environment": "qa", "user": {"id": "u"}})]);
    let run = statements(&mut bench.connection, |tx| {
        assert_eq!(releases::sql::with_more_seen(tx, 0)?, [PROJECT]);
        while releases::sql::forget_seen(tx, PROJECT, 0, 2)? {}
        assert!(releases::sql::with_more_seen(tx, 0)?.is_empty());
        Ok(())
    });
    assert_no_scan(&bench.connection, &run);
    let listed = run.iter().find(|sql| sql.contains("order by s.last_event_at")).unwrap();
    let plan = steps(&bench.connection, listed);
    assert!(!plan.iter().any(|step| step.contains("TEMP B-TREE")), "{plan:#?}");
    for table in ["release_users", "release_environment_users", "release_environment_issues"] {
        let is_emptied = |sql: &String| sql.contains(&format!("delete from {table} "));
        assert!(run.iter().any(is_emptied), "{table}: {run:#?}");
    }
}

#[test]
fn source_maps_are_found_by_content_and_debug_id_and_late_ones_by_release() {
    let mut bench = bench();
    let now = Timestamp::now();
    bench.assert_no_scan(|tx| {
        releases::sql::known_file(tx, PROJECT, &[1; 32])?;
        releases::sql::known_style(tx, PROJECT, &[1; 32])?;
        releases::sql::of_debug_id(tx, PROJECT, crate::event::DebugId([1; 16]))?;
        let release = releases::sql::get(tx, PROJECT, "1")?.unwrap();
        put_style(tx, release.id, now)?;
        let id = crate::event::DebugId([1; 16]);
        releases::late::sql::request(tx, release.id, Some(id), now)?;
        releases::late::sql::await_map(tx, (PROJECT, ISSUE), id, 1, now)?;
        releases::late::sql::arrived(tx, ISSUE, release.id)?;
        releases::late::sql::progress(tx, release.id)?;
        let late = releases::late::sql::next(tx, now)?.unwrap();
        assert_eq!(releases::late::sql::issues(tx, &late, 20)?.1, 1);
        events::sql::last_seen(tx, ISSUE)?;
        releases::late::sql::add_fingerprint(tx, ISSUE, (PROJECT, 1, [9; 16]), now)?;
        releases::late::sql::advance(tx, &late, (ISSUE, 1, 1), 1)?;
        releases::late::sql::finish(tx, &late, now)
    });
}

/// Stores a style sheet, replaces it, and reads what there is.
fn put_style(tx: &Transaction<'_>, release: ReleaseId, now: Timestamp) -> Result<()> {
    let file = |of: u8| {
        let (blake3, sha256) = ([of; 32], [of; 32]);
        File { blake3, sha256, size: 1, disk_size: 1, debug_id: None, flaws: None }
    };
    styles::sql::put(tx, release, "~/a.css", &file(8), now)?;
    assert_eq!(styles::sql::put(tx, release, "~/a.css", &file(9), now)?, vec![[8; 32]]);
    assert_eq!(styles::sql::hash_of(tx, release, "~/a.css")?, Some([9; 32]));
    assert_eq!(styles::sql::total(tx, release)?, (1, 1));
    let found = releases::sql::release_styles(tx, PROJECT, "1")?.unwrap();
    assert_eq!(found.look_up("https://shop.example/a.css?v=1").ok(), Some((&[9; 32], true)));
    Ok(())
}

#[test]
fn the_hourly_job_visits_the_issues_of_the_hour() {
    let mut bench = bench();
    let later = Timestamp::now().plus(crate::time::HOUR);
    bench.assert_no_scan(|tx| {
        spike::sql::suspects(tx, later, 10)?;
        spike::sql::escalating(tx, later)?;
        // As it is after more than a day.
        tx.execute("update issues set escalating_at = 1 where id = 1", ())?;
        spike::sql::calm(tx, ISSUE, later)?;
        spike::sql::check(tx, ISSUE, 1_000, later)
    });
}

#[test]
fn a_scan_would_be_noticed() {
    let bench = bench();
    for sql in [
        "select count(*) from events",
        "select count(*) from events where project_id = 1",
        "select a.actor from audit_log as a where a.action = 'x'",
        "select target from deliveries where kind = 'notice'",
        "select i.id from issues i order by i.event_count desc",
        "select * from issue_facets f where f.count > 3",
        "delete from activity where at < 5",
        "select sum(count) from issue_hours where hour = 7",
    ] {
        assert_eq!(scans(&bench.connection, sql).len(), 1, "{sql}");
    }
}
