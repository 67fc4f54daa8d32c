//! Sessions as specified, and how people change them.

use super::fixture::{repository, session};
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Project, Value, json, world};

/// Those of the specification.
const FIELDS: [&str; 16] = [
    "id",
    "repo_id",
    "organization_id",
    "created_by",
    "session_type",
    "status",
    "sandbox_id",
    "snapshot_id",
    "branch_name",
    "parent_session_id",
    "title",
    "started_at",
    "last_activity_at",
    "paused_at",
    "origin",
    "repo",
];

#[test]
fn a_session_waits_for_a_runner() {
    let world = world();
    let repo = repository(&world.owner);
    let body = json!({"repoId": repo["id"], "title": "Mend it", "sessionType": "coding", "modelId": "m-1",
        "prompt": "Find the bug and mend it."});
    let made = session(&world.owner, &body);
    for field in FIELDS {
        assert!(made.get(field).is_some(), "{field}");
    }
    let expected = json!({"status": "starting", "session_type": "coding", "origin": "api", "title": "Mend it",
        "model_id": "m-1", "agent_type": "claude-code", "repo_id": repo["id"], "repo": repo,
        "organization_id": world.organization.to_string(), "created_by": world.owner_id.to_string(),
        "started_at": null, "paused_at": null, "sandbox_id": null, "parent_session_id": null, "outcome": null});
    let expected = expected.as_object().unwrap().iter().filter(|(name, _)| *name != "origin");
    for (name, value) in expected {
        assert_eq!(&made[name], value, "{name}");
    }
    let path = format!("/api/sessions/{}", text(&made["id"]));
    assert_eq!(world.owner.get(&path).send().expect(200), json!({"session": made}));
    let messages = world.owner.get(&format!("{path}/messages")).send().expect(200);
    let first = &messages["messages"][0];
    assert_eq!((&first["role"], &first["content"]), (&json!("user"), &json!("Find the bug and mend it.")));
    assert_eq!(messages["messages"].as_array().unwrap().len(), 1);
    let list = world.owner.get("/api/sessions?limit=200").send().expect(200);
    assert!(list["sessions"].as_array().unwrap().contains(&made));
}

#[test]
fn the_origin_says_how_a_session_was_started() {
    let world = world();
    let by_session = session(&world.owner, &json!({}));
    assert_eq!((&by_session["origin"], &by_session["title"]), (&json!("web"), &json!("Untitled session")));
    let by_token =
        session(&world.owner_person().tool(&["write"]), &json!({"prompt": "\n\n Look at it\nand more"}));
    assert_eq!((&by_token["origin"], &by_token["title"]), (&json!("api"), &json!("Look at it")));
}

#[test]
fn a_session_about_an_issue_works_in_its_projects_repository() {
    let project = Project::new();
    let repo = repository(&project.owner);
    project.owner.patch(&project.path("")).json(&json!({"repositories": [repo["id"]]})).send().expect(200);
    let issue = project.digest(&json!({"message": "boom"}))["issue_id"].clone();
    let made = session(&project.owner, &json!({"issueId": issue, "prompt": "Mend it"}));
    assert_eq!(
        (&made["issue_id"], &made["project_id"], &made["repo_id"]),
        (&issue, &json!(project.id), &repo["id"])
    );
    assert_eq!(made["issue_short_id"], project.issue()["short_id"]);
    let path = format!("/api/sessions?issueId={issue}");
    assert_eq!(project.owner.get(&path).send().expect(200)["total"], 1);
    let other = project.other();
    let body = json!({"issueId": issue, "projectId": other.id});
    project.owner.post("/api/sessions").json(&body).send().refuse(422, "issueId");
}

#[test]
fn lists_are_filtered_and_paged() {
    let project = Project::alone();
    let owner = &project.owner;
    let made: Vec<Value> =
        (0..3).map(|n| session(owner, &json!({"prompt": format!("number {n}")}))).collect();
    owner
        .patch(&format!("/api/sessions/{}", text(&made[0]["id"])))
        .json(&json!({"status": "stopped"}))
        .send()
        .expect(200);
    let ids = |query: &str| {
        let list = owner.get(&format!("/api/sessions{query}")).send().expect(200);
        let ids = list["sessions"].as_array().unwrap().iter().map(|one| text(&one["id"])).collect::<Vec<_>>();
        (ids, list["total"].as_i64().unwrap())
    };
    let id = |n: usize| text(&made[n]["id"]);
    assert_eq!(ids(""), (vec![id(2), id(1), id(0)], 3));
    assert_eq!(ids("?limit=1&offset=1"), (vec![id(1)], 3));
    assert_eq!(ids("?status=stopped"), (vec![id(0)], 1));
    assert_eq!(ids("?automationId=0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"), (vec![], 0));
    for (query, field) in [
        ("?status=nonsense", "status"),
        ("?repoId=x", "repoId"),
        ("?issueId=x", "issueId"),
        ("?limit=0", "limit"),
        ("?limit=201", "limit"),
        ("?offset=-1", "offset"),
    ] {
        let answer = owner.get(&format!("/api/sessions{query}")).send();
        answer.refuse(422, field);
        assert_eq!(answer.value()["code"], "VALIDATION");
    }
}

