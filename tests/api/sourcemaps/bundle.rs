//! `POST /api/v1/sourcemaps/bundle` and `/missing`.

use super::upload::sha256;
use crate::errors::encodings::gzip;
use crate::support::project::SCRIPT_URL;
use crate::support::{Bundle, Project, Server, World, json, maps};
use std::sync::Arc;

fn count(project: &Project, version: &str) -> i64 {
    let release = project.owner.get(&project.path(&format!("/releases/{version}"))).send().expect(200);
    release["source_map_count"].as_i64().unwrap()
}

#[test]
fn a_bundle_stores_all_its_maps_and_they_resolve() {
    let project = Project::new();
    let rebuilt = maps::cart_rebuilt();
    let zip = Bundle::of("1.0.0", &[(SCRIPT_URL, &maps::cart()), ("~/assets/other.js", &rebuilt)]);
    let made = project.upload_bundle(zip.clone()).expect(201);
    assert_eq!((&made["stored"], &made["unchanged"]), (&json!(2), &json!(0)));
    assert_eq!(made["release"]["version"], "1.0.0");
    assert_eq!(made["release"]["source_map_count"], 2);
    let event = project.digest(&Project::throw(Some("1.0.0")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
    // The same bundle once more.
    let again = project.upload_bundle(zip).expect(200);
    assert_eq!((&again["stored"], &again["unchanged"]), (&json!(0), &json!(2)));
}

#[test]
fn the_manifest_may_be_anywhere_and_other_files_are_ignored() {
    let project = Project::new();
    let manifest = json!({"release": "1", "url_prefix": "~/static/", "files": [
        {"url": "~/static/a.js", "file": "deep/in/it/a.js.map"},
        {"url": "~/static/b.js", "file": "deep/in/it/a.js.map"},
    ]});
    let bundle = Bundle::new().file("a.js", "throw 1").file("deep/in/it/a.js.map", maps::cart());
    let made = project.upload_bundle(bundle.manifest(&manifest).encode()).expect(201);
    assert_eq!(made["stored"], 2);
    assert_eq!(made["release"]["url_prefix"], "~/static/");
}

#[test]
fn files_that_the_project_has_are_not_uploaded_again() {
    let project = Project::new();
    project.upload("1", SCRIPT_URL, &maps::cart()).expect(201);
    let (known, new) = (sha256(&maps::cart()), sha256(&maps::cart_rebuilt()));
    let ask = |project: &Project| {
        let body = json!({"content_hashes": [known, new]});
        project.ci().post("/api/v1/sourcemaps/missing").json(&body).send().expect(200)["missing"].clone()
    };
    assert_eq!(ask(&project), json!([new]));
    // Contents of another project do not count.
    let other = project.other();
    assert_eq!(ask(&other), json!([known, new]));

    let manifest = json!({"release": "2", "files": [
        {"url": SCRIPT_URL, "content_hash": known}, {"url": "~/b.js", "file": "b"}]});
    let zip = Bundle::new().manifest(&manifest).file("b", maps::cart_rebuilt()).encode();
    assert_eq!(project.upload_bundle(zip.clone()).expect(201)["stored"], 2);
    let event = project.digest(&Project::throw(Some("2")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
    other.upload_bundle(zip).refuse(422, "no such source map");
    assert!(other.is_empty());
}

#[test]
fn a_bundle_is_stored_whole_or_not_at_all() {
    let project = Project::new();
    let broken = maps::cart().replace("mappings\":\"", "mappings\":\"!");
    let zip = Bundle::of("1", &[(SCRIPT_URL, &maps::cart()), ("~/broken.js", &broken)]);
    let detail = project.upload_bundle(zip).refuse(422, "~/broken.js");
    assert!(detail.contains("mappings"), "{detail}");
    let missing = json!({"release": "1", "files": [{"url": "~/a.js", "file": "a.map"}]});
    let detail = project.upload_bundle(Bundle::new().manifest(&missing).encode()).refuse(422, "a.map");
    assert!(detail.contains("~/a.js"), "{detail}");
    let zip = Bundle::of("1", &[("~/a.js", &maps::cart()), ("https://cdn.example/a.js", &maps::cart())]);
    project.upload_bundle(zip).refuse(422, "url_prefix");
    assert!(project.is_empty());
}

#[test]
fn a_finalized_release_accepts_new_urls_and_refuses_other_contents() {
    let project = Project::new();
    project.upload("1", SCRIPT_URL, &maps::cart()).expect(201);
    project.ci().post("/api/v1/releases/1/finalize").send().expect(200);
    let changed = Bundle::of("1", &[("~/new.js", &maps::cart()), (SCRIPT_URL, &maps::cart_rebuilt())]);
    project.upload_bundle(changed).refuse(409, SCRIPT_URL);
    assert_eq!(count(&project, "1"), 1);
    let late = Bundle::of("1", &[("~/new.js", &maps::cart_rebuilt()), (SCRIPT_URL, &maps::cart())]);
    assert_eq!(project.upload_bundle(late).expect(201)["stored"], 1);
    assert_eq!(count(&project, "1"), 2);
}

#[test]
fn swapping_two_maps_keeps_both() {
    let project = Project::new();
    let (a, b) = (super::sharing::unique_map(), super::sharing::unique_map());
    project.upload_bundle(Bundle::of("1", &[(SCRIPT_URL, &a), ("~/b.js", &b)])).expect(201);
    let swapped = Bundle::of("1", &[(SCRIPT_URL, &b), ("~/b.js", &a)]);
    assert_eq!(project.upload_bundle(swapped).expect(201)["stored"], 2);
    let event = project.digest(&Project::throw(Some("1")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
}

#[test]
fn two_pipelines_upload_the_same_release_at_once() {
    let project = Project::new();
    let zip = Bundle::of("1", &[(SCRIPT_URL, &maps::cart()), ("~/b.js", &maps::cart_rebuilt())]);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| assert!(matches!(project.upload_bundle(zip.clone()).status(), 200 | 201)));
        }
    });
    assert_eq!(count(&project, "1"), 2);
}

#[test]
fn a_bundle_counts_as_one_upload() {
    let server = Server::start_with(&[("SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR", "1")]);
    let project = Project::in_world(Arc::new(World::new(server)), "Shop");
    let urls: Vec<String> = (0..20).map(|at| format!("~/{at}.js")).collect();
    let map = maps::cart();
    let maps: Vec<(&str, &str)> = urls.iter().map(|url| (url.as_str(), map.as_str())).collect();
    project.upload_bundle(Bundle::of("1", &maps)).expect(201);
    assert_eq!(count(&project, "1"), 20);
    let body = json!({"content_hashes": []});
    project.ci().post("/api/v1/sourcemaps/missing").json(&body).send().expect(200);
    let refused = project.upload_bundle(Bundle::of("2", &maps));
    refused.refuse(429, "SERVICE_RATE_LIMIT_SOURCEMAPS_PER_HOUR");
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn the_body_may_be_compressed_in_addition() {
    let project = Project::new();
    let zip = gzip(&Bundle::of("1", &[(SCRIPT_URL, &maps::cart())]));
    let upload = project.ci().post("/api/v1/sourcemaps/bundle").header("content-encoding", "gzip");
    upload.body("application/zip", zip).send().expect(201);
}

#[test]
fn only_a_key_for_releases_may() {
    let project = Project::new();
    let zip = Bundle::of("1", &[(SCRIPT_URL, &maps::cart())]);
    let post = |key: &str| {
        let client = project.world.bearer(key);
        client.post("/api/v1/sourcemaps/bundle").body("application/zip", zip.clone()).send()
    };
    post(&project.key_for(&["ingest"])).refuse(403, "releases");
    post("pk_nonsense").refuse(401, "Invalid API key");
    project
        .ci()
        .post("/api/v1/sourcemaps/bundle")
        .body("text/plain", zip.clone())
        .send()
        .refuse(415, "application/zip");
    let hashes = json!({"content_hashes": ["sha256:zz"]});
    project.ci().post("/api/v1/sourcemaps/missing").json(&hashes).send().refuse(422, "content_hashes[0]");
    let many = json!({"content_hashes": vec!["x"; 2_001]});
    project.ci().post("/api/v1/sourcemaps/missing").json(&many).send().refuse(422, "2000");
}
