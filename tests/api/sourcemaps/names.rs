//! Function names in stacks of real builds: the same whatever bundled and minified the source (`tests/fixtures/names`).

use crate::support::{Project, Value, json};
use std::path::Path;

const BUILDS: [&str; 7] =
    ["esbuild", "rollup-terser", "swc", "vite-oxc", "vite-terser", "webpack-swc", "webpack-terser"];

/// The function that each case throws in, as people wrote it.
pub(super) const NAMES: [(&str, &str); 17] = [
    ("declared", "declared"),
    ("arrow", "arrow"),
    ("expression", "expression"),
    ("static method", "Cart.total"),
    ("constructor", "new Cart"),
    ("method", "Cart.add"),
    ("private method", "Cart.#secret"),
    ("getter", "get Cart.size"),
    ("field", "Cart.onClick"),
    ("object method", "shop.open"),
    ("property", "shop.close"),
    ("class expression", "Basket.weigh"),
    ("default export", "default"),
    ("async", "load"),
    ("generator", "walk"),
    ("nested", "inner"),
    ("callback", "each/<anonymous>"),
];

#[test]
fn names_do_not_depend_on_bundler_and_minifier() {
    let project = Project::new();
    let mut wrong = Vec::new();
    for build in BUILDS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/names/{build}.json"));
        let fixture: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        project.upload(build, "~/names.js", &fixture["map"].to_string()).expect(201);
        for (case, expected) in NAMES {
            let body = json!({"release": build, "stack": fixture["stacks"][case]});
            let answer = project.ci().post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
            let resolved = &answer["frames"][0]["resolved"];
            let line = resolved["context_line"].as_str().unwrap_or_default();
            if resolved["function"] != expected || !line.contains(&format!("Error(\"{case}\")")) {
                wrong.push(format!(
                    "{build}, {case}: expected {expected}, got {} at `{line}`",
                    resolved["function"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
