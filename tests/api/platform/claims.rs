//! Which session a runner gets, on which branch it begins, and which messages it gets, or has not had at its end.

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

/// Says many things to a session's agent.
fn say(shop: &Shop, session: &Value, words: impl Iterator<Item = String>) -> Vec<String> {
    let path = format!("/api/sessions/{}/messages", text(&session["id"]));
    let send = |content: String| {
        shop.world.owner.post(&path).json(&json!({ "content": content })).send().expect(201);
        content
    };
    words.map(send).collect()
}

/// What people have said, as a runner gets it: with its job, and then as it renews its lease.
fn heard(shop: &Shop, job: &Value) -> Vec<String> {
    let mut found = job["messages"].as_array().unwrap().clone();
    loop {
        let seen = found.last().map_or(json!(0), |last| last["id"].clone());
        let renewed = shop.call(job, "renew", &json!({ "seen": seen })).expect(200);
        let more = renewed["messages"].as_array().unwrap();
        if more.is_empty() {
            return found.iter().map(|one| text(&one["content"])).collect();
        }
        found.extend(more.iter().cloned());
    }
}

#[test]
fn the_next_runner_gets_all_that_people_have_said() {
    let shop = Shop::new();
    let made = session(&shop.world.owner, &json!({"prompt": "first"}));
    let job = shop.claim().unwrap();
    let said = say(&shop, &made, (0..130).map(|number| format!("word {number}")));
    assert_eq!(heard(&shop, &job), said);
    shop.call(&job, "finish", &json!({"outcome": "handed_back"})).expect(200);
    let again = shop.claim().unwrap();
    assert_eq!(again["session_id"], made["id"]);
    assert_eq!(heard(&shop, &again), said, "each once, in order");
}

/// Pauses a job's session at a cap.
fn park(shop: &Shop, job: &Value) {
    let capped = json!({"outcome": "capped", "patch": "+half",
        "held_commit": "0123456789abcdef0123456789abcdef01234567"});
    shop.call(job, "finish", &capped).expect(200);
}

/// The job of a session that a person continues.
fn go_on(shop: &Shop, session: &Value) -> Value {
    let path = format!("/api/sessions/{}/continue", text(&session["id"]));
    shop.world.owner.post(&path).json(&json!({})).send().expect(200);
    shop.claim().unwrap()
}

#[test]
fn a_continued_session_tells_all_that_people_have_said() {
    let shop = Shop::new();
    let made = session(&shop.world.owner, &json!({"prompt": "first"}));
    let job = shop.claim().unwrap();
    let before = say(&shop, &made, (0..130).map(|number| format!("word {number}")));
    assert_eq!(heard(&shop, &job), before);
    park(&shop, &job);
    let since = say(&shop, &made, (130..260).map(|number| format!("word {number}")));
    let again = go_on(&shop, &made);
    let had = format!("first\n\nThen people have said:\n\n{}\n\n---\n", before.join("\n\n"));
    assert!(text(&again["prompt"]).starts_with(&had), "{again}");
    assert_eq!(heard(&shop, &again), since, "each once, in order");
}

#[test]
fn a_continued_session_tells_the_newest_of_much_that_people_have_said() {
    let shop = Shop::new();
    let made = session(&shop.world.owner, &json!({"prompt": "first"}));
    let job = shop.claim().unwrap();
    let said = say(&shop, &made, (0..5).map(|number| format!("{number}{}", "x".repeat(60 << 10))));
    assert_eq!(heard(&shop, &job), said);
    park(&shop, &job);
    let prompt = text(&go_on(&shop, &made)["prompt"]);
    let newest =
        format!("(only the newest is here, because it is too long):\n\n{}\n", said[1..].join("\n\n"));
    assert!(prompt.contains(&newest), "{}", &prompt[..200]);
}
