//! Stacks cached by their text.

use super::*;

const STACK: &str = "\n    at pay (https://shop.example.com/main.js:1:20)\n    at main (https://shop.example.com/main.js:1:50)";

fn thrown(id: &str, message: &str) -> Value {
    json!({"event_id": id, "exception": {"type": "Error", "message": message, "stack": format!("Error: {message}{STACK}")}})
}

#[test]
fn a_repeated_text_has_the_same_frames_and_platform() {
    let bench = bench();
    let mut worker = bench.worker();
    for (id, message) in [("a", "order 1"), ("b", "order 2"), ("c", "Error: order 3\n    at odd (x.js:1:1)")]
    {
        bench.add(&thrown(id, message));
    }
    while worker.step().unwrap() {}
    assert_eq!(bench.count("select count(distinct stack_id) from events"), 1);
    assert_eq!(bench.count("select count(*) from events where stack_id is not null"), 3);
    assert_eq!(bench.count("select count(*) from issues where platform = 'javascript'"), 1);
}

#[test]
fn frames_that_were_sent_override_the_text() {
    let bench = bench();
    let mut worker = bench.worker();
    bench.add(&thrown("a", "x"));
    let mut sent = thrown("b", "x");
    sent["exception"]["frames"] = json!([{"function": "other", "filename": "/app/other.py", "lineno": 3}]);
    bench.add(&sent);
    bench.add(&thrown("c", "x"));
    while worker.step().unwrap() {}
    assert_eq!(bench.count("select count(distinct stack_id) from events"), 2);
    assert_eq!(bench.count("select max(event_count) from issues"), 2);
}

#[test]
fn a_cause_is_part_of_the_text() {
    let bench = bench();
    let mut worker = bench.worker();
    let cause = |stack: &str| json!({"type": "Inner", "message": "y", "stack": stack});
    for (id, stack) in [("a", STACK), ("b", "Inner: y\n    at deep (https://shop.example.com/main.js:1:90)")]
    {
        let mut event = thrown(id, "x");
        event["exception"]["cause"] = cause(stack);
        bench.add(&event);
    }
    bench.add(&thrown("c", "x"));
    while worker.step().unwrap() {}
    assert_eq!(bench.count("select count(distinct stack_id) from events"), 3);
}
