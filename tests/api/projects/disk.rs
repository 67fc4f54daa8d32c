//! Deleting a project frees its disk space.

use crate::support::project::SCRIPT_URL;
use crate::support::{Project, Value, eventually, json, maps};
use std::path::Path;

/// Bytes that no compression makes smaller, as text.
fn noise(seed: u64, bytes: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'!' + (state % 90) as u8)
    };
    (0..bytes).map(|_| next()).filter(|c| !"\"\\'".contains(*c)).collect()
}

fn fill(project: &Project, seed: u64) {
    let client = project.world.anonymous();
    for round in 0..8 {
        let text = |number: u64| noise(seed * 100_000 + round * 100 + number, 4_000);
        let event = |number: u64| {
            project.with_key(&json!({"message": "x", "fingerprint": ["x"], "extra": {"noise": text(number)}}))
        };
        let events: Vec<Value> = (0..100).map(event).collect();
        client.post("/api/v1/errors/batch").json(&json!(events)).send().expect(202);
        let entry = |number: u64| json!({"timestamp": 1_795_000_000 + round, "level": "info", "message": text(number + 50_000)});
        let entries: Vec<Value> = (0..100).map(entry).collect();
        client
            .post("/api/v1/logs/batch")
            .json(&json!({"api_key": project.key, "logs": entries}))
            .send()
            .expect(202);
    }
    eventually("all events", || {
        let issues = project.issues("");
        (issues["issues"][0]["event_count"] == 800).then_some(())
    });
    eventually("all entries", || {
        let path = project.path("/logs?start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z");
        (project.owner.get(&path).send().expect(200)["total"] == 800).then_some(())
    });
}

fn bytes(path: &Path) -> u64 {
    let Ok(found) = std::fs::metadata(path) else { return 0 };
    if found.is_file() {
        return found.len();
    }
    std::fs::read_dir(path).unwrap().map(|entry| bytes(&entry.unwrap().path())).sum()
}

#[test]
fn the_files_of_a_deleted_project_become_smaller() {
    let project = Project::alone();
    let other = project.other();
    fill(&project, 1);
    other.digest(&json!({"message": "kept"}));
    project.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    let own = maps::cart().replace("\"version\"", "\"file\":\"own\",\"version\"");
    project.upload("1.0.0", "~/own.js", &own).expect(201);
    other.upload("1.0.0", SCRIPT_URL, &maps::cart()).expect(201);
    // Moves the content of the write-ahead logs into the databases.
    let ids = (project.id, other.id);
    drop(other);
    let Project { world, .. } = project;
    let world = std::sync::Arc::into_inner(world).expect("no other holder of this instance").restart();
    let dir = world.server.data_dir().to_owned();
    let names = ["main.db", "logs.db", "logs/index", "sourcemaps"];
    let before = names.map(|name| bytes(&dir.join(name)));
    assert!(before[0] > 2_000_000 && before[1] > 2_000_000 && before[2] > 500_000, "{before:?}");
    world.owner.delete(&format!("/api/v1/projects/{}", ids.0)).send().expect(204);
    for ((name, before), share) in names.into_iter().zip(before).zip([0.5, 0.5, 0.5, 0.8]) {
        eventually(&format!("a smaller {name} than {before}"), || {
            ((bytes(&dir.join(name)) as f64) < before as f64 * share).then_some(())
        });
    }
    assert!(bytes(&dir.join("sourcemaps")) > 0, "the other project still has one");
    let issues = world.owner.get(&format!("/api/v1/projects/{}/issues", ids.1)).send().expect(200);
    assert_eq!(issues["total"], 1);
}
