//! A stream of server-sent events, read as it arrives.

use super::{Client, Value};
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Far longer than any wait here.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Stream {
    reader: BufReader<TcpStream>,
    /// The time just before the request.
    asked_at: Instant,
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    /// Decoded text that is not parsed yet.
    text: String,
    /// The id that a browser would remember.
    pub(crate) last_id: String,
}

/// A message from the server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    pub(crate) event: String,
    pub(crate) id: String,
    pub(crate) data: Value,
}

impl Stream {
    /// Requests a stream; the status may be any.
    pub(crate) fn ask(client: &Client, path: &str, headers: &[(&str, &str)]) -> Self {
        let mut request = client.get(path).header("accept", "text/event-stream");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let asked_at = Instant::now();
        let stream = request.open().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(reader.read_line(&mut line).unwrap() > 0, "the end within the head: {lines:?}");
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let status = lines[0].split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &String| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let headers = lines[1..].iter().map(header).collect();
        Self { reader, asked_at, status, headers, text: String::new(), last_id: String::new() }
    }

    /// An open stream, whose greeting has arrived.
    #[track_caller]
    pub(crate) fn open(client: &Client, path: &str, headers: &[(&str, &str)]) -> Self {
        let mut stream = Self::ask(client, path, headers);
        assert_eq!(stream.status, 200, "{path}: {:?}", stream.headers);
        let greeting = stream.block().expect("a greeting");
        let id = greeting.strip_prefix("retry: 2000\nid: ").unwrap_or_else(|| panic!("{greeting}"));
        stream.last_id = id.to_owned();
        stream
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All lines up to an empty one; `None` at the end.
    pub(crate) fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let chunk = self.chunk()?;
            self.text.push_str(&chunk);
        }
    }

    fn chunk(&mut self) -> Option<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("the stream goes on or ends");
        let size = usize::from_str_radix(line.trim_end(), 16).unwrap_or(0);
        if size == 0 {
            return None;
        }
        let mut bytes = vec![0; size + 2];
        self.reader.read_exact(&mut bytes).unwrap();
        bytes.truncate(size);
        Some(String::from_utf8(bytes).unwrap())
    }

    /// The next message, without comments; `None` at the end.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Option<Message> {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "nothing but comments");
            let block = self.block()?;
            let field = |name: &str| {
                block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).map(str::to_owned)
            };
            if let Some(event) = field("event") {
                let id = field("id").expect("every message has an id");
                self.last_id.clone_from(&id);
                return Some(Message {
                    event,
                    id,
                    data: serde_json::from_str(&field("data").unwrap()).unwrap(),
                });
            }
        }
    }

    /// Messages up to and including the first that matches.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, mut fits: impl FnMut(&Message) -> bool) -> Vec<Message> {
        let start = Instant::now();
        let mut got = Vec::new();
        loop {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {what}: {got:?}");
            let message = self.next().unwrap_or_else(|| panic!("the stream ended before {what}: {got:?}"));
            let last = fits(&message);
            got.push(message);
            if last {
                return got;
            }
        }
    }

    /// How many heartbeats can have come by now: one every 15 seconds.
    pub(crate) fn earlier_heartbeats(&self) -> u64 {
        self.asked_at.elapsed().as_secs() / 15
    }

    /// Reads to the end, which must come before the next heartbeat, because a heartbeat checks access anyway. Earlier
    /// ones may still be unread.
    #[track_caller]
    pub(crate) fn ends_at_once(mut self) {
        let mut earlier = self.earlier_heartbeats();
        while let Some(block) = self.block() {
            if block.starts_with(':') {
                assert!(earlier > 0, "the stream went on: {block}");
                earlier -= 1;
            }
        }
    }

    /// The body of a refusal.
    pub(crate) fn refusal(mut self) -> Value {
        let length = self.header("content-length").unwrap().parse().unwrap();
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }
}
