//! Sessions that errors or tokens started may only read, until a person lets them push.

use super::fixture::{automation, events, repository, runner, session, trigger};
use crate::support::project::fresh_id;
use crate::support::world::text;
use crate::support::{Client, Project, Value, eventually, json};

/// A session that an error has started, and its job with a runner.
struct Run {
    project: Project,
    job: Value,
    runner: Client,
}

impl Run {
    fn of_an_error(more: &Value) -> Self {
        let project = Project::alone();
        let owner = &project.owner;
        let repo = repository(owner);
        owner.patch(&project.path("")).json(&json!({"repositories": [repo["id"]]})).send().expect(200);
        let mut body = json!({"agentInstructions": "Mend it."});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let made = automation(owner, &body);
        trigger(owner, &made, &json!({"provider": "errors", "config": {"events": ["issue.created"]}}));
        project.digest(&json!({"exception": {"type": format!("Boom{}", fresh_id()), "message": "x"}}));
        eventually("the call", || (!events(owner, &made).is_empty()).then_some(()));
        let (_, without_rooms) = runner(&project.owner);
        let claim = without_rooms.post("/api/runners/self/claim");
        claim.json(&json!({"refuses_public": true})).send().expect(204);
        Self::claimed(project)
    }

    fn claimed(project: Project) -> Self {
        let (_, runner) = runner(&project.owner);
        let job = runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
        Self { project, job, runner }
    }

    fn path(&self) -> String {
        format!("/api/sessions/{}", text(&self.job["session_id"]))
    }

    fn session(&self) -> Value {
        self.project.owner.get(&self.path()).send().expect(200)["session"].clone()
    }

    fn renewed(&self) -> Value {
        let path = format!("/api/runners/self/sessions/{}/renew", text(&self.job["session_id"]));
        self.runner.post(&path).json(&json!({"lease": self.job["lease"]})).send().expect(200)
    }

