//! The results of a run that are shown on its issue.

use super::fixture::{automation, runner, session, trigger};
use crate::support::world::text;
use crate::support::{Client, Project, Value, json};
use mayday::crypto::token;

struct Run {
    project: Project,
    runner: Client,
    issue: Value,
    job: Value,
}

const PULL_REQUEST: &str = "https://github.com/acme/shop/pull/7";
const SHOP: &str = "acme/shop";

impl Run {
    /// A session about an issue that a runner has.
    fn new() -> Self {
        let project = Project::alone();
        let issue = project.digest(&Self::event())["issue_id"].clone();
        let [shop, _] = [SHOP, "acme/other"].map(|name| {
            let body = json!({"hostRepoId": format!("of {name}"), "hostRepoName": name,
                "hostUrl": format!("https://github.com/{name}.git")});
            project.owner.post("/api/repos").json(&body).send().expect(200)["repo"]["id"].clone()
        });
        session(&project.owner, &json!({"issueId": issue, "prompt": "Mend it", "repoId": shop}));
        let (_, runner) = runner(&project.owner);
        let job = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
        Self { project, runner, issue, job }
    }

    fn event() -> Value {
        json!({"exception": {"type": "Boom", "message": "x"}})
    }

    fn finish(&self, report: &Value) {
        self.call("finish", report);
    }

    /// A call of the runner about its session.
    fn call(&self, what: &str, body: &Value) {
        let mut body = body.clone();
        body["lease"] = self.job["lease"].clone();
        let path = format!("/api/runners/self/sessions/{}/{what}", text(&self.job["session_id"]));
        self.runner.post(&path).json(&body).send().expect(200);
    }

    fn get(&self, rest: &str) -> Value {
        let path = self.project.path(&format!("/issues/{}{rest}", self.issue));
        self.project.owner.get(&path).send().expect(200)
    }

    fn activity(&self) -> Vec<String> {
        let list = self.get("/activity");
        list["activity"].as_array().unwrap().iter().rev().map(|entry| text(&entry["kind"])).collect()
    }

    /// GitHub's webhook that the pull request was merged.
    fn merge(&self) -> Value {
        self.merge_in(SHOP)
    }

    /// The same in a call about some repository.
    fn merge_in(&self, repository: &str) -> Value {
        let pull_request = json!({"merged": true, "html_url": PULL_REQUEST});
        self.hear("pull_request", &json!({"action": "closed", "pull_request": pull_request}), repository)
    }

    /// Somebody writes on the pull request.
    fn comment(&self, (by, association): (&str, &str), words: &str) {
        let payload = json!({"action": "created", "issue": {"pull_request": {"html_url": PULL_REQUEST}},
            "comment": {"body": words, "author_association": association}, "sender": {"login": by, "type": "User"}});
        self.hear("issue_comment", &payload, SHOP);
    }

    /// GitHub calls about something in a repository: the event that it became.
    fn hear(&self, event: &str, payload: &Value, repository: &str) -> Value {
        let owner = &self.project.owner;
        let automation = automation(owner, &json!({}));
        let trigger = trigger(owner, &automation, &json!({"provider": "github"}));
        let mut payload = payload.clone();
        payload["repository"] = json!({"id": 1, "full_name": repository});
        let body = payload.to_string();
        let signature = token::signature(text(&trigger["webhook_secret"]).as_bytes(), body.as_bytes());
        let request =
            self.project.world.anonymous().post(&format!("/webhooks/{}", text(&trigger["webhook_url_path"])));
        let request = request.body("application/json", body).header("x-github-event", event);
        request
            .header("x-hub-signature-256", &format!("sha256={}", token::hex(&signature)))
            .send()
            .expect(200);
        super::fixture::events(owner, &automation)[0].clone()
    }
}

#[test]
fn a_run_is_in_the_issues_activity() {
    let run = Run::new();
    assert_eq!(run.activity(), ["first_seen", "run_started"]);
    let report = json!({"outcome": "completed", "branch": "fix", "head_commit": "0123456789", "pull_request_url": PULL_REQUEST});
    run.finish(&report);
    assert_eq!(run.activity(), ["first_seen", "run_started", "run_ended"]);
    let newest = &run.get("/activity")["activity"][0];
    let expected = json!({"session_id": run.job["session_id"], "session_number": 1, "title": "Mend it", "outcome": "completed",
        "branch": "fix", "pull_request_url": PULL_REQUEST});
    assert_eq!((&newest["data"], &newest["user"]), (&expected, &Value::Null));
    let runs = run.get("/runs");
    assert_eq!((&runs["total"], &runs["runs"][0]["id"]), (&json!(1), &run.job["session_id"]));
    assert_eq!(
        (&runs["runs"][0]["outcome"], &runs["runs"][0]["regressed_at"]),
        (&json!("completed"), &Value::Null)
    );
    let other = run.project.other();
    let path = other.path(&format!("/issues/{}/runs", run.issue));
    run.project.owner.get(&path).send().refuse(404, "issue");
    // A session that no runner had leaves nothing.
    let waiting = session(&run.project.owner, &json!({"issueId": run.issue}));
    let path = format!("/api/sessions/{}", text(&waiting["id"]));
    run.project.owner.patch(&path).json(&json!({"status": "stopped"})).send().expect(200);
    assert_eq!(run.activity(), ["first_seen", "run_started", "run_ended"]);
}

