//! Installing the app at the code host.

use super::{open, path, told};
use crate::support::outside::{INSTALLATION_TOKEN, Outside};
use crate::support::{Client, Project, Response, Server, Value, World, eventually, json};
use std::sync::Arc;

const CALLBACK: &str = "/auth/github/installed";

/// An installation that a browser has begun.
struct PendingInstall {
    state: String,
    cookie: String,
}

fn browser(project: &Project) -> Client {
    project.world.anonymous().cookie(&project.world.owner_token)
}

fn begin(project: &Project, outside: &Outside) -> PendingInstall {
    let path = format!("{}/github/install", path(project));
    let answer = browser(project).post(&path).header("sec-fetch-site", "same-origin").json(&json!({})).send();
    let location = answer.expect(200)["location"].as_str().unwrap().to_owned();
    let start = format!("{}/apps/mayday/installations/new?state=", outside.url);
    let state = location.strip_prefix(&start).unwrap_or_else(|| panic!("{location}")).to_owned();
    PendingInstall { state, cookie: answer.cookie("mayday_install").expect("a cookie") }
}

fn finish(project: &Project, token: &str, cookie: &str, query: &str) -> Response {
    let cookies = format!("mayday_session={token}; mayday_install={cookie}");
    project.world.anonymous().get(&format!("{CALLBACK}?{query}")).header("cookie", &cookies).send()
}

/// Installs the app; returns where the browser ends up.
fn install(project: &Project, outside: &Outside, id: &str) -> String {
    let begun = begin(project, outside);
    let query = format!("installation_id={id}&setup_action=install&state={}", begun.state);
    let answer = finish(project, &project.world.owner_token, &begun.cookie, &query);
    assert_eq!(answer.status(), 302, "{answer:?}");
    answer.header("location").unwrap().to_owned()
}

pub(super) fn connected(project: &Project, outside: &Outside) -> Value {
    let location = install(project, outside, "4711");
    assert!(location.contains("/settings/connections?connected="), "{location}");
    let list = project.owner.get(&path(project)).send().expect(200);
    list["connections"].as_array().unwrap().iter().find(|one| one["kind"] == "github").unwrap().clone()
}

#[test]
fn the_app_is_installed_and_its_repositories_are_added() {
    let outside = Outside::start();
    let project = open(&outside);
    let admin = project.world.admin().client;
    let made = connected(&project, &outside);
    let notice = &told(&admin, 1)[0];
    assert_eq!(notice["title"], "GitHub (acme) is connected");
    let metadata = json!({"integration_type": "github", "status": "connected", "repository": null});
    assert_eq!(notice["notification_metadata"], metadata);
    assert_eq!((&made["display_name"], &made["status"]), (&json!("GitHub (acme)"), &json!("connected")));
    let one = format!("{}/{}", path(&project), made["id"].as_str().unwrap());
    let found = project.owner.get(&format!("{one}/repositories")).send().expect(200);
    let url = "https://github.example/acme/shop.git";
    let shop =
        json!({"id": "99", "name": "acme/shop", "url": url, "default_branch": "trunk", "is_private": true});
    assert_eq!(found["repositories"], json!([shop]), "a name that is none is left out");
    project.owner.get(&format!("{one}/destinations")).send().expect(200);
    let add = |connection: &Value| {
        let body = json!({"hostRepoId": "99", "hostRepoName": "acme/shop", "hostUrl": url, "integrationId": connection});
        project.owner.post("/api/repos").json(&body).send()
    };
    add(&json!("0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c")).refuse(422, "integrationId");
    let repository = add(&made["id"]).expect(200);
    assert_eq!(repository["repo"]["integration_id"], made["id"]);
    // The token is fetched once and cached.
    let tokens = outside.asked().iter().filter(|asked| asked.path.ends_with("/access_tokens")).count();
    assert_eq!(tokens, 1);
    let list = project.owner.get(&path(&project)).send().expect(200).to_string();
    assert!(
        !list.contains(INSTALLATION_TOKEN) && !project.world.server.output().contains(INSTALLATION_TOKEN)
    );
    // The same again is the same.
    assert!(install(&project, &outside, "4711").ends_with(made["id"].as_str().unwrap()));
    outside.suspend(true);
    let check = project.owner.post(&format!("{one}/check")).json(&json!({})).send().expect(200);
    assert_eq!(
        (&check["status"], &check["reason"]),
        (&json!("revoked"), &json!("GitHub: the installation at acme is suspended"))
    );
    project.owner.delete(&one).send().expect(204);
    let repositories = project.owner.get("/api/repos").send().expect(200);
    assert_eq!(repositories["repos"][0]["integration_id"], Value::Null);
}

