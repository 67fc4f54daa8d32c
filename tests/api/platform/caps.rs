//! The caps of a session, and how a paused session continues.

use super::fixture::{automation, runner, session};
use super::protocol::Shop;
use crate::support::world::text;
use crate::support::{Project, Value, json};

const CAPS: [&str; 4] = ["cost_usd", "files", "output_bytes", "tokens"];

#[test]
fn a_session_pauses_at_a_cap_and_a_person_continues_it() {
    let project = Project::alone();
    let owner = &project.owner;
    let caps = json!({"costUsd": 2.5, "tokens": 5_000});
    let made = session(owner, &json!({"prompt": "Mend it", "caps": caps, "timeLimitMinutes": 5}));
    assert_eq!(made["caps"], json!({"cost_usd": 2.5, "tokens": 5_000, "output_bytes": null, "files": null}));
    let (path, (_, machine)) = (format!("/api/sessions/{}", text(&made["id"])), runner(owner));
    let claim =
        |client: &crate::support::Client| client.post("/api/runners/self/claim").json(&json!({})).send();
    let job = claim(&machine).expect(200)["job"].clone();
    assert_eq!(job["caps"], made["caps"]);
    assert_eq!((&job["spent"], &job["resume"]), (&json!({"cost_usd": 0.0, "tokens": 0}), &Value::Null));
    let proceed = |body: &Value| owner.post(&format!("{path}/continue")).json(body).send();
    proceed(&json!({})).refuse(409, "paused at a cap");
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let finish = |job: &Value, more: Value| {
        let mut body = json!({"lease": job["lease"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        machine
            .post(&format!("/api/runners/self{path}/finish").replace("/api/sessions", "/sessions"))
            .json(&body)
            .send()
    };
    let capped = json!({"outcome": "capped", "reason": "it has used 6000 tokens, and may use 5000", "tokens": 6_000,
        "cost_usd": 1.0, "patch": "+half", "held_commit": commit, "held": [{"path": "…", "why": "the session reached a cap"}]});
    finish(&job, capped.clone()).expect(200);
    let paused = owner.get(&path).send().expect(200)["session"].clone();
    assert_eq!(
        (&paused["status"], &paused["phase"], &paused["outcome"]),
        (&json!("paused"), &json!("paused"), &Value::Null)
    );
    assert_eq!((&paused["tokens"], &paused["ended_at"]), (&json!(6_000), &Value::Null));
    assert!(text(&paused["reason"]).contains("6000 tokens"), "{paused}");
    owner.patch(&path).json(&json!({"status": "running"})).send().refuse(409, "/continue");
    proceed(&json!({})).refuse(409, "may use 5000");
    proceed(&json!({"caps": {"tokens": 10}})).refuse(422, "caps.tokens");
    let on =
        proceed(&json!({"caps": {"tokens": 20_000}, "timeLimitMinutes": 7})).expect(200)["session"].clone();
    assert_eq!(
        (&on["status"], &on["is_resuming"], &on["time_limit_minutes"]),
        (&json!("starting"), &json!(true), &json!(7))
    );
    assert_eq!(on["caps"], json!({"cost_usd": null, "tokens": 20_000, "output_bytes": null, "files": null}));
    // Only its own runner can continue it, from the work that it kept.
    let (_, other) = runner(owner);
    assert_eq!(claim(&other).status(), 204);
    let again = claim(&machine).expect(200)["job"].clone();
    assert_eq!((&again["resume"], &again["spent"]["tokens"]), (&json!(commit), &json!(6_000)));
    finish(
        &again,
        json!({"outcome": "completed", "head_commit": commit, "branch": again["branch"], "tokens": 10}),
    )
    .expect(200);
    let done = owner.get(&path).send().expect(200)["session"].clone();
    assert_eq!((&done["held"], &done["patch"]), (&json!([]), &Value::Null), "nothing is held back any more");
    assert_eq!(
        (&done["outcome"], &done["tokens"], &done["held_commit"]),
        (&json!("completed"), &json!(6_010), &Value::Null)
    );
    assert_eq!(done["is_resuming"], false);
    proceed(&json!({})).refuse(409, "paused at a cap");
}

#[test]
fn a_session_pauses_at_its_time_limit_and_continues_with_a_new_one() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "Mend it", "timeLimitMinutes": 5}));
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let late = |job: &Value, more: Value| {
        let mut body = json!({"outcome": "timed_out", "patch": "+half", "held_commit": commit});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        shop.call(job, "finish", &body).expect(200);
        let paused = shop.session(job);
        assert_eq!(
            (&paused["status"], &paused["phase"], &paused["outcome"], &paused["ended_at"]),
            (&json!("paused"), &json!("paused"), &Value::Null, &Value::Null)
        );
        text(&paused["reason"])
    };
    let job = shop.claim().unwrap();
    assert_eq!(late(&job, json!({})), "it took longer than its limit of 5 min");
    let proceed = |body: Value| {
        owner.post(&format!("/api/sessions/{}/continue", text(&made["id"]))).json(&body).send().expect(200);
        let job = shop.claim().unwrap();
        assert_eq!(job["resume"], commit);
        job
    };
    let again = proceed(json!({}));
    assert_eq!(again["time_limit_seconds"], 300, "as much again");
    // Too late before anything was done: what was kept before still is.
    let nothing = json!({"reason": "it took too long", "patch": null, "held_commit": null});
    assert_eq!(late(&again, nothing), "it took too long");
    let last = proceed(json!({"timeLimitMinutes": 7}));
    assert_eq!(last["time_limit_seconds"], 420);
    shop.call(&last, "finish", &json!({"outcome": "completed", "head_commit": commit})).expect(200);
    let done = shop.session(&last);
    assert_eq!((&done["outcome"], &done["reason"]), (&json!("completed"), &Value::Null), "{done}");
}