#[test]
fn an_issue_has_the_session_that_goes_on_or_else_the_newest_with_a_result() {
    let run = Run::new();
    let first = run.job["session_id"].clone();
    let told = || {
        let told = run.get("")["agent_session"].clone();
        (told["id"].clone(), text(&told["phase"]), told["pull_request_url"].clone())
    };
    assert_eq!(run.get("")["agent_session"]["number"], 1);
    assert_eq!(told(), (first.clone(), "preparing".to_owned(), Value::Null));
    let mut stream = crate::live::watch(&run.project);
    run.call("renew", &json!({"phase": "waiting_for_person"}));
    stream.until("the question", |message| crate::live::names(message, &run.issue));
    assert_eq!(told().1, "waiting_for_person");
    run.finish(&json!({"outcome": "completed", "pull_request_url": PULL_REQUEST}));
    let opened = (first, "done".to_owned(), json!(PULL_REQUEST));
    assert_eq!(told(), opened);
    // One that goes on comes first, and one that ended without a result does not count.
    let second = session(&run.project.owner, &json!({"issueId": run.issue}));
    assert_eq!(told(), (second["id"].clone(), "waiting_for_runner".to_owned(), Value::Null));
    let path = format!("/api/sessions/{}", text(&second["id"]));
    run.project.owner.patch(&path).json(&json!({"status": "stopped"})).send().expect(200);
    assert_eq!(told(), opened);
}

#[test]
fn streams_of_the_issue_are_notified_of_a_runs_end_and_of_a_lost_runner() {
    let run = Run::new();
    let mut stream = crate::live::watch(&run.project);
    let path = format!("/api/sessions/{}", text(&run.job["session_id"]));
    run.project.owner.patch(&path).json(&json!({"status": "stopped"})).send().expect(200);
    stream.until("the end", |message| crate::live::names(message, &run.issue));
    // Its runner is deleted: twice it waits for another one, the third time it fails.
    let made = session(&run.project.owner, &json!({"issueId": run.issue}));
    for attempt in 1..=3 {
        let (row, machine) = super::fixture::runner(&run.project.owner);
        let job = super::protocol::claim(&machine, &json!({})).unwrap();
        assert_eq!((&job["session_id"], &job["attempt"]), (&made["id"], &json!(attempt)));
        // The claim was sent, too, before this stream began.
        let mut stream = crate::live::watch(&run.project);
        run.project.owner.delete(&format!("/api/runners/{}", text(&row["id"]))).send().expect(200);
        stream.until("the loss", |message| crate::live::names(message, &run.issue));
    }
    let mut stream = crate::live::watch(&run.project);
    run.project.owner.delete(&format!("/api/sessions/{}", text(&made["id"]))).send().expect(200);
    stream.until("the deletion", |message| crate::live::names(message, &run.issue));
}

#[test]
fn a_merged_pull_request_resolves_the_issue_in_the_next_release() {
    let run = Run::new();
    run.finish(&json!({"outcome": "completed", "pull_request_url": PULL_REQUEST}));
    let event = run.merge();
    assert_eq!((&event["kind"], &event["status"]), (&json!("github.pull_request"), &json!("completed")));
    let issue = run.get("");
    assert_eq!((&issue["status"], &issue["resolved_in_release"]), (&json!("resolved"), &json!("next")));
    assert_eq!(run.activity(), ["first_seen", "run_started", "run_ended", "run_merged", "resolved"]);
    let runs = run.get("/runs");
    assert!(runs["runs"][0]["merged_at"].is_string());
    let summary = run.project.owner.get("/api/sessions").send().expect(200);
    assert!(summary["sessions"][0]["merged_at"].is_string());
    // The repeated webhook is recognized.
    let event = run.merge();
    assert_eq!((&event["status"], &event["reason"]), (&json!("skipped"), &json!("filter")));
    assert_eq!(run.activity().len(), 5);
    // If the error comes back, the regression names the run.
    run.project.make_release("2.0.0");
    let mut event = Run::event();
    event["release"] = json!("2.0.0");
    run.project.digest(&event);
    let issue = run.get("");
    assert_eq!((&issue["status"], &issue["substatus"]), (&json!("unresolved"), &json!("regressed")));
    let at = run.get("/runs")["runs"][0]["regressed_at"].clone();
    assert!(at.is_string() && issue["agent_session"]["regressed_at"] == at, "{issue}");
}

