//! The complete cycle: from an error to the release that fixes it, and to its regression.

use super::{Host, PASSWORD, room};
use crate::runner::{MEND, Machine, Shop, git};
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Value, eventually, json};
use mayday::crypto::token;
use std::process::Command;

const SHOP: &str = "acme/web-shop";

/// The shop's repository is at the host from now on, and its project's one.
fn move_in(shop: &mut Shop, host: &Host) {
    let url = format!("https://127.0.0.1:{}/host.git", host.port);
    let body = json!({"hostRepoId": fresh_id(), "hostRepoName": SHOP, "hostUrl": url});
    let owner = &shop.project.owner;
    shop.repository = owner.post("/api/repos").json(&body).send().expect(200)["repo"].clone();
    let body = json!({"repositories": [shop.repository["id"]]});
    owner.patch(&shop.project.path("")).json(&body).send().expect(200);
}

/// An automation that new issues call; with a trigger for the code host.
fn automation(shop: &Shop) -> Value {
    let owner = &shop.project.owner;
    let body = json!({"agentInstructions": "Mend what is broken.", "mayOpenPullRequests": true});
    let made = owner.post("/api/automations").json(&body).send().expect(200)["automation"].clone();
    let path = format!("/api/automations/{}/triggers", text(&made["id"]));
    let body = json!({"provider": "errors", "config": {"events": ["issue.created"]}});
    owner.post(&path).json(&body).send().expect(201);
    owner.post(&path).json(&json!({"provider": "github"})).send().expect(201)["trigger"].clone()
}

/// Merges the branch at the host, and sends the signed webhook about it.
fn merge(shop: &Shop, branch: &str, pull_request: &str, trigger: &Value) {
    git(&shop.host(), &["update-ref", "refs/heads/main", &format!("refs/heads/{branch}")]);
    let call = json!({"action": "closed", "repository": {"id": 1, "full_name": SHOP},
        "pull_request": {"merged": true, "html_url": pull_request}});
    let body = call.to_string();
    let signature = token::signature(text(&trigger["webhook_secret"]).as_bytes(), body.as_bytes());
    let path = format!("/webhooks/{}", text(&trigger["webhook_url_path"]));
    let request = shop.project.world.anonymous().post(&path).body("application/json", body);
    let request = request.header("x-github-event", "pull_request");
    let signature = format!("sha256={}", token::hex(&signature));
    request.header("x-hub-signature-256", &signature).send().expect(200);
}

/// Whether the main branch on the host passes its test.
fn passes(shop: &Shop, name: &str) -> bool {
    let copy = shop.file(name);
    git(shop.dir.path(), &["clone", "--quiet", "host.git", name]);
    Command::new("node").arg("check.mjs").current_dir(copy).output().unwrap().status.success()
}

#[test]
fn an_error_becomes_a_merged_branch_and_is_resolved() {
    let mut shop = Shop::new();
    let host = Host::https(&shop);
    move_in(&mut shop, &host);
    let trigger = automation(&shop);
    let pull_request = format!("https://127.0.0.1:{}/host/pull/7", host.port);
    let script = MEND.replace("\"title\"", &format!("\"pull_request_url\": \"{pull_request}\", \"title\""));
    let config = host.with_password(PASSWORD);
    let url = shop.project.world.server.anonymous().origin();
    let variables = [("GIT_CONFIG_GLOBAL", config.as_str())];
    let _machine = Machine::start_with(&url, &shop, &script, &["--isolation", room()], &variables);
    assert!(!passes(&shop, "before"));
    // The error starts the session, and nobody does anything until the pull request is merged.
    let issue = shop.project.digest(&shop.error())["issue_id"].clone();
    let get = |rest: &str| {
        let path = shop.project.path(&format!("/issues/{issue}{rest}"));
        shop.project.owner.get(&path).send().expect(200)
    };
    let run = || get("/runs")["runs"][0].clone();
    let ended = eventually("the run's end", || Some(run()).filter(|run| run["ended_at"].is_string()));
    assert_eq!((&ended["outcome"], &ended["pull_request_url"]), (&json!("completed"), &json!(pull_request)));
    assert_eq!(get("")["status"], "unresolved");
    let branch = text(&ended["branch_name"]);
    assert_eq!(shop.branches(), std::slice::from_ref(&branch));
    assert!(host.log().contains("POST /host.git/git-receive-pack"), "{}", host.log());
    merge(&shop, &branch, &pull_request, &trigger);
    assert!(passes(&shop, "after"));
    let resolved = get("");
    assert_eq!(
        (&resolved["status"], &resolved["resolved_in_release"]),
        (&json!("resolved"), &json!("next")),
        "{resolved}"
    );
    // The error comes back in the next release: the regression names the run that should have fixed it.
    assert!(run()["merged_at"].is_string() && run()["regressed_at"].is_null(), "{}", run());
    shop.project.make_release("2.0.0");
    let mut again = shop.error();
    again["release"] = json!("2.0.0");
    assert_eq!(shop.project.digest(&again)["issue_id"], issue);
    let regressed = get("");
    assert_eq!(
        (&regressed["status"], &regressed["substatus"]),
        (&json!("unresolved"), &json!("regressed")),
        "{regressed}"
    );
    assert!(run()["regressed_at"].is_string(), "{}", run());
    let kinds = get("/activity")["activity"].as_array().unwrap().clone();
    let kinds: Vec<String> = kinds.iter().rev().map(|one| text(&one["kind"])).collect();
    let way = ["first_seen", "run_started", "run_ended", "run_merged", "resolved", "regressed"];
    assert_eq!(kinds, way);
}
