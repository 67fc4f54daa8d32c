use super::{AskedIssues, problem};
use crate::alerts::NewRule;
use crate::error::{Error, Result};
use crate::ids::{IssueId, ProjectId};
use crate::store::{Fatal, Main, Transaction};
use crate::time::Timestamp;
use crate::{organizations, projects};
use serde_json::{Value, json};

fn project(tx: &Transaction<'_>) -> Result<ProjectId> {
    let organization = organizations::sql::create(tx, "Acme", Timestamp::now())?;
    let (name, settings) = ("Shop".to_owned(), projects::Settings::default());
    let new = projects::sql::NewProject { organization, name, platform: None, settings };
    Ok(projects::sql::create(tx, &new, Timestamp::now())?.id)
}

fn rule(filters: &Value) -> NewRule {
    let rule = json!({ "name": "one", "condition": { "type": "new" }, "filters": filters });
    serde_json::from_value(rule).unwrap()
}

#[test]
fn a_rule_says_that_its_query_or_its_view_can_no_longer_be_asked() {
    let data = tempfile::tempdir().unwrap();
    let main = Main::open(data.path(), &Fatal::new().0).unwrap();
    main.write_blocking(|tx| {
        let project = project(tx)?;
        let of = |filters: Value| problem(tx, &rule(&filters), project);
        assert_eq!((of(json!({}))?, of(json!({ "query": "cart" }))?), (None, None));
        let words = of(json!({ "query": "relase:1" }))?.unwrap_or_default();
        assert!(words.starts_with("It cannot fire. filters.query: "), "{words}");
        // Of no view of the project.
        let gone = json!({ "query": "cart", "view_id": 7 });
        let words = of(gone.clone())?.unwrap_or_default();
        assert!(words.starts_with("It cannot fire. filters.view_id: "), "{words}");
        let asked = AskedIssues::read(tx, project, &rule(&gone).filters)?;
        assert!(!asked.have(tx, IssueId(1))?, "a view that is gone has no issue");
        let wrong = AskedIssues::read(tx, project, &rule(&json!({ "query": "relase:1" })).filters);
        assert!(matches!(wrong, Err(Error::Invalid(_))));
        Ok(())
    })
    .unwrap();
}
