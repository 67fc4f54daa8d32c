//! SIGTERM and SIGINT.

use crate::instance::Instance;
use crate::journal::{Journal, Load};
use crate::kill::again;
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, patience, sabotage, within};
use crate::support::project::fresh_id;
use crate::support::{Project, Server, Stream, World, eventually, json};
use rustix::process::Signal;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// From the signal to the end.
const STOPPED: Duration = Duration::from_secs(10);
/// Less than the server waits for requests in flight.
const DRAINED: Duration = Duration::from_secs(4);
/// Requests whose bodies are being sent when the signal comes.
const IN_FLIGHT: usize = 20;

/// A request of which the server has the first half.
struct Half {
    stream: TcpStream,
    rest: Vec<u8>,
    project: usize,
    id: String,
}

impl Half {
    fn send(instance: &Instance, journal: &Journal, number: usize) -> Self {
        let (id, project) = (fresh_id(), number % instance.targets.len());
        let target = &instance.targets[project];
        journal.note_sent(project, &id);
        let event = json!({"api_key": target.key, "event_id": id, "message": "in flight"}).to_string();
        let mut stream = TcpStream::connect(instance.world.anonymous().authority()).unwrap();
        let head =
            format!("POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", event.len());
        stream.write_all(&[head.as_bytes(), &event.as_bytes()[..10]].concat()).unwrap();
        stream.set_read_timeout(Some(patience(STOPPED))).unwrap();
        Self { stream, rest: event.as_bytes()[10..].to_vec(), project, id }
    }

    /// Sends the rest and reads the answer.
    fn finish(mut self, journal: &Journal) -> Result<(), String> {
        let mut answer = String::new();
        let sent = self.stream.write_all(&self.rest);
        let read = self.stream.read_to_string(&mut answer);
        let id = &self.id;
        ensure(answer.starts_with("HTTP/1.1 202"), || {
            format!("{id} was in flight and was not answered 202: {answer:?}, {sent:?}, {read:?}")
        })?;
        journal.note_acknowledged(self.project, id);
        Ok(())
    }
}

/// Stops a server under load repeatedly: requests in flight are answered, and nothing is lost.
fn stops(signals: &[Signal], environment: &[(&str, &str)]) -> Outcome {
    let mut instance = Instance::start_with(environment);
    let journal = Journal::default();
    let (mut streaming, mut longest) = (Duration::ZERO, Duration::ZERO);
    for signal in signals {
        let before = journal.acknowledged();
        let mut outcome = Ok(Duration::ZERO);
        streaming += journal.stream(&instance, Load::MIXED, || {
            eventually("some acknowledgements", || (journal.acknowledged() > before + 100).then_some(()));
            outcome = stop_in_flight(&instance, &journal, *signal);
        });
        longest = longest.max(outcome?);
        (instance, _) = instance.after(World::restart);
    }
    let rate = journal.check_rate(streaming)?;
    let found = journal.check(&instance)?;
    Ok(Report::default().with("rate", rate).with("found", found).with("longest ms", longest.as_millis()))
}

/// Ends the server while requests are in flight; how long that took.
fn stop_in_flight(instance: &Instance, journal: &Journal, signal: Signal) -> Result<Duration, String> {
    let halves: Vec<Half> = (0..IN_FLIGHT).map(|number| Half::send(instance, journal, number)).collect();
    // A later connection is answered, so the others have been accepted by now.
    instance.world.anonymous().get("/health").send().expect(200);
    let server = &instance.world.server;
    let start = Instant::now();
    server.signal(signal);
    within(patience(STOPPED), "the listener to close", || {
        TcpStream::connect(instance.world.anonymous().authority()).is_err().then_some(())
    })?;
    for half in halves {
        let finished = half.finish(journal);
        // A request that takes longer than the server waits is cut off, which is allowed.
        if start.elapsed() < DRAINED {
            finished?;
        }
    }
    let status = server.wait();
    let took = start.elapsed();
    ensure(took < patience(STOPPED), || format!("stopped after {took:?}"))?;
    ensure(status.code() == Some(0), || format!("{signal:?}: ended with {status}"))?;
    Ok(took)
}

#[test]
fn a_stop_under_load_answers_requests_in_flight_and_loses_nothing() {
    let signals = [Signal::TERM, Signal::INT].repeat(if is_soak() { 20 } else { 1 });
    kept(stops(&signals, &[]));
}

#[test]
fn a_stop_that_does_not_wait_for_requests_is_noticed() {
    // Requests in flight may still be answered while the process ends, so there are several attempts.
    broken(stops(&[Signal::TERM; 10], &sabotage("no_drain")), "was in flight and was not answered");
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
    assert!(start.elapsed() < patience(STOPPED), "{:?}", start.elapsed());
    drop((idle, stuck));
}

#[test]
fn live_streams_end_with_the_server_and_do_not_hold_it_up() {
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Watched");
    let streams: Vec<Stream> =
        (0..10).map(|_| Stream::open(&project.owner, &project.path("/stream"), &[])).collect();
    project.world.server.signal(Signal::TERM);
    for stream in streams {
        stream.ends_at_once();
    }
    again(project, |world| {
        assert_eq!(world.server.wait().code(), Some(0));
        assert!(!world.server.output().contains("were aborted"), "{}", world.server.output());
        world.restart()
    });
}
