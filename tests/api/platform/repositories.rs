//! Repositories as the specification has them, their mirrors, and the repositories of a project.

use super::fixture::repository;
use crate::support::project::fresh_id;
use crate::support::{Client, Project, Value, json, world};

const FIELDS: [&str; 17] = [
    "allowed_files",
    "allowed_hosts",
    "created_at",
    "default_branch",
    "host_repo_id",
    "host_repo_name",
    "host_url",
    "id",
    "integration_id",
    "is_private",
    "organization_id",
    "prebuild_id",
    "prebuild_status",
    "setup_command",
    "source",
    "test_command",
    "test_report",
];

#[test]
fn a_repository_is_created_once_for_each_id_of_its_host() {
    let world = world();
    let id = fresh_id();
    let body = json!({"hostRepoId": id, "hostUrl": "https://github.com/acme/shop", "hostRepoName": "acme/shop",
        "defaultBranch": "trunk", "isPrivate": true, "source": "github"});
    let made = world.owner.post("/api/repos").json(&body).send().expect(200);
    assert_eq!((&made["existing"], &made["id"]), (&json!(false), &made["repo"]["id"]));
    let mut fields: Vec<&str> = made["repo"].as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(fields, FIELDS);
    let repo = &made["repo"];
    assert_eq!(
        (&repo["default_branch"], &repo["is_private"], &repo["source"], &repo["host_repo_id"]),
        (&json!("trunk"), &json!(true), &json!("github"), &json!(id))
    );
    assert_eq!(repo["prebuild_status"], "pending");
    let other =
        json!({"host_repo_id": id, "host_url": "https://github.com/acme/other", "host_repo_name": "other"});
    let again = world.owner.post("/api/repos").json(&other).send().expect(200);
    assert_eq!(again, json!({"id": made["id"], "repo": repo, "existing": true}));
    let path = format!("/api/repos/{}", made["id"].as_str().unwrap());
    assert_eq!(world.owner.get(&path).send().expect(200), json!({"repo": repo}));
    let list = world.owner.get("/api/repos").send().expect(200);
    assert!(list["repos"].as_array().unwrap().contains(repo));
    assert_eq!(world.owner.delete(&path).send().expect(200), json!({"deleted": true}));
    for answer in [world.owner.get(&path).send(), world.owner.delete(&path).send()] {
        let expected = json!({"error": "This organization has no such repository", "code": "NOT_FOUND"});
        assert_eq!(answer.expect(404), expected);
    }
}

#[test]
fn no_key_and_no_token_adds_a_repository_again() {
    let project = Project::alone();
    let (world, owner) = (&project.world, &project.owner);
    let keys = format!("{}/api-keys", world.organization_path());
    let key = owner.post(&keys).json(&json!({"name": "pipeline", "scopes": ["write"]})).send().expect(201);
    let token = owner
        .post("/api/v1/me/tokens")
        .json(&json!({"name": "agent", "scopes": ["read", "write", "admin"]}))
        .send()
        .expect(201);
    let [key, token] = [&key["key"], &token["token"]].map(|secret| world.bearer(secret.as_str().unwrap()));
    let add = |client: &Client, id: &str, url: &str| {
        client
            .post("/api/repos")
            .json(&json!({"hostRepoId": id, "hostUrl": url, "hostRepoName": "acme/shop"}))
            .send()
    };
    let first = add(&key, "1", "https://github.com/acme/shop").expect(200);
    assert_eq!(first["existing"], false);
    for client in [&key, &token] {
        for twin in ["https://github.com/acme/shop.git", "git@github.com:Acme/Shop"] {
            add(client, "2", twin).refuse(409, "acme/shop at this address");
        }
        assert_eq!(add(client, "1", "https://github.com/acme/shop").expect(200)["existing"], true);
    }
    add(&token, "3", "https://github.com/acme/other").expect(200);
    assert_eq!(
        add(owner, "2", "https://github.com/acme/shop.git").expect(200)["existing"],
        false,
        "a person may"
    );
}

