mod recorded;
mod series;

use super::*;
use crate::ids::{IssueId, ProjectId};
use crate::issues::{Change, Status, Substatus};
use crate::store::{Fatal, Main, Transaction};
use crate::time::{HOUR, Timestamp};

fn repeated(hours: &[i64], times: usize) -> Vec<i64> {
    hours.repeat(times)
}

#[test]
fn the_limit_depends_on_peak_variation_and_deviation() {
    let after = |usual: &[i64], then: &[i64]| [usual, then].concat();
    for (what, counts, expected) in [
        ("no history", vec![], 10),
        ("a silent week", repeated(&[0], 168), 10),
        ("one an hour", repeated(&[1], 168), 10),
        ("three in the only hour: 3 × 5", vec![3], 15),
        ("steady: 20 × 5", repeated(&[20], 168), 100),
        ("10 and 20 in turn, cv 1/3: 20 × 4.03", repeated(&[10, 20], 84), 81),
        ("once a day, cv 4.8: 24 × 2", repeated(&after(&[0; 23], &[24]), 7), 48),
        ("40 every fourth hour, cv 1.73: mean 10 + 5 × 17.3", repeated(&[0, 0, 0, 40], 42), 97),
        ("one hour of 100 in a silent week: 100 × 2", after(&[0; 167], &[100]), 200),
    ] {
        assert_eq!(limit(&counts), expected, "{what}");
    }
}

#[test]
fn a_young_issue_is_compared_with_its_project() {
    for (median, expected) in [(0.0, 10), (0.5, 10), (1.0, 10), (1.01, 11), (7.25, 73), (40.0, 400)] {
        assert_eq!(young_limit(median), expected, "{median}");
    }
}

#[test]
fn the_median_is_the_middle_value() {
    for (rates, expected) in [
        (vec![], 0.0_f64),
        (vec![3.0], 3.0),
        (vec![9.0, 1.0], 5.0),
        (vec![100.0, 1.0, 2.0], 2.0),
        (vec![4.0, 3.0, 2.0, 1.0], 2.5),
    ] {
        assert_eq!(median(rates.clone()).to_bits(), expected.to_bits(), "{rates:?}");
    }
}

/// The start of an hour, long after the epoch.
const HOUR_NOW: i64 = 500_000;

fn at(hour: i64) -> Timestamp {
    Timestamp::from_millis(hour * HOUR + HOUR / 2)
}

struct Bench {
    _dir: tempfile::TempDir,
    main: Main,
}

const PROJECT: ProjectId = ProjectId(1);

fn bench() -> Bench {
    let dir = tempfile::tempdir().unwrap();
    let main = Main::open(dir.path(), &Fatal::new().0).unwrap();
    let bench = Bench { _dir: dir, main };
    bench.write(|tx| {
        let organization = crate::organizations::sql::create(tx, "O", at(0))?;
        let new = crate::projects::sql::NewProject {
            organization,
            name: "P".into(),
            platform: None,
            settings: crate::projects::Settings::default(),
        };
        crate::projects::sql::create(tx, &new, at(0)).map(drop)
    });
    bench
}

