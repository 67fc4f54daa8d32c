//! A connection for many requests, like a busy client's.

use super::Client;
use super::wire::{self, Answer};
use std::io::{BufReader, ErrorKind, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Far longer than a request takes, even under faults.
const TIMEOUT: Duration = Duration::from_secs(180);

pub(crate) struct Connection {
    authority: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Connection {
    /// Connects with the first request.
    pub(crate) fn new(client: &Client) -> Self {
        Self { authority: client.authority().to_owned(), stream: None }
    }

    /// Sends a request and reads its answer, over a new connection when the last one ended.
    ///
    /// # Errors
    /// When there is no answer.
    pub(super) fn exchange(&mut self, head: &str, body: &[u8]) -> std::io::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => connect(&self.authority)?,
        };
        // One write: a separate head would cost the server an extra read.
        stream.get_mut().write_all(&[head.as_bytes(), body].concat())?;
        let answer = wire::read(&mut stream)?;
        if answer.headers.iter().all(|(name, value)| name != "connection" || value != "close") {
            self.stream = Some(stream);
        }
        Ok(answer)
    }

    /// Whether no server listens any more.
    pub(crate) fn is_refused(&self) -> bool {
        TcpStream::connect(&self.authority).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    }
}

fn connect(authority: &str) -> std::io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(authority)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    Ok(BufReader::new(stream))
}
