//! Triggers that are limited to the issues of a view.

use super::fixture::{automation, events, trigger};
use crate::support::world::text;
use crate::support::{Project, Value, eventually, json};

fn save(project: &Project, view: &Value) -> Value {
    project.owner.post(&project.path("/views")).json(view).send().expect(201)
}

fn config(project: &Project, view: &Value) -> Value {
    json!({"events": ["issue.created"], "projectIds": [project.id], "viewId": view["id"]})
}

#[test]
fn a_trigger_with_a_view_is_called_by_its_issues_alone() {
    let project = Project::alone();
    let owner = &project.owner;
    let other = project.other();
    let view = json!({"name": "Needles", "query": "needle", "environment": "staging", "period": "24h", "shared": true});
    let view = save(&project, &view);
    let made = automation(owner, &json!({"gates": {"max_runs_per_hour": null}}));
    let body = json!({"provider": "errors", "config": config(&project, &view)});
    let stored = trigger(owner, &made, &body);
    assert_eq!(stored["config"]["viewId"], view["id"]);
    let event = |kind: &str, message: &str, environment: &str| json!({"exception": {"type": kind, "message": message}, "environment": environment});
    other.digest(&event("Elsewhere", "a needle", "staging"));
    project.digest(&event("Hay", "hay", "staging"));
    project.digest(&event("Released", "a needle", "production"));
    let issue = project.digest(&event("Staged", "a needle", "staging"))["issue_id"].clone();
    let called = eventually("the events", || {
        let found = events(owner, &made);
        (found.len() >= 3).then_some(found)
    });
    let reasons: Vec<&Value> = called.iter().rev().map(|event| &event["reason"]).collect();
    assert_eq!(reasons, [&json!("filter"), &json!("filter"), &Value::Null]);
    assert_eq!((called.len(), &called[0]["issue_id"]), (3, &issue));
}

#[test]
fn a_view_that_a_trigger_cannot_use_is_refused() {
    let project = Project::new();
    let (owner, other) = (&project.owner, project.other());
    let made = automation(owner, &json!({}));
    let path = format!("/api/automations/{}/triggers", text(&made["id"]));
    let good = trigger(owner, &made, &json!({"provider": "errors", "config": {"events": ["issue.created"]}}));
    let one = format!("{path}/{}", text(&good["id"]));
    let own = save(&project, &json!({"name": "Own", "query": "x"}));
    let common = save(&project, &json!({"name": "Common", "query": "x", "shared": true}));
    let mine = save(&project, &json!({"name": "Mine", "query": "is:mine", "shared": true}));
    let gone = save(&project, &json!({"name": "Gone", "query": "x", "shared": true}));
    owner.delete(&project.path(&format!("/views/{}", gone["id"]))).send().expect(204);
    let mut nowhere = config(&project, &common);
    nowhere["projectIds"] = json!([1_000_000]);
    let mut everywhere = config(&project, &common);
    everywhere["projectIds"] = json!([]);
    let unknown = "config.viewId: expected a view that is shared in this project";
    for (config, words) in [
        (config(&project, &own), unknown),
        (config(&other, &common), unknown),
        (config(&project, &gone), unknown),
        (nowhere, unknown),
        (config(&project, &mine), "config.viewId: the query of this view depends on who asks"),
        (everywhere, "config.viewId: expected the project of the view alone"),
    ] {
        let body = json!({"provider": "errors", "config": config});
        owner.post(&path).json(&body).send().refuse(422, words);
        owner.patch(&one).json(&json!({"config": config})).send().refuse(422, words);
    }
}

#[test]
fn a_trigger_whose_view_went_with_its_project_can_be_renamed() {
    let project = Project::new();
    let (owner, other) = (&project.owner, project.other());
    let view = save(&other, &json!({"name": "Common", "query": "x", "shared": true}));
    let made = automation(owner, &json!({}));
    let kept = config(&other, &view);
    let stored = trigger(owner, &made, &json!({"provider": "errors", "config": kept}));
    owner.delete(&other.path("")).send().expect(204);
    let one = format!("/api/automations/{}/triggers/{}", text(&made["id"]), text(&stored["id"]));
    let mut narrower = kept.clone();
    narrower["levels"] = json!(["fatal"]);
    let changed = owner.patch(&one).json(&json!({"name": "Renamed", "config": narrower})).send().expect(200);
    assert_eq!(changed["trigger"]["name"], "Renamed");
    assert_eq!(changed["trigger"]["config"]["levels"], json!(["fatal"]));
    // Taken up elsewhere, it would be another view.
    narrower["projectIds"] = json!([project.id]);
    owner.patch(&one).json(&json!({"config": narrower})).send().refuse(422, "config.viewId: expected a view");
}

#[test]
fn a_view_that_a_trigger_uses_stays_until_the_trigger_is_gone() {
    let project = Project::new();
    let owner = &project.owner;
    let view = save(&project, &json!({"name": "Common", "query": "x", "shared": true}));
    let made = automation(owner, &json!({"name": "Mend carts"}));
    let body = json!({"provider": "errors", "config": config(&project, &view)});
    let used = trigger(owner, &made, &body);
    let one = project.path(&format!("/views/{}", view["id"]));
    let words = "used by the automation `Mend carts`: ";
    owner.delete(&one).send().refuse(409, words);
    owner.patch(&one).json(&json!({"shared": false})).send().refuse(409, words);
    let path = format!("/api/automations/{}/triggers/{}", text(&made["id"]), text(&used["id"]));
    owner.patch(&path).json(&json!({"enabled": false})).send().expect(200);
    owner.delete(&one).send().refuse(409, words);
    owner.delete(&path).send().expect(200);
    owner.delete(&one).send().expect(204);
}
