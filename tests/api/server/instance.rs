//! `GET /api/v1/instance`, and the data that the instance sends to others.

use crate::support::code_host::CodeHost;
use crate::support::person::fresh_email;
use crate::support::{Value, World, eventually, flow, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

const PATH: &str = "/api/v1/instance";

/// A telemetry endpoint: its address, and the bodies that it is sent.
fn endpoint() -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1?source=test", listener.local_addr().unwrap());
    let (send, bodies) = channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(&stream);
            let mut length = 0;
            for line in reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()) {
                if let Some(value) = line.strip_prefix("content-length: ") {
                    length = value.parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
            send.send(serde_json::from_slice(&body).unwrap()).unwrap();
        }
    });
    (url, bodies)
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn an_administrator_sees_the_settings_of_an_instance_with_defaults() {
    let world = World::start_with(&[]);
    let told = world.owner.get(PATH).send().expect(200);
    let (version, mode) = (env!("CARGO_PKG_VERSION"), "self_managed");
    assert_eq!((&told["version"], &told["telemetry_mode"]), (&json!(version), &json!(mode)));
    assert!(told["started_at"].as_str().unwrap().ends_with('Z'));
    let update = json!({"enabled": false, "checked_at": null, "error": null, "available": null});
    assert_eq!(told["update"], update);
    // The tests' own command turns it off; no build of the tests has an endpoint either.
    assert_eq!(told["heartbeat"]["enabled"], false);
    assert_eq!(told["heartbeat"]["reason"], "no_endpoint");
    assert_eq!(
        (&told["heartbeat"]["endpoint"], &told["heartbeat"]["last_sent_at"]),
        (&Value::Null, &Value::Null)
    );
    let payload = &told["heartbeat"]["payload"];
    assert_eq!(
        (&payload["telemetryMode"], &payload["payload"]["appVersion"]),
        (&json!(mode), &json!(version))
    );
    assert_eq!(
        (&told["mail"], &told["gateway"]),
        (
            &json!({"configured": false, "waiting": 0, "waiting_since": null, "error": null}),
            &json!({"enabled": false})
        )
    );
    let jobs = told["jobs"].as_array().unwrap();
    let names: Vec<&str> = jobs.iter().map(|job| job["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted() && names.contains(&"audit_log") && !names.contains(&"heartbeat"), "{names:?}");
    assert_eq!(keys(&jobs[0]), ["failures", "last_run", "name", "running", "runs"]);
    eventually("a run", || {
        let told = world.owner.get(PATH).send().expect(200);
        let shrink =
            told["jobs"].as_array().unwrap().iter().find(|job| job["name"] == "shrink").unwrap().clone();
        (shrink["last_run"]["succeeded"] == true && shrink["runs"].as_u64() >= Some(1)).then_some(())
    });
}

#[test]
fn an_administrator_sees_the_configured_settings() {
    let world = World::start_with(&[
        ("MAIL_API_KEY", "canary"),
        ("SERVICE_MAIL_API_URL", "http://127.0.0.1:9"),
        ("MAIL_FROM_EMAIL", "mayday@example.com"),
        ("AGENT_GATEWAY_ENABLED", "true"),
        ("AGENT_GATEWAY_PROXY_BASE_URL", "http://127.0.0.1:9"),
        ("AGENT_GATEWAY_PROXY_PUBLIC_BASE_URL", "http://localhost:9"),
        ("AGENT_GATEWAY_PROXY_MASTER_KEY", "sk-canary"),
        ("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", "http://127.0.0.1:9/v1?key=canary"),
    ]);
    let told = world.owner.get(PATH).send().expect(200);
    assert_eq!((&told["mail"]["configured"], &told["gateway"]["enabled"]), (&json!(true), &json!(true)));
    let heartbeat = &told["heartbeat"];
    assert_eq!((&heartbeat["enabled"], &heartbeat["reason"]), (&json!(false), &json!("disabled")));
    assert_eq!(heartbeat["endpoint"], "http://127.0.0.1:9/v1");
    assert!(!told.to_string().contains("canary"));
    let meta = world.anonymous().get("/meta").send().expect(200);
    assert_eq!(meta["capabilities"]["agentGateway"], true);
    assert!(!world.server.output().contains("canary"));
}

#[test]
fn the_heartbeat_is_shown_as_sent_and_a_restart_does_not_repeat_it() {
    let (url, bodies) = endpoint();
    let variables = [
        ("SERVICE_ANONYMOUS_TELEMETRY_ENDPOINT", url.as_str()),
        ("SERVICE_ANONYMOUS_TELEMETRY_DISABLED", "0"),
    ];
    let world = World::start_with(&variables);
    let sent = bodies.recv().unwrap();
    let heartbeat = eventually("the sending", || {
        let heartbeat = world.owner.get(PATH).send().expect(200)["heartbeat"].clone();
        heartbeat["last_sent_at"].is_string().then_some(heartbeat)
    });
    assert_eq!((&heartbeat["payload"], &heartbeat["reason"]), (&sent, &json!("configured")));
    assert_eq!(keys(&sent), ["installUuid", "payload", "recordType", "surface", "telemetryMode"]);
    assert_eq!(keys(&sent["payload"]), ["appVersion", "arch", "platform"]);
    let world = world.restart();
    eventually("the job's first run", || {
        let told = world.owner.get(PATH).send().expect(200);
        let job =
            told["jobs"].as_array().unwrap().iter().find(|job| job["name"] == "heartbeat").unwrap().clone();
        (job["last_run"]["succeeded"] == true).then_some(())
    });
    assert!(bodies.try_recv().is_err(), "sent again");
    let again = world.owner.get(PATH).send().expect(200)["heartbeat"].clone();
    assert_eq!(again, heartbeat, "the same installation, and the same time");
}

#[test]
fn a_newer_release_is_shown_with_its_page() {
    let feed = flow::serve(|_| json!([{"tag_name": "server-v900.0.0", "html_url": "https://a.example/900"}]));
    let world = World::start_with(&[("SERVICE_UPDATE_FEED_URL", &format!("http://{feed}/releases"))]);
    let update = eventually("the check", || {
        let update = world.owner.get(PATH).send().expect(200)["update"].clone();
        update["available"].is_object().then_some(update)
    });
    assert_eq!((&update["enabled"], &update["error"]), (&json!(true), &Value::Null));
    let available = &update["available"];
    assert_eq!(
        (&available["version"], &available["url"]),
        (&json!("900.0.0"), &json!("https://a.example/900"))
    );
    assert_eq!(available["first_seen_at"], update["checked_at"]);
    // Without a feed, its earlier answer is no longer shown.
    let world = world.restart_with(&[]);
    let update = world.owner.get(PATH).send().expect(200)["update"].clone();
    assert_eq!(update, json!({"enabled": false, "checked_at": null, "error": null, "available": null}));
}

#[test]
fn a_feed_that_does_not_answer_is_shown_with_the_reason() {
    let world = World::start_with(&[("SERVICE_UPDATE_FEED_URL", "http://127.0.0.1:1/releases")]);
    let error = eventually("the check", || {
        let update = world.owner.get(PATH).send().expect(200)["update"].clone();
        update["error"].as_str().map(str::to_owned)
    });
    assert!(error.contains("127.0.0.1") && error.contains("does not accept the connection"), "{error}");
}

#[test]
fn members_do_not_see_it() {
    let world = World::start_with(&[]);
    world.member().client.get(PATH).send().refuse(403, "admin");
    world.admin().client.get(PATH).send().expect(200);
    world.anonymous().get(PATH).send().refuse(401, "");
}

#[test]
fn with_several_organizations_it_is_for_listed_people_with_proven_addresses() {
    let (listed, unconfirmed) = (fresh_email(), fresh_email());
    let host = CodeHost::start();
    let both = format!("{listed},{unconfirmed}");
    let server = host.server(&[("SINGLE_ORG_MODE", "false"), ("ADMIN_EMAILS", &both)]);
    let founder = server.operated_person(&fresh_email());
    founder.client.post("/api/v1/organizations").json(&json!({"name": "Mine"})).send().expect(201);
    founder.client.get(PATH).send().refuse(403, "ADMIN_EMAILS");
    server.operated_person(&unconfirmed).client.get(PATH).send().refuse(403, "ADMIN_EMAILS");
    // The code host has confirmed it.
    server.operated(&["add", &listed]);
    host.be(7, &listed, &json!(true));
    let administrator = server.anonymous().bearer(&flow::go_through(&server.anonymous()).expect("/"));
    administrator.get(PATH).send().expect(200);
    for (scopes, status) in [(["read", "write"], 403), (["read", "admin"], 200)] {
        let body = json!({"name": "a tool", "scopes": scopes});
        let made = administrator.post("/api/v1/me/tokens").json(&body).send().expect(201);
        let tool = server.anonymous().bearer(made["token"].as_str().unwrap());
        assert_eq!(tool.get(PATH).send().status(), status, "{scopes:?}");
    }
}