#[test]
fn a_waiting_session_can_be_stopped_and_an_ended_one_stays_ended() {
    let world = world();
    let made = session(&world.owner, &json!({"prompt": "x"}));
    let path = format!("/api/sessions/{}", text(&made["id"]));
    let change = |body: &Value| world.owner.patch(&path).json(body).send();
    let renamed = change(&json!({"title": "New", "branchName": "mayday/it"})).expect(200)["session"].clone();
    assert_eq!((&renamed["title"], &renamed["branch_name"]), (&json!("New"), &json!("mayday/it")));
    for status in ["running", "paused", "suspended", "failed"] {
        let answer = change(&json!({"status": status}));
        answer.refuse(409, "status");
        assert_eq!(answer.value()["code"], "CONFLICT");
    }
    // Sending the current state changes nothing.
    assert_eq!(change(&json!({"status": "starting"})).expect(200)["session"]["status"], "starting");
    let stopped = change(&json!({"status": "stopped"})).expect(200)["session"].clone();
    assert_eq!((&stopped["status"], &stopped["outcome"]), (&json!("stopped"), &json!("cancelled")));
    assert!(stopped["ended_at"].is_string());
    for status in ["running", "paused", "starting"] {
        change(&json!({"status": status})).refuse(409, "status");
    }
    change(&json!({"status": "stopped"})).expect(200);
    let say = world.owner.post(&format!("{path}/messages")).json(&json!({"content": "hello?"})).send();
    say.refuse(409, "stopped");
    for (body, field) in [
        (json!({"title": ""}), "title"),
        (json!({"status": "nonsense"}), "status"),
        (json!({"branchName": "-x"}), "branchName"),
        (json!({"branchName": "main"}), "begins with mayday/"),
        (json!({"branchName": "fix/it"}), "begins with mayday/"),
        (json!({"branchName": "mayday/"}), "branchName"),
    ] {
        change(&body).refuse(422, field);
    }
}

#[test]
fn people_send_messages_to_the_agent() {
    let world = world();
    let made = session(&world.owner, &json!({"prompt": "first"}));
    let path = format!("/api/sessions/{}/messages", text(&made["id"]));
    let said =
        world.owner.post(&path).json(&json!({"content": "second"})).send().expect(201)["message"].clone();
    assert_eq!(
        (&said["role"], &said["content"], &said["delivered_at"]),
        (&json!("user"), &json!("second"), &Value::Null)
    );
    assert_eq!(said["created_by"], world.owner_id.to_string());
    let contents = |query: &str| {
        let list = world.owner.get(&format!("{path}{query}")).send().expect(200);
        list["messages"].as_array().unwrap().iter().map(|one| text(&one["content"])).collect::<Vec<_>>()
    };
    assert_eq!(contents(""), ["first", "second"]);
    assert_eq!(contents("?limit=1"), ["first"]);
    assert_eq!(contents(&format!("?after={}", said["id"].as_i64().unwrap() - 1)), ["second"]);
    for (body, field) in [
        (json!({}), "content"),
        (json!({"content": " "}), "content"),
        (json!({"content": "x".repeat(65_537)}), "content"),
        (json!({"content": 5}), "content"),
    ] {
        world.owner.post(&path).json(&body).send().refuse(422, field);
    }
    world.owner.get(&format!("{path}?after=x")).send().refuse(422, "after");
}

#[test]
fn invalid_values_are_named() {
    let world = world();
    for (body, field) in [
        (json!({"repoId": "x"}), "repoId"),
        (json!({"repoId": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"}), "repoId"),
        (json!({"projectId": 999_999}), "projectId"),
        (json!({"issueId": 999_999}), "issueId"),
        (json!({"parentSessionId": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"}), "parentSessionId"),
        (json!({"sessionType": "nonsense"}), "sessionType"),
        (json!({"sessionType": "setup"}), "sessionType: expected coding"),
        (json!({"sessionType": "terminal", "dryRun": true}), "sessionType: expected coding"),
        (json!({"agentType": "-x"}), "agentType"),
        (json!({"modelId": "a b"}), "modelId"),
        (json!({"prompt": "x".repeat(65_537)}), "prompt"),
        (json!({"labels": [5]}), "labels"),
        (json!({"timeLimitMinutes": 9_999}), "timeLimitMinutes"),
    ] {
        let answer = world.owner.post("/api/sessions").json(&body).send();
        answer.refuse(422, field);
        assert_eq!(answer.value()["code"], "VALIDATION", "{body}");
    }
}

#[test]
fn a_deleted_session_is_gone_and_its_deletion_audited() {
    let world = world();
    let title = fresh_id();
    let made = session(&world.owner, &json!({"prompt": "x", "title": title}));
    let path = format!("/api/sessions/{}", text(&made["id"]));
    assert_eq!(world.owner.delete(&path).send().expect(200), json!({"deleted": true}));
    let audit = world.audit("?action=agent_session.deleted");
    assert!(audit.iter().any(|entry| entry["target"] == title), "{audit:?}");
    let expected = json!({"error": "This organization has no such session", "code": "NOT_FOUND"});
    for answer in [
        world.owner.get(&path).send(),
        world.owner.delete(&path).send(),
        world.owner.patch(&path).json(&json!({"title": "x"})).send(),
        world.owner.get(&format!("{path}/messages")).send(),
        world.owner.post(&format!("{path}/messages")).json(&json!({"content": "x"})).send(),
        world.owner.get("/api/sessions/nonsense").send(),
        world.owner.get("/api/sessions/0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c").send(),
    ] {
        assert_eq!(answer.expect(404), expected);
    }
}
