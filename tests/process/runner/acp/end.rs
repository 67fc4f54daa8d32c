//! What an agent writes when it is ended.

use super::super::Shop;
use super::machine;
use crate::support::json;
use crate::support::world::text;

/// The error output of an agent that says something about its end, whether that is asked for by a signal or by closing
/// its input.
fn errors(outcome: &str, work: &str) -> String {
    let shop = Shop::new();
    let session = shop.session(&json!({}));
    let says_so = r#"
import atexit, signal
def end(*_):
    os.write(2, b"I was ended\n")
    os._exit(1)
atexit.register(end)
signal.signal(signal.SIGTERM, end)
"#;
    let machine = machine(&shop, &format!("{says_so}\n{work}"), &[]);
    let told = shop.ended(&session);
    assert_eq!(told["outcome"], outcome, "{told} {}", machine.said());
    let said = shop.transcript(&session);
    said.iter().filter(|entry| entry["stream"] == "stderr").map(|entry| text(&entry["content"])).collect()
}

#[test]
fn what_an_agent_writes_about_its_end_is_left_out_once_it_has_answered() {
    let work = r#"
def work(text):
    os.write(2, b"a warning\n")
    runs("echo mended >> src/cart.mjs")
"#;
    assert_eq!(errors("completed", work), "a warning\n");
}

#[test]
fn what_an_agent_writes_about_its_end_is_kept_if_it_did_not_answer() {
    let said = errors("failed", "def work(text):\n    return 'refusal'");
    assert!(said.contains("I was ended\n"), "{said}");
}

#[test]
fn a_connection_that_breaks_after_the_last_answer_changes_no_outcome() {
    let work = r#"
answer = send
def send(**message):
    answer(**message)
    if "stopReason" in message.get("result", {}):
        print("{" * (5 << 20), flush=True)
def work(text):
    runs("echo mended >> src/cart.mjs")
"#;
    errors("completed", work);
}
