use super::{Listeners, serve};
use axum::Router;
use axum::routing::get;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn requests_that_arrive_just_before_a_stop_are_answered() {
    let listener = Listeners::bind("127.0.0.1:0".parse().unwrap(), false).unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/", get(|| async { "here" }));
    let (mut fresh, mut idle) =
        (TcpStream::connect(address).await.unwrap(), TcpStream::connect(address).await.unwrap());
    let stop = async {
        // Connections are accepted in their order: once this one is answered, so is the other.
        idle.write_all(REQUEST).await.unwrap();
        let mut answer = [0; 1024];
        assert!(idle.read(&mut answer).await.unwrap() > 0);
        // The runtime does not run before the stop, so the server has seen neither.
        for stream in [&fresh, &idle] {
            assert_eq!(stream.try_write(REQUEST).unwrap(), REQUEST.len());
        }
        Duration::from_secs(60)
    };
    serve(listener, router, Vec::new(), stop).await.unwrap();
    for (name, stream) in [("fresh", &mut fresh), ("idle", &mut idle)] {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("here"), "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn both_loopbacks_and_both_families_are_served() {
    let loopbacks = tried(|| Some(listeners("127.0.0.1:0", true)).filter(Listeners::is_localhost));
    let families = listeners("[::]:0", false);
    assert!(!families.is_localhost());
    for listeners in [loopbacks, families] {
        let port = listeners.local_addr().unwrap().port();
        for name in ["127.0.0.1", "[::1]"] {
            let (asked, accepted) =
                tokio::join!(TcpStream::connect(format!("{name}:{port}")), listeners.accept());
            assert!(asked.is_ok() && accepted.is_ok(), "{name}");
        }
    }
}

#[tokio::test]
async fn one_loopback_leaves_the_other_alone() {
    tried(|| {
        let one = listeners("127.0.0.1:0", false);
        let port = one.local_addr().unwrap().port();
        std::net::TcpStream::connect(format!("[::1]:{port}")).err()
    });
}

#[tokio::test]
async fn a_port_that_is_taken_on_the_other_loopback_does_not_prevent_the_start() {
    let (_taken, started) = tried(|| {
        let taken = listeners("[::1]:0", false);
        let port = taken.local_addr().unwrap().port();
        let started = Listeners::bind(format!("127.0.0.1:{port}").parse().unwrap(), true);
        Some((taken, started.ok()?))
    });
    assert!(!started.is_localhost());
}

fn listeners(address: &str, both: bool) -> Listeners {
    Listeners::bind(address.parse().unwrap(), both).unwrap()
}

/// Other tests listen, too: where one has the port in the other family, another port is tried.
fn tried<T>(attempt: impl FnMut() -> Option<T>) -> T {
    std::iter::repeat_with(attempt).take(20).flatten().next().unwrap()
}
