use super::events::{self, Seen};
use super::{firings, rules};
use crate::alerts::{HOURLY_MAX, NewRule, Threshold};
use crate::error::Result;
use crate::ids::{IssueId, ProjectId};
use crate::store::{Fatal, Main, Transaction};
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
fn a_rule_that_cannot_be_read_keeps_none_of_the_others() {
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
fn what_the_limit_of_an_hour_leaves_out_is_told_once_it_is_over() {
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
    let seen: Vec<Seen> = [(0, Some(1)), (1, Some(1)), (2, None), (3, Some(2)), (9, Some(1)), (10, Some(3))]
        .map(|(minute, person)| Seen { at: start.plus(minute * MINUTE), person })
        .into();
    let minutes = |over: Threshold| {
        events::exceeded(&seen, over).into_iter().map(|at| at.millis() / MINUTE).collect::<Vec<_>>()
    };
    let over = Threshold { count: 1, users: None, minutes: 5 };
    assert_eq!(minutes(over), [1, 2, 3, 10]);
    assert_eq!(minutes(Threshold { count: 3, ..over }), [3]);
    assert_eq!(minutes(Threshold { users: Some(1), ..over }), [3, 10]);
    assert_eq!(minutes(Threshold { count: 0, users: Some(2), minutes: 8 }), [10]);
    assert_eq!(minutes(Threshold { count: 0, users: Some(2), minutes: 7 }), Vec::<i64>::new());
}
