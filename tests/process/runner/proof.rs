//! Work that is proven, or is not, by single tests.

use super::Shop;
use super::sandbox::has_rooms;
use crate::support::json;
use crate::support::world::text;
use std::fs;

/// Runs all tests, and writes a report.
const TESTS: &str = "mkdir -p build && \
    node --test --test-reporter=junit --test-reporter-destination=build/junit.xml src/*.test.mjs";

/// Where reports are.
const REPORTS: &str = "build/*.xml";

/// A shop with a test that passes, and a report of another time.
fn shop(more: &str) -> Shop {
    let shop = Shop::with(|first| {
        let test = format!(
            "import test from \"node:test\";\nimport assert from \"node:assert/strict\";\n\
             import {{ total }} from \"./cart.mjs\";\n\
             test(\"sums\", () => assert.equal(total({{ items: [{{ price: {{ amount: 3 }} }}] }}), 3));\n{more}"
        );
        fs::write(first.join("src/sum.test.mjs"), test).unwrap();
        fs::create_dir(first.join("build")).unwrap();
        fs::write(first.join("build/old.xml"), "<testsuite><testcase name='old'>").unwrap();
    });
    set(&shop, TESTS, REPORTS);
    shop
}

fn set(shop: &Shop, command: &str, report: &str) {
    let path = format!("/api/repos/{}", text(&shop.repository["id"]));
    let body = json!({"testCommand": command, "testReport": report});
    shop.project.owner.patch(&path).json(&body).send().expect(200);
}

/// An agent that fixes the cart, with a test whose name says what it tests.
fn mending(name: &str, test: &str) -> String {
    format!(
        "sed -i 's/item.price.amount/(item.price?.amount ?? 0)/' src/cart.mjs
echo 'export const free = {{ items: [{{}}] }};' >> src/cart.mjs
cat > src/cart.test.mjs <<END
import test from \"node:test\";
import assert from \"node:assert/strict\";
import {{ {name} }} from \"./cart.mjs\";
test(\"items without a price\", () => {test});
END
"
    )
}

#[test]
fn a_test_that_fails_already_holds_nothing_back() {
    let shop = shop("test(\"red\", () => assert.fail());\n");
    let session = shop.session(&json!({}));
    let arguments = if has_rooms() { ["--isolation", "sandbox"] } else { ["--isolation", "none"] };
    let machine = shop.machine(&mending("total", "assert.equal(total({ items: [{}] }), 0)"), &arguments);
    let told = shop.ended(&session);
    assert_eq!(shop.branches(), [text(&told["branch_name"])], "{told} {}", machine.said());
    let notes = shop.notes(&session);
    for said in [
        "On where the change began, 1 test passes, 1 fails.",
        "On the change, 2 tests pass, 1 fails as before.",
        "On the tests of the change without the rest of it, 1 test passes, 1 fails as before, 1 fails that did not before.",
        "Proven: 1 test fails without the change, and passes with it: “items without a price”.",
    ] {
        assert!(notes.iter().any(|note| note == said), "{said} {notes:#?}");
    }
}

#[test]
fn tests_that_could_not_be_built_without_the_change_prove_nothing() {
    let shop = shop("");
    let machine = shop.machine(&mending("total, free", "assert.equal(total(free), 0)"), &[]);
    let why = |session: &str| {
        let told = shop.ended(session);
        assert!(shop.branches().is_empty(), "{told} {}", machine.said());
        text(&told["held"][0]["why"])
    };
    let not_built = "without the rest of the change its tests could not be built: that proves nothing";
    let named = format!("{not_built} (not run: “items without a price”)");
    assert_eq!(why(&shop.session(&json!({}))), named, "a file in place of its tests");
    // As a compiler would: nothing runs unless all of it fits together.
    let built =
        format!("{{ ! grep --quiet free src/*.test.mjs || grep --quiet free src/cart.mjs; }} && {TESTS}");
    set(&shop, &built, REPORTS);
    assert_eq!(why(&shop.session(&json!({}))), not_built);
    // Exit codes alone do not show the difference.
    set(&shop, &built, "");
    let session = shop.session(&json!({}));
    let told = shop.ended(&session);
    assert_eq!(shop.branches(), [text(&told["branch_name"])], "{told}");
    assert!(shop.notes(&session).join("\n").contains("as far as exit codes tell"));
}

#[test]
fn a_change_that_breaks_a_test_is_held_back_with_its_name() {
    let shop = shop("test(\"red\", () => assert.fail());\n");
    let script = format!(
        "{}sed -i 's/return sum/return sum + 1/' src/cart.mjs\n",
        mending("total", "assert.equal(total({ items: [{}] }), 1)")
    );
    let machine = shop.machine(&script, &[]);
    let told = shop.ended(&shop.session(&json!({})));
    assert!(shop.branches().is_empty(), "{told} {}", machine.said());
    assert_eq!(told["held"][0]["why"], "its tests fail: “sums”", "and not the one that did before");
}
