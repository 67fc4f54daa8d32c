use super::service::UpdateService;
use super::*;
use crate::config::{Config, Source};
use crate::delivery::mail::tests::closed_port;
use crate::instance::VERSION;
use crate::instance::tests::{Listener, answer};
use crate::outbound::Client;
use crate::signals::{self, Kind, Signal};
use crate::store::{Fatal, Main};
use serde_json::json;
use std::sync::{Arc, Mutex};

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn newest_of(feed: &serde_json::Value) -> Option<Release> {
    newest(feed.to_string().as_bytes()).unwrap()
}

#[test]
fn the_newest_server_release_is_found_in_a_repositorys_list() {
    // As GitHub's API answers, shortened.
    let entry = |tag: &str, draft: bool, prerelease: bool| {
        let url = format!("https://github.com/a/b/releases/tag/{tag}");
        json!({"id": 1, "tag_name": tag, "html_url": url, "draft": draft, "prerelease": prerelease, "assets": [],
            "author": {"login": "a"}, "body": "notes"})
    };
    let feed = json!([
        entry("server-v9.0.0", false, true),
        entry("server-v8.0.0", true, false),
        entry("desktop-v7.0.0", false, false),
        entry("v6.0.0", false, false),
        entry("server-v5.0.0-rc.1", false, false),
        entry("server-v4.0.0+build", false, false),
        entry("server-v1.9.0", false, false),
        entry("server-v1.10.0", false, false),
        entry("server-v1.2.0", false, false),
        entry("server-v1.2", false, false),
    ]);
    let url = "https://github.com/a/b/releases/tag/server-v1.10.0".to_owned();
    assert_eq!(newest_of(&feed), Some(Release { version: version("1.10.0"), url: Some(url) }));
}

#[test]
fn a_single_release_is_accepted_and_unreadable_entries_skipped() {
    let release = Release { version: version("1.5.0"), url: None };
    for feed in [
        json!([{"tag_name": "server-v1.5.0"}]),
        json!({"tag_name": "server-v1.5.0"}),
        json!([null, 1, "server-v9.0.0", {}, {"tag_name": 9}, {"tag_name": "server-v1.5.0", "html_url": 1}]),
        json!([{"tag_name": "server-v1.5.0", "html_url": "javascript:alert(1)"}]),
        json!([{"tag_name": "server-v1.5.0", "html_url": format!("https://a.example/{}", "x".repeat(URL_MAX))}]),
    ] {
        assert_eq!(newest_of(&feed), Some(release.clone()), "{feed}");
    }
    assert_eq!(newest_of(&json!([])), None);
    assert_eq!(newest_of(&json!({"tag_name": "desktop-v1.0.0"})), None);
    for nonsense in ["", "<html>", "{}", "1", "{\"message\": \"Not Found\"}", "[", "\"server-v1.0.0\""] {
        assert!(newest(nonsense.as_bytes()).is_err(), "{nonsense}");
    }
}

/// An instance, and a feed with a configurable answer.
struct World {
    main: Main,
    service: UpdateService,
    feed: Listener,
    answer: Arc<Mutex<String>>,
    _data: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let answered = Arc::new(Mutex::new(String::new()));
        let answering = answered.clone();
        let feed = Listener::start(std::time::Duration::ZERO, move |_| answering.lock().unwrap().clone());
        let data = tempfile::tempdir().unwrap();
        let main = Main::open(data.path(), &Fatal::new().0).unwrap();
        let service = service(&main, feed.port);
        Self { main, service, feed, answer: answered, _data: data }
    }

    /// The result of a check of a feed with these tags, a day after the previous check.
    async fn after(&self, tags: &[&str]) -> Knowledge {
        let page = |tag: &&str| json!({"tag_name": tag, "html_url": format!("https://a.example/{tag}")});
        let feed: Vec<_> = tags.iter().map(page).collect();
        self.after_answer(answer("200 OK", &json!(feed).to_string())).await
    }

    async fn after_answer(&self, answer: String) -> Knowledge {
        *self.answer.lock().unwrap() = answer;
        let a_day_ago = Timestamp::now().plus(-PAUSE);
        self.main.write(move |tx| sql::try_now(tx, a_day_ago)).await.unwrap();
        self.service.check_if_due().await.unwrap();
        self.main.read(sql::knowledge).await.unwrap()
    }

    async fn signals(&self) -> Vec<Signal> {
        let all = |c: &_| {
            let newest = signals::sql::newest(c)?;
            signals::sql::between(c, &[Kind::UpdateAvailable], (crate::ids::SignalId(0), newest), 100)
        };
        self.main.read(all).await.unwrap()
    }

    /// The versions of the signals.
    async fn told(&self) -> Vec<String> {
        self.signals().await.iter().map(|signal| signal.text("version").to_owned()).collect()
    }
}

