//! What a session may use at most.

use super::sandbox::{Host, has_rooms};
use super::{Machine, Shop};
use crate::support::world::text;
use crate::support::{eventually, json};

/// An agent that goes on for as long as its model answers.
const ASKS: &str = r#"[ -e src/half ] && echo "found half"
echo half >> src/half
for i in $(seq 1 100); do
  curl --silent --fail --max-time 20 "$OPENAI_BASE_URL/chat/completions" -d "ask $i" || exit 7
  [ "$i" = 20 ] && { echo mended >> src/cart.mjs; exit 0; }
done
"#;

#[test]
fn a_session_pauses_at_its_cap_and_goes_on_from_what_was_done() {
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
    let path = format!("/api/sessions/{session}/continue");
    shop.project.owner.post(&path).json(&json!({"caps": {"tokens": 100_000}})).send().expect(200);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], "completed", "{told} {}", machine.said());
    assert!(shop.output(&session).contains("found half"), "{}", shop.output(&session));
    assert_eq!(shop.shown(&told["branch_name"], "src/half"), "half\nhalf");
    assert!(shop.shown(&told["branch_name"], "src/cart.mjs").ends_with("mended"));
    assert_eq!(told["held_commit"], json!(null), "{told}");
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
