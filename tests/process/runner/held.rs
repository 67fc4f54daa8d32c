//! Work that waits for a person, and the notes about it.

use super::Shop;
use super::sandbox::has_rooms;
use crate::support::world::text;
use crate::support::{Value, json};
use std::fs;

#[test]
fn risky_changes_wait_for_a_person() {
    let shop = Shop::new();
    let script = r#"mkdir -p .github/workflows && echo 'on: push' > .github/workflows/run.yml
ln -s ../../outside link && ln -s src/cart.mjs inside
head -c 1100000 /dev/zero > large
printf 'const key = "ghp_%s";\n' 0123456789abcdefghijABCDEFGHIJ012345 > key.mjs
echo mended >> src/cart.mjs
"#;
    let session = shop.session(&json!({}));
    let machine = shop.machine(script, &[]);
    let told = shop.ended(&session);
    assert_eq!((&told["outcome"], &told["head_commit"]), (&json!("completed"), &Value::Null), "{told}");
    let held = told["held"].as_array().unwrap();
    let paths: Vec<String> = held.iter().map(|one| text(&one["path"])).collect();
    assert_eq!(paths, [".github/workflows/run.yml", "large", "key.mjs", "link"], "{held:?}");
    assert!(shop.branches().is_empty(), "nothing is pushed");
    let told = shop.released(&session);
    assert_eq!((&told["outcome"], &told["held_commit"]), (&json!("completed"), &Value::Null), "{told}");
    assert_eq!(shop.branches(), [text(&told["branch_name"])], "{}", machine.said());
    assert_eq!(shop.shown(&told["branch_name"], ".github/workflows/run.yml"), "on: push");
}

#[test]
fn manifests_that_the_repository_allows_are_pushed() {
    let shop = Shop::new();
    let path = format!("/api/repos/{}", text(&shop.repository["id"]));
    shop.project.owner.patch(&path).json(&json!({"allowedFiles": ["package.json"]})).send().expect(200);
    let session = shop.session(&json!({}));
    let machine = shop.machine("mkdir -p web && echo '{}' > web/package.json\n", &[]);
    let told = shop.ended(&session);
    assert_eq!(shop.branches(), [text(&told["branch_name"])], "{told} {}", machine.said());
    drop(machine);
    let session = shop.session(&json!({}));
    let _machine = shop.machine("echo '{}' > package.json; echo > yarn.lock\n", &[]);
    let told = shop.ended(&session);
    assert_eq!(told["held"].as_array().unwrap().len(), 1, "{told}");
    assert_eq!(told["held"][0]["path"], "yarn.lock");
}

/// Runs the tests that there are, after the setup.
const TESTS: &str =
    r#"test -f ready && for test in src/*.test.mjs; do [ ! -e "$test" ] || node "$test" || exit 1; done"#;

/// A script that fixes the cart, optionally with a test.
fn mending(test: &str) -> String {
    format!("sed -i 's/item.price.amount/(item.price?.amount ?? 0)/' src/cart.mjs\n{test}\n")
}

#[test]
fn work_is_pushed_if_its_test_fails_without_it() {
    let shop = Shop::new();
    let path = format!("/api/repos/{}", text(&shop.repository["id"]));
    let body = json!({"setupCommand": "echo ready > ready", "testCommand": TESTS});
    shop.project.owner.patch(&path).json(&body).send().expect(200);
    let test = r#"cat > src/cart.test.mjs <<END
import assert from "node:assert/strict";
import { total } from "./cart.mjs";
assert.equal(total({ items: [{}] }), 0);
assert.equal(process.env.SHOP_SECRET, undefined);
END"#;
    let session = shop.session(&json!({}));
    let arguments = if has_rooms() { ["--isolation", "sandbox"] } else { ["--isolation", "none"] };
    let machine = shop.machine(&mending(test), &arguments);
    let told = shop.ended(&session);
    assert_eq!(shop.branches(), [text(&told["branch_name"])], "{told} {}", machine.said());
    let notes = shop.notes(&session).join("\n");
    assert!(notes.contains("Proven: "), "{notes}");
}

#[test]
fn work_without_a_test_that_shows_it_is_held_back() {
    let shop = Shop::new();
    let path = format!("/api/repos/{}", text(&shop.repository["id"]));
    let command = |command: &str| {
        shop.project.owner.patch(&path).json(&json!({ "testCommand": command })).send().expect(200);
    };
    let machine =
        shop.machine(&mending("[ ! -e \"$SHOP/with\" ] || echo '// the same' > src/cart.test.mjs"), &[]);
    let why = |session: &str| {
        let told = shop.ended(session);
        assert!(shop.branches().is_empty(), "{told}");
        text(&told["held"][0]["why"])
    };
    command("true");
    assert!(why(&shop.session(&json!({}))).contains("changes no test"), "{}", machine.said());
    command("exit 3");
    assert!(why(&shop.session(&json!({}))).contains("its tests fail"), "{}", machine.said());
    command("no-such-program");
    assert!(why(&shop.session(&json!({}))).contains("was not found"), "{}", machine.said());
    fs::write(shop.file("with"), "").unwrap();
    command("grep --quiet '??' src/cart.mjs");
    assert!(why(&shop.session(&json!({}))).contains("where it began, too"), "{}", machine.said());
    command("true");
    assert!(why(&shop.session(&json!({}))).contains("without the change"), "{}", machine.said());
}