#[test]
fn hosts_that_agents_may_reach_are_names() {
    let world = world();
    let body = json!({"hostRepoId": fresh_id(), "hostUrl": "https://github.com/acme/shop", "hostRepoName": "acme/shop",
        "allowedHosts": ["Registry.npmjs.org", "registry.npmjs.org", "*.example.com"]});
    let made = world.owner.post("/api/repos").json(&body).send().expect(200)["repo"].clone();
    assert_eq!(made["allowed_hosts"], json!(["registry.npmjs.org", "*.example.com"]));
    let path = format!("/api/repos/{}", made["id"].as_str().unwrap());
    let change = |hosts: Value| world.owner.patch(&path).json(&json!({ "allowedHosts": hosts })).send();
    let hosts = json!(["crates.io", "proxy.example.com:8443"]);
    assert_eq!(change(hosts.clone()).expect(200)["repo"]["allowed_hosts"], hosts);
    for bad in [
        "https://crates.io",
        "crates.io/path",
        "localhost",
        "127.0.0.1",
        "[::1]",
        "*",
        "*.*.com",
        "a..b",
        "-a.com",
        "a.com:0",
        "a.com:99999",
        "a b.com",
        "",
    ] {
        change(json!([bad])).refuse(422, "allowedHosts: expected names of hosts");
    }
    change(json!((0..51).map(|number| format!("a{number}.example")).collect::<Vec<_>>()))
        .refuse(422, "at most 50");
    assert_eq!(
        world.owner.get(&path).send().expect(200)["repo"]["allowed_hosts"],
        hosts,
        "nothing has changed"
    );
    assert_eq!(world.owner.patch(&path).json(&json!({})).send().expect(200)["repo"]["allowed_hosts"], hosts);
    assert_eq!(change(json!([])).expect(200)["repo"]["allowed_hosts"], json!([]));
    world.member().client.patch(&path).json(&json!({"allowedHosts": []})).send().refuse(403, "");
}

#[test]
fn files_that_agents_may_change_are_names_or_paths() {
    let world = world();
    let body = json!({"hostRepoId": fresh_id(), "hostUrl": "https://github.com/acme/shop", "hostRepoName": "acme/shop"});
    let made = world.owner.post("/api/repos").json(&body).send().expect(200)["repo"].clone();
    assert_eq!(made["allowed_files"], json!([]));
    let path = format!("/api/repos/{}", made["id"].as_str().unwrap());
    let change = |files: Value| world.owner.patch(&path).json(&json!({ "allowedFiles": files })).send();
    let changed = change(json!(["Package.json", "package.json ", "web/Cargo.lock"])).expect(200);
    assert_eq!(changed["repo"]["allowed_files"], json!(["package.json", "web/cargo.lock"]));
    for bad in ["", "/package.json", "web/", "../package.json", "*.json", "a\nb", "a\\b"] {
        change(json!([bad])).refuse(422, "allowedFiles: expected names or paths");
    }
    change(json!((0..51).map(|number| format!("{number}.lock")).collect::<Vec<_>>()))
        .refuse(422, "at most 50");
    assert_eq!(world.owner.get(&path).send().expect(200)["repo"], changed["repo"], "nothing has changed");
    world.member().client.patch(&path).json(&json!({"allowedFiles": []})).send().refuse(403, "");
}

#[test]
fn reports_of_tests_are_within_the_repository() {
    let world = world();
    let made = repository(&world.owner);
    assert_eq!(made["test_report"], Value::Null);
    let path = format!("/api/repos/{}", made["id"].as_str().unwrap());
    let change = |report: &str| world.owner.patch(&path).json(&json!({ "testReport": report })).send();
    for good in ["junit.xml", "**/build/test-results/**/*.xml", " target/nextest/ci/junit.xml "] {
        assert_eq!(change(good).expect(200)["repo"]["test_report"], json!(good.trim()));
    }
    for (bad, why) in [
        ("/tmp/junit.xml", "testReport: expected a path within the repository"),
        ("a/../../junit.xml", "testReport: expected a path within the repository"),
        ("build/junit.json", "testReport: expected the path of JUnit XML"),
        ("{a,b}/junit.xml", "testReport: expected no `{`: the wildcards are"),
        ("**/*.xml", "removed before the tests run"),
        ("build/a**.xml", "`**` alone"),
    ] {
        change(bad).refuse(422, why);
    }
    change(&format!("{}.xml", "ü".repeat(249))).refuse(422, "at most 500 bytes, got 502");
    world.owner.patch(&path).json(&json!({"test_report": 5})).send().refuse(422, "test");
    let unchanged = world.owner.patch(&path).json(&json!({"testCommand": "npm test"})).send().expect(200);
    assert_eq!(unchanged["repo"]["test_report"], "target/nextest/ci/junit.xml");
    assert_eq!(change(" ").expect(200)["repo"]["test_report"], Value::Null);
    world.member().client.patch(&path).json(&json!({"testReport": "junit.xml"})).send().refuse(403, "");
}

