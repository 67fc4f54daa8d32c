//! A code host that does as it is told.

use serde_json::Value;
use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A status and a body; `None`: the connection stays open, and nothing comes.
pub(super) type HostAnswer = Option<(u16, String)>;

/// A code host that answers everything alike but some paths, and remembers what it was asked.
pub(super) struct Host {
    pub(super) url: String,
    answers: Arc<Mutex<HashMap<String, HostAnswer>>>,
    answer: Arc<Mutex<HostAnswer>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Host {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let host = Self { url, answers: Arc::default(), answer: Arc::default(), asked: Arc::default() };
        let (answers, answer, asked) = (host.answers.clone(), host.answer.clone(), host.asked.clone());
        std::thread::spawn(move || {
            let mut hanging = Vec::new();
            for mut stream in listener.incoming().flatten() {
                let head = head(&mut stream);
                let own = own(&answers.lock().unwrap(), &head);
                asked.lock().unwrap().push(head);
                match own.unwrap_or_else(|| answer.lock().unwrap().clone()) {
                    Some((status, body)) => drop(send(&mut stream, status, &body)),
                    None => hanging.push(stream),
                }
            }
        });
        host
    }

    pub(super) fn answers(&self, status: u16, body: &str) {
        self.answers_with(Some((status, body.to_owned())));
    }

    pub(super) fn answers_with(&self, answer: HostAnswer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// Answers one path, with a certain query or with any, with this from now on.
    pub(super) fn answers_at(&self, path: &str, body: &Value) {
        self.answers_at_with(path, Some((200, body.to_string())));
    }

    pub(super) fn answers_at_with(&self, path: &str, answer: HostAnswer) {
        self.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    /// Method, path and proof of each request.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// The answer of what a request asks for, if that has one of its own.
fn own(answers: &HashMap<String, HostAnswer>, head: &str) -> Option<HostAnswer> {
    let path = head.split(' ').nth(1)?;
    answers.get(path).or_else(|| answers.get(path.split('?').next()?)).cloned()
}

fn head(stream: &mut TcpStream) -> String {
    let (mut head, mut piece) = (Vec::new(), [0; 4_096]);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut piece) {
            Ok(length) if length > 0 => head.extend_from_slice(&piece[..length]),
            _ => break,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let first = head.lines().next().unwrap_or_default().trim_end_matches(" HTTP/1.1");
    let proof = head.lines().find_map(|line| line.strip_prefix("authorization: "));
    format!("{first} {}", proof.unwrap_or_default())
}

fn send(stream: &mut TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let length = body.len();
    write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}
