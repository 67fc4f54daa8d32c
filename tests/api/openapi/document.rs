//! The document as a list of operations, and a project in which each of them can be called.

use crate::support::client::Request;
use crate::support::project::{encoded, fresh_id};
use crate::support::{Client, Project, Value, json, maps};

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
    /// Needs no credentials in a header: `security` is `[{}]`.
    pub(crate) fn is_public(&self) -> bool {
        self.details["security"] == json!([{}])
    }

    /// The key is in the `Authorization` header.
    pub(crate) fn takes_release_key(&self) -> bool {
        self.details["security"] == json!([{"key": []}])
    }

    /// Answers without an end: has tests of its own.
    pub(crate) fn is_stream(&self) -> bool {
        self.details["responses"]["200"]["content"]["text/event-stream"].is_object()
    }

    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// The operation on the things of `fixture`.
    pub(crate) fn request(&self, client: &Client, fixture: &Fixture) -> Request {
        client.request(&self.method, &fixture.fill(&self.path))
    }
}

/// Something for each placeholder of a path.
pub(crate) struct Fixture {
    pub(crate) project: Project,
    pub(crate) values: Vec<(&'static str, String)>,
}

impl Fixture {
    /// A project with a release, an event, its issue with a comment and a key beside the project's own.
    pub(crate) fn in_project(project: Project) -> Self {
        project.upload("1.0.0", crate::support::project::SCRIPT_URL, &maps::cart()).expect(201);
        let mut thrown = Project::throw(Some("1.0.0"));
        thrown["event_id"] = json!(format!("{}-{}", fresh_id(), project.id));
        let event = project.digest(&thrown);
        let key = project.make_key(&json!({"name": "to be revoked"}));
        let comments = project.path(&format!("/issues/{}/comments", event["issue_id"]));
        let comment = project.owner.post(&comments).json(&json!({"text": "a comment"})).send().expect(201);
        let values = vec![
            ("{project_id}", project.id.to_string()),
            ("{organization_id}", project.world.organization.to_string()),
            ("{event_id}", encoded(event["event_id"].as_str().unwrap())),
            ("{issue_id}", event["issue_id"].to_string()),
            ("{version}", "1.0.0".to_owned()),
            ("{comment_id}", comment["id"].to_string()),
            ("{key_id}", key["id"].to_string()),
        ];
        Self { project, values }
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
