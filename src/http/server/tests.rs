use super::serve;
use axum::Router;
use axum::routing::get;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn requests_that_arrive_just_before_a_stop_are_answered() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/", get(|| async { "here" }));
    let (mut fresh, mut idle) =
        (TcpStream::connect(address).await.unwrap(), TcpStream::connect(address).await.unwrap());
    let stop = async {
        // Connections are accepted in their order: once this one is answered, so is the other.
        idle.write_all(REQUEST).await.unwrap();
        let mut answer = [0; 1024];
        assert!(idle.read(&mut answer).await.unwrap() > 0);
        // Without a turn of the runtime before the stop: the server has looked at neither.
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
