//! What a run hears from the server.

use super::*;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

/// Messages that the server sends at once.
const AT_ONCE: i64 = 100;
/// A session and its lease.
const SESSION: (&str, &str) = ("session", "lease");

/// A server with this many messages for a session.
fn server(messages: i64) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(&stream, messages);
        }
    });
    Server::new(&url, "rt_x", Arc::new(tokio::runtime::Runtime::new().unwrap())).unwrap()
}

/// Answers a renewal with the next messages after those that the runner has.
fn answer(mut stream: &TcpStream, messages: i64) {
    let mut reader = BufReader::new(stream);
    let mut length = 0_usize;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().unwrap();
            }
            None if line.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let seen = serde_json::from_slice::<Value>(&body).unwrap()["seen"].as_i64().unwrap();
    let next: Vec<Value> = (seen + 1..=messages.min(seen + AT_ONCE))
        .map(|id| json!({ "id": id, "content": id.to_string() }))
        .collect();
    let body = json!({ "lease_seconds": 300, "messages": next }).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).unwrap();
}

fn message(id: i64) -> Message {
    Message { id, content: id.to_string(), may_allow: true }
}

fn renewed(wanted: Option<SessionCommand>, messages: &[i64]) -> Renewed {
    let messages = messages.iter().copied().map(message).collect();
    Renewed { lease_seconds: 300, mode: Mode::Write, wanted, messages }
}

#[test]
fn a_phase_is_sent_at_once_and_with_each_renewal() {
    let control = Control::default();
    assert_eq!(control.renewal("l")["phase"], Value::Null);
    control.say_phase("working");
    let asked = Instant::now();
    assert!(!control.ends_within(Duration::from_secs(60)));
    assert!(asked.elapsed() < Duration::from_secs(30), "nothing was awaited");
    assert_eq!(control.renewal("l")["phase"], "working");
    assert_eq!(control.renewal("l")["phase"], "working");
    control.end();
    assert!(control.ends_within(Duration::ZERO));
}

#[test]
fn a_message_is_given_to_a_turn_or_not_acknowledged() {
    let control = Control::default();
    control.hear_messages(vec![message(3), message(5)]);
    control.hear_messages(vec![message(5)]);
    assert_eq!(control.take_messages().len(), 2);
    let server = server(0);
    let last = || control.last_messages(&server, SESSION).len();
    // A message that arrives during the delivery gets a turn,
    control.hear_messages(vec![message(6)]);
    assert_eq!((last(), control.heard()), (1, 6));
    control.hear_messages(vec![message(7)]);
    assert_eq!((last(), control.heard()), (1, 7));
    // and a later one is left to the server.
    assert_eq!(last(), 0);
    control.hear_messages(vec![message(8)]);
    assert!(control.take_messages().is_empty());
    assert_eq!(control.heard(), 7);
}

#[test]
fn a_run_that_is_about_to_end_takes_all_messages_that_the_server_has() {
    let (control, server) = (Control::default(), server(250));
    let ids: Vec<i64> = control.last_messages(&server, SESSION).iter().map(|message| message.id).collect();
    assert_eq!(ids, (1..=250).collect::<Vec<_>>());
    assert!(control.last_messages(&server, SESSION).is_empty());
}

#[test]
fn after_messages_the_lease_is_renewed_again_at_once() {
    let control = Control::default();
    let renewed = |ids: &[i64]| renewed(None, ids);
    control.hear(renewed(&[1, 2]));
    let asked = Instant::now();
    assert!(!control.ends_within(Duration::from_secs(60)));
    assert!(asked.elapsed() < Duration::from_secs(30), "nothing was awaited");
    // What is known already brings no other renewal.
    control.hear(renewed(&[2]));
    control.hear(renewed(&[]));
    assert!(!control.renewing().is_due);
}

#[test]
fn the_time_of_all_pauses_is_added_up() {
    let control = Control::default();
    let hear = |wanted| control.hear(renewed(Some(wanted), &[]));
    let moment = Duration::from_millis(20);
    hear(SessionCommand::Resume);
    assert_eq!((control.is_paused(), control.paused()), (false, Duration::ZERO));
    // The server repeats what it wants.
    for _ in 0..2 {
        hear(SessionCommand::Pause);
        std::thread::sleep(moment);
    }
    assert!(control.is_paused() && control.paused() >= moment * 2, "a pause that lasts counts");
    hear(SessionCommand::Resume);
    let first = control.paused();
    std::thread::sleep(moment);
    hear(SessionCommand::Resume);
    assert_eq!((control.is_paused(), control.paused()), (false, first), "what comes after it does not");
    hear(SessionCommand::Pause);
    std::thread::sleep(moment);
    hear(SessionCommand::Resume);
    assert!(control.paused() >= first + moment);
    hear(SessionCommand::Pause);
    hear(SessionCommand::Stop);
    let all = control.paused();
    std::thread::sleep(moment);
    assert_eq!((control.is_paused(), control.paused()), (false, all), "a stop ends a pause");
}