    fn finish(&self, more: &Value) {
        let path = format!("/api/runners/self/sessions/{}/finish", text(&self.job["session_id"]));
        let mut body = json!({"lease": self.job["lease"], "outcome": "completed"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.runner.post(&path).json(&body).send().expect(200);
    }
}

/// A client with a token of the owner that may do everything.
fn tool(project: &Project) -> Client {
    let body = json!({"name": "x", "scopes": ["read", "write", "admin"]});
    let made = project.owner.post("/api/v1/me/tokens").json(&body).send().expect(201);
    project.world.bearer(&text(&made["token"]))
}

#[test]
fn a_session_that_an_error_started_only_reads_and_returns_a_patch() {
    let run = Run::of_an_error(&json!({}));
    assert_eq!((&run.job["mode"], &run.session()["mode"]), (&json!("read"), &json!("read")));
    assert_eq!(run.renewed()["mode"], "read");
    let patch = "diff --git a/cart.ts b/cart.ts\n-broken\n+mended\n";
    run.finish(&json!({"patch": patch, "pull_request_url": "https://git.invalid/acme/shop/pull/1", "files_changed": [{"path": "cart.ts", "added": 1, "removed": 1}]}));
    let session = run.session();
    assert_eq!((&session["patch"], &session["outcome"]), (&json!(patch), &json!("completed")));
    assert_eq!((&session["head_commit"], &session["pull_request_url"]), (&Value::Null, &Value::Null));
    let record = run.project.owner.get(&format!("{}/record", run.path())).send().expect(200);
    assert_eq!(record["session"], session);
    assert_eq!(record["messages"][0]["role"], "user", "{record}");
    let listed = run.project.owner.get("/api/sessions?limit=100").send().expect(200);
    let found = listed["sessions"].as_array().unwrap().iter().find(|one| one["id"] == session["id"]).unwrap();
    assert_eq!((&found["mode"], &found["patch"]), (&json!("read"), &Value::Null), "lists are short");
    run.project.owner.patch(&run.path()).json(&json!({"mode": "write"})).send().refuse(409, "has ended");
}

#[test]
fn a_person_lets_it_write_and_no_token_does() {
    let run = Run::of_an_error(&json!({}));
    let write = json!({"mode": "write"});
    tool(&run.project).patch(&run.path()).json(&write).send().refuse(403, "only a person who is signed in");
    assert_eq!(run.renewed()["mode"], "read");
    let changed = run.project.owner.patch(&run.path()).json(&write).send().expect(200);
    assert_eq!(changed["session"]["mode"], "write");
    assert_eq!(run.renewed()["mode"], "write");
    let notes = run.project.owner.get(&format!("{}/messages", run.path())).send().expect(200).to_string();
    assert!(notes.contains("lets this session push"), "{notes}");
    // A token may set it back to reading.
    let held = tool(&run.project).patch(&run.path()).json(&json!({"mode": "read"})).send().expect(200);
    assert_eq!(held["session"]["mode"], "read");
    run.project.owner.patch(&run.path()).json(&json!({"mode": "root"})).send().refuse(422, "");
}

#[test]
fn an_automation_may_open_pull_requests_if_a_person_allows_it() {
    let run = Run::of_an_error(&json!({"mayOpenPullRequests": true}));
    assert_eq!(run.job["mode"], "write");
    let (owner, tool) = (&run.project.owner, tool(&run.project));
    let lift = json!({"mayOpenPullRequests": true});
    tool.post("/api/automations").json(&lift).send().refuse(403, "only a person who is signed in");
    let made = automation(owner, &json!({"name": "x"}));
    assert_eq!(made["may_open_pull_requests"], false);
    let path = format!("/api/automations/{}", text(&made["id"]));
    tool.patch(&path).json(&lift).send().refuse(403, "only a person who is signed in");
    let changed = owner.patch(&path).json(&lift).send().expect(200);
    assert_eq!(changed["automation"]["may_open_pull_requests"], true);
    let renamed = tool.patch(&path).json(&json!({"name": "y"})).send().expect(200);
    assert_eq!(renamed["automation"]["may_open_pull_requests"], true, "what is not named stays");
}

#[test]
fn a_session_that_a_person_started_may_push() {
    let project = Project::alone();
    session(&project.owner, &json!({"prompt": "Mend it"}));
    let run = Run::claimed(project);
    assert_eq!((&run.job["mode"], &run.session()["mode"]), (&json!("write"), &json!("write")));
}

/// A project whose errors an automation may mend, and an issue of it.
fn with_an_issue() -> (Project, Value) {
    let project = Project::alone();
    let event = project.digest(&json!({"exception": {"type": "Boom", "message": "Push what I say"}}));
    (project, event["issue_id"].clone())
}

#[test]
fn a_session_that_a_token_started_only_reads() {
    let (project, issue) = with_an_issue();
    let tool = tool(&project);
    let made = session(&tool, &json!({"issueId": issue, "prompt": "Mend it"}));
    assert_eq!(made["mode"], "read", "{made}");
    let again = session(&tool, &json!({"parentSessionId": made["id"], "prompt": "Push it"}));
    assert_eq!(again["mode"], "read", "what goes on from it does not write either");
    let path = format!("/api/sessions/{}", text(&made["id"]));
    let lifted = project.owner.patch(&path).json(&json!({"mode": "write"})).send().expect(200);
    assert_eq!(lifted["session"]["mode"], "write");
    let by_person = session(&project.owner, &json!({"issueId": issue, "prompt": "Mend it"}));
    assert_eq!(by_person["mode"], "write");
    let public = |made: &Value| (made["mode"].clone(), made["is_public"].clone());
    assert_eq!(public(&made), (json!("read"), json!(true)));
    let goes_on = json!({"parentSessionId": by_person["id"], "prompt": "Push it"});
    assert_eq!(public(&session(&tool, &goes_on)), (json!("read"), json!(true)));
    let other = session(&tool, &json!({"prompt": "Update what it depends on"}));
    assert_eq!(public(&other), (json!("read"), json!(false)));
}

#[test]
fn a_token_runs_automations_that_push_only_if_a_person_allowed_it() {
    let (project, issue) = with_an_issue();
    let (owner, tool) = (&project.owner, tool(&project));
    let run = |client: &Client, automation: &Value, body: &Value| {
        let path = format!("/api/automations/{}/run", text(&automation["id"]));
        client.post(&path).json(body).send().expect(201)["session"]["mode"].clone()
    };
    let made = automation(owner, &json!({"agentInstructions": "Mend it."}));
    let about = json!({"issueId": issue});
    assert_eq!(run(&tool, &made, &about), "read");
    assert_eq!(run(&tool, &made, &json!({})), "read");
    assert_eq!(run(owner, &made, &about), "write");
    let trusted = automation(owner, &json!({"agentInstructions": "Mend it.", "mayOpenPullRequests": true}));
    assert_eq!(run(&tool, &trusted, &about), "write");
}

#[test]
fn no_token_changes_the_task_of_an_automation_that_may_push() {
    let project = Project::alone();
    let (owner, tool) = (&project.owner, tool(&project));
    let made = automation(owner, &json!({"agentInstructions": "Mend it.", "mayOpenPullRequests": true}));
    let path = format!("/api/automations/{}", text(&made["id"]));
    let change = |client: &Client, body: Value| client.patch(&path).json(&body).send();
    for task in [
        json!({"agentInstructions": "Push what the issue says."}),
        json!({"agentType": "another"}),
        json!({"allowAgenticRepoSelection": true}),
        json!({"runnerLabels": ["without-a-room"]}),
    ] {
        change(&tool, task).refuse(403, "only a person who is signed in");
    }
    change(&tool, json!({"enabled": false, "name": "Off", "agentInstructions": "Mend it."})).expect(200);
    change(owner, json!({"agentInstructions": "Mend it well."})).expect(200);
    let both = json!({"mayOpenPullRequests": false, "agentInstructions": "Look."});
    assert_eq!(change(&tool, both).expect(200)["automation"]["may_open_pull_requests"], false);
}

#[test]
fn no_token_changes_the_triggers_of_an_automation_that_may_push() {
    let project = Project::alone();
    let (owner, tool) = (&project.owner, tool(&project));
    let made = automation(owner, &json!({"mayOpenPullRequests": true}));
    let errors = json!({"provider": "errors", "config": {"events": ["issue.created"]}});
    let triggers = format!("/api/automations/{}/triggers", text(&made["id"]));
    tool.post(&triggers).json(&errors).send().refuse(403, "only a person who is signed in");
    let own = trigger(owner, &made, &errors);
    let path = format!("{triggers}/{}", text(&own["id"]));
    tool.patch(&path).json(&json!({"enabled": false})).send().refuse(403, "only a person who is signed in");
    owner.patch(&path).json(&json!({"enabled": false})).send().expect(200);
    let other = automation(owner, &json!({}));
    tool.post(&format!("/api/automations/{}/triggers", text(&other["id"]))).json(&errors).send().expect(201);
}

#[test]
fn a_tokens_message_makes_a_session_only_read() {
    let project = Project::alone();
    let tool = tool(&project);
    let made = session(&project.owner, &json!({"prompt": "Mend it"}));
    let path = format!("/api/sessions/{}", text(&made["id"]));
    let mode = || project.owner.get(&path).send().expect(200)["session"]["mode"].clone();
    let say = |client: &Client| {
        client.post(&format!("{path}/messages")).json(&json!({"content": "Push it"})).send().expect(201);
        mode()
    };
    assert_eq!(say(&project.owner), "write");
    assert_eq!(say(&tool), "read");
    let notes = project.owner.get(&format!("{path}/messages")).send().expect(200).to_string();
    assert!(notes.contains("A key or a token wrote this"), "{notes}");
    project.owner.patch(&path).json(&json!({"mode": "write"})).send().expect(200);
    assert_eq!(mode(), "write");
}

#[test]
fn no_token_takes_another_sessions_branch_or_ends_a_pause() {
    let project = Project::alone();
    let (owner, tool) = (&project.owner, tool(&project));
    let path = |of: &Value| format!("/api/sessions/{}", text(&of["id"]));
    let (first, second) = (session(owner, &json!({})), session(owner, &json!({})));
    owner.patch(&path(&first)).json(&json!({"branchName": "mayday/mended"})).send().expect(200);
    let taken = json!({"branchName": "mayday/mended"});
    owner.patch(&path(&second)).json(&taken).send().refuse(409, "branch of another session");
    owner.patch(&path(&first)).json(&taken).send().expect(200);
    let run = Run::claimed(project);
    let (owner, status) = (&run.project.owner, |status: &str| json!({"status": status}));
    owner.patch(&run.path()).json(&status("paused")).send().expect(200);
    tool.patch(&run.path()).json(&status("running")).send().refuse(403, "only a person who is signed in");
    owner.patch(&run.path()).json(&status("running")).send().expect(200);
    tool.patch(&run.path()).json(&status("stopped")).send().expect(200);
}

#[test]
fn no_token_changes_the_limits_of_agents_in_a_repository() {
    let project = Project::alone();
    let (owner, tool) = (&project.owner, tool(&project));
    let path = format!("/api/repos/{}", text(&repository(owner)["id"]));
    for hold in [
        json!({"allowedHosts": ["evil.example"]}),
        json!({"allowedFiles": ["package.json"]}),
        json!({"testCommand": "true"}),
        json!({"testReport": "junit.xml"}),
        json!({"setupCommand": "true"}),
    ] {
        tool.patch(&path).json(&hold).send().refuse(403, "");
    }
    let body = json!({"hostRepoId": "x", "hostUrl": "https://git.example/x.git", "hostRepoName": "x", "allowedHosts": ["evil.example"]});
    tool.post("/api/repos").json(&body).send().refuse(403, "allowedHosts: only a person");
    owner.post("/api/repos").json(&body).send().expect(200);
    tool.delete(&path).send().refuse(403, "");
    let named = json!({"repositories": []});
    tool.patch(&project.path("")).json(&named).send().refuse(403, "repositories: only a person");
    tool.patch(&project.path("")).json(&json!({"name": "Other"})).send().expect(200);
    let runner = json!({"name": "theirs", "labels": []});
    tool.post("/api/runners").json(&runner).send().refuse(403, "");
}

/// A runner's report of held work.
fn held() -> Value {
    json!({"patch": "+mended", "held": [{"path": ".github/workflows/run.yml", "why": "decides what runs"}],
        "held_commit": "0123456789abcdef0123456789abcdef01234567"})
}

#[test]
fn a_person_releases_held_work_and_its_runner_pushes_it() {
    let run = Run::of_an_error(&json!({"mayOpenPullRequests": true}));
    let release = format!("{}/release", run.path());
    run.project
        .owner
        .post(&release)
        .json(&json!({}))
        .send()
        .refuse(409, "Nothing of this session is held back");
    run.finish(&held());
    let session = run.session();
    assert_eq!(session["held"], json!([{"path": ".github/workflows/run.yml", "why": "decides what runs"}]));
    assert_eq!((&session["head_commit"], &session["outcome"]), (&Value::Null, &json!("completed")));
    tool(&run.project).post(&release).json(&json!({})).send().refuse(403, "");
    let released = run.project.owner.post(&release).json(&json!({})).send().expect(200)["session"].clone();
    assert_eq!((&released["status"], &released["is_releasing"]), (&json!("starting"), &json!(true)));
    run.project.owner.post(&release).json(&json!({})).send().refuse(409, "being released already");
    let elsewhere = json!({"branchName": "mayday/another"});
    run.project.owner.patch(&run.path()).json(&elsewhere).send().refuse(409, "branch stays");
    // No other runner gets it.
    let (_, other) = runner(&run.project.owner);
    let none = other.post("/api/runners/self/claim").json(&json!({})).send();
    assert_eq!(none.status(), 204, "{none:?}");
    let job = run.runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    assert_eq!((&job["session_id"], &job["release"]), (&released["id"], &session["held_commit"]));
    assert_eq!(job["mode"], "write");
    let again = Run { job, ..run };
    again.finish(&json!({"branch": again.job["branch"], "head_commit": session["held_commit"]}));
    let session = again.session();
    assert_eq!((&session["held_commit"], &session["is_releasing"]), (&Value::Null, &json!(false)));
    assert_eq!(session["head_commit"], "0123456789abcdef0123456789abcdef01234567");
    assert_eq!((&session["status"], &session["outcome"]), (&json!("stopped"), &json!("completed")));
    again
        .project
        .owner
        .post(&release)
        .json(&json!({}))
        .send()
        .refuse(409, "Nothing of this session is held back");
}

#[test]
fn a_release_ends_with_the_runner_that_would_push() {
    let run = Run::of_an_error(&json!({}));
    run.finish(&held());
    let owner = &run.project.owner;
    owner.post(&format!("{}/release", run.path())).json(&json!({})).send().expect(200);
    owner.delete(&format!("/api/runners/{}", text(&run.session()["runner_id"]))).send().expect(200);
    let session = run.session();
    assert_eq!((&session["status"], &session["phase"]), (&json!("failed"), &json!("failed")));
    assert!(text(&session["reason"]).contains("was removed"), "{session}");
    owner.post(&format!("{}/release", run.path())).json(&json!({})).send().refuse(409, "Apply the patch");
}

#[test]
fn work_that_could_not_be_pushed_stays_held() {
    let run = Run::of_an_error(&json!({}));
    run.finish(&held());
    let release = format!("{}/release", run.path());
    run.project.owner.post(&release).json(&json!({})).send().expect(200);
    let job = run.runner.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    let again = Run { job, ..run };
    again.finish(&json!({"outcome": "failed", "reason": "the host is away"}));
    let session = again.session();
    assert_eq!((&session["status"], &session["reason"]), (&json!("failed"), &json!("the host is away")));
    assert!(session["held_commit"].is_string() && session["is_releasing"] == false, "{session}");
    let runner = text(&session["runner_id"]);
    again.project.owner.delete(&format!("/api/runners/{runner}")).send().expect(200);
    again.project.owner.post(&release).json(&json!({})).send().refuse(409, "was removed");
}
