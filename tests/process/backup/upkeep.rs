//! `mayday migrate` and `mayday healthcheck`.

use super::{done, failed, mayday, stopped};
use crate::report::skipped;
use crate::support::Server;
use crate::support::disk::can_mount;
use crate::support::server::{RunToEnd as _, command};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

fn healthcheck(url: &str) -> Output {
    command(["healthcheck", "--url", url]).run()
}

#[test]
fn migrate_reports_its_work_and_requires_a_stopped_server() {
    let empty = tempfile::tempdir().unwrap();
    assert!(done(&mayday(empty.path(), &["migrate"]).run()).contains("nothing to migrate"));
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0);
    let world = stopped("ben@example.com");
    let said = done(&mayday(world.server.data_dir(), &["migrate"]).run());
    assert!(said.contains("main.db: up to date") && said.contains("logs.db: up to date"), "{said}");
    let server = Server::start();
    let said = failed(&mayday(server.data_dir(), &["migrate"]).run());
    assert!(said.contains("in use by another mayday"), "{said}");
}

#[test]
fn a_data_directory_of_a_newer_version_is_refused_and_stays_usable() {
    for name in ["main.db", "logs.db"] {
        let world = stopped("ben@example.com");
        let data = world.server.data_dir();
        set_version(&data.join(name), 99);
        let serve = mayday(data, &["serve", "--listen", "127.0.0.1:0"]).run();
        for output in [serve, mayday(data, &["migrate"]).run()] {
            let said = failed(&output);
            for part in [name, "schema version 99", "run the newer version again", "mayday restore"] {
                assert!(said.contains(part), "{name}: {said}");
            }
        }
        set_version(&data.join(name), 1);
        let world = Arc::into_inner(world).unwrap().restart();
        assert!(world.server.operated(&["list"]).contains("ben@example.com"));
    }
}

/// As another Mayday would leave it.
fn set_version(path: &Path, version: i64) {
    let database = rusqlite::Connection::open(path).unwrap();
    database.pragma_update(None, "user_version", version).unwrap();
    database.close().unwrap();
}

#[test]
fn healthcheck_succeeds_only_for_a_healthy_server() {
    let server = Server::start();
    let url = server.anonymous().origin();
    let said = done(&healthcheck(&url));
    assert!(said.contains(env!("CARGO_PKG_VERSION")), "{said}");
    let listen = url.replace("http://", "");
    done(&command(["healthcheck", "--listen", &listen]).run());
    assert!(server.stop().success());
    failed(&healthcheck(&url));
    assert!(failed(&healthcheck("https://127.0.0.1:1")).contains("http://"));
    assert!(failed(&command(["healthcheck", "--listen", "127.0.0.1:0"]).run()).contains("--url"));
    // A listener that accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let said = failed(&healthcheck(&format!("http://{}", silent.local_addr().unwrap())));
    assert!(said.contains("no answer within 5 s"), "{said}");
}

#[test]
fn a_server_that_is_not_well_is_not_healthy() {
    if !can_mount() {
        return skipped("no file systems of its own for a process (unshare --map-root-user --mount)");
    }
    let server = Server::start_on_disk(48, &[("SERVICE_DISK_FLOOR_MB", "64")]);
    let said = failed(&healthcheck(&server.anonymous().origin()));
    assert!(said.contains("degraded") && said.contains("disk"), "{said}");
}
