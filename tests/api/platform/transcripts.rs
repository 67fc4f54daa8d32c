//! Which part of a transcript is kept, and streams of a growing one.

use super::fixture::session;
use super::protocol::Shop;
use crate::support::stream::Stream;
use crate::support::world::{number, text};
use crate::support::{Value, json};

#[test]
fn a_long_transcript_keeps_its_beginning_and_end() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    let line = |number: i64| format!("{number} {}", "x".repeat(64 << 10));
    let mut sequence = 0;
    // 12 MiB, of which the first 8 are kept, and then the last quarter of a MiB.
    for _ in 0..12 {
        let entries: Vec<Value> =
            (sequence..sequence + 16).map(|number| json!({"content": line(number)})).collect();
        let answer = shop.call(&job, "output", &json!({"sequence": sequence, "entries": entries}));
        sequence = number(&answer.expect(200)["next"]);
    }
    shop.call(&job, "finish", &json!({"outcome": "completed"})).expect(200);
    let transcript = shop.transcript(&job);
    let numbers: Vec<i64> = transcript
        .iter()
        .filter_map(|(_, content)| content.split_once(" x").and_then(|(number, _)| number.parse().ok()))
        .collect();
    let gap = numbers.windows(2).position(|pair| pair[1] != pair[0] + 1).expect("a gap");
    assert_eq!((numbers[0], *numbers.last().unwrap()), (0, sequence - 1));
    assert!((120..128).contains(&(gap + 1)), "{gap}");
    assert_eq!(numbers.len() - gap - 1, 3, "of the end what fits in 256 KiB");
    assert!(transcript.iter().any(|(role, content)| role == "system" && content.contains("full")));
    let done = shop.session(&job);
    assert_eq!(number(&done["left_out"]), sequence - numbers.len() as i64);
    assert_eq!(number(&done["messages"]), transcript.len() as i64);
}

#[test]
fn a_runners_entries_have_their_kinds_and_durations() {
    let shop = Shop::new();
    session(&shop.world.owner, &json!({}));
    let job = shop.claim().unwrap();
    let call = json!({"took_ms": 1200, "status": 200, "bytes_out": 10, "bytes_back": 20, "tokens": 150, "cost_usd": 0.5});
    let odd = json!({"took_ms": -1, "status": 70_000, "tokens": 1e9 as i64, "cost_usd": -2.0});
    let entries = json!([
        {"role": "system", "kind": "model", "figures": call, "content": "Network: POST anthropic/v1/messages: 200"},
        {"role": "system", "kind": "network", "figures": odd, "content": "Network: opened"},
        {"role": "system", "content": "Pushed"},
        {"role": "agent", "kind": "test", "figures": {"status": 0}, "content": "All tests pass"},
        {"role": "tool", "kind": "state", "content": "ls"},
    ]);
    shop.call(&job, "output", &json!({"sequence": 0, "entries": entries})).expect(200);
    let path = format!("/api/sessions/{}/messages", text(&job["session_id"]));
    let list = shop.world.owner.get(&path).send().expect(200);
    let told: Vec<(&Value, &Value)> =
        list["messages"].as_array().unwrap().iter().map(|one| (&one["kind"], &one["figures"])).collect();
    let none = &Value::Null;
    let rest = json!({"took_ms": null, "status": null, "bytes_out": null, "bytes_back": null, "tokens": 1_000_000_000, "cost_usd": null});
    let (model, network) = (json!("model"), json!("network"));
    let expected = [(&model, &call), (&network, &rest), (none, none), (none, none), (none, none)];
    assert_eq!(told, expected, "what an agent says is no kind of its runner's");
    let unknown = json!({"sequence": 5, "entries": [{"role": "system", "kind": "weather", "content": ""}]});
    shop.call(&job, "output", &unknown).refuse(422, "kind");
}

#[test]
fn people_cannot_fill_a_transcript_without_end() {
    let world = crate::support::world();
    let made = session(&world.owner, &json!({}));
    let path = format!("/api/sessions/{}/messages", text(&made["id"]));
    let body = json!({"content": "x".repeat(64 << 10)});
    // 10 MiB, in pieces of 64 KiB.
    for _ in 0..160 {
        world.owner.post(&path).json(&body).send().expect(201);
    }
    world.owner.post(&path).json(&body).send().refuse(409, "full");
}

/// Waits for a message of the stream; its data.
#[track_caller]
fn next(stream: &mut Stream, event: &str, name: &str, value: &str) -> Value {
    let got = stream.until(value, |message| message.event == event && message.data[name] == value);
    got.last().unwrap().data.clone()
}

#[test]
fn a_session_can_be_watched_while_it_runs() {
    let shop = Shop::new();
    let owner = &shop.world.owner;
    let made = session(owner, &json!({"prompt": "first"}));
    let path = format!("/api/sessions/{}/stream", text(&made["id"]));
    let mut stream = Stream::open(owner, &path, &[]);
    next(&mut stream, "message", "content", "first");
    next(&mut stream, "session", "status", "starting");
    let job = shop.claim().unwrap();
    next(&mut stream, "session", "status", "running");
    let say = |sequence: i64, content: &str| {
        let body = json!({"sequence": sequence, "entries": [{"content": content}]});
        shop.call(&job, "output", &body).expect(200);
    };
    say(0, "one");
    let one = number(&next(&mut stream, "message", "content", "one")["id"]);
    say(1, "two");
    next(&mut stream, "message", "content", "two");
    // A client that reconnects continues where it was.
    let mut again = Stream::open(owner, &format!("{path}?after={one}"), &[]);
    assert_eq!(again.next().unwrap().data["content"], "two");
    let mut again = Stream::open(owner, &path, &[("last-event-id", &one.to_string())]);
    assert_eq!(again.next().unwrap().data["content"], "two");
    shop.call(&job, "finish", &json!({"outcome": "completed"})).expect(200);
    next(&mut stream, "session", "outcome", "completed");
    owner.delete(&format!("/api/sessions/{}", text(&made["id"]))).send().expect(200);
    stream.until("the end", |message| message.event == "deleted");
    assert!(stream.next().is_none());
    owner.get(&path).send().refuse(404, "session");
    owner.get("/api/sessions/nonsense/stream").send().refuse(404, "session");
}

#[test]
fn signing_out_ends_the_stream() {
    let shop = Shop::new();
    let made = session(&shop.world.owner, &json!({"prompt": "first"}));
    let member = shop.world.member();
    let mut stream =
        Stream::open(&member.client, &format!("/api/sessions/{}/stream", text(&made["id"])), &[]);
    next(&mut stream, "message", "content", "first");
    shop.world.owner.delete(&shop.world.member_path(member.id)).send().expect(204);
    stream.ends_at_once();
}
