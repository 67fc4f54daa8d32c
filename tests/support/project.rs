//! A project of its own for a test: its key, and the requests that most tests use.

use super::world::{number, text};
use super::{Client, Form, Response, Server, Value, World, eventually, json, maps, world};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The script that [`Project::throw`] throws from.
pub(crate) const SCRIPT: &str = "https://shop.example/assets/cart.min.js";
/// The url of its source map under the default prefix.
pub(crate) const SCRIPT_URL: &str = "~/assets/cart.min.js";

pub(crate) struct Project {
    pub(crate) world: Arc<World>,
    /// The owner.
    pub(crate) owner: Client,
    pub(crate) id: i64,
    /// A key with the scopes `ingest` and `releases`.
    pub(crate) key: String,
}

impl Project {
    /// A new project in the shared instance.
    pub(crate) fn new() -> Self {
        Self::named("Shop")
    }

    pub(crate) fn named(name: &str) -> Self {
        Self::in_world(world(), name)
    }

    /// In an instance of its own, for tests about the whole instance.
    pub(crate) fn alone() -> Self {
        Self::in_world(Arc::new(World::new(Server::start())), "Shop")
    }

    pub(crate) fn in_world(world: Arc<World>, name: &str) -> Self {
        let path = format!("{}/projects", world.organization_path());
        let made = world.owner.post(&path).json(&json!({"name": name})).send().expect(201);
        let mut project =
            Self { owner: world.owner.clone(), world, id: number(&made["id"]), key: String::new() };
        project.key = text(&project.make_key(&json!({"name": "for tests"}))["key"]);
        project
    }

    /// A second project of the same instance.
    pub(crate) fn other(&self) -> Self {
        Self::in_world(self.world.clone(), "Other")
    }

    /// `/api/v1/projects/{id}` followed by `rest`.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/v1/projects/{}{rest}", self.id)
    }

    /// Makes a key: its record with the key itself.
    pub(crate) fn make_key(&self, body: &Value) -> Value {
        self.owner.post(&self.path("/api-keys")).json(body).send().expect(201)
    }

    pub(crate) fn key_for(&self, scopes: &[&str]) -> String {
        text(&self.make_key(&json!({"name": "scoped", "scopes": scopes}))["key"])
    }

    /// With the project's key as Bearer.
    pub(crate) fn ci(&self) -> Client {
        self.world.bearer(&self.key)
    }

    // In

    /// Posts an event as a client does; adds the key if it has none.
    pub(crate) fn post(&self, event: &Value) -> Response {
        self.world.anonymous().post("/api/v1/errors").json(&self.with_key(event)).send()
    }

    /// The event with the key first, where the server looks for it.
    pub(crate) fn with_key(&self, event: &Value) -> Value {
        let mut keyed = json!({"api_key": self.key});
        for (name, value) in event.as_object().unwrap() {
            keyed[name] = value.clone();
        }
        keyed
    }

    /// Posts an event that must be accepted; its id.
    #[track_caller]
    pub(crate) fn accept(&self, event: &Value) -> String {
        text(&self.post(event).expect(202)["event_id"])
    }

    /// Posts an event and waits until it can be read.
    #[track_caller]
    pub(crate) fn digest(&self, event: &Value) -> Value {
        let id = self.accept(event);
        self.event(&id)
    }

    /// An error thrown in `total`, called by `checkout`, as the minified script of [`maps::cart`] prints it.
    pub(crate) fn throw(release: Option<&str>) -> Value {
        let frames = [("t", SCRIPT, maps::IN_TOTAL), ("c", SCRIPT, maps::IN_CHECKOUT)];
        let stack = maps::stack("TypeError: no amount", &frames);
        json!({"event_id": fresh_id(), "release": release,
            "exception": {"type": "TypeError", "message": "no amount", "stack": stack}})
    }

    /// Uploads a source map with the parts that every upload has.
    pub(crate) fn upload(&self, release: &str, url: &str, map: &str) -> Response {
        let form = Form::new().text("release", release).text("url", url).file("sourcemap", map);
        self.ci().post("/api/v1/sourcemaps").form(&form).send()
    }

    /// Uploads a bundle as it is.
    pub(crate) fn upload_bundle(&self, zip: impl Into<Vec<u8>>) -> Response {
        self.ci().post("/api/v1/sourcemaps/bundle").body("application/zip", zip).send()
    }

    pub(crate) fn make_release(&self, version: &str) -> Value {
        let form = Form::new().text("version", version);
        self.ci().post("/api/v1/releases").form(&form).send().expect(201)
    }

    // Out

    /// The event, once it is digested.
    #[track_caller]
    pub(crate) fn event(&self, id: &str) -> Value {
        let path = format!("/api/v1/events/{}?project_id={}", encoded(id), self.id);
        eventually("the event", || {
            let response = self.owner.get(&path).send();
            (response.status() != 404).then(|| response.expect(200))
        })
    }

    /// The first page of issues that fit a query string such as `?status=resolved`.
    #[track_caller]
    pub(crate) fn issues(&self, query: &str) -> Value {
        self.owner.get(&self.path(&format!("/issues{query}"))).send().expect(200)
    }

    /// The only issue there is.
    #[track_caller]
    pub(crate) fn issue(&self) -> Value {
        let list = self.issues("");
        assert_eq!(list["total"], 1, "{list}");
        list["issues"][0].clone()
    }

    pub(crate) fn issue_path(&self, issue: &Value) -> String {
        self.path(&format!("/issues/{}", issue["id"]))
    }

    #[track_caller]
    pub(crate) fn change(&self, issue: &Value, change: &Value) -> Value {
        self.owner.patch(&self.issue_path(issue)).json(change).send().expect(200)
    }

    /// How many events, releases there are: for tests that nothing was stored.
    #[track_caller]
    pub(crate) fn is_empty(&self) -> bool {
        // Events are digested in order: once a later one is there, the earlier ones would be, too.
        let probe = self.digest(&json!({"event_id": fresh_id(), "message": "a probe"}));
        let releases = self.owner.get(&self.path("/releases")).send().expect(200);
        let issue = self.issue();
        releases["total"] == 0 && issue["event_count"] == 1 && issue["id"] == probe["issue_id"]
    }
}

/// An event id that no other event has.
pub(crate) fn fresh_id() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("event-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A path segment with everything escaped that is not plain.
pub(crate) fn encoded(segment: &str) -> String {
    percent_encoding::utf8_percent_encode(segment, percent_encoding::NON_ALPHANUMERIC).to_string()
}