impl Bench {
    fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> crate::error::Result<T> + Send + 'static,
    ) -> T {
        self.main.write_blocking(write).unwrap()
    }

    /// An issue first seen this many hours ago, with these counts in the hours since.
    fn issue(&self, id: i64, hours_ago: i64, counts: &[i64]) -> IssueId {
        let (first, counts) = (HOUR_NOW - hours_ago, counts.to_vec());
        self.write(move |tx| {
            tx.execute(
                "insert into issues (id, project_id, number, title, culprit, type, message, level, first_seen,
                     last_seen, created_at, updated_at)
                 values (?1, 1, ?1, '', '', '', '', 'error', ?2, ?3, 0, 0)",
                (id, first * HOUR, at(HOUR_NOW).millis()),
            )?;
            for (index, count) in counts.iter().enumerate() {
                tx.execute("insert into issue_hours values (?1, ?2, ?3)", (id, first + index as i64, count))?;
            }
            Ok(IssueId(id))
        })
    }

    fn set_hour(&self, id: IssueId, hour: i64, count: i64) {
        self.write(move |tx| {
            Ok(tx.execute("insert or replace into issue_hours values (?1, ?2, ?3)", (id.0, hour, count))?)
        });
    }

    /// Checks the hour with this count; returns whether the issue escalates afterwards.
    fn check(&self, id: IssueId, count: i64, hour: i64) -> bool {
        self.write(move |tx| sql::check(tx, id, count, at(hour)));
        self.escalates(id, hour)
    }

    fn escalates(&self, id: IssueId, hour: i64) -> bool {
        let issue = self.main.readers.read_blocking(|c| crate::issues::sql::get(c, PROJECT, id, at(hour)));
        issue.unwrap().unwrap().substatus == Some(Substatus::Escalating)
    }

    fn calm(&self, id: IssueId, hour: i64) -> bool {
        self.write(move |tx| sql::calm(tx, id, at(hour)))
    }

    fn set_status(&self, id: IssueId, status: Status) {
        let change = Change { status: Some(status), ..Change::default() };
        self.write(move |tx| crate::issues::sql::change(tx, PROJECT, id, &change, None, at(HOUR_NOW)));
    }

    fn activity(&self, id: IssueId) -> Vec<serde_json::Value> {
        let page = crate::store::Page { limit: 100, offset: 0 };
        let list = |c: &crate::store::Connection| crate::issues::activity::sql::list(c, PROJECT, id, page);
        let (entries, _) = self.main.readers.read_blocking(list).unwrap().unwrap();
        let escalating = |entry: &&crate::issues::activity::Activity| {
            entry.kind == crate::issues::activity::Kind::Escalating
        };
        entries.iter().filter(escalating).map(|entry| entry.data.clone()).collect()
    }
}

#[test]
fn an_issue_escalates_when_the_hour_reaches_the_limit_of_its_last_week() {
    let bench = bench();
    // It was frantic 400 hours ago, which is over a week, so that does not count.
    let id = bench.issue(1, 400, &[[1_000].repeat(200), [20].repeat(200)].concat());
    assert!(!bench.check(id, 99, HOUR_NOW));
    assert!(bench.check(id, 100, HOUR_NOW));
    assert_eq!(bench.activity(id), [serde_json::json!({"count": 100, "limit": 100})]);
    assert!(bench.check(id, 5_000, HOUR_NOW));
    assert_eq!(bench.activity(id).len(), 1, "said once");
}

#[test]
fn hours_before_the_first_do_not_count() {
    let bench = bench();
    // If the silent days before it counted, 20 × 2 would be enough.
    let id = bench.issue(1, 30, &[20; 30]);
    assert!(!bench.check(id, 99, HOUR_NOW));
    assert!(bench.check(id, 100, HOUR_NOW));
}

#[test]
fn the_limit_is_calculated_once_an_hour() {
    let bench = bench();
    let id = bench.issue(1, 48, &[20; 48]);
    assert!(!bench.check(id, 50, HOUR_NOW));
    bench.set_hour(id, HOUR_NOW - 3, 10_000);
    assert!(bench.check(id, 100, HOUR_NOW), "by the limit that is known");
    let other = bench.issue(2, 48, &[20; 48]);
    assert!(!bench.check(other, 50, HOUR_NOW));
    bench.set_hour(other, HOUR_NOW, 10_000);
    assert!(!bench.check(other, 100, HOUR_NOW + 1), "by that of the new hour");
}

#[test]
fn a_young_issue_escalates_at_ten_times_the_projects_median() {
    let bench = bench();
    let fresh = bench.issue(1, 1, &[9]);
    assert!(!bench.check(fresh, 10_000, HOUR_NOW), "there is nothing to compare it with");
    // Four with 4 per hour, and one with 100; single events, and those of this hour, do not count.
    let bench = self::bench();
    for id in 1..5 {
        bench.issue(id, 100, &[4; 100]);
    }
    bench.issue(5, 30, &[100; 30]);
    bench.issue(6, 60, &[1]);
    bench.issue(7, 0, &[1_000]);
    let fresh = bench.issue(8, 1, &[1]);
    assert!(!bench.check(fresh, 39, HOUR_NOW));
    assert!(bench.check(fresh, 40, HOUR_NOW));
    let newest = bench.issue(9, 0, &[1_000]);
    assert!(!bench.check(newest, 1_000, HOUR_NOW), "it is half an hour old");
    // At an age of one day, it has its own history.
    let grown = bench.issue(10, 24, &[2; 24]);
    assert!(bench.check(grown, 10, HOUR_NOW));
}

