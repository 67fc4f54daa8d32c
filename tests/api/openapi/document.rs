//! The document as a list of operations, and a project in which each of them can be called.

use crate::platform::fixture as automation;
use crate::replays::{replay, send, whole};
use crate::support::client::Request;
use crate::support::person::{Person, fresh_email};
use crate::support::project::{encoded, fresh_id};
use crate::support::{Client, Project, Value, eventually, json, maps};

pub(crate) struct Operation {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) details: Value,
}

pub(crate) fn document(client: &Client) -> Value {
    client.get("/api/openapi.json").send().expect(200)
}

/// Every operation of the document.
pub(crate) fn operations(client: &Client) -> Vec<Operation> {
    let document = document(client);
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, details) in methods.as_object().unwrap() {
            let (method, path) = (method.to_uppercase(), path.clone());
            operations.push(Operation { method, path, details: details.clone() });
        }
    }
    assert!(operations.len() > 30, "{} operations", operations.len());
    operations
}

impl Operation {
    /// Who may call it, from `x-access`.
    pub(crate) fn access(&self) -> &Value {
        &self.details["x-access"]
    }

    /// Whether callers of this kind may call it, under any further condition.
    pub(crate) fn is_for(&self, kind: &str) -> bool {
        self.access()["by"].as_array().unwrap().iter().any(|one| one == kind)
    }

    /// Needs no credentials in a header.
    pub(crate) fn is_public(&self) -> bool {
        self.is_for("anybody") || self.is_for("key_in_body")
    }

    /// Only a project's key may.
    pub(crate) fn takes_release_key(&self) -> bool {
        self.access()["by"] == json!(["project_key"])
    }

    /// Only for people in a browser, not for their tokens.
    pub(crate) fn is_session_only(&self) -> bool {
        self.access()["by"] == json!(["session"])
    }

    /// The lowest role that may do this to the things of a [`Fixture`], which belong to other people.
    pub(crate) fn least_role(&self) -> &str {
        let access = self.access();
        access["role_over_others"].as_str().or(access["role"].as_str()).unwrap_or("member")
    }

    /// Whether a personal access token with this scope, and no higher one, may: where its person may.
    pub(crate) fn takes_token(&self, scope: &str) -> bool {
        let rank = |scope: &str| ["read", "write", "admin"].iter().position(|one| *one == scope).unwrap();
        self.is_for("token") && rank(scope) >= rank(self.access()["token_scope"].as_str().unwrap())
    }

    /// Whether a project's key with this scope alone may.
    pub(crate) fn takes_key(&self, scope: &str) -> bool {
        let scopes = self.access()["key_scopes"].as_array();
        self.is_for("project_key") && scopes.unwrap().iter().any(|one| one == scope)
    }

    /// Whether an organization's key with this scope, and no higher one, may.
    pub(crate) fn takes_organization_key(&self, scope: &str) -> bool {
        self.is_for("organization_key") && (scope == "write" || self.access()["organization_scope"] == scope)
    }

    /// Only a runner may.
    pub(crate) fn takes_runner(&self) -> bool {
        self.is_for("runner")
    }

    /// A valid body, which would change the thing that the operation is called on.
    pub(crate) fn body(&self) -> Value {
        match self.path.as_str() {
            "/api/v1/organizations/{organization_id}/members/{user_id}" => json!({"role": "admin"}),
            "/api/v1/organizations/{organization_id}/owner" => json!({"user_id": 1}),
            "/api/v1/organizations/{organization_id}/sign-in/check" => json!({"provider": "github"}),
            "/api/v1/organizations/{organization_id}/invitations" => json!({"email": fresh_email()}),
            "/api/v1/me/email" => json!({"email": fresh_email(), "password": "not the password"}),
            "/auth/password/change" => {
                json!({"current_password": "not the password", "new_password": "another passphrase"})
            }
            "/api/automations/{automation_id}/triggers" => json!({"provider": "webhook"}),
            "/api/sessions/{agent_session_id}" => json!({"title": "taken"}),
            "/api/sessions/{agent_session_id}/messages" => json!({"content": "taken"}),
            "/mcp" => json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            _ => json!({"name": "taken", "status": "resolved", "ids": [1], "text": "x"}),
        }
    }

