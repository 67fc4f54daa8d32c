//! `SERVICE_DISK_FLOOR_MB`.

use crate::replays;
use crate::support::project::SCRIPT_URL;
use crate::support::{Project, Server, Value, World, json, maps};
use std::sync::Arc;

/// The largest floor that there may be, in MiB.
const FLOOR_MAX: u64 = 1_000_000;

/// A project on a server whose disk is below the floor; `None` where so much is free that no floor is higher.
fn project() -> Option<Project> {
    let found = rustix::fs::statvfs(std::env::temp_dir()).unwrap();
    if (found.f_bavail * found.f_frsize) >> 20 >= FLOOR_MAX {
        eprintln!("not tested: this machine has over a terabyte free");
        return None;
    }
    let server = Server::start_with(&[("SERVICE_DISK_FLOOR_MB", &FLOOR_MAX.to_string())]);
    Some(Project::in_world(Arc::new(World::new(server)), "Shop"))
}

#[test]
fn below_the_floor_nothing_is_accepted_and_the_rest_works() {
    let Some(project) = project() else { return };
    let event = project.with_key(&json!({"message": "x"}));
    let batch = project.world.anonymous().post("/api/v1/errors/batch").json(&json!([event])).send();
    let replay = replays::post(&project, "/api/v1/replays", &replays::whole("full"));
    let map = project.upload("1.0.0", SCRIPT_URL, &maps::cart());
    for refused in [project.post(&event), batch, replay, map] {
        refused.refuse(503, "nearly full");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    // Reads, settings, releases without files, deleting.
    assert_eq!(project.issues("")["total"], 0);
    project.make_release("1.0.0");
    let releases = project.owner.get(&project.path("/releases")).send().expect(200);
    assert_eq!(releases["total"], 1);
    project.owner.patch(&project.path("")).json(&json!({"name": "Other"})).send().expect(200);
    assert_eq!(project.owner.delete(&project.path("")).send().expect(204), Value::Null);
    let health = project.world.anonymous().get("/health").send();
    let health = (health.header("retry-after").map(str::to_owned), health.expect(503));
    assert_eq!(health.0.as_deref(), Some("1"));
    assert_eq!(health.1["status"], "degraded");
    assert!(health.1["reason"].as_str().unwrap().contains("disk"), "{}", health.1);
}
