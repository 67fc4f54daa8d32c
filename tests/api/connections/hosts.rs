//! GitLab, Gitea and Forgejo: their repositories, and merge requests for what agents push.

use super::{connect, given, open, path};
use crate::platform::fixture::{runner, session};
use crate::support::outside::Outside;
use crate::support::world::text;
use crate::support::{Project, Value, eventually, json};

/// A session in a repository of this kind of host, whose agent has finished.
fn pushed(project: &Project, connection: &Value) -> Value {
    pushed_for(project, connection, &json!({}))
}

/// The same, with what `more` says of the session.
pub(super) fn pushed_for(project: &Project, connection: &Value, more: &Value) -> Value {
    let owner = &project.owner;
    let repositories = owner.get(&format!("{}/{}/repositories", path(project), text(&connection["id"])));
    let listed = repositories.send().expect(200)["repositories"].clone();
    let shop = listed.as_array().unwrap().iter().find(|one| one["name"] == "acme/shop").unwrap().clone();
    let body = json!({"hostRepoId": shop["id"], "hostRepoName": shop["name"], "hostUrl": shop["url"],
        "defaultBranch": shop["default_branch"], "isPrivate": shop["is_private"], "integrationId": connection["id"]});
    let repository = owner.post("/api/repos").json(&body).send().expect(200)["repo"]["id"].clone();
    let mut body = json!({"repoId": repository, "prompt": "Mend it"});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    let made = session(owner, &body);
    let (_, machine) = runner(owner);
    let job = machine.post("/api/runners/self/claim").json(&json!({})).send().expect(200)["job"].clone();
    let report = json!({"lease": job["lease"], "outcome": "completed", "branch": job["branch"],
        "head_commit": "0123456789", "files_changed": [{"path": "cart.ts", "added": 1, "removed": 1}],
        "title": "Items without a price cost nothing", "summary": "An item had no price."});
    let finish = format!("/api/runners/self/sessions/{}/finish", text(&made["id"]));
    machine.post(&finish).json(&report).send().expect(200);
    let session = format!("/api/sessions/{}", text(&made["id"]));
    let done = eventually("the pull request", || {
        let session = owner.get(&session).send().expect(200)["session"].clone();
        session["pull_request_url"].is_string().then_some(session)
    });
    json!({"url": done["pull_request_url"], "branch": job["branch"], "listed": listed, "session": session})
}

#[test]
fn a_branch_pushed_to_gitlab_becomes_a_merge_request() {
    let outside = Outside::start();
    let project = open(&outside);
    let connection = connect(&project, &given(&outside, "gitlab"));
    assert_eq!((&connection["kind"], &connection["status"]), (&json!("gitlab"), &json!("connected")));
    assert!(text(&connection["account"]).ends_with(" as mayday-bot"), "{connection}");
    let done = pushed(&project, &connection);
    assert_eq!(done["url"], "https://gitlab.example/acme/shop/-/merge_requests/1");
    assert_eq!(done["listed"].as_array().unwrap().len(), 101, "all pages");
    let pulls = outside.pulls();
    assert_eq!((&pulls[0].head, &pulls[0].base), (&done["branch"], &json!("trunk")));
    assert_eq!(pulls[0].title, "Items without a price cost nothing");
    assert!(text(&pulls[0].body).contains("An item had no price."));
}

#[test]
fn a_branch_pushed_to_gitea_becomes_a_pull_request() {
    let outside = Outside::start();
    let project = open(&outside);
    let connection = connect(&project, &given(&outside, "gitea"));
    let done = pushed(&project, &connection);
    assert_eq!(done["url"], "http://127.0.0.1:3000/acme/shop/pulls/1", "one without https, as it is itself");
    let names: Vec<_> = done["listed"].as_array().unwrap().iter().map(|one| text(&one["name"])).collect();
    assert_eq!(names, ["acme/shop"], "those in which it may push");
    let pulls = outside.pulls();
    assert_eq!((&pulls[0].head, &pulls[0].base), (&done["branch"], &json!("trunk")));
}

#[test]
fn code_hosts_need_an_address_and_take_tickets_if_they_have_issues() {
    let outside = Outside::start();
    let project = open(&outside);
    let owner = &project.owner;
    let body = json!({"kind": "gitea", "display_name": "x", "token": "t"});
    owner.post(&path(&project)).json(&body).send().refuse(422, "address of your Gitea or Forgejo");
    for (kind, first) in [
        ("gitlab", json!({"id": "101", "name": "acme/last"})),
        ("gitea", json!({"id": "acme/shop", "name": "acme/shop"})),
    ] {
        let connection = connect(&project, &given(&outside, kind));
        let destinations = format!("{}/{}/destinations", path(&project), text(&connection["id"]));
        assert_eq!(owner.get(&destinations).send().expect(200)["destinations"][0], first);
    }
    let wrong = json!({"kind": "gitlab", "display_name": "x", "token": "wrong", "url": outside.url});
    owner.post(&path(&project)).json(&wrong).send().refuse(409, "GitLab answered 401");
}
