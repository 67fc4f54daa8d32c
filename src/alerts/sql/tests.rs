use super::rules;
use crate::alerts::NewRule;
use crate::error::Result;
use crate::ids::ProjectId;
use crate::store::{Fatal, Main, Transaction};
use crate::time::Timestamp;
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
