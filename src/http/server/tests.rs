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
    let on = |address: &str, both| Listeners::bind(address.parse().unwrap(), both).unwrap();
    for (listeners, both) in [(on("127.0.0.1:0", true), true), (on("[::]:0", false), false)] {
        let port = listeners.local_addr().unwrap().port();
        assert_eq!(listeners.is_localhost(), both);
        for name in ["127.0.0.1", "[::1]"] {
            let (asked, accepted) =
                tokio::join!(TcpStream::connect(format!("{name}:{port}")), listeners.accept());
            assert!(asked.is_ok() && accepted.is_ok(), "{name}");
        }
    }
    let one = on("127.0.0.1:0", false);
    let port = one.local_addr().unwrap().port();
    assert!(TcpStream::connect(format!("[::1]:{port}")).await.is_err());
    // A port that is taken there does not prevent the start.
    let taken = on("[::1]:0", false);
    let port = taken.local_addr().unwrap().port();
    assert!(!on(&format!("127.0.0.1:{port}"), true).is_localhost());
}
