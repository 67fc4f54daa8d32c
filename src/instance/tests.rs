//! A fake remote server for the tests of outgoing requests.

use std::io::Write as _;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Gives every request the same answer, and records the requests.
pub(super) struct Listener {
    pub(super) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Listener {
    /// Answers with this status and no body.
    pub(super) fn answering(status: &'static str) -> Self {
        Self::start(Duration::ZERO, move |_| answer(status, ""))
    }

    /// Answers each request with `answer` after a delay.
    pub(super) fn start(delay: Duration, answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (requests.clone(), Arc::new(answer));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (kept, answer) = (kept.clone(), answer.clone());
                thread::spawn(move || {
                    let request = read(&mut stream);
                    kept.lock().unwrap().push(request.clone());
                    thread::sleep(delay);
                    drop(stream.write_all(answer(&request).as_bytes()));
                });
            }
        });
        Self { port, requests }
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// An answer; the location is for redirects.
pub(super) fn answer(status: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nlocation: /elsewhere\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Head and body of a request.
fn read(stream: &mut impl std::io::Read) -> String {
    let (mut text, mut piece) = (String::new(), [0; 4096]);
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return text,
            Ok(read) => text.push_str(std::str::from_utf8(&piece[..read]).unwrap()),
        }
    }
}
