//! An automation with all that belongs to it.

use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Client, Value, json};

/// A repository that no other test has; its record.
#[track_caller]
pub(crate) fn repository(client: &Client) -> Value {
    let id = fresh_id();
    let body = json!({"hostRepoId": id, "hostRepoName": format!("acme/{id}"),
        "hostUrl": format!("https://git.invalid/acme/{id}.git")});
    client.post("/api/repos").json(&body).send().expect(200)["repo"].clone()
}

/// An automation with the fields of `body`.
#[track_caller]
pub(crate) fn automation(client: &Client, body: &Value) -> Value {
    client.post("/api/automations").json(body).send().expect(200)["automation"].clone()
}

/// A trigger of an automation, with its secret if it has one.
#[track_caller]
pub(crate) fn trigger(client: &Client, automation: &Value, body: &Value) -> Value {
    let path = format!("/api/automations/{}/triggers", text(&automation["id"]));
    client.post(&path).json(body).send().expect(201)["trigger"].clone()
}

/// An automation's events, the newest first.
#[track_caller]
pub(crate) fn events(client: &Client, automation: &Value) -> Vec<Value> {
    let path = format!("/api/automations/{}/events?limit=200", text(&automation["id"]));
    client.get(&path).send().expect(200)["events"].as_array().unwrap().clone()
}

/// A session with the fields of `body`.
#[track_caller]
pub(crate) fn session(client: &Client, body: &Value) -> Value {
    client.post("/api/sessions").json(body).send().expect(201)["session"].clone()
}

/// A runner, and a client with its token.
#[track_caller]
pub(crate) fn runner(client: &Client) -> (Value, Client) {
    let made = client.post("/api/runners").json(&json!({"name": "a machine"})).send().expect(201);
    (made["runner"].clone(), client.bearer(&text(&made["token"])))
}

/// A value for each placeholder of the platform API.
pub(crate) fn values(owner: &Client) -> Vec<(&'static str, String)> {
    let repository = repository(owner);
    let automation = automation(owner, &json!({"name": "Fix it"}));
    let trigger = trigger(owner, &automation, &json!({"provider": "webhook"}));
    let session = session(owner, &json!({"prompt": "Fix it"}));
    let made = owner.post("/api/runners").json(&json!({"name": "a machine"})).send().expect(201);
    vec![
        ("{automation_id}", text(&automation["id"])),
        ("{trigger_id}", text(&trigger["id"])),
        ("{webhook_path}", text(&trigger["webhook_url_path"])),
        ("{repository_id}", text(&repository["id"])),
        ("{prebuild_id}", text(&repository["prebuild_id"])),
        ("{agent_session_id}", text(&session["id"])),
        ("{runner_id}", text(&made["runner"]["id"])),
        // The runner's token, which is in no path.
        ("{runner_token}", text(&made["token"])),
    ]
}
