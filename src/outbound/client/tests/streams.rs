//! Streamed bodies over real sockets.

use super::*;
use futures_util::stream;
use std::sync::atomic::AtomicU64;

const PIECE: usize = 64 << 10;
/// 50 MB.
const PIECES: usize = 800;
const ALL: u64 = (PIECES * PIECE) as u64;
/// The most bytes in flight: the kernel's buffers at both ends.
const UNDER_WAY: u64 = 20 << 20;

/// How far one side is ahead of the other.
#[derive(Default)]
struct Lead {
    ahead: AtomicU64,
    behind: AtomicU64,
    most: AtomicU64,
}

impl Lead {
    fn made(&self, bytes: usize) {
        let ahead = self.ahead.fetch_add(bytes as u64, Ordering::SeqCst) + bytes as u64;
        self.most.fetch_max(ahead - self.behind.load(Ordering::SeqCst), Ordering::SeqCst);
    }

    fn took(&self, bytes: usize) {
        self.behind.fetch_add(bytes as u64, Ordering::SeqCst);
    }
}

fn patient() -> Client {
    Client::with(scripted(&[&["127.0.0.1"]]), RootCertStore::empty(), ample())
}

/// Accepts one connection, reads the request's head, and hands both over.
fn once<T: Send + 'static>(
    serve: impl FnOnce(std::net::TcpStream, String) -> T + Send + 'static,
) -> (String, std::thread::JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://a.test:{}/", listener.local_addr().unwrap().port());
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        serve(stream, String::from_utf8(head).unwrap().to_lowercase())
    });
    (url, served)
}

/// The result of a server's thread. The runtime keeps running meanwhile, because it closes connections.
async fn joined<T: Send + 'static>(served: std::thread::JoinHandle<T>) -> T {
    tokio::task::spawn_blocking(|| served.join().unwrap()).await.unwrap()
}

fn post(url: String, body: Body) -> Request<Body> {
    Request::post_form(url, &[]).with_body(body)
}

/// All pieces; each is recorded when it is produced.
fn pieces(lead: Arc<Lead>) -> impl futures_util::Stream<Item = std::io::Result<Bytes>> + Send {
    stream::iter((0..PIECES).map(move |number| {
        lead.made(PIECE);
        Ok(Bytes::from(vec![number as u8; PIECE]))
    }))
}

#[tokio::test]
async fn a_large_body_is_sent_no_faster_than_it_is_read() {
    let lead = Arc::new(Lead::default());
    let taken = lead.clone();
    let (url, served) = once(move |mut stream, head| {
        assert!(head.contains(&format!("content-length: {ALL}\r\n")), "{head}");
        let mut piece = vec![0; PIECE];
        for number in 0..PIECES {
            stream.read_exact(&mut piece).unwrap();
            assert!(piece.iter().all(|byte| *byte == number as u8), "piece {number}");
            taken.took(PIECE);
            std::thread::sleep(Duration::from_micros(500));
        }
        stream.write_all(&http("201 Created", "", "kept")).unwrap();
    });
    let request = post(url, Body::of_pieces(Some(ALL), pieces(lead.clone())));
    let mut answer = patient().stream(request, Policy::Open, 1_000).await.unwrap();
    assert_eq!(answer.status, 201);
    assert_eq!(answer.next().await.unwrap().unwrap(), "kept");
    assert!(answer.next().await.unwrap().is_none());
    joined(served).await;
    assert!(lead.most.load(Ordering::SeqCst) < UNDER_WAY, "{:?} bytes ahead", lead.most);
}

#[tokio::test]
async fn a_large_answer_is_received_no_faster_than_it_is_read() {
    let lead = Arc::new(Lead::default());
    let made = lead.clone();
    let (url, served) = once(move |mut stream, _| {
        stream.write_all(format!("HTTP/1.1 200 OK\r\ncontent-length: {ALL}\r\n\r\n").as_bytes()).unwrap();
        for number in 0..PIECES {
            stream.write_all(&vec![number as u8; PIECE]).unwrap();
            made.made(PIECE);
        }
    });
    let mut answer = patient().stream(Request::get(url), Policy::Open, ALL as usize).await.unwrap();
    let mut read = 0;
    while let Some(piece) = answer.next().await.unwrap() {
        for (offset, byte) in piece.iter().enumerate() {
            assert_eq!(*byte, ((read + offset) / PIECE) as u8);
        }
        read += piece.len();
        lead.took(piece.len());
        tokio::time::sleep(Duration::from_micros(500)).await;
    }
    assert_eq!(read as u64, ALL);
    joined(served).await;
    assert!(lead.most.load(Ordering::SeqCst) < UNDER_WAY, "{:?} bytes ahead", lead.most);
}

#[tokio::test]
async fn a_body_of_unknown_length_is_sent_in_chunks() {
    let (url, served) = once(|mut stream, head| {
        assert!(
            head.contains("transfer-encoding: chunked\r\n") && !head.contains("content-length"),
            "{head}"
        );
        let mut body = Vec::new();
        while !body.ends_with(b"0\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            body.push(byte[0]);
        }
        stream.write_all(&http("200 OK", "", "")).unwrap();
        String::from_utf8(body).unwrap()
    });
    let body = Body::of_pieces(None, stream::iter(["ab", "c"].map(|piece| Ok(Bytes::from(piece)))));
    assert!(patient().stream(post(url, body), Policy::Open, 10).await.is_ok());
    assert_eq!(joined(served).await, "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n");
}

