use super::*;
use crate::automations::Provider;
use crate::automations::config::TriggerConfig;
use serde_json::json;

fn config(given: Value) -> GithubConfig {
    match TriggerConfig::read(Provider::Github, &given).unwrap() {
        TriggerConfig::Github(config) => config,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn is_wanted_by(given: Value, event: &str, payload: &Value) -> bool {
    let mut payload = payload.clone();
    payload["repository"] = json!({"id": 42, "full_name": "acme/shop"});
    match read(event, &payload, &config(given)) {
        GithubCall::Wanted { kind, repository, .. } => {
            assert_eq!(kind, format!("github.{event}"));
            assert_eq!(repository, Some(Repository { id: "42".to_owned(), name: "acme/shop".to_owned() }));
            true
        }
        GithubCall::Other { .. } => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn pushes_to_the_named_branches_are_wanted() {
    let push = |branch: &str| json!({"ref": format!("refs/heads/{branch}")});
    assert!(is_wanted_by(json!({}), "push", &push("main")));
    assert!(is_wanted_by(json!({"events": ["push"], "branches": ["main"]}), "push", &push("main")));
    assert!(!is_wanted_by(json!({"branches": ["main"]}), "push", &push("other")));
    assert!(!is_wanted_by(json!({"events": ["check_failure"]}), "push", &push("main")));
    assert!(!is_wanted_by(json!({}), "push", &push("mayday/web-42-0123abcd")), "an agent's own");
    assert!(!is_wanted_by(json!({}), "push", &json!({"ref": "refs/tags/v1"})));
    assert!(!is_wanted_by(json!({}), "push", &json!({"ref": "refs/heads/main", "deleted": true})));
    assert!(!is_wanted_by(json!({"repositories": ["acme/other"]}), "push", &push("main")));
    assert!(is_wanted_by(json!({"repositories": ["Acme/Shop"]}), "push", &push("main")));
}

#[test]
fn comments_by_people_with_the_phrase_are_wanted() {
    let comment = |body: &str, action: &str, sender: &str| {
        json!({"action": action, "sender": {"type": sender},
        "comment": {"body": body, "author_association": "MEMBER"}})
    };
    assert!(is_wanted_by(json!({}), "issue_comment", &comment("please /mayday fix", "created", "User")));
    assert!(is_wanted_by(json!({"phrase": "@fix"}), "issue_comment", &comment("@fix", "created", "User")));
    assert!(!is_wanted_by(json!({}), "issue_comment", &comment("please fix", "created", "User")));
    assert!(!is_wanted_by(json!({}), "issue_comment", &comment("/mayday", "edited", "User")));
    assert!(!is_wanted_by(json!({}), "issue_comment", &comment("/mayday", "created", "Bot")));
}

#[test]
fn comments_by_strangers_start_nothing_unless_wanted() {
    let comment = |association: Value| {
        json!({"action": "created", "sender": {"type": "User"},
        "comment": {"body": "/mayday", "author_association": association}})
    };
    for (association, has_a_say) in [
        (json!("OWNER"), true),
        (json!("MEMBER"), true),
        (json!("COLLABORATOR"), true),
        (json!("CONTRIBUTOR"), false),
        (json!("FIRST_TIME_CONTRIBUTOR"), false),
        (json!("NONE"), false),
        (Value::Null, false),
    ] {
        let by = comment(association);
        assert_eq!(is_wanted_by(json!({}), "issue_comment", &by), has_a_say, "{by}");
        assert!(is_wanted_by(json!({"fromAnybody": true}), "issue_comment", &by), "{by}");
    }
    let bot = json!({"action": "created", "comment": {"body": "/mayday"}, "sender": {"type": "Bot"}});
    assert!(!is_wanted_by(json!({"fromAnybody": true}), "issue_comment", &bot));
}

#[test]
fn failed_checks_are_wanted() {
    for event in ["check_run", "check_suite"] {
        let check = |conclusion: &str, branch: &str, action: &str| json!({"action": action, event: {"conclusion": conclusion, "head_branch": branch}});
        assert!(is_wanted_by(json!({}), event, &check("failure", "main", "completed")));
        assert!(is_wanted_by(json!({}), event, &check("timed_out", "main", "completed")));
        assert!(!is_wanted_by(json!({}), event, &check("success", "main", "completed")));
        assert!(!is_wanted_by(json!({}), event, &check("failure", "main", "created")));
        assert!(!is_wanted_by(json!({}), event, &check("failure", "mayday/x", "completed")));
    }
    let nested = json!({"action": "completed",
        "check_run": {"conclusion": "failure", "check_suite": {"head_branch": "mayday/x"}}});
    assert!(!is_wanted_by(json!({}), "check_run", &nested));
}

#[test]
fn pings_and_merges_are_recognized() {
    let any = config(json!({}));
    assert_eq!(read("ping", &json!({"zen": "x"}), &any), GithubCall::Ping);
    let url = "https://github.com/acme/shop/pull/7";
    let repository = Repository { id: "7".to_owned(), name: "acme/shop".to_owned() };
    let mut merged = json!({"action": "closed", "pull_request": {"merged": true, "html_url": url},
        "repository": {"id": 7, "full_name": "acme/shop"}});
    let expected = GithubCall::Merged { url: url.to_owned(), repository: repository.clone() };
    assert_eq!(read("pull_request", &merged, &any), expected);
    merged["repository"] = json!(null);
    assert!(matches!(read("pull_request", &merged, &any), GithubCall::Other { .. }));
    let closed = json!({"action": "closed", "pull_request": {"merged": false, "html_url": url},
        "repository": {"id": 7, "full_name": "acme/shop"}, "sender": {"login": "ada"}});
    assert_eq!(
        read("pull_request", &closed, &any),
        GithubCall::Closed { url: url.to_owned(), repository: repository.clone(), by: "ada".to_owned() }
    );
    let mut reopened = closed;
    reopened["action"] = json!("reopened");
    assert_eq!(
        read("pull_request", &reopened, &any),
        GithubCall::Reopened { url: url.to_owned(), repository, by: "ada".to_owned() }
    );
    let edited = json!({"action": "edited", "pull_request": {"html_url": url}});
    assert_eq!(
        read("pull_request", &edited, &any),
        GithubCall::Other { kind: "github.pull_request".to_owned() }
    );
    for nonsense in [json!(null), json!([]), json!({"action": 5}), json!("x")] {
        for event in ["push", "issue_comment", "check_run", "pull_request", "", "nonsense\n"] {
            assert!(matches!(read(event, &nonsense, &any), GithubCall::Other { .. }), "{event} {nonsense}");
        }
    }
}

#[test]
fn calls_that_strangers_can_cause_are_public() {
    let is_public =
        |event: &str, payload: Value| match read(event, &payload, &config(json!({"fromAnybody": true}))) {
            GithubCall::Wanted { is_public, .. } => is_public,
            other => panic!("{other:?}"),
        };
    let comment = |association: &str| json!({"action": "created", "comment": {"body": "/mayday", "author_association": association}});
    assert!(is_public("issue_comment", comment("NONE")));
    assert!(is_public("issue_comment", comment("CONTRIBUTOR")));
    assert!(!is_public("issue_comment", comment("MEMBER")));
    let check = |suite: Value| json!({"action": "completed", "check_run": {"conclusion": "failure", "check_suite": suite}});
    assert!(is_public("check_run", check(json!({"head_branch": null, "pull_requests": []}))));
    assert!(!is_public("check_run", check(json!({"head_branch": "main", "pull_requests": []}))));
    let suite = json!({"conclusion": "failure", "head_branch": null, "pull_requests": []});
    assert!(is_public("check_suite", json!({"action": "completed", "check_suite": suite})));
    assert!(!is_public("push", json!({"ref": "refs/heads/main"})));
}

#[test]
fn comments_of_the_team_on_a_pull_request_are_read() {
    let url = "https://github.com/acme/shop/pull/7";
    let heard = |event: &str, mut payload: Value| {
        payload["repository"] = json!({"id": 7, "full_name": "acme/shop"});
        said(event, &payload).map(|said| (said.url, said.repository.name, said.by, said.text))
    };
    let comment = |action: &str, association: &str, kind: &str, body: Value| {
        json!({"action": action, "issue": {"pull_request": {"html_url": url}}, "sender": {"login": "ada", "type": kind},
            "comment": {"body": body, "author_association": association}})
    };
    let expected = ["acme/shop", "ada", "Not so."].map(str::to_owned);
    let expected = Some((url.to_owned(), expected[0].clone(), expected[1].clone(), expected[2].clone()));
    assert_eq!(heard("issue_comment", comment("created", "OWNER", "User", json!(" Not\nso. "))), expected);
    let review = json!({"action": "submitted", "pull_request": {"html_url": url}, "sender": {"login": "ada", "type": "User"},
        "review": {"body": "Not so.", "author_association": "MEMBER"}});
    assert_eq!(heard("pull_request_review", review), expected);
    for (action, association, kind, body) in [
        ("deleted", "OWNER", "User", json!("x")),
        ("created", "NONE", "User", json!("x")),
        ("created", "OWNER", "Bot", json!("x")),
        ("created", "OWNER", "User", json!(" \n")),
        ("created", "OWNER", "User", json!(null)),
    ] {
        assert_eq!(heard("issue_comment", comment(action, association, kind, body)), None);
    }
    // On an issue.
    let mut on_issue = comment("created", "OWNER", "User", json!("x"));
    on_issue["issue"] = json!({"number": 7});
    assert_eq!(heard("issue_comment", on_issue), None);
    for nonsense in [json!(null), json!([]), json!({"action": 5}), json!("x")] {
        assert_eq!(said("issue_comment", &nonsense), None);
        assert_eq!(said("pull_request_review", &nonsense), None);
    }
}
