//! Sessions of agents that wait for a person.

use super::told;
use crate::platform::fixture::{runner, session};
use crate::support::world::text;
use crate::support::{Client, Project, Value, json};

/// A runner that claims the waiting session and reports about it.
struct Machine(Client);

impl Machine {
    fn claim(&self) -> Value {
        self.0.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone()
    }

    fn say(&self, job: &Value, act: &str, more: &Value) {
        let mut body = json!({"lease": job["lease"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = format!("/api/runners/self/sessions/{}/{act}", text(&job["session_id"]));
        self.0.post(&path).json(&body).send().expect(200);
    }
}

#[test]
fn whoever_started_a_session_is_notified_that_it_waits_for_them() {
    let project = Project::alone();
    let (owner, admin) = (&project.owner, project.world.admin());
    let begun = told(owner, 1).len();
    let machine = Machine(runner(owner).1);
    let asked = session(&admin.client, &json!({"prompt": "Mend the cart", "caps": {"tokens": 5_000}}));
    let job = machine.claim();
    machine.say(&job, "renew", &json!({"phase": "waiting_for_person"}));
    let organization = project.world.organization_path();
    let page = format!("{}/sessions/{}", organization.trim_start_matches("/api/v1"), text(&asked["id"]));
    let first = &told(&admin.client, 1)[0];
    assert_eq!(
        (&first["title"], &first["action_url"]),
        (&json!("An agent asks you: Mend the cart"), &json!(page))
    );
    // An agent that keeps asking causes one notification.
    machine.say(&job, "renew", &json!({"phase": "working"}));
    machine.say(&job, "renew", &json!({"phase": "waiting_for_person"}));
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let capped = json!({"outcome": "capped", "reason": "it has used 6000 tokens", "patch": "+half", "held_commit": commit,
        "held": [{"path": "…", "why": "the session reached a cap"}]});
    machine.say(&job, "finish", &capped);
    let second = &told(&admin.client, 2)[0];
    assert_eq!(second["title"], "An agent is paused: Mend the cart");
    assert!(text(&second["summary"]).starts_with("it has used 6000 tokens"), "{second}");
    assert_eq!(told(owner, 1).len(), begun, "others are told nothing");
}

#[test]
fn the_keys_creator_is_notified_and_the_admins_once_that_person_is_gone() {
    let project = Project::alone();
    let (owner, admin) = (&project.owner, project.world.admin());
    let machine = Machine(runner(owner).1);
    let keys = format!("{}/api-keys", project.world.organization_path());
    let key = json!({"name": "pipeline", "scopes": ["read", "write"]});
    let key = admin.client.post(&keys).json(&key).send().expect(201);
    let key = project.world.bearer(&text(&key["key"]));
    let asks = |prompt: &str| {
        session(&key, &json!({"prompt": prompt}));
        machine.say(&machine.claim(), "renew", &json!({"phase": "waiting_for_person"}));
    };
    let begun = told(owner, 1).len();
    asks("First");
    assert_eq!(told(&admin.client, 1)[0]["title"], "An agent asks you: First");
    assert_eq!(told(owner, 1).len(), begun, "others are told nothing");
    let member = format!("{}/members/{}", project.world.organization_path(), admin.id);
    owner.patch(&member).json(&json!({"status": "disabled"})).send().expect(200);
    asks("Second");
    let told = told(owner, begun + 1);
    assert!(told.iter().any(|notice| notice["title"] == "An agent asks you: Second"), "{told:?}");
}

#[test]
fn held_work_is_announced_if_the_session_may_push() {
    let project = Project::alone();
    let (owner, admin) = (&project.owner, project.world.admin());
    let machine = Machine(runner(owner).1);
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let held = json!({"outcome": "completed", "patch": "+half", "held_commit": commit,
        "held": [{"path": "package.json", "why": "a person looks at it first"}]});
    for (mode, prompt) in [("read", "Look at it"), ("write", "Mend the cart")] {
        let asked = session(&admin.client, &json!({"prompt": prompt}));
        let path = format!("/api/sessions/{}", text(&asked["id"]));
        admin.client.patch(&path).json(&json!({"mode": mode})).send().expect(200);
        machine.say(&machine.claim(), "finish", &held);
    }
    let told = told(&admin.client, 1);
    let titles: Vec<&Value> = told.iter().map(|notice| &notice["title"]).collect();
    assert_eq!(titles, ["An agent's work waits for you: Mend the cart"]);
}
