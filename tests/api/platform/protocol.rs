//! The runners' protocol: claim, renew, output, finish.

use super::fixture::{repository, runner, session};
use crate::support::world::text;
use crate::support::{Client, Project, Value, World, json};
use std::sync::Arc;

pub(super) const LEASE_ENDED: &str = "This lease has ended";

/// An organization of its own, because runners take any waiting session.
pub(super) struct Shop {
    pub(super) world: Arc<World>,
    pub(super) runner: Client,
}

impl Shop {
    pub(super) fn new() -> Self {
        let world = Project::alone().world.clone();
        let (_, runner) = runner(&world.owner);
        Self { world, runner }
    }

    pub(super) fn claim(&self) -> Option<Value> {
        claim(&self.runner, &json!({}))
    }

    pub(super) fn call(&self, job: &Value, what: &str, body: &Value) -> crate::support::Response {
        call(&self.runner, job, what, body)
    }

    pub(super) fn session(&self, job: &Value) -> Value {
        let path = format!("/api/sessions/{}", text(&job["session_id"]));
        self.world.owner.get(&path).send().expect(200)["session"].clone()
    }

    pub(super) fn transcript(&self, job: &Value) -> Vec<(String, String)> {
        let path = format!("/api/sessions/{}/messages?limit=1000", text(&job["session_id"]));
        let list = self.world.owner.get(&path).send().expect(200);
        let entry = |one: &Value| (text(&one["role"]), text(&one["content"]));
        list["messages"].as_array().unwrap().iter().map(entry).collect()
    }
}

pub(super) fn claim(runner: &Client, more: &Value) -> Option<Value> {
    let mut body = json!({"version": "1.2.3", "platform": "linux/x86_64"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = runner.post("/api/runners/self/claim").json(&body).send();
    if answer.status() == 204 { None } else { Some(answer.expect(200)["job"].clone()) }
}

/// A call about a job, with its lease.
pub(super) fn call(runner: &Client, job: &Value, what: &str, body: &Value) -> crate::support::Response {
    let mut body = body.clone();
    if body.get("lease").is_none() {
        body["lease"] = job["lease"].clone();
    }
    let path = format!("/api/runners/self/sessions/{}/{what}", text(&job["session_id"]));
    runner.post(&path).json(&body).send()
}

#[test]
fn a_runner_claims_a_waiting_session_and_reports_its_result() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    assert_eq!(shop.claim(), None);
    let repo = repository(owner);
    let made = session(
        owner,
        &json!({"repoId": repo["id"], "prompt": "Mend it", "modelId": "m", "timeLimitMinutes": 5}),
    );
    let job = shop.claim().unwrap();
    assert_eq!((&job["session_id"], &job["attempt"]), (&made["id"], &json!(1)));
    assert!(text(&job["prompt"]).starts_with("Mend it\n\n---\n"), "{job}");
    assert_eq!((&job["lease_seconds"], &job["time_limit_seconds"]), (&json!(300), &json!(300)));
    let repository = json!({"id": repo["id"], "name": repo["host_repo_name"], "url": repo["host_url"],
        "default_branch": "main", "is_private": false, "allowed_hosts": [], "allowed_files": [],
        "setup_command": null, "test_command": null, "test_report": null});
    assert_eq!((&job["repository"], &job["repositories"]), (&repository, &json!([])));
    let branch = text(&job["branch"]);
    assert_eq!(branch, format!("mayday/session-{}", &text(&made["id"])[..8]));
    assert_eq!(
        (&job["base_branch"], &job["gateway"], &job["messages"]),
        (&json!("main"), &Value::Null, &json!([]))
    );
    let running = shop.session(&job);
    assert_eq!(
        (&running["status"], &running["attempts"], &running["branch_name"]),
        (&json!("running"), &json!(1), &json!(branch))
    );
    assert!(running["started_at"].is_string() && running["runner_id"].is_string());
    assert_eq!(shop.claim(), None, "what is taken is not given again");

    let entries = json!([{"role": "agent", "stream": "stdout", "content": "thinking"}, {"role": "tool", "content": "ls"}]);
    let next = shop.call(&job, "output", &json!({"sequence": 0, "entries": entries})).expect(200);
    assert_eq!(next, json!({"next": 2}));
    let renewed = shop.call(&job, "renew", &json!({})).expect(200);
    assert_eq!(renewed, json!({"lease_seconds": 300, "wanted": null, "messages": [], "mode": "write"}));
    let pull_request = format!("https://git.invalid/{}/pull/1", text(&repo["host_repo_name"]));
    let report = json!({"outcome": "completed", "exit_code": 0, "branch": branch, "head_commit": "0123456789abcdef",
        "base_commit": "fedcba9876543210", "files_changed": [{"path": "src/a.js", "added": 3, "removed": 1}],
        "summary": "Mended it", "pull_request_url": pull_request, "cost_usd": 0.25});
    assert_eq!(shop.call(&job, "finish", &report).expect(200), json!({}));
    let done = shop.session(&job);
    let expected = json!({"status": "stopped", "outcome": "completed", "exit_code": 0, "head_commit": "0123456789abcdef",
        "snapshot_id": "fedcba9876543210", "summary": "Mended it", "cost_usd": 0.25, "messages": 3, "left_out": 0,
        "files_changed": [{"path": "src/a.js", "added": 3, "removed": 1}],
        "pull_request_url": pull_request, "reason": null, "wanted": null});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&done[name], value, "{name}");
    }
    let said = [("user", "Mend it"), ("agent", "thinking"), ("tool", "ls")];
    assert_eq!(shop.transcript(&job), said.map(|(role, content)| (role.to_owned(), content.to_owned())));
    // Repeating the same report succeeds; any other one is too late.
    assert_eq!(shop.call(&job, "finish", &report).expect(200), json!({}));
    assert_eq!(shop.session(&job), done);
    for what in ["renew", "output"] {
        let late = shop.call(&job, what, &json!({"sequence": 2, "entries": []}));
        late.refuse(409, LEASE_ENDED);
        assert_eq!(late.value()["code"], "CONFLICT");
    }
}

