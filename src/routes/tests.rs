use super::{dashboard, platform, router};
use crate::accounts::service::claim;
use crate::accounts::{sign_in, sql};
use crate::config::{Config, Secrets, Source};
use crate::crypto::token;
use crate::http::credential::Credential;
use crate::intake::store::Store;
use crate::logs::store::LogStore;
use crate::releases::service::Maps;
use crate::replays::service::files::Files;
use crate::state::{App, Shared, Stores};
use crate::store::{Disk, Fatal, Main};
use crate::time::Timestamp;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use http_body_util::BodyExt as _;
use std::collections::BTreeSet;
use std::sync::Arc;
use tower::ServiceExt as _;

/// The whole service without its workers, on its own data directory.
struct Service {
    app: Arc<App>,
    setup_token: String,
    _dir: tempfile::TempDir,
}

impl Service {
    async fn new(web: Option<&std::path::Path>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
        let mut values = vec![("SERVICE_DATA_DIR".to_owned(), text(dir.path()))];
        values.extend(web.map(|folder| ("WEB_DIST_DIR".to_owned(), text(folder))));
        let config = Config::read(&Source::new(None, values, []).unwrap()).unwrap();
        let app = tokio::task::spawn_blocking(|| open(config)).await.unwrap();
        let setup = app.clone();
        let token = move || {
            claim::prepare(&setup.people.config, &setup.people.secrets, &setup.main).unwrap().unwrap()
        };
        let setup_token = tokio::task::spawn_blocking(token).await.unwrap();
        Self { app, setup_token, _dir: dir }
    }

