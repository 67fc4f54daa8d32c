//! Which session a runner gets, on which branch it begins, and which messages it has not had at its end.

use super::fixture::{repository, runner, session};
use super::protocol::{Shop, claim};
use crate::support::world::text;
use crate::support::{Value, json};

#[test]
fn sessions_are_given_to_runners_that_have_their_agent() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let first = session(owner, &json!({"agentType": "codex"}));
    let second = session(owner, &json!({}));
    let (row, other) = runner(owner);
    let named = json!({"agents": ["aider", "claude-code"]});
    assert_eq!(claim(&other, &named).unwrap()["session_id"], second["id"]);
    assert_eq!(claim(&other, &named), None);
    let shown = owner.get(&format!("/api/runners/{}", text(&row["id"]))).send().expect(200);
    assert_eq!(shown["runner"]["agents"], named["agents"]);
    // A claim that names no agents gets any session.
    assert_eq!(shop.claim().unwrap()["session_id"], first["id"]);
}

#[test]
fn runners_get_sessions_whose_caps_they_can_enforce() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let capped = session(owner, &json!({"caps": {"costUsd": 2}}));
    let free = session(owner, &json!({"caps": {"files": 2}}));
    let (row, other) = runner(owner);
    let said = json!({"refuses_public": true, "uncounted": ["tokens", "cost_usd", "tokens"]});
    assert_eq!(claim(&other, &said).unwrap()["session_id"], free["id"]);
    assert_eq!(claim(&other, &said), None);
    let shown = owner.get(&format!("/api/runners/{}", text(&row["id"]))).send().expect(200);
    assert_eq!(shown["runner"]["uncounted"], json!(["cost_usd", "tokens"]));
    assert_eq!(shown["runner"]["refuses_public"], true);
    assert_eq!(claim(&other, &json!({"uncounted": ["tokens"]})).unwrap()["session_id"], capped["id"]);
}

#[test]
fn a_session_that_follows_another_begins_at_its_branch() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let (repo, other) = (repository(owner), repository(owner));
    session(owner, &json!({"repoId": repo["id"]}));
    let job = shop.claim().unwrap();
    let report = json!({"outcome": "completed", "branch": job["branch"], "head_commit": "0123456789abcdef"});
    shop.call(&job, "finish", &report).expect(200);
    for (repository, base) in [(&repo, &job["branch"]), (&other, &json!("main"))] {
        let body = json!({"repoId": repository["id"], "parentSessionId": job["session_id"]});
        session(owner, &body);
        let next = shop.claim().unwrap();
        assert_eq!(&next["base_branch"], base);
        assert_ne!(next["branch"], job["branch"]);
    }
    // One that pushed nothing has no branch to begin at.
    let empty = session(owner, &json!({"repoId": repo["id"], "parentSessionId": null}));
    shop.claim().unwrap();
    session(owner, &json!({"repoId": repo["id"], "parentSessionId": empty["id"]}));
    assert_eq!(shop.claim().unwrap()["base_branch"], "main");
}

#[test]
fn a_message_that_no_runner_got_is_noted_at_the_end() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "first"}));
    let job = shop.claim().unwrap();
    let path = format!("/api/sessions/{}/messages", text(&made["id"]));
    owner.post(&path).json(&json!({"content": "too late"})).send().expect(201);
    shop.call(&job, "finish", &json!({"outcome": "completed"})).expect(200);
    let last = shop.transcript(&job).pop().unwrap();
    assert_eq!(last, ("system".to_owned(), "1 message came too late for the agent.".to_owned()));
    let list = owner.get(&path).send().expect(200);
    assert_eq!(list["messages"][1]["delivered_at"], Value::Null);
}
