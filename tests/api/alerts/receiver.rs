//! A receiver of webhooks that answers as it was set to and keeps the requests.

use crate::support::{Value, eventually, exchanges, json};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request that it received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) text: String,
}

impl ReceivedRequest {
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

pub(crate) struct Receiver {
    pub(crate) url: String,
    got: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Receiver {
    /// Answers with these heads (`500 X\r\nretry-after: 1`) one after another, and then with 204.
    pub(crate) fn start(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hooks/a", listener.local_addr().unwrap());
        let got: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let kept = got.clone();
        let answers: Vec<String> = answers.iter().map(ToString::to_string).collect();
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let Some(one) = read(&stream) else { continue };
                let body = serde_json::from_str(&one.text).unwrap_or(Value::Null);
                exchanges::keep(
                    &json!({"method": "POST", "path": one.path, "body": body, "status": 204, "answer": null}),
                );
                let number = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(one);
                    kept.len() - 1
                };
                let head = answers.get(number).map_or("204 No Content", String::as_str);
                drop(answer(&stream, head));
            }
        });
        Self { url, got }
    }

    /// The requests, once there are so many.
    pub(crate) fn got(&self, count: usize) -> Vec<ReceivedRequest> {
        eventually("the requests", || {
            let got = self.got.lock().unwrap().clone();
            (got.len() >= count).then_some(got)
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.got.lock().unwrap().len()
    }
}

/// An answer with a short body, or one of the length that its head names.
fn answer(mut stream: &TcpStream, head: &str) -> std::io::Result<()> {
    if let Some((_, length)) = head.split_once("content-length: ") {
        write!(stream, "HTTP/1.1 {head}\r\nconnection: close\r\n\r\n")?;
        let length: u64 = length.parse().unwrap();
        return std::io::copy(&mut std::io::repeat(b'x').take(length), &mut stream).map(drop);
    }
    let body = if head.starts_with("204") { "" } else { "no such <thing>" };
    let length = body.len();
    write!(stream, "HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn read(stream: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers.get("content-length").and_then(|text| text.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(ReceivedRequest { path, headers, text: String::from_utf8(body).ok()? })
}
