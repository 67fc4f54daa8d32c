use super::service::HeartbeatService;
use super::*;
use crate::accounts::sql::{install, install_uuid};
use crate::config::{Config, Source};
use crate::delivery::mail::tests::closed_port;
use crate::instance::tests::Listener;
use crate::outbound::Client;
use crate::store::{Fatal, Main};
use serde_json::{Value, json};

struct World {
    main: Main,
    _data: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        main.write(|tx| install(tx, Timestamp::now())).await.unwrap();
        Self { main, _data: data }
    }

    /// A newly started process; `None` if it sends no heartbeats.
    fn started(&self, variables: &[(&str, &str)]) -> Option<HeartbeatService> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let config = Config::read(&Source::new(None, variables, []).unwrap()).unwrap();
        HeartbeatService::new(&self.main, &Client::new(), &config)
    }

    fn to(&self, port: u16) -> HeartbeatService {
        let endpoint = format!("http://127.0.0.1:{port}/v1/records?a=b");
        self.started(&[("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", &endpoint)]).unwrap()
    }

    async fn sendings(&self) -> Sendings {
        self.main.read(sql::sendings).await.unwrap()
    }

    async fn tried(&self, at: Timestamp) {
        self.main.write(move |tx| sql::try_now(tx, at)).await.unwrap();
    }
}

#[tokio::test]
async fn a_heartbeat_has_exactly_this_body_and_is_sent_once_a_day() {
    let (world, endpoint) = (World::new().await, Listener::answering("204 No Content"));
    let service = world.to(endpoint.port);
    let before = Timestamp::now();
    for _ in 0..3 {
        service.send_if_due().await.unwrap();
    }
    let [request]: [String; 1] = endpoint.requests().try_into().unwrap();
    assert!(request.starts_with("POST /v1/records?a=b HTTP/1.1\r\n"), "{request}");
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut names: Vec<&str> = head.lines().skip(1).map(|line| line.split(':').next().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["accept", "content-length", "content-type", "host", "user-agent"]);
    let uuid = world.main.read(install_uuid).await.unwrap();
    let expected = json!({
        "installUuid": uuid, "surface": "server", "telemetryMode": "self_managed", "recordType": "VERSION",
        "payload": {"appVersion": VERSION, "platform": std::env::consts::OS, "arch": std::env::consts::ARCH},
    });
    assert_eq!(serde_json::from_str::<Value>(body).unwrap(), expected);
    let sendings = world.sendings().await;
    assert!(sendings.sent_at.unwrap() >= before && sendings.tried_at == sendings.sent_at, "{sendings:?}");
}

#[tokio::test]
async fn a_heartbeat_contains_the_telemetry_mode() {
    for mode in ["local_dev", "self_managed", "hosted_product"] {
        let (world, endpoint) = (World::new().await, Listener::answering("200 OK"));
        let url = format!("http://127.0.0.1:{}/", endpoint.port);
        let variables =
            [("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", url.as_str()), ("SERVICE_TELEMETRY_MODE", mode)];
        world.started(&variables).unwrap().send_if_due().await.unwrap();
        assert!(endpoint.requests()[0].contains(&format!(r#""telemetryMode":"{mode}""#)));
    }
}

#[tokio::test]
async fn no_heartbeat_is_sent_if_disabled_or_without_an_endpoint() {
    let (world, endpoint) = (World::new().await, Listener::answering("200 OK"));
    let url = format!("http://127.0.0.1:{}/", endpoint.port);
    let disabled = ("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", "1");
    assert!(world.started(&[("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", &url), disabled]).is_none());
    assert!(world.started(&[]).is_none());
    assert_eq!((endpoint.requests(), world.sendings().await), (Vec::new(), Sendings::default()));
}

#[tokio::test]
async fn a_failing_endpoint_is_retried_once_and_breaks_nothing() {
    for status in ["500 Internal Server Error", "404 Not Found", "302 Found"] {
        let (world, endpoint) = (World::new().await, Listener::answering(status));
        let service = world.to(endpoint.port);
        for _ in 0..3 {
            service.send_if_due().await.unwrap();
        }
        assert_eq!(endpoint.requests().len(), 2, "{status}");
        let sendings = world.sendings().await;
        assert!(sendings.tried_at.is_some() && sendings.sent_at.is_none(), "{status}");
    }
    let world = World::new().await;
    let (_closed, port) = closed_port();
    world.to(port).send_if_due().await.unwrap();
    assert_eq!(world.sendings().await.sent_at, None);
}

#[tokio::test]
async fn restarting_processes_send_at_most_one_an_hour() {
    let (world, endpoint) = (World::new().await, Listener::answering("200 OK"));
    for _ in 0..5 {
        world.to(endpoint.port).send_if_due().await.unwrap();
    }
    assert_eq!(endpoint.requests().len(), 1);
    world.tried(Timestamp::now().plus(-PAUSE_AT_START)).await;
    let service = world.to(endpoint.port);
    service.send_if_due().await.unwrap();
    assert_eq!(endpoint.requests().len(), 2, "a start");
    world.tried(Timestamp::now().plus(-PAUSE_AT_START)).await;
    service.send_if_due().await.unwrap();
    assert_eq!(endpoint.requests().len(), 2, "no start");
    world.tried(Timestamp::now().plus(-PAUSE)).await;
    service.send_if_due().await.unwrap();
    assert_eq!(endpoint.requests().len(), 3, "another day");
}

#[test]
fn a_clock_set_back_does_not_stop_heartbeats() {
    let now = Timestamp::now();
    let ahead = Sendings { tried_at: Some(now.plus(3_650 * DAY)), sent_at: None };
    assert!(ahead.is_due(false, now) && ahead.is_due(true, now));
}
