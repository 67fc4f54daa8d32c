//! HTTP/1.1 by hand, one request a connection.
//!
//! A library would refuse to send half of what these tests send (truncated bodies, broken headers), and would lose an
//! answer that comes before the whole request was sent.

use std::io::{BufRead, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Far longer than anything here takes.
const TIMEOUT: Duration = Duration::from_secs(180);
/// Far longer than a whole answer takes. An event stream never ends and is read with `Request::open`.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

/// A raw answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// Sends `head` and `body` as they are, then closes our side when `close`, and reads the answer.
///
/// # Errors
/// When the server cannot be reached or ends the connection without an answer.
pub(crate) fn exchange(authority: &str, head: &str, body: &[u8], close: bool) -> std::io::Result<Answer> {
    let mut stream = TcpStream::connect(authority)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    // The server may refuse and close the connection before everything is sent.
    let sent = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    if close {
        stream.shutdown(std::net::Shutdown::Write)?;
    }
    let mut bytes = Vec::new();
    let read = read_to_end(&mut stream, &mut bytes);
    match parse(&bytes, head.starts_with("HEAD ")) {
        Some(answer) => Ok(answer),
        None => Err(sent.err().or(read.err()).unwrap_or_else(|| std::io::ErrorKind::UnexpectedEof.into())),
    }
}

/// Reads until the server closes the connection.
fn read_to_end(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let start = Instant::now();
    let mut chunk = vec![0; 64 << 10];
    while start.elapsed() < ANSWER_TIMEOUT {
        match stream.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(length) => bytes.extend_from_slice(&chunk[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::other("the answer did not end"))
}

/// Reads one answer of a connection that stays open.
///
/// # Errors
/// When the connection ends before the answer does.
pub(crate) fn read(stream: &mut impl BufRead) -> std::io::Result<Answer> {
    let end = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read_until(b'\n', &mut bytes)? == 0 {
            return Err(end());
        }
    }
    let head = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    if head.contains("transfer-encoding:") {
        return Err(std::io::Error::other("an answer in chunks, where its length was expected"));
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let start = bytes.len();
    bytes.resize(start + length.unwrap_or(0), 0);
    stream.read_exact(&mut bytes[start..])?;
    parse(&bytes, false).ok_or_else(end)
}

fn parse(bytes: &[u8], headless: bool) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let header = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let rest = &bytes[end + 4..];
    let body = match (header("transfer-encoding"), header("content-length")) {
        _ if headless => Vec::new(),
        (Some("chunked"), _) => unchunk(rest)?,
        (_, Some(length)) => rest.get(..length.parse().ok()?)?.to_vec(),
        _ => rest.to_vec(),
    };
    Some(Answer { status, headers, body })
}

fn unchunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = rest.windows(2).position(|window| window == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..line]).ok()?, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(rest.get(line + 2..line + 2 + size)?);
        rest = rest.get(line + 2 + size + 2..)?;
    }
}
