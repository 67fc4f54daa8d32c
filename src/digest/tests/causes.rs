//! Causes in a stack's text, and truncated stacks.

use super::*;
use crate::events::sql;

fn digest(event: &Value) -> (Value, Vec<Vec<String>>) {
    let bench = bench();
    bench.add(event);
    bench.worker().step().unwrap();
    let stored = bench.main.readers.read_blocking(|c| sql::get(c, PROJECT, "a")).unwrap().unwrap();
    let names = |frames: &Vec<crate::event::frame::Frame>| {
        frames.iter().map(|frame| frame.function.clone().unwrap_or_default()).collect()
    };
    (serde_json::from_slice(&stored.payload).unwrap(), stored.frames.iter().map(names).collect())
}

#[test]
fn java_causes_get_their_omitted_frames() {
    let stack = "java.lang.E: outer\n\tat a.A.x(A.java:1)\n\tat a.Main.main(Main.java:2)\nCaused by: java.lang.F: inner\n\tat b.B.y(B.java:3)\n\t... 1 more\nCaused by: java.lang.G: root\n\tat c.C.z(C.java:4)\n\t... 2 more";
    let event =
        json!({"event_id": "a", "exception": {"type": "java.lang.E", "message": "outer", "stack": stack}});
    let (event, frames) = digest(&event);
    let exception = &event["exception"];
    assert_eq!(exception["stack"], stack);
    let cause = &exception["cause"];
    assert_eq!((&cause["type"], &cause["message"]), (&json!("java.lang.F"), &json!("inner")));
    assert_eq!(cause["cause"]["type"], "java.lang.G");
    assert_eq!(cause["cause"]["cause"], Value::Null);
    let expected =
        [&["a.A.x", "a.Main.main"][..], &["b.B.y", "a.Main.main"], &["c.C.z", "b.B.y", "a.Main.main"]];
    assert_eq!(frames, expected);
}

#[test]
fn chains_printed_root_first_get_their_omitted_frames() {
    let root = "java.lang.G: root\n\tat c.C.z(C.java:4)";
    let outer = "Wrapped by: java.lang.E: outer\n\tat a.A.x(A.java:1)";
    let main = "\n\tat a.Main.main(Main.java:2)";
    let omitted = "\n\t... 1 common frames omitted";
    // As Logback and logstash's encoder print them.
    for stack in [format!("{root}{omitted}\n{outer}{main}"), format!("{root}{main}\n{outer}{omitted}")] {
        let event = json!({"event_id": "a", "exception": {"type": "java.lang.E", "message": "outer", "stack": stack}});
        let (event, frames) = digest(&event);
        assert_eq!(event["exception"]["cause"]["type"], "java.lang.G");
        assert_eq!(frames, [["a.A.x", "a.Main.main"], ["c.C.z", "a.Main.main"]], "{stack}");
    }
    // This text is cut within the outer exception, whose frames the cause does not share.
    let cut = "a.E: outer\n\tat a.A.x(A.java:1)\n\t... 2 more\nCaused by: b.F: inner\n\tat b.B.y(B.java:3)";
    let event = json!({"event_id": "a", "exception": {"type": "a.E", "message": "outer", "stack": cut}});
    assert_eq!(digest(&event).1, [["a.A.x"], ["b.B.y"]]);
}

#[test]
fn a_cause_that_was_sent_overrides_the_text() {
    let stack = "a.E: outer\n\tat a.A.x(A.java:1)\nCaused by: b.F: inner\n\tat b.B.y(B.java:3)";
    let cause = json!({"type": "Sent", "message": "cause"});
    let event = json!({"event_id": "a", "exception": {"type": "a.E", "message": "outer", "stack": stack, "cause": cause}});
    let (event, frames) = digest(&event);
    assert_eq!(event["exception"]["cause"]["type"], "Sent");
    assert_eq!((frames.len(), frames[1].len()), (2, 0));
}

#[test]
fn a_chain_ends_at_its_limit_and_says_so() {
    let causes: String =
        (1..=12).map(|n| format!("\nCaused by: b.F{n}: inner\n\tat b.B.y(B.java:{n})")).collect();
    let stack = format!("a.E: outer\n\tat a.A.x(A.java:1){causes}");
    let event = json!({"event_id": "a", "exception": {"type": "a.E", "message": "outer", "stack": stack}});
    let (event, frames) = digest(&event);
    assert_eq!(frames.len(), 11);
    assert_eq!(event["truncated"], json!([format!("exception{}", ".cause".repeat(11))]));
}

#[test]
fn a_remembered_text_has_its_causes_and_cuts() {
    let bench = bench();
    let lines = "\n\tat b.B.y(B.java:3)".repeat(251);
    let stack = format!("a.E: outer\n\tat a.A.x(A.java:1)\nCaused by: b.F: inner{lines}");
    let mut worker = bench.worker();
    for id in ["a", "b"] {
        bench.add(&json!({"event_id": id, "exception": {"type": "a.E", "message": "outer", "stack": stack}}));
        worker.step().unwrap();
    }
    for id in ["a", "b"] {
        let stored = bench.main.readers.read_blocking(move |c| sql::get(c, PROJECT, id)).unwrap().unwrap();
        let event: Value = serde_json::from_slice(&stored.payload).unwrap();
        assert_eq!(event["truncated"], json!(["exception.cause.frames"]), "{id}");
        assert_eq!(event["exception"]["cause"]["type"], "b.F", "{id}");
        assert_eq!(stored.frames[1].len(), 250, "{id}");
    }
}
