//! Stacks of JavaScriptCore and Hermes, recorded from the engines (`tests/fixtures/stacks/engines.mjs`), resolve to
//! the same functions as those of V8.

use crate::support::names::NAMES;
use crate::support::{Form, Project, Value, json};
use std::path::Path;

/// The recording, the url prefix of its release, and the url of its source map.
const RECORDINGS: [(&str, &str, &str); 3] = [
    ("javascriptcore", "~/", "~/names.js"),
    ("hermes", "~/", "~/names.js"),
    // An app's bundle has a name and no address.
    ("hermes-bytecode", "", "names.hbc"),
];

#[test]
fn stacks_of_other_engines_resolve_to_the_same_functions() {
    let (project, mut wrong) = (Project::new(), Vec::new());
    for (name, prefix, url) in RECORDINGS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/stacks/{name}.json"));
        let recorded: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let form = Form::new().text("version", name).text("url_prefix", prefix);
        project.ci().post("/api/v1/releases").form(&form).send().expect(201);
        project.upload(name, url, &recorded["map"].to_string()).expect(201);
        for (case, expected) in NAMES {
            let body = json!({"release": name, "stack": recorded["stacks"][case]});
            let answer = project.ci().post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
            let resolved = &answer["frames"][0]["resolved"];
            let line = resolved["context_line"].as_str().unwrap_or_default();
            // JavaScriptCore gives the beginning of a function in a class field instead of the place where it throws.
            let is_begin = (name, case) == ("javascriptcore", "field") && line.contains("onClick =");
            if resolved["function"] != expected || !(is_begin || line.contains(&format!("Error(\"{case}\")")))
            {
                wrong.push(format!("{name}, {case}: expected {expected}, got {}", answer["frames"][0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