    async fn send(&self, request: Request<Body>) -> (u16, String) {
        let answer = router(Shared(self.app.clone())).oneshot(request).await.unwrap();
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&body).into_owned())
    }

    async fn get(&self, path: &str) -> (u16, String) {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Posts to `/auth/setup`.
    async fn set_up(&self, kind: &str, body: String) -> (u16, String) {
        let request = Request::post("/auth/setup").header(header::CONTENT_TYPE, kind);
        self.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Claims the instance; returns the owner's session.
    async fn claim(&self) -> String {
        let claim = sql::Claim {
            token_hash: token::keyed_hash(&self.app.people.secrets.jwt, &self.setup_token),
            email: "ada@example.com".into(),
            name: "Ada".into(),
            password_hash: None,
            organization: "Acme".into(),
        };
        let session = token::session();
        let hash = token::keyed_hash(&self.app.people.secrets.jwt, &session);
        let write = self.app.main.write(move |tx| {
            let (user, _) = sql::claim(tx, &claim, Timestamp::now())?;
            let (method, address) = (sign_in::Method::Setup, String::new());
            let new = sign_in::NewSignIn { token_hash: hash, method, address, user_agent: None };
            sign_in::sql::add(tx, user.id, &new, Timestamp::now())
        });
        write.await.unwrap();
        session
    }
}

fn open(config: Config) -> Arc<App> {
    let (fatal, _) = Fatal::new();
    let secrets = Secrets::load(&config).unwrap();
    let main = Main::open(&config.data_dir, &fatal).unwrap();
    let disk = Arc::new(Disk::new(&config.data_dir, config.disk_floor_bytes));
    let stores = Stores {
        intake: Store::open(&config.data_dir, 0, main.packer.clone(), &fatal).unwrap(),
        logs: LogStore::open(&config.data_dir, &main.instance, &disk, &fatal).unwrap(),
        maps: Arc::new(
            Maps::open(&config.data_dir.join("sourcemaps"), &main, config.sourcemap_max_bytes).unwrap(),
        ),
        replays: Files::open(&config.data_dir.join("replays")).unwrap(),
        disk,
        metrics: Arc::default(),
        live: Arc::default(),
        texts: Arc::default(),
        main,
        single_org: true,
    };
    Arc::new(App::new(config, secrets, stores, 8000).unwrap())
}

#[tokio::test]
async fn a_claimed_instance_does_not_check_a_claims_body() {
    let service = Service::new(None).await;
    let bodies = [
        ("application/json", "{}", 422),
        ("application/json", "{", 400),
        ("text/plain", "{}", 415),
        ("application/json", &"x".repeat(1 << 20), 413),
        ("application/json", r#"{"setup_token":"x","email":"","password":"","organization_name":""}"#, 403),
    ];
    for (kind, body, status) in bodies {
        assert_eq!(service.set_up(kind, body.to_owned()).await.0, status, "unclaimed: {kind} {body:.20}");
    }
    service.claim().await;
    for (kind, body, _) in bodies {
        let (status, text) = service.set_up(kind, body.to_owned()).await;
        assert_eq!(status, 404, "claimed: {kind} {body:.20}");
        assert!(text.contains("already claimed"), "{text}");
    }
}

#[tokio::test]
async fn pages_are_served_for_every_path_that_is_neither_interface_nor_asset() {
    let web = tempfile::tempdir().unwrap();
    std::fs::create_dir(web.path().join("assets")).unwrap();
    for (file, text) in [("index.html", "the page"), ("assets/app.js", "a script"), ("NOTICE.txt", "thanks")]
    {
        std::fs::write(web.path().join(file), text).unwrap();
    }
    let service = Service::new(Some(web.path())).await;
    for path in
        ["/", "/projects/1/releases/1.0.0", "/projects/1/issues/2", "/releases/app.js", "/a.b/", "/login"]
    {
        assert_eq!(service.get(path).await, (200, "the page".into()), "{path}");
    }
    assert_eq!(service.get("/assets/app.js").await, (200, "a script".into()));
    assert_eq!(service.get("/NOTICE.txt").await, (200, "thanks".into()));
    for path in ["/../../etc/passwd", "/%2e%2e/main.db", "/a/..%2fmain.db", "/./x"] {
        assert_eq!(service.get(path).await.0, 404, "{path}");
    }
    let document: serde_json::Value =
        serde_json::from_str(&service.get("/api/openapi.json").await.1).unwrap();
    assert!(document == super::document::openapi(), "what is served is what the routes declare");
    let routes = document["paths"].as_object().unwrap().keys().filter(|path| path.len() > 1);
    let first: BTreeSet<_> =
        routes.filter_map(|path| path.split('/').nth(1)).chain(["metrics", "llm"]).collect();
    for segment in first {
        assert_eq!(service.get(&format!("/{segment}/no/such/route")).await.0, 404, "{segment}");
    }
    for path in ["/favicon.ico", "/client.js", "/assets/app-1.js", "/assets/app", "/api/v2/x", "/auth/1.0"] {
        assert_eq!(service.get(path).await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn a_header_with_another_scheme_leaves_the_cookie_valid_and_subject_to_the_origin_rule() {
    let service = Service::new(None).await;
    let cookie = format!("mayday_session={}", service.claim().await);
    let me = async |authorization: &str| {
        let request = Request::get("/api/v1/me").header(header::COOKIE, &cookie);
        service
            .send(request.header(header::AUTHORIZATION, authorization).body(Body::empty()).unwrap())
            .await
            .0
    };
    assert_eq!(me("Basic cHJveHk6cHJveHk=").await, 200);
    assert_eq!(me("Digest x").await, 200);
    assert_eq!(me("Bearer nobody").await, 401);
    assert_eq!(me("bearer").await, 401);
    let create = async |site: &str| {
        let request = Request::post("/api/v1/organizations/1/projects")
            .header(header::COOKIE, &cookie)
            .header(header::AUTHORIZATION, "Basic cHJveHk6cHJveHk=")
            .header(header::CONTENT_TYPE, "application/json")
            .header("sec-fetch-site", site);
        service.send(request.body(Body::from(r#"{"name":"Mine"}"#)).unwrap()).await.0
    };
    assert_eq!(create("cross-site").await, 403);
    assert_eq!(create("same-origin").await, 201);
}

#[tokio::test]
async fn a_key_in_the_cookie_is_looked_up_as_a_session() {
    let service = Service::new(None).await;
    let request = Request::get("/api/v1/me").header(header::COOKIE, "mayday_session=pk_x");
    let (status, text) = service.send(request.body(Body::empty()).unwrap()).await;
    assert!(status == 401 && text.contains("Not signed in"), "{status} {text}");
}

#[test]
fn a_cookie_is_only_ever_a_session() {
    let of = |authorization: Option<&'static str>, cookie: Option<&'static str>| {
        let mut headers = HeaderMap::new();
        for (name, value) in [(header::AUTHORIZATION, authorization), (header::COOKIE, cookie)] {
            headers.extend(value.map(|value| (name, HeaderValue::from_static(value))));
        }
        Credential::of(&headers, false).map(|credential| format!("{credential:?}")).map_err(|e| e.to_string())
    };
    let cookie = Some("mayday_session=pk_x");
    assert_eq!(of(None, cookie).unwrap(), r#"Cookie("pk_x")"#);
    assert_eq!(of(Some("Basic x"), cookie).unwrap(), r#"Cookie("pk_x")"#);
    assert_eq!(of(Some("BEARER  pk_y "), cookie).unwrap(), r#"Bearer("pk_y")"#);
    assert!(of(Some("Bearer "), cookie).unwrap_err().contains("Use 'Bearer <api_key>'"));
    assert!(of(Some("Basic x"), None).unwrap_err().contains("Use 'Bearer <api_key>'"));
    assert!(of(None, None).unwrap_err().contains("Not signed in"));
}

/// The owner's stream of a project, after reading its greeting.
async fn open_stream(service: &Service, session: &str) -> Body {
    let request = Request::post("/api/v1/organizations/1/projects")
        .header(header::AUTHORIZATION, format!("Bearer {session}"))
        .header(header::CONTENT_TYPE, "application/json");
    let made = service.send(request.body(Body::from(r#"{"name":"Mine"}"#)).unwrap()).await;
    assert_eq!(made.0, 201, "{}", made.1);
    let request =
        Request::get("/api/v1/projects/1/stream").header(header::COOKIE, format!("mayday_session={session}"));
    let answer =
        router(Shared(service.app.clone())).oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let mut body = answer.into_body();
    assert!(next(&mut body).await.unwrap().starts_with("retry: 2000\nid: "));
    body
}

async fn next(body: &mut Body) -> Option<String> {
    let frame = body.frame().await?.unwrap().into_data().unwrap();
    Some(String::from_utf8(frame.to_vec()).unwrap())
}

#[tokio::test]
async fn a_stream_is_alive_until_its_person_may_not_watch_any_more() {
    for change in [
        "update users set disabled_at = 1",
        "update memberships set removed_at = 1",
        "delete from memberships",
        "update sign_ins set expires_at = 1",
        "delete from sign_ins",
        "delete from projects",
    ] {
        let service = Service::new(None).await;
        let session = service.claim().await;
        let mut body = open_stream(&service, &session).await;
        for _ in 0..2 {
            assert_eq!(next(&mut body).await.unwrap(), ": alive\n\n");
        }
        service.app.main.write(move |tx| Ok(tx.execute_batch(change)?)).await.unwrap();
        // One message may have been in flight.
        let ended = next(&mut body).await.is_none() || next(&mut body).await.is_none();
        assert!(ended, "{change}");
    }
}

#[tokio::test]
async fn a_stopping_server_ends_streams() {
    let service = Service::new(None).await;
    let session = service.claim().await;
    let mut body = open_stream(&service, &session).await;
    service.app.live.stop();
    // A heartbeat may have been in flight.
    assert!(next(&mut body).await.is_none() || next(&mut body).await.is_none());
    let request =
        Request::get("/api/v1/projects/1/stream").header(header::AUTHORIZATION, format!("Bearer {session}"));
    assert_eq!(service.send(request.body(Body::empty()).unwrap()).await, (200, String::new()));
}

#[tokio::test]
async fn a_token_that_is_nobodys_is_not_looked_for_again_until_something_changes() {
    let service = Service::new(None).await;
    let owner = service.claim().await;
    // Whatever else the server writes meanwhile tells of a change, too.
    for _ in 0..20 {
        let session = token::session();
        assert_eq!(service.me(&session).await, 401);
        service.sign_in_untold(&owner, &session).await;
        if service.me(&session).await == 401 {
            service.app.main.write(|_| Ok(())).await.unwrap();
            assert_eq!(service.me(&session).await, 200, "as soon as anybody was told of a change");
            return;
        }
    }
    panic!("every token was looked for again");
}

impl Service {
    async fn me(&self, session: &str) -> u16 {
        let request = Request::get("/api/v1/me").header(header::AUTHORIZATION, format!("Bearer {session}"));
        self.send(request.body(Body::empty()).unwrap()).await.0
    }

    /// Creates a sign-in of the owner without telling anybody, so it is not looked up.
    async fn sign_in_untold(&self, owner: &str, session: &str) {
        let hashes = [owner, session].map(|token| token::keyed_hash(&self.app.people.secrets.jwt, token));
        let made = self.app.main.writer.call(move |tx| {
            let person = sign_in::sql::find(tx, &hashes[0], true, Timestamp::now())?.unwrap();
            let (method, address) = (sign_in::Method::Password, String::new());
            let new = sign_in::NewSignIn { token_hash: hashes[1], method, address, user_agent: None };
            sign_in::sql::add(tx, person.user.id, &new, Timestamp::now())
        });
        made.unwrap().await.unwrap().unwrap();
    }
}

#[test]
fn routes_refuse_in_the_form_of_their_interface() {
    let paths = |routes: utoipa_axum::router::OpenApiRouter<Shared>| routes.split_for_parts().1.paths.paths;
    let strays: Vec<String> =
        paths(platform()).into_keys().filter(|path| path.starts_with("/api/v1/")).collect();
    assert!(strays.is_empty(), "{strays:?} belong to the platform, and lie where others do");
    let strays = paths(dashboard()).into_keys().filter(|path| path.starts_with("/api/"));
    let is_known = |path: &String| path.starts_with("/api/v1/") || path == "/api/openapi.json";
    let strays: Vec<String> = strays.filter(|path| !is_known(path)).collect();
    assert!(strays.is_empty(), "{strays:?} lie where those of the platform do");
}
