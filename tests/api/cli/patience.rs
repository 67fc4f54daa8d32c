//! A pipeline does not fail because the server is busy, or is restarted in the middle of an upload.

use crate::support::build::{CommandOutput, thrown};
use crate::support::project::SCRIPT;
use crate::support::server::{address_of_nobody, command};
use crate::support::{Build, Client, Project, Server, Value, World, eventually, json, maps};
use rustix::process::Signal;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const UPLOAD: [&str; 4] = ["sourcemaps", "upload", "--release", "1.4.2"];
/// Bytes of a bundle that pass before a proxy stops.
const PART: usize = 200 << 10;

/// A proxy in front of a server: one request for each connection.
struct Proxy {
    address: String,
    state: Arc<State>,
}

struct State {
    upstream: String,
    /// Answers that are given instead of the server's, the last first.
    answers: Mutex<Vec<&'static str>>,
    /// The body of the next bundle stops in its middle.
    stops: AtomicBool,
    is_stopped: AtomicBool,
}

impl Proxy {
    fn new(upstream: &str, answers: &[&'static str], stops: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State {
            upstream: upstream.to_owned(),
            answers: Mutex::new(answers.iter().rev().copied().collect()),
            stops: AtomicBool::new(stops),
            is_stopped: AtomicBool::new(false),
        });
        let shared = state.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, state) = (connection.unwrap(), shared.clone());
                // The client has to handle errors of a connection.
                std::thread::spawn(move || state.pass(connection));
            }
        });
        Self { address, state }
    }
}

impl State {
    fn pass(&self, mut client: TcpStream) -> std::io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            client.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&head).into_owned();
        let is_bundle = text.starts_with("POST /api/v1/sourcemaps/bundle ");
        let length =
            text.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.unwrap_or(0);
        let stops = is_bundle && self.stops.swap(false, Ordering::SeqCst);
        let mut body = vec![0; if stops { PART } else { length }];
        assert!(!stops || length > 2 * PART, "a body of {length} bytes has no middle");
        client.read_exact(&mut body)?;
        if let Some(answer) = self.answers.lock().unwrap().pop() {
            client.write_all(answer.as_bytes())?;
            return client.shutdown(Shutdown::Both);
        }
        let mut server = TcpStream::connect(&self.upstream)?;
        server.write_all(text.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes())?;
        server.write_all(&body)?;
        if stops {
            self.is_stopped.store(true, Ordering::SeqCst);
        }
        // A server that ends closes both.
        std::io::copy(&mut server, &mut client)?;
        client.shutdown(Shutdown::Both)
    }
}

const BUSY: &str =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
const LIMITED: &str = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Type: application/json\r\nContent-Length: 32\r\nConnection: close\r\n\r\n{\"detail\":\"Over the hourly cap\"}";
const WRONG: &str = "HTTP/1.1 422 Unprocessable Entity\r\nContent-Length: 22\r\nConnection: close\r\n\r\n{\"detail\":\"Not a map\"}";

fn through(proxy: &Proxy, project: &Project, build: &Build) -> Child {
    let mut upload = build.command(project, &UPLOAD);
    upload.env("MAYDAY_URL", &proxy.address).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn authority(project: &Project) -> String {
    project.ci().origin().trim_start_matches("http://").to_owned()
}

#[test]
fn a_busy_server_is_retried_when_it_said() {
    let (project, build) = (Project::new(), Build::new());
    let proxy = Proxy::new(&authority(&project), &[BUSY, LIMITED], false);
    let told = CommandOutput::of(&through(&proxy, &project, &build).wait_with_output().unwrap());
    // Of itself it would wait for one second, and then for two.
    told.expect(
        0,
        &[
            "503",
            "trying again in 2 s",
            "Over the hourly cap",
            "trying again in 3 s",
            "1 new, 0 unchanged, finalized",
        ],
    );
    assert!(proxy.state.answers.lock().unwrap().is_empty());
    let event = project.digest(&thrown("1.4.2", SCRIPT));
    assert_eq!(event["exception"]["frames"][0]["resolved"]["function"], "total");
}

#[test]
fn permanent_errors_are_not_retried() {
    let (project, build) = (Project::new(), Build::new());
    let proxy = Proxy::new(&authority(&project), &[WRONG, WRONG], false);
    let told = CommandOutput::of(&through(&proxy, &project, &build).wait_with_output().unwrap());
    let told = told.expect(1, &["Not a map (422)"]);
    assert!(!told.err.contains("trying again"), "{told:#?}");
    assert_eq!(proxy.state.answers.lock().unwrap().len(), 1);
}

/// A map that compression does not make small.
fn large_map() -> String {
    let mut map: Value = serde_json::from_str(&maps::cart()).unwrap();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let text: String = (0..1 << 20)
        .map(|_| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            char::from(b'!' + (random % 90) as u8)
        })
        .collect();
    map["sources"].as_array_mut().unwrap().push(json!("noise.txt"));
    map["sourcesContent"].as_array_mut().unwrap().push(json!(text));
    map.to_string()
}

#[test]
fn a_server_that_is_killed_in_the_middle_of_a_body_gets_it_again() {
    // No server listens there yet.
    let address = address_of_nobody();
    let project = Project::in_world(Arc::new(World::new(Server::start())), "Shop");
    assert!(project.world.server.stop().success());
    let serve = || {
        let mut command = command(["serve", "--listen", &address, "--data-dir"]);
        let server = command.arg(project.world.server.data_dir()).stdout(Stdio::null()).spawn().unwrap();
        eventually("the server", || TcpStream::connect(&address).ok());
        server
    };
    let mut server = serve();
    let build = Build::new();
    build.add("assets/cart.min.js.map", large_map());
    let proxy = Proxy::new(&address, &[], true);
    let upload = through(&proxy, &project, &build);
    eventually("the middle of the body", || proxy.state.is_stopped.load(Ordering::SeqCst).then_some(()));
    let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&server), Signal::KILL);
    server.wait().unwrap();
    let mut server = serve();
    let told = CommandOutput::of(&upload.wait_with_output().unwrap());
    let ci = Client::anonymous(&address).bearer(&project.key);
    let body = json!({"release": "1.4.2", "stack": thrown("1.4.2", SCRIPT)["exception"]["stack"]});
    let explained = ci.post("/api/v1/sourcemaps/explain").json(&body).send().expect(200);
    server.kill().unwrap();
    server.wait().unwrap();
    told.expect(0, &["trying again in", "1 new, 0 unchanged, finalized"]);
    assert_eq!(explained["frames"][0]["resolved"]["function"], "total", "{explained}");
}
