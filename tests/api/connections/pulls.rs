//! Pull requests for branches that agents pushed.

use super::commits::with_repository;
use super::open;
use crate::platform::fixture::{runner, session};
use crate::support::outside::Outside;
use crate::support::world::text;
use crate::support::{Client, Project, Value, eventually, json};

const OPENED: &str = "https://github.example/acme/shop/pull/1";

const STACK: &str = "Boom: of @ada\n    at total (https://shop.test/cart.js:3:9)";

/// A session about an issue that a runner has.
struct Run {
    outside: Outside,
    project: Project,
    issue: Value,
    runner: Client,
    job: Value,
}

impl Run {
    fn new() -> Self {
        let outside = Outside::start();
        let project = open(&outside);
        with_repository(&project, &outside);
        let issue = project
            .digest(&json!({"exception": {"type": "Boom", "message": "of @ada", "stack": STACK}}))["issue_id"]
            .clone();
        session(&project.owner, &json!({"issueId": issue, "prompt": "Mend it"}));
        let (_, runner) = runner(&project.owner);
        let job = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
        Self { outside, project, issue, runner, job }
    }

    /// The agent reports success, with the fields of `more`.
    fn finish(&self, more: &Value) {
        let mut report = json!({"lease": self.job["lease"], "outcome": "completed", "branch": self.job["branch"],
            "head_commit": "0123456789", "files_changed": [{"path": "cart.ts", "added": 1, "removed": 1}],
            "title": "Items without a price cost nothing", "summary": "An item had no price, @ada. ```fixes #1```"});
        for (name, value) in more.as_object().unwrap() {
            report[name] = value.clone();
        }
        let path = format!("/api/runners/self/sessions/{}/finish", text(&self.job["session_id"]));
        self.runner.post(&path).json(&report).send().expect(200);
    }

    fn session(&self) -> Value {
        let path = format!("/api/sessions/{}", text(&self.job["session_id"]));
        self.project.owner.get(&path).send().expect(200)["session"].clone()
    }

    fn notes(&self) -> String {
        let path = format!("/api/sessions/{}/messages?limit=1000", text(&self.job["session_id"]));
        self.project.owner.get(&path).send().expect(200)["messages"].to_string()
    }

    fn opened(&self) {
        eventually("the pull request", || (self.session()["pull_request_url"] == OPENED).then_some(()));
    }
}

#[test]
fn a_pushed_branch_becomes_a_pull_request() {
    let run = Run::new();
    let entries = json!([{"role": "system", "kind": "test", "content": "The tests of the work pass."},
        {"role": "system", "kind": "test", "content": "Proven: #1"}]);
    let output = json!({"lease": run.job["lease"], "sequence": 0, "entries": entries});
    let path = format!("/api/runners/self/sessions/{}/output", text(&run.job["session_id"]));
    run.runner.post(&path).json(&output).send().expect(200);
    run.finish(&json!({}));
    run.opened();
    let pulls = run.outside.pulls();
    assert_eq!(pulls.len(), 1);
    assert_eq!(pulls[0].title, "Items without a price cost nothing");
    assert_eq!((&pulls[0].head, &pulls[0].base), (&run.job["branch"], &run.job["base_branch"]));
    let body = text(&pulls[0].body);
    assert!(body.starts_with(&format!("For [{}](", text(&run.session()["issue_short_id"]))), "{body}");
    assert!(
        body.ends_with(
            "What failed:\n\n```text\nBoom\n    at total (https://shop.test/cart.js:3:9) (no source map)\n```\n\n\
             What it says it did:\n\n````text\nAn item had no price, @ada. ```fixes #1```\n````\n\n\
             How it was tried:\n\n```text\nThe tests of the work pass.\nProven: #1\n```\n"
        ),
        "{body}"
    );
    let session = run.session();
    let (organization, id) = (text(&session["organization_id"]), text(&session["id"]));
    for link in [
        format!("[{}](http://", text(&session["issue_short_id"])),
        format!("/projects/{}/issues/{})", run.project.id, run.issue),
        format!("/organizations/{organization}/sessions/{id})"),
    ] {
        assert!(body.contains(&link), "{link}: {body}");
    }
    assert!(run.notes().contains(&format!("Opened the pull request {OPENED}")), "{}", run.notes());
    let activity = run.project.path(&format!("/issues/{}/activity", run.issue));
    let newest = run.project.owner.get(&activity).send().expect(200)["activity"][0].clone();
    assert_eq!((&newest["kind"], &newest["data"]["pull_request_url"]), (&json!("run_ended"), &json!(OPENED)));
    // With a token of exactly these permissions.
    let tokens = run.outside.asked().into_iter().filter(|one| one.path.ends_with("/access_tokens"));
    let wanted = json!({"permissions": {"pull_requests": "write", "metadata": "read"}});
    assert_eq!(tokens.filter(|one| one.body == wanted).count(), 1);
}

#[test]
fn a_pull_request_whose_answer_was_lost_is_found_again() {
    let run = Run::new();
    run.outside.lose_answer();
    run.finish(&json!({}));
    // The second attempt, after ten seconds.
    run.opened();
    assert_eq!(run.outside.pulls().len(), 1);
}

#[test]
fn a_host_that_refuses_it_is_an_entry_of_the_transcript() {
    let run = Run::new();
    run.outside.fault(Some(("403 X", r#"{"message":"Resource not accessible by integration"}"#)));
    run.finish(&json!({}));
    eventually("the note", || run.notes().contains("No pull request was opened").then_some(()));
    assert!(run.notes().contains("Resource not accessible"), "{}", run.notes());
    assert_eq!(run.session()["pull_request_url"], Value::Null);
}

#[test]
fn there_is_none_without_a_branch_to_propose() {
    for more in [
        json!({"pull_request_url": "https://github.example/acme/shop/pull/77"}),
        json!({"outcome": "failed"}),
        json!({"head_commit": null}),
        json!({"files_changed": []}),
    ] {
        let run = Run::new();
        run.finish(&more);
        // Pull requests are opened in order: once the later one is there, the first one would be, too.
        session(&run.project.owner, &json!({"issueId": run.issue, "prompt": "Again"}));
        let job =
            run.runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
        let later = Run { job, ..run };
        later.finish(&json!({}));
        later.opened();
        assert_eq!(later.outside.pulls().len(), 1, "{more}");
    }
}
