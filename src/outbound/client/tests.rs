use super::*;
use crate::outbound::Resolved;

mod streams;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

const CERTIFICATE: &[u8] = include_bytes!("../../../tests/fixtures/keys/localhost.pem");
const KEY: &[u8] = include_bytes!("../../../tests/fixtures/keys/localhost.key.pem");

/// Returns the answers one after the other, then repeats the last; counts the queries.
struct Scripted(Vec<Vec<IpAddr>>, AtomicUsize);

impl Resolver for Scripted {
    fn resolve<'a>(&'a self, _: &'a str, port: u16) -> Resolved<'a> {
        let asked = self.1.fetch_add(1, Ordering::SeqCst);
        let answer = &self.0[asked.min(self.0.len() - 1)];
        let answer = answer.iter().map(|ip| SocketAddr::new(*ip, port)).collect();
        Box::pin(async move { Ok(answer) })
    }
}

fn scripted(answers: &[&[&str]]) -> Arc<Scripted> {
    let parse = |list: &&[&str]| list.iter().map(|ip| ip.parse().unwrap()).collect();
    Arc::new(Scripted(answers.iter().map(parse).collect(), AtomicUsize::new(0)))
}

/// Far more time than any test needs; for answers that arrive.
fn ample() -> Limits {
    let long = Duration::from_mins(1);
    Limits { total: long, connect: long, body: 1 << 20, stall: long }
}

/// For answers that never arrive.
fn quick() -> Limits {
    let (total, stall) = (Duration::from_millis(700), Duration::from_millis(700));
    Limits { total, connect: Duration::from_millis(200), body: 1 << 20, stall }
}

fn client(answers: &[&[&str]]) -> Client {
    Client::with(scripted(answers), RootCertStore::empty(), ample())
}

fn hasty(answers: &[&[&str]]) -> Client {
    Client::with(scripted(answers), RootCertStore::empty(), quick())
}

/// Answers every connection with these bytes, after the request's head was read, and then keeps it
/// open; counts connections.
fn server(answer: impl Into<Vec<u8>>) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let count = Arc::new(AtomicUsize::new(0));
    let (counter, answer) = (count.clone(), answer.into());
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for mut stream in listener.incoming().flatten() {
            counter.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(&answer);
            kept.push(stream);
        }
    });
    (port, count)
}

fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[tokio::test]
async fn an_answer_is_read_completely_with_its_status() {
    let (port, _) = server(http("404 Not Found", "X-A: b\r\n", "{}"));
    let answer = client(&[&["127.0.0.1"]])
        .fetch(Request::get(format!("http://api.test:{port}/a?b=c")), Policy::Open)
        .await
        .unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_slice()), (404, b"{}".as_slice()));
    assert_eq!(answer.headers["x-a"], "b");
}

#[tokio::test]
async fn an_address_is_checked_before_connecting() {
    let (port, hits) = server(http("200 OK", "", ""));
    let hosts = [
        "127.0.0.1",
        "localhost",
        "localhost.",
        "a.localhost",
        "0x7f.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "0",
        "0.0.0.0",
        "[::]",
        "１２７.0.0.1",
        "127。0。0。1",
        "metadata.google.internal",
        "printer.local",
        "rebound.example.com",
        "169.254.169.254",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
    ];
    let client = client(&[&["127.0.0.1"]]);
    for host in hosts {
        let url = format!("https://{host}:{port}/");
        let error = client.fetch(Request::get(&url), Policy::Guarded).await.unwrap_err();
        assert!(matches!(error, OutboundError::Private { .. }), "{host}: {error}");
        let error = client.check(&url, Policy::Guarded).await.unwrap_err();
        assert!(matches!(error, OutboundError::Private { .. }), "{host}: {error}");
    }
    assert_eq!(hits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn local_names_are_refused_without_resolving_them() {
    let resolver = scripted(&[&["8.8.8.8"]]);
    let client = Client::with(resolver.clone(), RootCertStore::empty(), quick());
    for host in ["localhost", "a.localhost.", "metadata.google.internal", "printer.local"] {
        let error = client.check(&format!("https://{host}/"), Policy::Guarded).await.unwrap_err();
        assert!(matches!(error, OutboundError::Private { address: None, .. }), "{host}: {error}");
    }
    assert_eq!(resolver.1.load(Ordering::SeqCst), 0);
    assert!(client.check("https://example.com/", Policy::Guarded).await.is_ok());
}

#[test]
fn both_families_are_tried_in_turn() {
    let parse = |list: &[&str]| list.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), 1)).collect();
    let given: Vec<SocketAddr> = parse(&["2a00::1", "2a00::2", "2a00::3", "8.8.8.8"]);
    let expected: Vec<SocketAddr> = parse(&["2a00::1", "8.8.8.8", "2a00::2", "2a00::3"]);
    assert_eq!(in_turn(&given), expected);
}