    /// Whether the answer has no end; streams have tests of their own.
    pub(crate) fn is_stream(&self) -> bool {
        self.details["responses"]["200"]["content"]["text/event-stream"].is_object()
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The operation on the things of `fixture`.
    pub(crate) fn request(&self, client: &Client, fixture: &Fixture) -> Request {
        // These operations require query parameters.
        let query = match self.path.as_str() {
            "/api/automations/schedule" => "?cron=0%208%20*%20*%20*",
            path if path.ends_with("/logs/context") => "?id={log_id}",
            path if path.ends_with("/stylesheets") => "?release={version}&url=https://shop.example/a.css",
            _ => "",
        };
        client.request(&self.method, &fixture.fill(&(self.path.clone() + query)))
    }
}

/// Something for each placeholder of a path.
pub(crate) struct Fixture {
    pub(crate) project: Project,
    /// A member of its organization, who has the sessions and tokens.
    pub(crate) person: Person,
    pub(crate) values: Vec<(&'static str, String)>,
}

/// The id of a log entry that is stored.
fn log_entry(project: &Project) -> Value {
    let entry = json!({"timestamp": 1_795_000_000, "level": "info", "message": "an entry"});
    let body = project.with_key(&json!({"logs": [entry]}));
    project.world.anonymous().post("/api/v1/logs/batch").json(&body).send().expect(202);
    eventually("the log entry", || {
        let list = project.owner.get(&project.path("/logs")).send().expect(200);
        list["logs"].get(0).map(|entry| entry["id"].clone())
    })
}

/// The keys of an organization have the placeholder of a project's keys.
const ORGANIZATION_KEY: &str = "{organization_id}/api-keys/{key_id}";

impl Fixture {
    /// A project with a release, an event, its issue with a comment, a key beside the project's own, and an alert
    /// rule with a channel; beside it a member with another session and a token, an invitation, an organization's
    /// key, and an automation with everything that belongs to it. It needs an instance of its own: tests that call
    /// every operation change the organization, too.
    pub(crate) fn in_project(project: Project) -> Self {
        project.upload("1.0.0", crate::support::project::SCRIPT_URL, &maps::cart()).expect(201);
        let mut thrown = Project::throw(Some("1.0.0"));
        thrown["event_id"] = json!(format!("{}-{}", fresh_id(), project.id));
        let event = project.digest(&thrown);
        let key = project.make_key(&json!({"name": "to be revoked"}));
        let comments = project.path(&format!("/issues/{}/comments", event["issue_id"]));
        let comment = project.owner.post(&comments).json(&json!({"text": "a comment"})).send().expect(201);
        let world = project.world.clone();
        let person = world.member();
        let keys = format!("{}/api-keys", world.organization_path());
        let organization_key = project.owner.post(&keys).json(&json!({"name": "a key"})).send().expect(201);
        let organization_key = format!("{}/api-keys/{}", world.organization, organization_key["id"]);
        // Its window has the project's id: the same replay in two projects would make its id ambiguous.
        let mut recorded = whole("fixture");
        recorded["window_id"] = json!(project.id.to_string());
        let replay_id = send(&project, &recorded);
        replay(&project, &replay_id, 1);
        let body = json!({"name": "Chat", "kind": "slack", "url": "https://chat.invalid/x"});
        let channel = project.owner.post(&project.path("/alert-channels")).json(&body).send().expect(201);
        let body = json!({"name": "Never", "condition": {"type": "new"}, "enabled": false});
        let rule = project.owner.post(&project.path("/alert-rules")).json(&body).send().expect(201);
        let body = json!({"name": "Old", "query": "is:ongoing", "shared": true});
        let view = project.owner.post(&project.path("/views")).json(&body).send().expect(201);
        let mut values = vec![
            (ORGANIZATION_KEY, organization_key),
            ("{project_id}", project.id.to_string()),
            ("{organization_id}", world.organization.to_string()),
            ("{event_id}", encoded(event["event_id"].as_str().unwrap())),
            ("{issue_id}", event["issue_id"].to_string()),
            ("{version}", "1.0.0".to_owned()),
            ("{comment_id}", comment["id"].to_string()),
            ("{key_id}", key["id"].to_string()),
            ("{channel_id}", channel["id"].to_string()),
            ("{view_id}", view["id"].to_string()),
            ("{rule_id}", rule["id"].to_string()),
            ("{user_id}", person.id.to_string()),
            ("{invitation_id}", world.invite(&fresh_email(), "member")["id"].to_string()),
            ("{session_id}", person.again().session_id().to_string()),
            ("{token_id}", person.make_token(&["read"])["id"].to_string()),
            // Of those there are some only where a provider is configured.
            ("{identity_id}", "1".to_owned()),
            ("{test_id}", "1".to_owned()),
            // Nothing is set aside unless the digest fails.
            ("{set_aside_id}", "1".to_owned()),
            // Of those there are some only where a service answers.
            ("{connection_id}", "0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c".to_owned()),
            ("{ticket_id}", "1".to_owned()),
            // Notifications depend on the caller.
            ("{notification_id}", "1".to_owned()),
            ("{trace_id}", "1".to_owned()),
            ("{log_id}", log_entry(&project).to_string()),
            ("{replay_id}", replay_id),
        ];
        values.extend(automation::values(&project.owner));
        Self { project, person, values }
    }

    /// A caller for whom the operation succeeds: the project's key, the person, or the owner.
    pub(crate) fn caller(&self, operation: &Operation) -> Client {
        let own = ["/api/v1/me", "/auth/logout", "/auth/password/"];
        match operation {
            _ if operation.takes_release_key() => self.project.ci(),
            _ if operation.takes_runner() => self.project.world.bearer(self.value("{runner_token}")),
            _ if own.iter().any(|start| operation.path.starts_with(start)) => self.person.client.clone(),
            _ => self.project.owner.clone(),
        }
    }

    pub(crate) fn value(&self, placeholder: &str) -> &str {
        &self.values.iter().find(|(name, _)| *name == placeholder).unwrap().1
    }

    /// The same things but for one placeholder.
    pub(crate) fn fill_but(&self, path: &str, placeholder: &str, value: &str) -> String {
        self.fill(&path.replace(placeholder, value))
    }

    fn fill(&self, path: &str) -> String {
        let filled =
            self.values.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value));
        assert!(!filled.contains('{'), "a placeholder without a value: {filled}");
        filled
    }
}
