//! Files are stored by their content and shared.

use crate::support::project::SCRIPT_URL;
use crate::support::{Project, World, json, maps};
use std::path::{Path, PathBuf};

/// The files of stored maps, after a check that no partly received file is left.
pub(super) fn stored(world: &World) -> Vec<PathBuf> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.path().is_dir() {
                true => walk(&entry.path(), files),
                false => files.push(entry.path()),
            }
        }
    }
    let mut files = Vec::new();
    walk(&world.server.data_dir().join("sourcemaps"), &mut files);
    files.sort_unstable();
    files
}

/// A map that no other test uploads.
pub(super) fn unique_map() -> String {
    let mut map: serde_json::Value = serde_json::from_str(&maps::cart()).unwrap();
    map["x_unique"] = json!(crate::support::project::fresh_id() + "sharing");
    map.to_string()
}

#[test]
fn releases_with_identical_maps_share_one_file_until_the_last_is_deleted() {
    let project = Project::alone();
    let other = project.other();
    let map = unique_map();
    let before = stored(&project.world);
    for (project, version) in [(&project, "1"), (&project, "2"), (&other, "1")] {
        project.upload(version, SCRIPT_URL, &map).expect(201);
        project.upload(version, "~/copy.js", &map).expect(201);
    }
    let shared = stored(&project.world);
    assert!(shared.len() - before.len() <= 2, "{shared:?}");

    project.owner.delete(&project.path("/releases/1")).send().expect(204);
    let event = project.digest(&Project::throw(Some("2")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
    project.owner.delete(&project.path("/releases/2")).send().expect(204);
    let event = other.digest(&Project::throw(Some("1")));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["file"], "src/cart.ts");
    assert_eq!(stored(&project.world), shared);

    other.owner.delete(&other.path("")).send().expect(204);
    assert_eq!(stored(&project.world), before);
}

#[test]
fn names_of_clients_never_become_paths() {
    let project = Project::alone();
    let map = unique_map();
    for (version, url) in [
        ("../../../../tmp/evil", "~/../../../../tmp/evil.js"),
        ("..", "~/.."),
        ("/etc/cron.d/evil", "~//etc/cron.d/evil"),
        ("C:\\evil", "~/C:\\evil"),
    ] {
        project.upload(version, url, &map).expect(201);
    }
    let root = project.world.server.data_dir().to_owned();
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_hash = || name.split('.').next().unwrap().bytes().all(|b| b.is_ascii_hexdigit());
        path.starts_with(&root) && (name == "instance" || is_hash())
    };
    assert!(stored(&project.world).iter().all(is_ours), "{:?}", stored(&project.world));
}

#[test]
fn a_refused_upload_leaves_no_file() {
    let project = Project::alone();
    project.upload("1", SCRIPT_URL, &unique_map()).expect(201);
    project.ci().post("/api/v1/releases/1/finalize").send().expect(200);
    let before = stored(&project.world);
    project.upload("1", SCRIPT_URL, &unique_map()).refuse(409, "finalized");
    project.upload("1", "~/x.js", "{\"version\":3,").refuse(422, "sourcemap");
    project.upload("1", "https://elsewhere.example/x.js", &unique_map()).refuse(422, "url");
    assert_eq!(stored(&project.world), before);
}