#[test]
fn a_runner_that_is_there_is_shown() {
    let shop = Shop::new();
    let body = json!({"labels": ["gpu"], "capacity": 3, "running": 1});
    assert_eq!(claim(&shop.runner, &body), None);
    let list = shop.world.owner.get("/api/runners").send().expect(200);
    let expected = json!({"status": "online", "labels": ["gpu"], "capacity": 3, "running": 1, "version": "1.2.3",
        "platform": "linux/x86_64"});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&list["runners"][0][name], value, "{name}");
    }
    // Those that it does not name stay.
    claim(&shop.runner, &json!({}));
    let list = shop.world.owner.get("/api/runners").send().expect(200);
    assert_eq!(list["runners"][0]["labels"], json!(["gpu"]));
}

#[test]
fn sessions_are_given_in_the_order_in_which_they_wait_to_runners_with_their_labels() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let first = session(owner, &json!({"prompt": "1", "labels": ["gpu", "linux"]}));
    let second = session(owner, &json!({"prompt": "2"}));
    let third = session(owner, &json!({"prompt": "3"}));
    let (_, other) = runner(owner);
    assert_eq!(claim(&other, &json!({"labels": ["linux"]})).unwrap()["session_id"], second["id"]);
    assert_eq!(
        claim(&other, &json!({"labels": ["gpu", "linux", "more"]})).unwrap()["session_id"],
        first["id"]
    );
    assert_eq!(claim(&other, &json!({"capacity": 2, "running": 2})), None, "it has no room");
    assert_eq!(shop.claim().unwrap()["session_id"], third["id"]);
    assert_eq!(shop.claim(), None);
}

#[test]
fn a_runner_waits_for_work() {
    let shop = Shop::new();
    let (waiting, owner) = (shop.runner.clone(), shop.world.owner.clone());
    let claimed = std::thread::spawn(move || claim(&waiting, &json!({"wait_seconds": 50})));
    // It may or may not wait already: both must do.
    let made = session(&owner, &json!({"prompt": "x"}));
    assert_eq!(claimed.join().unwrap().unwrap()["session_id"], made["id"]);
}

#[test]
fn peoples_messages_reach_the_agent() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "first"}));
    let path = format!("/api/sessions/{}/messages", text(&made["id"]));
    let say = |content: &str| {
        owner.post(&path).json(&json!({"content": content})).send().expect(201)["message"]["id"].clone()
    };
    let early = say("early");
    let job = shop.claim().unwrap();
    assert_eq!(job["messages"], json!([{"id": early, "content": "early", "may_allow": true}]));
    let renew =
        |seen: Value| shop.call(&job, "renew", &json!({"seen": seen})).expect(200)["messages"].clone();
    assert_eq!(renew(Value::Null), json!([]));
    let (one, two) = (say("one"), say("two"));
    let by_person = |id: &Value, content: &str| json!({"id": id, "content": content, "may_allow": true});
    let both = json!([by_person(&one, "one"), by_person(&two, "two")]);
    // They are repeated until the runner acknowledges them.
    assert_eq!(renew(early.clone()), both);
    assert_eq!(renew(early), both);
    assert_eq!(renew(one.clone()), json!([by_person(&two, "two")]));
    assert_eq!(renew(two), json!([]));
    // A runner that acknowledges nothing gets each once.
    let three = say("three");
    assert_eq!(renew(Value::Null), json!([by_person(&three, "three")]));
    assert_eq!(renew(Value::Null), json!([]));
    let list = owner.get(&path).send().expect(200);
    assert!(list["messages"].as_array().unwrap().iter().all(|one| one["delivered_at"].is_string()), "{list}");
}

