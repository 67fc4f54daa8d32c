//! The caps of a session.

use super::sandbox::{Host, has_rooms};
use super::{Machine, Shop, git};
use crate::support::world::text;
use crate::support::{eventually, json};

/// An agent that continues for as long as its model answers.
const ASKS: &str = r#"[ -e src/half ] && echo "found half"
echo half >> src/half
for i in $(seq 1 100); do
  curl --silent --fail --max-time 20 "$OPENAI_BASE_URL/chat/completions" -d "ask $i" || exit 0
  [ "$i" = 20 ] && { echo mended >> src/cart.mjs; exit 0; }
done
"#;

#[test]
fn a_session_pauses_at_its_cap_and_continues_from_its_work() {
    if !has_rooms() {
        return;
    }
    let shop = Shop::new();
    let model = Host::saying(r#"{"usage":{"prompt_tokens":90,"completion_tokens":10}}"#);
    let base = format!("http://127.0.0.1:{}/v1", model.port);
    let url = shop.project.world.server.anonymous().origin();
    let own = [("OPENAI_API_KEY", "sk-model"), ("OPENAI_BASE_URL", base.as_str())];
    let arguments = ["--isolation", "sandbox", "--env", "OPENAI_API_KEY", "--env", "OPENAI_BASE_URL"];
    let session = shop.session(&json!({"caps": {"tokens": 1_000}}));
    let machine = Machine::start_with(&url, &shop, ASKS, &arguments, &own);
    let paused = eventually("the pause", || {
        let told = shop.get(&session);
        (told["status"] == "paused").then_some(told)
    });
    assert!(text(&paused["reason"]).contains("1000 tokens"), "{paused} {}", machine.said());
    // One request too many is refused; at most one went beyond the cap.
    assert!((10..=11).contains(&model.heard().len()), "{}", model.heard().len());
    assert!(paused["tokens"].as_i64().unwrap() <= 1_100, "{paused}");
    assert!(shop.branches().is_empty() && paused["held_commit"].is_string(), "{paused}");
    // Other sessions in between do not affect its work.
    let first = shop.file("first");
    std::fs::write(first.join("other.mjs"), "export {};\n").unwrap();
    git(&first, &["add", "--all"]);
    git(&first, &["commit", "--quiet", "--message", "Another"]);
    git(&first, &["push", "--quiet", &shop.host().to_string_lossy(), "HEAD:main"]);
    let path = format!("/api/sessions/{session}/continue");
    shop.project.owner.post(&path).json(&json!({"caps": {"tokens": 100_000}})).send().expect(200);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert!(shop.output(&session).contains("found half"), "{}", shop.output(&session));
    assert_eq!(shop.shown(&told["branch_name"], "src/half"), "half\nhalf");
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"));
    assert_eq!((&told["held_commit"], &told["held"]), (&json!(null), &json!([])), "{told}");
}

#[test]
fn a_session_with_uncountable_usage_does_not_begin_or_pauses() {
    let shop = Shop::new();
    let session = shop.session(&json!({"caps": {"tokens": 1_000}}));
    let other = shop.session(&json!({}));
    let machine = shop.machine("true\n", &[]);
    shop.ended(&other);
    assert_eq!(shop.get(&session)["status"], "starting", "it waits for a runner with rooms");
    drop(machine);
    if !has_rooms() {
        return;
    }
    // An answer without figures is not free, nor is one without a cost.
    let model = Host::saying("data: {}\n\n");
    let base = format!("http://127.0.0.1:{}/v1", model.port);
    let url = shop.project.world.server.anonymous().origin();
    let own = [("OPENAI_API_KEY", "sk-model"), ("OPENAI_BASE_URL", base.as_str())];
    let arguments = ["--isolation", "sandbox", "--env", "OPENAI_API_KEY", "--env", "OPENAI_BASE_URL"];
    let asks = ASKS.replace("ask $i", &"x".repeat(2_000));
    for (caps, why) in [
        (json!({"tokens": 1_000}), "tokens, and may use 1000"),
        (json!({"costUsd": 1}), "no cap on cost can be kept"),
    ] {
        let session = shop.session(&json!({ "caps": caps }));
        let machine = Machine::start_with(&url, &shop, &asks, &arguments, &own);
        let paused = eventually("the pause", || {
            let told = shop.get(&session);
            (told["status"] == "paused").then_some(told)
        });
        assert!(text(&paused["reason"]).contains(why), "{paused} {}", machine.said());
    }
    assert!(shop.branches().is_empty() && model.heard().len() <= 5, "{}", model.heard().len());
}

#[test]
fn work_on_more_files_than_a_session_may_change_is_held_back() {
    let shop = Shop::new();
    let session = shop.session(&json!({"caps": {"files": 2}}));
    let _machine = shop.machine("echo a > a\necho b > b\necho c > c\n", &[]);
    let told = shop.ended(&session);
    assert!(shop.branches().is_empty(), "{told}");
    assert!(text(&told["held"][0]["why"]).contains("changes 3 files, and may change 2"), "{told}");
}

#[test]
fn an_agent_that_exceeds_its_output_cap_is_paused_and_its_work_kept() {
    let shop = Shop::new();
    let session = shop.session(&json!({"caps": {"outputBytes": 100_000}}));
    let _machine =
        shop.machine("echo mended > mended\nyes \"I am thinking\" | head -c 300000\nsleep 60\n", &[]);
    let paused = eventually("the pause", || {
        let told = shop.get(&session);
        (told["status"] == "paused").then_some(told)
    });
    assert!(text(&paused["reason"]).ends_with(", and may write 0.10 MB"), "{paused}");
    assert!(text(&paused["patch"]).contains("mended"), "{paused}");
    assert!(shop.branches().is_empty());
}

#[test]
fn tests_that_write_more_than_their_session_may_prove_nothing() {
    let shop = Shop::new();
    let path = format!("/api/repos/{}", text(&shop.repository["id"]));
    let tests = "yes 'I am testing' | head -c 300000\nsleep 60";
    shop.project.owner.patch(&path).json(&json!({"testCommand": tests})).send().expect(200);
    let session = shop.session(&json!({"caps": {"outputBytes": 100_000}}));
    let script = "echo mended >> src/cart.mjs\necho 'throw 1' > src/cart.test.mjs\n";
    let machine = shop.machine(script, &[]);
    let told = shop.ended(&session);
    assert!(shop.branches().is_empty(), "{told} {}", machine.said());
    assert!(text(&told["held"][0]["why"]).contains("and may write 0.10 MB"), "{told}");
}
