//! SIGTERM and SIGINT.

use crate::journal::Journal;
use crate::kill::again;
use crate::support::{Project, Server, Stream, World, eventually, json};
use rustix::process::Signal;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
fn a_stop_under_load_ends_well_and_loses_nothing() {
    let mut project = Project::in_world(Arc::new(World::new(Server::start())), "Stopped");
    let journal = Journal::default();
    let mut streaming = Duration::ZERO;
    for signal in [Signal::TERM, Signal::INT] {
        let before = journal.acknowledged();
        streaming += journal.stream(&project.world.anonymous(), &project.key, || {
            eventually("some acknowledgements", || (journal.acknowledged() > before + 100).then_some(()));
            project.world.server.signal(signal);
            std::thread::sleep(Duration::from_millis(200));
        });
        project = again(project, |world| {
            assert_eq!(world.server.wait().code(), Some(0), "{signal:?}");
            world.restart()
        });
    }
    journal.check_rate(streaming);
    journal.check(&project);
}

#[test]
fn a_request_in_flight_is_answered_and_its_event_kept() {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "In flight");
    let event = project.with_key(&json!({"event_id": "in flight", "message": "x"})).to_string();
    let mut stream =
        TcpStream::connect(project.world.anonymous().origin().trim_start_matches("http://")).unwrap();
    let head = format!("POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", event.len());
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&event.as_bytes()[..10]).unwrap();
    // A second connection is answered, so the first has been accepted by now.
    project.world.anonymous().get("/health").send().expect(200);
    project.world.server.signal(Signal::TERM);
    eventually("the listener to close", || {
        project.world.anonymous().get("/health").try_send().is_err().then_some(())
    });
    stream.write_all(&event.as_bytes()[10..]).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    let project = again(project, |world| {
        assert_eq!(world.server.wait().code(), Some(0));
        world.restart()
    });
    project.event("in flight");
}

#[test]
fn idle_and_stuck_connections_do_not_hold_up_a_stop() {
    let server = Server::start();
    let authority = server.anonymous().origin().replace("http://", "");
    let idle = TcpStream::connect(&authority).unwrap();
    let mut stuck = TcpStream::connect(&authority).unwrap();
    stuck.write_all(b"POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{").unwrap();
    server.anonymous().get("/health").send().expect(200);
    let start = Instant::now();
    assert_eq!(server.stop().code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    drop((idle, stuck));
}

#[test]
fn live_streams_end_with_the_server_and_do_not_hold_it_up() {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Watched");
    let streams: Vec<Stream> =
        (0..10).map(|_| Stream::open(&project.owner, &project.path("/stream"), &[])).collect();
    let start = Instant::now();
    project.world.server.signal(Signal::TERM);
    for stream in streams {
        stream.end();
    }
    again(project, |world| {
        assert_eq!(world.server.wait().code(), Some(0));
        // Requests in flight would have 5 s.
        assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
        assert!(!world.server.output().contains("were cut off"), "{}", world.server.output());
        world.restart()
    });
}
