//! Requests that are hardly HTTP, and clients that misbehave.

use crate::support::wire::exchange;
use crate::support::{Project, json, world};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

#[test]
fn every_response_has_its_security_headers() {
    let project = Project::new();
    let client = project.world.anonymous();
    for request in [
        client.get("/"),
        client.get("/health"),
        client.get("/api/v1/me"),
        client.get("/api/nonsense"),
        client.get("/assets/none.js"),
        client.post("/api/v1/errors"),
        client.request("PUT", "/health"),
        project.owner.get("/api/v1/me"),
    ] {
        let answer = request.send();
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{answer:?}");
        let policy = answer.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action '"] {
            assert!(policy.contains(part), "{policy}");
        }
    }
}

#[test]
fn malformed_requests_do_no_harm() {
    let world = world();
    let authority = world.anonymous().origin().replace("http://", "");
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(1_000_000));
    let many: String = (0..5_000).map(|n| format!("x-{n}: y\r\n")).collect();
    let headers = format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n");
    for head in [
        "nonsense\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\0\0\0\0",
        "GET / HTTP/1.1\r\nbad header\r\n\r\n",
        "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcdef",
        "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\u{fc}\x03\x03",
        &long,
        &headers,
    ] {
        // An answer is welcome; hanging up is fine.
        if let Ok(answer) = exchange(&authority, head, b"", true) {
            assert!((400..500).contains(&answer.status) || answer.status == 505, "{head:.60}: {answer:?}");
        }
    }
    world.anonymous().get("/health").send().expect(200);
}

#[test]
fn chunked_bodies_are_bounded_too() {
    let project = Project::new();
    let authority = project.world.anonymous().origin().replace("http://", "");
    let head = format!(
        "POST /api/v1/errors HTTP/1.1\r\nhost: {authority}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
    );
    let chunked = |body: &[u8]| {
        let mut wire = Vec::new();
        for chunk in body.chunks(50_000) {
            wire.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            wire.extend_from_slice(chunk);
            wire.extend_from_slice(b"\r\n");
        }
        wire.extend_from_slice(b"0\r\n\r\n");
        exchange(&authority, &head, &wire, false).unwrap()
    };
    let event = project.with_key(&json!({"event_id": "chunked", "message": "x"})).to_string();
    assert_eq!(chunked(event.as_bytes()).status, 202);
    project.event("chunked");
    assert_eq!(chunked(&vec![b' '; 2 << 20]).status, 413);
}

#[test]
fn clients_that_go_away_leave_nothing_behind() {
    let project = Project::new();
    let authority = project.world.anonymous().origin().replace("http://", "");
    let event = project.with_key(&json!({"message": "never whole"})).to_string();
    for sent in [0, 10, event.len() / 2, event.len() - 1] {
        let mut stream = TcpStream::connect(&authority).unwrap();
        let head =
            format!("POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", event.len());
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&event.as_bytes()[..sent]).unwrap();
    }
    assert!(project.is_empty());
}

#[test]
fn a_slow_client_does_not_hold_up_others() {
    let project = Project::new();
    let authority = project.world.anonymous().origin().replace("http://", "");
    // The server closes slow connections after a while: on a busy machine it may close all of them, so they are
    // retried.
    let is_among_them = |_: usize| {
        let slow: Vec<TcpStream> = (0..200)
            .map(|_| {
                let mut stream = TcpStream::connect(&authority).unwrap();
                stream
                    .write_all(b"POST /api/v1/errors HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{")
                    .unwrap();
                stream
            })
            .collect();
        project.digest(&json!({"message": "x"}));
        slow.iter().all(|mut stream| {
            stream.set_nonblocking(true).unwrap();
            stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        })
    };
    assert!((0..5).any(is_among_them), "the event was answered only after a slow client was given up");
}

#[test]
fn a_large_refused_body_still_gets_its_answer_through_an_ordinary_client() {
    // A client that writes its whole body before it reads must find the answer, not a reset.
    let project = Project::new();
    for size in [2 << 20, 20 << 20] {
        let post =
            project.world.anonymous().post("/api/v1/errors").body("application/json", vec![b' '; size]);
        post.send().refuse(413, "too large");
        let upload = project
            .world
            .anonymous()
            .post("/api/v1/sourcemaps")
            .body("multipart/form-data; boundary=x", vec![b' '; size]);
        upload.send().refuse(401, "Bearer");
    }
}
