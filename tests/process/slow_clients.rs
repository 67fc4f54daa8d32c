//! Clients that hold connections and send next to nothing.

use crate::crowd::connect;
use crate::report::{Outcome, Report, broken, ensure, is_soak, kept, p99, patience, sabotage};
use crate::resources::{allow_descriptors, resident};
use crate::support::{Project, Server, World, json};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a connection may last that brings no request to an end.
const CLOSED: Duration = Duration::from_secs(30);
/// How long a normal client may wait meanwhile.
const SERVED: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Idle,
    /// A byte of the headers each second.
    Head,
    /// A byte of an event each second.
    Body,
    /// A byte of a source map each second.
    Upload,
}

struct Slow {
    stream: TcpStream,
    kind: Kind,
    opened: Instant,
}

impl Slow {
    fn open(project: &Project, number: usize) -> Self {
        let stream = connect(&project.world.server, number, None).unwrap();
        let kind = [Kind::Idle, Kind::Head, Kind::Body, Kind::Idle, Kind::Upload][number % 5];
        let head = match kind {
            Kind::Idle => String::new(),
            Kind::Head => "GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ".to_owned(),
            Kind::Body => {
                "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n".to_owned()
            }
            Kind::Upload => format!(
                "POST /api/v1/sourcemaps HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-length: 5000\r\n\
                 content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\n\
                 Content-Disposition: form-data; name=\"sourcemap\"; filename=\"x\"\r\n\r\n",
                project.key
            ),
        };
        (&stream).write_all(head.as_bytes()).unwrap();
        stream.set_nonblocking(true).unwrap();
        Self { stream, kind, opened: Instant::now() }
    }

    /// Sends a byte; whether the connection is still there.
    fn step(&mut self) -> bool {
        if !matches!(self.kind, Kind::Idle) && (&self.stream).write_all(b"x").is_err() {
            return false;
        }
        let mut buffer = [0_u8; 1_024];
        // An answer (the refusal) is read; the end is a read of nothing.
        match (&self.stream).read(&mut buffer) {
            Ok(0) => false,
            Ok(_) => self.step(),
            Err(error) => error.kind() == ErrorKind::WouldBlock,
        }
    }
}

fn crowd(count: usize, environment: &[(&str, &str)]) -> Outcome {
    assert!(allow_descriptors() > count as u64 + 200, "too few file descriptors for this test");
    let project = Project::in_world(Arc::new(World::new(Server::start_with(environment))), "Slow");
    let before = resident(&project.world.server);
    let start = Instant::now();
    let mut slow: Vec<Slow> = (0..count).map(|number| Slow::open(&project, number)).collect();
    let mut served = Vec::new();
    let limit = patience(CLOSED);
    while !slow.is_empty() {
        let late: Vec<Kind> =
            slow.iter().filter(|slow| slow.opened.elapsed() > limit).map(|slow| slow.kind).collect();
        ensure(late.is_empty(), || {
            format!("{} connections are open after {limit:?}: {:?}…", late.len(), late[0])
        })?;
        let asked = Instant::now();
        project.accept(&json!({"message": "of a normal client"}));
        project.world.anonymous().get("/health").send().expect(200);
        served.push(asked.elapsed());
        std::thread::sleep(Duration::from_secs(1).saturating_sub(asked.elapsed()));
        slow.retain_mut(Slow::step);
    }
    let (longest, grown) = (p99(&served), resident(&project.world.server).saturating_sub(before));
    ensure(longest < patience(SERVED), || format!("a normal client waited {longest:?}"))?;
    let report = Report::default().with("closed after", format!("{:?}", start.elapsed()));
    Ok(report.with("a normal client ms", longest.as_millis()).with("KiB each", grown / count as u64))
}

#[test]
fn slow_clients_are_disconnected_and_delay_nobody() {
    kept(crowd(2_000, &[]));
}

#[test]
fn a_server_without_time_outs_is_noticed() {
    if is_soak() {
        broken(crowd(100, &sabotage("plain_serve")), "connections are open");
    }
}