#[test]
fn a_session_of_which_nothing_is_kept_ends_at_its_time_limit_and_begins_anew() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "Mend it", "timeLimitMinutes": 5}));
    let job = shop.claim().unwrap();
    shop.call(&job, "finish", &json!({"outcome": "timed_out", "reason": "it was late"})).expect(200);
    let ended = shop.session(&job);
    assert_eq!(
        (&ended["status"], &ended["outcome"], &ended["reason"]),
        (&json!("stopped"), &json!("timed_out"), &json!("it was late"))
    );
    owner.post(&format!("/api/sessions/{}/continue", text(&made["id"]))).json(&json!({})).send().expect(200);
    let again = shop.claim().unwrap();
    assert_eq!((&again["session_id"], &again["resume"]), (&made["id"], &Value::Null));
}

#[test]
fn a_sessions_usage_is_known_before_its_runner_reports_the_end() {
    let project = Project::alone();
    let owner = &project.owner;
    let made = session(owner, &json!({"prompt": "Mend it", "caps": {"tokens": 5_000}}));
    let (_, machine) = runner(owner);
    let claim = || machine.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    let job = claim();
    let path = format!("/api/runners/self/sessions/{}", text(&made["id"]));
    let tell = |job: &Value, what: &str, mut body: Value| {
        body["lease"] = job["lease"].clone();
        machine.post(&format!("{path}/{what}")).json(&body).send().expect(200)
    };
    let shown = || {
        let session = owner.get(&format!("/api/sessions/{}", text(&made["id"]))).send().expect(200);
        (session["session"]["tokens"].as_i64().unwrap(), session["session"]["cost_usd"].as_f64().unwrap())
    };
    tell(&job, "renew", json!({"tokens": 700, "cost_usd": 0.5}));
    tell(&job, "renew", json!({"tokens": 600}));
    assert_eq!(shown(), (700, 0.5));
    tell(&job, "finish", json!({"outcome": "handed_back", "tokens": 500}));
    assert_eq!(shown(), (700, 0.5), "the highest that it said");
    let again = claim();
    assert_eq!(again["spent"], json!({"tokens": 700, "cost_usd": 0.5}));
    tell(&again, "renew", json!({"tokens": i64::MAX, "cost_usd": -1.0}));
    assert_eq!(shown().0, 1_000_000_000_700);
}

