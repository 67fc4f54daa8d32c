//! Which events are one issue.

use crate::support::project::{SCRIPT, SCRIPT_URL};
use crate::support::{Project, Value, json, maps};

#[track_caller]
fn total(project: &Project) -> i64 {
    project.issues("")["total"].as_i64().unwrap()
}

fn throw_at(columns: [u32; 2], release: &str, names: [&str; 2]) -> Value {
    let stack = maps::stack(
        "TypeError: no amount",
        &[(names[0], SCRIPT, columns[0]), (names[1], SCRIPT, columns[1])],
    );
    json!({"release": release, "exception": {"type": "TypeError", "message": "no amount", "stack": stack}})
}

#[test]
fn a_new_build_of_the_same_code_makes_no_new_issue() {
    let project = Project::new();
    project.upload("1", SCRIPT_URL, &maps::cart()).expect(201);
    project.upload("2", SCRIPT_URL, &maps::cart_rebuilt()).expect(201);
    let first = project.digest(&throw_at([maps::IN_TOTAL, maps::IN_CHECKOUT], "1", ["t", "c"]));
    let second = project.digest(&throw_at([maps::IN_TOTAL + 700, maps::IN_CHECKOUT + 700], "2", ["a", "b"]));
    assert_eq!(first["issue_id"], second["issue_id"]);
    assert_eq!(project.issue()["event_count"], 2);
}

#[test]
fn other_code_and_other_types_are_other_issues() {
    let project = Project::new();
    project.upload("1", SCRIPT_URL, &maps::cart()).expect(201);
    project.digest(&throw_at([maps::IN_TOTAL, maps::IN_CHECKOUT], "1", ["t", "c"]));
    project.digest(&throw_at([maps::IN_CHECKOUT, maps::TOP_LEVEL], "1", ["t", "c"]));
    assert_eq!(total(&project), 2);
    let mut other_type = throw_at([maps::IN_TOTAL, maps::IN_CHECKOUT], "1", ["t", "c"]);
    other_type["exception"]["type"] = json!("RangeError");
    project.digest(&other_type);
    assert_eq!(total(&project), 3);
}

#[test]
fn with_frames_the_message_makes_no_difference() {
    let project = Project::new();
    for message in ["cannot read a", "cannot read b"] {
        let stack = maps::stack(&format!("TypeError: {message}"), &[("loadCart", SCRIPT, 500)]);
        let exception = json!({"type": "TypeError", "message": message, "stack": stack});
        project.digest(&json!({"exception": exception}));
    }
    // The newest event names the issue.
    assert_eq!(project.issue()["title"], "TypeError: cannot read b");
}

#[test]
fn an_unmapped_bundle_is_not_one_issue() {
    let project = Project::new();
    for message in ["no cart 1", "no user", "no cart 2"] {
        let stack = maps::stack(&format!("Error: {message}"), &[("t", SCRIPT, 500), ("e.n", SCRIPT, 900)]);
        project.digest(&json!({"exception": {"type": "Error", "message": message, "stack": stack}}));
    }
    assert_eq!(total(&project), 2);
}

#[test]
fn engines_that_name_methods_otherwise_are_one_issue() {
    let project = Project::new();
    let url = "https://shop.example/app.js:10:5";
    for stack in
        [format!("Error: x\n    at Cart.total ({url})"), format!("total@{url}"), format!("total@{url}\n")]
    {
        project.digest(&json!({"exception": {"type": "Error", "message": "x", "stack": stack}}));
    }
    assert_eq!(project.issue()["event_count"], 3);
}

#[test]
fn paths_and_statuses_in_messages_separate_issues() {
    let project = Project::new();
    for message in [
        "GET /api/orders/123 failed with 404",
        "GET /api/orders/456 failed with 404",
        "GET /api/orders/123 failed with 500",
        "GET /api/users/123 failed with 404",
    ] {
        project.digest(&json!({"exception": {"type": "HttpError", "message": message}}));
    }
    assert_eq!(total(&project), 3);
}

#[test]
fn lines_columns_queries_and_hashes_in_names_make_no_difference() {
    let project = Project::new();
    for url in [
        "https://shop.example/assets/app-B4kzQ9xT.js:1:10",
        "https://shop.example/assets/app-Zr81Lm2P.js:1:999",
        "https://cdn.example/assets/app-Zr81Lm2P.js?v=3:7:1",
    ] {
        let stack = format!("Error: x\n    at save ({url})");
        project.digest(&json!({"exception": {"type": "Error", "message": "x", "stack": stack}}));
    }
    assert_eq!(project.issue()["event_count"], 3);
}

#[test]
fn without_frames_messages_count_without_their_variable_parts() {
    let project = Project::new();
    for message in ["user 17 not found at 10.0.0.1", "user 4711 not found at 192.168.2.3"] {
        project.digest(&json!({"exception": {"type": "NotFound", "message": message}}));
    }
    assert_eq!(project.issue()["event_count"], 2);
    project.digest(&json!({"exception": {"type": "NotFound", "message": "order 17 not found at 10.0.0.1"}}));
    assert_eq!(total(&project), 2);
}

#[test]
fn the_clients_own_fingerprint_decides() {
    let project = Project::new();
    let with = |fingerprint: Value, message: &str| {
        project.digest(&json!({"exception": {"type": "E", "message": message}, "fingerprint": fingerprint}))["issue_id"].clone()
    };
    assert_eq!(with(json!(["checkout"]), "alpha"), with(json!(["checkout"]), "beta"));
    assert_ne!(with(json!(["checkout"]), "alpha"), with(json!(["checkout", "2"]), "alpha"));
    let ours = project.digest(&json!({"exception": {"type": "E", "message": "alpha"}}))["issue_id"].clone();
    assert_eq!(with(json!(["{{ default }}"]), "alpha"), ours);
    assert_eq!(with(json!([]), "alpha"), ours);
    assert_ne!(with(json!(["{{ default }}", "tenant 1"]), "alpha"), ours);
    assert_ne!(
        with(json!(["{{ default }}", "tenant 1"]), "alpha"),
        with(json!(["{{ default }}", "tenant 2"]), "alpha")
    );
    assert_ne!(
        with(json!(["{{ default }}", "tenant 1"]), "alpha"),
        with(json!(["{{ default }}", "tenant 1"]), "beta")
    );
}

#[test]
fn projects_do_not_share_issues() {
    let project = Project::new();
    let other = project.other();
    let mine = project.digest(&json!({"message": "the same"}));
    let theirs = other.digest(&json!({"message": "the same"}));
    assert_ne!(mine["issue_id"], theirs["issue_id"]);
    assert_eq!((total(&project), total(&other)), (1, 1));
}

#[test]
fn issues_are_numbered_in_their_project() {
    let project = Project::named("Web Shop");
    for (number, word) in ["alpha", "beta", "gamma"].iter().enumerate() {
        let event = project.digest(&json!({"message": format!("{word} failed")}));
        let path = project.path(&format!("/issues/{}", event["issue_id"]));
        let short = project.owner.get(&path).send().expect(200)["short_id"].as_str().unwrap().to_owned();
        assert!(short.starts_with("WEBSHOP") && short.ends_with(&format!("-{}", number + 1)), "{short}");
    }
}
