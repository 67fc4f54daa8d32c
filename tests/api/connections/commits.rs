//! The commits of the release that an issue is blamed on.

use super::host::connected;
use super::open;
use crate::support::maps::stack;
use crate::support::outside::{BASE, HEAD, Outside};
use crate::support::{Project, Value, json};
use jiff::{SignedDuration, Timestamp};

/// An issue that release 2.0.0 introduced an hour ago; 1.0.0 is older.
fn blamed(project: &Project) -> String {
    let ago = |hours| format!("{:.3}", Timestamp::now() - SignedDuration::from_hours(hours));
    let throw = |message: &str, release: &str, hours: i64, file: &str| {
        let stack = stack(&format!("RangeError: {message}"), &[("priceOf", file, 5)]);
        let exception = json!({"type": "RangeError", "message": message, "stack": stack});
        let body = json!({"exception": exception, "release": release, "timestamp": ago(hours)});
        project.digest(&body)["issue_id"].clone()
    };
    throw("before", "1.0.0", 400, "src/cart.ts");
    let issue = throw("no rate", "2.0.0", 1, "webpack://shop/./src/price.ts?a1b2");
    project.path(&format!("/issues/{issue}/suspect-commits"))
}

fn build(project: &Project, version: &str, commit: &str) -> Value {
    let body = json!({"version": version, "commit": commit});
    let answer = project.ci().post("/api/v1/releases").json(&body).send();
    assert!([200, 201].contains(&answer.status()), "{answer:?}");
    answer.value()
}

fn ask(project: &Project, path: &str) -> Value {
    project.owner.get(path).send().expect(200)
}

#[test]
fn an_issue_names_the_commits_that_changed_its_stack() {
    let outside = Outside::start();
    let project = open(&outside);
    let path = blamed(&project);
    let missing = || ask(&project, &path)["missing"].clone();
    assert_eq!(missing(), "no_repository");
    with_repository(&project, &outside);
    assert_eq!(missing(), "no_commit");
    build(&project, "1.0.0", BASE);
    assert_eq!(missing(), "no_commit", "one of the two is not enough");
    assert_eq!(build(&project, "2.0.0", &HEAD.to_uppercase())["commit"], HEAD);

    let found = ask(&project, &path);
    assert_eq!((&found["missing"], &found["total"]), (&Value::Null, &json!(102)));
    assert_eq!(found["repository"], "acme/shop");
    assert_eq!(found["release"], json!({"version": "2.0.0", "commit": HEAD}));
    assert_eq!(found["before"], json!({"version": "1.0.0", "commit": BASE}));
    let commits = found["commits"].as_array().unwrap();
    let ids: Vec<&Value> = commits.iter().map(|one| &one["id"]).collect();
    assert_eq!(
        ids,
        [&json!(HEAD), &json!(format!("{:040x}", 7))],
        "those before the comparison are not to blame"
    );
    let first = &commits[0];
    assert_eq!((&first["title"], &first["author"]), (&json!("Change 102"), &json!("Ada")));
    assert_eq!((&first["login"], &first["files"]), (&json!("ada"), &json!(["apps/web/src/price.ts"])));
    assert_eq!(first["url"], format!("https://github.example/acme/shop/commit/{HEAD}"));

    // The commits between two others are fetched once, with a token that only reads code.
    let asked = outside.asked().len();
    assert_eq!(ask(&project, &path), found);
    assert_eq!(outside.asked().len(), asked);
    let tokens: Vec<Value> = outside
        .asked()
        .into_iter()
        .filter(|one| one.path.ends_with("/access_tokens"))
        .map(|one| one.body)
        .collect();
    assert!(tokens.contains(&json!({"permissions": {"contents": "read", "metadata": "read"}})), "{tokens:?}");

    // An agent gets them as data from outside.
    let issue: i64 = path.split('/').nth_back(1).unwrap().parse().unwrap();
    let body = json!({"issueId": issue, "prompt": "Look.", "dryRun": true});
    let preview = project.owner.post("/api/sessions").json(&body).send().expect(200)["preview"].clone();
    let files = preview["pack"]["files"].as_array().unwrap();
    let told = files.iter().find(|file| file["path"] == "untrusted/commits.md").expect("the commits");
    let content = told["content"].as_str().unwrap();
    assert!(content.contains("Ada: Change 7\n        changed apps/web/src/price.ts"), "{content}");
}