#[tokio::test]
async fn a_body_that_fails_or_is_too_short_ends_the_request() {
    for (length, piece) in [(Some(9), Ok(Bytes::from("ab"))), (None, Err(std::io::Error::other("gone")))] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://a.test:{}/", listener.local_addr().unwrap().port());
        let served = std::thread::spawn(move || {
            let mut all = Vec::new();
            let _ = listener.accept().unwrap().0.read_to_end(&mut all);
            all
        });
        let request = post(url, Body::of_pieces(length, stream::iter([piece])));
        let Err(error) = patient().stream(request, Policy::Open, 10).await else { panic!("answered") };
        assert!(matches!(error, OutboundError::Broken { .. }), "{error}");
        assert!(!joined(served).await.ends_with(b"\r\n0\r\n\r\n"), "the end is not said");
    }
}

#[tokio::test]
async fn a_streamed_answer_is_limited_as_well() {
    let (port, _) = server(http("200 OK", "", &"x".repeat(300_000)));
    let url = format!("http://a.test:{port}/");
    let mut answer = patient().stream(Request::get(url), Policy::Open, 200_000).await.unwrap();
    let mut read = 0;
    let error = loop {
        match answer.next().await {
            Ok(piece) => read += piece.expect("an error before the end").len(),
            Err(error) => break error,
        }
    };
    assert_eq!(error, OutboundError::TooLarge { host: "a.test".into(), limit: 200_000 });
    assert!(read <= 200_000, "{read}");
}

#[tokio::test]
async fn a_stalled_connection_is_abandoned() {
    let limits = Limits { stall: Duration::from_millis(700), ..ample() };
    let client = Client::with(scripted(&[&["127.0.0.1"]]), RootCertStore::empty(), limits);
    let is_stalled = |error: &OutboundError| matches!(error, OutboundError::Stalled { .. });
    // No answer.
    let (port, _) = server("");
    let request = Request::get(format!("http://a.test:{port}/"));
    let error = client.stream(request, Policy::Open, 10).await.map(drop).unwrap_err();
    assert!(is_stalled(&error), "{error}");
    // Half an answer.
    let (port, _) = server("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab");
    // A busy machine may not send the first half in time.
    let mut answer = loop {
        let request = Request::get(format!("http://a.test:{port}/"));
        match client.stream(request, Policy::Open, 10).await {
            Ok(answer) => break answer,
            Err(error) => assert!(is_stalled(&error), "{error}"),
        }
    };
    assert_eq!(answer.next().await.unwrap().unwrap(), "ab");
    let error = answer.next().await.unwrap_err();
    assert!(is_stalled(&error), "{error}");
    // Does not read the body.
    let (url, served) = once(|stream, _| stream);
    let request = post(url, Body::of_pieces(Some(ALL), pieces(Arc::default())));
    let error = client.stream(request, Policy::Open, 10).await.map(drop).unwrap_err();
    assert!(is_stalled(&error), "{error}");
    drop(joined(served).await);
}

#[tokio::test]
async fn a_slow_connection_that_makes_progress_is_kept() {
    let (url, served) = once(|mut stream, _| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n").unwrap();
        for byte in 0..8 {
            // In total longer than a connection may stall.
            std::thread::sleep(Duration::from_secs(1));
            stream.write_all(&[byte]).unwrap();
        }
    });
    let limits = Limits { stall: Duration::from_secs(6), ..ample() };
    let client = Client::with(scripted(&[&["127.0.0.1"]]), RootCertStore::empty(), limits);
    let mut answer = client.stream(Request::get(url), Policy::Open, 10).await.unwrap();
    // The reader's own time does not count, either.
    tokio::time::sleep(Duration::from_millis(6_500)).await;
    let mut read = Vec::new();
    while let Some(piece) = answer.next().await.unwrap() {
        read.extend_from_slice(&piece);
    }
    assert_eq!(read, [0, 1, 2, 3, 4, 5, 6, 7]);
    joined(served).await;
}

#[tokio::test]
async fn dropping_an_answer_closes_its_connection() {
    let (url, served) = once(|mut stream, _| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nab").unwrap();
        stream.read(&mut [0; 10]).map_or(0, |read| read)
    });
    let answer = patient().stream(Request::get(url), Policy::Open, 100).await.unwrap();
    drop(answer);
    assert_eq!(joined(served).await, 0);
}

#[tokio::test]
async fn a_stream_is_checked_like_any_request() {
    let (port, hits) = server(http("200 OK", "", ""));
    let client = client(&[&["127.0.0.1"]]);
    let request = Request::get(format!("https://rebound.example.com:{port}/"));
    let error = client.stream(request, Policy::Guarded, 10).await.map(drop).unwrap_err();
    assert!(matches!(error, OutboundError::Private { .. }), "{error}");
    assert_eq!(hits.load(Ordering::SeqCst), 0);
    let (port, _) = server(http("302 Found", "Location: /elsewhere\r\n", ""));
    let request = Request::get(format!("http://a.test:{port}/"));
    let error = client.stream(request, Policy::Open, 10).await.map(drop).unwrap_err();
    assert!(matches!(error, OutboundError::Redirect { .. }), "{error}");
}
