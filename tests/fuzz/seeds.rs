//! The seeds of mutations: the files of `fuzz/seeds/<target>/`, and stacks of browsers.

use std::fs;
use std::path::Path;

/// The seeds of a target, in the order of their names.
pub(crate) fn of(target: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("fuzz/seeds").join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    let firefox = fs::read_to_string(root.join("tests/fixtures/stacks/firefox.json")).unwrap();
    let firefox: serde_json::Value = serde_json::from_str(&firefox).unwrap();
    match target {
        "stacks" => seeds.push(format!("\0{}", firefox["stack"].as_str().unwrap()).into_bytes()),
        "events" => {
            let exception = serde_json::json!({"type": firefox["type"], "message": firefox["message"], "stack": firefox["stack"]});
            let event = serde_json::json!({"api_key": "pk_fuzz", "user_agent": firefox["userAgent"], "exception": exception});
            seeds.push(event.to_string().into_bytes());
        }
        _ => {}
    }
    seeds
}