#[test]
fn invalid_values_are_named() {
    let world = world();
    let good =
        json!({"hostRepoId": "1", "hostUrl": "https://github.com/acme/shop", "hostRepoName": "acme/shop"});
    for (field, bad) in [
        ("hostRepoId", Value::Null),
        ("hostRepoId", json!("")),
        ("hostRepoId", json!("x".repeat(256))),
        ("hostRepoName", json!(" ")),
        ("hostUrl", json!("ext::sh -c id")),
        ("hostUrl", json!("--upload-pack=id")),
        ("hostUrl", json!("file:///etc")),
        ("hostUrl", json!("http://github.com/acme/shop")),
        ("hostUrl", json!("https://me:secret@github.com/acme/shop")),
        ("hostUrl", json!(5)),
        ("defaultBranch", json!("-x")),
        ("defaultBranch", json!("a b")),
        ("integrationId", json!("nonsense")),
        ("isPrivate", json!("no")),
        ("source", json!("")),
    ] {
        let mut body = good.clone();
        body[field] = bad;
        let answer = world.owner.post("/api/repos").json(&body).send();
        let text = answer.refuse(422, field);
        assert!(!text.contains("secret@"), "{text}");
        assert_eq!(answer.value()["code"], "VALIDATION");
    }
    for missing in ["hostRepoId", "hostRepoName", "hostUrl"] {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(missing);
        world.owner.post("/api/repos").json(&body).send().refuse(422, missing);
    }
}

#[test]
fn each_has_a_mirror_that_is_to_be_made() {
    let world = world();
    let repo = repository(&world.owner);
    let path = format!("/api/prebuilds/{}", repo["prebuild_id"].as_str().unwrap());
    let one = world.owner.get(&path).send().expect(200)["prebuild"].clone();
    assert_eq!(
        (&one["repository_id"], &one["status"], &one["runner_id"]),
        (&repo["id"], &json!("pending"), &Value::Null)
    );
    let list = world.owner.get("/api/prebuilds").send().expect(200);
    assert!(list["prebuilds"].as_array().unwrap().contains(&one));
}

#[test]
fn a_project_names_its_repositories() {
    let project = Project::new();
    let [one, two] = [repository(&project.owner), repository(&project.owner)].map(|repo| repo["id"].clone());
    let path = project.path("");
    assert_eq!(project.owner.get(&path).send().expect(200)["repositories"], json!([]));
    let body = json!({"repositories": [two, one]});
    let changed = project.owner.patch(&path).json(&body).send().expect(200);
    assert_eq!(changed["repositories"], json!([two, one]));
    // Duplicates are stored once, and other changes keep them.
    let body = json!({"repositories": [one, one]});
    assert_eq!(project.owner.patch(&path).json(&body).send().expect(200)["repositories"], json!([one]));
    let renamed = project.owner.patch(&path).json(&json!({"name": "Other"})).send().expect(200);
    assert_eq!(renamed["repositories"], json!([one]));
    for (bad, part) in [
        (json!(["nonsense"]), "repositories[0]"),
        (json!(["0b5a1b7e-8f0c-4c1e-9b1f-2d3e4f5a6b7c"]), "no repository"),
        (json!(vec![one.clone(); 21]), "at most 20"),
        (json!("x"), "repositories"),
    ] {
        project.owner.patch(&path).json(&json!({"repositories": bad})).send().refuse(422, part);
    }
    assert_eq!(project.owner.get(&path).send().expect(200)["repositories"], json!([one]));
    project.owner.delete(&format!("/api/repos/{}", one.as_str().unwrap())).send().expect(200);
    assert_eq!(project.owner.get(&path).send().expect(200)["repositories"], json!([]));
}
