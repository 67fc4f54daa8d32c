//! What becomes of merge and pull requests at hosts that the server has to ask.

use super::hosts::pushed_for;
use super::{connect, given};
use crate::support::outside::Outside;
use crate::support::world::text;
use crate::support::{Project, Server, Value, World, eventually, json};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// A session about an issue, whose agent's work is proposed at a code host; with a clock that the test sets.
struct Proposed {
    outside: Outside,
    project: Project,
    clock: NamedTempFile,
    issue: Value,
    /// The session's path.
    session: String,
}

impl Proposed {
    fn at(kind: &str) -> Self {
        let (outside, clock) = (Outside::start(), NamedTempFile::new().unwrap());
        let own = outside.variables();
        let mut variables: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
        variables.push(("MAYDAY_CLOCK_OFFSET", clock.path().to_str().unwrap()));
        let project = Project::in_world(Arc::new(World::new(Server::start_with(&variables))), "Shop");
        let connection = connect(&project, &given(&outside, kind));
        let thrown = json!({"exception": {"type": "Boom", "message": "x"}});
        let issue = project.digest(&thrown)["issue_id"].clone();
        let done = pushed_for(&project, &connection, &json!({"issueId": issue}));
        Self { outside, project, clock, issue, session: text(&done["session"]) }
    }

    /// It is so many minutes later than it is.
    fn forward(&self, minutes: i64) {
        std::fs::write(self.clock.path(), (minutes * 60_000).to_string()).unwrap();
    }

    fn session(&self) -> Value {
        self.project.owner.get(&self.session).send().expect(200)["session"].clone()
    }

    fn issue(&self, rest: &str) -> Value {
        let path = self.project.path(&format!("/issues/{}{rest}", self.issue));
        self.project.owner.get(&path).send().expect(200)
    }

    /// How often the host was asked what became of it.
    fn asked(&self) -> usize {
        let is_it = |path: &str| path.ends_with("/merge_requests/1") || path.ends_with("/pulls/1");
        self.outside.asked().iter().filter(|one| one.method == "GET" && is_it(&one.path)).count()
    }
}

#[test]
fn a_merge_request_that_is_merged_resolves_its_issue_although_the_host_fails_first() {
    let one = Proposed::at("gitlab");
    one.outside.fault(Some(("500 X", "<html>We are sorry.</html>")));
    one.forward(6);
    eventually("the first request", || (one.asked() == 1).then_some(()));
    one.outside.fault(None);
    one.outside.turn(1, "merged");
    assert_eq!((one.session()["merged_at"].clone(), one.asked()), (Value::Null, 1));
    let mut stream = crate::live::watch(&one.project);
    one.forward(20);
    stream.until("the merge", |message| crate::live::names(message, &one.issue));
    let session = one.session();
    assert!(session["merged_at"].is_string() && session["closed_at"].is_null(), "{session}");
    let issue = one.issue("");
    assert_eq!((&issue["status"], &issue["resolved_in_release"]), (&json!("resolved"), &json!("next")));
    let kinds = one.issue("/activity")["activity"].clone();
    assert_eq!((&kinds[0]["kind"], &kinds[1]["kind"]), (&json!("resolved"), &json!("run_merged")));
    assert_eq!(one.asked(), 2);
}

#[test]
fn a_pull_request_that_is_closed_leaves_its_issue_open() {
    let one = Proposed::at("gitea");
    one.outside.turn(1, "closed");
    one.forward(6);
    let closed =
        eventually("the end", || Some(one.session()).filter(|session| session["closed_at"].is_string()));
    // Gitea does not say by whom.
    assert_eq!((&closed["closed_by"], &closed["merged_at"]), (&Value::Null, &Value::Null));
    assert_eq!(one.issue("")["status"], "unresolved");
    let path = format!("{}/messages?limit=1000", one.session);
    let notes = one.project.owner.get(&path).send().expect(200)["messages"].to_string();
    assert!(notes.contains("Somebody closed the pull request without merging it."), "{notes}");
}