fn service(main: &Main, port: u16) -> UpdateService {
    let url = format!("http://127.0.0.1:{port}/releases?per_page=30");
    let variables = [("SERVICE_UPDATE_FEED_URL".to_owned(), url)];
    let config = Config::read(&Source::new(None, variables, []).unwrap()).unwrap();
    UpdateService::new(main, &Client::new(), &config, &Arc::default()).unwrap()
}

#[tokio::test]
async fn a_newer_release_is_reported_once() {
    let world = World::new();
    let before = Timestamp::now();
    let known = world.after(&["server-v900.1.0", "server-v900.0.0"]).await;
    let available = known.available().unwrap();
    assert_eq!(available.version, version("900.1.0"));
    assert_eq!(available.url.as_deref(), Some("https://a.example/server-v900.1.0"));
    assert!(
        known.checked_at.unwrap() >= before && known.seen_at == known.checked_at && known.error.is_none()
    );
    let [signal]: [Signal; 1] = world.signals().await.try_into().unwrap();
    assert_eq!(signal.payload, json!({"version": "900.1.0", "url": "https://a.example/server-v900.1.0"}));
    assert_eq!((signal.organization, signal.user, signal.actor), (None, None, None));
    let again = world.after(&["server-v900.1.0"]).await;
    assert!(again.seen_at == known.seen_at && again.checked_at > known.checked_at, "{again:?}");
    assert_eq!(world.told().await, ["900.1.0"]);
}

#[tokio::test]
async fn no_version_is_reported_twice_even_if_withdrawn_in_between() {
    let world = World::new();
    for tags in [["server-v900.0.0"], ["server-v901.0.0"], ["server-v900.0.0"], ["server-v901.0.0"]] {
        let known = world.after(&tags).await;
        assert_eq!(format!("server-v{}", known.available().unwrap().version), tags[0]);
    }
    assert_eq!(world.told().await, ["900.0.0", "901.0.0"]);
    assert_eq!(world.after(&[]).await.available(), None);
}

#[tokio::test]
async fn the_running_release_and_older_ones_are_not_reported() {
    let world = World::new();
    for tags in [vec![format!("server-v{VERSION}")], vec!["server-v0.0.1".to_owned()], vec![]] {
        let known = world.after(&tags.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert!(known.available().is_none() && known.checked_at.is_some(), "{tags:?}");
    }
    assert_eq!(world.told().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_failing_feed_keeps_what_was_known_and_reports_why() {
    let world = World::new();
    let known = world.after(&["server-v900.0.0"]).await;
    let long = answer("200 OK", &format!("[{}]", " ".repeat(1 << 20)));
    for (answered, why) in [
        (answer("503 Service Unavailable", ""), "503"),
        (answer("302 Found", ""), "redirects are not followed"),
        (answer("200 OK", "<html>"), "not JSON"),
        (answer("200 OK", "{}"), "not a list of releases"),
        (long, "more than 1048576 bytes"),
        (String::new(), "closed the connection"),
    ] {
        let failed = world.after_answer(answered).await;
        let error = failed.error.clone().unwrap();
        assert!(error.contains(why), "{error}");
        assert_eq!((&failed.newest, failed.checked_at), (&known.newest, known.checked_at), "{why}");
    }
    assert_eq!(world.after(&["server-v900.0.0"]).await.error, None);
    assert_eq!(world.told().await, ["900.0.0"]);
}

#[tokio::test]
async fn the_feed_is_read_once_a_day() {
    let world = World::new();
    world.after(&["server-v900.0.0"]).await;
    for _ in 0..3 {
        world.service.check_if_due().await.unwrap();
        service(&world.main, world.feed.port).check_if_due().await.unwrap();
    }
    let [request]: [String; 1] = world.feed.requests().try_into().unwrap();
    assert!(
        request.starts_with("GET /releases?per_page=30 HTTP/1.1\r\n")
            && request.contains("user-agent: Mayday/")
    );
    let (_closed, port) = closed_port();
    let nowhere = service(&world.main, port);
    let a_day_ago = Timestamp::now().plus(-PAUSE);
    world.main.write(move |tx| sql::try_now(tx, a_day_ago)).await.unwrap();
    nowhere.check_if_due().await.unwrap();
    world.service.check_if_due().await.unwrap();
    assert_eq!(world.feed.requests().len(), 1, "the one that failed counts");
    let an_hour_ago = Timestamp::now().plus(-PAUSE_AFTER_FAULT);
    world.main.write(move |tx| sql::try_now(tx, an_hour_ago)).await.unwrap();
    world.service.check_if_due().await.unwrap();
    assert_eq!(world.feed.requests().len(), 2, "but is not waited for so long");
}
