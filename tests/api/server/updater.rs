//! `GET /desktop/updater/latest.json`.

use crate::support::{Server, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

/// A store of releases that answers HEAD with 200 for paths with `2.1.0`, and with 404 for others; returns its
/// address.
fn store() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/files", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let asked = lines.next().unwrap_or_default();
            let _ = lines.find(String::is_empty);
            let there = asked.starts_with("HEAD ") && asked.contains("/stable/2.1.0/");
            let status = if there { "200 OK" } else { "404 Not Found" };
            // The length is that of a GET's answer.
            let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 512\r\nconnection: close\r\n\r\n");
        }
    });
    base
}

#[test]
fn clients_are_redirected_to_the_pinned_manifest_or_the_newest() {
    let base = store();
    for (version, path) in
        [("2.1.0", "/desktop/stable/2.1.0/latest.json"), ("2.2.0", "/desktop/stable/latest.json")]
    {
        let variables =
            [("SERVICE_DESKTOP_RELEASES_URL", base.as_str()), ("SERVICE_DESKTOP_VERSION", version)];
        let server = Server::start_with(&variables);
        let client = server.anonymous();
        for method in ["GET", "HEAD", "GET"] {
            let answer = client.request(method, "/desktop/updater/latest.json?current=1.0.0").send();
            let location = format!("{base}{path}");
            assert_eq!(
                (answer.status(), answer.header("location")),
                (302, Some(location.as_str())),
                "{method}"
            );
            assert!(answer.bytes().is_empty());
        }
        client.post("/desktop/updater/latest.json").json(&json!({})).send().refuse(405, "");
    }
}

#[test]
fn without_releases_the_route_does_not_exist() {
    let world = crate::support::world();
    world.anonymous().get("/desktop/updater/latest.json").send().refuse(404, "no releases");
}
