//! Bodies that are refused while they are still being written.

use crate::support::{Project, wire};
use std::io::{BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

fn connect(project: &Project) -> TcpStream {
    let stream = TcpStream::connect(project.owner.authority()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

fn head(path: &str, length: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{length}\r\n\r\n")
}

/// More than all buffers in between hold, and more than any of these routes accepts.
const MUCH: usize = 9 << 20;

#[test]
fn a_client_that_sends_everything_before_reading_gets_the_answer() {
    let project = Project::new();
    let body = vec![b' '; MUCH];
    let chunks: Vec<u8> =
        body.chunks(1 << 16).flat_map(|piece| [b"10000\r\n", piece, b"\r\n"].concat()).collect();
    let chunked = [&chunks[..], b"0\r\n\r\n"].concat();
    for path in ["/api/v1/errors", "/api/v1/errors/batch", "/api/v1/logs/batch", "/auth/password/login"] {
        let length = format!("content-length: {MUCH}");
        for (head, body) in
            [(head(path, &length), &body), (head(path, "transfer-encoding: chunked"), &chunked)]
        {
            // On a busy machine all of it may not be through within the while that the server reads on.
            let attempts = (0..30).find_map(|_| {
                let mut stream = connect(&project);
                stream.write_all(head.as_bytes()).unwrap();
                stream.write_all(body).ok()?;
                wire::read(&mut BufReader::new(&mut stream)).ok()
            });
            let answer = attempts.expect("an answer");
            assert_eq!(answer.status, 413, "{path}");
            assert!(answer.headers.contains(&("connection".to_owned(), "close".to_owned())), "{answer:?}");
        }
    }
}

#[test]
fn a_client_that_expects_100_continue_gets_the_refusal_at_once() {
    let project = Project::new();
    let mut stream = connect(&project);
    let head = head("/api/v1/errors", &format!("expect: 100-continue\r\ncontent-length: {MUCH}"));
    stream.write_all(head.as_bytes()).unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    let text = String::from_utf8_lossy(&all);
    assert!(text.starts_with("HTTP/1.1 413 "), "{text}");
}

#[test]
fn an_endless_body_is_read_for_a_limited_time() {
    let project = Project::new();
    let mut stream = connect(&project);
    stream.write_all(head("/api/v1/errors", "content-length: 1000000000000").as_bytes()).unwrap();
    let (piece, mut sent) = (vec![b' '; 1 << 20], 0);
    // A few more MiB may be in buffers.
    while stream.write_all(&piece).is_ok() {
        sent += piece.len();
        assert!(sent < 64 << 20, "the server still reads");
    }
}
