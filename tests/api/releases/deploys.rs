//! Deploys of releases.

use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

fn path(project: &Project, version: &str) -> String {
    project.path(&format!("/releases/{version}/deploys"))
}

fn ago(minutes: i64) -> String {
    format!("{:.3}", Timestamp::now() - SignedDuration::from_mins(minutes))
}

#[test]
fn a_deploy_is_recorded_by_a_key_or_a_person_and_listed() {
    let project = Project::new();
    project.make_release("1.0.0");
    project.make_release("2.0.0");
    let (start, end) = (ago(9), ago(7));
    let body = json!({"environment": "production", "name": "build 7", "url": "https://ci.example/7",
        "started_at": start, "finished_at": end});
    let stored = project.ci().post(&path(&project, "1.0.0")).json(&body).send().expect(201);
    for field in ["environment", "name", "url", "started_at", "finished_at"] {
        assert_eq!(stored[field], body[field], "{field}");
    }
    assert_eq!(stored["version"], "1.0.0");
    // A pipeline that got no answer repeats the request.
    assert_eq!(project.ci().post(&path(&project, "1.0.0")).json(&body).send().expect(200), stored);
    let member = project.world.member();
    let by_person = member
        .client
        .post(&path(&project, "2.0.0"))
        .json(&json!({"environment": "staging"}))
        .send()
        .expect(201);
    assert_eq!((&by_person["name"], &by_person["started_at"]), (&Value::Null, &Value::Null));
    assert!(by_person["finished_at"].as_str().unwrap() > end.as_str());

    let list = project.ci().get(&path(&project, "1.0.0")).send().expect(200);
    assert_eq!(list, json!({"deploys": [stored], "total": 1, "has_more": false}));
    let all = |query: &str| project.ci().get(&project.path(&format!("/deploys{query}"))).send().expect(200);
    assert_eq!(all("")["deploys"], json!([by_person, stored]));
    assert_eq!(all("?environment=production")["deploys"], json!([stored]));
    assert_eq!(all(&format!("?start_time={}", ago(3)))["deploys"], json!([by_person]));
    let page = all("?limit=1&offset=1");
    assert_eq!(
        (&page["deploys"], &page["total"], &page["has_more"]),
        (&json!([stored]), &json!(2), &json!(false))
    );

    // They go with their release.
    project.owner.delete(&project.path("/releases/1.0.0")).send().expect(204);
    assert_eq!(all("")["deploys"], json!([by_person]));
    let other = project.other();
    assert_eq!(other.ci().get(&other.path("/deploys")).send().expect(200)["total"], 0);
}

#[test]
fn an_invalid_deploy_is_refused_and_its_field_named() {
    let project = Project::new();
    project.make_release("1.0.0");
    let post = |version: &str, body: &Value| project.ci().post(&path(&project, version)).json(body).send();
    let fine = json!({"environment": "production"});
    post("9", &fine).refuse(404, "Release '9' not found");
    for (field, value) in [
        ("environment", json!("")),
        ("environment", json!(7)),
        ("environment", Value::Null),
        ("environment", json!("x".repeat(65))),
        ("name", json!("x".repeat(129))),
        ("url", json!("javascript:alert(1)")),
        ("started_at", json!("yesterday")),
        ("finished_at", json!(ago(-120))),
    ] {
        let mut body = fine.clone();
        body[field] = value;
        post("1.0.0", &body).refuse(422, field);
    }
    post("1.0.0", &json!({"environment": "x", "started_at": ago(1), "finished_at": ago(2)}))
        .refuse(422, "finished_at");
    for query in ["?start_time=never", "?limit=0", "?limit=101"] {
        let name = query[1..].split('=').next().unwrap();
        project.ci().get(&project.path(&format!("/deploys{query}"))).send().refuse(422, name);
    }
    let ingest = project.world.bearer(&project.key_for(&["ingest"]));
    ingest.post(&path(&project, "1.0.0")).json(&fine).send().refuse(403, "releases");
    let reader = project.world.bearer(&project.key_for(&["read"]));
    reader.post(&path(&project, "1.0.0")).json(&fine).send().refuse(403, "releases");
    assert_eq!(reader.get(&path(&project, "1.0.0")).send().expect(200)["total"], 0);
}