#[tokio::test]
async fn one_private_address_among_public_ones_is_enough_to_refuse() {
    let client = client(&[&["8.8.8.8", "127.0.0.1"]]);
    let error = client.fetch(Request::get("https://two.example.com/"), Policy::Guarded).await.unwrap_err();
    assert!(
        error.to_string().contains("two.example.com (127.0.0.1) is not on the public internet"),
        "{error}"
    );
}

#[tokio::test]
async fn a_name_that_changes_is_resolved_once_per_request() {
    let (port, hits) = server(http("200 OK", "", ""));
    // Nothing is at a documentation address: the test looks at where the connection goes.
    let resolver = scripted(&[&["192.0.1.255"], &["127.0.0.1"]]);
    let client = Client::with(resolver.clone(), RootCertStore::empty(), quick());
    let url = format!("https://flip.example.com:{port}/");
    let error = client.fetch(Request::get(&url), Policy::Guarded).await.unwrap_err();
    assert!(
        matches!(&error, OutboundError::Connect { address, .. } if address.ip().to_string() == "192.0.1.255")
            || matches!(error, OutboundError::Timeout { .. }),
        "{error}"
    );
    assert_eq!(resolver.1.load(Ordering::SeqCst), 1);
    let error = client.fetch(Request::get(&url), Policy::Guarded).await.unwrap_err();
    assert!(matches!(error, OutboundError::Private { .. }), "{error}");
    assert_eq!((resolver.1.load(Ordering::SeqCst), hits.load(Ordering::SeqCst)), (2, 0));
}

#[tokio::test]
async fn addresses_are_refused_by_form() {
    let client = client(&[&["8.8.8.8"]]);
    for (url, policy, says) in [
        ("http://example.com/", Policy::Guarded, "must begin with https://"),
        ("http://example.com/", Policy::Configured, "must begin with https://"),
        ("http://192.168.0.1/", Policy::Configured, "must begin with https://"),
        ("http://127.0.0.1/", Policy::Guarded, "must begin with https://"),
        ("ftp://example.com/", Policy::Open, "begins with ftp:"),
        ("file:///etc/passwd", Policy::Open, "begins with file:"),
        ("javascript:alert(1)", Policy::Open, "begins with javascript:"),
        ("https://u:p@example.com/", Policy::Open, "user name or a password"),
        ("https://u@example.com/", Policy::Guarded, "user name or a password"),
        ("example.com", Policy::Open, "not an address"),
        ("https://", Policy::Open, "not an address"),
        ("", Policy::Open, "not an address"),
    ] {
        let error = client.fetch(Request::get(url), policy).await.unwrap_err().to_string();
        assert!(error.contains(says), "{url}: {error}");
    }
}

#[tokio::test]
async fn configured_addresses_may_use_plain_http_only_on_this_machine() {
    let (port, hits) = server(http("200 OK", "", ""));
    let client = client(&[&["127.0.0.1"]]);
    for host in ["localhost", "127.0.0.1"] {
        let url = format!("http://{host}:{port}/");
        assert!(client.fetch(Request::get(url), Policy::Configured).await.is_ok(), "{host}");
    }
    assert_eq!(hits.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_redirect_is_an_error_and_is_not_followed() {
    let (canary, hits) = server(http("200 OK", "", ""));
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent", "304 Same"] {
        let location = format!("Location: http://127.0.0.1:{canary}/x?secret=1\r\n");
        let (port, _) = server(http(status, &location, ""));
        let url = format!("http://a.test:{port}/");
        let error =
            client(&[&["127.0.0.1"]]).fetch(Request::get(url), Policy::Open).await.unwrap_err().to_string();
        assert!(error.contains(&status[..3]) && error.contains("/x)"), "{error}");
        assert!(!error.contains("secret"), "{error}");
    }
    assert_eq!(hits.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_body_over_the_limit_is_cut_off() {
    let long = "x".repeat(10 << 20);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{long}\r\n0\r\n\r\n",
        long.len()
    );
    for answer in [http("200 OK", "", &long), chunked.into_bytes()] {
        let (port, _) = server(answer);
        let url = format!("http://a.test:{port}/");
        let error = client(&[&["127.0.0.1"]]).fetch(Request::get(url), Policy::Open).await.unwrap_err();
        assert_eq!(error, OutboundError::TooLarge { host: "a.test".into(), limit: 1 << 20 });
    }
}

#[tokio::test]
async fn silence_and_half_answers_end_at_the_deadline() {
    for answer in ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"] {
        let (port, _) = server(answer);
        let url = format!("http://a.test:{port}/");
        let error = hasty(&[&["127.0.0.1"]]).fetch(Request::get(url), Policy::Open).await.unwrap_err();
        assert!(matches!(error, OutboundError::Timeout { .. }), "{answer}: {error}");
    }
}

#[tokio::test]
async fn the_next_address_is_tried_if_one_does_not_connect() {
    let (port, _) = server(http("200 OK", "", "here"));
    let url = format!("http://a.test:{port}/");
    let client = client(&[&["127.0.0.2", "127.0.0.1"]]);
    let answer = client.fetch(Request::get(url), Policy::Open).await.unwrap();
    assert_eq!(answer.body, b"here");
}

/// A TLS server with the fixtures' certificate, for one connection; returns the request.
fn tls_server() -> (u16, std::thread::JoinHandle<String>) {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::from_pem_slice(KEY).unwrap())
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = std::thread::spawn(move || {
        let connection = ServerConnection::new(Arc::new(config)).unwrap();
        let mut stream = StreamOwned::new(connection, listener.accept().unwrap().0);
        let mut text = String::new();
        while !text.contains("\r\n\r\n{") {
            let mut part = [0; 4096];
            let Ok(length) = stream.read(&mut part) else { return text };
            text += &String::from_utf8_lossy(&part[..length]);
        }
        stream.write_all(&http("200 OK", "", "safe")).unwrap();
        stream.flush().unwrap();
        format!("{}\n{text}", stream.conn.server_name().unwrap_or("-"))
    });
    (port, asked)
}