#[test]
fn a_merge_in_another_repository_resolves_nothing() {
    let run = Run::new();
    run.finish(&json!({"outcome": "completed", "pull_request_url": PULL_REQUEST}));
    for other in ["acme/other", "acme/unknown"] {
        let event = run.merge_in(other);
        assert_eq!((&event["status"], &event["reason"]), (&json!("skipped"), &json!("filter")), "{other}");
        assert_eq!(run.get("")["status"], "unresolved");
    }
    run.merge();
    assert_eq!(run.get("")["status"], "resolved");
}

#[test]
fn a_pull_request_of_another_repository_is_not_believed() {
    let run = Run::new();
    let other = "https://github.com/acme/other/pull/7";
    run.finish(&json!({"outcome": "completed", "pull_request_url": other}));
    let path = format!("/api/sessions/{}", text(&run.job["session_id"]));
    assert_eq!(run.project.owner.get(&path).send().expect(200)["session"]["pull_request_url"], Value::Null);
    assert_eq!(run.get("/activity")["activity"][0]["data"]["pull_request_url"], Value::Null);
    let notes = run.project.owner.get(&format!("{path}/messages?limit=1000")).send().expect(200);
    assert!(notes.to_string().contains("The pull request was reported as"), "{notes}");
}

#[test]
fn a_persons_decision_about_the_issue_stays() {
    let run = Run::new();
    run.finish(&json!({"outcome": "completed", "pull_request_url": PULL_REQUEST}));
    let path = run.project.path(&format!("/issues/{}", run.issue));
    run.project.owner.patch(&path).json(&json!({"status": "ignored"})).send().expect(200);
    run.merge();
    assert_eq!(run.get("")["status"], "ignored");
}

#[test]
fn a_closed_pull_request_shows_who_closed_it_and_why() {
    let run = Run::new();
    run.finish(&json!({"outcome": "completed", "pull_request_url": PULL_REQUEST}));
    run.comment(("ada", "MEMBER"), "The basket is\nnot the cause.");
    // Anybody may comment there, but only members' comments count.
    run.comment(("mallory", "NONE"), "Buy pills");
    let payload = json!({"action": "closed", "pull_request": {"merged": false, "html_url": PULL_REQUEST},
        "sender": {"login": "ada"}});
    let event = run.hear("pull_request", &payload, SHOP);
    assert_eq!(event["status"], "completed");
    let closed = |comment: &Value| {
        let path = format!("/api/sessions/{}", text(&run.job["session_id"]));
        for session in [
            run.get("/runs")["runs"][0].clone(),
            run.project.owner.get(&path).send().expect(200)["session"].clone(),
        ] {
            assert!(session["closed_at"].is_string() && session["merged_at"].is_null(), "{session}");
            assert_eq!(session["closed_by"], "ada");
            let last = &session["last_comment"];
            assert_eq!(json!([last["by"], last["text"]]), *comment);
            assert!(last["at"].is_string(), "{last}");
        }
    };
    closed(&json!(["ada", "The basket is not the cause."]));
    // GitHub does not promise the order.
    run.comment(("bob", "OWNER"), "See SHOP-9.");
    closed(&json!(["bob", "See SHOP-9."]));
    assert_eq!(run.get("")["status"], "unresolved");
    // An older comment that arrives late is ignored.
    let old = json!({"action": "created", "issue": {"pull_request": {"html_url": PULL_REQUEST}},
        "comment": {"body": "First!", "author_association": "OWNER", "created_at": "2026-01-01T00:00:00Z"}});
    run.hear("issue_comment", &old, SHOP);
    closed(&json!(["bob", "See SHOP-9."]));
    let open = || {
        let session = run.get("/runs")["runs"][0].clone();
        assert_eq!((&session["closed_at"], &session["closed_by"]), (&Value::Null, &Value::Null));
    };
    let mut reopened = payload.clone();
    reopened["action"] = json!("reopened");
    assert_eq!(run.hear("pull_request", &reopened, SHOP)["status"], "completed");
    open();
    run.hear("pull_request", &payload, SHOP);
    closed(&json!(["bob", "See SHOP-9."]));
    run.merge();
    open();
}