#[test]
fn peoples_requests_reach_the_runner() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "x"}));
    let job = shop.claim().unwrap();
    let path = format!("/api/sessions/{}", text(&made["id"]));
    let set = |status: &str| owner.patch(&path).json(&json!({"status": status})).send();
    let wanted = || shop.call(&job, "renew", &json!({})).expect(200)["wanted"].clone();
    assert_eq!(wanted(), Value::Null);
    let paused = set("paused").expect(200)["session"].clone();
    assert_eq!((&paused["status"], &paused["wanted"]), (&json!("paused"), &json!("pause")));
    assert!(paused["paused_at"].is_string());
    assert_eq!((wanted(), wanted()), (json!("pause"), json!("pause")));
    let resumed = set("running").expect(200)["session"].clone();
    assert_eq!((&resumed["status"], &resumed["paused_at"]), (&json!("running"), &Value::Null));
    assert_eq!(wanted(), "resume");
    set("starting").refuse(409, "status");
    let stopped = set("stopped").expect(200)["session"].clone();
    assert_eq!((&stopped["status"], &stopped["outcome"]), (&json!("stopped"), &json!("cancelled")));
    assert_eq!(wanted(), "stop");
    // The runner may still send the last output, which does not change the end.
    shop.call(&job, "output", &json!({"sequence": 0, "entries": [{"content": "bye"}]})).expect(200);
    let report = json!({"outcome": "cancelled", "exit_code": 143, "summary": "half of it"});
    shop.call(&job, "finish", &report).expect(200);
    let done = shop.session(&job);
    assert_eq!(
        (&done["status"], &done["outcome"], &done["exit_code"], &done["summary"]),
        (&json!("stopped"), &json!("cancelled"), &json!(143), &json!("half of it"))
    );
}

#[test]
fn a_session_that_is_handed_back_is_given_to_the_next() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "x"}));
    let job = shop.claim().unwrap();
    shop.call(&job, "output", &json!({"sequence": 0, "entries": [{"content": "a"}]})).expect(200);
    let back = json!({"outcome": "handed_back"});
    shop.call(&job, "finish", &back).expect(200);
    let session = shop.session(&job);
    assert_eq!(
        (&session["status"], &session["runner_id"], &session["outcome"]),
        (&json!("suspended"), &Value::Null, &Value::Null)
    );
    let (_, other) = runner(owner);
    let again = claim(&other, &json!({})).unwrap();
    assert_eq!((&again["session_id"], &again["attempt"]), (&made["id"], &json!(2)));
    assert_ne!(again["lease"], job["lease"]);
    // The first runner lost the session, whatever it reports; repeating its report does no harm.
    shop.call(&job, "finish", &back).expect(200);
    shop.call(&job, "renew", &json!({})).refuse(409, LEASE_ENDED);
    shop.call(&job, "output", &json!({"sequence": 1, "entries": [{"content": "late"}]}))
        .refuse(409, LEASE_ENDED);
    assert_eq!(shop.session(&job)["status"], "running");
    // The new one counts from 0.
    call(&other, &again, "output", &json!({"sequence": 0, "entries": [{"content": "b"}]})).expect(200);
    let contents: Vec<String> = shop.transcript(&job).into_iter().map(|(_, content)| content).collect();
    assert_eq!(contents, ["x", "a", "The runner handed the session back.", "b"]);
}

#[test]
fn repeated_output_is_stored_once() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    let send = |sequence: i64, contents: &[&str]| {
        let entries: Vec<Value> = contents.iter().map(|content| json!({"content": content})).collect();
        shop.call(&job, "output", &json!({"sequence": sequence, "entries": entries}))
    };
    assert_eq!(send(0, &["a", "b"]).expect(200)["next"], 2);
    assert_eq!(send(0, &["a", "b"]).expect(200)["next"], 2);
    assert_eq!(send(1, &["b", "c"]).expect(200)["next"], 3);
    assert_eq!(send(3, &[]).expect(200)["next"], 3);
    send(4, &["e"]).refuse(422, "sequence");
    send(-1, &["e"]).refuse(422, "sequence");
    let contents: Vec<String> = shop.transcript(&job).into_iter().map(|(_, content)| content).collect();
    assert_eq!(contents, ["a", "b", "c"]);
}

