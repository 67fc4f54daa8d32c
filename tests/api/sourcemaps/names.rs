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

/// Of `more.js`.
const MORE: [(&str, &str); 21] = [
    ("default arrow", "default"),
    ("setter", "set Basket.coupon"),
    ("static getter", "get Basket.limit"),
    ("async method", "Basket.save"),
    ("async generator method", "Basket.pages"),
    ("iterator", "Basket.[Symbol.iterator]"),
    ("computed method", "Basket.[key]"),
    ("object getter", "get till.total"),
    ("object setter", "set till.total"),
    ("async object method", "till.open"),
    ("computed key", "till.[key]"),
    ("inner object", "till.drawer.shut"),
    ("async arrow", "fetchAll"),
    ("async generator", "stream"),
    ("immediate", "start/<anonymous>"),
    ("named immediate", "begin"),
    ("module pattern", "<anonymous>"),
    ("prototype", "Legacy.run"),
    ("property of a function", "Legacy.make"),
    ("curried", "curried/<anonymous>"),
    ("default parameter", "report"),
];

/// Of `typed.tsx`, where people write types and elements.
const TYPED: [(&str, &str); 12] = [
    ("component", "Row"),
    ("wrapped component", "List"),
    ("handler", "Button/<anonymous>"),
    ("generic", "first"),
    ("generic arrow", "parse"),
    ("parameter property", "new Store"),
    ("overload", "Store.read"),
    ("typed field", "Shelf.sort"),
    ("override", "Shelf.write"),
    ("satisfies", "handlers.open"),
    ("assertion", "asserted"),
    ("namespace", "round"),
];

#[test]
fn names_do_not_depend_on_bundler_and_minifier() {
    check("", &NAMES);
}

#[test]
fn neither_do_names_of_rarer_kinds_of_functions() {
    check("more/", &MORE);
}

#[test]
fn neither_do_names_in_typescript_and_jsx() {
    check("typed/", &TYPED);
}

fn check(folder: &str, names: &[(&str, &str)]) {
    let project = Project::new();
    let mut wrong = Vec::new();
    for build in BUILDS {
        let path = format!("tests/fixtures/names/{folder}{build}.json");
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let fixture: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(fixture["stacks"].as_object().unwrap().len(), names.len(), "{folder}{build}");
        project.upload(build, "~/names.js", &fixture["map"].to_string()).expect(201);
        for (case, expected) in names {
            let body = json!({"release": build, "stack": fixture["stacks"][case]});
            let answer = project.ci().post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
            let resolved = &answer["frames"][0]["resolved"];
            let line = resolved["context_line"].as_str().unwrap_or_default();
            if resolved["function"] != *expected || !line.contains(&format!("Error(\"{case}\")")) {
                wrong.push(format!(
                    "{build}, {case}: expected {expected}, got {} at `{line}`",
                    resolved["function"]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