/// The project's code is in a repository of the code host, which is connected.
pub(super) fn with_repository(project: &Project, outside: &Outside) {
    let connection = connected(project, outside)["id"].clone();
    let body = json!({"hostRepoId": "99", "hostRepoName": "acme/shop",
        "hostUrl": "https://github.example/acme/shop.git", "integrationId": connection});
    let repository = project.owner.post("/api/repos").json(&body).send().expect(200)["repo"]["id"].clone();
    let body = json!({"repositories": [repository]});
    project.owner.patch(&project.path("")).json(&body).send().expect(200);
}

#[test]
fn an_unreachable_host_is_an_answer_and_is_not_asked_again_for_a_while() {
    let outside = Outside::start();
    let project = open(&outside);
    let path = blamed(&project);
    build(&project, "1.0.0", BASE);
    build(&project, "2.0.0", HEAD);
    with_repository(&project, &outside);
    outside.fault(Some((
        "422 X",
        r#"{"message":"The permissions requested are not granted to this installation."}"#,
    )));
    let found = ask(&project, &path);
    assert_eq!(found["missing"], "unavailable");
    assert!(found["detail"].as_str().unwrap().contains("not granted"), "{found}");
    let asked = outside.asked().len();
    assert_eq!(ask(&project, &path), found);
    assert_eq!(outside.asked().len(), asked, "it is left alone");
}

#[test]
fn a_token_that_is_refused_is_not_used_again() {
    let outside = Outside::start();
    let project = open(&outside);
    let path = blamed(&project);
    with_repository(&project, &outside);
    build(&project, "1.0.0", BASE);
    build(&project, "2.0.0", HEAD);
    let reads_code = |body: &Value| !body["permissions"]["contents"].is_null();
    let tokens = || outside.asked().iter().filter(|asked| reads_code(&asked.body)).count();
    // Another commit is another question.
    let missing = |commit: &str| {
        build(&project, "1.0.0", commit);
        ask(&project, &path)["missing"].clone()
    };
    assert_eq!((missing(BASE), missing("aaaaaaa")), (Value::Null, json!("not_found")));
    assert_eq!(tokens(), 1, "it is kept");
    outside.fault(Some(("401 X", r#"{"message":"Bad credentials"}"#)));
    assert_eq!(missing("bbbbbbb"), "unavailable");
    outside.fault(None);
    assert_eq!(missing("ccccccc"), "not_found");
    assert_eq!(tokens(), 2);
}

#[test]
fn invalid_commits_are_refused_and_a_finalized_release_keeps_its_own() {
    let project = Project::new();
    for commit in ["main", "abc", "12345g7", &"a".repeat(65)] {
        let body = json!({"version": "1", "commit": commit});
        project.ci().post("/api/v1/releases").json(&body).send().refuse(422, "commit");
    }
    assert_eq!(build(&project, "1", "abcdef1")["commit"], "abcdef1");
    assert_eq!(build(&project, "1", "abcdef2")["commit"], "abcdef2", "built again");
    assert_eq!(
        project.ci().post("/api/v1/releases").json(&json!({"version": "1"})).send().value()["commit"],
        "abcdef2"
    );
    project.ci().post("/api/v1/releases/1/finalize").json(&json!({})).send().expect(200);
    assert_eq!(build(&project, "1", "abcdef3")["commit"], "abcdef2");
    let nobody = project.path("/issues/999999/suspect-commits");
    project.owner.get(&nobody).send().expect(404);
}
