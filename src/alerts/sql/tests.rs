use super::events::{self, CountedEvent};
use super::{firings, rules, thresholds};
use crate::alerts::{HOURLY_MAX, NewRule, Rule, Threshold};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::store::{Fatal, Main, Packer, Transaction};
use crate::time::{HOUR, MINUTE, Timestamp};
use crate::{organizations, projects};
use serde_json::json;

fn project(tx: &Transaction<'_>) -> Result<ProjectId> {
    let organization = organizations::sql::create(tx, "Acme", Timestamp::now())?;
    let (name, settings) = ("Shop".to_owned(), projects::Settings::default());
    let new = projects::sql::NewProject { organization, name, platform: None, settings };
    Ok(projects::sql::create(tx, &new, Timestamp::now())?.id)
}

#[test]
fn an_unreadable_rule_does_not_stop_the_others() {
    let data = tempfile::tempdir().unwrap();
    let main = Main::open(data.path(), &Fatal::new().0).unwrap();
    let found = main.write_blocking(|tx| {
        let project = project(tx)?;
        for name in ["one", "two", "three"] {
            let condition = json!({ "type": "events", "count": 1, "minutes": 1 });
            let new: NewRule =
                serde_json::from_value(json!({ "name": name, "condition": condition })).unwrap();
            rules::create(tx, project, &new, Timestamp::now())?;
        }
        tx.execute(
            "update alert_rules set condition = '{\"type\":\"of a later version\"}' where name = 'two'",
            [],
        )?;
        Ok(rules::counting(tx)?.into_iter().map(|rule| rule.rule.name).collect::<Vec<_>>())
    });
    assert_eq!(found.unwrap(), ["one", "three"]);
}

#[test]
fn messages_over_the_hourly_limit_are_reported_when_the_hour_is_over() {
    let data = tempfile::tempdir().unwrap();
    let main = Main::open(data.path(), &Fatal::new().0).unwrap();
    main.write_blocking(|tx| {
        let condition = json!({ "type": "events", "count": 1, "minutes": 1 });
        let new: NewRule = serde_json::from_value(json!({ "name": "one", "condition": condition })).unwrap();
        let rule = rules::create(tx, project(tx)?, &new, Timestamp::now())?.id;
        let start = Timestamp::now();
        let told = |issue, after| firings::take(tx, rule, Some(IssueId(issue)), 24 * 60, start.plus(after));
        for issue in 1..=HOURLY_MAX {
            assert_eq!(told(issue, 0)?, Some(0));
        }
        let late = HOURLY_MAX + 1;
        assert_eq!((told(late, MINUTE)?, told(late, 2 * MINUTE)?), (None, None), "counted once");
        assert_eq!(told(1, HOUR)?, None, "it is quiet about what it told");
        assert_eq!(told(late, HOUR)?, Some(1));
        assert_eq!(told(late, 2 * HOUR)?, None);
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_threshold_is_exceeded_by_events_and_people_within_the_minutes() {
    let start = Timestamp::from_millis(0);
    let seen: Vec<CountedEvent> =
        [(0, Some(1)), (1, Some(1)), (2, None), (3, Some(2)), (9, Some(1)), (10, Some(3))]
            .map(|(minute, person)| CountedEvent { at: start.plus(minute * MINUTE), person })
            .into();
    let minutes = |over: Threshold| {
        let spans = events::exceeded(&seen, over).into_iter();
        spans.map(|(from, until)| (from.millis() / MINUTE, until.millis() / MINUTE)).collect::<Vec<_>>()
    };
    let over = Threshold { count: 1, users: None, minutes: 5 };
    assert_eq!(minutes(over), [(1, 7), (10, 14)]);
    assert_eq!(minutes(Threshold { count: 3, ..over }), [(3, 5)]);
    assert_eq!(minutes(Threshold { users: Some(1), ..over }), [(3, 6), (10, 14)]);
    assert_eq!(minutes(Threshold { count: 0, users: Some(2), minutes: 8 }), [(10, 11)]);
    assert_eq!(minutes(Threshold { count: 0, users: Some(2), minutes: 7 }), []);
}

/// A rule for more than `count` events of level `error`, and an issue with that many events of level `info` in the
/// current minute.
fn of_level(tx: &Transaction<'_>, count: i64, events: i64) -> Result<(Rule, IssueId)> {
    let project = project(tx)?;
    let condition = json!({ "type": "events", "count": count, "minutes": 5 });
    let new = json!({ "name": "one", "condition": condition, "filters": { "levels": ["error"] } });
    let rule = rules::create(tx, project, &serde_json::from_value(new).unwrap(), Timestamp::now())?;
    let (now, hour) = (Timestamp::now().millis(), Timestamp::now().millis() / HOUR);
    tx.execute(
        "insert into issues (id, project_id, number, title, culprit, type, message, level, first_seen, last_seen,
             created_at, updated_at) values (1, ?1, 1, '', '', '', '', 'error', ?2, ?2, ?2, ?2)",
        [project.0, now],
    )?;
    tx.execute("insert into issue_hours values (1, ?1, ?2)", [hour, events])?;
    let payload = Packer::default().pack(br#"{"level":"info","environment":"production"}"#)?;
    for id in 1..=events {
        tx.execute(
            "insert into events (id, project_id, issue_id, event_key, timestamp, received_at, payload)
             values (?1, ?2, 1, cast(?1 as blob), ?3, ?3, ?4)",
            (id, project.0, now, &payload),
        )?;
    }
    Ok((rule, IssueId(1)))
}

#[test]
fn an_incomplete_count_is_reported() {
    for (events, is_partial) in [(5_003, false), (5_004, true)] {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        main.write_blocking(move |tx| {
            let (rule, _) = of_level(tx, 2, events)?;
            let over = Threshold { count: 2, users: None, minutes: 5 };
            let counted = thresholds::over(tx, &rule, over, Timestamp::now(), |_| Ok(true))?;
            assert_eq!((counted.over.len(), counted.is_partial), (0, is_partial), "{events}");
            let counted = thresholds::over(tx, &rule, over, Timestamp::now(), |_| Ok(false))?;
            assert!(!counted.is_partial, "issues that the query leaves out are not read");
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn a_problem_stays_until_the_rule_is_changed() {
    let data = tempfile::tempdir().unwrap();
    let main = Main::open(data.path(), &Fatal::new().0).unwrap();
    main.write_blocking(|tx| {
        let (rule, _) = of_level(tx, 2, 0)?;
        let project = rule.project_id;
        let problem =
            |tx: &Transaction<'_>| Ok::<_, crate::error::Error>(rules::list(tx, project)?[0].problem.clone());
        rules::set_problem(tx, &rule, Some("too much"))?;
        assert_eq!(problem(tx)?.as_deref(), Some("too much"));
        rules::update(tx, project, rule.id, &rule.rule, rule.updated_at.plus(1))?;
        assert_eq!(problem(tx)?, None);
        rules::set_problem(tx, &rule, Some("too much"))?;
        assert_eq!(problem(tx)?, None, "it was said of the rule as it was");
        Ok(())
    })
    .unwrap();
}
