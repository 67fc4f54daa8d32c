use super::service::Updater;
use super::*;
use crate::config::Source;
use crate::delivery::mail::tests::closed_port;
use crate::instance::VERSION;
use crate::instance::tests::{Listener, answer};
use crate::outbound::Client;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const LONG: Duration = Duration::from_secs(300);

fn manifests(port: u16, version: &str) -> Manifests {
    let variables = [
        ("SERVICE_DESKTOP_RELEASES_URL".to_owned(), format!("http://127.0.0.1:{port}/mayday/")),
        ("SERVICE_DESKTOP_VERSION".to_owned(), version.to_owned()),
    ];
    Manifests::of(&Config::read(&Source::new(None, variables, []).unwrap()).unwrap()).unwrap()
}

fn updater(port: u16) -> Arc<Updater> {
    Arc::new(Updater::new(manifests(port, "2.1.0"), &Client::new()).with_limits(LONG, LONG))
}

/// Which manifest a client gets.
async fn found(updater: &Arc<Updater>) -> String {
    let (_, path) = updater.manifest().await.split_once("/mayday").unwrap();
    path.to_owned()
}

const PINNED: &str = "/desktop/stable/2.1.0/latest.json";
const NEWEST: &str = "/desktop/stable/latest.json";

#[test]
fn the_pinned_version_is_the_configured_one_or_the_servers() {
    let base = "http://127.0.0.1:1/mayday";
    assert_eq!(manifests(1, "2.1.0").pinned, format!("{base}{PINNED}"));
    assert_eq!(manifests(1, "2.1.0").newest, format!("{base}{NEWEST}"));
    assert_eq!(manifests(1, "").pinned, format!("{base}/desktop/stable/{VERSION}/latest.json"));
    let config = Config::read(&Source::new(None, [], []).unwrap()).unwrap();
    assert_eq!(Manifests::of(&config), None);
}

#[tokio::test]
async fn an_existing_manifest_is_probed_once_and_used() {
    let store = Listener::answering("200 OK");
    let updater = updater(store.port);
    for _ in 0..3 {
        assert_eq!(found(&updater).await, PINNED);
    }
    let [request]: [String; 1] = store.requests().try_into().unwrap();
    assert!(request.starts_with(&format!("HEAD /mayday{PINNED} HTTP/1.1\r\n")), "{request}");
}

#[tokio::test]
async fn a_missing_manifest_is_replaced_by_the_newest_and_cached() {
    for status in ["404 Not Found", "403 Forbidden", "410 Gone"] {
        let store = Listener::answering(status);
        let updater = updater(store.port);
        for _ in 0..3 {
            assert_eq!(found(&updater).await, NEWEST, "{status}");
        }
        assert_eq!(store.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_cached_outcome_expires() {
    let store = Listener::answering("200 OK");
    let updater = Updater::new(manifests(store.port, "2.1.0"), &Client::new());
    let updater = Arc::new(updater.with_limits(LONG, Duration::ZERO));
    for _ in 0..3 {
        assert_eq!(found(&updater).await, PINNED);
    }
    assert_eq!(store.requests().len(), 3);
}

#[tokio::test]
async fn without_an_answer_the_pinned_manifest_is_used_and_nothing_cached() {
    for status in ["500 Internal Server Error", "429 Too Many Requests", "401 Unauthorized"] {
        let store = Listener::answering(status);
        let updater = updater(store.port);
        for _ in 0..2 {
            assert_eq!(found(&updater).await, PINNED, "{status}");
        }
        assert_eq!(store.requests().len(), 2, "{status}");
    }
    let (_closed, port) = closed_port();
    assert_eq!(found(&updater(port)).await, PINNED);
}

#[tokio::test]
async fn a_store_that_is_too_slow_counts_as_unreachable() {
    let store = Listener::start(Duration::from_secs(60), |_| answer("404 Not Found", ""));
    let updater = Updater::new(manifests(store.port, "2.1.0"), &Client::new());
    let updater = Arc::new(updater.with_limits(Duration::from_secs(3), LONG));
    for _ in 0..2 {
        assert_eq!(found(&updater).await, PINNED);
    }
    // The server's threads may read requests after the client has given up.
    for _ in 0..12_000 {
        if store.requests().len() == 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{} requests: something was kept", store.requests().len());
}

#[tokio::test]
async fn a_redirect_is_left_to_the_client() {
    let store = Listener::answering("302 Found");
    let updater = updater(store.port);
    for _ in 0..2 {
        assert_eq!(found(&updater).await, PINNED);
    }
    assert_eq!(store.requests().len(), 1);
}

#[tokio::test]
async fn concurrent_clients_share_one_probe() {
    for (status, manifest) in [("404 Not Found", NEWEST), ("500 Internal Server Error", PINNED)] {
        let store = Listener::start(Duration::from_millis(300), move |_| answer(status, ""));
        let updater = updater(store.port);
        // One of them does not wait for the outcome.
        let impatient = tokio::time::timeout(Duration::from_millis(1), found(&updater)).await;
        assert!(impatient.is_err());
        let mut asked = JoinSet::new();
        for _ in 0..50 {
            let updater = updater.clone();
            asked.spawn(async move { found(&updater).await });
        }
        assert!(asked.join_all().await.iter().all(|found| found == manifest), "{status}");
        assert_eq!(store.requests().len(), 1, "{status}");
    }
}
