//! A mail server that is down, refuses, hangs, or disconnects during a mail: events are accepted as usual, and each
//! mail arrives once, if the provider recognizes repeated keys.

use crate::report::{Outcome, Report, broken, ensure, kept, patience, sabotage, within};
use crate::support::{Project, Value, World, json};
use socket2::{Domain, Socket, Type};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The time limit for everything about mails; one attempt hangs for 10 s.
const MAILED: Duration = Duration::from_secs(60);
/// Events that are sent during each fault.
const EVENTS: usize = 100;
const HOUR: i64 = 3_600_000;

/// The provider's fault.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Nothing listens.
    Down,
    Refuses,
    Hangs,
    /// It accepts the mail and disconnects before it answers.
    EndsAfterTaking,
    Nothing,
}

/// An HTTP mail API that accepts one mail for each key, as providers do.
struct Provider {
    port: u16,
    /// Reserves the port until `listen`.
    closed: Mutex<Option<Socket>>,
    state: Arc<Mutex<State>>,
    attempts: Arc<AtomicU64>,
}

struct State {
    fault: Fault,
    /// By key: the subject.
    mails: BTreeMap<String, String>,
    /// Subjects of the mails that it acknowledged.
    answered: Vec<String>,
}

impl Provider {
    fn new() -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
        let port = socket.local_addr().unwrap().as_socket().unwrap().port();
        let closed = Mutex::new(Some(socket));
        let state = State { fault: Fault::Down, mails: BTreeMap::new(), answered: Vec::new() };
        Self { port, closed, state: Arc::new(Mutex::new(state)), attempts: Arc::default() }
    }

    fn listen(&self) {
        let socket = self.closed.lock().unwrap().take().unwrap();
        socket.listen(128).unwrap();
        let listener = TcpListener::from(socket);
        let (state, attempts) = (self.state.clone(), self.attempts.clone());
        std::thread::spawn(move || {
            let mut hanging = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                let Some((key, mail)) = read(&stream) else { continue };
                let mut state = state.lock().unwrap();
                match state.fault {
                    Fault::Down | Fault::Refuses => say(&stream, "503 No"),
                    Fault::Hangs => hanging.push(stream),
                    Fault::EndsAfterTaking => drop(state.mails.insert(key, mail)),
                    Fault::Nothing => {
                        state.answered.push(mail.clone());
                        state.mails.insert(key, mail);
                        say(&stream, "200 OK");
                    }
                }
                attempts.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    fn set(&self, fault: Fault) {
        self.state.lock().unwrap().fault = fault;
    }

    fn attempts(&self) -> u64 {
        self.attempts.load(Ordering::Relaxed)
    }

    /// Whether it acknowledged a mail of this name.
    fn has_answered(&self, name: &str) -> bool {
        self.state.lock().unwrap().answered.iter().any(|subject| subject.ends_with(&format!(": {name}")))
    }

    /// Subjects of the mails that it has, one for each key.
    fn subjects(&self) -> Vec<String> {
        self.state.lock().unwrap().mails.values().cloned().collect()
    }
}

fn say(mut stream: &TcpStream, status: &str) {
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}");
    drop(stream.write_all(answer.as_bytes()));
}

/// The key and the subject of a mail.
fn read(stream: &TcpStream) -> Option<(String, String)> {
    let mut reader = BufReader::new(stream);
    let (mut key, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let lower = line.trim_end().to_ascii_lowercase();
        if lower.is_empty() {
            break;
        }
        if let Some(value) = lower.strip_prefix("idempotency-key: ") {
            key = value.to_owned();
        }
        if let Some(value) = lower.strip_prefix("content-length: ") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    Some((key, body["subject"].as_str()?.to_owned()))
}

/// A new issue, of which the owner gets a mail, and then events as usual.
fn use_beside(project: &Project, name: &str) -> Result<(), String> {
    for number in 0..EVENTS {
        let message = if number == 0 { name } else { "an old one" };
        let event = project.with_key(&json!({"message": message}));
        let answer = project.world.anonymous().post("/api/v1/errors").json(&event).send();
        ensure(answer.status() == 202, || format!("{name}: {answer:?}"))?;
    }
    Ok(())
}

fn faults(environment: &[(&str, &str)]) -> Outcome {
    let provider = Provider::new();
    let clock = tempfile::NamedTempFile::new().unwrap();
    let url = format!("http://127.0.0.1:{}/emails", provider.port);
    let mut variables = vec![
        ("SERVICE_MAIL_API_URL", url.as_str()),
        ("MAIL_API_KEY", "key"),
        ("MAIL_FROM_EMAIL", "mayday@example.com"),
        ("MAYDAY_CLOCK_OFFSET", clock.path().to_str().unwrap()),
    ];
    variables.extend(environment);
    let project = Project::in_world(Arc::new(World::start_with(&variables)), "Shop");
    project.digest(&json!({"message": "an old one"}));
    use_beside(&project, "while it is down")?;
    provider.listen();
    for fault in [Fault::Refuses, Fault::Hangs, Fault::EndsAfterTaking] {
        provider.set(fault);
        let before = provider.attempts();
        use_beside(&project, &format!("{fault:?}"))?;
        within(patience(MAILED), "an attempt", || (provider.attempts() > before).then_some(()))?;
    }
    provider.set(Fault::Nothing);
    // All waiting mails are due, and a new one wakes the sender.
    std::fs::write(clock.path(), HOUR.to_string()).unwrap();
    use_beside(&project, "at last")?;
    let names = ["an old one", "while it is down", "Refuses", "Hangs", "EndsAfterTaking", "at last"];
    let all = || names.iter().all(|name| provider.has_answered(name)).then_some(());
    within(patience(MAILED), "all mails", all)?;
    // The server finishes mails in progress and begins no others.
    project.world.server.signal(rustix::process::Signal::TERM);
    within(patience(MAILED), "the end", || project.world.server.has_ended().then_some(()))?;
    let subjects = provider.subjects();
    ensure(subjects.len() == names.len(), || format!("mails that came more than once: {subjects:?}"))?;
    Ok(Report::default().with("mails", subjects.len()).with("attempts", provider.attempts()))
}

#[test]
fn mails_wait_for_their_server_arrive_once_and_do_not_affect_intake() {
    kept(faults(&[]));
}

#[test]
fn a_key_that_changes_with_each_attempt_is_noticed() {
    broken(faults(&sabotage("delivery_key_each_attempt")), "more than once");
}