fn trusting() -> Client {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(CERTIFICATE).unwrap()).unwrap();
    Client::with(scripted(&[&["127.0.0.1"]]), roots, ample())
}

#[tokio::test]
async fn tls_uses_the_host_name_of_the_address() {
    let (port, asked) = tls_server();
    let document = serde_json::json!({"a": 1});
    let request = Request::post_json(format!("https://idp.example.com.:{port}/p?q"), &document)
        .secret_header(hyper::header::AUTHORIZATION, "Bearer t")
        .unwrap();
    let answer = trusting().fetch(request, Policy::Open).await.unwrap();
    assert_eq!(answer.body, b"safe");
    let asked = asked.join().unwrap().to_lowercase();
    assert!(asked.starts_with("idp.example.com\npost /p?q http/1.1\r\n"), "{asked}");
    for line in [
        &format!("host: idp.example.com:{port}"),
        "user-agent: mayday/",
        "content-type: application/json",
        "authorization: bearer t",
        "content-length: 7",
        "{\"a\":1}",
    ] {
        assert!(asked.contains(line), "{line} in {asked}");
    }
}

#[tokio::test]
async fn untrusted_certificates_and_those_of_other_hosts_are_refused() {
    for (client, host) in [(trusting(), "other.example.com"), (client(&[&["127.0.0.1"]]), "idp.example.com")]
    {
        let (port, _asked) = tls_server();
        let url = format!("https://{host}:{port}/");
        let error = client.fetch(Request::get(url), Policy::Open).await.unwrap_err();
        assert!(matches!(error, OutboundError::Tls { .. }), "{error}");
    }
}

#[test]
fn an_invalid_header_is_refused_without_showing_its_value() {
    let Err(error) =
        Request::get("https://a.test").secret_header(hyper::header::AUTHORIZATION, "Bearer a\nb")
    else {
        panic!("taken");
    };
    assert!(!error.to_string().contains("Bearer"), "{error}");
}

#[test]
fn this_machines_root_certificates_can_be_used() {
    assert!(!tls::roots().is_empty());
    drop(Client::new());
}

#[tokio::test]
async fn if_only_the_status_matters_a_long_or_endless_body_is_dropped() {
    let long = "x".repeat(1 << 20);
    for answer in [
        "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
        "HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n".to_owned(),
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{long}", long.len()),
        "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe beginning".to_owned(),
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz".to_owned(),
    ] {
        let (port, _) = server(answer.clone());
        let url = format!("http://127.0.0.1:{port}/");
        let sent = client(&[&["127.0.0.1"]]).send(Request::get(&url), Policy::Open).await;
        let sent = sent.unwrap_or_else(|error| panic!("{error}: {}", &answer[..60.min(answer.len())]));
        assert!(sent.status.is_success() && sent.body.len() <= 64 << 10);
    }
    let (port, _) = server("HTTP/1.1 200 OK\r\n");
    let sent =
        hasty(&[&["127.0.0.1"]]).send(Request::get(format!("http://127.0.0.1:{port}/")), Policy::Open).await;
    assert!(matches!(sent, Err(OutboundError::Timeout { .. } | OutboundError::Stalled { .. })), "no status");
}