#[test]
fn a_continued_session_gets_each_message_once_and_needs_its_runner() {
    let project = Project::alone();
    let owner = &project.owner;
    let made = session(owner, &json!({"prompt": "Mend it"}));
    let (of, machine) = runner(owner);
    let session = format!("/api/sessions/{}", text(&made["id"]));
    let say = |words: &str| {
        let body = json!({ "content": words });
        owner.post(&format!("{session}/messages")).json(&body).send().expect(201);
    };
    let claim = || machine.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    let park = |job: &Value| {
        let body = json!({"lease": job["lease"], "outcome": "capped", "patch": "+half",
            "held_commit": "0123456789abcdef0123456789abcdef01234567"});
        let path = format!("/api/runners/self/sessions/{}/finish", text(&made["id"]));
        machine.post(&path).json(&body).send().expect(200);
    };
    say("First the cart");
    let job = claim();
    assert_eq!(job["messages"][0]["content"], "First the cart");
    park(&job);
    say("Then the till");
    let proceed = || owner.post(&format!("{session}/continue")).json(&json!({})).send();
    proceed().expect(200);
    let again = claim();
    let messages = again["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[0]["content"]), (1, &json!("Then the till")));
    assert!(text(&again["prompt"]).contains("Then people have said:\n\nFirst the cart\n"), "{again}");
    park(&again);
    owner.delete(&format!("/api/runners/{}", text(&of["id"]))).send().expect(200);
    proceed().refuse(409, "was removed");
}

#[test]
fn a_session_does_not_continue_with_a_cap_that_its_runner_cannot_enforce() {
    let project = Project::alone();
    let owner = &project.owner;
    let made = session(owner, &json!({"prompt": "Mend it", "caps": {"files": 3}}));
    let (_, machine) = runner(owner);
    let claim = |more: Value| machine.post("/api/runners/self/claim").json(&more).send();
    let unable = json!({"uncounted": ["cost_usd", "tokens"]});
    let job = claim(unable.clone()).expect(200)["job"].clone();
    let body = json!({"lease": job["lease"], "outcome": "timed_out", "patch": "+half",
        "held_commit": "0123456789abcdef0123456789abcdef01234567"});
    let path = format!("/api/runners/self/sessions/{}/finish", text(&made["id"]));
    machine.post(&path).json(&body).send().expect(200);
    let path = format!("/api/sessions/{}/continue", text(&made["id"]));
    let proceed = |caps: Value| owner.post(&path).json(&json!({ "caps": caps })).send();
    proceed(json!({"tokens": 20_000})).refuse(422, "can keep no cap on tokens");
    proceed(json!({"costUsd": 2})).refuse(422, "can keep no cap on cost_usd");
    proceed(json!({"files": 5})).expect(200);
    assert_eq!(claim(unable).expect(200)["job"]["caps"]["files"], 5);
}

#[test]
fn a_session_that_pauses_at_a_cap_can_be_stopped() {
    let project = Project::alone();
    let owner = &project.owner;
    let made = session(owner, &json!({"prompt": "Mend it", "caps": {"files": 3}}));
    let (_, machine) = runner(owner);
    let job = machine.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    let path = format!("/api/runners/self/sessions/{}/finish", text(&made["id"]));
    machine.post(&path).json(&json!({"lease": job["lease"], "outcome": "capped"})).send().expect(200);
    let path = format!("/api/sessions/{}", text(&made["id"]));
    let stopped =
        owner.patch(&path).json(&json!({"status": "stopped"})).send().expect(200)["session"].clone();
    assert_eq!((&stopped["status"], &stopped["outcome"]), (&json!("stopped"), &json!("cancelled")));
}

#[test]
fn an_automations_caps_are_its_sessions() {
    let project = Project::alone();
    let owner = &project.owner;
    let made = automation(owner, &json!({"agentInstructions": "Look.", "caps": {"tokens": 7_000}}));
    let path = format!("/api/automations/{}", text(&made["id"]));
    let get = || owner.get(&path).send().expect(200)["automation"]["caps"].clone();
    assert_eq!(get(), json!({"cost_usd": null, "tokens": 7_000, "output_bytes": null, "files": null}));
    owner.patch(&path).json(&json!({"name": "Other"})).send().expect(200);
    assert_eq!(get()["tokens"], 7_000);
    for (caps, why) in [
        (json!({"costUsd": 0}), "caps.costUsd"),
        (json!({"costUsd": -1}), "caps.costUsd"),
        (json!({"tokens": 1}), "caps.tokens"),
        (json!({"files": 1_000_000}), "caps.files"),
        (json!({"outputBytes": 10}), "caps.outputBytes"),
        (json!({"minutes": 5}), "minutes"),
    ] {
        owner.patch(&path).json(&json!({ "caps": caps })).send().refuse(422, why);
    }
    owner.patch(&path).json(&json!({"caps": {}})).send().expect(200);
    assert!(CAPS.iter().all(|name| get()[*name].is_null()));
}

#[test]
fn a_session_without_caps_has_those_of_its_organization() {
    let project = Project::alone();
    let owner = &project.owner;
    let path = format!("{}/agent-caps", project.world.organization_path());
    let nothing = json!({"cost_usd": null, "tokens": null, "output_bytes": null, "files": null});
    assert_eq!(owner.get(&path).send().expect(200), nothing);
    owner.put(&path).json(&json!({"tokens": 10})).send().refuse(422, "caps.tokens");
    let usual = json!({"cost_usd": 2.0, "tokens": 5_000, "output_bytes": 20_000, "files": null});
    assert_eq!(owner.put(&path).json(&usual).send().expect(200), usual);
    let member = project.world.person("member");
    member.client.put(&path).json(&nothing).send().refuse(403, "");
    assert_eq!(member.client.get(&path).send().expect(200), usual);
    let caps = |client: &crate::support::Client, body: &Value| session(client, body)["caps"].clone();
    let more = json!({"prompt": "Mend it", "caps": {"tokens": 50_000, "files": 9}});
    assert_eq!(caps(owner, &json!({"prompt": "Mend it"})), usual);
    assert_eq!(
        caps(owner, &more),
        json!({"cost_usd": 2.0, "tokens": 50_000, "output_bytes": 20_000, "files": 9}),
        "a person may say more"
    );
    let keys = format!("{}/api-keys", project.world.organization_path());
    let key = owner.post(&keys).json(&json!({"name": "pipeline", "scopes": ["write"]})).send().expect(201);
    let key = project.world.bearer(&text(&key["key"]));
    assert_eq!(
        caps(&key, &more),
        json!({"cost_usd": 2.0, "tokens": 5_000, "output_bytes": 20_000, "files": 9}),
        "a key may not"
    );
    assert_eq!(caps(&key, &json!({"prompt": "Mend it", "caps": {"tokens": 1_000}}))["tokens"], 1_000);
    // Nor may it through an automation, whether its own or a person's.
    let high = json!({"cost_usd": 90.0, "tokens": 1_000_000, "output_bytes": 90_000, "files": 9});
    let lowered = json!({"cost_usd": 2.0, "tokens": 5_000, "output_bytes": 20_000, "files": 9});
    let own = automation(&key, &json!({"name": "Own", "caps": high}));
    assert_eq!(own["caps"], lowered);
    let theirs = automation(owner, &json!({"name": "Theirs", "caps": high}));
    let run = |client: &crate::support::Client| {
        let path = format!("/api/automations/{}/run", text(&theirs["id"]));
        client.post(&path).json(&json!({})).send().expect(201)["session"]["caps"].clone()
    };
    assert_eq!((run(owner), run(&key)), (high.clone(), lowered.clone()));
    let path = format!("/api/automations/{}", text(&theirs["id"]));
    let renamed = key.patch(&path).json(&json!({"name": "Other"})).send().expect(200);
    assert_eq!(renamed["automation"]["caps"], high, "what is not asked for stays");
    let raised = json!({"caps": {"cost_usd": 99.0, "tokens": 1_000_000, "outputBytes": 95_000, "files": 9}});
    assert_eq!(key.patch(&path).json(&raised).send().expect(200)["automation"]["caps"], lowered);
}

#[test]
fn no_token_sets_the_organizations_caps_for_agents() {
    let project = Project::alone();
    let path = format!("{}/agent-caps", project.world.organization_path());
    let token = json!({"name": "agent", "scope": "admin"});
    let made = project.owner.post("/api/v1/me/tokens").json(&token).send().expect(201);
    let agent = project.world.bearer(&text(&made["token"]));
    assert_eq!(agent.get(&path).send().expect(200)["tokens"], Value::Null);
    agent.put(&path).json(&json!({"tokens": 900_000})).send().refuse(403, "");
    assert_eq!(agent.get(&path).send().expect(200)["tokens"], Value::Null);
}
