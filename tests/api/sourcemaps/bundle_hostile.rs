//! Bundles that mean harm, or are broken.

use super::sharing::{stored, unique_map};
use crate::support::{Bundle, Project, Value, json, maps};

fn one(name: &str) -> Value {
    json!({"release": "1", "files": [{"url": "~/a.js", "file": name}]})
}

#[test]
fn names_in_the_archive_never_become_paths() {
    let project = Project::alone();
    let before = stored(&project.world);
    for (at, name) in
        ["/etc/mayday-evil", "../../../../tmp/mayday-evil", "C:\\mayday-evil", "a/../../b", "é\u{202e}"]
            .iter()
            .enumerate()
    {
        let manifest = json!({"release": at.to_string(), "files": [{"url": "~/a.js", "file": name}]});
        let zip = Bundle::new().manifest(&manifest).file(name, unique_map()).encode();
        project.upload_bundle(zip).expect(201);
    }
    let is_ours = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        // Which instance the directory belongs to is in it from the start.
        before.contains(path) || name.len() > 64 && name.as_bytes()[..64].iter().all(u8::is_ascii_hexdigit)
    };
    let after = stored(&project.world);
    assert!(after.len() > before.len() && after.iter().all(is_ours), "{after:?}");
    for path in ["/etc/mayday-evil", "/tmp/mayday-evil"] {
        assert!(!std::path::Path::new(path).exists(), "{path}");
    }
}

#[test]
fn a_link_is_not_followed() {
    let project = Project::alone();
    let before = stored(&project.world);
    // The target is the whole content of a link: no source map.
    let zip = Bundle::new().manifest(&one("a.map")).link("a.map", "/etc/passwd").encode();
    let detail = project.upload_bundle(zip).refuse(422, "~/a.js");
    assert!(detail.contains("not JSON") && !detail.contains("root:"), "{detail}");
    let zip = Bundle::new().link("manifest.json", "/etc/passwd").encode();
    project.upload_bundle(zip).refuse(422, "manifest.json");
    assert_eq!(stored(&project.world), before);
}

#[test]
fn a_bundle_that_unpacks_to_too_much_is_refused() {
    let project = Project::alone();
    // 60 MB of spaces are 60 KB of zip.
    let bomb = vec![b' '; 60 << 20];
    let zip = Bundle::new().manifest(&one("a.map")).file("a.map", &bomb).encode();
    assert!(zip.len() < 1 << 20);
    let detail = project.upload_bundle(zip).refuse(413, "~/a.js");
    assert!(detail.contains("SERVICE_SOURCEMAP_MAX_MB"), "{detail}");
    let zip = Bundle::new().file("manifest.json", &bomb).encode();
    project.upload_bundle(zip).refuse(413, "manifest.json");
    // Files that are not in the manifest are not unpacked.
    let zip =
        Bundle::new().file("unused", &bomb).manifest(&one("a.map")).file("a.map", maps::cart()).encode();
    project.upload_bundle(zip).expect(201);
}

#[test]
fn an_invalid_bundle_is_refused_with_the_reason() {
    let project = Project::new();
    let good = Bundle::of("1", &[("~/a.js", &maps::cart())]);
    project.upload_bundle("").refuse(422, "zip");
    project.upload_bundle("no zip at all, and long enough to look at").refuse(422, "not a zip");
    project.upload_bundle(Bundle::new().encode()).refuse(422, "no `manifest.json`");
    let with = |manifest: &str| project.upload_bundle(Bundle::new().file("manifest.json", manifest).encode());
    with("{").refuse(422, "manifest.json");
    with("[]").refuse(422, "manifest.json");
    with(r#"{"release": 7, "files": []}"#).refuse(422, "release");
    with(r#"{"release": "1", "files": [{"url": "~/a.js", "file": "a", "debug_id": "x"}]}"#)
        .refuse(422, "debug_id");
    // Cut anywhere, it is refused and never half-stored.
    for end in (1..good.len()).step_by(37) {
        let response = project.upload_bundle(&good[..end]);
        assert!(matches!(response.status(), 200 | 201 | 422), "{end}: {}", response.text());
    }
    for at in (0..good.len()).step_by(11) {
        let mut damaged = good.clone();
        damaged[at] ^= 0x55;
        let response = project.upload_bundle(damaged);
        assert!(matches!(response.status(), 200 | 201 | 409 | 422), "{at}: {}", response.text());
    }
}

#[test]
fn maps_of_every_kind_are_as_in_a_single_upload() {
    let project = Project::new();
    let version_2 = maps::cart().replace("\"version\":3", "\"version\":2");
    let truncated = maps::cart()[..maps::cart().len() / 2].to_owned();
    for (map, part) in [
        (version_2.as_str(), "must be 3"),
        (truncated.as_str(), "not JSON"),
        ("", "not JSON"),
        ("[]", "an object"),
    ] {
        project.upload_bundle(Bundle::of("1", &[("~/a.js", map)])).refuse(422, part);
    }
    let guarded = format!("\u{feff})]}}'\n{}", maps::cart());
    let map: Value = serde_json::from_str(&maps::cart()).unwrap();
    let sections =
        json!({"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": map}]}).to_string();
    let urls = ["~/a.js?v=1", "~/%C3%A4%20b.js", "~/ä b.js", "~/../a.js"];
    let all: Vec<(&str, &str)> = urls
        .iter()
        .map(|url| (*url, guarded.as_str()))
        .chain([("~/sections.js", sections.as_str())])
        .collect();
    assert_eq!(project.upload_bundle(Bundle::of("1", &all)).expect(201)["stored"], 5);
}