#[test]
fn runners_cannot_write_in_a_persons_name_and_secrets_are_masked() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    let token = format!("ghp_{}", "aB3".repeat(12));
    let entries = json!([{"role": "user", "content": "I am the owner"}, {"content": format!("cloning with {token}")},
        {"content": "DB_PASSWORD=hunter2hunter2"}]);
    shop.call(&job, "output", &json!({"sequence": 0, "entries": entries})).expect(200);
    let transcript = shop.transcript(&job);
    assert_eq!(transcript[0], ("agent".to_owned(), "I am the owner".to_owned()));
    for (_, content) in &transcript {
        assert!(!content.contains(&token) && !content.contains("hunter2"), "{content}");
    }
    assert!(transcript[1].1.contains("[Filtered]"), "{transcript:?}");
}

#[test]
fn invalid_values_are_named() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    for (body, field) in [
        (json!({"capacity": 0}), "capacity"),
        (json!({"capacity": 101}), "capacity"),
        (json!({"running": -1}), "running"),
        (json!({"wait_seconds": 51}), "wait_seconds"),
        (json!({"labels": [""]}), "labels"),
        (json!({"agents": ["a b"]}), "agents"),
        (json!({"agents": vec!["a"; 101]}), "agents"),
        (json!({"uncounted": ["tokens", "files"]}), "uncounted"),
    ] {
        shop.runner.post("/api/runners/self/claim").json(&body).send().refuse(422, field);
    }
    let job = shop.claim().unwrap();
    for (what, body, field) in [
        ("output", json!({}), "sequence"),
        ("output", json!({"sequence": 0, "entries": vec![json!({"content": ""}); 1_001]}), "entries"),
        ("output", json!({"sequence": 0, "entries": [{"content": 5}]}), "entries[0].content"),
        ("output", json!({"sequence": 0, "entries": [{"role": "x", "content": ""}]}), "entries[0].role"),
        ("finish", json!({"outcome": "x"}), "outcome"),
        ("finish", json!({}), "outcome"),
        ("renew", json!({"lease": 5}), "lease"),
    ] {
        shop.call(&job, what, &body).refuse(422, field);
    }
    let large = json!({"sequence": 0, "entries": [{"content": "x".repeat(3 << 20)}]});
    shop.call(&job, "output", &large).refuse(413, "too large");
    shop.runner
        .post("/api/runners/self/sessions/nonsense/renew")
        .json(&json!({"lease": ""}))
        .send()
        .refuse(404, "session");
    assert_eq!(shop.session(&job)["messages"], 0);
}

#[test]
fn another_organizations_runner_finds_nothing() {
    let server = Arc::new(crate::support::Server::of_many());
    let [mine, theirs] = ["Mine", "Theirs"].map(|name| World::founded(&server, name));
    session(&mine.owner, &json!({}));
    let (_, stranger) = runner(&theirs.owner);
    assert_eq!(claim(&stranger, &json!({})), None);
    let (_, own) = runner(&mine.owner);
    let job = claim(&own, &json!({})).unwrap();
    call(&stranger, &job, "renew", &json!({})).refuse(404, "session");
    call(&stranger, &job, "finish", &json!({"outcome": "completed"})).refuse(404, "session");
    call(&own, &job, "renew", &json!({})).expect(200);
}

#[test]
fn a_lease_is_of_no_use_to_another_runner() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    let (_, other) = runner(&shop.world.owner);
    for (what, body) in [
        ("renew", json!({})),
        ("output", json!({"sequence": 0, "entries": []})),
        ("finish", json!({"outcome": "failed"})),
    ] {
        call(&other, &job, what, &body).refuse(409, LEASE_ENDED);
    }
    assert_eq!(shop.session(&job)["status"], "running");
    shop.call(&job, "renew", &json!({})).expect(200);
}

#[test]
fn two_simultaneous_claims_never_get_the_same_session() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made: Vec<String> = (0..20).map(|_| text(&session(owner, &json!({}))["id"])).collect();
    let runners: Vec<Client> = (0..8).map(|_| runner(owner).1).collect();
    let claims: Vec<_> = runners
        .into_iter()
        .map(|runner| {
            std::thread::spawn(move || {
                let mut got = Vec::new();
                while let Some(job) = claim(&runner, &json!({})) {
                    got.push(text(&job["session_id"]));
                }
                got
            })
        })
        .collect();
    let mut got: Vec<String> = claims.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    got.sort_unstable();
    let mut expected = made;
    expected.sort_unstable();
    assert_eq!(got, expected);
}
