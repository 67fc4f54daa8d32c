//! Runners' final reports, and what was deleted before they came.

use super::fixture::{repository, runner, session};
use super::protocol::{Shop, call, claim};
use crate::support::world::text;
use crate::support::{Value, json};

#[test]
fn a_report_with_invalid_values_is_accepted_without_them() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    let report = json!({"outcome": "failed", "reason": "it broke", "branch": "--upload-pack=id", "cost_usd": -5,
        "pull_request_url": "javascript:alert(1)", "head_commit": "; rm -rf /"});
    shop.call(&job, "finish", &report).expect(200);
    let done = shop.session(&job);
    assert_eq!(
        (&done["status"], &done["outcome"], &done["reason"]),
        (&json!("failed"), &json!("failed"), &json!("it broke"))
    );
    assert_eq!(
        (&done["pull_request_url"], &done["head_commit"], &done["cost_usd"]),
        (&Value::Null, &Value::Null, &json!(0.0))
    );
    assert!(text(&done["branch_name"]).starts_with("mayday/"));
    let notes = shop.transcript(&job);
    assert!(
        notes.iter().any(|(role, content)| role == "system" && content.contains("pull request")),
        "{notes:?}"
    );
}

#[test]
fn each_outcome_has_its_status() {
    let shop = Shop::new();
    for (outcome, status, reason) in [
        ("completed", "stopped", Value::Null),
        ("cancelled", "stopped", Value::Null),
        ("timed_out", "stopped", Value::Null),
        ("failed", "failed", json!("the agent ended with exit code 3")),
    ] {
        session(&shop.world.owner, &json!({}));
        let job = shop.claim().unwrap();
        shop.call(&job, "finish", &json!({"outcome": outcome, "exit_code": 3})).expect(200);
        let done = shop.session(&job);
        assert_eq!(
            (&done["status"], &done["outcome"], &done["reason"]),
            (&json!(status), &json!(outcome), &reason)
        );
    }
}

#[test]
fn a_deleted_session_is_not_there_for_its_runner() {
    let shop = Shop::new();
    let made = session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    shop.world.owner.delete(&format!("/api/sessions/{}", text(&made["id"]))).send().expect(200);
    for (what, body) in [
        ("renew", json!({})),
        ("output", json!({"sequence": 0, "entries": []})),
        ("finish", json!({"outcome": "completed"})),
    ] {
        shop.call(&job, what, &body).refuse(404, "session");
    }
}

#[test]
fn a_deleted_runner_has_nothing_any_more() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    session(owner, &json!({}));
    let (row, doomed) = runner(owner);
    let job = claim(&doomed, &json!({})).unwrap();
    owner.delete(&format!("/api/runners/{}", text(&row["id"]))).send().expect(200);
    call(&doomed, &job, "renew", &json!({})).refuse(401, "runner");
    let again = shop.claim().unwrap();
    assert_eq!((&again["session_id"], &again["attempt"]), (&job["session_id"], &json!(2)));
}

#[test]
fn mirrors_make_prebuilds_ready() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let repo = repository(owner);
    let prebuild = repo["prebuild_id"].clone();
    let made =
        owner.post("/api/automations").json(&json!({"defaultPrebuildId": prebuild})).send().expect(200);
    let report = json!({"repository_id": repo["id"], "commit": "0123abc"});
    let answer = shop.runner.post("/api/runners/self/mirrors").json(&report).send().expect(200);
    assert_eq!(answer, json!({"is_wanted": true}));
    let path = format!("/api/repos/{}", text(&repo["id"]));
    let now = owner.get(&path).send().expect(200)["repo"].clone();
    assert_eq!((&now["prebuild_status"], &now["prebuild_id"]), (&json!("ready"), &prebuild));
    // Another runner's is another one.
    let (second, other) = runner(owner);
    let report = json!({"repository_id": repo["id"], "commit": "4567def"});
    other.post("/api/runners/self/mirrors").json(&report).send().expect(200);
    let list = owner.get("/api/prebuilds").send().expect(200);
    assert_eq!(list["prebuilds"].as_array().unwrap().len(), 2, "{list}");
    // Deleting a runner deletes its mirror; the automation keeps the repository.
    let runners = owner.get("/api/runners").send().expect(200);
    let first = runners["runners"].as_array().unwrap().iter().find(|one| one["id"] != second["id"]).unwrap();
    owner.delete(&format!("/api/runners/{}", text(&first["id"]))).send().expect(200);
    let list = owner.get("/api/prebuilds").send().expect(200);
    assert_eq!(list["prebuilds"].as_array().unwrap().len(), 1, "{list}");
    let path = format!("/api/automations/{}", text(&made["automation"]["id"]));
    let automation = owner.get(&path).send().expect(200);
    assert_eq!(automation["automation"]["default_prebuild_id"], list["prebuilds"][0]["id"]);
    assert_eq!(automation["automation"]["default_prebuild"]["snapshot_id"], "4567def");
    owner.delete(&format!("/api/runners/{}", text(&second["id"]))).send().expect(200);
    let left = &owner.get("/api/prebuilds").send().expect(200)["prebuilds"][0];
    assert_eq!((&left["status"], &left["runner_id"]), (&json!("pending"), &Value::Null));
    let unknown = json!({"repository_id": "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"});
    let (_, third) = runner(owner);
    let answer = third.post("/api/runners/self/mirrors").json(&unknown).send().expect(200);
    assert_eq!(answer, json!({"is_wanted": false}));
}