#[test]
fn it_calms_down_when_the_last_full_hour_is_under_the_limit_again() {
    let bench = bench();
    let id = bench.issue(1, 100, &[20; 100]);
    bench.set_hour(id, HOUR_NOW, 300);
    assert!(bench.check(id, 300, HOUR_NOW));
    assert!(!bench.calm(id, HOUR_NOW), "its hour is not over");
    assert!(!bench.calm(id, HOUR_NOW + 1));
    bench.set_hour(id, HOUR_NOW + 1, 100);
    assert!(!bench.calm(id, HOUR_NOW + 2), "100 is the limit that it went over");
    bench.set_hour(id, HOUR_NOW + 2, 99);
    assert!(bench.calm(id, HOUR_NOW + 3));
    assert!(!bench.escalates(id, HOUR_NOW + 3));
    // An hour without events has no row.
    let silent = bench.issue(2, 100, &[20; 100]);
    assert!(bench.check(silent, 300, HOUR_NOW));
    assert!(bench.calm(silent, HOUR_NOW + 1));
}

#[test]
fn after_a_day_the_new_rate_counts_as_usual() {
    let bench = bench();
    let id = bench.issue(1, 100, &[20; 100]);
    assert!(bench.check(id, 300, HOUR_NOW));
    for hour in 0..26 {
        bench.set_hour(id, HOUR_NOW + hour, 300);
    }
    assert!(!bench.calm(id, HOUR_NOW + 23));
    assert!(bench.calm(id, HOUR_NOW + 25));
}

#[test]
fn only_unresolved_issues_escalate_and_resolving_or_ignoring_ends_it() {
    let bench = bench();
    for status in [Status::Resolved, Status::Ignored] {
        let id = bench.issue(if status == Status::Resolved { 1 } else { 2 }, 48, &[1; 48]);
        assert!(bench.check(id, 50, HOUR_NOW));
        bench.set_status(id, Status::Unresolved);
        assert!(bench.escalates(id, HOUR_NOW), "it was unresolved already");
        bench.set_status(id, status);
        assert!(!bench.check(id, 60, HOUR_NOW));
        bench.set_status(id, Status::Unresolved);
        assert!(!bench.escalates(id, HOUR_NOW));
    }
}

#[test]
fn a_second_escalation_within_an_hour_is_not_announced() {
    let bench = bench();
    let id = bench.issue(1, 48, &[1; 48]);
    for (hour, said) in [(HOUR_NOW, 1), (HOUR_NOW, 1), (HOUR_NOW + 1, 2)] {
        assert!(bench.check(id, 50, hour));
        assert_eq!(bench.activity(id).len(), said, "{hour}");
        bench.set_status(id, Status::Resolved);
        bench.set_status(id, Status::Unresolved);
    }
}

#[test]
fn the_hourly_job_finds_both() {
    let bench = bench();
    let rising = bench.issue(1, 30, &[[1; 30].as_slice(), &[25]].concat());
    let low = bench.issue(2, 0, &[9]);
    let past = bench.issue(3, 20, &[40]);
    let suspects = bench.main.readers.read_blocking(|c| sql::suspects(c, at(HOUR_NOW), 10)).unwrap();
    assert_eq!(suspects, [(rising, 25)], "neither {low:?} nor {past:?}");
    assert!(bench.check(rising, 25, HOUR_NOW));
    let escalating = |hour| bench.main.readers.read_blocking(|c| sql::escalating(c, at(hour))).unwrap();
    assert_eq!(escalating(HOUR_NOW), []);
    assert_eq!(escalating(HOUR_NOW + 1), [rising]);
}
