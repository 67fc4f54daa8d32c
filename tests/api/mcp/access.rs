//! Which callers may use which tools.

use super::{called, refused, thrown, told, tool_names, with};
use crate::support::server::Server;
use crate::support::world::{World, text};
use crate::support::{Project, json};
use std::sync::Arc;

const WRITES: [&str; 3] = ["resolve_issue", "assign_issue", "comment_issue"];

#[test]
fn a_read_token_neither_sees_nor_calls_tools_that_write() {
    let (project, ids) = thrown(&json!({"message": "it failed"}));
    let owner = project.world.owner_person();
    let (reader, writer) = (owner.tool(&["read"]), owner.tool(&["write"]));
    let names = tool_names(&reader);
    assert!(names.len() == 9 && WRITES.iter().all(|name| !names.contains(&(*name).to_owned())), "{names:?}");
    assert_eq!(tool_names(&writer).len(), 12);
    told(&reader, "get_issue", &ids);
    for (tool, more) in WRITES.into_iter().zip([json!({}), json!({"assignee": "me"}), json!({"text": "x"})]) {
        refused(&reader, tool, &with(&ids, &more), "scopes read, but write is required");
    }
    let issue = project.issue();
    assert_eq!((&issue["status"], &issue["assignee"]), (&json!("unresolved"), &json!(null)));
    let comments = format!("{}/comments", project.issue_path(&issue));
    assert_eq!(project.owner.get(&comments).send().expect(200)["total"], 0);
}

#[test]
fn keys_read_their_own_data_and_write_nothing() {
    let (project, ids) = thrown(&json!({"message": "it failed"}));
    let foreign = project.other();
    foreign.digest(&json!({"message": "elsewhere"}));
    let reader = project.world.bearer(&project.key_for(&["read"]));
    let keys = format!("{}/api-keys", project.world.organization_path());
    let made = project.owner.post(&keys).json(&json!({"name": "agents", "scopes": ["write"]})).send();
    let made = if made.status() == 201 {
        made
    } else {
        project.owner.post(&keys).json(&json!({"name": "agents"})).send()
    };
    let organization = project.world.bearer(&text(&made.expect(201)["key"]));
    for client in [&reader, &organization] {
        assert_eq!(tool_names(client).len(), 9);
        told(client, "get_issue", &ids);
        refused(client, "resolve_issue", &ids, "A key can only read");
        refused(client, "comment_issue", &with(&ids, &json!({"text": "x"})), "A key can only read");
    }
    assert!(told(&reader, "list_projects", &json!({})).contains("1 projects"));
    assert!(
        told(&organization, "list_projects", &json!({})).contains(&format!("project_id {}:", foreign.id))
    );
    refused(
        &reader,
        "list_issues",
        &json!({"project_id": foreign.id}),
        "You do not have access to this project",
    );
    for scope in ["ingest", "releases"] {
        let client = project.world.bearer(&project.key_for(&[scope]));
        super::post(&client).json(&super::message("tools/list", &json!({}))).send().refuse(403, "");
    }
}

#[test]
fn other_peoples_data_looks_unknown() {
    let server = Arc::new(Server::of_many());
    let [mine, theirs] = ["Mine", "Theirs"].map(|name| Arc::new(World::founded(&server, name)));
    let [mine, theirs] = [mine, theirs].map(|world| Project::in_world(world, "Shop"));
    let event = theirs.digest(&json!({"message": "theirs"}));
    let own = mine.digest(&json!({"message": "mine"}));
    let (foreign, unknown) = (theirs.id, 1_000_000);
    for (tool, more) in [
        ("list_issues", json!({})),
        ("get_issue", json!({"issue_id": event["issue_id"]})),
        ("list_events", json!({"issue_id": event["issue_id"]})),
        ("get_event", json!({"event_id": event["event_id"]})),
        ("search_logs", json!({})),
        ("list_releases", json!({})),
        ("explain_frames", json!({"event_id": event["event_id"]})),
        ("similar_issues", json!({"issue_id": event["issue_id"]})),
        ("resolve_issue", json!({"issue_id": event["issue_id"]})),
        ("assign_issue", json!({"issue_id": event["issue_id"], "assignee": "me"})),
        ("comment_issue", json!({"issue_id": event["issue_id"], "text": "x"})),
    ] {
        let ask = |project: i64| called(&mine.owner, tool, &with(&more, &json!({"project_id": project})));
        assert_eq!(ask(foreign), ask(unknown), "{tool}");
        assert!(ask(foreign).0, "{tool}");
        // Nor is anything of another project found through one's own project.
        if !more.as_object().unwrap().is_empty() {
            let (is_error, text) = ask(mine.id);
            let odd = with(&more, &json!({"project_id": mine.id, "issue_id": 1_000_000, "event_id": "none"}));
            let odd =
                more.as_object().unwrap().keys().fold(json!({"project_id": mine.id}), |mut all, name| {
                    all[name] = odd[name].clone();
                    all
                });
            assert_eq!((is_error, text), called(&mine.owner, tool, &odd), "{tool}");
            assert!(is_error, "{tool}");
        }
    }
    assert_eq!(theirs.issue()["status"], "unresolved");
    assert!(!told(&mine.owner, "list_projects", &json!({})).contains(&format!("project_id {foreign}:")));
    told(&mine.owner, "get_issue", &json!({"project_id": mine.id, "issue_id": own["issue_id"]}));
}

#[test]
fn calls_count_as_requests_do() {
    let world = Arc::new(World::start_with(&[("SERVICE_RATE_LIMIT_DASHBOARD_PER_HOUR", "30")]));
    let reader = world.owner_person().tool(&["read"]);
    let ping = super::message("ping", &json!({}));
    let answers: Vec<_> = (0..40).map(|_| super::post(&reader).json(&ping).send()).collect();
    assert_eq!(answers[0].status(), 200);
    let last = answers.last().unwrap();
    last.refuse(429, "");
    assert!(last.header("retry-after").is_some());
}