#[test]
fn a_callback_belongs_to_the_browser_and_the_person_that_began() {
    let outside = Outside::start();
    let project = open(&outside);
    let owner = project.world.owner_token.clone();
    let admin = project.world.admin();
    let ends = |token: &str, cookie: &str, query: &str| {
        let answer = finish(&project, token, cookie, query);
        assert_eq!(answer.status(), 302);
        answer.header("location").unwrap().to_owned()
    };
    let begun = begin(&project, &outside);
    let query = format!("installation_id=4711&state={}", begun.state);
    assert_eq!(ends("st_nobody", &begun.cookie, &query), "/login?error=not_signed_in");
    let page = format!("/organizations/{}/settings/connections", project.world.organization);
    let expired = format!("{page}?error=flow_expired");
    assert_eq!(ends(&owner, "another", &query), expired);
    assert_eq!(ends(&admin.token, &begun.cookie, &query), expired);
    assert_eq!(ends(&owner, &begun.cookie, "installation_id=4711"), "/?error=wrong_browser");
    assert_eq!(ends(&owner, &begun.cookie, "installation_id=4711&state=x"), "/?error=flow_expired");
    assert!(ends(&owner, &begun.cookie, &query).contains("connected="));
    assert_eq!(ends(&owner, &begun.cookie, &query), expired, "it is taken once");
    for (query, error) in [
        ("installation_id=1&setup_action=install", "not_installed"),
        ("installation_id=../app&setup_action=install", "not_installed"),
        ("setup_action=request", "requested"),
        ("", "not_installed"),
    ] {
        let begun = begin(&project, &outside);
        let location = ends(&owner, &begun.cookie, &format!("state={}&{query}", begun.state));
        assert!(location.ends_with(&format!("settings/connections?error={error}")), "{query}: {location}");
    }
    let list = project.owner.get(&path(&project)).send().expect(200);
    assert_eq!(list["total"], 1);
}

#[test]
fn administrators_are_notified_of_a_failed_installation() {
    let outside = Outside::start();
    let project = open(&outside);
    let (admin, member) = (project.world.admin(), project.world.member());
    assert!(install(&project, &outside, "1").ends_with("error=not_installed"));
    let told = |client: &Client| {
        let list = client.get("/api/v1/notifications?category=integration").send().expect(200);
        list["notifications"].as_array().unwrap().clone()
    };
    let notice = eventually("the notification", || told(&admin.client).pop());
    assert_eq!(notice["title"], "GitHub could not be connected");
    assert_eq!(notice["summary"], "The app was not installed there, or its installation is gone");
    let expected = json!({"integration_type": "github", "status": "failed", "repository": null});
    assert_eq!(notice["notification_metadata"], expected);
    let page = format!("/organizations/{}/settings/connections", project.world.organization);
    assert_eq!(notice["action_url"], page.as_str());
    assert_eq!(told(&project.owner).len(), 1, "whoever tried is told, too: it may have failed later");
    assert_eq!(told(&member.client).len(), 0);
}

#[test]
fn the_number_of_an_installation_proves_nothing_where_several_share_the_app() {
    let outside = Outside::start();
    let own = outside.variables();
    let mut own: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    own.push(("SINGLE_ORG_MODE", "false"));
    let server = Arc::new(Server::start_with(&own));
    let world = |name: &str| Project::in_world(Arc::new(World::founded(&server, name)), name);
    let (mine, theirs) = (world("Mine"), world("Theirs"));
    assert!(install(&mine, &outside, "4711").ends_with("error=not_fresh"));
    outside.install_at("2099-01-01T00:00:00Z");
    assert!(install(&theirs, &outside, "4711").contains("connected="));
    assert!(install(&mine, &outside, "4711").ends_with("error=taken"));
}

#[test]
fn without_an_app_the_answer_says_what_to_configure() {
    let project = Project::new();
    let path = format!("{}/github/install", path(&project));
    let begun = project.owner.post(&path).json(&json!({})).send();
    begun.refuse(409, "SERVICE_HOST_APP_ID");
}
